// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_SIGNATURE_H_
#define TRITONRT_CACHE_SIGNATURE_H_

#include <string>
#include <string_view>

namespace tritonrt::cache {

// ed25519. Keys are PEM as `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write
// it, or 64 hexadecimal digits (the private key's seed, the public key). All functions throw
// BundleError for a key of another form, and where this build has no signatures.

// 64 bytes.
std::string sign(std::string_view message, std::string_view private_key);
bool is_signed(std::string_view message, std::string_view signature, std::string_view public_key);

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_SIGNATURE_H_
