// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_CPU_DEVICE_H_
#define TRITONRT_RUNTIME_CPU_CPU_DEVICE_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/cpu/executor.h"
#include "runtime/cpu/mesh_memory.h"
#include "runtime/driver.h"
#include "tritonrt/executor.h"

namespace tritonrt::runtime {

class CpuStream;

class CpuDevice final : public DeviceImpl {
 public:
  CpuDevice();
  ~CpuDevice() override;

  std::shared_ptr<StreamImpl> create_stream(const StreamOptions& options) override;
  std::shared_ptr<BufferImpl> allocate(std::size_t size) override;
  std::shared_ptr<BufferImpl> wrap_host(void* data, std::size_t size) override;
  bool takes_host_pointers() const override { return true; }
  int suits(std::string_view target) const override;
  std::string portable_target() const override;
  std::shared_ptr<Executable> load(Artifact& artifact, const std::string& label) override;
  std::unique_ptr<RecordedWork> record(const std::vector<WorkStep>& steps) override;
  void synchronize() override;
  void shutdown() override;

  // The executor in use. Made on first call; throws kInvalidArgument after shutdown or in a child
  // of fork, whose threads are gone.
  Executor& executor();
  void set_options(const CpuOptions& options);
  CpuOptions options();
  // Null: the library's own threads.
  void set_threads(std::shared_ptr<tritonrt::Executor> threads);
  std::uint64_t min_chunk_size() const { return min_chunk_size_.load(std::memory_order_relaxed); }
  // A launch of less work runs on the thread that launches it, if its stream is idle.
  std::uint64_t inline_work() const;
  unsigned threads() const { return threads_.load(std::memory_order_relaxed); }
  MeshMemoryPool& mesh_memory() { return mesh_memory_; }
  bool is_shut_down() const { return shut_down_.load(std::memory_order_acquire); }
  // Throws where the device was shut down, or made before a fork.
  void check_open() const override;
  // Waits for all work, and leaves errors to the streams.
  void drain();

 private:
  std::vector<std::shared_ptr<CpuStream>> busy_streams();

  const unsigned forks_;
  MeshMemoryPool mesh_memory_;
  std::mutex mutex_;
  // Under mutex_. Those that changed options retired stay, asleep, for launches that still use
  // them.
  std::vector<std::unique_ptr<Executor>> executors_;
  std::atomic<Executor*> executor_{nullptr};      // the one in use
  std::shared_ptr<tritonrt::Executor> external_;  // under mutex_
  std::atomic<unsigned> threads_{1};
  std::atomic<std::uint64_t> min_chunk_size_{4096};
  std::atomic<bool> shut_down_{false};
  std::vector<std::weak_ptr<CpuStream>> streams_;  // under mutex_
};

// The process's CPU device.
std::shared_ptr<CpuDevice> current_cpu_device();

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_CPU_DEVICE_H_
