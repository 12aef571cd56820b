// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_mesh.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compiler/api/kernel_abi.h"
#include "runtime/mesh.h"
#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"
#include "runtime/opencl/cl_target.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

// So that the same place in the memories of a mesh's programs is not the same set of a cache.
constexpr std::uint64_t kSkew = 192;
constexpr std::uint64_t kPage = 4096;
// Behind the local memory of a group: what its items are told of a stop (kernel_abi.h).
constexpr std::uint64_t kStopBytes = 4;
// Memory that a stream keeps: what plan_spilled makes cheap, and more.
constexpr std::uint64_t kMostKept = std::uint64_t{128} << 20;

std::uint64_t stop_bytes(const Metadata& metadata) {
  return metadata.stop && metadata.mesh_groups != 0 ? kStopBytes : 0;
}

// Bytes of local memory that the programs of a group have, beside the stop word's.
std::uint64_t local_bytes(const Metadata& metadata, std::uint64_t per_group, bool local) {
  return per_group * (metadata.local_bytes + (local ? metadata.mesh_local : 0));
}

std::uint64_t stride_of(const Metadata& metadata, MeshMapping mapping) {
  const std::uint64_t whole =
      mapping == MeshMapping::kSplit ? metadata.mesh_split : metadata.mesh_bytes;
  const std::uint64_t bytes = (whole + 63) / 64 * 64;
  return std::max<std::uint64_t>(64, bytes + (bytes >= kPage ? kSkew : 0));
}

// PoCL unrolls work-groups of one or two items, and aborts the process where a barrier then stands
// in a loop.
bool unrolls(const ClDevice& device, std::uint64_t items) {
  return items == 2 && device.info().platform.find("Portable Computing") != std::string::npos;
}

// The fewest of `meshes`, but not one, that groups can hold with none left over; 1 if there are
// many.
std::uint64_t meshes_a_group(std::uint64_t meshes) {
  constexpr std::uint64_t kMost = 16;
  for (std::uint64_t count = 2; count <= std::min(kMost, meshes); ++count)
    if (meshes % count == 0) return count;
  return 1;
}

// Why a mapping cannot run the launch; empty where it can.
std::string refuses_group(const ClDevice& device, const Metadata& metadata,
                          std::uint64_t together) {
  const std::uint64_t items = device.limits().work_group;
  const std::uint64_t local = device.limits().local_argument;
  if (!metadata.mesh_alike)
    return "programs of one work-group must reach each barrier equally often, and this kernel's do "
           "not";
  if (unrolls(device, together * metadata.work_items))
    return "this driver cannot run a mesh of two programs alone in a work-group of two items; more "
           "programs or meshes, the SIMT mapping, or --mesh-mapping split would do";
  if (together * metadata.work_items > items)
    return std::to_string(together) + " programs of " + std::to_string(metadata.work_items) +
           " work-items do not fit a work-group of " + std::to_string(items) + "; " +
           std::to_string(items / metadata.work_items) + " programs would";
  if (local_bytes(metadata, together, false) + stop_bytes(metadata) > local)
    return std::to_string(together) + " programs with " + std::to_string(metadata.local_bytes) +
           " bytes of local memory do not fit the " + std::to_string(local) +
           " bytes of a work-group; " +
           std::to_string((local - stop_bytes(metadata)) /
                          std::max<std::uint64_t>(1, metadata.local_bytes)) +
           " programs would";
  return {};
}

// Do the programs of a group reach each other through its local memory? That of a CPU is memory
// like any other, and takes another build: where the mapping is asked for, as on other devices.
bool is_local(const ClDevice& device, const Metadata& metadata, std::uint64_t together,
              const Grid& grid) {
  return metadata.mesh_local != 0 &&
         local_bytes(metadata, together, true) + stop_bytes(metadata) <=
             device.limits().local_argument &&
         (!device.is_cpu() || grid.mesh_mapping == MeshMapping::kGroup);
}

std::string refuses_resident(const ClDevice& device, const Metadata& metadata,
                             std::uint64_t together) {
  if (device.is_cpu())
    return "the driver of a CPU does not promise to run work-groups at the same time";
  const std::uint64_t units = device.info().compute_units;
  if (together > units)
    return std::to_string(together) + " work-groups that wait for each other do not fit the " +
           std::to_string(units) + " compute units; " + std::to_string(units) + " would";
  if (metadata.local_bytes + stop_bytes(metadata) > device.limits().local_argument)
    return "a program's " + std::to_string(metadata.local_bytes) +
           " bytes of local memory leave no room for the word that stops it";
  return {};
}

std::string refuses_split(const Metadata& metadata) {
  if (metadata.mesh_split == 0)
    return "a pointer into local memory outlives a barrier, so the kernel cannot be split there";
  return {};
}

// A CPU runs a work-group on one thread, and the programs of a turn on all: worth the turns where
// programs have much to do and meshes are fewer than threads.
bool turns_pay(const ClDevice& device, const Metadata& metadata, std::uint64_t sets) {
  constexpr std::uint64_t kWork = 1 << 16;  // elements a program
  return device.is_cpu() && metadata.work >= kWork && sets < device.info().compute_units;
}

// The mapping of a launch: the one asked for, or the first that holds. A work-group has the
// cheapest barriers, turns the dearest.
MeshMapping choose(const ClDevice& device, const Metadata& metadata, std::uint64_t together,
                   std::uint64_t programs, MeshMapping wanted) {
  if (wanted == MeshMapping::kDefault && turns_pay(device, metadata, programs / together) &&
      refuses_split(metadata).empty())
    return MeshMapping::kSplit;
  std::string reasons;
  const auto holds = [&](MeshMapping mapping, const std::string& reason) {
    if (wanted != MeshMapping::kDefault && wanted != mapping) return false;
    if (!reason.empty()) reasons += (reasons.empty() ? "" : "; ") + reason;
    return reason.empty();
  };
  if (holds(MeshMapping::kGroup, refuses_group(device, metadata, together)))
    return MeshMapping::kGroup;
  if (holds(MeshMapping::kResident, refuses_resident(device, metadata, together)))
    return MeshMapping::kResident;
  if (holds(MeshMapping::kSplit, refuses_split(metadata))) return MeshMapping::kSplit;
  throw Error(ErrorCode::kUnsupported,
              "kernel '" + metadata.kernel + "' on '" + device.info().name + "': " + reasons);
}

// Bytes of all programs that are enqueued at once.
std::uint64_t memory_limit(const ClDevice& device) {
  return std::min(device.info().global_bytes / 4, device.limits().allocation);
}

void set_sizes(ClMeshPlan& plan, const Metadata& metadata) {
  plan.counts = plan.per_group == 1 && metadata.mesh_groups != 0;
  plan.memory_bytes = plan.batch * plan.stride;
  plan.counter_bytes = sizeof(cl_uint) * (plan.counts ? plan.batch * metadata.mesh_groups : 1);
}

// Programs that talk to nobody: as many at a time as keep the device busy.
ClMeshPlan plan_spilled(const ClDevice& device, const Metadata& metadata, std::uint64_t programs) {
  constexpr std::uint64_t kGroupsPerUnit = 8, kCheap = std::uint64_t{64} << 20;
  const std::uint64_t stride = stride_of(metadata, MeshMapping::kGroup);
  const std::uint64_t limit = memory_limit(device);
  if (stride > limit)
    throw Error(ErrorCode::kUnsupported, "kernel '" + metadata.kernel + "': a program needs " +
                                             std::to_string(stride) + " bytes of memory beside " +
                                             std::to_string(metadata.local_bytes) +
                                             " bytes of local memory; '" + device.info().name +
                                             "' gives " + std::to_string(limit));
  ClMeshPlan plan;
  plan.mesh = Mesh(1);
  plan.batch = std::max(kGroupsPerUnit * device.info().compute_units, kCheap / stride);
  plan.batch = std::min({plan.batch, programs, limit / stride});
  plan.stride = stride;
  set_sizes(plan, metadata);
  return plan;
}

}  // namespace

ClMeshPlan plan_mesh(const ClDevice& device, const Metadata& metadata, const Grid& grid) {
  if (metadata.spills)
    return plan_spilled(device, metadata, std::uint64_t{grid.x} * grid.y * grid.z);
  ClMeshPlan plan;
  plan.mesh = mesh_of(grid, metadata);
  const std::uint64_t programs = std::uint64_t{grid.x} * grid.y * grid.z;
  plan.together = metadata.mesh_grid ? programs : plan.mesh.count();
  // Some meshes may share a group: they meet more often than they must.
  if (unrolls(device, plan.together * metadata.work_items) &&
      grid.mesh_mapping != MeshMapping::kSplit)
    plan.together *= meshes_a_group(programs / plan.together);
  plan.mapping = choose(device, metadata, plan.together, programs, grid.mesh_mapping);
  plan.local =
      plan.mapping == MeshMapping::kGroup && is_local(device, metadata, plan.together, grid);
  plan.per_group = plan.mapping == MeshMapping::kGroup ? plan.together : 1;
  plan.stride = stride_of(metadata, plan.mapping);
  const std::uint64_t limit = memory_limit(device);
  if (plan.together > limit / plan.stride)
    throw mesh_too_large(metadata, plan.together, plan.together * plan.stride, limit,
                         limit / plan.stride);
  std::uint64_t sets = std::min(programs / plan.together, limit / (plan.stride * plan.together));
  if (plan.mapping == MeshMapping::kResident)
    sets = std::min<std::uint64_t>(sets, device.info().compute_units / plan.together);
  plan.batch = sets * plan.together;
  set_sizes(plan, metadata);
  return plan;
}

const char* ClMeshPlan::form() const {
  return mapping == MeshMapping::kSplit ? TRITONRT_MESH_SPLIT
         : local                        ? TRITONRT_MESH_LOCAL
                                        : nullptr;
}

cl::Buffer make_mesh_buffer(const ClDevice& device, const Metadata& metadata, std::uint64_t bytes) {
  cl_int code = CL_SUCCESS;
  cl::Buffer memory(clCreateBuffer(device.context()(), CL_MEM_READ_WRITE, bytes, nullptr, &code));
  if (code != CL_SUCCESS)
    throw cl_failure(code, "kernel '" + metadata.kernel + "': " + std::to_string(bytes) +
                               " bytes of memory for its programs");
  return memory;
}

ClMeshMemory make_mesh_memory(const ClDevice& device, const Metadata& metadata,
                              const ClMeshPlan& plan) {
  return {make_mesh_buffer(device, metadata, plan.memory_bytes),
          make_mesh_buffer(device, metadata, plan.counter_bytes)};
}

ClMeshMemory ClKeptMeshMemory::at_least(const ClDevice& device, const Metadata& metadata,
                                        const ClMeshPlan& plan) {
  if (plan.memory_bytes <= memory_bytes_ && plan.counter_bytes <= counter_bytes_) return memory_;
  ClMeshMemory made = make_mesh_memory(device, metadata, plan);
  if (plan.memory_bytes + plan.counter_bytes > kMostKept) return made;
  if (memory_bytes_ != 0) outgrown_.push_back(memory_);
  memory_ = made;
  memory_bytes_ = plan.memory_bytes;
  counter_bytes_ = plan.counter_bytes;
  return made;
}

void ClKeptMeshMemory::forget_outgrown() {
  std::vector<ClMeshMemory> gone;
  const std::lock_guard lock(mutex_);
  gone.swap(outgrown_);
}

ClMeshLaunch::ClMeshLaunch(std::shared_ptr<const Metadata> metadata, const ClMeshPlan& plan,
                           ClMeshMemory memory, cl_kernel kernel, cl_uint first_argument,
                           const Grid& grid)
    : metadata_(std::move(metadata)),
      plan_(plan),
      grid_(grid),
      kernel_(kernel),
      first_argument_(first_argument),
      memory_(std::move(memory)) {}

void ClMeshLaunch::check(cl_int code, const char* what) const {
  if (code != CL_SUCCESS) throw cl_failure(code, "kernel '" + metadata_->kernel + "': " + what);
}

void ClMeshLaunch::set(std::size_t size, const void* value) {
  check(clSetKernelArg(kernel_, index_++, size, value), "setting its mesh");
}

void ClMeshLaunch::set(const cl::Buffer& memory) {
  const cl_mem handle = memory();
  set(sizeof handle, &handle);
}

void ClMeshLaunch::set_uint(std::uint64_t value) {
  const auto narrow = static_cast<cl_uint>(value);
  set(sizeof narrow, &narrow);
}

void ClMeshLaunch::begin(cl_command_queue queue, std::uint64_t first) {
  index_ = first_argument_;
  const cl_ulong stride = plan_.stride;
  set(memory_.programs);
  set(sizeof stride, &stride);
  set(memory_.counters);
  set(std::max<std::uint64_t>(
          1, local_bytes(*metadata_, plan_.per_group, plan_.local) + stop_bytes(*metadata_)),
      nullptr);
  for (const std::uint64_t value : {first, plan_.batch, plan_.per_group}) set_uint(value);
  for (const std::uint32_t size : {grid_.x, grid_.y, grid_.z}) set_uint(size);
  for (const std::uint32_t size : {plan_.mesh.x, plan_.mesh.y, plan_.mesh.z})
    set_uint(std::max(size, 1u));
  if (plan_.counts) zero(queue, memory_.counters, plan_.counter_bytes);
}

void ClMeshLaunch::zero(cl_command_queue queue, const cl::Buffer& memory, std::size_t bytes) const {
  const cl_uint none = 0;
  check(clEnqueueFillBuffer(queue, memory(), &none, sizeof none, 0, bytes, 0, nullptr, nullptr),
        "clearing its counters");
}

void ClMeshLaunch::enqueue(cl_command_queue queue, std::uint64_t programs) const {
  const std::size_t local = plan_.per_group * metadata_->work_items;
  const std::size_t global = programs * metadata_->work_items;
  check(clEnqueueNDRangeKernel(queue, kernel_, 1, nullptr, &global, &local, 0, nullptr, nullptr),
        "enqueuing it");
}

void ClMeshLaunch::run(cl_command_queue queue) {
  for (std::uint64_t first = 0; first < programs(); first += plan_.batch) {
    begin(queue, first);
    enqueue(queue, batch_from(first));
  }
}

}  // namespace tritonrt::runtime
