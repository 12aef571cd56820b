// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/math/library_reference.h"

#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <regex>
#include <stdexcept>

#include "tests/math/reference.h"
#include "tests/math/ulps.h"

namespace tritonrt::testing {
namespace {

using Wide = __int128;
using UnsignedWide = unsigned __int128;

template <class To, class From>
To cast(From from) {
  static_assert(sizeof(To) <= sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}
Bits bits_of(float x) { return cast<uint32_t>(x); }
Bits bits_of(double x) { return cast<uint64_t>(x); }

bool is_real(const std::string& type) { return type[0] == 'f'; }
int width_of(const std::string& type) { return std::stoi(type.substr(1)); }

int64_t signed_of(Bits bits, int width) { return int64_t(bits << (64 - width)) >> (64 - width); }
Bits truncated(Wide value, int width) {
  return width == 64 ? Bits(value) : Bits(value) & ((Bits{1} << width) - 1);
}

/// This machine's rounding mode for as long as it lives.
class Rounding {
 public:
  explicit Rounding(const std::string& mode) : before_(std::fegetround()) {
    static const std::map<std::string, int> modes = {
        {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rd", FE_DOWNWARD}, {"ru", FE_UPWARD}};
    std::fesetround(modes.at(mode));
  }
  ~Rounding() { std::fesetround(before_); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  int before_;
};

/// One operation in the rounding mode that is set. Volatile: no compiler computes it beforehand.
template <class T>
T rounded(const std::string& op, T a, T b, T c) {
  volatile T x = a, y = b, z = c, one = 1, result = 0;
  if (op == "add")
    result = x + y;
  else if (op == "sub")
    result = x - y;
  else if (op == "mul")
    result = x * y;
  else if (op == "div")
    result = x / y;
  else if (op == "rcp")
    result = one / x;
  else if (op == "sqrt")
    result = std::sqrt(x);
  else if (op == "fma")
    result = std::fma(x, y, z);
  else
    throw std::out_of_range(op);
  return result;
}

/// What a conversion of a NaN to an integer gives, as PTX has it.
Bits integer_of_nan(const std::string& from, const std::string& to) {
  if (from == "f32" && to == "i32") return 0;
  return Bits{1} << (width_of(to) - 1);
}

Bits saturated(double whole, const std::string& to, bool is_unsigned) {
  int width = width_of(to);
  double low = is_unsigned ? 0 : -std::ldexp(1.0, width - 1),
         high = std::ldexp(1.0, is_unsigned ? width : width - 1);
  if (whole <= low) return is_unsigned ? 0 : Bits{1} << (width - 1);
  if (whole >= high) return is_unsigned ? truncated(-1, width) : (Bits{1} << (width - 1)) - 1;
  return truncated(Wide(whole), width);
}

std::string base_of(std::string name) {
  for (const char* prefix : {"__nv_", "__ocml_", "__ockl_", "__triton_hip_", "fast_"})
    if (name.rfind(prefix, 0) == 0) name = name.substr(std::strlen(prefix));
  for (const char* suffix : {"_f32", "_f64", "_u32", "_u64"})
    if (name.size() > 4 && name.substr(name.size() - 4) == suffix) name.resize(name.size() - 4);
  return name;
}

const std::map<std::string, const Reference*>& tabled() {
  static const std::map<std::string, const Reference*> table = [] {
    std::map<std::string, const Reference*> all;
    for (const Reference& f : references()) all[f.name] = &f;
    all["i0"] = all["cyl_bessel_i0"];
    all["i1"] = all["cyl_bessel_i1"];
    all["pown"] = all["powi"];
    return all;
  }();
  return table;
}

}  // namespace

double real_of(Bits bits, const std::string& type) {
  if (type == "f32") return cast<float>(uint32_t(bits));
  if (type == "f64") return cast<double>(bits);
  return double(signed_of(bits, width_of(type)));
}

LibraryReference::LibraryReference(const LibraryFunction& function)
    : f_(function), name_(base_of(function.symbol)) {
  const Bits zeros[4] = {};
  value(zeros);
}

bool LibraryReference::computes_integers(const Bits* x, Value& v) const {
  for (const std::string& type : f_.operands)
    if (is_real(type)) return false;
  if (is_real(f_.result)) return false;
  int width = width_of(f_.operands[0]), out = width_of(f_.result);
  std::string name = name_;
  if (name.rfind("ll", 0) == 0) name = name.substr(2);
  if (name.rfind("ull", 0) == 0) name = "u" + name.substr(3);
  if (name.size() > 2 && name.substr(name.size() - 2) == "ll") name.resize(name.size() - 2);
  Wide s[3], u[3];
  for (size_t i = 0; i < f_.operands.size(); ++i) {
    s[i] = signed_of(x[i], width);
    u[i] = Wide(UnsignedWide(x[i]));
  }
  auto low24 = [](Wide n, bool is_signed) -> Wide {
    return is_signed ? Wide(int32_t(uint32_t(n) << 8) >> 8) : Wide(uint32_t(n) & 0xffffff);
  };
  Wide result = 0;
  if (name == "abs" || name == "iabs")
    result = s[0] < 0 ? -s[0] : s[0];
  else if (name == "min")
    result = s[0] < s[1] ? s[0] : s[1];
  else if (name == "max")
    result = s[0] < s[1] ? s[1] : s[0];
  else if (name == "umin")
    result = u[0] < u[1] ? u[0] : u[1];
  else if (name == "umax")
    result = u[0] < u[1] ? u[1] : u[0];
  else if (name == "mulhi" || name == "mul64hi")
    result = (s[0] * s[1]) >> width;
  else if (name == "umulhi" || name == "umul64hi")
    result = Wide((UnsignedWide(u[0]) * UnsignedWide(u[1])) >> width);
  else if (name == "mul24")
    result = low24(s[0], true) * low24(s[1], true);
  else if (name == "umul24")
    result = low24(u[0], false) * low24(u[1], false);
  else if (name == "sad")
    result = (s[0] < s[1] ? s[1] - s[0] : s[0] - s[1]) + u[2];
  else if (name == "usad")
    result = (u[0] < u[1] ? u[1] - u[0] : u[0] - u[1]) + u[2];
  else if (name == "hadd")
    result = (s[0] + s[1]) >> 1;
  else if (name == "rhadd")
    result = (s[0] + s[1] + 1) >> 1;
  else if (name == "uhadd")
    result = (u[0] + u[1]) >> 1;
  else if (name == "urhadd")
    result = (u[0] + u[1] + 1) >> 1;
  else if (name == "clz") {
    while (result < width && !(u[0] >> (width - 1 - int(result)) & 1)) ++result;
  } else if (name == "ffs") {
    for (int i = width; i-- > 0;)
      if (u[0] >> i & 1) result = i + 1;
  } else if (name == "popc" || name == "popcount") {
    for (int i = 0; i < width; ++i) result += u[0] >> i & 1;
  } else if (name == "brev") {
    for (int i = 0; i < width; ++i) result |= (u[0] >> i & 1) << (width - 1 - i);
  } else if (name == "byte_perm") {
    UnsignedWide both = UnsignedWide(u[1]) << 32 | UnsignedWide(u[0]);
    for (int i = 0; i < 4; ++i)
      result |= Wide(both >> (8 * (int(u[2] >> (4 * i)) & 7)) & 255) << (8 * i);
  } else {
    return false;
  }
  v.bits = truncated(result, out);
  return true;
}

bool LibraryReference::computes_conversions(const Bits* x, Value& v) const {
  static const std::regex form(
      "(float|double|half|int|uint|ll|ull)2(float|double|half|int|uint|ll|ull)(?:_(r[nzdu]))?");
  static const std::map<std::string, int> casts = {
      {"float_as_int", 32},  {"float_as_uint", 32},      {"int_as_float", 32},
      {"uint_as_float", 32}, {"double_as_longlong", 64}, {"longlong_as_double", 64}};
  const std::string& from = f_.operands[0];
  std::smatch match;
  if (casts.count(name_)) {
    v.bits = x[0];
  } else if (name_ == "double2hiint" || name_ == "double2loint") {
    v.bits = name_ == "double2hiint" ? x[0] >> 32 : x[0] & 0xffffffff;
  } else if (name_ == "hiloint2double") {
    v.bits = x[0] << 32 | x[1];
  } else if (name_ == "rcp64h") {
    // The high word of an approximation: within 2^-19.
    v.real = 1 / Quad(real_of(x[0], "f64"));
    v.ulps = 0x1p34;
  } else if (name_ == "half2float") {
    v.bits = bits_of(float(cast<_Float16>(uint16_t(x[0]))));
  } else if (name_ == "float2half_rn") {
    v.bits = cast<uint16_t>(_Float16(cast<float>(uint32_t(x[0]))));
  } else if (std::regex_match(name_, match, form)) {
    Rounding mode(match[3].matched ? match[3].str() : "rn");
    bool from_unsigned = match[1].str()[0] == 'u', to_unsigned = match[2].str()[0] == 'u';
    if (!is_real(f_.result)) {
      double number = real_of(x[0], from);
      v.bits = std::isnan(number) ? integer_of_nan(from, f_.result)
                                  : saturated(std::nearbyint(number), f_.result, to_unsigned);
      return true;
    }
    // 64 bits of mantissa hold every operand.
    volatile long double number = is_real(from)   ? real_of(x[0], from)
                                  : from_unsigned ? (long double)(x[0])
                                                  : (long double)(signed_of(x[0], width_of(from)));
    volatile float narrow = float(number);
    volatile double wide = double(number);
    v.bits = f_.result == "f32" ? bits_of(float(narrow)) : bits_of(double(wide));
  } else if (std::regex_match(name_, std::regex("ll(rint|round)f?|rint")) && f_.result == "i64") {
    double number = real_of(x[0], from);
    double whole =
        name_.find("round") != std::string::npos ? std::round(number) : std::rint(number);
    v.bits =
        std::isnan(number) ? integer_of_nan(from, f_.result) : saturated(whole, f_.result, false);
  } else {
    return false;
  }
  return true;
}

bool LibraryReference::computes_rounded(const Bits* x, Value& v) const {
  static const std::regex form("[fd]?(add|sub|mul|div|rcp|sqrt|fma)f?(?:_ieee)?_(r[nzdu])");
  std::smatch match;
  std::string op, mode = "rn";
  if (std::regex_match(name_, match, form)) {
    op = match[1];
    mode = match[2];
  } else if (name_ == "fdividef") {
    op = "div";
  } else if (name_ == "fma" || name_ == "fmaf") {
    op = "fma";
  } else {
    return false;
  }
  Bits y = f_.operands.size() > 1 ? x[1] : 0, z = f_.operands.size() > 2 ? x[2] : 0;
  Rounding set(mode);
  if (f_.result == "f32")
    v.bits = bits_of(rounded(op, cast<float>(uint32_t(x[0])), cast<float>(uint32_t(y)),
                             cast<float>(uint32_t(z))));
  else
    v.bits = bits_of(rounded(op, cast<double>(x[0]), cast<double>(y), cast<double>(z)));
  return true;
}

bool LibraryReference::computes_predicates(const Bits* x, Value& v) const {
  double number = real_of(x[0], f_.operands[0]);
  std::string name = name_;
  if (!name.empty() && (name.back() == 'f' || name.back() == 'd') && name != "isinf")
    name.pop_back();
  if (name == "isnan")
    v.bits = std::isnan(number);
  else if (name == "isinf")
    v.bits = std::isinf(number);
  else if (name == "finite" || name == "isfinite")
    v.bits = std::isfinite(number);
  else if (name == "signbit")
    v.bits = std::signbit(number);
  else
    return false;
  v.is_truth = true;
  return true;
}

bool LibraryReference::computes_selections(const Bits* x, Value& v) const {
  if (!is_real(f_.operands[0]) || !is_real(f_.result)) return false;
  bool narrow = f_.result == "f32";
  double a = real_of(x[0], f_.operands[0]),
         b = f_.operands.size() > 1 ? real_of(x[1], f_.operands[1]) : 0;
  double result = 0;
  if (name_ == "fmin" || name_ == "fminf" || name_ == "fmax" || name_ == "fmaxf") {
    bool least = name_[2] == 'i';
    result = least ? std::fmin(a, b) : std::fmax(a, b);
    if (a == 0 && b == 0)
      result =
          (std::signbit(a) || std::signbit(b)) && (least || (std::signbit(a) && std::signbit(b)))
              ? -0.0
              : 0.0;
  } else if (name_ == "copysign" || name_ == "copysignf") {
    result = std::copysign(a, b);
  } else if (name_ == "nextafter" || name_ == "nextafterf") {
    result = narrow ? std::nextafterf(float(a), float(b)) : std::nextafter(a, b);
  } else if (name_ == "saturatef") {
    result = !(a > 0) ? 0 : a > 1 ? 1 : a;
  } else if (name_ == "abs") {
    result = std::fabs(a);
  } else {
    return false;
  }
  v.bits = narrow ? bits_of(float(result)) : bits_of(result);
  return true;
}

bool LibraryReference::computes_tabled(const Bits* x, Value& v) const {
  std::string name = name_;
  bool is_wide = f_.result == "f64" || f_.operands.back() == "f64";
  if (name == "frsqrt_rn") name = "rsqrt";
  if (name == "jn" || name == "jnf" || name == "yn" || name == "ynf") {
    int order = int(signed_of(x[0], 32));
    Quad at = real_of(x[1], f_.operands[1]);
    // CUDA gives NaN for negative orders.
    v.real = order < 0        ? Quad(std::numeric_limits<double>::quiet_NaN())
             : name[0] == 'j' ? jn_exact(order, at)
                              : yn_exact(order, at);
    v.ulps = is_wide ? 64 : 16;
    v.absolute = is_wide ? 5e-12 : 2.2e-6;
    return true;
  }
  auto found = tabled().find(name);
  if (found == tabled().end() && name.back() == 'f')
    found = tabled().find(name.substr(0, name.size() - 1));
  if (found == tabled().end()) return false;
  const Reference& f = *found->second;
  Quad operands[4];
  for (size_t i = 0; i < f_.operands.size(); ++i) operands[i] = real_of(x[i], f_.operands[i]);
  v.real = f.exact(operands);
  v.ulps = is_wide ? f.f64 : f.f32;
  double magnitude = std::fabs(double(operands[0]));
  if (operands[0] < f.low || operands[0] > f.high) v.ulps = std::numeric_limits<double>::infinity();
  if (magnitude > 8) v.absolute = is_wide ? f.absolute64 : f.absolute32;
  if (!is_real(f_.result)) {
    v.bits = truncated(Wide(v.real), width_of(f_.result));
    v.ulps = -1;
  }
  return true;
}

LibraryReference::Value LibraryReference::value(const Bits* x) const {
  Value v;
  if (computes_integers(x, v) || computes_conversions(x, v) || computes_rounded(x, v) ||
      computes_predicates(x, v) || computes_selections(x, v) || computes_tabled(x, v))
    return v;
  throw std::out_of_range(f_.symbol);
}

bool LibraryReference::accepts(const Bits* operands, Bits got, std::string& expected) const {
  Value v = value(operands);
  char text[64];
  if (v.ulps >= 0) {
    std::snprintf(text, sizeof(text), "%a", double(v.real));
    expected = text;
    double number = real_of(got, f_.result);
    if (v.absolute != 0 && std::isfinite(number) &&
        std::fabs(number - double(v.real)) <= v.absolute)
      return true;
    return (f_.result == "f32" ? ulps<float>(float(number), v.real)
                               : ulps<double>(number, v.real)) <= v.ulps;
  }
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(v.bits));
  expected = text;
  if (v.is_truth) return (got != 0) == (v.bits != 0);
  if (is_real(f_.result) && std::isnan(real_of(v.bits, f_.result)))
    return std::isnan(real_of(got, f_.result));
  if (f_.symbol == "__nv_float2half_rn" && (v.bits & 0x7fff) > 0x7c00)
    return (got & 0x7fff) > 0x7c00;
  return got == v.bits;
}

}  // namespace tritonrt::testing
