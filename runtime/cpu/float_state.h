// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_FLOAT_STATE_H_
#define TRITONRT_RUNTIME_CPU_FLOAT_STATE_H_

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tritonrt::runtime {

// Within its scope kernels round to nearest, keep subnormal numbers and raise no signal, whatever
// the caller has set; at its end the caller's state, exception flags too, is as it was.
class FloatState {
 public:
#if defined(__x86_64__)
  FloatState() : saved_(_mm_getcsr()) {
    if ((saved_ & ~kFlags) != kDefault) _mm_setcsr(kDefault);
  }
  ~FloatState() {
    if (_mm_getcsr() != saved_) _mm_setcsr(saved_);
  }
  FloatState(const FloatState&) = delete;
  FloatState& operator=(const FloatState&) = delete;

 private:
  static constexpr unsigned kFlags = 0x3f;
  static constexpr unsigned kDefault = 0x1f80;
  const unsigned saved_;
#else
  FloatState() {}
#endif
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_FLOAT_STATE_H_
