// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_EXECUTABLE_H_
#define TRITONRT_RUNTIME_OPENCL_CL_EXECUTABLE_H_

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/driver.h"
#include "runtime/opencl/cl_headers.h"
#include "runtime/opencl/cl_mesh.h"
#include "runtime/opencl/cl_stop.h"
#include "runtime/opencl/cl_stream.h"
#include "runtime/reports.h"

namespace tritonrt::runtime {

class ClDevice;

// One parameter's place among a kernel's OpenCL arguments.
struct ClParameter {
  cl_uint index;       // of its first argument
  bool pointer;        // a memory object and, after it, a byte offset
  std::uint8_t bytes;  // of a scalar
};

// A program with its kernel. Its arguments are memory objects, offsets and scalars; other forms and
// other ways to build or launch derive from it.
class TRITONRT_API ClExecutable : public Executable,
                                  public std::enable_shared_from_this<ClExecutable> {
 public:
  // Throws kUnsupported where the device has not what the kernel needs.
  ClExecutable(std::shared_ptr<ClDevice> device, const Artifact& artifact,
               const std::string& label);
  ~ClExecutable() override;
  // Builds from the artifact's device binary where the driver takes it, else from its code, and
  // then leaves a binary in the artifact. Throws kCompileFailed with the driver's log. Called once,
  // before anything else.
  void build(Artifact& artifact);

  void launch(StreamImpl& stream, const Grid& grid, const PackedArgs& args) override;
  std::unique_ptr<BoundLaunch> bind(const PackedArgs& args) override;
  std::string mesh_mapping(const Grid& grid) const override;

  cl::Kernel create_kernel() const { return create_kernel(program_); }
  // How a launch runs a kernel of meshes; nothing for other kernels.
  std::optional<ClMeshPlan> plan(const Grid& grid) const;
  // A launch whose plan is known.
  void launch(const std::optional<ClMeshPlan>& plan, StreamImpl& stream, const Grid& grid,
              const PackedArgs& args);
  // Of a plan's form (ClMeshPlan::form), which is built when it is first asked for.
  cl::Kernel create_kernel(const char* form) const;
  // Sets what parameter `p` is made of; the buffer alone changes rarely.
  void set(cl_kernel kernel, std::size_t p, std::uint64_t slot, BufferImpl* buffer,
           bool buffer_changed) const;
  void set_all(cl_kernel kernel, const PackedArgs& args) const;
  // Enqueues a kernel whose programs do not talk, and whose arguments are set, on the stream.
  virtual void enqueue(cl_kernel kernel, StreamImpl& stream, const Grid& grid) const;
  // Enqueues any kernel with what it takes behind its own parameters. A split one has no other use
  // from then on.
  void enqueue_set(cl_kernel kernel, StreamImpl& stream, const Grid& grid,
                   const std::optional<ClMeshPlan>& plan) const;
  // Whether the kernel takes parameters behind its own: where it reports to, and a stop word.
  bool has_extras() const { return extras_ != 0; }

 protected:
  // A form that takes all parameters as that many OpenCL arguments.
  ClExecutable(std::shared_ptr<ClDevice> device, const Artifact& artifact, const std::string& label,
               cl_uint arguments);
  const std::string& name() const { return name_; }
  static std::size_t extras_of(const Metadata& metadata) {
    return (metadata.reports != nullptr ? 2 : 0) + (metadata.stop ? 1 : 0);
  }
  // Calls `set(place, slot, buffer)` for each parameter behind the kernel's own, with its place
  // among those, and then enqueues the kernel, with nothing of another launch in between.
  template <typename Set>
  void with_extras(cl_kernel kernel, StreamImpl& stream, const Grid& grid,
                   const std::optional<ClMeshPlan>& plan, Set set) const {
    Reports::Slot report{};
    std::size_t place = 0;
    if (metadata_->reports != nullptr) {
      report = stream.reports().slot(stream, metadata_->reports);
      set(place++, report.buffer->base(), report.buffer);
      set(place++, report.number, nullptr);
    }
    std::shared_ptr<ClStopWords> words;
    if (metadata_->stop) {
      words = static_cast<ClStream&>(stream).stop_words();
      set(place++, words->offset_of(metadata_), &words->buffer());
    }
    enqueue(kernel, stream, grid, plan);
  }
  void enqueue(cl_kernel kernel, StreamImpl& stream, const Grid& grid,
               const std::optional<ClMeshPlan>& plan) const {
    if (plan)
      enqueue_mesh(kernel, stream, grid, *plan);
    else
      enqueue(kernel, stream, grid);
  }
  // Calls `use(kernel)` with the kernel object that no bound launch owns, or with a new one of the
  // form that the plan asks for.
  template <typename Use>
  void with_kernel(const std::optional<ClMeshPlan>& plan, Use use) {
    if (plan && plan->form() != nullptr) return use(create_kernel(plan->form())());
    const std::lock_guard lock(mutex_);
    use(kernel_());
  }
  // The program of an artifact's code, not yet built. Throws cl::Error.
  virtual cl::Program create_program(const std::string& code) const;

  ClDevice& device() const { return *device_; }
  std::size_t work_items() const { return work_items_; }
  // Enqueues over ranges of the caller's; `stream` is of this device.
  void enqueue_range(cl_kernel kernel, StreamImpl& stream, const std::size_t (&global)[3],
                     const std::size_t (&local)[3]) const;

 private:
  cl::Kernel create_kernel(const cl::Program& program) const;
  void enqueue_mesh(cl_kernel kernel, StreamImpl& stream, const Grid& grid,
                    const ClMeshPlan& plan) const;
  cl::Program build_code(const std::string& code, const std::string& options) const;
  bool build_from_binary(const Artifact& artifact);
  void build_from_code(Artifact& artifact);
  void check_limits() const;
  // Commands of a split kernel are enqueued when the caller may have let go of what they use: it is
  // kept until the stream has passed them.
  void keep(const PackedArgs& args, ClStream& stream) const;
  void lay_out();

  const std::shared_ptr<ClDevice> device_;
  const std::string& name_;
  const std::string entry_;
  const std::size_t work_items_;
  std::string build_options_;
  const std::shared_ptr<const Metadata> metadata_;
  const std::size_t extras_;       // parameters behind the kernel's own
  const std::string mesh_source_;  // of a kernel of meshes, else empty
  cl::Program program_;
  std::vector<ClParameter> parameters_;
  cl_uint arguments_ = 0;  // of all parameters
  std::mutex mutex_;
  cl::Kernel kernel_;  // under mutex_: arguments are the kernel object's state
  mutable std::mutex forms_mutex_;
  mutable std::map<std::string, cl::Program> forms_;  // under forms_mutex_; those that were needed
  // Turns of the split kernel's last launch.
  const std::shared_ptr<std::atomic<unsigned>> split_turns_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_EXECUTABLE_H_
