// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/signature.h"

#include <array>

#include "cache/zip_file.h"

#ifdef TRITONRT_WITH_SODIUM
#include <sodium.h>
#endif

namespace tritonrt::cache {

#ifdef TRITONRT_WITH_SODIUM
namespace {

constexpr std::size_t kKeyBytes = 32;
static_assert(crypto_sign_SEEDBYTES == kKeyBytes && crypto_sign_PUBLICKEYBYTES == kKeyBytes);

// What comes before an ed25519 key's 32 bytes in DER (RFC 8410): PrivateKeyInfo with the seed,
// SubjectPublicKeyInfo with the public key.
constexpr std::string_view kPrivateDer(
    "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22"
    "\x04\x20",
    16);
constexpr std::string_view kPublicDer("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", 12);

struct KeyForm {
  const char* what;
  std::string_view label;
  std::string_view der;
};
constexpr KeyForm kPrivate = {"private", "PRIVATE KEY", kPrivateDer};
constexpr KeyForm kPublic = {"public", "PUBLIC KEY", kPublicDer};

void need_sodium() {
  static const int ready = sodium_init();
  if (ready < 0) throw BundleError("the signature library cannot be used");
}

bool from_pem(std::string_view text, const KeyForm& form, std::string& key) {
  const std::string head = "-----BEGIN " + std::string(form.label) + "-----";
  const std::string tail = "-----END " + std::string(form.label) + "-----";
  const std::size_t begin = text.find(head);
  const std::size_t end = text.find(tail);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return false;
  const std::string_view body = text.substr(begin + head.size(), end - begin - head.size());
  std::array<unsigned char, 64> der{};
  std::size_t size = 0;
  if (sodium_base642bin(der.data(), der.size(), body.data(), body.size(), "\r\n ", &size, nullptr,
                        sodium_base64_VARIANT_ORIGINAL) != 0)
    return false;
  const std::string_view bytes(reinterpret_cast<const char*>(der.data()), size);
  if (!bytes.starts_with(form.der) || size != form.der.size() + kKeyBytes) return false;
  key = bytes.substr(form.der.size());
  return true;
}

bool from_hex(std::string_view text, std::string& key) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  key.resize(kKeyBytes);
  std::size_t size = 0;
  const char* end = nullptr;
  return text.size() == 2 * kKeyBytes &&
         sodium_hex2bin(reinterpret_cast<unsigned char*>(key.data()), key.size(), text.data(),
                        text.size(), nullptr, &size, &end) == 0 &&
         size == kKeyBytes;
}

std::string read_key(std::string_view text, const KeyForm& form) {
  need_sodium();
  std::string key;
  if (from_pem(text, form, key) || from_hex(text, key)) return key;
  throw BundleError(std::string("this is no ed25519 ") + form.what +
                    " key: PEM or 64 hexadecimal digits expected");
}

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::string sign(std::string_view message, std::string_view private_key) {
  const std::string seed = read_key(private_key, kPrivate);
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> public_bytes{};
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret{};
  crypto_sign_seed_keypair(public_bytes.data(), secret.data(), bytes(seed));
  std::string signature(crypto_sign_BYTES, '\0');
  crypto_sign_detached(reinterpret_cast<unsigned char*>(signature.data()), nullptr, bytes(message),
                       message.size(), secret.data());
  sodium_memzero(secret.data(), secret.size());
  return signature;
}

bool is_signed(std::string_view message, std::string_view signature, std::string_view public_key) {
  const std::string key = read_key(public_key, kPublic);
  return signature.size() == crypto_sign_BYTES &&
         crypto_sign_verify_detached(bytes(signature), bytes(message), message.size(),
                                     bytes(key)) == 0;
}

#else

std::string sign(std::string_view, std::string_view) {
  throw BundleError("this build has no signatures (libsodium was missing)");
}

bool is_signed(std::string_view, std::string_view, std::string_view) {
  throw BundleError("this build has no signatures (libsodium was missing)");
}

#endif

}  // namespace tritonrt::cache
