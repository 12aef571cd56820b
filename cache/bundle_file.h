// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_BUNDLE_FILE_H_
#define TRITONRT_CACHE_BUNDLE_FILE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cache/manifest_document.h"
#include "cache/mapped_file.h"
#include "cache/zip_file.h"

namespace tritonrt::cache {

inline constexpr const char* kManifestName = "manifest.json";
// The manifest's ed25519 signature, 64 bytes.
inline constexpr const char* kSignatureName = "manifest.sig";
inline constexpr std::uint64_t kMaxManifest = std::uint64_t{32} << 20;
inline constexpr std::uint64_t kMaxBlob = std::uint64_t{256} << 20;

// A bundle: a zip archive with a manifest and the contents that it names. Opening reads the
// manifest; contents are read when asked for. Nothing in the file is trusted before it is checked.
// Thread safe.
class BundleFile {
 public:
  // Throws BundleError for a file that is no bundle, and, where a public key is given, for one that
  // its owner did not sign; std::system_error where it cannot be read.
  BundleFile(const std::string& path, std::string_view public_key);

  const ManifestDocument& manifest() const { return *manifest_; }
  // Whether its code may be run as it is: the signature is right, or the file is the user's own and
  // nobody else may write to it.
  bool trusted() const { return trusted_; }
  // Why not, for messages.
  std::string distrust() const;

  // A content that the manifest names, checked against its name.
  std::string read(BlobName name) const;
  // Reads everything and throws for the first content that is missing or damaged, or that the
  // manifest does not name.
  void verify() const;

 private:
  MappedFile file_;
  std::unique_ptr<ZipReader> zip_;
  std::unique_ptr<const ManifestDocument> manifest_;
  bool trusted_ = false;
};

// The bytes of a bundle. Equal contents are kept once. With a private key it is signed. Throws
// BundleError.
std::string make_bundle(const Manifest& manifest, const std::map<std::string, std::string>& blobs,
                        std::string_view private_key);

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_BUNDLE_FILE_H_
