// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_executable.h"

#include <bit>
#include <set>
#include <utility>

#include "runtime/opencl/cl_buffer.h"
#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"
#include "runtime/opencl/cl_mesh.h"
#include "runtime/opencl/cl_split_run.h"
#include "runtime/opencl/cl_stream.h"
#include "runtime/opencl/cl_trace.h"
#include "runtime/reports.h"

namespace tritonrt::runtime {
namespace {

class ClBound final : public BoundLaunch {
 public:
  ClBound(std::shared_ptr<ClExecutable> executable, const PackedArgs& args)
      : executable_(std::move(executable)),
        kernel_(executable_->create_kernel()),
        slots_(args.slots, args.slots + args.count),
        buffers_(args.buffers, args.buffers + args.count) {
    executable_->set_all(kernel_(), args);
  }
  void launch(StreamImpl& stream, const Grid& grid) override {
    const std::optional<ClMeshPlan> plan = executable_->plan(grid);
    if (plan && plan->form() != nullptr)
      return executable_->launch(plan, stream, grid,
                                 {slots_.data(), buffers_.data(), slots_.size()});
    executable_->enqueue_set(kernel_(), stream, grid, plan);
  }
  void set(std::size_t index, std::uint64_t slot, BufferImpl* buffer) override {
    executable_->set(kernel_(), index, slot, buffer, buffers_[index] != buffer);
    slots_[index] = slot;
    buffers_[index] = buffer;
  }

 private:
  const std::shared_ptr<ClExecutable> executable_;
  const cl::Kernel kernel_;
  std::vector<std::uint64_t> slots_;
  std::vector<BufferImpl*> buffers_;
};

// The same text for as long as the process runs: streams name the last kernel by it.
const std::string& kept_name(const std::string& name) {
  static std::mutex* mutex = new std::mutex;
  static auto* names = new std::set<std::string>;
  const std::lock_guard lock(*mutex);
  return *names->insert(name).first;
}

}  // namespace

ClExecutable::ClExecutable(std::shared_ptr<ClDevice> device, const Artifact& artifact,
                           const std::string& label)
    : ClExecutable(std::move(device), artifact, label, 0) {
  lay_out();
}

ClExecutable::ClExecutable(std::shared_ptr<ClDevice> device, const Artifact& artifact,
                           const std::string& label, cl_uint arguments)
    : device_(std::move(device)),
      name_(kept_name(label)),
      entry_(artifact.metadata.entry),
      work_items_(artifact.metadata.work_items),
      build_options_("-cl-std=CL" + device_->c_standard()),
      metadata_(std::make_shared<const Metadata>(artifact.metadata)),
      extras_(extras_of(artifact.metadata)),
      mesh_source_(artifact.metadata.mesh ? artifact.code : std::string()),
      arguments_(arguments),
      split_turns_(std::make_shared<std::atomic<unsigned>>(1)) {
  // Division and square roots are exact where the device can: by default they may be off by 3 ulp.
  if (device_->device().getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
    build_options_ += " -cl-fp32-correctly-rounded-divide-sqrt";
  if (!artifact.metadata.build_options.empty())
    build_options_ += " " + artifact.metadata.build_options;
  check_limits();
}

ClExecutable::~ClExecutable() {
  try {
    device_->in_flight().keep_while_late(program_);
    for (const auto& [form, program] : forms_) device_->in_flight().keep_while_late(program);
  } catch (const std::bad_alloc&) {
    // Released at once, then.
  }
}

void ClExecutable::build(Artifact& artifact) {
  if (!artifact.device_binary.empty() && build_from_binary(artifact)) return;
  build_from_code(artifact);
}

cl::Program ClExecutable::create_program(const std::string& code) const {
  return cl::Program(device_->context(), code);
}

void ClExecutable::check_limits() const {
  const Metadata& metadata = *metadata_;
  const std::uint64_t local = device_->info().local_bytes;
  if (metadata.local_bytes > local)
    throw Error(ErrorCode::kUnsupported, "kernel '" + name_ + "' needs " +
                                             std::to_string(metadata.local_bytes) +
                                             " bytes of local memory; '" + device_->info().name +
                                             "' has " + std::to_string(local));
  const std::size_t items = device_->limits().work_group;
  if (work_items_ > items)
    throw Error(ErrorCode::kUnsupported,
                "kernel '" + name_ + "' needs work-groups of " + std::to_string(work_items_) +
                    " items; '" + device_->info().name + "' has at most " + std::to_string(items) +
                    (items < 32 ? ""
                                : ", as num_warps=" + std::to_string(std::bit_floor(items) / 32) +
                                      " asks for"));
}

void ClExecutable::lay_out() {
  const auto add = [this](bool pointer, std::size_t bytes) {
    parameters_.push_back({arguments_, pointer, static_cast<std::uint8_t>(bytes)});
    arguments_ += pointer ? 2 : 1;
  };
  for (const Parameter& p : metadata_->parameters)
    add(p.kind != Parameter::Kind::kScalar, size_of(p.dtype));
  if (metadata_->reports != nullptr) {
    add(true, 0);
    add(false, sizeof(std::uint32_t));
  }
  if (metadata_->stop) add(true, 0);
}

bool ClExecutable::build_from_binary(const Artifact& artifact) {
  try {
    const std::vector<unsigned char> bytes(artifact.device_binary.begin(),
                                           artifact.device_binary.end());
    program_ = cl::Program(device_->context(), {device_->device()}, {bytes});
    program_.build({device_->device()}, build_options_.c_str());
    kernel_ = create_kernel();
    return true;
  } catch (const cl::Error&) {
    // Made by another version of the driver, whatever it called itself.
    return false;
  } catch (const Error&) {
    return false;
  }
}

cl::Program ClExecutable::build_code(const std::string& code, const std::string& options) const {
  cl::Program program;
  try {
    program = create_program(code);
    program.build({device_->device()}, options.c_str());
  } catch (const cl::Error& error) {
    std::string log;
    try {
      log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_->device());
    } catch (const cl::Error&) {
      // Not even a program.
    }
    throw Error(ErrorCode::kCompileFailed, "kernel '" + name_ + "': the driver of '" +
                                               device_->info().name +
                                               "' refuses it: " + cl_error_name(error.err()) +
                                               (log.empty() ? "" : "\n" + log));
  }
  return program;
}

void ClExecutable::build_from_code(Artifact& artifact) {
  artifact.device_binary.clear();
  program_ = build_code(artifact.code, build_options_);
  kernel_ = create_kernel();
  try {
    const auto binaries = program_.getInfo<CL_PROGRAM_BINARIES>();
    if (!binaries.empty()) artifact.device_binary.assign(binaries[0].begin(), binaries[0].end());
  } catch (const cl::Error&) {
    // Without a binary the next process builds from source again.
  }
}

std::optional<ClMeshPlan> ClExecutable::plan(const Grid& grid) const {
  if (!metadata_->mesh) return std::nullopt;
  return plan_mesh(*device_, *metadata_, grid);
}

cl::Kernel ClExecutable::create_kernel(const char* form) const {
  const std::lock_guard lock(forms_mutex_);
  cl::Program& program = forms_[form];
  if (program() == nullptr) program = build_code(mesh_source_, build_options_ + " -D" + form);
  return create_kernel(program);
}

cl::Kernel ClExecutable::create_kernel(const cl::Program& program) const {
  cl_int code = CL_SUCCESS;
  cl::Kernel kernel(clCreateKernel(program(), entry_.c_str(), &code));
  if (code != CL_SUCCESS)
    throw cl_failure(code, "kernel '" + name_ + "': no entry '" + entry_ + "'");
  return kernel;
}

void ClExecutable::set(cl_kernel kernel, std::size_t p, std::uint64_t slot, BufferImpl* buffer,
                       bool buffer_changed) const {
  const ClParameter& parameter = parameters_[p];
  cl_int code = CL_SUCCESS;
  if (!parameter.pointer) {
    // The machine is little-endian, as every OpenCL device: the low bytes come first.
    code = clSetKernelArg(kernel, parameter.index, parameter.bytes, &slot);
  } else {
    if (buffer_changed) {
      const cl_mem memory = buffer != nullptr ? static_cast<ClBuffer*>(buffer)->memory() : nullptr;
      code = clSetKernelArg(kernel, parameter.index, sizeof(cl_mem),
                            memory != nullptr ? static_cast<const void*>(&memory) : nullptr);
    }
    const cl_ulong offset = slot;
    if (code == CL_SUCCESS)
      code = clSetKernelArg(kernel, parameter.index + 1, sizeof(offset), &offset);
  }
  if (code != CL_SUCCESS)
    throw cl_failure(code, "kernel '" + name_ + "': setting argument " + std::to_string(p));
}

void ClExecutable::set_all(cl_kernel kernel, const PackedArgs& args) const {
  for (std::size_t i = 0; i < args.count; ++i) set(kernel, i, args.slots[i], args.buffers[i], true);
}

void ClExecutable::enqueue_mesh(cl_kernel kernel, StreamImpl& stream, const Grid& grid,
                                const ClMeshPlan& plan) const {
  auto& queue = static_cast<ClStream&>(stream);
  queue.check_launch();
  if (plan.mapping == MeshMapping::kSplit) {
    std::make_shared<ClSplitRun>(*device_, metadata_, plan, cl::Kernel(kernel, /*retain=*/true),
                                 arguments_, grid, split_turns_)
        ->start(std::static_pointer_cast<ClStream>(queue.shared_from_this()));
  } else {
    queue.mesh_memory().with(*device_, *metadata_, plan, [&](const ClMeshMemory& memory) {
      ClMeshLaunch(metadata_, plan, memory, kernel, arguments_, grid).run(queue.queue());
    });
  }
  queue.mark(name_);
}

void ClExecutable::enqueue(cl_kernel kernel, StreamImpl& stream, const Grid& grid) const {
  enqueue_range(kernel, stream, {grid.x * work_items_, grid.y, grid.z}, {work_items_, 1, 1});
}

void ClExecutable::enqueue_range(cl_kernel kernel, StreamImpl& stream,
                                 const std::size_t (&global)[3],
                                 const std::size_t (&local)[3]) const {
  auto& queue = static_cast<ClStream&>(stream);
  const cl_uint dimensions = global[2] != 1 ? 3 : global[1] != 1 ? 2 : 1;
  queue.check_launch();
  ClTraced traced("kernel", name_, queue.id());
  const cl_int code = clEnqueueNDRangeKernel(queue.queue(), kernel, dimensions, nullptr, global,
                                             local, 0, nullptr, traced.slot());
  if (code != CL_SUCCESS) throw cl_failure(code, "kernel '" + name_ + "': enqueuing it");
  queue.mark(name_);
}

void ClExecutable::launch(StreamImpl& stream, const Grid& grid, const PackedArgs& args) {
  launch(plan(grid), stream, grid, args);
}

void ClExecutable::launch(const std::optional<ClMeshPlan>& plan, StreamImpl& stream,
                          const Grid& grid, const PackedArgs& args) {
  with_kernel(plan, [&](cl_kernel kernel) {
    set_all(kernel, args);
    enqueue_set(kernel, stream, grid, plan);
  });
  if (plan && plan->mapping == MeshMapping::kSplit) keep(args, static_cast<ClStream&>(stream));
}

void ClExecutable::enqueue_set(cl_kernel kernel, StreamImpl& stream, const Grid& grid,
                               const std::optional<ClMeshPlan>& plan) const {
  if (!has_extras()) return enqueue(kernel, stream, grid, plan);
  const std::size_t first = parameters_.size() - extras_;
  with_extras(kernel, stream, grid, plan,
              [&](std::size_t place, std::uint64_t slot, BufferImpl* buffer) {
                set(kernel, first + place, slot, buffer, true);
              });
}

void ClExecutable::keep(const PackedArgs& args, ClStream& stream) const {
  std::vector<cl::Buffer> memories;
  for (std::size_t i = 0; i < args.count; ++i)
    if (args.buffers[i] != nullptr)
      memories.emplace_back(static_cast<ClBuffer*>(args.buffers[i])->memory(), /*retain=*/true);
  if (!memories.empty()) stream.marker()->on_complete([kept = std::move(memories)] {});
}

std::string ClExecutable::mesh_mapping(const Grid& grid) const {
  const std::optional<ClMeshPlan> way = plan(grid);
  return way ? std::string(to_string(way->mapping)) : std::string();
}

std::unique_ptr<BoundLaunch> ClExecutable::bind(const PackedArgs& args) {
  return std::make_unique<ClBound>(shared_from_this(), args);
}

}  // namespace tritonrt::runtime
