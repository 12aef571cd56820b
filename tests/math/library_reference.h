// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of CUDA's and HIP's libraries give, by their names there: directed rounding by
// this machine's rounding modes, integers in wider integers, the rest by the values of 128 bits.
#ifndef TRITONRT_TESTS_MATH_LIBRARY_REFERENCE_H
#define TRITONRT_TESTS_MATH_LIBRARY_REFERENCE_H

#include <cstdint>
#include <string>
#include <vector>

namespace tritonrt::testing {

struct LibraryFunction {
  std::string symbol;
  std::vector<std::string> operands;  // i16 i32 i64 f32 f64
  std::string result;
};

/// An operand or a result: its bits, zero-extended.
using Bits = uint64_t;

double real_of(Bits bits, const std::string& type);

/// Throws std::out_of_range for a name that nothing here computes.
class LibraryReference {
 public:
  explicit LibraryReference(const LibraryFunction& function);

  /// Is `got` right for these operands? Else `expected` tells what is.
  bool accepts(const Bits* operands, Bits got, std::string& expected) const;

 private:
  struct Value {
    __float128 real = 0;  // of a real result that may be off by `ulps`, or by `absolute`
    double ulps = -1, absolute = 0;
    Bits bits = 0;          // else
    bool is_truth = false;  // zero or not is what counts
  };

  Value value(const Bits* x) const;
  bool computes_integers(const Bits* x, Value& v) const;
  bool computes_conversions(const Bits* x, Value& v) const;
  bool computes_rounded(const Bits* x, Value& v) const;
  bool computes_predicates(const Bits* x, Value& v) const;
  bool computes_selections(const Bits* x, Value& v) const;
  bool computes_tabled(const Bits* x, Value& v) const;

  LibraryFunction f_;
  std::string name_;  // without the library's prefix and the type's letter
};

}  // namespace tritonrt::testing

#endif  // TRITONRT_TESTS_MATH_LIBRARY_REFERENCE_H
