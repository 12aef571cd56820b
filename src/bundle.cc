// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/bundle.h"

#include <algorithm>
#include <utility>

#include "src/bundle_impl.h"
#include "tritonrt/error.h"

namespace tritonrt {
namespace {

const runtime::BundleImpl& need(const std::shared_ptr<runtime::BundleImpl>& impl) {
  if (impl == nullptr) throw Error(ErrorCode::kInvalidArgument, "the bundle handle is empty");
  return *impl;
}

// What is wanted may be named by a constexpr, or else by an option.
bool fits(const cache::ManifestKernel& kernel, const Constexprs& constexprs) {
  return std::all_of(constexprs.begin(), constexprs.end(), [&](const auto& wanted) {
    for (const cache::TextPairs* pairs : {&kernel.constexprs, &kernel.options})
      for (const auto& [key, value] : *pairs)
        if (key == wanted.first) return value == wanted.second;
    return false;
  });
}

// A kernel in a list that a person chooses from.
std::string describe(const cache::ManifestKernel& kernel) {
  std::string text = std::string(kernel.id) + " " + std::string(kernel.name);
  for (const auto& [key, value] : kernel.constexprs)
    text.append(" ").append(key).append("=").append(value);
  for (const auto& [key, value] : kernel.options)
    text.append(" ").append(key).append("=").append(value);
  return text;
}

std::string wanted(std::string_view name, const Constexprs& constexprs) {
  std::string text = "'" + std::string(name) + "'";
  for (const auto& [key, value] : constexprs)
    text.append(" with ").append(key).append("=").append(value);
  return text;
}

}  // namespace

Bundle::Bundle(std::shared_ptr<runtime::BundleImpl> impl) noexcept : impl_(std::move(impl)) {}

Bundle Bundle::open(const std::string& path, const BundleOptions& options) {
  return Bundle(std::make_shared<runtime::BundleImpl>(path, options));
}

std::size_t Bundle::size() const { return need(impl_).manifest().size(); }

BundleKernel Bundle::info(std::size_t index) const {
  const runtime::BundleImpl& bundle = need(impl_);
  const cache::ManifestKernel& entry = bundle.kernel(index);
  BundleKernel kernel;
  kernel.name = entry.name;
  kernel.id = entry.id;
  kernel.options = runtime::options_of(entry.options);
  for (const auto& [key, value] : entry.constexprs) kernel.constexprs.emplace(key, value);
  kernel.grid = entry.grid;
  kernel.shared_bytes = entry.shared;
  kernel.signature = runtime::Metadata::parse(runtime::signature_of(entry)).parameters;
  for (const cache::ManifestVariant& variant : entry.variants)
    kernel.variants.push_back({std::string(bundle.manifest().targets()[variant.target].name),
                               variant.disjoint, variant.aligned, !variant.binary.empty()});
  return kernel;
}

std::vector<std::string> Bundle::targets() const {
  std::vector<std::string> names;
  for (const cache::ManifestTarget& target : need(impl_).manifest().targets())
    names.emplace_back(target.name);
  return names;
}

Kernel Bundle::kernel(std::string_view name, const Constexprs& constexprs) const {
  const runtime::BundleImpl& bundle = need(impl_);
  const cache::ManifestDocument& manifest = bundle.manifest();
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < manifest.size(); ++i)
    if ((manifest.name(i) == name || manifest.id(i) == name) && fits(bundle.kernel(i), constexprs))
      found.push_back(i);
  if (found.size() == 1) return kernel(found[0]);
  if (!found.empty() && bundle.is_family(found)) return Kernel(bundle.load_family(found));
  std::string list;
  const bool none = found.empty();
  for (std::size_t i = 0; i < manifest.size(); ++i)
    if (none || std::find(found.begin(), found.end(), i) != found.end())
      list += "\n  " + describe(bundle.kernel(i));
  throw Error(none ? ErrorCode::kNotFound : ErrorCode::kInvalidArgument,
              "bundle '" + bundle.path() + "' has " + (none ? "no kernel " : "several kernels ") +
                  wanted(name, constexprs) + (none ? "; it holds:" : ":") + list);
}

Kernel Bundle::kernel(std::size_t index) const { return Kernel(need(impl_).load(index)); }

std::vector<std::size_t> Bundle::find_source(std::string_view source) const {
  const cache::ManifestDocument& manifest = need(impl_).manifest();
  const std::string name = cache::blob_name("kernels", source, "ttir");
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < manifest.size(); ++i)
    if (manifest.source(i) == name) found.push_back(i);
  return found;
}

std::string Bundle::source(std::size_t index) const {
  const runtime::BundleImpl& bundle = need(impl_);
  return bundle.read(bundle.kernel(index).source);
}

std::string Bundle::code(std::size_t index, std::size_t variant) const {
  const runtime::BundleImpl& bundle = need(impl_);
  const cache::ManifestKernel& kernel = bundle.kernel(index);
  if (variant >= kernel.variants.size())
    throw Error(ErrorCode::kInvalidArgument, "kernel '" + std::string(kernel.name) +
                                                 "' has no variant number " +
                                                 std::to_string(variant));
  return bundle.read(kernel.variants[variant].code);
}

bool Bundle::is_trusted() const { return need(impl_).usable(); }
std::string Bundle::distrust() const { return need(impl_).refusal(); }
void Bundle::verify() const { need(impl_).verify(); }

}  // namespace tritonrt
