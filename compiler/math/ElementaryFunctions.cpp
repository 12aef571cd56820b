// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exponentials, logarithms, powers, roots, trigonometric functions and their inverses.
#include "compiler/math/Dispatch.h"
#include "compiler/math/Exponential.h"
#include "compiler/math/InverseTrigonometric.h"
#include "compiler/math/Power.h"
#include "compiler/math/Roots.h"
#include "compiler/math/Trigonometric.h"

namespace tritonrt::mathlib {

llvm::ArrayRef<Function> elementaryFunctions() {
  static constexpr Function table[] = {
      TRITONRT_MATH_1(acos),
      TRITONRT_MATH_1(acosh),
      TRITONRT_MATH_1(asin),
      TRITONRT_MATH_1(asinh),
      TRITONRT_MATH_1(atan),
      TRITONRT_MATH_2(atan2),
      TRITONRT_MATH_1(atanh),
      TRITONRT_MATH_1(cbrt),
      TRITONRT_MATH_1(cos),
      TRITONRT_MATH_1(cosh),
      TRITONRT_MATH_1(cospi),
      TRITONRT_MATH_1(exp),
      TRITONRT_MATH_1(exp10),
      TRITONRT_MATH_1(exp2),
      TRITONRT_MATH_1(expm1),
      TRITONRT_MATH_2(hypot),
      TRITONRT_MATH_1(log),
      TRITONRT_MATH_1(log10),
      TRITONRT_MATH_1(log1p),
      TRITONRT_MATH_1(log2),
      TRITONRT_MATH_3(norm3d),
      TRITONRT_MATH_4(norm4d),
      TRITONRT_MATH_2(pow),
      TRITONRT_MATH_1(rcbrt),
      TRITONRT_MATH_2(rhypot),
      TRITONRT_MATH_3(rnorm3d),
      TRITONRT_MATH_4(rnorm4d),
      TRITONRT_MATH_1(rsqrt),
      TRITONRT_MATH_1(sin),
      TRITONRT_MATH_1(sinh),
      TRITONRT_MATH_1(sinpi),
      TRITONRT_MATH_1(tan),
      TRITONRT_MATH_1(tanh),
      {"powi", "rir",
       [](Context &c, mlir::ValueRange v) {
         return dispatch(c, v[0], [&](auto x) { return powi(x, whole(x, v, 1)); });
       }},
  };
  return table;
}

} // namespace tritonrt::mathlib
