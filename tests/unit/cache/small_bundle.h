// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_TESTS_UNIT_CACHE_SMALL_BUNDLE_H_
#define TRITONRT_TESTS_UNIT_CACHE_SMALL_BUNDLE_H_

#include <map>
#include <string>

#include "cache/bundle_file.h"

namespace tritonrt::cache {

inline constexpr const char* kText = "module { a kernel }";
inline constexpr const char* kCode = "\177ELF code";

// A bundle of one kernel with code for one target.
inline std::string small_bundle() {
  std::map<std::string, std::string> blobs;
  const auto keep = [&](const char* folder, const std::string& content, const char* suffix) {
    const std::string name = blob_name(folder, content, suffix);
    blobs[name] = content;
    return name;
  };
  Manifest manifest;
  manifest.kernel_abi = 1;
  manifest.compiler = "build";
  manifest.targets.push_back({"cpu", "backend=cpu\ncpu=native\n"});
  ManifestKernel kernel;
  kernel.name = "add";
  kernel.id = "0123456789abcdef";
  kernel.source = manifest.keep(keep("kernels", kText, "ttir"));
  kernel.options = {{"num_warps", "4"}};
  kernel.constexprs = {{"BLOCK", "1024"}};
  kernel.grid = "cdiv(n, BLOCK)";
  kernel.shared = 512;
  kernel.parameters = {{"ptr:f32", "x", 16, true}, {"i32", "n", 1, false}};
  ManifestVariant variant;
  variant.disjoint = true;
  variant.code = manifest.keep(keep("code", kCode, "so"));
  variant.metadata = manifest.keep(keep("code", "kernel=add\n", "txt"));
  kernel.variants = {variant};
  manifest.kernels.push_back(kernel);
  return make_bundle(manifest, blobs, {});
}

}  // namespace tritonrt::cache

#endif  // TRITONRT_TESTS_UNIT_CACHE_SMALL_BUNDLE_H_
