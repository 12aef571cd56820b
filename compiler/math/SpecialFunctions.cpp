// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error and gamma functions and their relatives.
#include "compiler/math/Dispatch.h"
#include "compiler/math/ErrorFunction.h"
#include "compiler/math/Gamma.h"

namespace tritonrt::mathlib {

llvm::ArrayRef<Function> specialFunctions() {
  static constexpr Function table[] = {
      TRITONRT_MATH_1(erf),     TRITONRT_MATH_1(erfc),       TRITONRT_MATH_1(erfcinv),
      TRITONRT_MATH_1(erfcx),   TRITONRT_MATH_1(erfinv),     TRITONRT_MATH_1(lgamma),
      TRITONRT_MATH_1(normcdf), TRITONRT_MATH_1(normcdfinv), TRITONRT_MATH_1(tgamma),
  };
  return table;
}

} // namespace tritonrt::mathlib
