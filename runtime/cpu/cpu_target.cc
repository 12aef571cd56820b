// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/cpu_target.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/target_text.h"

#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

namespace tritonrt::runtime {
namespace {

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof(text), "%llx", static_cast<unsigned long long>(value));
  return text;
}

#if defined(__x86_64__)

struct Leaf {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Leaf cpuid(unsigned leaf, unsigned sub = 0) {
  Leaf r;
  if (__get_cpuid_count(leaf, sub, &r.a, &r.b, &r.c, &r.d) == 0) r = Leaf{};
  return r;
}

// Which register sets the system saves: AVX code must not run where it does not.
std::uint64_t saved_state() {
  if ((cpuid(1).c & bit_OSXSAVE) == 0) return 0;
  unsigned low = 0;
  unsigned high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

// Bits of leaf 1 that describe one core at one moment rather than what it can do: the initial APIC
// number and the processors behind it are in register b, left out altogether.
std::string feature_text() {
  const Leaf one = cpuid(1);
  const Leaf seven = cpuid(7);
  const Leaf seven_one = cpuid(7, 1);
  const Leaf state_one = cpuid(0xd, 1);
  const Leaf extended = cpuid(0x80000001);
  std::string text;
  for (const unsigned word : {one.c, one.d, seven.b, seven.c, seven.d, seven_one.a, seven_one.d,
                              state_one.a, extended.c, extended.d})
    text += (text.empty() ? "" : ".") + hex(word);
  return text + "." + hex(saved_state());
}

std::string vendor() {
  const Leaf zero = cpuid(0);
  char text[13] = {};
  std::memcpy(text, &zero.b, 4);
  std::memcpy(text + 4, &zero.d, 4);
  std::memcpy(text + 8, &zero.c, 4);
  return text;
}

#endif

// Feature words in which every bit of `needed` is among those of `have`, both as feature_text()
// writes them.
bool has_features(std::string_view have, std::string_view needed) {
  while (!have.empty() || !needed.empty()) {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    for (auto [text, word] : {std::pair(&have, &a), std::pair(&needed, &b)}) {
      const std::string_view digits = text->substr(0, text->find('.'));
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), *word, 16);
      if (error != std::errc() || end != digits.data() + digits.size()) return false;
      text->remove_prefix(std::min(text->size(), digits.size() + 1));
    }
    if ((b & ~a) != 0) return false;
  }
  return true;
}

#if defined(__x86_64__)
constexpr std::string_view kArch = "x86_64";
#elif defined(__aarch64__)
constexpr std::string_view kArch = "aarch64";
#else
constexpr std::string_view kArch = "other";
#endif

// The levels of instruction sets that this processor is of, least first. Levels are those of the
// x86-64 psABI.
std::vector<std::string_view> levels() {
#if defined(__x86_64__)
  std::vector<std::string_view> levels = {"x86-64"};
  // The checks include what the system saves.
  if (__builtin_cpu_supports("x86-64-v2") != 0) levels.push_back("x86-64-v2");
  if (__builtin_cpu_supports("x86-64-v3") != 0) levels.push_back("x86-64-v3");
  if (__builtin_cpu_supports("x86-64-v4") != 0) levels.push_back("x86-64-v4");
  return levels;
#else
  return {"generic"};
#endif
}

}  // namespace

std::string processor_name() {
#if defined(__x86_64__)
  if (cpuid(0x80000000).a >= 0x80000004) {
    char text[49] = {};
    for (std::size_t i = 0; i < 3; ++i) {
      const Leaf part = cpuid(0x80000002 + static_cast<unsigned>(i));
      std::memcpy(text + i * 16, &part, 16);
    }
    std::string name = text;
    while (!name.empty() && name.back() == ' ') name.pop_back();
    while (!name.empty() && name.front() == ' ') name.erase(0, 1);
    if (!name.empty()) return name;
  }
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "native";
#endif
}

std::string cpu_target_text() {
#if defined(__x86_64__)
  return "arch=x86_64\nbackend=cpu\ncpu=native\ncpuid=" + feature_text() +
         "\nsignature=" + hex(cpuid(1).a) + "\nvendor=" + vendor() + "\n";
#else
  return "arch=" + std::string(kArch) +
         "\nbackend=cpu\ncpu=native\ncpuid=" + hex(getauxval(AT_HWCAP)) + "." +
         hex(getauxval(AT_HWCAP2)) + "\n";
#endif
}

std::string cpu_portable_target_text() {
  return "arch=" + std::string(kArch) + "\nbackend=cpu\ncpu=" + std::string(levels().back()) + "\n";
}

int cpu_suits(std::string_view target) {
  if (target_value(target, "backend") != "cpu" || target_value(target, "arch") != kArch) return 0;
  const std::string_view cpu = target_value(target, "cpu");
  const std::vector<std::string_view> mine = levels();
  const auto level = std::find(mine.begin(), mine.end(), cpu);
  if (level != mine.end()) return 1 + static_cast<int>(level - mine.begin());
  // Made for a whole processor, of whose features this one lacks none.
  const std::string here = cpu_target_text();
  const std::string_view features = target_value(target, "cpuid");
  const bool native = cpu == "native" && !features.empty() &&
                      target_value(target, "vendor") == target_value(here, "vendor");
  constexpr int kNative = 100;
  return native && has_features(target_value(here, "cpuid"), features) ? kNative : 0;
}

}  // namespace tritonrt::runtime
