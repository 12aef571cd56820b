// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/math/reference.h"

#include <cmath>

// glibc has these for any compiler, but declares them only where the type is named _Float128.
extern "C" {
#define TRITONRT_QUAD(name) __float128 name##f128(__float128)
TRITONRT_QUAD(acos);
TRITONRT_QUAD(acosh);
TRITONRT_QUAD(asin);
TRITONRT_QUAD(asinh);
TRITONRT_QUAD(atan);
TRITONRT_QUAD(atanh);
TRITONRT_QUAD(cbrt);
TRITONRT_QUAD(cos);
TRITONRT_QUAD(cosh);
TRITONRT_QUAD(erf);
TRITONRT_QUAD(erfc);
TRITONRT_QUAD(exp);
TRITONRT_QUAD(exp10);
TRITONRT_QUAD(exp2);
TRITONRT_QUAD(expm1);
TRITONRT_QUAD(fabs);
TRITONRT_QUAD(floor);
TRITONRT_QUAD(j0);
TRITONRT_QUAD(j1);
TRITONRT_QUAD(lgamma);
TRITONRT_QUAD(log);
TRITONRT_QUAD(log10);
TRITONRT_QUAD(log1p);
TRITONRT_QUAD(log2);
TRITONRT_QUAD(logb);
TRITONRT_QUAD(nearbyint);
TRITONRT_QUAD(rint);
TRITONRT_QUAD(round);
TRITONRT_QUAD(sin);
TRITONRT_QUAD(sinh);
TRITONRT_QUAD(sqrt);
TRITONRT_QUAD(tan);
TRITONRT_QUAD(tanh);
TRITONRT_QUAD(tgamma);
TRITONRT_QUAD(trunc);
TRITONRT_QUAD(ceil);
TRITONRT_QUAD(y0);
TRITONRT_QUAD(y1);
#undef TRITONRT_QUAD
__float128 atan2f128(__float128, __float128);
__float128 fdimf128(__float128, __float128);
__float128 fmodf128(__float128, __float128);
__float128 hypotf128(__float128, __float128);
__float128 jnf128(int, __float128);
__float128 powf128(__float128, __float128);
__float128 remainderf128(__float128, __float128);
__float128 scalbnf128(__float128, int);
__float128 ynf128(int, __float128);
}

namespace tritonrt::testing {
namespace {

Quad pi() { return 4 * atanf128(1); }
Quad root_of_pi() {
  static const Quad root = sqrtf128(pi());
  return root;
}
bool is_nan(Quad x) { return x != x; }
const Quad kNan = std::numeric_limits<double>::quiet_NaN();
const Quad kInf = std::numeric_limits<double>::infinity();

/// sin (quarters 0) or cos (1) of pi x; zeros of sin have the sign of x.
Quad sin_of_turns(Quad x, int quarters) {
  Quad rest = fmodf128(x, 2);
  Quad steps = rintf128(2 * rest);
  if (is_nan(rest)) return kNan;
  Quad angle = pi() * (rest - steps / 2);
  switch ((int(steps) + quarters) & 3) {
    case 0:
      return angle == 0 ? (quarters ? Quad(0) : x * 0) : sinf128(angle);
    case 1:
      return cosf128(angle);
    case 2:
      return angle == 0 ? (quarters ? Quad(0) : x * 0) : -sinf128(angle);
    default:
      return -cosf128(angle);
  }
}

double quick_sin_of_turns(double x, int quarters) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  double rest = std::fmod(x, 2), steps = std::rint(2 * rest), angle = M_PI * (rest - steps / 2);
  int quarter = (int(steps) + quarters) & 3;
  double value = quarter & 1 ? std::cos(angle) : std::sin(angle);
  if (value == 0) return quarters ? 0 : std::copysign(0.0, x);
  return quarter & 2 ? -value : value;
}

// In 128 bits, and in f64 as the fast form.
Quad erf(Quad x) { return erff128(x); }
Quad erfc(Quad x) { return erfcf128(x); }
Quad exp(Quad x) { return expf128(x); }
Quad log(Quad x) { return logf128(x); }
Quad sqrt(Quad x) { return sqrtf128(x); }
Quad fabs(Quad x) { return fabsf128(x); }
using std::erf, std::erfc, std::exp, std::log, std::sqrt, std::fabs;
template <class T>
constexpr double kEnough = sizeof(T) == 8 ? 1e-14 : 1e-32;

template <class T>
T erfcx(T x) {
  if (x != x || x < 25) return erfc(x) * exp(x * x);
  T series = 0, term = 1;
  for (int n = 0; n < 30; ++n) {
    series += term;
    term *= -(2 * n + 1) / (2 * x * x);
  }
  return 1 / (x * T(root_of_pi())) * series;
}

/// The z >= 0 with erf(z) = y, or erfc(z) = c, where the other of both is small.
template <class T>
T inverse_of_erf(T y) {
  T z = y * T(root_of_pi()) / 2;
  for (int i = 0; i < 60; ++i) {
    T step = (erf(z) - y) * T(root_of_pi()) / 2 * exp(z * z);
    step /= 1 + step * z;
    z -= step;
    if (fabs(step) <= kEnough<T> * z) break;
  }
  return z;
}
template <class T>
T inverse_of_erfc(T c) {
  T z = sqrt(-log(c * (2 - c))) * 0.9;
  for (int i = 0; i < 100; ++i) {
    T value = erfc(z);
    T step = -log(value / c) * value * T(root_of_pi()) / 2 * exp(z * z);
    z -= step;
    if (fabs(step) <= kEnough<T> * z) break;
  }
  return z;
}
template <class T>
T erfinv(T x) {
  T y = fabs(x);
  if (!(y <= 1)) return T(kNan);
  if (y == 1) return x * T(kInf);
  if (y < 1e-30) return x * T(root_of_pi()) / 2;
  T z = y < 0.5 ? inverse_of_erf(y) : inverse_of_erfc(1 - y);
  return x < 0 ? -z : z;
}
template <class T>
T erfcinv(T x) {
  if (!(x >= 0 && x <= 2)) return T(kNan);
  if (x == 0) return T(kInf);
  if (x > 1.5) return x == 2 ? T(-kInf) : -inverse_of_erfc(2 - x);
  return x < 0.5 ? inverse_of_erfc(x) : erfinv(1 - x);
}

/// I_n for n = 0 and 1, by the power series; all its terms are positive.
template <class T>
T bessel_i(int n, T x) {
  if (x != x) return x;
  if (fabs(x) > (sizeof(T) == 8 ? 713 : 12000)) return T(n && x < 0 ? -kInf : kInf);
  T half = x / 2, square = half * half, term = n ? half : T(1), total = term;
  for (int k = 1; k < 20000 && fabs(term) > 1e-36 * fabs(total); ++k) {
    term *= square / (T(k) * (k + n));
    total += term;
  }
  return total;
}

/// logb as C has it of a wider format is that of a normal number for subnormal ones too.
Quad ilogb(Quad x) {
  if (is_nan(x) || x == 0) return INT32_MIN;
  return fabsf128(x) == kInf ? Quad(INT32_MAX) : logbf128(x);
}

Quad length(const Quad* x, int n) {
  Quad total = 0;
  for (int i = 0; i < n; ++i) {
    if (fabsf128(x[i]) == kInf) return kInf;
    total += x[i] * x[i];
  }
  return sqrtf128(total);
}

Quad scaled(Quad x, Quad n) {
  return scalbnf128(x, int(n < -20000 ? Quad(-20000) : n > 20000 ? Quad(20000) : n));
}

#define TRITONRT_C(name, f32, f64)                               \
  Reference {                                                    \
    #name, "rr", [](const Quad* x) { return name##f128(x[0]); }, \
        [](double x) { return std::name(x); }, f32, f64          \
  }
#define TRITONRT_EXACT2(name, f32, f64, value)                                  \
  Reference {                                                                   \
    name, "rrr", [](const Quad* x) -> Quad { return value; }, nullptr, f32, f64 \
  }

Reference bessel(const char* name, Quad (*exact)(const Quad*), double (*quick)(double), double f32,
                 double f64) {
  // The references themselves take long for large arguments.
  return {name, "rr", exact, quick, f32, f64, -1e6, 1e6, 2.2e-6, 5e-12};
}

/// A template over both types, by its name.
#define TRITONRT_BOTH(name, f32, f64)                                                             \
  Reference {                                                                                     \
    #name, "rr", [](const Quad* x) { return name(x[0]); }, [](double x) { return name(x); }, f32, \
        f64                                                                                       \
  }

std::vector<Reference> table() {
  return {
      // Bounds of the project's own.
      TRITONRT_C(exp, 1, 1),
      TRITONRT_C(exp2, 1, 1),
      TRITONRT_C(log, 1, 1),
      TRITONRT_C(log2, 1, 1),
      TRITONRT_C(sqrt, 0.5, 0.5),
      {"rsqrt", "rr", [](const Quad* x) -> Quad { return 1 / sqrtf128(x[0]); },
       [](double x) { return 1 / std::sqrt(x); }, 1, 1},
      TRITONRT_C(sin, 2, 2),
      TRITONRT_C(cos, 2, 2),
      TRITONRT_C(tan, 2, 2),
      TRITONRT_C(tanh, 2, 1),
      TRITONRT_C(erf, 2, 2),
      TRITONRT_C(log1p, 1, 1),
      TRITONRT_C(expm1, 1, 1),
      TRITONRT_EXACT2("pow", 2, 2, powf128(x[0], x[1])),
      {"powi", "rir", [](const Quad* x) { return powf128(x[0], x[1]); }, nullptr, 2, 2},
      // Of f32 the bounds of libdevice, of f64 2 at most.
      {"exp10", "rr", [](const Quad* x) { return exp10f128(x[0]); },
       [](double x) { return std::exp2(x * std::log2(10.0)); }, 2, 1},
      TRITONRT_C(log10, 2, 1),
      TRITONRT_C(sinh, 3, 2),
      TRITONRT_C(cosh, 2, 1),
      {"sinpi", "rr", [](const Quad* x) { return sin_of_turns(x[0], 0); },
       [](double x) { return quick_sin_of_turns(x, 0); }, 1, 2},
      {"cospi", "rr", [](const Quad* x) { return sin_of_turns(x[0], 1); },
       [](double x) { return quick_sin_of_turns(x, 1); }, 1, 2},
      TRITONRT_C(asin, 2, 2),
      TRITONRT_C(acos, 2, 2),
      TRITONRT_C(atan, 2, 2),
      TRITONRT_EXACT2("atan2", 3, 2, atan2f128(x[0], x[1])),
      TRITONRT_C(asinh, 3, 2),
      TRITONRT_C(acosh, 4, 2),
      TRITONRT_C(atanh, 3, 2),
      TRITONRT_C(cbrt, 1, 1),
      {"rcbrt", "rr", [](const Quad* x) -> Quad { return 1 / cbrtf128(x[0]); },
       [](double x) { return 1 / std::cbrt(x); }, 1, 1},
      TRITONRT_EXACT2("hypot", 3, 2, hypotf128(x[0], x[1])),
      TRITONRT_EXACT2("rhypot", 2, 1, 1 / hypotf128(x[0], x[1])),
      {"norm3d", "rrrr", [](const Quad* x) { return length(x, 3); }, nullptr, 3, 2},
      {"rnorm3d", "rrrr", [](const Quad* x) -> Quad { return 1 / length(x, 3); }, nullptr, 2, 1},
      {"norm4d", "rrrrr", [](const Quad* x) { return length(x, 4); }, nullptr, 3, 2},
      {"rnorm4d", "rrrrr", [](const Quad* x) -> Quad { return 1 / length(x, 4); }, nullptr, 2, 1},
      TRITONRT_C(erfc, 4, 2),
      TRITONRT_BOTH(erfcx, 4, 2),
      TRITONRT_BOTH(erfinv, 2, 2),
      TRITONRT_BOTH(erfcinv, 4, 2),
      {"normcdf", "rr", [](const Quad* x) -> Quad { return erfcf128(-x[0] / sqrtf128(2)) / 2; },
       [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }, 5, 2},
      {"normcdfinv", "rr", [](const Quad* x) -> Quad { return -sqrtf128(2) * erfcinv(2 * x[0]); },
       [](double x) { return -std::sqrt(2.0) * erfcinv(2 * x); }, 5, 2},
      {"lgamma", "rr", [](const Quad* x) { return lgammaf128(x[0]); },
       [](double x) { return std::lgamma(x); }, 6, 2, -2.26, kEverywhere},
      TRITONRT_C(tgamma, 5, 2),
      {"cyl_bessel_i0", "rr", [](const Quad* x) { return bessel_i(0, x[0]); },
       [](double x) { return bessel_i(0, x); }, 6, 2},
      {"cyl_bessel_i1", "rr", [](const Quad* x) { return bessel_i(1, x[0]); },
       [](double x) { return bessel_i(1, x); }, 6, 2},
      // Beyond 8, and for all of jn, the bound is of the absolute error.
      bessel(
          "j0", [](const Quad* x) { return j0f128(x[0]); }, ::j0, 9, 2),
      bessel(
          "j1", [](const Quad* x) { return j1f128(x[0]); }, ::j1, 9, 2),
      bessel(
          "y0", [](const Quad* x) { return y0f128(x[0]); }, ::y0, 9, 2),
      bessel(
          "y1", [](const Quad* x) { return y1f128(x[0]); }, ::y1, 9, 2),
      // Exact, or rounded once.
      TRITONRT_EXACT2("fmod", 0, 0, fmodf128(x[0], x[1])),
      TRITONRT_EXACT2("remainder", 0, 0, remainderf128(x[0], x[1])),
      TRITONRT_EXACT2("fdim", 0.5, 0.5, fdimf128(x[0], x[1])),
      {"ldexp", "rir", [](const Quad* x) { return scaled(x[0], x[1]); }, nullptr, 0.5, 0.5},
      {"scalbn", "rir", [](const Quad* x) { return scaled(x[0], x[1]); }, nullptr, 0.5, 0.5},
      TRITONRT_C(logb, 0, 0),
      {"ilogb", "ri", [](const Quad* x) { return ilogb(x[0]); },
       [](double x) { return double(ilogb(x)); }, 0, 0},
      TRITONRT_C(rint, 0, 0),
      TRITONRT_C(nearbyint, 0, 0),
      TRITONRT_C(round, 0, 0),
      TRITONRT_C(floor, 0, 0),
      TRITONRT_C(ceil, 0, 0),
      TRITONRT_C(trunc, 0, 0),
      TRITONRT_C(fabs, 0, 0),
  };
}

}  // namespace

const std::vector<Reference>& references() {
  static const std::vector<Reference> all = table();
  return all;
}

Quad jn_exact(int order, Quad x) { return jnf128(order, x); }
Quad yn_exact(int order, Quad x) { return ynf128(order, x); }

}  // namespace tritonrt::testing
