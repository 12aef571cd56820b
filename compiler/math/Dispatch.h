// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of the table of functions: from a template over formats to what builds it for a value.
#ifndef TRITONRT_COMPILER_MATH_DISPATCH_H
#define TRITONRT_COMPILER_MATH_DISPATCH_H

#include "compiler/math/Builder.h"
#include "compiler/math/Functions.h"

namespace tritonrt::mathlib {

template <class F> mlir::Value dispatch(Context &c, mlir::Value like, F f) {
  if (mlir::getElementTypeOrSelf(like.getType()).isF32())
    return f(Real<32>{&c, like}).value;
  return f(Real<64>{&c, like}).value;
}

/// Operand `i` in the format of `like`.
template <class R> R real(R like, mlir::ValueRange v, unsigned i) { return {like.c, v[i]}; }
template <class R> Whole<32> whole(R like, mlir::ValueRange v, unsigned i) {
  return {like.c, v[i]};
}

} // namespace tritonrt::mathlib

// `name` of one to four real numbers.
#define TRITONRT_MATH_1(name)                                                                      \
  {#name, "rr", [](Context &c, mlir::ValueRange v) {                                               \
     return dispatch(c, v[0], [&](auto x) { return name(x); });                                    \
   }}
#define TRITONRT_MATH_2(name)                                                                      \
  {#name, "rrr", [](Context &c, mlir::ValueRange v) {                                              \
     return dispatch(c, v[0], [&](auto x) { return name(x, real(x, v, 1)); });                     \
   }}
#define TRITONRT_MATH_3(name)                                                                      \
  {#name, "rrrr", [](Context &c, mlir::ValueRange v) {                                             \
     return dispatch(c, v[0], [&](auto x) { return name(x, real(x, v, 1), real(x, v, 2)); });      \
   }}
#define TRITONRT_MATH_4(name)                                                                      \
  {#name, "rrrrr", [](Context &c, mlir::ValueRange v) {                                            \
     return dispatch(                                                                              \
         c, v[0], [&](auto x) { return name(x, real(x, v, 1), real(x, v, 2), real(x, v, 3)); });   \
   }}

#endif // TRITONRT_COMPILER_MATH_DISPATCH_H
