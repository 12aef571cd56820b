// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error and gamma functions and their relatives; Bessel functions.
#include "compiler/math/Bessel.h"
#include "compiler/math/Dispatch.h"
#include "compiler/math/ErrorFunction.h"
#include "compiler/math/Gamma.h"

namespace tritonrt::mathlib {

llvm::ArrayRef<Function> specialFunctions() {
  static constexpr Function table[] = {
      TRITONRT_MATH_1(cyl_bessel_i0),
      TRITONRT_MATH_1(cyl_bessel_i1),
      TRITONRT_MATH_1(j0),
      TRITONRT_MATH_1(j1),
      TRITONRT_MATH_1(y0),
      TRITONRT_MATH_1(y1),
      TRITONRT_MATH_1(erf),
      TRITONRT_MATH_1(erfc),
      TRITONRT_MATH_1(erfcinv),
      TRITONRT_MATH_1(erfcx),
      TRITONRT_MATH_1(erfinv),
      TRITONRT_MATH_1(lgamma),
      TRITONRT_MATH_1(normcdf),
      TRITONRT_MATH_1(normcdfinv),
      TRITONRT_MATH_1(tgamma),
      {"jn", "irr",
       [](Context &c, mlir::ValueRange v) {
         return dispatch(c, v[1], [&](auto x) { return jn(whole(x, v, 0), x); });
       }},
      {"yn", "irr",
       [](Context &c, mlir::ValueRange v) {
         return dispatch(c, v[1], [&](auto x) { return yn(whole(x, v, 0), x); });
       }},
  };
  return table;
}

} // namespace tritonrt::mathlib
