// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_NVIDIA_STRUCT_LAUNCH_H_
#define TRITONRT_RUNTIME_NVIDIA_STRUCT_LAUNCH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/opencl/cl_executable.h"

namespace tritonrt::runtime {

// What metadata calls the form: all parameters in one struct, with addresses in it.
inline constexpr std::string_view kStructArguments = "struct";

// A kernel whose parameters are one struct by value. The driver copies it as it is and looks up no
// memory object, so a launch costs a fifth less than with a cl_mem a pointer. In turn it does not
// know what memory the kernel uses: the device keeps what is released until its work has run.
class StructExecutable final : public ClExecutable {
 public:
  StructExecutable(std::shared_ptr<ClDevice> device, const Artifact& artifact,
                   const std::string& label);

  void launch(StreamImpl& stream, const Grid& grid, const PackedArgs& args) override;
  std::unique_ptr<BoundLaunch> bind(const PackedArgs& args) override;

  // Slots of all parameters, those behind the kernel's own included.
  std::size_t slot_count() const { return slot_count_; }
  // What a parameter's slot holds: of a pointer, its address.
  static std::uint64_t slot_of(std::uint64_t slot, BufferImpl* buffer);
  // Enqueues with these slots; `changed` says whether the kernel object has them already.
  void enqueue_slots(cl_kernel kernel, StreamImpl& stream, const Grid& grid,
                     const std::optional<ClMeshPlan>& plan, std::uint64_t* slots,
                     bool changed) const;

 private:
  static std::size_t slots_of(const Metadata& metadata) {
    return metadata.parameters.size() + extras_of(metadata);
  }
  void give(cl_kernel kernel, const std::uint64_t* slots) const;

  const std::size_t own_count_;
  const std::size_t slot_count_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_NVIDIA_STRUCT_LAUNCH_H_
