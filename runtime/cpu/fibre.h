// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_FIBRE_H_
#define TRITONRT_RUNTIME_CPU_FIBRE_H_

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace tritonrt::runtime {

// A flow of control with a stack of its own that runs inside of a thread and can be left in the
// middle. May be resumed by another thread than before; by one at a time.
class Fibre {
 public:
  using Function = void (*)(void* argument);

  Fibre() = default;
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;
  ~Fibre();

  // `function` will run on the `size` bytes of `stack` when resumed. It must end with finish().
  // REQUIRES: no function of this fibre is half run.
  void prepare(void* stack, std::size_t size, Function function, void* argument);
  // Runs the function on until it suspends or finishes.
  void resume();
  // Goes back to who resumed. From inside only.
  void suspend();
  // The same for the last time.
  void finish();

 private:
  static void begin(void* self);
  void leave(bool for_ever);

  Function function_ = nullptr;
  void* argument_ = nullptr;
#if defined(__x86_64__)
  void* own_ = nullptr;     // the stack pointer of what is suspended
  void* caller_ = nullptr;  // of who resumed
#else
  static void enter(unsigned high, unsigned low);
  ucontext_t own_;
  ucontext_t caller_;
#endif
  // What sanitizers must be told of stacks.
  void* stack_ = nullptr;
  std::size_t size_ = 0;
  void* fake_stack_ = nullptr;
  [[maybe_unused]] const void* caller_stack_ = nullptr;
  [[maybe_unused]] std::size_t caller_size_ = 0;
  [[maybe_unused]] void* race_fibre_ = nullptr;
  [[maybe_unused]] void* race_caller_ = nullptr;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_FIBRE_H_
