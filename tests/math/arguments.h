// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments to try a function with: special values in all combinations; for one f32 operand all bit
// patterns at a stride; else random ones of several kinds.
#ifndef TRITONRT_TESTS_MATH_ARGUMENTS_H
#define TRITONRT_TESTS_MATH_ARGUMENTS_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/math/reference.h"

namespace tritonrt::testing {

template <class T>
class Arguments {
 public:
  Arguments(const Reference& f, uint64_t stride, int64_t count)
      : f_(f), arity_(std::strlen(f.signature) - 1), stride_(stride), count_(count) {}

  /// Fills the buffers of the operands with up to `most` of the next arguments. How many?
  size_t fill(std::vector<std::vector<char>>& buffers, size_t most) {
    if (is_dense() && stage_ != 0) return fill_densely(buffers[0], most);
    size_t n = 0;
    double x[4];
    while (n < most && next(x)) {
      for (size_t i = 0; i < arity_; ++i) {
        if (f_.signature[i] == 'r')
          reinterpret_cast<T*>(buffers[i].data())[n] = T(x[i]);
        else
          reinterpret_cast<int32_t*>(buffers[i].data())[n] = int32_t(x[i]);
      }
      ++n;
      if (is_dense() && stage_ != 0) break;
    }
    return n;
  }

 private:
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

  static T from_bits(Bits bits) {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  }
  static const std::vector<double>& specials() {
    static const std::vector<double> all = [] {
      const double inf = std::numeric_limits<double>::infinity();
      const T least = std::numeric_limits<T>::denorm_min(), normal = std::numeric_limits<T>::min(),
              most = std::numeric_limits<T>::max(), step = std::numeric_limits<T>::epsilon();
      std::vector<double> list = {0,           0.25,
                                  0.5,         1,
                                  1.5,         2,
                                  2.5,         3,
                                  4,           5,
                                  8,           10,
                                  23,          24,
                                  52,          53,
                                  100,         inf,
                                  least,       least * T(3),
                                  normal,      normal - least,
                                  normal * 2,  most,
                                  most / 2,    T(1) - step / 2,
                                  T(1) + step, 1 / step,
                                  2 / step,    T(0.1),
                                  T(M_PI),     T(M_PI_2),
                                  T(M_SQRT2),  T(M_SQRT1_2),
                                  T(88.72284), T(88.722),
                                  T(103.97),   T(709.7827),
                                  T(709.79),   T(745.13),
                                  T(745.2),    T(1e15),
                                  T(1e22),     T(131072),
                                  T(1048576)};
      size_t n = list.size();
      for (size_t i = 0; i < n; ++i) list.push_back(-list[i]);
      list.push_back(std::numeric_limits<double>::quiet_NaN());
      return list;
    }();
    return all;
  }
  static double special_int(size_t i) {
    static const int32_t list[] = {0,   1,   2,   3,    5,    10,       24,
                                   127, 150, 300, 1024, 2200, 16777217, INT32_MAX};
    constexpr size_t n = std::size(list);
    return i < n ? list[i] : i < 2 * n ? -double(list[i - n]) : INT32_MIN;
  }
  size_t specials_of(size_t operand) const {
    return f_.signature[operand] == 'r' ? specials().size() : 29;
  }

  /// Every so many of all bit patterns are tried.
  bool is_dense() const { return arity_ == 1 && sizeof(T) == 4 && f_.signature[0] == 'r'; }

  size_t fill_densely(std::vector<char>& buffer, size_t most) {
    T* out = reinterpret_cast<T*>(buffer.data());
    size_t n = 0;
    for (uint64_t bits; n < most && (bits = place_ * stride_) < uint64_t{1} << 32; ++place_) {
      T x = from_bits(Bits(bits));
      // What is kept is looked at by place, so that the loop has no branch.
      out[n] = x;
      n += !(std::isfinite(x) && (x < f_.low || x > f_.high));
    }
    return n;
  }

  uint64_t random() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  double uniform() { return double(random() >> 11) * 0x1p-53; }

  bool next(double* x) {
    do {
      if (!candidate(x)) return false;
    } while (arity_ == 1 && std::isfinite(x[0]) && !(x[0] >= f_.low && x[0] <= f_.high));
    return true;
  }

  bool candidate(double* x) {
    if (stage_ == 0) {
      size_t rest = place_++;
      for (size_t i = 0; i < arity_; ++i) {
        size_t n = specials_of(i);
        // Of more than two operands the others take a few.
        if (i >= 2) n = 3;
        x[i] = f_.signature[i] == 'r' ? specials()[i >= 2 ? rest % n * 20 : rest % n]
                                      : special_int(rest % n);
        rest /= n;
      }
      if (rest == 0) return true;
      stage_ = 1;
      place_ = 0;
    }
    if (is_dense()) {
      uint64_t bits = place_++ * stride_;
      x[0] = from_bits(Bits(bits));
      return bits < uint64_t{1} << 32;
    }
    if (int64_t(place_) >= 6 * count_) return false;
    draw(place_++ % 6, x);
    return true;
  }

  /// One of six kinds of arguments: any bits; ordinary sizes; near 1; of near sizes; whole numbers.
  void draw(size_t kind, double* x) {
    double size = std::ldexp(1 + uniform(), int(random() % 40) - 30);
    for (size_t i = 0; i < arity_; ++i) {
      double sign = random() & 1 ? 1 : -1;
      switch (kind) {
        case 0:
          x[i] = from_bits(Bits(random()));
          break;
        case 1:
          x[i] = T(sign * std::ldexp(uniform(), int(random() % 16) - 4));
          break;
        case 2:
          x[i] = T(sign * uniform());
          break;
        case 3:
          x[i] = T(sign * size * (0.5 + uniform()));
          break;
        case 4:
          x[i] = T(1 + sign * std::ldexp(uniform(), -int(random() % 24)));
          break;
        default:
          x[i] = T(sign * std::floor(std::ldexp(uniform(), int(random() % 12))));
          break;
      }
    }
    for (size_t i = 0; i < arity_; ++i)
      if (f_.signature[i] == 'i') x[i] = double(int32_t(random()) >> (random() % 31));
    // The powers that are neither 0 nor infinite.
    if (arity_ == 2 && kind == 4) {
      double base = std::exp((uniform() - 0.5) * (sizeof(T) == 4 ? 170 : 1400));
      x[0] = T(base);
      double most = (sizeof(T) == 4 ? 200 : 1500) / (std::fabs(std::log(base)) + 1e-3);
      double y = (uniform() - 0.5) * most;
      x[1] = f_.signature[1] == 'r' ? double(T(y)) : std::floor(std::fmin(std::fmax(y, -2e9), 2e9));
    }
  }

  const Reference& f_;
  size_t arity_;
  uint64_t stride_;
  int64_t count_;
  int stage_ = 0;
  uint64_t place_ = 0;
  uint64_t state_ = 88172645463325252u;
};

}  // namespace tritonrt::testing

#endif  // TRITONRT_TESTS_MATH_ARGUMENTS_H
