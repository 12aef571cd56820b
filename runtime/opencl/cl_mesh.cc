// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_mesh.h"

#include <algorithm>
#include <optional>
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

// Turns that are enqueued before the host looks whether all programs have ended: few at first, for
// kernels with few barriers.
constexpr unsigned kMostTurns = 16;

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
  if (device.is_cpu())
    return "the driver of a CPU does not promise to run work-groups at the same time";
  const std::uint64_t units = device.info().compute_units;
  if (together > units)
    return std::to_string(together) + " work-groups that wait for each other do not fit the " +
           std::to_string(units) + " compute units; " + std::to_string(units) + " would";
  return {};
}

std::string refuses_split(const ClDevice& device, const Metadata& metadata) {
  if (metadata.mesh_split == 0)
    return "a pointer into local memory outlives a barrier, so the kernel cannot be split there";
  // They make loops over the work-items of what stands between barriers, and a kernel that is split
  // goes on in the midst of such a piece.
  if (metadata.work_items > 1 && device.is_cpu())
    return "the driver of a CPU cannot run split kernels of several work-items a program; the "
           "vector mapping has one";
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
      refuses_split(device, metadata).empty())
    return MeshMapping::kSplit;
  std::string reasons;
  const auto holds = [&](MeshMapping mapping, const std::string& reason) {
    if (wanted != MeshMapping::kDefault && wanted != mapping) return false;
    if (!reason.empty()) reasons += (reasons.empty() ? "" : "; ") + reason;
    return reason.empty();
  };
  if (holds(MeshMapping::kGroup, refuses_group(device, metadata, together)))
    return MeshMapping::kGroup;
  if (holds(MeshMapping::kResident, refuses_resident(device, together)))
    return MeshMapping::kResident;
  if (holds(MeshMapping::kSplit, refuses_split(device, metadata))) return MeshMapping::kSplit;
  throw Error(ErrorCode::kUnsupported,
              "kernel '" + metadata.kernel + "' on '" + device.info().name + "': " + reasons);
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
  if (unrolls(device, plan.together * metadata.work_items) && programs % (2 * plan.together) == 0 &&
      grid.mesh_mapping != MeshMapping::kSplit)
    plan.together *= 2;
  plan.mapping = choose(device, metadata, plan.together, programs, grid.mesh_mapping);
  plan.per_group = plan.mapping == MeshMapping::kGroup ? plan.together : 1;
  const std::uint64_t stride = stride_of(metadata, plan.mapping);
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

namespace {

// One launch on its way into a queue.
class MeshEnqueue {
 public:
  MeshEnqueue(const ClDevice& device, const Metadata& metadata, const ClMeshPlan& plan,
              cl_kernel kernel, cl_uint first_argument, cl_command_queue queue, const Grid& grid)
      : metadata_(metadata),
        plan_(plan),
        kernel_(kernel),
        first_argument_(first_argument),
        queue_(queue),
        grid_(grid),
        stride_(stride_of(metadata, plan.mapping)),
        counts_(plan.per_group == 1 && metadata.mesh_groups != 0),
        counter_bytes_(counts_ ? plan.batch * metadata.mesh_groups * sizeof(cl_uint)
                               : sizeof(cl_uint)),
        memory_(device.context(), plan.batch * stride_, metadata.kernel),
        counters_(device.context(), counter_bytes_, metadata.kernel) {
    if (plan.mapping != MeshMapping::kSplit) return;
    seen_.emplace(device.context(), counter_bytes_, metadata.kernel);
    status_.emplace(device.context(), sizeof(Status), metadata.kernel);
  }

  void run() {
    const std::uint64_t programs = std::uint64_t{grid_.x} * grid_.y * grid_.z;
    for (std::uint64_t first = 0; first < programs; first += plan_.batch) {
      const std::uint64_t now = std::min(plan_.batch, programs - first);
      set_arguments(first);
      if (counts_) zero(counters_, counter_bytes_);
      if (status_)
        run_turns(now);
      else
        enqueue(now);
    }
  }

 private:
  // As kernel_abi.h says.
  struct Status {
    cl_uint moves;
    cl_uint ended;
    cl_uint waiting;
  };

  void check(cl_int code, const char* what) const {
    if (code != CL_SUCCESS) throw cl_failure(code, "kernel '" + metadata_.kernel + "': " + what);
  }

  void set(std::size_t size, const void* value) {
    check(clSetKernelArg(kernel_, index_++, size, value), "setting its mesh");
  }
  void set(const Memory& memory) {
    const cl_mem handle = memory.get();
    set(sizeof handle, &handle);
  }
  void set_uint(std::uint64_t value) {
    const auto narrow = static_cast<cl_uint>(value);
    set(sizeof narrow, &narrow);
  }

  void set_arguments(std::uint64_t first) {
    index_ = first_argument_;
    set(memory_);
    set(sizeof stride_, &stride_);
    set(counters_);
    set(std::max<std::uint64_t>(1, plan_.per_group * metadata_.local_bytes), nullptr);
    for (const std::uint64_t value : {first, plan_.batch, plan_.per_group}) set_uint(value);
    for (const std::uint32_t size : {grid_.x, grid_.y, grid_.z}) set_uint(size);
    for (const std::uint32_t size : {plan_.mesh.x, plan_.mesh.y, plan_.mesh.z})
      set_uint(std::max(size, 1u));
    if (!status_) return;
    set(*seen_);
    set(*status_);
  }

  void zero(const Memory& memory, std::size_t bytes) const {
    const cl_uint none = 0;
    check(clEnqueueFillBuffer(queue_, memory.get(), &none, sizeof none, 0, bytes, 0, nullptr,
                              nullptr),
          "clearing its counters");
  }

  void enqueue(std::uint64_t programs) const {
    const std::size_t local = plan_.per_group * metadata_.work_items;
    const std::size_t global = programs * metadata_.work_items;
    check(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &global, &local, 0, nullptr, nullptr),
          "enqueuing it");
  }

  // Turn after turn, until all programs have ended.
  void run_turns(std::uint64_t programs) {
    zero(*status_, sizeof(Status));
    const cl_uint turn_argument = index_;
    Status before = {};
    bool first = true;
    for (unsigned turns = 1;; turns = std::min(2 * turns, kMostTurns)) {
      for (unsigned i = 0; i < turns; ++i, first = false) {
        check(clEnqueueCopyBuffer(queue_, counters_.get(), seen_->get(), 0, 0, counter_bytes_, 0,
                                  nullptr, nullptr),
              "copying its counters");
        index_ = turn_argument;
        set_uint(first ? 0 : 1);
        enqueue(programs);
      }
      Status now = {};
      check(clEnqueueReadBuffer(queue_, status_->get(), CL_TRUE, 0, sizeof now, &now, 0, nullptr,
                                nullptr),
            "reading how far it has come");
      if (now.ended == programs) return;
      if (now.moves == before.moves)
        throw gave_up(metadata_, static_cast<std::int32_t>(now.waiting),
                      std::to_string(programs - now.ended) + " of " + std::to_string(programs) +
                          " programs wait for others that never come");
      before = now;
    }
  }

  const Metadata& metadata_;
  const ClMeshPlan& plan_;
  const cl_kernel kernel_;
  const cl_uint first_argument_;
  const cl_command_queue queue_;
  const Grid& grid_;
  const cl_ulong stride_;
  const bool counts_;  // programs meet at counters
  const std::size_t counter_bytes_;
  const Memory memory_;
  const Memory counters_;
  std::optional<Memory> seen_, status_;  // of a split kernel
  cl_uint index_ = 0;
};

}  // namespace

void enqueue_mesh(const ClDevice& device, const Metadata& metadata, const ClMeshPlan& plan,
                  cl_kernel kernel, cl_uint first_argument, cl_command_queue queue,
                  const Grid& grid) {
  MeshEnqueue(device, metadata, plan, kernel, first_argument, queue, grid).run();
}

}  // namespace tritonrt::runtime
