// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_KEY_H_
#define TRITONRT_CACHE_KEY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tritonrt::cache {

// 128 bits that stand for everything a compiled kernel depends on.
struct Key {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  // 32 hexadecimal digits.
  std::string hex() const;
  friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const noexcept { return key.low; }
};

enum class KeyKind : std::uint32_t {
  kSource = 1,     // from the input's bytes as given: needs no compiler
  kCanonical = 2,  // from the canonical text of the parsed input
  kSignature = 3,  // a kernel's parameters: from the input's bytes, whatever the target
  kBuildId = 4,    // the build id of the compiler that wrote to a cache last
  kProvided = 5,   // from code that came with a kernel: what a driver made of it
};

// What a key needs of an input: hashed once, however many keys are made from it.
struct InputDigest {
  Key hash;
  std::uint64_t size = 0;
};
InputDigest digest_input(std::string_view input);

struct KeyParts {
  InputDigest input;
  std::string_view kernel;
  std::string_view options;
  std::string_view special;
  std::string_view build_id;
  std::string_view target;
  std::string_view tools;  // what else takes part: libraries of backends, programs
};

// The one place where keys are made. Parts are hashed with their lengths, so no two lists of parts
// run together; the version of the kernel ABI is one of them.
Key make_key(KeyKind kind, const KeyParts& parts);

using Sha256 = std::array<unsigned char, 32>;
Sha256 sha256(std::string_view bytes);

// XXH3-128, for checksums.
Key checksum(std::string_view bytes);

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_KEY_H_
