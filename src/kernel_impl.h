// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SRC_KERNEL_IMPL_H_
#define TRITONRT_SRC_KERNEL_IMPL_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/driver.h"
#include "runtime/pack.h"
#include "src/capture.h"
#include "src/compiler_library.h"
#include "src/context.h"
#include "src/provided.h"
#include "tritonrt/kernel.h"

namespace tritonrt::runtime {

// A kernel's executables on one device, by variant.
struct DeviceVariants {
  explicit DeviceVariants(std::shared_ptr<DeviceImpl> d) : device(std::move(d)) {}
  const std::shared_ptr<DeviceImpl> device;
  std::atomic<Executable*> ready[Special::kVariants] = {};
  std::shared_ptr<Executable> owners[Special::kVariants];  // set once, before `ready`
  std::atomic<DeviceVariants*> next{nullptr};
};

// The options as the compiler reads them and the cache key holds them. Throws kInvalidArgument for
// ones that cannot be.
std::string text_of(const CompileOptions& options);

class KernelImpl : public std::enable_shared_from_this<KernelImpl> {
 public:
  // Throws kInvalidInput for an empty source, kInvalidArgument for options that cannot be.
  KernelImpl(std::string source, const CompileOptions& options, std::string_view name,
             std::string_view label);
  // A kernel that comes with code; its text is read when that does not do.
  KernelImpl(std::unique_ptr<const Provided> provided, const CompileOptions& options,
             std::string_view name, std::string_view label);
  ~KernelImpl();

  const Signature& signature() {
    if (const Signature* ready = signature_.load(std::memory_order_acquire)) return *ready;
    return resolve_signature();
  }
  const CompileOptions& options() const { return options_; }
  // The kernel's text.
  const std::string& source();

  DeviceVariants& variants(DeviceImpl& device);
  // The executable of a variant. `result`, where given, learns how it was come by.
  Executable& executable(DeviceVariants& variants, const Special& special,
                         PrepareResult* result = nullptr) {
    if (Executable* e = variants.ready[special.index()].load(std::memory_order_acquire)) {
      if (result != nullptr) *result = {};
      return *e;
    }
    return resolve(variants, special, result);
  }
  // The executable for arguments that need that variant. Where they break promises of this text,
  // that may be one of another text, which promises less.
  Executable& executable(DeviceVariants& variants, const Special& special, const Frame& frame,
                         PrepareResult* result = nullptr) {
    if (special.generic && !weaker_.empty())
      if (KernelImpl* kernel = weaker(frame))
        return kernel->executable(kernel->variants(*variants.device), {special.disjoint, false},
                                  result);
    return executable(variants, special, result);
  }
  // Texts of the same program that promise less, the one that promises most first. Given before the
  // kernel is used.
  void set_weaker(std::vector<std::shared_ptr<KernelImpl>> kernels) {
    weaker_ = std::move(kernels);
  }
  bool has_weaker() const { return !weaker_.empty(); }
  // The same, kept by the caller.
  std::shared_ptr<Executable> shared_executable(DeviceVariants& variants, const Special& special) {
    executable(variants, special);
    return variants.owners[special.index()];
  }
  std::string stage(DeviceImpl& device, const std::string& stage);
  // As Kernel::grid says.
  Grid grid(Span<const Arg> args);
  // From now on nothing is compiled for this kernel: what would be is an error.
  void freeze() { frozen_.store(true, std::memory_order_relaxed); }

 private:
  // The first of the weaker texts whose promises all hold; null where there is none.
  KernelImpl* weaker(const Frame& frame);
  void check_frozen(const DeviceImpl& device, const Special& special) const;
  const Signature& resolve_signature();
  // As the compiler describes it, or has described it.
  std::string signature_text(const cache::Key& key);
  // What stands behind the label when there is no code and no compiler.
  std::string missing();
  Executable& resolve(DeviceVariants& variants, const Special& special, PrepareResult* result);
  std::shared_ptr<Executable> make(DeviceImpl& device, const Special& special,
                                   const cache::Key& key, bool& compiled);
  // What compiling for a device and variant, or a cache, gives.
  std::shared_ptr<Executable> find_or_make(DeviceImpl& device, const Special& special,
                                           bool& compiled);
  // What came with the kernel; null where nothing fits, or loads.
  std::shared_ptr<Executable> load_provided(DeviceImpl& device, const Special& special);
  // Null where there is no entry, or none that can be loaded, which is then forgotten.
  std::shared_ptr<Executable> load_kept(DeviceImpl& device, const cache::Key& source,
                                        const std::shared_ptr<const cache::Entry>& entry);
  // The parsed source; under module_mutex_.
  CompilerModule& module();
  cache::KeyParts key_parts();
  // What targets call the backend that compiles for the device.
  std::string_view backend_for(const DeviceImpl& device) const;
  // What takes part in compiling beside the compiler, as cache keys have it.
  std::string tools(const DeviceImpl& device) const;
  std::string display_name() const;

  const std::shared_ptr<Context> context_;
  const std::unique_ptr<const Provided> provided_;  // null for an ordinary kernel
  std::once_flag source_once_;
  std::string source_;  // of a provided kernel: once it was needed
  std::once_flag source_digest_once_;
  cache::InputDigest source_digest_;
  const CompileOptions options_;
  const std::string options_text_;
  const std::string name_;  // as asked for: may be empty
  const std::string label_;
  std::vector<std::shared_ptr<KernelImpl>> weaker_;

  std::atomic<const Signature*> signature_{nullptr};
  std::shared_ptr<const Signature> signature_owner_;  // under mutex_; others of the text share it
  std::mutex mutex_;                                  // of what is resolved
  std::atomic<DeviceVariants*> devices_{nullptr};
  std::atomic<bool> frozen_{false};
  std::mutex module_mutex_;
  std::unique_ptr<CompilerModule> module_;
  std::mutex provided_mutex_;
  std::string provided_error_;  // under provided_mutex_; why the code that came did not load
};

// Freezes every kernel of the process, those to come as well.
void freeze_all();

// A kernel with packed arguments.
class BoundImpl {
 public:
  BoundImpl(std::shared_ptr<KernelImpl> kernel, DeviceImpl& device, Span<const Arg> args);

  void launch(StreamImpl& stream, const Grid& grid) {
    if (&stream.device() != device_) wrong_device(stream);
    check_grid(grid, signature_.kernel);
    for (const Used& used : used_) used.buffer->use(stream, used.write);
    if (Capture* const capture = Capture::active())
      captured_launch(*capture, stream, grid);
    else
      launch_->launch(stream, grid);
  }
  void set_arg(std::size_t index, const Arg& arg);
  const PrepareResult& prepared() const { return prepared_; }

 private:
  [[noreturn]] void wrong_device(const StreamImpl& stream) const;
  void captured_launch(Capture& capture, StreamImpl& stream, const Grid& grid);
  void rebind();
  void keep_buffers();

  const std::shared_ptr<KernelImpl> kernel_;
  const Signature& signature_;
  DeviceVariants& variants_;
  DeviceImpl* const device_;
  Frame frame_;
  Special special_;
  std::vector<std::shared_ptr<BufferImpl>> buffers_;  // by parameter
  struct Used {
    BufferImpl* buffer;
    bool write;
  };
  std::vector<Used> used_;  // those that are there
  std::unique_ptr<BoundLaunch> launch_;
  PrepareResult prepared_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_SRC_KERNEL_IMPL_H_
