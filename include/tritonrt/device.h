// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DEVICE_H_
#define TRITONRT_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tritonrt/export.h"
#include "tritonrt/memory.h"

namespace tritonrt {

namespace runtime {
class DeviceImpl;
}

// How programs are laid onto a device: one thread a program with vector registers as lanes, or
// one work-group a program with work-items as lanes.
enum class Mapping : std::uint8_t {
  kDefault,  // vector on devices of type CPU, simt elsewhere
  kVector,
  kSimt,
};

TRITONRT_API std::string_view to_string(Mapping mapping) noexcept;

struct DeviceInfo {
  std::string name;      // how Device::open finds it: "cpu", "opencl:1"
  std::string platform;  // "native", or the OpenCL platform's name
  std::string device;    // the device's own name
  std::string type;      // "cpu", "gpu", "accelerator"
  std::string driver;    // driver version
  std::uint32_t compute_units = 0;
  std::uint64_t local_bytes = 0;   // local memory of a work-group
  std::uint64_t global_bytes = 0;  // device memory
  bool sub_groups = false;
  bool fp16 = false;
  bool fp64 = false;
  Mapping mapping = Mapping::kVector;  // the one in use, never kDefault
};

struct DeviceOptions {
  Mapping mapping = Mapping::kDefault;
};

// A device that runs kernels. A handle: copies name the same device, and opening the same name
// with the same options twice gives the same device. Thread safe.
class TRITONRT_API Device {
 public:
  // Every device of this machine, `cpu` first. A driver that is missing or broken adds none.
  static std::vector<DeviceInfo> list();

  // Opens `cpu`, `opencl` (= `opencl:0`), `opencl:N` (ICD order over all platforms) or
  // `opencl:TEXT` (the first whose platform or device name contains TEXT in any case).
  // Throws kNotFound where there is none, kUnsupported for a mapping the device has not, and
  // kInvalidArgument for a name of another form.
  static Device open(std::string_view name, const DeviceOptions& options = {});

  // No device; usable only as a target of assignment.
  Device() noexcept = default;

  const DeviceInfo& info() const;
  const std::string& name() const { return info().name; }

  // Text of sorted `key=value` lines that tells the compiler all it knows about the device. Part of
  // the cache key.
  const std::string& target() const;
  // The same for a compiler on another machine, which cannot ask this device itself.
  std::string portable_target() const;

  // Where buffers made from now on get their memory; at first a Pool over memory_upstream(), which
  // is the driver itself. Resources stay until the device goes.
  std::shared_ptr<MemoryResource> memory_resource() const;
  std::shared_ptr<MemoryResource> memory_upstream() const;
  void set_memory_resource(std::shared_ptr<MemoryResource> resource);
  // Of the pool that the device began with.
  MemoryStats memory_stats() const;
  // Gives back memory that is kept for reuse.
  void trim_memory();

  // Blocks until everything enqueued on the device has run.
  void synchronize();

  // Asks waiting kernels to give up, waits for what runs, and stops the device's threads. Later
  // work on the device is an error; opening it again starts it afresh. Idempotent. Optional at
  // the end of a process. Work that a time-out was thrown for is waited for half a second, and then
  // left to itself.
  void shutdown();

  explicit operator bool() const noexcept { return impl_ != nullptr; }
  friend bool operator==(const Device& a, const Device& b) noexcept { return a.impl_ == b.impl_; }
  friend bool operator!=(const Device& a, const Device& b) noexcept { return a.impl_ != b.impl_; }

  // For the library's own use.
  explicit Device(std::shared_ptr<runtime::DeviceImpl> impl) noexcept;
  const std::shared_ptr<runtime::DeviceImpl>& impl() const noexcept { return impl_; }

 private:
  std::shared_ptr<runtime::DeviceImpl> impl_;
};

// Settings of the CPU device's executor.
struct CpuOptions {
  // Threads that run one launch, the caller's among them while it waits; 0 takes OMP_NUM_THREADS,
  // or else the processors that affinity and the control group allow. With one, launches of up to
  // some milliseconds run on the thread that launches them.
  unsigned threads = 0;
  // Elements of work a thread must get before a launch uses another one.
  std::uint64_t min_chunk_size = 4096;
};

// Sets them for launches that follow; waits for running ones. Thread safe.
TRITONRT_API void set_cpu_options(const CpuOptions& options);
// What is in effect; `threads` is never 0.
TRITONRT_API CpuOptions cpu_options();

}  // namespace tritonrt

#endif  // TRITONRT_DEVICE_H_
