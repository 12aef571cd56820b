// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/cpu_target.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

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
#if defined(__aarch64__)
  const std::string arch = "aarch64";
#else
  const std::string arch = "other";
#endif
  return "arch=" + arch + "\nbackend=cpu\ncpu=native\ncpuid=" + hex(getauxval(AT_HWCAP)) + "." +
         hex(getauxval(AT_HWCAP2)) + "\n";
#endif
}

}  // namespace tritonrt::runtime
