// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/cpu_recorded.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/cpu/cpu_buffer.h"
#include "runtime/cpu/cpu_launch.h"
#include "runtime/cpu/float_state.h"
#include "runtime/cpu/scratch.h"
#include "runtime/trace.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

char* bytes_of(const BufferImpl& buffer, std::size_t offset) {
  return static_cast<char*>(buffer.host_data()) + offset;
}

void move_bytes(const WorkStep& step) {
  if (step.size == 0) return;
  char* const own = bytes_of(*step.buffers[0], step.offset);
  switch (step.kind) {
    case WorkStep::Kind::kCopyFromHost:
      std::memmove(own, step.host_source, step.size);
      break;
    case WorkStep::Kind::kCopyToHost:
      std::memmove(step.host_target, own, step.size);
      break;
    case WorkStep::Kind::kCopy:
      std::memmove(own, bytes_of(*step.buffers[1], step.source_offset), step.size);
      break;
    case WorkStep::Kind::kFill:
      repeat_bytes(own, step.pattern, step.pattern_size, step.size);
      break;
    case WorkStep::Kind::kLaunch:
      break;
  }
}

}  // namespace

struct CpuRecorded::Program {
  // What running a step in place takes; `entry` is null for bytes to be moved.
  struct Node {
    trt_entry_fn entry = nullptr;
    std::uint32_t first_slot = 0;
    std::int64_t programs = 0;
    trt_cpu_launch launch{};
  };

  explicit Program(const std::vector<WorkStep>& all) : steps(all) { prepare(); }

  void prepare() {
    nodes.clear();
    slots.clear();
    scratch_bytes = 0;
    for (const WorkStep& step : steps) {
      Node node;
      if (step.kind == WorkStep::Kind::kLaunch) {
        const auto& kernel = static_cast<const CpuExecutable&>(*step.executable);
        node.entry = kernel.entry();
        node.first_slot = static_cast<std::uint32_t>(slots.size());
        node.programs = programs(step.grid);
        node.launch = launch_record(step.grid, &kNeverStop);
        slots.insert(slots.end(), step.slots.begin(), step.slots.end());
        if (kernel.metadata().scratch_bytes > scratch_bytes) {
          scratch_bytes = kernel.metadata().scratch_bytes;
          hungriest = &kernel;
        }
      }
      nodes.push_back(node);
    }
  }

  bool is_inline(const WorkStep& step) const {
    return step.kind != WorkStep::Kind::kLaunch ||
           static_cast<const CpuExecutable&>(*step.executable).runs_inline(step.grid);
  }

  static std::string name(const WorkStep& step) {
    return step.kind == WorkStep::Kind::kLaunch
               ? static_cast<const CpuExecutable&>(*step.executable).metadata().kernel
               : "graph copy";
  }

  // Runs the steps [begin, end), which are small.
  void run(std::size_t begin, std::size_t end, const CpuStream& stream) const {
    void* const scratch = scratch_bytes != 0 ? thread_scratch(scratch_bytes) : nullptr;
    if (scratch_bytes != 0 && scratch == nullptr) throw no_scratch(hungriest->metadata());
    Trace* const trace = Trace::active();
    const FloatState state;
    for (std::size_t i = begin; i < end; ++i) {
      const Node& node = nodes[i];
      const std::uint64_t begin_ns = trace != nullptr ? now_ns() : 0;
      if (node.entry == nullptr)
        move_bytes(steps[i]);
      else
        node.entry(slots.data() + node.first_slot, 0, node.programs, &node.launch, scratch);
      if (trace != nullptr)
        trace->span(node.entry == nullptr ? "copy" : "kernel", name(steps[i]), begin_ns, now_ns(),
                    stream.id());
    }
  }

  std::vector<WorkStep> steps;
  std::vector<Node> nodes;
  std::vector<std::uint64_t> slots;  // of all launches
  std::uint64_t scratch_bytes = 0;
  const CpuExecutable* hungriest = nullptr;  // whose scratch that is
};

namespace {

// Some small steps, in a stream's queue.
class PartTask final : public CpuTask {
 public:
  PartTask(std::shared_ptr<const CpuRecorded::Program> program, std::size_t begin, std::size_t end)
      : program_(std::move(program)), begin_(begin), end_(end) {}
  bool start(CpuStream& stream) override {
    program_->run(begin_, end_, stream);
    return true;
  }

 private:
  const std::shared_ptr<const CpuRecorded::Program> program_;
  const std::size_t begin_;
  const std::size_t end_;
};

std::unique_ptr<CpuTask> task_of(const WorkStep& step) {
  std::vector<BufferImpl*> buffers;
  for (const std::shared_ptr<BufferImpl>& buffer : step.buffers) buffers.push_back(buffer.get());
  return make_launch_task(std::static_pointer_cast<CpuExecutable>(step.executable), step.grid,
                          {step.slots.data(), buffers.data(), step.slots.size()});
}

}  // namespace

CpuRecorded::CpuRecorded(std::shared_ptr<CpuDevice> device, const std::vector<WorkStep>& steps)
    : device_(std::move(device)), program_(std::make_shared<Program>(steps)) {}

CpuRecorded::~CpuRecorded() = default;

void CpuRecorded::replay(StreamImpl& stream) {
  auto& queue = static_cast<CpuStream&>(stream);
  device_->check_open();
  queue.check();
  const std::vector<WorkStep>& steps = program_->steps;
  std::size_t small = 0;
  while (small < steps.size() && program_->is_inline(steps[small])) ++small;
  if (small == steps.size() && queue.try_begin()) {
    try {
      program_->run(0, steps.size(), queue);
    } catch (...) {
      queue.end();
      throw;
    }
    queue.end();
    return;
  }
  std::vector<std::unique_ptr<CpuTask>> tasks;
  for (std::size_t begin = 0; begin < steps.size();) {
    std::size_t end = begin;
    while (end < steps.size() && program_->is_inline(steps[end])) ++end;
    if (end > begin) tasks.push_back(std::make_unique<PartTask>(program_, begin, end));
    if (end < steps.size()) tasks.push_back(task_of(steps[end++]));
    begin = end;
  }
  queue.enqueue(std::move(tasks));
}

void CpuRecorded::replace(std::size_t index, const WorkStep& step) {
  // A queued replay runs what it was called with.
  if (program_.use_count() > 1) program_ = std::make_shared<Program>(program_->steps);
  program_->steps[index] = step;
  program_->prepare();
}

}  // namespace tritonrt::runtime
