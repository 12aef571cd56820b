// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_DEVICE_H_
#define TRITONRT_RUNTIME_OPENCL_CL_DEVICE_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "runtime/driver.h"
#include "runtime/opencl/cl_addresses.h"
#include "runtime/opencl/cl_headers.h"
#include "runtime/opencl/cl_in_flight.h"
#include "runtime/opencl/cl_staging.h"

namespace tritonrt::runtime {

class ClExecutable;

// What launches ask of the driver, asked once.
struct ClLimits {
  std::uint64_t work_group = 0;      // work-items of one
  std::uint64_t local_argument = 0;  // bytes of local memory that arguments may take
  std::uint64_t allocation = 0;      // bytes of a memory object
};

// A device with a context of its own, or the application's. Devices of other drivers inherit it.
class TRITONRT_API ClDevice : public DeviceImpl {
 public:
  ClDevice(cl::Context context, cl::Device device, const std::string& name, Mapping mapping);
  ~ClDevice() override;

  std::shared_ptr<StreamImpl> create_stream(const StreamOptions& options) override;
  std::shared_ptr<BufferImpl> allocate(std::size_t size) override;
  std::shared_ptr<BufferImpl> wrap_host(void* data, std::size_t size) override;
  std::shared_ptr<StreamImpl> adopt_stream(void* object) override;
  std::shared_ptr<BufferImpl> adopt_buffer(void* object) override;
  std::shared_ptr<EventImpl> adopt_event(void* object) override;
  void* native_context() override { return context_(); }
  void* native_device() override { return device_(); }
  bool takes_host_pointers() const override { return false; }
  int suits(std::string_view target) const override;
  bool makes_binaries() const override { return true; }
  std::shared_ptr<Executable> load(Artifact& artifact, const std::string& label) override;
  void synchronize() override;
  void shutdown() override;

  const cl::Device& device() const { return device_; }
  const cl::Context& context() const { return context_; }
  bool is_cpu() const { return info().type == "cpu"; }
  const ClLimits& limits() const { return limits_; }
  const std::string& c_standard() const { return c_standard_; }
  bool is_shut_down() const { return shut_down_.load(std::memory_order_acquire); }
  // Waits for what every stream has enqueued.
  void drain();
  // Waits for all work; then gives a queue for work that blocks.
  cl_command_queue drained_queue();
  ClStaging& staging() { return staging_; }
  // Throws where the device was shut down, or made before a fork.
  void check_open() const override;
  // The numbers that stand for a memory object of the application's: buffers on one object overlap.
  std::pair<std::uint64_t, std::uint64_t> range_of(cl_mem root, std::size_t size);
  // The application got to know one of ours: what it makes of it may overlap anything.
  void hand_out(cl_mem memory);
  ClAddresses& addresses() { return *addresses_; }
  ClInFlight& in_flight() { return *in_flight_; }
  // Kernels that use memory by address have been loaded.
  void launches_unseen() { in_flight_->set_unseen(); }

 protected:
  // What `load` then builds.
  virtual std::shared_ptr<ClExecutable> make_executable(const Artifact& artifact,
                                                        const std::string& label);

 private:
  const cl::Device device_;
  const cl::Context context_;
  const cl::CommandQueue queue_;
  const std::string c_standard_;
  ClLimits limits_;
  ClStaging staging_;
  const std::shared_ptr<ClAddresses> addresses_;
  const std::shared_ptr<ClInFlight> in_flight_;
  std::atomic<bool> shut_down_{false};
  std::mutex mutex_;
  const unsigned forks_;
  // Under mutex_. By object; begin == 0 for one of ours that was handed out.
  std::map<cl_mem, std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_DEVICE_H_
