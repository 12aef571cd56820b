// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roots and lengths of vectors. Each is corrected by its residual, taken in two words.
#ifndef TRITONRT_COMPILER_MATH_ROOTS_H
#define TRITONRT_COMPILER_MATH_ROOTS_H

#include "compiler/math/DoubleWord.h"
#include "compiler/math/Format.h"

namespace tritonrt::mathlib {

/// y + y (1 - s y^2) / 2 for y near 1 / sqrt(s).
template <class R> R correctedRsqrt(Pair<R> s, R y) {
  Pair<R> product = exactProduct(s.high, y);
  product.low = fma(s.low, y, product.low);
  R residual = fma(-product.low, y, fma(-product.high, y, 1.0));
  return fma(y * 0.5, residual, y);
}

template <class R> R rsqrt(R x) {
  R y = 1.0 / sqrt(x);
  R corrected = correctedRsqrt({x, x.number(0.0)}, y);
  return select((x > 0.0) & (x < kInf), corrected, y);
}

template <class R> struct CubeParts {
  R value;   // in [1, 8)
  R scale;   // 2^k
  R inverse; // value^(-1/3), a few units in the last place off
};

/// |x| = value * scale^3 for finite x that is not 0.
template <class R> CubeParts<R> cubeParts(R magnitude) {
  auto isSmall = magnitude < kSmallestNormal<R>;
  // The exponent that this adds is a multiple of 3.
  R scaled = select(isSmall, magnitude * kBits<R>(0x1p24, 0x1p54), magnitude);
  auto bits = bitsOf(scaled);
  auto exponent = shiftRight(bits, kMantissaBits<R>) - kBias<R>;
  // A third, rounded down: the factor is that of numbers that stay small.
  constexpr int64_t kOffset = 1200;
  auto third = shiftRight((exponent + kOffset) * 21846, 16) - kOffset / 3;
  auto rest = exponent - third * 3;
  auto mantissa = bits & ((int64_t{1} << kMantissaBits<R>)-1);
  R v = R::ofBits(mantissa | ((rest + kBias<R>) << kMantissaBits<R>));
  auto moved = third + select(isSmall, bits.integer(-int64_t(kBits<R>(8, 18))), 0);
  R y =
      polynomial(v, {0x1.50aadcp+0, -0x1.a4c374p-2, 0x1.8a7426p-4, -0x1.6a4decp-7, 0x1.f8c7b4p-12});
  // Halley's iteration: the error is cubed.
  for (int i = 0; i < (R::kBits == 32 ? 1 : 2); ++i) {
    R e = fma(-v * y, y * y, 1.0);
    y = fma(y, e * fma(e, 2.0 / 9, 1.0 / 3), y);
  }
  return {v, R::ofBits((moved + kBias<R>) << kMantissaBits<R>), y};
}

template <class R> R cbrt(R x) {
  R magnitude = abs(x);
  CubeParts<R> parts = cubeParts(magnitude);
  R c = rounded(parts.value * parts.inverse, parts.inverse);
  Pair<R> square = exactProduct(c, c);
  R residual = fma(square.low, c, fma(square.high, c, -parts.value));
  R step = residual * (parts.inverse * parts.inverse) * (1.0 / 3);
  R root = copySign((c - step) * parts.scale, x);
  return select((magnitude > 0.0) & (magnitude < kInf), root, x);
}

template <class R> R rcbrt(R x) {
  R magnitude = abs(x);
  CubeParts<R> parts = cubeParts(magnitude);
  R y = parts.inverse;
  Pair<R> cube = exactProduct(y, y) * y;
  R residual = fma(-parts.value, cube.low, fma(-parts.value, cube.high, 1.0));
  R root = copySign(fma(y, residual * (1.0 / 3), y) / parts.scale, x);
  return select((magnitude > 0.0) & (magnitude < kInf), root, 1.0 / x);
}

/// The length of a vector, or its inverse.
template <class R> R lengthOf(std::initializer_list<R> elements, bool inverted) {
  const R first = *elements.begin();
  R most = abs(first);
  auto anyInfinite = most == kInf;
  for (const R *at = elements.begin() + 1; at != elements.end(); ++at) {
    R magnitude = abs(*at);
    anyInfinite = anyInfinite | (magnitude == kInf);
    most = select(most < magnitude, magnitude, most);
  }
  // The largest square must neither overflow nor lose its second word.
  constexpr double kHigh = R::kBits == 32 ? 0x1p60 : 0x1p500,
                   kLow = R::kBits == 32 ? 0x1p-40 : 0x1p-400;
  constexpr double kDown = R::kBits == 32 ? 0x1p-70 : 0x1p-600,
                   kUp = R::kBits == 32 ? 0x1p100 : 0x1p800;
  auto isHigh = most > kHigh, isLow = most < kLow;
  auto scaled = [&](double down, double up) {
    return select(isHigh, down, select(isLow, first.number(up), 1.0));
  };
  R scale = scaled(kDown, kUp);
  Pair<R> squares = {first.number(0.0), first.number(0.0)};
  bool isFirst = true;
  for (R element : elements) {
    R inside = element * scale;
    Pair<R> square = exactProduct(inside, inside);
    squares = isFirst ? square : squares + square;
    isFirst = false;
  }
  R root = sqrt(squares.high);
  R result;
  if (inverted) {
    result = correctedRsqrt(squares, 1.0 / root) * scale;
    result = select(squares.high == 0.0, kInf, result);
  } else {
    R residual = fma(-root, root, squares.high) + squares.low;
    result = fma(residual, 0.5 / root, root) * scaled(1 / kDown, 1 / kUp);
    result = select(squares.high == 0.0, 0.0, result);
  }
  return select(anyInfinite, inverted ? 0.0 : kInf, result);
}

template <class R> R hypot(R x, R y) { return lengthOf<R>({x, y}, false); }
template <class R> R rhypot(R x, R y) { return lengthOf<R>({x, y}, true); }
template <class R> R norm3d(R x, R y, R z) { return lengthOf<R>({x, y, z}, false); }
template <class R> R rnorm3d(R x, R y, R z) { return lengthOf<R>({x, y, z}, true); }
template <class R> R norm4d(R x, R y, R z, R t) { return lengthOf<R>({x, y, z, t}, false); }
template <class R> R rnorm4d(R x, R y, R z, R t) { return lengthOf<R>({x, y, z, t}, true); }

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_ROOTS_H
