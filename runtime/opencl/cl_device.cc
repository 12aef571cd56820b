// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_device.h"

#include <algorithm>
#include <utility>

#include "runtime/fork.h"
#include "runtime/opencl/cl_buffer.h"
#include "runtime/opencl/cl_error.h"
#include "runtime/opencl/cl_executable.h"
#include "runtime/opencl/cl_memory.h"
#include "runtime/opencl/cl_stream.h"
#include "runtime/opencl/cl_target.h"
#include "runtime/opencl/cl_vendor.h"

namespace tritonrt::runtime {
namespace {

// Small buffers share memory objects: creating one costs microseconds.
PoolOptions pool_options(const DeviceInfo& info) {
  PoolOptions options;
  options.alignment = 256;
  options.chunk_bytes = std::size_t{16} << 20;
  options.max_small = std::size_t{1} << 20;
  if (info.type != "cpu") options.keep_bytes = std::max(options.keep_bytes, info.global_bytes / 4);
  return options;
}

}  // namespace

ClDevice::ClDevice(cl::Context context, cl::Device device, const std::string& name, Mapping mapping)
    : device_(std::move(device)),
      context_(std::move(context)),
      queue_(context_, device_),
      c_standard_(cl_c_standard(device_)),
      staging_(context_, device_, device_.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU),
      addresses_(std::make_shared<ClAddresses>(context_, device_)),
      in_flight_(std::make_shared<ClInFlight>()),
      forks_(fork_count()) {
  info_ = describe_cl_device(device_, name, mapping);
  limits_.work_group = device_.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  limits_.local_argument = local_argument_bytes(device_, info_.local_bytes);
  limits_.allocation = device_.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  memory_.set_up(std::make_shared<ClMemory>(context_, name, is_cpu(), addresses_, in_flight_),
                 pool_options(info_));
  // A driver moves memory between a context's devices by what it sees of its use.
  const bool alone = context_.getInfo<CL_CONTEXT_DEVICES>().size() == 1;
  target_ = cl_target_text(device_, info_, alone ? "" : "each");
}

ClDevice::~ClDevice() = default;

void ClDevice::check_open() const {
  if (is_shut_down())
    throw Error(ErrorCode::kInvalidArgument,
                "the device '" + info_.name + "' has been shut down: open it again");
  if (fork_count() != forks_)
    throw Error(ErrorCode::kInvalidArgument,
                "the device '" + info_.name +
                    "' was opened before fork, which OpenCL drivers do not survive");
}

int ClDevice::suits(std::string_view target) const {
  return target == this->target() ? kSameTarget : cl_suits(target, this->target());
}

std::shared_ptr<StreamImpl> ClDevice::create_stream(const StreamOptions& options) {
  check_open();
  auto stream =
      std::make_shared<ClStream>(std::static_pointer_cast<ClDevice>(shared_from_this()), options);
  in_flight_->add(stream);
  return stream;
}

namespace {

// Adopting what is of another context would be found out late, or never.
void check_context(cl_context own, cl_context other, const char* what) {
  if (own != other)
    throw Error(ErrorCode::kInvalidArgument,
                std::string("the ") + what + " is not of the device's context");
}

}  // namespace

std::shared_ptr<StreamImpl> ClDevice::adopt_stream(void* object) {
  check_open();
  try {
    const cl::CommandQueue queue(static_cast<cl_command_queue>(object), true);
    check_context(context_(), queue.getInfo<CL_QUEUE_CONTEXT>()(), "queue");
    const cl_command_queue_properties properties = queue.getInfo<CL_QUEUE_PROPERTIES>();
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
      throw Error(ErrorCode::kUnsupported,
                  "an adopted queue must run in order; make it without "
                  "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE");
    auto stream = std::make_shared<ClStream>(std::static_pointer_cast<ClDevice>(shared_from_this()),
                                             queue, (properties & CL_QUEUE_PROFILING_ENABLE) != 0);
    in_flight_->add(stream);
    return stream;
  } catch (const cl::Error& error) {
    throw cl_failure(error.err(), "adopting a queue");
  }
}

std::shared_ptr<BufferImpl> ClDevice::adopt_buffer(void* object) {
  check_open();
  try {
    const cl::Buffer memory(static_cast<cl_mem>(object), true);
    check_context(context_(), memory.getInfo<CL_MEM_CONTEXT>()(), "memory object");
    return std::make_shared<ClBuffer>(std::static_pointer_cast<ClDevice>(shared_from_this()),
                                      memory);
  } catch (const cl::Error& error) {
    throw cl_failure(error.err(), "adopting a memory object");
  }
}

std::shared_ptr<EventImpl> ClDevice::adopt_event(void* object) {
  try {
    const cl::Event event(static_cast<cl_event>(object), true);
    check_context(context_(), event.getInfo<CL_EVENT_CONTEXT>()(), "event");
    return std::make_shared<ClEvent>(shared_from_this(), event, true);
  } catch (const cl::Error& error) {
    throw cl_failure(error.err(), "adopting an event");
  }
}

std::pair<std::uint64_t, std::uint64_t> ClDevice::range_of(cl_mem root, std::size_t size) {
  const std::lock_guard lock(mutex_);
  const auto found = ranges_.find(root);
  if (found != ranges_.end() && found->second.first == 0) return {0, ~std::uint64_t{0}};
  // A later object in an earlier one's place may be longer; then it gets numbers of its own.
  if (found != ranges_.end() && found->second.second - found->second.first >= size)
    return found->second;
  const std::uint64_t begin = next_memory_range(size);
  return ranges_[root] = {begin, begin + size};
}

void ClDevice::hand_out(cl_mem memory) {
  const std::lock_guard lock(mutex_);
  ranges_.emplace(memory, std::pair<std::uint64_t, std::uint64_t>{0, 0});
}

std::shared_ptr<BufferImpl> ClDevice::allocate(std::size_t size) {
  check_open();
  return std::make_shared<ClBuffer>(std::static_pointer_cast<ClDevice>(shared_from_this()), size);
}

std::shared_ptr<BufferImpl> ClDevice::wrap_host(void*, std::size_t) {
  throw Error(ErrorCode::kUnsupported,
              "'" + info_.name + "' does not use host memory in place; copy it into a buffer");
}

std::shared_ptr<Executable> ClDevice::load(Artifact& artifact, const std::string& label) {
  check_open();
  const std::shared_ptr<ClExecutable> executable = make_executable(artifact, label);
  executable->build(artifact);
  return executable;
}

std::shared_ptr<ClExecutable> ClDevice::make_executable(const Artifact& artifact,
                                                        const std::string& label) {
  auto self = std::static_pointer_cast<ClDevice>(shared_from_this());
  for (const auto& vendor : cl_vendors())
    if (auto executable = vendor->make_executable(self, artifact, label)) return executable;
  if (!artifact.metadata.arguments.empty())
    throw Error(ErrorCode::kUnsupported, "kernel '" + label + "' takes its arguments as '" +
                                             artifact.metadata.arguments +
                                             "', which this library does not know; compile it "
                                             "again with this version");
  return std::make_shared<ClExecutable>(std::move(self), artifact, label);
}

void ClDevice::synchronize() {
  for (const std::shared_ptr<ClStream>& stream : in_flight_->streams())
    stream->finish(std::nullopt);
}

void ClDevice::drain() {
  for (const std::shared_ptr<ClStream>& stream : in_flight_->streams()) stream->drain();
}

cl_command_queue ClDevice::drained_queue() {
  check_open();
  drain();
  return queue_();
}

void ClDevice::shutdown() {
  for (const std::shared_ptr<ClStream>& stream : in_flight_->streams()) stream->shut_down();
  memory_.current().trim();
  shut_down_.store(true, std::memory_order_release);
}

}  // namespace tritonrt::runtime
