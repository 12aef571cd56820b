// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/nvidia/struct_launch.h"

#include <optional>
#include <utility>
#include <vector>

#include "runtime/opencl/cl_buffer.h"
#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"

namespace tritonrt::runtime {
namespace {

class StructBound final : public BoundLaunch {
 public:
  StructBound(std::shared_ptr<const StructExecutable> executable, const PackedArgs& args)
      : executable_(std::move(executable)),
        kernel_(executable_->create_kernel()),
        slots_(executable_->slot_count()) {
    for (std::size_t i = 0; i < args.count; ++i) set(i, args.slots[i], args.buffers[i]);
  }

  void launch(StreamImpl& stream, const Grid& grid) override {
    const std::optional<ClMeshPlan> plan = executable_->plan(grid);
    if (plan && plan->form() != nullptr) {
      const cl::Kernel kernel = executable_->create_kernel(plan->form());
      executable_->enqueue_slots(kernel(), stream, grid, plan, slots_.data(), true);
      return;
    }
    executable_->enqueue_slots(kernel_(), stream, grid, plan, slots_.data(), changed_);
    changed_ = false;
  }

  void set(std::size_t index, std::uint64_t slot, BufferImpl* buffer) override {
    slots_[index] = StructExecutable::slot_of(slot, buffer);
    changed_ = true;
  }

 private:
  const std::shared_ptr<const StructExecutable> executable_;
  const cl::Kernel kernel_;
  std::vector<std::uint64_t> slots_;
  bool changed_ = true;  // since the kernel object got them
};

}  // namespace

StructExecutable::StructExecutable(std::shared_ptr<ClDevice> device, const Artifact& artifact,
                                   const std::string& label)
    : ClExecutable(device, artifact, label, slots_of(artifact.metadata) != 0 ? 1 : 0),
      own_count_(artifact.metadata.parameters.size()),
      slot_count_(slots_of(artifact.metadata)) {
  device->launches_unseen();
}

std::uint64_t StructExecutable::slot_of(std::uint64_t slot, BufferImpl* buffer) {
  // What others count from the memory object's first byte starts at its address here.
  return buffer == nullptr ? slot : slot + static_cast<ClBuffer*>(buffer)->memory_address();
}

void StructExecutable::give(cl_kernel kernel, const std::uint64_t* slots) const {
  if (slot_count_ == 0) return;
  const cl_int code = clSetKernelArg(kernel, 0, slot_count_ * sizeof(*slots), slots);
  if (code != CL_SUCCESS) throw cl_failure(code, "kernel '" + name() + "': setting its arguments");
}

void StructExecutable::enqueue_slots(cl_kernel kernel, StreamImpl& stream, const Grid& grid,
                                     const std::optional<ClMeshPlan>& plan, std::uint64_t* slots,
                                     bool changed) const {
  if (!has_extras()) {
    if (changed) give(kernel, slots);
    enqueue(kernel, stream, grid, plan);
    return;
  }
  const auto set = [&](std::size_t place, std::uint64_t slot, BufferImpl* buffer) {
    slots[own_count_ + place] = slot_of(slot, buffer);
    if (own_count_ + place + 1 == slot_count_) give(kernel, slots);
  };
  with_extras(kernel, stream, grid, plan, set);
}

void StructExecutable::launch(StreamImpl& stream, const Grid& grid, const PackedArgs& args) {
  constexpr std::size_t kInline = 32;
  std::uint64_t few[kInline];
  std::vector<std::uint64_t> many;
  std::uint64_t* slots = few;
  if (slot_count_ > kInline) {
    many.resize(slot_count_);
    slots = many.data();
  }
  for (std::size_t i = 0; i < args.count; ++i) slots[i] = slot_of(args.slots[i], args.buffers[i]);
  const std::optional<ClMeshPlan> plan = this->plan(grid);
  with_kernel(plan,
              [&](cl_kernel kernel) { enqueue_slots(kernel, stream, grid, plan, slots, true); });
}

std::unique_ptr<BoundLaunch> StructExecutable::bind(const PackedArgs& args) {
  return std::make_unique<StructBound>(
      std::static_pointer_cast<const StructExecutable>(shared_from_this()), args);
}

}  // namespace tritonrt::runtime
