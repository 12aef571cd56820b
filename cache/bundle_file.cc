// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/bundle_file.h"

#include <set>
#include <system_error>

#include "cache/signature.h"

namespace tritonrt::cache {
namespace {

constexpr std::uint64_t kMaxSignature = 64;

void name_blobs(const ManifestDocument& manifest, std::set<std::string>& names) {
  for (std::size_t i = 0; i < manifest.size(); ++i) {
    const ManifestKernel& kernel = manifest.kernel(i);
    names.emplace(kernel.source);
    for (const ManifestVariant& variant : kernel.variants)
      for (const BlobName blob : {variant.code, variant.metadata, variant.binary})
        if (!blob.empty()) names.emplace(blob);
  }
}

}  // namespace

BundleFile::BundleFile(const std::string& path, std::string_view public_key) {
  if (const std::error_code error = file_.open(path)) throw std::system_error(error);
  zip_ = std::make_unique<ZipReader>(file_.bytes());
  std::string document = zip_->read(kManifestName, kMaxManifest);
  if (public_key.empty()) {
    trusted_ = file_.info().owner == native_file_system().user() && !file_.info().others_write;
  } else {
    if (!zip_->contains(kSignatureName)) throw BundleError("it is not signed, but a key is given");
    if (!is_signed(document, zip_->read(kSignatureName, kMaxSignature), public_key))
      throw BundleError("its signature was made with another key than the one given");
    trusted_ = true;
  }
  manifest_ = std::make_unique<const ManifestDocument>(std::move(document));
}

std::string BundleFile::distrust() const {
  if (trusted_) return {};
  if (file_.info().others_write) return "anybody may write to the file, and no key is given";
  return "the file belongs to another user, and no key is given";
}

std::string BundleFile::read(BlobName name) const {
  std::string content = zip_->read(std::string(name), kMaxBlob);
  if (!is_blob(name, content))
    throw BundleError("the entry '" + std::string(name) +
                      "' is damaged: its name is the hash of another content");
  return content;
}

void BundleFile::verify() const {
  std::set<std::string> named;
  name_blobs(*manifest_, named);
  for (const std::string& name : named) read(name);
  for (const std::string& name : zip_->names())
    if (name != kManifestName && name != kSignatureName && named.count(name) == 0)
      throw BundleError("the entry '" + name + "' is not in the manifest");
}

std::string make_bundle(const Manifest& manifest, const std::map<std::string, std::string>& blobs,
                        std::string_view private_key) {
  ZipWriter zip;
  const std::string document = manifest.to_json();
  if (document.size() > kMaxManifest)
    throw BundleError("there are too many kernels for one bundle");
  // In the order of their names, which spares readers from sorting them.
  for (const auto& [name, content] : blobs) zip.add(name, content);
  zip.add(kManifestName, document);
  if (!private_key.empty()) zip.add(kSignatureName, sign(document, private_key));
  return zip.finish();
}

}  // namespace tritonrt::cache
