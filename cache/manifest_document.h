// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_MANIFEST_DOCUMENT_H_
#define TRITONRT_CACHE_MANIFEST_DOCUMENT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "cache/manifest.h"

namespace tritonrt::cache {

// manifest.json as it is read. Where it has the form that Manifest::to_json gives it, a kernel a
// line, opening looks at names alone, and a kernel is parsed when it is asked for; any other form
// is parsed at once. Every index and blob name is checked. Thread safe.
class ManifestDocument {
 public:
  // Throws BundleError for a document of another format.
  explicit ManifestDocument(std::string document);

  std::uint32_t kernel_abi() const { return kernel_abi_; }
  std::string_view compiler() const { return compiler_; }
  const std::vector<ManifestTarget>& targets() const { return targets_; }

  std::size_t size() const { return entries_.size(); }
  std::string_view name(std::size_t index) const { return entries_[index].name; }
  std::string_view id(std::size_t index) const { return entries_[index].id; }
  BlobName source(std::size_t index) const { return entries_[index].source; }
  // Stays as long as the document. Throws BundleError where what it says is malformed.
  const ManifestKernel& kernel(std::size_t index) const;

 private:
  struct Entry {
    std::string_view text;  // its line; empty where it is parsed
    std::string_view name;
    std::string_view id;
    std::string_view source;
  };
  struct Parsed {
    std::string text;  // what the kernel's views are of
    ManifestKernel kernel;
  };
  // Finds the kernels in the lines that end a document; false where they have another form.
  static bool split(std::string_view list, std::vector<Entry>& lines);
  // Reads what head_ holds, and gives the kernels in it.
  std::vector<Entry> read_head();

  std::string document_;  // empty where all is in head_
  std::string head_;      // what was parsed at once
  std::uint32_t kernel_abi_ = 0;
  std::string_view compiler_;
  std::vector<ManifestTarget> targets_;
  std::vector<Entry> entries_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Parsed>> parsed_;  // under mutex_, once made for good
};

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_MANIFEST_DOCUMENT_H_
