// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/graph.h"

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/check.h"
#include "runtime/pack.h"
#include "src/kernel_impl.h"
#include "tritonrt/error.h"

namespace tritonrt {
namespace runtime {

class GraphImpl {
 public:
  explicit GraphImpl(DeviceImpl& device) : device_(device.shared_from_this()) {}

  DeviceImpl& device() const { return *device_; }
  std::size_t size() const { return steps_.size(); }

  std::size_t add(WorkStep step) {
    steps_.push_back({std::move(step), nullptr});
    work_.reset();
    return steps_.size() - 1;
  }

  std::size_t add_launch(const std::shared_ptr<KernelImpl>& kernel, const Grid& grid,
                         Span<const Arg> args) {
    const Signature& signature = kernel->signature();
    check_grid(grid, signature.kernel);
    auto launch = std::make_unique<Launch>(kernel, signature);
    Packer(signature, *device_, launch->frame).pack(args);
    WorkStep step;
    step.grid = grid;
    step.kind = WorkStep::Kind::kLaunch;
    resolve(*launch, step);
    steps_.push_back({std::move(step), std::move(launch)});
    work_.reset();
    return steps_.size() - 1;
  }

  void set_arg(std::size_t index, std::size_t argument, const Arg& arg) {
    Step& step = launch_step(index);
    const Signature& signature = step.launch->kernel->signature();
    if (argument >= signature.codes.size())
      throw Error(ErrorCode::kInvalidArgument,
                  "kernel '" + signature.kernel + "' has no argument " + std::to_string(argument) +
                      ": it takes " + std::to_string(signature.codes.size()));
    Packer(signature, *device_, step.launch->frame).pack_one(argument, arg);
    resolve(*step.launch, step.work);
    if (work_ == nullptr) return;
    work_->replace(index, step.work);
    find_uses();
  }

  void set_grid(std::size_t index, const Grid& grid) {
    Step& step = launch_step(index);
    check_grid(grid, step.launch->kernel->signature().kernel);
    step.work.grid = grid;
    if (work_ != nullptr) work_->replace(index, step.work);
  }

  void replay(StreamImpl& stream) {
    if (&stream.device() != device_.get())
      throw Error(ErrorCode::kInvalidArgument, "the graph is of device '" + device_->info().name +
                                                   "', the stream of '" +
                                                   stream.device().info().name + "'");
    if (Capture* const capture = Capture::active()) {
      captured_replay(*capture, stream);
      return;
    }
    if (work_ == nullptr) {
      std::vector<WorkStep> steps;
      for (const Step& step : steps_) steps.push_back(step.work);
      work_ = device_->record(steps);
      find_uses();
    }
    for (const auto& [buffer, write] : uses_) buffer->use(stream, write);
    work_->replay(stream);
  }

 private:
  // What a launch was made from, for changing its arguments.
  struct Launch {
    Launch(std::shared_ptr<KernelImpl> k, const Signature& signature)
        : kernel(std::move(k)), frame(signature.codes.size()) {}
    const std::shared_ptr<KernelImpl> kernel;
    Frame frame;
  };
  struct Step {
    WorkStep work;
    std::unique_ptr<Launch> launch;  // null for bytes moved
  };

  // Each buffer once, and whether any step writes it.
  void find_uses() {
    uses_.clear();
    for (const Step& step : steps_)
      for (std::size_t i = 0; i < step.work.buffers.size(); ++i)
        if (BufferImpl* const buffer = step.work.buffers[i].get()) {
          bool& write = uses_[&buffer->whole()];
          write = write || writes(step, i);
        }
  }

  static bool writes(const Step& step, std::size_t i) {
    if (step.launch != nullptr) return step.launch->kernel->signature().codes[i].written;
    return i == 0 && step.work.kind != WorkStep::Kind::kCopyToHost;
  }

  // Step by step, as each launch is captured by itself.
  void captured_replay(Capture& capture, StreamImpl& stream) {
    for (const Step& step : steps_) {
      if (step.launch == nullptr) {
        step.work.enqueue(stream);
        continue;
      }
      const Launch& launch = *step.launch;
      capture.launch(*launch.kernel, stream, step.work.grid, launch.frame, [&] {
        step.work.executable->launch(stream, step.work.grid, launch.frame.args());
      });
    }
  }

  Step& launch_step(std::size_t index) {
    if (index < steps_.size() && steps_[index].launch != nullptr) return steps_[index];
    throw Error(ErrorCode::kInvalidArgument,
                "step " + std::to_string(index) + " of the graph is no launch");
  }

  // Puts the packed arguments, and the variant that they need, into the step.
  void resolve(Launch& launch, WorkStep& step) {
    const Special special = Packer(launch.kernel->signature(), *device_, launch.frame).special();
    step.executable = launch.kernel->shared_executable(launch.kernel->variants(*device_), special);
    const PackedArgs args = launch.frame.args();
    step.slots.assign(args.slots, args.slots + args.count);
    step.buffers.clear();
    for (std::size_t i = 0; i < args.count; ++i)
      step.buffers.push_back(args.buffers[i] != nullptr ? args.buffers[i]->shared_from_this()
                                                        : nullptr);
  }

  const std::shared_ptr<DeviceImpl> device_;
  std::vector<Step> steps_;
  std::unique_ptr<RecordedWork> work_;  // null: steps were added since
  std::map<BufferImpl*, bool> uses_;    // of work_
};

}  // namespace runtime

namespace {

using runtime::WorkStep;

runtime::GraphImpl& need(const std::unique_ptr<runtime::GraphImpl>& impl) {
  if (impl == nullptr) throw Error(ErrorCode::kInvalidArgument, "the graph is empty");
  return *impl;
}

// A step that moves `size` bytes of `buffer`, which must be of the graph's device.
WorkStep memory_step(const runtime::GraphImpl& graph, WorkStep::Kind kind, const Buffer& buffer,
                     std::size_t size, std::size_t offset) {
  runtime::BufferImpl& impl = runtime::need(buffer);
  runtime::check_range(impl, size, offset);
  if (&impl.device() != &graph.device())
    throw Error(ErrorCode::kInvalidArgument, "the buffer is of device '" +
                                                 impl.device().info().name + "', the graph of '" +
                                                 graph.device().info().name + "'");
  WorkStep step;
  step.kind = kind;
  step.buffers.push_back(impl.shared_from_this());
  step.size = size;
  step.offset = offset;
  return step;
}

}  // namespace

Graph::Graph(const Device& device)
    : impl_(std::make_unique<runtime::GraphImpl>(runtime::need(device))) {}
Graph::Graph() noexcept = default;
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

std::size_t Graph::launch(const Kernel& kernel, const Grid& grid, Span<const Arg> args) {
  if (!kernel) throw Error(ErrorCode::kInvalidArgument, "the kernel handle is empty");
  return need(impl_).add_launch(kernel.impl(), grid, args);
}

std::size_t Graph::copy_from_host(const Buffer& target, const void* data, std::size_t size,
                                  std::size_t offset) {
  WorkStep step = memory_step(need(impl_), WorkStep::Kind::kCopyFromHost, target, size, offset);
  runtime::check_host(data, size);
  step.host_source = data;
  return impl_->add(std::move(step));
}

std::size_t Graph::copy_to_host(const Buffer& source, void* data, std::size_t size,
                                std::size_t offset) {
  WorkStep step = memory_step(need(impl_), WorkStep::Kind::kCopyToHost, source, size, offset);
  runtime::check_host(data, size);
  step.host_target = data;
  return impl_->add(std::move(step));
}

std::size_t Graph::copy(const Buffer& target, const Buffer& source, std::size_t size,
                        std::size_t source_offset, std::size_t offset) {
  WorkStep step = memory_step(need(impl_), WorkStep::Kind::kCopy, target, size, offset);
  WorkStep from = memory_step(*impl_, WorkStep::Kind::kCopy, source, size, source_offset);
  runtime::check_apart(*from.buffers[0], source_offset, *step.buffers[0], offset, size);
  step.buffers.push_back(std::move(from.buffers[0]));
  step.source_offset = source_offset;
  return impl_->add(std::move(step));
}

std::size_t Graph::fill(const Buffer& target, const void* pattern, std::size_t pattern_size,
                        std::size_t size, std::size_t offset) {
  WorkStep step = memory_step(need(impl_), WorkStep::Kind::kFill, target, size, offset);
  runtime::check_fill(*step.buffers[0], pattern, pattern_size, size, offset);
  std::memcpy(step.pattern, pattern, pattern_size);
  step.pattern_size = pattern_size;
  return impl_->add(std::move(step));
}

void Graph::set_arg(std::size_t step, std::size_t index, const Arg& arg) {
  need(impl_).set_arg(step, index, arg);
}

void Graph::set_grid(std::size_t step, const Grid& grid) { need(impl_).set_grid(step, grid); }

std::size_t Graph::size() const { return need(impl_).size(); }

void Graph::replay(Stream& stream) { need(impl_).replay(runtime::need(stream)); }

}  // namespace tritonrt
