// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/grid_expression.h"

#include <algorithm>
#include <limits>

#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const std::map<std::string, std::int64_t>& values)
      : text_(text), values_(values) {}

  Grid grid() {
    std::uint32_t sizes[3] = {1, 1, 1};
    for (int i = 0;; ++i) {
      const std::int64_t size = sum();
      if (size < 1 || size > std::numeric_limits<std::int32_t>::max())
        fail("the size " + std::to_string(size) + " is not from 1 to 2147483647");
      sizes[i] = static_cast<std::uint32_t>(size);
      if (i == 2 || !take(",")) break;
    }
    if (peek() != '\0') fail("an operator, a comma or the end expected");
    return {sizes[0], sizes[1], sizes[2]};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::kInvalidInput, "grid '" + std::string(text_) + "', column " +
                                              std::to_string(at_ + 1) + ": " + what);
  }

  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(std::string_view token) {
    peek();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  void need(std::string_view token) {
    if (!take(token)) fail("'" + std::string(token) + "' expected");
  }

  std::int64_t check(bool overflow, std::int64_t value) const {
    if (overflow) fail("the number is beyond 64 bits");
    return value;
  }

  std::int64_t sum() {
    std::int64_t left = product();
    for (;;) {
      std::int64_t result = 0;
      if (take("+"))
        left = check(__builtin_add_overflow(left, product(), &result), result);
      else if (take("-"))
        left = check(__builtin_sub_overflow(left, product(), &result), result);
      else
        return left;
    }
  }

  std::int64_t product() {
    std::int64_t left = atom();
    for (;;) {
      std::int64_t result = 0;
      if (take("*"))
        left = check(__builtin_mul_overflow(left, atom(), &result), result);
      else if (take("//") || take("/"))
        left = divide(left, atom());
      else if (take("%"))
        left = remainder(left, atom());
      else
        return left;
    }
  }

  // Both as Python's.
  std::int64_t divide(std::int64_t a, std::int64_t b) const {
    if (b == 0) fail("division by zero");
    if (b == -1) return check(a == std::numeric_limits<std::int64_t>::min(), -a);
    return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
  }
  std::int64_t remainder(std::int64_t a, std::int64_t b) const {
    if (b == 0) fail("division by zero");
    if (b == -1) return 0;
    const std::int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }

  std::int64_t atom() {
    if (++depth_ > kMaxDepth) fail("it is nested too deeply");
    const char c = peek();
    std::int64_t value = 0;
    if (take("(")) {
      value = sum();
      need(")");
    } else if (take("-")) {
      value = check(__builtin_sub_overflow(std::int64_t{0}, atom(), &value), value);
    } else if (is_digit(c)) {
      value = number();
    } else if (is_letter(c)) {
      value = named();
    } else {
      fail("a number, a name or '(' expected");
    }
    --depth_;
    return value;
  }

  std::int64_t number() {
    std::int64_t value = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_)
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{text_[at_] - '0'}, &value))
        check(true, 0);
    return value;
  }

  std::int64_t named() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    std::string name(text_.substr(begin, at_ - begin));
    if (name.starts_with("triton.")) name.erase(0, 7);
    if (peek() == '(') return call(name);
    const auto found = values_.find(name);
    if (found == values_.end()) {
      at_ = begin;
      fail("there is no whole number named '" + name + "'");
    }
    return found->second;
  }

  std::int64_t call(const std::string& name) {
    if (name != "cdiv" && name != "min" && name != "max")
      fail("there is no function '" + name + "'; cdiv, min and max are there");
    need("(");
    const std::int64_t a = sum();
    need(",");
    const std::int64_t b = sum();
    need(")");
    if (name == "min") return std::min(a, b);
    if (name == "max") return std::max(a, b);
    // -(-a // b), without what a sum may exceed.
    return divide(a, b) + (remainder(a, b) != 0 ? 1 : 0);
  }

  static constexpr int kMaxDepth = 64;
  const std::string_view text_;
  const std::map<std::string, std::int64_t>& values_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Grid evaluate_grid(std::string_view text, const std::map<std::string, std::int64_t>& values) {
  return Evaluator(text, values).grid();
}

}  // namespace tritonrt::runtime
