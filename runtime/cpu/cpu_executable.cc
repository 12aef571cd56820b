// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/cpu_executable.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/cpu/cpu_device.h"
#include "runtime/cpu/cpu_launch.h"
#include "runtime/cpu/cpu_stream.h"
#include "runtime/cpu/float_state.h"
#include "runtime/cpu/scratch.h"
#include "runtime/reports.h"
#include "runtime/trace.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 31;

class CpuBound final : public BoundLaunch {
 public:
  CpuBound(std::shared_ptr<CpuExecutable> kernel, const PackedArgs& args)
      : kernel_(std::move(kernel)),
        slots_(args.slots, args.slots + args.count),
        buffers_(args.buffers, args.buffers + args.count) {}
  void launch(StreamImpl& stream, const Grid& grid) override {
    kernel_->launch(stream, grid, {slots_.data(), buffers_.data(), slots_.size()});
  }
  void set(std::size_t index, std::uint64_t slot, BufferImpl* buffer) override {
    slots_[index] = slot;
    buffers_[index] = buffer;
  }

 private:
  std::shared_ptr<CpuExecutable> kernel_;
  std::vector<std::uint64_t> slots_;
  std::vector<BufferImpl*> buffers_;
};

// A file in memory, closed at the end of the scope.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& content) {
    // Older kernels do not know the flag, and it may be forbidden (vm.memfd_noexec=2): mapping such
    // a file for execution is still allowed then.
    constexpr unsigned kExecutable = 0x10;  // MFD_EXEC, which older headers lack
    fd_ = memfd_create("tritonrt-kernel", MFD_CLOEXEC | kExecutable);
    if (fd_ < 0 && (errno == EINVAL || errno == EACCES))
      fd_ = memfd_create("tritonrt-kernel", MFD_CLOEXEC);
    std::size_t written = 0;
    while (fd_ >= 0 && written < content.size()) {
      const ssize_t n = write(fd_, content.data() + written, content.size() - written);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) throw_errno();
      written += static_cast<std::size_t>(n);
    }
    if (fd_ < 0) throw_errno();
  }
  ~MemoryFile() {
    if (fd_ >= 0) close(fd_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // A path that no other file had: the loader knows its libraries by path, and descriptor numbers
  // come again. A counter is spelt in redundant path components.
  std::string path() const {
    static std::atomic<std::uint64_t> counter{0};
    std::string path = "/proc/self/fd";
    for (std::uint64_t n = counter.fetch_add(1); n != 0; n >>= 1) path += (n & 1) ? "/./" : "/";
    return path + "/" + std::to_string(fd_);
  }

 private:
  [[noreturn]] void throw_errno() {
    const int error = errno;
    if (fd_ >= 0) close(fd_);
    throw Error(ErrorCode::kDeviceError,
                std::string("cannot hold a kernel in memory: ") + std::strerror(error));
  }
  int fd_ = -1;
};

}  // namespace

CpuExecutable::CpuExecutable(std::shared_ptr<CpuDevice> device, const Artifact& artifact,
                             const std::string& label)
    : device_(std::move(device)),
      metadata_(artifact.metadata),
      work_(std::clamp<std::uint64_t>(artifact.metadata.work, 1, kMaxWork)) {
  const MemoryFile file(artifact.code);
  library_ = dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) {
    const char* reason = dlerror();
    throw Error(ErrorCode::kDeviceError, "cannot load kernel '" + label + "': " +
                                             (reason != nullptr ? reason : "unknown reason"));
  }
  const std::string symbol = metadata_.entry.empty() ? "trt_entry" : metadata_.entry;
  entry_ = reinterpret_cast<trt_entry_fn>(dlsym(library_, symbol.c_str()));
  if (entry_ == nullptr) {
    dlclose(library_);
    throw Error(ErrorCode::kDeviceError, "kernel '" + label + "' has no symbol '" + symbol + "'");
  }
}

CpuExecutable::~CpuExecutable() {
  if (library_ != nullptr) dlclose(library_);
}

bool CpuExecutable::runs_inline(const Grid& grid) const {
  return !metadata_.waits && !metadata_.mesh &&
         static_cast<std::uint64_t>(programs(grid)) * work_ < device_->inline_work();
}

void CpuExecutable::launch(StreamImpl& stream, const Grid& grid, const PackedArgs& args) {
  if (metadata_.reports == nullptr) {
    start(static_cast<CpuStream&>(stream), grid, args);
    return;
  }
  const Reports::Slot slot = stream.reports().slot(stream, metadata_.reports);
  const ReportingArgs all(args, slot);
  start(static_cast<CpuStream&>(stream), grid, all.args());
}

void CpuExecutable::start(CpuStream& queue, const Grid& grid, const PackedArgs& args) {
  if (device_->is_shut_down()) device_->check_open();
  queue.check();
  if (runs_inline(grid) && queue.try_begin()) {
    launch_inline(queue, grid, args.slots);
    return;
  }
  const TraceSpan span("launch", metadata_.kernel);
  queue.enqueue(make_launch_task(shared_from_this(), grid, args));
}

void CpuExecutable::launch_inline(CpuStream& stream, const Grid& grid, const std::uint64_t* slots) {
  void* scratch = nullptr;
  if (metadata_.scratch_bytes != 0) {
    scratch = thread_scratch(metadata_.scratch_bytes);
    if (scratch == nullptr) {
      stream.end();
      throw no_scratch(metadata_);
    }
  }
  const trt_cpu_launch launch = launch_record(grid, &kNeverStop);
  Trace* const trace = Trace::active();
  const std::uint64_t begin_ns = trace != nullptr ? now_ns() : 0;
  {
    const FloatState state;
    entry_(slots, 0, programs(grid), &launch, scratch);
  }
  if (trace != nullptr) trace->span("kernel", metadata_.kernel, begin_ns, now_ns(), stream.id());
  stream.end();
}

std::unique_ptr<BoundLaunch> CpuExecutable::bind(const PackedArgs& args) {
  return std::make_unique<CpuBound>(shared_from_this(), args);
}

}  // namespace tritonrt::runtime
