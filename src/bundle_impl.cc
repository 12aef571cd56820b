// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/bundle_impl.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <tuple>

#include "compiler/api/kernel_abi.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

cache::BundleFile open_file(const std::string& path, const BundleOptions& options) {
  try {
    return cache::BundleFile(path, options.public_key);
  } catch (const cache::BundleError& error) {
    throw Error(ErrorCode::kInvalidInput, "bundle '" + path + "': " + error.what());
  } catch (const std::system_error& error) {
    const bool absent = error.code() == std::errc::no_such_file_or_directory ||
                        error.code() == std::errc::not_a_directory;
    throw Error(absent ? ErrorCode::kNotFound : ErrorCode::kIo,
                "cannot read '" + path + "': " + error.code().message());
  }
}

// One kernel of a bundle, as what comes with a Kernel.
class FromBundle final : public Provided {
 public:
  FromBundle(std::shared_ptr<const BundleImpl> bundle, const cache::ManifestKernel& kernel)
      : bundle_(std::move(bundle)), kernel_(kernel) {}

  std::string source() const override { return bundle_->read(kernel_.source); }
  std::string signature() const override { return signature_of(kernel_); }
  std::string grid() const override { return std::string(kernel_.grid); }
  std::map<std::string, std::string> constexprs() const override {
    return {kernel_.constexprs.begin(), kernel_.constexprs.end()};
  }
  std::string refusal() const override { return bundle_->refusal(); }

  std::optional<ProvidedCode> find(const DeviceImpl& device,
                                   const Special& special) const override {
    if (!bundle_->usable()) return std::nullopt;
    const cache::ManifestVariant* best = nullptr;
    std::tuple<int, int> best_rank;
    for (const cache::ManifestVariant& variant : kernel_.variants) {
      // Right where all that it relies on holds.
      if ((variant.disjoint && !special.disjoint) || (variant.aligned && special.generic)) continue;
      const std::tuple rank(device.suits(bundle_->manifest().targets()[variant.target].description),
                            int{variant.disjoint} + int{variant.aligned});
      if (std::get<0>(rank) <= 0 || (best != nullptr && rank <= best_rank)) continue;
      best = &variant;
      best_rank = rank;
    }
    if (best == nullptr) return std::nullopt;
    ProvidedCode code;
    code.target = bundle_->manifest().targets()[best->target].description;
    code.artifact.metadata = Metadata::parse(bundle_->read(best->metadata));
    code.artifact.code = bundle_->read(best->code);
    if (!best->binary.empty() && std::get<0>(best_rank) == DeviceImpl::kSameTarget)
      code.artifact.device_binary = bundle_->read(best->binary);
    return code;
  }

 private:
  const std::shared_ptr<const BundleImpl> bundle_;
  const cache::ManifestKernel& kernel_;
};

}  // namespace

BundleImpl::BundleImpl(const std::string& path, const BundleOptions& options)
    : path_(path), file_(open_file(path, options)) {}

template <typename F>
auto BundleImpl::checked(F read) const {
  try {
    return read();
  } catch (const cache::BundleError& error) {
    throw Error(ErrorCode::kInvalidInput, "bundle '" + path_ + "': " + error.what());
  }
}

std::string BundleImpl::read(cache::BlobName name) const {
  return checked([&] { return file_.read(name); });
}

void BundleImpl::verify() const {
  checked([&] { file_.verify(); });
}

const cache::ManifestKernel& BundleImpl::kernel(std::size_t index) const {
  if (index >= manifest().size())
    throw Error(ErrorCode::kInvalidArgument, "bundle '" + path_ + "' has no kernel number " +
                                                 std::to_string(index) + ": it holds " +
                                                 std::to_string(manifest().size()));
  return *checked([&] { return &manifest().kernel(index); });
}

std::shared_ptr<KernelImpl> BundleImpl::load(std::size_t index) const {
  const cache::ManifestKernel& entry = kernel(index);
  const std::string label = path_ + ":" + std::string(entry.name);
  return std::make_shared<KernelImpl>(std::make_unique<FromBundle>(shared_from_this(), entry),
                                      options_of(entry.options), entry.name, label);
}

bool BundleImpl::is_family(const std::vector<std::size_t>& kernels) const {
  const cache::ManifestKernel& first = kernel(kernels.front());
  return !first.family.empty() && std::all_of(kernels.begin(), kernels.end(), [&](std::size_t i) {
    const cache::ManifestKernel& other = kernel(i);
    return other.family == first.family && other.options == first.options &&
           other.constexprs == first.constexprs && other.grid == first.grid &&
           other.parameters.size() == first.parameters.size();
  });
}

std::shared_ptr<KernelImpl> BundleImpl::load_family(std::vector<std::size_t> kernels) const {
  const auto promises = [&](std::size_t index) {
    std::uint64_t sum = 0;
    for (const cache::ManifestParameter& p : kernel(index).parameters) sum += p.divisibility;
    return sum;
  };
  std::stable_sort(kernels.begin(), kernels.end(),
                   [&](std::size_t a, std::size_t b) { return promises(a) > promises(b); });
  std::vector<std::shared_ptr<KernelImpl>> loaded;
  loaded.reserve(kernels.size());
  for (const std::size_t index : kernels) loaded.push_back(load(index));
  std::shared_ptr<KernelImpl> strongest = std::move(loaded.front());
  loaded.erase(loaded.begin());
  strongest->set_weaker(std::move(loaded));
  return strongest;
}

std::string BundleImpl::refusal() const {
  if (!file_.trusted()) return file_.distrust();
  if (manifest().kernel_abi() != TRITONRT_KERNEL_ABI)
    return "it was made for version " + std::to_string(manifest().kernel_abi()) +
           " of the kernel interface, this library has " + std::to_string(TRITONRT_KERNEL_ABI);
  return {};
}

CompileOptions options_of(const cache::TextPairs& pairs) {
  CompileOptions options;
  const auto number = [](std::string_view key, std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      throw Error(ErrorCode::kInvalidInput,
                  "the option '" + std::string(key) + "' of a kernel in a bundle is not a number");
    return value;
  };
  for (const auto& [key, value] : pairs) {
    if (key == "num_warps")
      options.num_warps = number(key, value);
    else if (key == "num_stages")
      options.num_stages = number(key, value);
    else if (key == "toolchain")
      options.toolchain = value;
    else if (key == "reference")
      options.reference = value == "1";
    else
      options.extra.emplace(key, value);
  }
  return options;
}

std::string signature_of(const cache::ManifestKernel& kernel) {
  std::string text = "kernel=" + std::string(kernel.name) + "\nwrites=";
  const char* separator = "";
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (!kernel.parameters[i].written) continue;
    text.append(separator).append(std::to_string(i));
    separator = ",";
  }
  text += "\n";
  for (const cache::ManifestParameter& parameter : kernel.parameters)
    text.append("arg=")
        .append(parameter.type)
        .append(" ")
        .append(parameter.name)
        .append(" divisibility=")
        .append(std::to_string(parameter.divisibility))
        .append("\n");
  return text;
}

}  // namespace tritonrt::runtime
