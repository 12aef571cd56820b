// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/key.h"

#include <sha2.h>

#ifdef __clang_analyzer__
#define XXH_STATIC_LINKING_ONLY  // the header's body is not ours to analyse
#else
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "compiler/api/kernel_abi.h"

namespace tritonrt::cache {
namespace {

Key from_hash(XXH128_hash_t hash) { return {hash.high64, hash.low64}; }

}  // namespace

std::string Key::hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (int i = 0; i < 16; ++i) {
    text[15 - i] = kDigits[(high >> (4 * i)) & 15];
    text[31 - i] = kDigits[(low >> (4 * i)) & 15];
  }
  return text;
}

Key make_key(KeyKind kind, const KeyParts& parts) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  const std::uint64_t head[] = {static_cast<std::uint64_t>(kind), TRITONRT_KERNEL_ABI,
                                parts.input.size, parts.input.hash.high, parts.input.hash.low};
  XXH3_128bits_update(&state, head, sizeof(head));
  for (const std::string_view part :
       {parts.kernel, parts.options, parts.special, parts.build_id, parts.target, parts.tools}) {
    const std::uint64_t size = part.size();
    XXH3_128bits_update(&state, &size, sizeof(size));
    XXH3_128bits_update(&state, part.data(), part.size());
  }
  return from_hash(XXH3_128bits_digest(&state));
}

InputDigest digest_input(std::string_view input) { return {checksum(input), input.size()}; }

Sha256 sha256(std::string_view bytes) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  Sha256 digest;
  SHA256Final(digest.data(), &context);
  return digest;
}

Key checksum(std::string_view bytes) { return from_hash(XXH3_128bits(bytes.data(), bytes.size())); }

}  // namespace tritonrt::cache
