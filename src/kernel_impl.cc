// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/kernel_impl.h"

#include <charconv>
#include <map>
#include <utility>

#include "runtime/backend_libraries.h"
#include "runtime/target_text.h"
#include "runtime/trace.h"
#include "src/grid_expression.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

std::atomic<bool> g_frozen{false};

// What a variant promises, in one line.
std::string promises(const Special& special) {
  std::string text = special.text();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

// An integer from its low bits.
std::int64_t whole_number(DType type, std::uint64_t bits) {
  const unsigned unused = 64 - 8 * static_cast<unsigned>(size_of(type));
  const bool is_signed =
      type == DType::kI8 || type == DType::kI16 || type == DType::kI32 || type == DType::kI64;
  bits <<= unused;
  return is_signed ? static_cast<std::int64_t>(bits) >> unused
                   : static_cast<std::int64_t>(bits >> unused);
}

}  // namespace

std::string text_of(const CompileOptions& options) {
  const auto refuse = [](const std::string& text) {
    throw Error(ErrorCode::kInvalidArgument, "compile options: " + text);
  };
  if (options.num_warps < 1 || options.num_warps > 64 ||
      (options.num_warps & (options.num_warps - 1)) != 0)
    refuse("num_warps is " + std::to_string(options.num_warps) +
           ", expected a power of two from 1 to 64");
  if (options.num_stages < 0 || options.num_stages > 64)
    refuse("num_stages is " + std::to_string(options.num_stages) + ", expected 0 to 64");
  std::map<std::string, std::string> all = {{"num_stages", std::to_string(options.num_stages)},
                                            {"num_warps", std::to_string(options.num_warps)},
                                            {"reference", options.reference ? "1" : "0"},
                                            {"toolchain", options.toolchain}};
  for (const auto& [key, value] : options.extra) {
    if (key.empty() || key.find_first_of("=\n") != std::string::npos)
      refuse("'" + key + "' is not a key");
    if (!all.emplace(key, value).second) refuse("'" + key + "' is given twice");
  }
  std::string text;
  for (const auto& [key, value] : all) {
    if (value.find('\n') != std::string::npos) refuse("the value of '" + key + "' has two lines");
    text.append(key).append("=").append(value).append("\n");
  }
  return text;
}

KernelImpl::KernelImpl(std::unique_ptr<const Provided> provided, const CompileOptions& options,
                       std::string_view name, std::string_view label)
    : context_(Context::current()),
      provided_(std::move(provided)),
      options_(options),
      options_text_(text_of(options)),
      name_(name),
      label_(label) {}

KernelImpl::KernelImpl(std::string source, const CompileOptions& options, std::string_view name,
                       std::string_view label)
    : context_(Context::current()),
      source_(std::move(source)),
      options_(options),
      options_text_(text_of(options)),
      name_(name),
      label_(label) {
  Capture::open_from_environment();
  if (source_.empty())
    throw Error(ErrorCode::kInvalidInput, label_ + ":1:1: error: the input is empty");
}

KernelImpl::~KernelImpl() {
  DeviceVariants* next = devices_.load(std::memory_order_acquire);
  while (next != nullptr) {
    const std::unique_ptr<DeviceVariants> owned(next);
    next = owned->next.load(std::memory_order_relaxed);
  }
}

const std::string& KernelImpl::source() {
  if (provided_ != nullptr) std::call_once(source_once_, [this] { source_ = provided_->source(); });
  return source_;
}

cache::KeyParts KernelImpl::key_parts() {
  cache::KeyParts parts;
  std::call_once(source_digest_once_, [this] { source_digest_ = cache::digest_input(source()); });
  parts.input = source_digest_;
  parts.kernel = name_;
  parts.build_id = context_->build_id();
  return parts;
}

std::string_view KernelImpl::backend_for(const DeviceImpl& device) const {
  const auto changed = options_.extra.find("target.backend");
  return changed != options_.extra.end() ? std::string_view(changed->second)
                                         : target_value(device.target(), "backend");
}

std::string KernelImpl::tools(const DeviceImpl& device) const {
  return backend_identities(backend_for(device)) + toolchain_identity(options_.toolchain);
}

std::string KernelImpl::display_name() const {
  const Signature* signature = signature_.load(std::memory_order_acquire);
  return signature != nullptr ? signature->kernel : name_;
}

CompilerModule& KernelImpl::module() {
  if (module_ == nullptr) {
    const trtc_compiler* compiler = nullptr;
    try {
      compiler = &context_->compiler().get();
    } catch (const Error& error) {
      throw Error(error.code(), label_ + missing() + ", and " + error.message());
    }
    module_ = std::make_unique<CompilerModule>(*compiler, source(), label_);
  }
  return *module_;
}

std::string KernelImpl::missing() {
  if (provided_ == nullptr) return " is not in the cache for this";
  const std::string refusal = provided_->refusal();
  if (!refusal.empty()) return ": its code is not used, because " + refusal;
  const std::lock_guard lock(provided_mutex_);
  if (!provided_error_.empty()) return ": its code cannot be used (" + provided_error_ + ")";
  return " has no code for this device";
}

std::string KernelImpl::signature_text(const cache::Key& key) {
  std::optional<std::string> text = context_->cache().find_text(key);
  if (!text) {
    const std::lock_guard module_lock(module_mutex_);
    CompilerModule& parsed = module();
    const trtc_compiler& compiler = parsed.compiler();
    const CompilerResult result(compiler, compiler.signature(parsed.get(), name_.c_str()));
    result.check(ErrorCode::kInvalidArgument);
    text = std::string(result.metadata());
    Metadata::parse(*text);  // what is wrong is not kept
    context_->cache().store_text(key, *text);
  }
  return *text;
}

const Signature& KernelImpl::resolve_signature() {
  const std::lock_guard lock(mutex_);
  if (const Signature* ready = signature_.load(std::memory_order_relaxed)) return *ready;
  if (provided_ != nullptr) {
    signature_owner_ = std::make_shared<const Signature>(Metadata::parse(provided_->signature()));
  } else {
    const cache::Key key = cache::make_key(cache::KeyKind::kSignature, key_parts());
    signature_owner_ = context_->signature(key, [&] {
      return std::make_shared<const Signature>(Metadata::parse(signature_text(key)));
    });
  }
  signature_.store(signature_owner_.get(), std::memory_order_release);
  return *signature_owner_;
}

DeviceVariants& KernelImpl::variants(DeviceImpl& device) {
  for (DeviceVariants* v = devices_.load(std::memory_order_acquire); v != nullptr;
       v = v->next.load(std::memory_order_acquire))
    if (v->device.get() == &device) return *v;
  const std::lock_guard lock(mutex_);
  for (DeviceVariants* v = devices_.load(std::memory_order_relaxed); v != nullptr;
       v = v->next.load(std::memory_order_relaxed))
    if (v->device.get() == &device) return *v;
  auto fresh = std::make_unique<DeviceVariants>(device.shared_from_this());
  fresh->next.store(devices_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  devices_.store(fresh.get(), std::memory_order_release);
  return *fresh.release();
}

KernelImpl* KernelImpl::weaker(const Frame& frame) {
  for (const std::shared_ptr<KernelImpl>& kernel : weaker_)
    if (Packer::keeps(kernel->signature(), frame)) return kernel.get();
  return nullptr;
}

Executable& KernelImpl::resolve(DeviceVariants& variants, const Special& special,
                                PrepareResult* result) {
  const std::uint64_t begin = now_ns();
  const std::size_t index = special.index();
  bool compiled = false;
  if (variants.ready[index].load(std::memory_order_acquire) == nullptr) {
    DeviceImpl& device = *variants.device;
    std::shared_ptr<Executable> executable;
    if (provided_ != nullptr) executable = load_provided(device, special);
    if (executable == nullptr) executable = find_or_make(device, special, compiled);
    const std::lock_guard lock(mutex_);
    if (variants.ready[index].load(std::memory_order_relaxed) == nullptr) {
      variants.owners[index] = std::move(executable);
      variants.ready[index].store(variants.owners[index].get(), std::memory_order_release);
    }
  }
  if (Trace* trace = Trace::active())
    trace->span(compiled ? "compile" : "cache hit", display_name(), begin, now_ns(), 0,
                variants.device->info().name + " " + promises(special));
  if (result != nullptr) *result = {compiled, static_cast<double>(now_ns() - begin) * 1e-6};
  return *variants.ready[index].load(std::memory_order_acquire);
}

std::shared_ptr<Executable> KernelImpl::find_or_make(DeviceImpl& device, const Special& special,
                                                     bool& compiled) {
  const std::string special_text = special.text();
  cache::KeyParts parts = key_parts();
  parts.options = options_text_;
  parts.special = special_text;
  parts.target = device.target();
  const std::string tools = this->tools(device);
  parts.tools = tools;
  const cache::Key key = cache::make_key(cache::KeyKind::kSource, parts);
  // Whoever comes second for the same key waits here, and finds the first one's.
  const std::shared_ptr<Context::Loaded> loaded = context_->loaded(device, key);
  const std::lock_guard loading(loaded->mutex);
  std::shared_ptr<Executable> executable = loaded->executable.lock();
  if (executable == nullptr) {
    executable = make(device, special, key, compiled);
    loaded->executable = executable;
  }
  return executable;
}

std::shared_ptr<Executable> KernelImpl::load_provided(DeviceImpl& device, const Special& special) {
  try {
    std::optional<ProvidedCode> provided = provided_->find(device, special);
    if (!provided) return nullptr;
    Artifact& artifact = provided->artifact;
    cache::KeyParts parts;
    parts.input = cache::digest_input(artifact.code);
    parts.kernel = artifact.metadata.entry;
    parts.target = device.target();
    const cache::Key key = cache::make_key(cache::KeyKind::kProvided, parts);
    const std::shared_ptr<Context::Loaded> loaded = context_->loaded(device, key);
    const std::lock_guard loading(loaded->mutex);
    if (auto executable = loaded->executable.lock()) return executable;
    cache::Cache& cache = context_->cache();
    const bool keeps = device.makes_binaries();
    if (keeps && artifact.device_binary.empty())
      if (const auto entry = cache.find_source(key)) artifact.device_binary = entry->device_binary;
    const std::string known = artifact.device_binary;
    auto executable = device.load(artifact, artifact.metadata.kernel);
    if (keeps && artifact.device_binary != known) {
      auto entry = std::make_shared<cache::Entry>();
      parts.special = "binary";
      entry->canonical = cache::make_key(cache::KeyKind::kProvided, parts);
      entry->device_binary = std::move(artifact.device_binary);
      cache.store(key, std::move(entry));
    }
    loaded->executable = executable;
    return executable;
  } catch (const Error& error) {
    const std::lock_guard lock(provided_mutex_);
    provided_error_ = error.message();
    return nullptr;
  }
}

std::shared_ptr<Executable> KernelImpl::load_kept(
    DeviceImpl& device, const cache::Key& source,
    const std::shared_ptr<const cache::Entry>& entry) {
  if (entry == nullptr) return nullptr;
  try {
    Artifact artifact{Metadata::parse(entry->metadata), entry->code, entry->device_binary};
    std::shared_ptr<Executable> executable = device.load(artifact, artifact.metadata.kernel);
    if (artifact.device_binary != entry->device_binary) {
      // The driver refused what was kept, after an update of its own say, and made it anew.
      auto fresh = std::make_shared<cache::Entry>(*entry);
      fresh->device_binary = std::move(artifact.device_binary);
      context_->cache().store(source, std::move(fresh));
    }
    return executable;
  } catch (const Error&) {
    // Kept by another build or for another system, whatever its key says: compile it again.
    context_->cache().forget(source, *entry);
    return nullptr;
  }
}

std::shared_ptr<Executable> KernelImpl::make(DeviceImpl& device, const Special& special,
                                             const cache::Key& key, bool& compiled) {
  cache::Cache& cache = context_->cache();
  if (auto executable = load_kept(device, key, cache.find_source(key))) return executable;
  bool waited = false;
  const auto others_wait = cache.lock(key, waited);
  // Someone may have made it since, even if there was nobody left to wait for.
  if (waited || others_wait != nullptr)
    if (auto executable = load_kept(device, key, cache.find_source(key))) return executable;
  const std::lock_guard lock(module_mutex_);
  CompilerModule& parsed = module();
  const trtc_compiler& compiler = parsed.compiler();
  const CompilerResult canonical(compiler, compiler.canonical(parsed.get()));
  canonical.check(ErrorCode::kInternal);
  auto entry = std::make_shared<cache::Entry>();
  const std::string special_text = special.text();
  cache::KeyParts parts = key_parts();
  parts.input = cache::digest_input(canonical.artifact());
  parts.options = options_text_;
  parts.special = special_text;
  parts.target = device.target();
  const std::string tools = this->tools(device);
  parts.tools = tools;
  entry->canonical = cache::make_key(cache::KeyKind::kCanonical, parts);
  entry->canonical_sha = cache::sha256(canonical.artifact());
  const auto same = cache.find_canonical(entry->canonical, entry->canonical_sha);
  if (auto executable = load_kept(device, key, same)) {
    cache.link(key, same);
    return executable;
  }
  check_frozen(device, special);
  context_->compiler().check_backends(backend_for(device));
  const CompilerResult result(compiler,
                              compiler.compile(parsed.get(), name_.c_str(), device.target().c_str(),
                                               options_text_.c_str(), special_text.c_str()));
  result.check(ErrorCode::kCompileFailed);
  compiled = true;
  ++cache.counters().compiles;
  entry->metadata = result.metadata();
  entry->code = result.artifact();
  Artifact artifact{Metadata::parse(entry->metadata), entry->code, {}};
  auto executable = device.load(artifact, artifact.metadata.kernel);
  entry->device_binary = std::move(artifact.device_binary);
  cache.store(key, std::move(entry));
  context_->remember_build_id();
  return executable;
}

void freeze_all() { g_frozen.store(true, std::memory_order_relaxed); }

void KernelImpl::check_frozen(const DeviceImpl& device, const Special& special) const {
  if (!frozen_.load(std::memory_order_relaxed) && !g_frozen.load(std::memory_order_relaxed)) return;
  throw Error(ErrorCode::kFrozen,
              "kernel '" + display_name() + "' would have to be compiled for '" +
                  device.info().name + "' (" + promises(special) +
                  "num_warps=" + std::to_string(options_.num_warps) + ") after freeze()");
}

Grid KernelImpl::grid(Span<const Arg> args) {
  const std::string expression = provided_ != nullptr ? provided_->grid() : std::string();
  if (expression.empty())
    throw Error(ErrorCode::kNotFound, "kernel '" + signature().kernel + "' came without a grid");
  std::map<std::string, std::int64_t> values;
  for (const auto& [name, text] : provided_->constexprs()) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) values.emplace(name, value);
  }
  std::size_t index = 0;
  for (const Arg& arg : args) {
    if (index >= signature().parameters.size()) break;
    const Parameter& parameter = signature().parameters[index];
    // Older versions of Triton wrote no names.
    std::string name = parameter.name.empty() ? "arg" + std::to_string(index) : parameter.name;
    const TensorDescriptor* descriptor = arg.descriptor();
    // A descriptor stands for the shape and strides behind it.
    index += descriptor != nullptr ? 1 + 2 * static_cast<std::size_t>(descriptor->rank) : 1;
    if (arg.kind() == Arg::Kind::kScalar && parameter.dtype < DType::kF16)
      values.emplace(std::move(name), whole_number(parameter.dtype, arg.bits()));
  }
  return evaluate_grid(expression, values);
}

std::string KernelImpl::stage(DeviceImpl& device, const std::string& stage) {
  const std::lock_guard lock(module_mutex_);
  CompilerModule& parsed = module();
  const trtc_compiler& compiler = parsed.compiler();
  context_->compiler().check_backends(backend_for(device));
  const CompilerResult result(
      compiler, compiler.print(parsed.get(), name_.c_str(), device.target().c_str(),
                               options_text_.c_str(), Special().text().c_str(), stage.c_str()));
  result.check(ErrorCode::kCompileFailed);
  return std::string(result.artifact());
}

BoundImpl::BoundImpl(std::shared_ptr<KernelImpl> kernel, DeviceImpl& device, Span<const Arg> args)
    : kernel_(std::move(kernel)),
      signature_(kernel_->signature()),
      variants_(kernel_->variants(device)),
      device_(&device),
      frame_(signature_.codes.size()) {
  Packer packer(signature_, device, frame_);
  packer.pack(args);
  special_ = packer.special();
  buffers_.resize(frame_.count());
  rebind();
}

void BoundImpl::keep_buffers() {
  const PackedArgs args = frame_.args();
  used_.clear();
  for (std::size_t i = 0; i < args.count; ++i) {
    BufferImpl* const buffer = args.buffers[i];
    if (buffers_[i].get() != buffer)
      buffers_[i] = buffer != nullptr ? buffer->shared_from_this() : nullptr;
    if (buffer != nullptr) used_.push_back({buffer, signature_.codes[i].written});
  }
}

void BoundImpl::rebind() {
  const PackedArgs args = frame_.args();
  keep_buffers();
  launch_ = kernel_->executable(variants_, special_, frame_, &prepared_).bind(args);
}

void BoundImpl::set_arg(std::size_t index, const Arg& arg) {
  if (index >= frame_.count())
    throw Error(ErrorCode::kInvalidArgument, "kernel '" + signature_.kernel + "' has no argument " +
                                                 std::to_string(index) + ": it takes " +
                                                 std::to_string(frame_.count()));
  Packer packer(signature_, *device_, frame_);
  const std::size_t filled = packer.pack_one(index, arg);
  const Special special = packer.special();
  // With broken promises it depends on the values which text they are right for.
  if (special != special_ || (special.generic && kernel_->has_weaker())) {
    special_ = special;
    rebind();
    return;
  }
  const PackedArgs args = frame_.args();
  for (std::size_t i = index; i < index + filled; ++i)
    launch_->set(i, args.slots[i], args.buffers[i]);
  keep_buffers();
}

void BoundImpl::captured_launch(Capture& capture, StreamImpl& stream, const Grid& grid) {
  capture.launch(*kernel_, stream, grid, frame_, [&] { launch_->launch(stream, grid); });
}

void BoundImpl::wrong_device(const StreamImpl& stream) const {
  throw Error(ErrorCode::kInvalidArgument,
              "kernel '" + signature_.kernel + "' is bound on device '" + device_->info().name +
                  "', the stream is of '" + stream.device().info().name + "'");
}

}  // namespace tritonrt::runtime
