// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_TARGET_TEXT_H_
#define TRITONRT_RUNTIME_TARGET_TEXT_H_

#include <charconv>
#include <cstdint>
#include <string_view>

namespace tritonrt::runtime {

// The value of a key in a text of `key=value` lines; empty where it has none.
inline std::string_view target_value(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    if (line.size() > key.size() && line.substr(0, key.size()) == key && line[key.size()] == '=')
      return line.substr(key.size() + 1);
  }
  return {};
}

// The value as a number; 0 where it is none.
inline std::uint64_t target_number(std::string_view text, std::string_view key) {
  const std::string_view value = target_value(text, key);
  std::uint64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_TARGET_TEXT_H_
