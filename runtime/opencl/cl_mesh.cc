// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_mesh.h"

#include <algorithm>
#include <string>

#include "runtime/mesh.h"
#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

// So that the same place in the memories of a mesh's programs is not the same set of a cache.
constexpr std::uint64_t kSkew = 192;
constexpr std::uint64_t kPage = 4096;

std::uint64_t stride_of(const Metadata& metadata) {
  const std::uint64_t bytes = (metadata.mesh_bytes + 63) / 64 * 64;
  return std::max<std::uint64_t>(64, bytes + (bytes >= kPage ? kSkew : 0));
}

// PoCL unrolls work-groups of one or two items, and aborts the process where a barrier then stands
// in a loop.
bool unrolls(const ClDevice& device, std::uint64_t items) {
  return items == 2 && device.info().platform.find("Portable Computing") != std::string::npos;
}

// Why a mapping cannot run the launch; empty where it can.
std::string refuses_group(const ClDevice& device, const Metadata& metadata,
                          std::uint64_t together) {
  const std::uint64_t items = device.device().getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  const std::uint64_t local = device.info().local_bytes;
  if (!metadata.mesh_alike)
    return "programs of one work-group must reach each barrier equally often, and this kernel's do "
           "not";
  if (unrolls(device, together * metadata.work_items))
    return "this driver cannot run meshes of two programs in a work-group of two items; more "
           "programs, or the SIMT mapping, would do";
  if (together * metadata.work_items > items)
    return std::to_string(together) + " programs of " + std::to_string(metadata.work_items) +
           " work-items do not fit a work-group of " + std::to_string(items) + "; " +
           std::to_string(items / metadata.work_items) + " programs would";
  if (together * metadata.local_bytes > local)
    return std::to_string(together) + " programs with " + std::to_string(metadata.local_bytes) +
           " bytes of local memory do not fit the " + std::to_string(local) +
           " bytes of a work-group; " +
           std::to_string(local / std::max<std::uint64_t>(1, metadata.local_bytes)) +
           " programs would";
  return {};
}

std::string refuses_resident(const ClDevice& device, std::uint64_t together) {
  if (device.device().getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU)
    return "the driver of a CPU does not promise to run work-groups at the same time";
  const std::uint64_t units = device.info().compute_units;
  if (together > units)
    return std::to_string(together) + " work-groups that wait for each other do not fit the " +
           std::to_string(units) + " compute units; " + std::to_string(units) + " would";
  return {};
}

// A memory object that is released with its scope; commands that use it keep it.
class Memory {
 public:
  Memory(const cl::Context& context, std::uint64_t bytes, const std::string& kernel) {
    cl_int code = CL_SUCCESS;
    memory_ = clCreateBuffer(context(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
    if (code != CL_SUCCESS)
      throw cl_failure(code, "kernel '" + kernel + "': " + std::to_string(bytes) +
                                 " bytes of memory for its programs");
  }
  ~Memory() {
    if (memory_ != nullptr) clReleaseMemObject(memory_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  cl_mem get() const { return memory_; }

 private:
  cl_mem memory_ = nullptr;
};

}  // namespace

ClMeshPlan plan_mesh(const ClDevice& device, const Metadata& metadata, const Grid& grid) {
  ClMeshPlan plan;
  plan.mesh = mesh_of(grid, metadata);
  const std::uint64_t programs = std::uint64_t{grid.x} * grid.y * grid.z;
  plan.together = metadata.mesh_grid ? programs : plan.mesh.count();
  // Two meshes may share a group: they meet more often than they must.
  if (unrolls(device, plan.together * metadata.work_items) && programs % (2 * plan.together) == 0)
    plan.together *= 2;
  const std::string group = refuses_group(device, metadata, plan.together);
  const std::string resident = refuses_resident(device, plan.together);
  const std::string head = "kernel '" + metadata.kernel + "' on '" + device.info().name + "': ";
  const bool any = grid.mesh_mapping == MeshMapping::kDefault;
  if (group.empty() && (any || grid.mesh_mapping == MeshMapping::kGroup))
    plan.mapping = MeshMapping::kGroup;
  else if (resident.empty() && (any || grid.mesh_mapping == MeshMapping::kResident))
    plan.mapping = MeshMapping::kResident;
  else if (grid.mesh_mapping == MeshMapping::kSplit)
    throw Error(ErrorCode::kUnsupported, head + "kernels are not split at their barriers");
  else
    throw Error(ErrorCode::kUnsupported,
                head + (grid.mesh_mapping == MeshMapping::kResident ? resident
                        : grid.mesh_mapping == MeshMapping::kGroup  ? group
                                                                    : group + "; " + resident));
  plan.per_group = plan.mapping == MeshMapping::kGroup ? plan.together : 1;
  const std::uint64_t stride = stride_of(metadata);
  const std::uint64_t limit = std::min<std::uint64_t>(
      device.info().global_bytes / 4, device.device().getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>());
  if (plan.together > limit / stride)
    throw mesh_too_large(metadata, plan.together, plan.together * stride, limit, limit / stride);
  std::uint64_t sets = std::min(programs / plan.together, limit / (stride * plan.together));
  if (plan.mapping == MeshMapping::kResident)
    sets = std::min<std::uint64_t>(sets, device.info().compute_units / plan.together);
  plan.batch = sets * plan.together;
  return plan;
}

void enqueue_mesh(const ClDevice& device, const Metadata& metadata, const ClMeshPlan& plan,
                  cl_kernel kernel, cl_uint first_argument, cl_command_queue queue,
                  const Grid& grid) {
  const std::string& name = metadata.kernel;
  const cl_ulong stride = stride_of(metadata);
  const std::uint64_t programs = std::uint64_t{grid.x} * grid.y * grid.z;
  const Memory memory(device.context(), plan.batch * stride, name);
  const bool counts = plan.per_group == 1 && metadata.mesh_groups != 0;
  const std::uint64_t counter_bytes =
      std::max<std::uint64_t>(4, plan.batch * metadata.mesh_groups * sizeof(cl_uint));
  const Memory counters(device.context(), counts ? counter_bytes : sizeof(cl_uint), name);
  cl_uint index = first_argument;
  const auto set = [&](std::size_t size, const void* value) {
    const cl_int code = clSetKernelArg(kernel, index++, size, value);
    if (code != CL_SUCCESS) throw cl_failure(code, "kernel '" + name + "': setting its mesh");
  };
  const auto set_uint = [&](std::uint64_t value) {
    const auto narrow = static_cast<cl_uint>(value);
    set(sizeof narrow, &narrow);
  };
  for (std::uint64_t first = 0; first < programs; first += plan.batch) {
    const std::uint64_t now = std::min(plan.batch, programs - first);
    const cl_mem handles[] = {memory.get(), counters.get()};
    index = first_argument;
    set(sizeof(cl_mem), &handles[0]);
    set(sizeof stride, &stride);
    set(sizeof(cl_mem), &handles[1]);
    set(std::max<std::uint64_t>(1, plan.per_group * metadata.local_bytes), nullptr);
    for (const std::uint64_t value : {first, plan.batch, plan.per_group}) set_uint(value);
    for (const std::uint32_t size : {grid.x, grid.y, grid.z}) set_uint(size);
    for (const std::uint32_t size : {plan.mesh.x, plan.mesh.y, plan.mesh.z})
      set_uint(std::max(size, 1u));
    cl_int code = CL_SUCCESS;
    if (counts) {
      const cl_uint zero = 0;
      code = clEnqueueFillBuffer(queue, counters.get(), &zero, sizeof zero, 0, counter_bytes, 0,
                                 nullptr, nullptr);
    }
    const std::size_t local = plan.per_group * metadata.work_items;
    const std::size_t global = now * metadata.work_items;
    if (code == CL_SUCCESS)
      code =
          clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) throw cl_failure(code, "kernel '" + name + "': enqueuing it");
  }
}

}  // namespace tritonrt::runtime
