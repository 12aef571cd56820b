// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver.h"

#include <algorithm>
#include <atomic>

#include "runtime/trace.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

std::uint64_t next_stream_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

class StepByStep final : public RecordedWork {
 public:
  explicit StepByStep(const std::vector<WorkStep>& steps) {
    for (const WorkStep& step : steps) nodes_.push_back(ready(step));
  }
  void replay(StreamImpl& stream) override {
    for (const Node& node : nodes_) {
      if (node.launch != nullptr)
        node.launch->launch(stream, node.step.grid);
      else
        node.step.enqueue(stream);
    }
  }
  void replace(std::size_t index, const WorkStep& step) override { nodes_[index] = ready(step); }

 private:
  struct Node {
    WorkStep step;
    std::unique_ptr<BoundLaunch> launch;  // of a launch
  };

  static Node ready(const WorkStep& step) {
    Node node{step, nullptr};
    if (step.kind != WorkStep::Kind::kLaunch) return node;
    std::vector<BufferImpl*> buffers;
    for (const std::shared_ptr<BufferImpl>& buffer : step.buffers) buffers.push_back(buffer.get());
    node.launch = step.executable->bind({step.slots.data(), buffers.data(), step.slots.size()});
    return node;
  }

  std::vector<Node> nodes_;
};

}  // namespace

Driver::~Driver() = default;
BufferImpl::~BufferImpl() {
  if (release_) release_();
}
EventImpl::~EventImpl() = default;
StreamImpl::StreamImpl(std::shared_ptr<DeviceImpl> device, const StreamOptions& options)
    : device_(std::move(device)), id_(next_stream_id()), orders_(options.automatic_order) {
  if (Trace* trace = Trace::active())
    trace->name_track(id_, device_->info().name + " stream " + std::to_string(id_));
}
BoundLaunch::~BoundLaunch() = default;
Executable::~Executable() = default;
RecordedWork::~RecordedWork() = default;
DeviceImpl::~DeviceImpl() = default;

bool StreamImpl::has_followed(std::uint64_t number, std::uint64_t ticket) {
  const std::lock_guard lock(followed_mutex_);
  const auto found = followed_.find(number);
  return found != followed_.end() && found->second >= ticket;
}

void StreamImpl::note_followed(std::uint64_t number, std::uint64_t ticket) {
  const std::lock_guard lock(followed_mutex_);
  std::uint64_t& reached = followed_[number];
  reached = std::max(reached, ticket);
}

void WorkStep::enqueue(StreamImpl& stream) const {
  if (size == 0) return;
  BufferImpl& buffer = *buffers[0];
  switch (kind) {
    case Kind::kCopyFromHost:
      buffer.copy_from_host(&stream, host_source, size, offset);
      break;
    case Kind::kCopyToHost:
      buffer.copy_to_host(&stream, host_target, size, offset);
      break;
    case Kind::kCopy:
      buffer.copy_from(&stream, *buffers[1], size, source_offset, offset);
      break;
    case Kind::kFill:
      buffer.fill(&stream, pattern, pattern_size, size, offset);
      break;
    case Kind::kLaunch:
      break;
  }
}

namespace {

[[noreturn]] void no_native_objects(const std::string& device) {
  throw Error(ErrorCode::kUnsupported,
              "the device '" + device + "' takes no objects of an application's own");
}

}  // namespace

std::shared_ptr<StreamImpl> DeviceImpl::adopt_stream(void*) { no_native_objects(info_.name); }
std::shared_ptr<BufferImpl> DeviceImpl::adopt_buffer(void*) { no_native_objects(info_.name); }
std::shared_ptr<EventImpl> DeviceImpl::adopt_event(void*) { no_native_objects(info_.name); }

std::shared_ptr<DeviceImpl> Driver::adopt(void*, void*, Mapping) {
  throw Error(ErrorCode::kUnsupported, "the driver takes no contexts of an application's own");
}

std::unique_ptr<RecordedWork> DeviceImpl::record(const std::vector<WorkStep>& steps) {
  return std::make_unique<StepByStep>(steps);
}

}  // namespace tritonrt::runtime
