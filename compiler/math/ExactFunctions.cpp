// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of exact or once rounded results: parts of numbers, and arithmetic in a direction.
#include "compiler/math/Dispatch.h"
#include "compiler/math/Exact.h"

using namespace mlir;

namespace tritonrt::mathlib {

namespace {

template <class R> R fmod(R x, R y) { return R::template make<arith::RemFOp>(x, y); }
template <class R> R remainder(R x, R y) {
  R divisor = abs(y);
  // Twice the divisor, where there is such a number.
  auto fits = divisor <= kLargest<R> / 2;
  R rest = select(fits, fmod(abs(x), select(fits, divisor + divisor, divisor)), abs(x));
  return remainderFromRest(x, y, rest);
}
template <class R> R fmax(R x, R y) { return R::template make<arith::MaxNumFOp>(x, y); }
template <class R> R fmin(R x, R y) { return R::template make<arith::MinNumFOp>(x, y); }
template <class R> R copysign(R x, R y) { return copySign(x, y); }
template <class R> R ceil(R x) { return R::template make<mlir::math::CeilOp>(x); }
template <class R> R round(R x) { return R::template make<mlir::math::RoundOp>(x); }
template <class R> R rint(R x) { return roundEven(x); }
template <class R> R fabs(R x) { return abs(x); }
template <class R> R fdivide(R x, R y) { return x / y; }

/// The inverse, of which only the upper half of the bits counts.
template <class R> R rcp64h(R x) {
  return R::ofBits(bitsOf(1.0 / x) & int64_t(0xffffffff00000000));
}

/// A predicate as the i32 that C's libraries give.
template <class R> Built asInt32(R like, Truth t) {
  Whole<32> zero = Whole<32>{like.c, like.value}.integer(0);
  return select(t, 1, zero);
}
template <class R> Built isnan(R x) { return asInt32(x, isNan(x)); }
template <class R> Built isinf(R x) { return asInt32(x, abs(x) == kInf); }
template <class R> Built finite(R x) { return asInt32(x, abs(x) < kInf); }
template <class R> Built signbit(R x) { return asInt32(x, bitsOf(x) < 0); }

template <class R> Built toInt64(R x) {
  Type type = x.typeWith(x.c->b.getI64Type());
  Whole<64> result{x.c, arith::FPToSIOp::create(x.c->b, type, x.value)};
  return select(isNan(x), result.integer(INT64_MIN), result);
}
template <class R> Built llrint(R x) { return toInt64(roundEven(x)); }
template <class R> Built llround(R x) { return toInt64(round(x)); }

// Arithmetic in each of the four directions.
template <Direction direction, class R> R add(R x, R y) { return addIn(x, y, direction); }
template <Direction direction, class R> R sub(R x, R y) { return addIn(x, -y, direction); }
template <Direction direction, class R> R mul(R x, R y) { return mulIn(x, y, direction); }
template <Direction direction, class R> R div(R x, R y) { return divIn(x, y, direction); }
template <Direction direction, class R> R rcp(R x) { return divIn(x.number(1.0), x, direction); }
template <Direction direction, class R> R sqrt(R x) { return sqrtIn(x, direction); }
template <Direction direction, class R> R fma(R x, R y, R z) { return fmaIn(x, y, z, direction); }

} // namespace

#define TRITONRT_DIRECTED_1(name, suffix, direction)                                               \
  {#name "_" #suffix, "rr", [](Context &c, ValueRange v) {                                         \
     return dispatch(c, v[0], [&](auto x) { return name<Direction::direction>(x); });              \
   }}
#define TRITONRT_DIRECTED_2(name, suffix, direction)                                               \
  {#name "_" #suffix, "rrr", [](Context &c, ValueRange v) {                                        \
     return dispatch(c, v[0],                                                                      \
                     [&](auto x) { return name<Direction::direction>(x, real(x, v, 1)); });        \
   }}
#define TRITONRT_DIRECTED_3(name, suffix, direction)                                               \
  {#name "_" #suffix, "rrrr", [](Context &c, ValueRange v) {                                       \
     return dispatch(c, v[0], [&](auto x) {                                                        \
       return name<Direction::direction>(x, real(x, v, 1), real(x, v, 2));                         \
     });                                                                                           \
   }}
#define TRITONRT_DIRECTIONS(n, name)                                                               \
  TRITONRT_DIRECTED_##n(name, rn, Nearest), TRITONRT_DIRECTED_##n(name, rz, Zero),                 \
      TRITONRT_DIRECTED_##n(name, rd, Down), TRITONRT_DIRECTED_##n(name, ru, Up)
// A function whose result is an integer.
#define TRITONRT_TO_INT(name, signature)                                                           \
  {#name, signature, [](Context &c, ValueRange v) {                                                \
     return dispatch(c, v[0], [&](auto x) -> Built { return name(x); });                           \
   }}

llvm::ArrayRef<Function> exactFunctions() {
  static constexpr Function table[] = {
      TRITONRT_MATH_1(ceil),
      TRITONRT_MATH_2(copysign),
      TRITONRT_MATH_1(fabs),
      TRITONRT_MATH_2(fdim),
      TRITONRT_MATH_2(fdivide),
      TRITONRT_MATH_1(floor),
      TRITONRT_MATH_2(fmax),
      TRITONRT_MATH_2(fmin),
      TRITONRT_MATH_2(fmod),
      TRITONRT_MATH_1(logb),
      TRITONRT_MATH_2(nextafter),
      TRITONRT_MATH_2(remainder),
      TRITONRT_MATH_1(rint),
      TRITONRT_MATH_1(round),
      TRITONRT_MATH_1(saturate),
      TRITONRT_MATH_1(trunc),
      TRITONRT_TO_INT(finite, "ri"),
      TRITONRT_TO_INT(ilogb, "ri"),
      TRITONRT_TO_INT(isinf, "ri"),
      TRITONRT_TO_INT(isnan, "ri"),
      TRITONRT_TO_INT(llrint, "rl"),
      TRITONRT_TO_INT(llround, "rl"),
      TRITONRT_TO_INT(signbit, "ri"),
      TRITONRT_DIRECTIONS(2, add),
      TRITONRT_DIRECTIONS(2, sub),
      TRITONRT_DIRECTIONS(2, mul),
      TRITONRT_DIRECTIONS(2, div),
      TRITONRT_DIRECTIONS(1, rcp),
      TRITONRT_DIRECTIONS(1, sqrt),
      TRITONRT_DIRECTIONS(3, fma),
      {"ldexp", "rir",
       [](Context &c, ValueRange v) {
         return dispatch(c, v[0], [&](auto x) { return ldexp(x, whole(x, v, 1)); });
       }},
      {"rcp64h", "dd", [](Context &c, ValueRange v) { return rcp64h(Real<64>{&c, v[0]}).value; }},
  };
  return table;
}

} // namespace tritonrt::mathlib
