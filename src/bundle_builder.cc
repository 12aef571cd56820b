// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "cache/bundle_file.h"
#include "compiler/api/kernel_abi.h"
#include "runtime/target_text.h"
#include "src/bundle_impl.h"
#include "src/compiler_library.h"
#include "src/context.h"
#include "tritonrt/bundle.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

// The variants that are compiled: the one that most launches take, and one that is right for all.
constexpr Special kUsual{true, false};
constexpr Special kAny{false, true};

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

// A canonical text without what it promises of its arguments: "tt.divisibility = 16 : i32" among
// the attributes of a parameter, and lists of attributes that hold nothing.
std::string without_promises(std::string_view text) {
  constexpr std::string_view kPromise = "tt.divisibility = ";
  constexpr std::string_view kType = " : i32";
  constexpr std::string_view kList = "arg_attrs = [";
  std::string rest;
  for (std::size_t at = 0; (at = text.find(kPromise)) != std::string_view::npos;) {
    rest += text.substr(0, at);
    text.remove_prefix(at + kPromise.size());
    text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
    if (text.starts_with(kType)) text.remove_prefix(kType.size());
    if (text.starts_with(", "))
      text.remove_prefix(2);
    else if (rest.ends_with(", "))
      rest.resize(rest.size() - 2);
  }
  rest += text;
  for (std::size_t at = 0; (at = rest.find(kList, at)) != std::string::npos;) {
    const std::size_t end = rest.find_first_not_of("{}, ", at + kList.size());
    if (end == std::string::npos || rest.compare(end, 3, "], ") != 0)
      at += kList.size();
    else
      rest.erase(at, end + 3 - at);
  }
  return rest;
}

}  // namespace

// Kernels in an order of their own, and contents by name. Texts live in `manifest_`.
class BundleBuilderImpl {
 public:
  BundleBuilderImpl() : context_(Context::current()) {}

  void add(const BundleSource& source, Span<const BundleTarget> targets);
  void add(const BundleImpl& other);
  std::size_t size() const { return kernels_.size(); }
  std::string bytes(std::string_view private_key);

 private:
  using Blobs = std::map<std::string, std::string>;
  // Kernels that are the same but for their code are one. Sorted by what people look for.
  using Identity = std::tuple<std::string, std::string>;  // name, id

  struct Variant {
    std::string target_name;
    std::string target;  // description
    bool disjoint;
    bool aligned;
    std::string code;
    std::string metadata;
    std::string binary;
    auto order() const { return std::tie(target, disjoint, aligned); }
  };
  struct Kernel {
    std::string source;
    std::string family;
    std::map<std::string, std::string> options;
    std::map<std::string, std::string> constexprs;
    std::string grid;
    std::uint64_t shared = 0;
    std::vector<Parameter> parameters;
    std::vector<Variant> variants;
  };

  static std::string keep(Blobs& blobs, const char* folder, std::string content,
                          const char* suffix) {
    std::string name = cache::blob_name(folder, content, suffix);
    blobs.emplace(name, std::move(content));
    return name;
  }
  static Identity identity(const std::string& name, const Kernel& kernel);
  Variant compile(CompilerModule& module, const std::string& name, const std::string& options,
                  const BundleTarget& target, const Special& special, Blobs& blobs) const;
  void merge(Identity identity, Kernel kernel);
  cache::ManifestKernel list(cache::Manifest& manifest, const Identity& identity,
                             const Kernel& kernel,
                             const std::map<std::string, std::size_t>& targets) const;

  const std::shared_ptr<Context> context_;
  std::string compiler_;
  std::map<Identity, Kernel> kernels_;
  Blobs blobs_;
};

BundleBuilderImpl::Identity BundleBuilderImpl::identity(const std::string& name,
                                                        const Kernel& kernel) {
  std::string text = name + "\n" + kernel.source + "\n";
  const auto add = [&text](const std::string& key, const std::string& value) {
    text.append(key).append("=").append(value).append("\n");
  };
  for (const auto& [key, value] : kernel.options) add(key, value);
  text += "\n";
  for (const auto& [key, value] : kernel.constexprs) add(key, value);
  return {name, cache::checksum(text).hex().substr(0, 16)};
}

BundleBuilderImpl::Variant BundleBuilderImpl::compile(CompilerModule& module,
                                                      const std::string& name,
                                                      const std::string& options,
                                                      const BundleTarget& target,
                                                      const Special& special, Blobs& blobs) const {
  const trtc_compiler& compiler = module.compiler();
  context_->compiler().check_backends(target_value(target.description, "backend"));
  const CompilerResult result(
      compiler, compiler.compile(module.get(), name.c_str(), target.description.c_str(),
                                 options.c_str(), special.text().c_str()));
  result.check(ErrorCode::kCompileFailed);
  Variant variant{target.name, target.description, special.disjoint, !special.generic, {}, {}, {}};
  Artifact artifact{Metadata::parse(result.metadata()), std::string(result.artifact()), {}};
  const bool here = target.device && target.device.target() == target.description;
  if (here && target.device.impl()->makes_binaries()) {
    target.device.impl()->load(artifact, artifact.metadata.kernel);
    if (!artifact.device_binary.empty())
      variant.binary = keep(blobs, "code", std::move(artifact.device_binary), "bin");
  }
  const bool elf = artifact.code.starts_with("\177ELF");
  variant.code = keep(blobs, "code", std::move(artifact.code), elf ? "so" : "cl");
  variant.metadata = keep(blobs, "code", std::string(result.metadata()), "txt");
  return variant;
}

void BundleBuilderImpl::add(const BundleSource& source, Span<const BundleTarget> targets) {
  const trtc_compiler& compiler = context_->compiler().get();
  CompilerModule module(compiler, source.text, source.label);
  const CompilerResult described(compiler, compiler.signature(module.get(), source.kernel.c_str()));
  described.check(ErrorCode::kInvalidArgument);
  const Metadata signature = Metadata::parse(described.metadata());
  const std::string options = text_of(source.options);
  Blobs blobs;
  Kernel kernel;
  for (std::string_view rest = options; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const std::size_t equals = line.find('=');
    kernel.options.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  kernel.constexprs = source.constexprs;
  kernel.grid = source.grid;
  kernel.shared = source.shared_bytes;
  kernel.parameters = signature.parameters;
  kernel.source = keep(blobs, "kernels", source.text, "ttir");
  const CompilerResult canonical(compiler, compiler.canonical(module.get()));
  canonical.check(ErrorCode::kInternal);
  kernel.family = cache::checksum(without_promises(canonical.artifact())).hex();
  for (const BundleTarget& target : targets)
    for (const Special& special : {kUsual, kAny})
      kernel.variants.push_back(compile(module, signature.kernel, options, target, special, blobs));
  compiler_ = compiler.build_id;
  blobs_.merge(blobs);
  Identity named = identity(signature.kernel, kernel);
  merge(std::move(named), std::move(kernel));
}

void BundleBuilderImpl::add(const BundleImpl& other) {
  const cache::ManifestDocument& manifest = other.manifest();
  // Nothing of it could be used beside ours; and code that nobody vouches for must not become this
  // user's own.
  if (!other.usable())
    throw Error(ErrorCode::kUnsupported, "bundle '" + other.path() + "': " + other.refusal() +
                                             "; its texts can be compiled again");
  if (compiler_.empty()) compiler_ = manifest.compiler();
  const auto keep = [&](cache::BlobName name) {
    if (!name.empty() && blobs_.count(std::string(name)) == 0)
      blobs_.emplace(std::string(name), other.read(name));
    return std::string(name);
  };
  for (std::size_t i = 0; i < manifest.size(); ++i) {
    const cache::ManifestKernel& entry = other.kernel(i);
    Kernel kernel;
    kernel.source = keep(entry.source);
    kernel.family = entry.family;
    for (const auto& [key, value] : entry.options) kernel.options.emplace(key, value);
    for (const auto& [key, value] : entry.constexprs) kernel.constexprs.emplace(key, value);
    kernel.grid = entry.grid;
    kernel.shared = entry.shared;
    kernel.parameters = Metadata::parse(signature_of(entry)).parameters;
    for (const cache::ManifestVariant& v : entry.variants) {
      const cache::ManifestTarget& target = manifest.targets()[v.target];
      kernel.variants.push_back({std::string(target.name), std::string(target.description),
                                 v.disjoint, v.aligned, keep(v.code), keep(v.metadata),
                                 keep(v.binary)});
    }
    Identity named = identity(std::string(entry.name), kernel);
    merge(std::move(named), std::move(kernel));
  }
}

// What was added last replaces earlier code for the same target and conditions.
void BundleBuilderImpl::merge(Identity identity, Kernel kernel) {
  const auto [at, fresh] = kernels_.emplace(std::move(identity), kernel);
  if (!fresh) {
    if (kernel.grid.empty()) kernel.grid = at->second.grid;
    for (Variant& old : at->second.variants)
      if (std::none_of(kernel.variants.begin(), kernel.variants.end(),
                       [&](const Variant& v) { return v.order() == old.order(); }))
        kernel.variants.push_back(std::move(old));
    at->second = std::move(kernel);
  }
  std::vector<Variant>& variants = at->second.variants;
  std::sort(variants.begin(), variants.end(),
            [](const Variant& a, const Variant& b) { return a.order() < b.order(); });
}

cache::ManifestKernel BundleBuilderImpl::list(
    cache::Manifest& manifest, const Identity& identity, const Kernel& kernel,
    const std::map<std::string, std::size_t>& targets) const {
  cache::ManifestKernel entry;
  entry.name = manifest.keep(std::get<0>(identity));
  entry.id = manifest.keep(std::get<1>(identity));
  entry.source = manifest.keep(kernel.source);
  entry.family = manifest.keep(kernel.family);
  for (const auto& [key, value] : kernel.options)
    entry.options.emplace_back(manifest.keep(key), manifest.keep(value));
  for (const auto& [key, value] : kernel.constexprs)
    entry.constexprs.emplace_back(manifest.keep(key), manifest.keep(value));
  entry.grid = manifest.keep(kernel.grid);
  entry.shared = kernel.shared;
  for (const Parameter& p : kernel.parameters)
    entry.parameters.push_back(
        {manifest.keep(p.type), manifest.keep(p.name), p.divisibility, p.written});
  for (const Variant& v : kernel.variants)
    entry.variants.push_back({targets.at(v.target), v.disjoint, v.aligned, manifest.keep(v.code),
                              manifest.keep(v.metadata), manifest.keep(v.binary)});
  return entry;
}

std::string BundleBuilderImpl::bytes(std::string_view private_key) {
  cache::Manifest manifest;
  manifest.kernel_abi = TRITONRT_KERNEL_ABI;
  manifest.compiler = manifest.keep(compiler_);
  std::map<std::string, std::size_t> targets;  // by description
  std::map<std::string, std::string> names;
  for (const auto& [identity, kernel] : kernels_)
    for (const Variant& v : kernel.variants) names.emplace(v.target, v.target_name);
  for (const auto& [description, name] : names) {
    targets.emplace(description, manifest.targets.size());
    manifest.targets.push_back({manifest.keep(one_line(name)), manifest.keep(description)});
  }
  std::map<std::string, std::string> blobs;
  for (const auto& [identity, kernel] : kernels_) {
    manifest.kernels.push_back(list(manifest, identity, kernel, targets));
    // What a later addition replaced is left out.
    for (const Variant& v : kernel.variants)
      for (const std::string* name : {&v.code, &v.metadata, &v.binary})
        if (!name->empty()) blobs.emplace(*name, blobs_.at(*name));
    blobs.emplace(kernel.source, blobs_.at(kernel.source));
  }
  try {
    return cache::make_bundle(manifest, blobs, private_key);
  } catch (const cache::BundleError& error) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("the bundle cannot be made: ") + error.what());
  }
}

}  // namespace tritonrt::runtime

namespace tritonrt {

BundleBuilder::BundleBuilder() : impl_(std::make_unique<runtime::BundleBuilderImpl>()) {}
BundleBuilder::~BundleBuilder() = default;
BundleBuilder::BundleBuilder(BundleBuilder&&) noexcept = default;
BundleBuilder& BundleBuilder::operator=(BundleBuilder&&) noexcept = default;

void BundleBuilder::add(const BundleSource& source, Span<const BundleTarget> targets) {
  impl_->add(source, targets);
}

void BundleBuilder::add(const Bundle& bundle) {
  if (!bundle) throw Error(ErrorCode::kInvalidArgument, "the bundle handle is empty");
  impl_->add(*bundle.impl_);
}

std::size_t BundleBuilder::size() const { return impl_->size(); }

std::string BundleBuilder::bytes(std::string_view private_key) const {
  return impl_->bytes(private_key);
}

}  // namespace tritonrt
