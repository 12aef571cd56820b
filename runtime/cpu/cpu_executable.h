// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_CPU_EXECUTABLE_H_
#define TRITONRT_RUNTIME_CPU_CPU_EXECUTABLE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "compiler/api/kernel_abi.h"
#include "runtime/driver.h"

namespace tritonrt::runtime {

class CpuDevice;
class CpuStream;

// A kernel's shared object, loaded from memory.
class CpuExecutable final : public Executable, public std::enable_shared_from_this<CpuExecutable> {
 public:
  // Throws kDeviceError where the object cannot be loaded.
  CpuExecutable(std::shared_ptr<CpuDevice> device, const Artifact& artifact,
                const std::string& label);
  ~CpuExecutable() override;

  void launch(StreamImpl& stream, const Grid& grid, const PackedArgs& args) override;
  std::unique_ptr<BoundLaunch> bind(const PackedArgs& args) override;
  std::string mesh_mapping(const Grid&) const override { return metadata_.mesh ? "fibres" : ""; }

  trt_entry_fn entry() const { return entry_; }
  const Metadata& metadata() const { return metadata_; }
  CpuDevice& device() const { return *device_; }
  // Elements of work a program, at least 1.
  std::uint64_t work() const { return work_; }
  // Whether a launch is too small for a second thread and may run where it is called.
  bool runs_inline(const Grid& grid) const;

 private:
  void start(CpuStream& stream, const Grid& grid, const PackedArgs& args);
  void launch_inline(CpuStream& stream, const Grid& grid, const std::uint64_t* slots);

  std::shared_ptr<CpuDevice> device_;
  Metadata metadata_;
  void* library_ = nullptr;
  trt_entry_fn entry_ = nullptr;
  std::uint64_t work_;  // elements a program, capped so that a launch's sum fits
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_CPU_EXECUTABLE_H_
