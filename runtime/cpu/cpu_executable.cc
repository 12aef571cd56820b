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
#include "runtime/cpu/cpu_stream.h"
#include "runtime/cpu/float_state.h"
#include "runtime/cpu/scratch.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

// What a launch polls that nothing will ever stop: it has no waiting op.
const volatile std::uint32_t kNeverStop = 0;

constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 31;

std::int64_t programs(const Grid& grid) {
  return static_cast<std::int64_t>(grid.x) * grid.y * grid.z;
}

trt_cpu_launch launch_record(const Grid& grid, const volatile std::uint32_t* stop) {
  return {{grid.x, grid.y, grid.z}, 0, stop};
}

// A launch in a stream's queue, and the job of its programs.
class LaunchTask final : public CpuTask, public ParallelJob {
 public:
  LaunchTask(std::shared_ptr<CpuExecutable> kernel, const Grid& grid, const PackedArgs& args)
      : kernel_(std::move(kernel)),
        slots_(args.slots, args.slots + args.count),
        launch_(launch_record(grid, reinterpret_cast<const volatile std::uint32_t*>(&stop_))) {
    for (std::size_t i = 0; i < args.count; ++i)
      if (args.buffers[i] != nullptr) buffers_.push_back(args.buffers[i]->shared_from_this());
    total = programs(grid);
  }

  bool start(CpuStream& stream) override {
    if (stream.is_stopping()) stop();
    CpuDevice& device = stream.cpu_device();
    const Metadata& metadata = kernel_->metadata();
    if (max_threads == 1 && runs_in_place) {
      run(0, total);
      report(stream);
      return true;
    }
    stream_ = std::static_pointer_cast<CpuStream>(stream.shared_from_this());
    owner = &stream;
    if (metadata.waits) max_piece = 1;
    // After this line the task may be gone.
    device.executor().submit(this);
    return false;
  }

  void stop() override { stop_.store(1, std::memory_order_relaxed); }

  void run(std::int64_t begin, std::int64_t end) noexcept override {
    const Metadata& metadata = kernel_->metadata();
    void* scratch = nullptr;
    if (metadata.scratch_bytes != 0) {
      scratch = thread_scratch(metadata.scratch_bytes);
      if (scratch == nullptr) {
        out_of_memory_.store(true, std::memory_order_relaxed);
        return;
      }
    }
    const FloatState state;
    const std::int32_t result = kernel_->entry()(slots_.data(), begin, end, &launch_, scratch);
    std::int32_t none = 0;
    if (result != 0) gave_up_.compare_exchange_strong(none, result, std::memory_order_relaxed);
  }

  void finished() noexcept override {
    const std::shared_ptr<CpuStream> stream = std::move(stream_);
    report(*stream);
    stream->task_ended();  // deletes this
  }

  bool runs_in_place = false;

 private:
  void report(CpuStream& stream) noexcept {
    const Metadata& metadata = kernel_->metadata();
    if (out_of_memory_.load(std::memory_order_relaxed))
      stream.fail(std::make_exception_ptr(
          Error(ErrorCode::kOutOfMemory, "kernel '" + metadata.kernel + "': no memory for " +
                                             std::to_string(metadata.scratch_bytes) +
                                             " bytes of scratch a thread")));
    const std::int32_t number = gave_up_.load(std::memory_order_relaxed);
    if (number == 0) return;
    std::string op = "a waiting op";
    for (const WaitOp& wait : metadata.wait_ops)
      if (wait.number == number) op = wait.op + " at line " + std::to_string(wait.line);
    stream.fail(std::make_exception_ptr(
        Error(ErrorCode::kStopped, "kernel '" + metadata.kernel + "': " + op +
                                       " gave up waiting for other programs: it was stopped")));
  }

  std::shared_ptr<CpuExecutable> kernel_;
  std::vector<std::uint64_t> slots_;
  std::vector<std::shared_ptr<BufferImpl>> buffers_;
  std::atomic<std::uint32_t> stop_{0};
  trt_cpu_launch launch_;
  std::atomic<std::int32_t> gave_up_{0};
  std::atomic<bool> out_of_memory_{false};
  std::shared_ptr<CpuStream> stream_;
};

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
#ifdef MFD_EXEC
    fd_ = memfd_create("tritonrt-kernel", MFD_CLOEXEC | MFD_EXEC);
    if (fd_ < 0 && errno == EINVAL)
#endif
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
      work_(std::min(artifact.metadata.work, kMaxWork)) {
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

void CpuExecutable::launch(StreamImpl& stream, const Grid& grid, const PackedArgs& args) {
  auto& queue = static_cast<CpuStream&>(stream);
  if (device_->is_shut_down())
    throw Error(ErrorCode::kInvalidArgument, "the device 'cpu' has been shut down");
  const bool small =
      static_cast<std::uint64_t>(programs(grid)) * work_ < 2 * device_->min_chunk_size();
  if (small && !metadata_.waits && queue.try_begin()) {
    launch_inline(queue, grid, args.slots);
    return;
  }
  launch_queued(queue, grid, args);
}

void CpuExecutable::launch_inline(CpuStream& stream, const Grid& grid, const std::uint64_t* slots) {
  void* scratch = nullptr;
  if (metadata_.scratch_bytes != 0) {
    scratch = thread_scratch(metadata_.scratch_bytes);
    if (scratch == nullptr) {
      stream.end();
      throw Error(ErrorCode::kOutOfMemory, "kernel '" + metadata_.kernel + "': no memory for " +
                                               std::to_string(metadata_.scratch_bytes) +
                                               " bytes of scratch");
    }
  }
  const trt_cpu_launch launch = launch_record(grid, &kNeverStop);
  {
    const FloatState state;
    entry_(slots, 0, programs(grid), &launch, scratch);
  }
  stream.end();
}

void CpuExecutable::launch_queued(CpuStream& stream, const Grid& grid, const PackedArgs& args) {
  auto task = std::make_unique<LaunchTask>(shared_from_this(), grid, args);
  const std::uint64_t chunk = std::max<std::uint64_t>(1, device_->min_chunk_size());
  const std::uint64_t total = static_cast<std::uint64_t>(task->total);
  const std::uint64_t useful =
      metadata_.waits ? total : std::max<std::uint64_t>(1, total * work_ / chunk);
  // Throws when the device cannot run work any more, before anything is queued.
  const unsigned concurrency = device_->executor().concurrency();
  task->max_threads = static_cast<unsigned>(std::min({useful, total, std::uint64_t{concurrency}}));
  task->min_piece = static_cast<std::int64_t>((chunk + work_ - 1) / work_);
  task->runs_in_place = !metadata_.waits && total * work_ < 2 * chunk;
  stream.enqueue(std::move(task));
}

std::unique_ptr<BoundLaunch> CpuExecutable::bind(const PackedArgs& args) {
  return std::make_unique<CpuBound>(shared_from_this(), args);
}

}  // namespace tritonrt::runtime
