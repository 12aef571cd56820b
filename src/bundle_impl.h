// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SRC_BUNDLE_IMPL_H_
#define TRITONRT_SRC_BUNDLE_IMPL_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cache/bundle_file.h"
#include "src/kernel_impl.h"
#include "src/provided.h"
#include "tritonrt/bundle.h"

namespace tritonrt::runtime {

// An open bundle file. Thread safe.
class BundleImpl : public std::enable_shared_from_this<BundleImpl> {
 public:
  // Throws as Bundle::open says.
  BundleImpl(const std::string& path, const BundleOptions& options);

  const cache::BundleFile& file() const { return file_; }
  const cache::ManifestDocument& manifest() const { return file_.manifest(); }
  const std::string& path() const { return path_; }
  // A content of the file. Throws kInvalidInput where it is missing or damaged.
  std::string read(cache::BlobName name) const;
  void verify() const;
  // Throws kInvalidArgument where there is none, kInvalidInput for what is malformed.
  const cache::ManifestKernel& kernel(std::size_t index) const;
  // The kernel with its code; it keeps the bundle open.
  std::shared_ptr<KernelImpl> load(std::size_t index) const;
  // Whether these are texts of one program that differ in what they promise of their arguments.
  bool is_family(const std::vector<std::size_t>& kernels) const;
  // One kernel of such texts; a launch takes the one that promises most of what its arguments keep.
  std::shared_ptr<KernelImpl> load_family(std::vector<std::size_t> kernels) const;
  // Whether code in the bundle may be run, and fits this library.
  bool usable() const { return refusal().empty(); }
  std::string refusal() const;

 private:
  // Calls what may find the file malformed, and names the file in the error.
  template <typename F>
  auto checked(F read) const;

  const std::string path_;
  const cache::BundleFile file_;
};

// A kernel's compile options as a manifest keeps them, and back. Throws kInvalidInput for what are
// none.
CompileOptions options_of(const cache::TextPairs& pairs);
// Its parameters in the form of kernel metadata.
std::string signature_of(const cache::ManifestKernel& kernel);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_SRC_BUNDLE_IMPL_H_
