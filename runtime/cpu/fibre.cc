// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/fibre.h"

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define TRITONRT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TRITONRT_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TRITONRT_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TRITONRT_TSAN 1
#endif
#endif

#if defined(TRITONRT_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(TRITONRT_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

#if defined(__x86_64__)
extern "C" {
// Keeps what a call must keep on the stack, stores the stack pointer in *from and goes on from
// `to`. MXCSR and the x87 control word are the thread's and stay.
void tritonrt_switch_stack(void** from, void* to);
// Calls r13 with r12: where a new stack begins.
void tritonrt_begin_stack();
}

__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden tritonrt_switch_stack\n"
    ".globl tritonrt_switch_stack\n"
    ".type tritonrt_switch_stack, @function\n"
    "tritonrt_switch_stack:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size tritonrt_switch_stack, .-tritonrt_switch_stack\n"
    ".hidden tritonrt_begin_stack\n"
    ".globl tritonrt_begin_stack\n"
    ".type tritonrt_begin_stack, @function\n"
    "tritonrt_begin_stack:\n"
    "  movq %r12, %rdi\n"
    "  callq *%r13\n"
    "  ud2\n"
    ".size tritonrt_begin_stack, .-tritonrt_begin_stack\n");
#endif

namespace tritonrt::runtime {

Fibre::~Fibre() {
#if defined(TRITONRT_TSAN)
  if (race_fibre_ != nullptr) __tsan_destroy_fiber(race_fibre_);
#endif
}

void Fibre::prepare(void* stack, std::size_t size, Function function, void* argument) {
  function_ = function;
  argument_ = argument;
  stack_ = stack;
  size_ = size;
  fake_stack_ = nullptr;
#if defined(TRITONRT_TSAN)
  if (race_fibre_ != nullptr) __tsan_destroy_fiber(race_fibre_);
  race_fibre_ = __tsan_create_fiber(0);
#endif
#if defined(__x86_64__)
  const std::uintptr_t top = (reinterpret_cast<std::uintptr_t>(stack) + size) & ~std::uintptr_t{15};
  auto* slots = reinterpret_cast<void**>(top) - 9;
  // r15, r14, r13, r12, rbx, rbp, the address to return to, and two words, so that the stack is
  // aligned there as a call needs it.
  slots[0] = slots[1] = slots[4] = slots[5] = slots[7] = slots[8] = nullptr;
  slots[2] = reinterpret_cast<void*>(&Fibre::begin);
  slots[3] = this;
  slots[6] = reinterpret_cast<void*>(&tritonrt_begin_stack);
  own_ = slots;
#else
  getcontext(&own_);
  own_.uc_stack.ss_sp = stack;
  own_.uc_stack.ss_size = size;
  own_.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&own_, reinterpret_cast<void (*)()>(&Fibre::enter), 2,
              static_cast<unsigned>(static_cast<std::uint64_t>(self) >> 32),
              static_cast<unsigned>(self));
#endif
}

#if !defined(__x86_64__)
void Fibre::enter(unsigned high, unsigned low) {
  begin(reinterpret_cast<void*>((static_cast<std::uint64_t>(high) << 32) | low));
}
#endif

void Fibre::begin(void* self) {
  auto* fibre = static_cast<Fibre*>(self);
#if defined(TRITONRT_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, &fibre->caller_stack_, &fibre->caller_size_);
#endif
  fibre->function_(fibre->argument_);
}

void Fibre::resume() {
#if defined(TRITONRT_ASAN)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, stack_, size_);
#endif
#if defined(TRITONRT_TSAN)
  race_caller_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(race_fibre_, 0);
#endif
#if defined(__x86_64__)
  tritonrt_switch_stack(&caller_, own_);
#else
  swapcontext(&caller_, &own_);
#endif
#if defined(TRITONRT_ASAN)
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

void Fibre::leave(bool for_ever) {
#if defined(TRITONRT_ASAN)
  __sanitizer_start_switch_fiber(for_ever ? nullptr : &fake_stack_, caller_stack_, caller_size_);
#else
  static_cast<void>(for_ever);
#endif
#if defined(TRITONRT_TSAN)
  __tsan_switch_to_fiber(race_caller_, 0);
#endif
#if defined(__x86_64__)
  tritonrt_switch_stack(&own_, caller_);
#else
  swapcontext(&own_, &caller_);
#endif
#if defined(TRITONRT_ASAN)
  __sanitizer_finish_switch_fiber(fake_stack_, &caller_stack_, &caller_size_);
#endif
}

void Fibre::suspend() { leave(false); }
void Fibre::finish() { leave(true); }

}  // namespace tritonrt::runtime
