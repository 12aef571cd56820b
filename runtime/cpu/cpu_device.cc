// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/cpu_device.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "runtime/cpu/cpu_buffer.h"
#include "runtime/cpu/cpu_executable.h"
#include "runtime/cpu/cpu_recorded.h"
#include "runtime/cpu/cpu_stream.h"
#include "runtime/cpu/cpu_target.h"
#include "runtime/cpu/external_executor.h"
#include "runtime/cpu/system_memory.h"
#include "runtime/cpu/thread_pool.h"
#include "runtime/cpu/topology.h"
#include "runtime/fork.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
             : 0;
}

std::uint64_t level_one_bytes() {
#ifdef _SC_LEVEL1_DCACHE_SIZE
  const long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);
  if (bytes > 0) return static_cast<std::uint64_t>(bytes);
#endif
  return std::uint64_t{32} << 10;
}

DeviceInfo cpu_info() {
  DeviceInfo info;
  info.name = "cpu";
  info.platform = "native";
  info.device = processor_name();
  info.type = "cpu";
  info.driver = "tritonrt";
  info.compute_units = allowed_processors();
  info.local_bytes = level_one_bytes();
  info.global_bytes = physical_memory();
  info.sub_groups = false;
  info.fp16 = true;
  info.fp64 = true;
  info.mapping = Mapping::kVector;
  return info;
}

class CpuDriver final : public Driver {
 public:
  std::vector<DeviceInfo> list() override { return {cpu_info()}; }

  std::shared_ptr<DeviceImpl> open(std::string_view selector, Mapping mapping) override {
    if (!selector.empty())
      throw Error(ErrorCode::kInvalidArgument,
                  "'cpu:" + std::string(selector) + "' is not a device name: there is one cpu");
    if (mapping == Mapping::kSimt)
      throw Error(ErrorCode::kUnsupported, "the device 'cpu' has the vector mapping only");
    return device();
  }

  // The one device; a new one after shutdown and in a child of fork.
  std::shared_ptr<CpuDevice> device() {
    const std::lock_guard lock(mutex_);
    if (device_ == nullptr || device_->is_shut_down() || forks_ != fork_count()) {
      // What fork left cannot be ended in order: its threads are gone.
      if (device_ != nullptr && forks_ != fork_count()) new std::shared_ptr<CpuDevice>(device_);
      device_ = std::make_shared<CpuDevice>();
      device_->set_options(options_);
      device_->set_threads(threads_);
      forks_ = fork_count();
    }
    return device_;
  }

  void set_options(const CpuOptions& options) {
    std::shared_ptr<CpuDevice> current = device();
    current->set_options(options);
    const std::lock_guard lock(mutex_);
    options_ = options;
  }

  void set_threads(std::shared_ptr<tritonrt::Executor> threads) {
    device()->set_threads(threads);
    const std::lock_guard lock(mutex_);
    threads_ = std::move(threads);
  }

  static CpuDriver& instance() {
    static CpuDriver* driver = new CpuDriver;
    return *driver;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<CpuDevice> device_;
  CpuOptions options_;
  std::shared_ptr<tritonrt::Executor> threads_;
  unsigned forks_ = 0;
};

const bool added = add_built_in_driver("cpu", []() -> Driver& { return CpuDriver::instance(); });

}  // namespace

std::shared_ptr<CpuDevice> current_cpu_device() { return CpuDriver::instance().device(); }

CpuDevice::CpuDevice() : forks_(fork_count()) {
  memory_.set_up(std::make_shared<SystemMemory>(), {});
  info_ = cpu_info();
  target_ = cpu_target_text();
}

CpuDevice::~CpuDevice() = default;

int CpuDevice::suits(std::string_view target) const {
  return target == this->target() ? kSameTarget : cpu_suits(target);
}

std::string CpuDevice::portable_target() const { return cpu_portable_target_text(); }

void CpuDevice::check_open() const {
  if (is_shut_down())
    throw Error(ErrorCode::kInvalidArgument, "the device 'cpu' has been shut down: open it again");
  if (fork_count() != forks_)
    throw Error(ErrorCode::kInvalidArgument,
                "the device 'cpu' was opened before fork: open it again in the child");
}

Executor& CpuDevice::executor() {
  check_open();
  if (Executor* executor = executor_.load(std::memory_order_acquire)) return *executor;
  const std::lock_guard lock(mutex_);
  if (executor_.load(std::memory_order_relaxed) == nullptr) {
    if (external_ != nullptr)
      executors_.push_back(std::make_unique<ExternalExecutor>(external_, threads()));
    else
      executors_.push_back(std::make_unique<ThreadPool>(threads(), allowed_processors()));
    executor_.store(executors_.back().get(), std::memory_order_release);
  }
  return *executor_.load(std::memory_order_relaxed);
}

std::uint64_t CpuDevice::inline_work() const {
  // With one thread nothing is gained by handing a launch of some milliseconds to another one.
  constexpr std::uint64_t kAlone = std::uint64_t{1} << 23;
  const std::uint64_t shared = 2 * min_chunk_size();
  return threads() == 1 ? std::max(shared, kAlone) : shared;
}

void CpuDevice::set_options(const CpuOptions& options) {
  drain();
  const std::lock_guard lock(mutex_);
  const unsigned threads = options.threads != 0 ? options.threads : default_threads();
  if (threads != this->threads()) executor_.store(nullptr, std::memory_order_release);
  threads_.store(threads, std::memory_order_relaxed);
  constexpr std::uint64_t kMaxChunk = std::uint64_t{1} << 40;
  min_chunk_size_.store(std::clamp<std::uint64_t>(options.min_chunk_size, 1, kMaxChunk),
                        std::memory_order_relaxed);
}

void CpuDevice::set_threads(std::shared_ptr<tritonrt::Executor> threads) {
  drain();
  const std::lock_guard lock(mutex_);
  external_ = std::move(threads);
  executor_.store(nullptr, std::memory_order_release);
}

CpuOptions CpuDevice::options() {
  CpuOptions options;
  options.threads = threads();
  options.min_chunk_size = min_chunk_size();
  return options;
}

std::shared_ptr<StreamImpl> CpuDevice::create_stream(const StreamOptions& options) {
  check_open();
  auto stream =
      std::make_shared<CpuStream>(std::static_pointer_cast<CpuDevice>(shared_from_this()), options);
  const std::lock_guard lock(mutex_);
  std::erase_if(streams_, [](const std::weak_ptr<CpuStream>& s) { return s.expired(); });
  streams_.push_back(stream);
  return stream;
}

std::shared_ptr<BufferImpl> CpuDevice::allocate(std::size_t size) {
  check_open();
  return std::make_shared<CpuBuffer>(std::static_pointer_cast<CpuDevice>(shared_from_this()), size);
}

std::shared_ptr<BufferImpl> CpuDevice::wrap_host(void* data, std::size_t size) {
  check_open();
  return std::make_shared<CpuBuffer>(std::static_pointer_cast<CpuDevice>(shared_from_this()), data,
                                     size);
}

std::shared_ptr<Executable> CpuDevice::load(Artifact& artifact, const std::string& label) {
  check_open();
  return std::make_shared<CpuExecutable>(std::static_pointer_cast<CpuDevice>(shared_from_this()),
                                         artifact, label);
}

std::unique_ptr<RecordedWork> CpuDevice::record(const std::vector<WorkStep>& steps) {
  // A kernel that reports gets a place to report to at each launch.
  for (const WorkStep& step : steps)
    if (step.executable != nullptr &&
        static_cast<const CpuExecutable&>(*step.executable).metadata().reports != nullptr)
      return DeviceImpl::record(steps);
  return std::make_unique<CpuRecorded>(std::static_pointer_cast<CpuDevice>(shared_from_this()),
                                       steps);
}

std::vector<std::shared_ptr<CpuStream>> CpuDevice::busy_streams() {
  std::vector<std::shared_ptr<CpuStream>> busy;
  const std::lock_guard lock(mutex_);
  for (const std::weak_ptr<CpuStream>& weak : streams_)
    if (auto stream = weak.lock(); stream != nullptr && !stream->is_idle())
      busy.push_back(std::move(stream));
  return busy;
}

void CpuDevice::drain() {
  for (const std::shared_ptr<CpuStream>& stream : busy_streams()) stream->drain();
}

void CpuDevice::synchronize() {
  std::vector<std::shared_ptr<CpuStream>> all;
  {
    const std::lock_guard lock(mutex_);
    for (const std::weak_ptr<CpuStream>& weak : streams_)
      if (auto stream = weak.lock()) all.push_back(std::move(stream));
  }
  for (const std::shared_ptr<CpuStream>& stream : all) stream->finish(std::nullopt);
}

void CpuDevice::shutdown() {
  if (is_shut_down()) return;
  const std::vector<std::shared_ptr<CpuStream>> busy = busy_streams();
  for (const std::shared_ptr<CpuStream>& stream : busy) stream->stop(true);
  bool all_ended = true;
  for (const std::shared_ptr<CpuStream>& stream : busy) all_ended &= stream->wait_stopped();
  std::vector<std::unique_ptr<Executor>> ending;
  {
    const std::lock_guard lock(mutex_);
    shut_down_.store(true, std::memory_order_release);
    ending.swap(executors_);
  }
  // Threads that cannot be stopped are never waited for: what they are of stays.
  if (!all_ended) new std::vector<std::unique_ptr<Executor>>(std::move(ending));
  ending.clear();
  memory_.current().trim();
}

}  // namespace tritonrt::runtime

namespace tritonrt {

void set_cpu_options(const CpuOptions& options) {
  runtime::CpuDriver::instance().set_options(options);
}

void set_executor(std::shared_ptr<Executor> executor) {
  runtime::CpuDriver::instance().set_threads(std::move(executor));
}

CpuOptions cpu_options() { return runtime::CpuDriver::instance().device()->options(); }

}  // namespace tritonrt
