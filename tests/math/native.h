// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that the algorithms of compiler/math are written in, as plain floats of this machine,
// whose products and sums are contracted into fmas as a target's compiler might.
#ifndef TRITONRT_TESTS_MATH_NATIVE_H
#define TRITONRT_TESTS_MATH_NATIVE_H

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>

namespace tritonrt::mathlib {

struct Truth {
  bool value;
};
inline Truth operator&(Truth a, Truth b) { return {a.value && b.value}; }
inline Truth operator|(Truth a, Truth b) { return {a.value || b.value}; }
inline Truth operator!(Truth a) { return {!a.value}; }

/// What becomes of the sum of a product and something else, whether or not the product has other
/// uses. Where both terms are products, one of them counts; `kSome` tosses a coin each time.
enum class Contraction { kNone, kFirst, kSecond, kSome };

inline thread_local Contraction contraction = Contraction::kNone;

inline bool tossed() {
  thread_local uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return (state >> 31) != 0;
}
/// Is this term of a sum, which is a product, to be contracted?
inline bool contracts_term(bool is_first, bool other_is_product) {
  if (contraction == Contraction::kNone) return false;
  if (contraction == Contraction::kSome) return tossed();
  return !other_is_product || is_first == (contraction == Contraction::kFirst);
}

template <unsigned width>
struct NativeInt {
  static constexpr unsigned kBits = width;
  using S = std::conditional_t<width == 32, int32_t, int64_t>;
  using U = std::make_unsigned_t<S>;
  U value;

  NativeInt integer(int64_t x) const { return {U(x)}; }
  friend NativeInt operator+(NativeInt a, NativeInt b) { return {U(a.value + b.value)}; }
  friend NativeInt operator-(NativeInt a, NativeInt b) { return {U(a.value - b.value)}; }
  friend NativeInt operator*(NativeInt a, NativeInt b) { return {U(a.value * b.value)}; }
  friend NativeInt operator&(NativeInt a, NativeInt b) { return {U(a.value & b.value)}; }
  friend NativeInt operator|(NativeInt a, NativeInt b) { return {U(a.value | b.value)}; }
  friend NativeInt operator^(NativeInt a, NativeInt b) { return {U(a.value ^ b.value)}; }
  friend NativeInt operator+(NativeInt a, int64_t b) { return {U(a.value + U(b))}; }
  friend NativeInt operator-(NativeInt a, int64_t b) { return {U(a.value - U(b))}; }
  friend NativeInt operator-(int64_t a, NativeInt b) { return {U(U(a) - b.value)}; }
  friend NativeInt operator*(NativeInt a, int64_t b) { return {U(a.value * U(b))}; }
  friend NativeInt operator&(NativeInt a, int64_t b) { return {U(a.value & U(b))}; }
  friend NativeInt operator|(NativeInt a, int64_t b) { return {U(a.value | U(b))}; }
  friend NativeInt operator^(NativeInt a, int64_t b) { return {U(a.value ^ U(b))}; }
  friend Truth operator<(NativeInt a, NativeInt b) { return {S(a.value) < S(b.value)}; }
  friend Truth operator<(NativeInt a, int64_t b) { return {S(a.value) < S(b)}; }
  friend Truth operator>(NativeInt a, int64_t b) { return {S(a.value) > S(b)}; }
  friend Truth operator==(NativeInt a, int64_t b) { return {S(a.value) == S(b)}; }
  friend Truth operator!=(NativeInt a, int64_t b) { return {S(a.value) != S(b)}; }
  friend Truth operator==(NativeInt a, NativeInt b) { return {a.value == b.value}; }
  friend Truth unsignedLess(NativeInt a, NativeInt b) { return {a.value < b.value}; }
  friend NativeInt operator<<(NativeInt a, int64_t b) { return {U(a.value << b)}; }
  friend NativeInt shiftRight(NativeInt a, int64_t b) { return {U(a.value >> b)}; }
  friend NativeInt shiftRightSigned(NativeInt a, int64_t b) { return {U(S(a.value) >> b)}; }
  friend NativeInt operator<<(NativeInt a, NativeInt b) {
    return {b.value < width ? U(a.value << b.value) : U(0)};
  }
  friend NativeInt shiftRight(NativeInt a, NativeInt b) {
    return {b.value < width ? U(a.value >> b.value) : U(0)};
  }
  friend NativeInt select(Truth c, NativeInt a, NativeInt b) { return c.value ? a : b; }
  friend NativeInt select(Truth c, NativeInt a, int64_t b) { return c.value ? a : a.integer(b); }
  friend NativeInt select(Truth c, int64_t a, NativeInt b) { return c.value ? b.integer(a) : b; }
  /// The upper half of the product of two unsigned numbers.
  friend NativeInt highProduct(NativeInt a, NativeInt b) {
    if constexpr (width == 32)
      return {U((uint64_t(a.value) * b.value) >> 32)};
    else
      return {U((static_cast<unsigned __int128>(a.value) * b.value) >> 64)};
  }
};

template <unsigned width>
struct Native {
  static constexpr unsigned kBits = width;
  using T = std::conditional_t<width == 32, float, double>;
  using Int = NativeInt<width>;
  using Wide = Native<64>;
  T value;
  // What a product was made of.
  T left = 0, right = 0;
  bool is_product = false;

  Native number(double x) const { return {T(x)}; }
  Int integer(int64_t x) const { return {typename Int::U(x)}; }
  /// May products be contracted?
  bool contracts() const { return contraction != Contraction::kNone; }

  friend Native operator+(Native a, Native b) {
    if (a.is_product && contracts_term(true, b.is_product))
      return {std::fma(a.left, a.right, b.value)};
    if (b.is_product && contracts_term(false, a.is_product))
      return {std::fma(b.left, b.right, a.value)};
    return {a.value + b.value};
  }
  friend Native operator-(Native a, Native b) { return a + -b; }
  friend Native operator*(Native a, Native b) {
    return {a.value * b.value, a.value, b.value, true};
  }
  friend Native operator/(Native a, Native b) { return {a.value / b.value}; }
  friend Native operator+(Native a, double b) { return a + a.number(b); }
  friend Native operator-(Native a, double b) { return a - a.number(b); }
  friend Native operator*(Native a, double b) { return a * a.number(b); }
  friend Native operator/(Native a, double b) { return a / a.number(b); }
  friend Native operator+(double a, Native b) { return b.number(a) + b; }
  friend Native operator-(double a, Native b) { return b.number(a) - b; }
  friend Native operator*(double a, Native b) { return b.number(a) * b; }
  friend Native operator/(double a, Native b) { return b.number(a) / b; }
  friend Native operator-(Native a) { return {-a.value, -a.left, a.right, a.is_product}; }
  friend Truth operator<(Native a, Native b) { return {a.value < b.value}; }
  friend Truth operator>(Native a, Native b) { return {a.value > b.value}; }
  friend Truth operator<=(Native a, Native b) { return {a.value <= b.value}; }
  friend Truth operator>=(Native a, Native b) { return {a.value >= b.value}; }
  friend Truth operator==(Native a, Native b) { return {a.value == b.value}; }
  friend Truth operator<(Native a, double b) { return {a.value < T(b)}; }
  friend Truth operator>(Native a, double b) { return {a.value > T(b)}; }
  friend Truth operator<=(Native a, double b) { return {a.value <= T(b)}; }
  friend Truth operator>=(Native a, double b) { return {a.value >= T(b)}; }
  friend Truth operator==(Native a, double b) { return {a.value == T(b)}; }
  friend Truth isNan(Native a) { return {a.value != a.value}; }
  friend Truth isNan(Native a, Native b) { return isNan(a) | isNan(b); }
  friend Native select(Truth c, Native a, Native b) { return c.value ? a : b; }
  friend Native select(Truth c, Native a, double b) { return c.value ? a : a.number(b); }
  friend Native select(Truth c, double a, Native b) { return c.value ? b.number(a) : b; }

  friend Native fma(Native a, Native b, Native c) { return {std::fma(a.value, b.value, c.value)}; }
  friend Native fma(Native a, Native b, double c) { return {std::fma(a.value, b.value, T(c))}; }
  friend Native fma(Native a, double b, Native c) { return {std::fma(a.value, T(b), c.value)}; }
  friend Native fma(Native a, double b, double c) { return {std::fma(a.value, T(b), T(c))}; }
  friend Native abs(Native a) { return {std::fabs(a.value)}; }
  friend Native sqrt(Native a) { return {std::sqrt(a.value)}; }
  friend Native floor(Native a) { return {std::floor(a.value)}; }
  friend Native trunc(Native a) { return {std::trunc(a.value)}; }
  friend Native roundEven(Native a) { return {std::nearbyint(a.value)}; }
  friend Native copySign(Native a, Native b) { return {std::copysign(a.value, b.value)}; }
  friend Int bitsOf(Native a) {
    Int bits;
    std::memcpy(&bits.value, &a.value, sizeof(T));
    return bits;
  }
  friend Wide widen(Native a) { return {double(a.value)}; }
  /// x * 2^n, where n is given both ways, with one rounding; |n| is at most 2^11.
  friend Native timesPowerOfTwo(Native x, Native, Int n) {
    return {std::ldexp(x.value, int(typename Int::S(n.value)))};
  }

  static Native ofBits(Int a) {
    Native real{};
    std::memcpy(&real.value, &a.value, sizeof(T));
    return real;
  }
  /// The number nearest to a signed integer.
  static Native ofInteger(Int a) { return {T(typename Int::S(a.value))}; }
  static Native narrowed(Wide x) { return {T(x.value)}; }
  static Native fromInt32(NativeInt<32> n) { return {T(int32_t(n.value))}; }
  static Int extended(NativeInt<32> n) { return {typename Int::U(int64_t(int32_t(n.value)))}; }
  static NativeInt<32> toInt32(Int n) { return {uint32_t(n.value)}; }
};

/// `slow()` for all lanes if `condition` holds for one, else `usual`.
template <class R, size_t n, class F>
std::array<R, n> unlessAny(Truth condition, F slow, std::array<R, n> usual) {
  return condition.value ? slow() : usual;
}

/// Replaces the state by `next` of it for as long as `goesOn`.
template <class State, class C, class F>
State repeatWhile(State state, C goesOn, F next) {
  while (goesOn(state).value) state = next(state);
  return state;
}

}  // namespace tritonrt::mathlib

#endif  // TRITONRT_TESTS_MATH_NATIVE_H
