// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/run_case.h"

#include <algorithm>
#include <cstring>

#include "src/replay/exact_memory.h"
#include "src/replay/file_io.h"
#include "src/replay/stopwatch.h"
#include "tritonrt/tritonrt.h"

namespace tritonrt::replay {
namespace {

constexpr char kGuardByte = '\xa5';

// The case's memory on a device. Each block lies between two guards of so many bytes, so that a
// store outside it is found; a multiple of the alignment that blocks are promised.
class DeviceBlocks {
 public:
  // Copies go through the stream, within the time-out: others wait for all of the device's work,
  // and that of an earlier launch may never end.
  DeviceBlocks(const LaunchCase& launch, Stream& stream, std::chrono::nanoseconds timeout,
               size_t guard_bytes)
      : stream_(stream), timeout_(timeout), guard_bytes_(guard_bytes) {
    for (const CaseBuffer& buffer : launch.buffers)
      buffers_.emplace_back(stream.device(), buffer.content.size() + 2 * guard_bytes_);
    const std::string guard(guard_bytes_, kGuardByte);
    for (size_t i = 0; i < buffers_.size(); ++i) {
      const auto image =
          std::make_shared<std::string>(guard + initial_content(launch.buffers[i]) + guard);
      buffers_[i].copy_from_host(stream_, image->data(), image->size());
      finish_copy(image);
    }
  }

  const Buffer& buffer(const Address& address) const { return buffers_[address.buffer]; }

  size_t offset(const Address& address) const { return guard_bytes_ + address.offset_bytes; }

  // The block's content now; `intact` tells whether the guards are.
  std::string read(size_t index, bool* intact) const {
    const auto image = std::make_shared<std::string>(buffers_[index].size(), '\0');
    buffers_[index].copy_to_host(stream_, image->data(), image->size());
    finish_copy(image);
    const std::string guard(guard_bytes_, kGuardByte);
    *intact = image->compare(0, guard_bytes_, guard) == 0 &&
              image->compare(image->size() - guard_bytes_, guard_bytes_, guard) == 0;
    return image->substr(guard_bytes_, image->size() - 2 * guard_bytes_);
  }

 private:
  void finish_copy(const std::shared_ptr<std::string>& image) const {
    try {
      stream_.synchronize(timeout_);
    } catch (...) {
      // The copy may still come, whenever that is.
      if (!stream_.is_idle()) new std::shared_ptr<std::string>(image);
      throw;
    }
  }

  std::string initial_content(const CaseBuffer& block) const {
    std::string content = block.content;
    for (size_t i = 0; i < block.pointer_table.size(); ++i) {
      const std::optional<Address>& target = block.pointer_table[i];
      if (!target) continue;
      const uint64_t value = buffer(*target).device_address() + offset(*target);
      std::memcpy(content.data() + i * sizeof value, &value, sizeof value);
    }
    return content;
  }

  Stream& stream_;
  const std::chrono::nanoseconds timeout_;
  const size_t guard_bytes_;
  std::vector<Buffer> buffers_;
};

// The arguments of the launch, with the descriptors that they refer to.
class Arguments {
 public:
  Arguments(const LaunchCase& launch, const DeviceBlocks& blocks) {
    descriptors_.reserve(launch.arguments.size());
    for (const CaseArgument& argument : launch.arguments) {
      if (argument.kind == CaseArgument::Kind::kScalar) {
        list_.push_back(Arg::from_bits(argument.dtype, argument.bits));
        continue;
      }
      if (argument.null) {
        list_.push_back(Arg(nullptr));
        continue;
      }
      const Buffer& buffer = blocks.buffer(argument.address);
      const size_t offset = blocks.offset(argument.address);
      if (argument.kind == CaseArgument::Kind::kPointer) {
        list_.push_back(Arg(buffer, offset));
        continue;
      }
      TensorDescriptor descriptor;
      descriptor.buffer = &buffer;
      descriptor.offset = offset;
      descriptor.dtype = launch.buffers[argument.address.buffer].dtype;
      descriptor.rank = static_cast<int>(argument.shape.size());
      std::copy(argument.shape.begin(), argument.shape.end(), descriptor.shape);
      std::copy(argument.strides.begin(), argument.strides.end(), descriptor.strides);
      descriptors_.push_back(descriptor);
      list_.push_back(Arg(descriptors_.back()));
    }
  }

  Span<const Arg> list() const { return list_; }

 private:
  std::vector<TensorDescriptor> descriptors_;
  std::vector<Arg> list_;
};

CompileOptions compile_options(const LaunchCase& launch, const RunOptions& options) {
  CompileOptions compile;
  if (launch.num_warps) compile.num_warps = static_cast<int>(*launch.num_warps);
  if (launch.num_stages) compile.num_stages = static_cast<int>(*launch.num_stages);
  compile.reference = options.reference;
  compile.extra = options.extra;
  if (options.check_races) compile.extra["check_races"] = "1";
  return compile;
}

Mesh mesh_of(const LaunchCase& launch) {
  uint32_t sizes[3] = {};
  std::copy(launch.mesh.begin(), launch.mesh.end(), sizes);
  return sizes[0] == 0 ? Mesh() : Mesh(sizes[0], sizes[1], sizes[2]);
}

// Whether an error says that the kernel is not right or not supported; others say that something
// else went wrong.
bool is_refusal(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kInvalidInput:
    case ErrorCode::kUnsupported:
    case ErrorCode::kCompileFailed:
    case ErrorCode::kDeviceError:
    case ErrorCode::kAssertFailed:
      return true;
    default:
      return false;
  }
}

// The first block that is not as the case says, in words; empty if all are.
std::string find_difference(const LaunchCase& launch, const DeviceBlocks& blocks) {
  for (size_t i = 0; i < launch.buffers.size(); ++i) {
    const CaseBuffer& buffer = launch.buffers[i];
    bool intact = true;
    const std::string got = blocks.read(i, &intact);
    if (!intact) return "buffer " + buffer.id + ": written outside its bounds";
    // A table of addresses differs from its file, which holds zeros. What racing programs leave in
    // the buffers that they store to is open.
    if (!buffer.check || !buffer.pointer_table.empty()) continue;
    if (launch.race && buffer.expected) continue;
    const std::optional<Mismatch> mismatch =
        buffer.expected ? compare_blocks(buffer.dtype, got, *buffer.expected, buffer.tolerance)
                        : compare_unchanged(buffer.dtype, got, buffer.content);
    if (!mismatch) continue;
    return "buffer " + buffer.id + "[" + std::to_string(mismatch->index) + "]: got " +
           mismatch->got + ", expected " + mismatch->expected + " (" +
           std::to_string(mismatch->count) + " of " + std::to_string(mismatch->total) + " differ)";
  }
  return {};
}

// The kernel of the launch: from its file, or the one of a bundle that has its text and options.
Kernel load_kernel(const LaunchCase& launch, const RunOptions& options) {
  const CompileOptions compile = compile_options(launch, options);
  if (options.bundle == nullptr)
    return Kernel::from_file(launch.ttir.string(), compile, launch.entry);
  constexpr size_t kMaxText = size_t{64} << 20;
  for (const size_t index : options.bundle->find_source(read_file(launch.ttir, kMaxText))) {
    const BundleKernel kernel = options.bundle->info(index);
    if (kernel.name == launch.entry && kernel.options.num_warps == compile.num_warps &&
        kernel.options.num_stages == compile.num_stages && kernel.options.extra == compile.extra)
      return options.bundle->kernel(index);
  }
  throw Error(ErrorCode::kNotFound,
              "the bundle has no kernel '" + launch.entry + "' of this text and these options");
}

void launch_and_check(const LaunchCase& launch, Stream& stream, const RunOptions& options,
                      RunResult& result) {
  const Device device = stream.device();
  const Kernel kernel = load_kernel(launch, options);
  const DeviceBlocks blocks(launch, stream, options.timeout, options.exact_memory ? 0 : 64);
  const Arguments arguments(launch, blocks);

  const Stopwatch compile_watch;
  try {
    result.compiled = kernel.prepare(device, arguments.list()).compiled;
  } catch (...) {
    result.compile_ms = compile_watch.ms();
    throw;
  }
  result.compile_ms = compile_watch.ms();

  const Grid grid(launch.grid[0], launch.grid[1], launch.grid[2]);
  LaunchOptions launch_options;
  launch_options.mesh = mesh_of(launch);
  // Where programs do not talk there is nothing to choose.
  if (!launch.mesh.empty()) launch_options.mesh_mapping = options.mesh_mapping;
  result.mesh_mapping = kernel.mesh_mapping(device, grid, launch_options, arguments.list());
  const Stopwatch run_watch;
  kernel.launch(stream, grid, launch_options, arguments.list());
  stream.synchronize(options.timeout);
  result.run_ms = run_watch.ms();

  const std::string difference = find_difference(launch, blocks);
  if (launch.must_refuse) {
    result.status = Status::kFail;
    result.message = "it ran, though only a refusal is right";
  } else {
    result.status = difference.empty() ? Status::kPass : Status::kFail;
    result.message = difference;
  }
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::kPass:
      return "PASS";
    case Status::kFail:
      return "FAIL";
    case Status::kError:
      break;
  }
  return "ERROR";
}

RunResult run_case(const LaunchCase& launch, const std::string& device_name,
                   const RunOptions& options) {
  RunResult result;
  bool opened = false;
  try {
    Device device = Device::open(device_name, DeviceOptions{options.mapping});
    opened = true;
    if (options.exact_memory) device.set_memory_resource(exact_memory(device));
    result.mapping = tritonrt::to_string(device.info().mapping);
    Stream stream(device);
    try {
      launch_and_check(launch, stream, options, result);
    } catch (const Error& error) {
      result.runs_on = error.code() == ErrorCode::kTimeout && !stream.is_idle();
      throw;
    }
  } catch (const Error& error) {
    const bool right =
        opened && is_refusal(error.code()) && (launch.must_refuse || launch.expect_error);
    const bool race = options.check_races && error.message().compare(0, 6, "race: ") == 0;
    result.status = right ? Status::kPass : race ? Status::kFail : Status::kError;
    result.message = error.message();
  } catch (const std::exception& error) {
    result.status = Status::kError;
    result.message = error.what();
  }
  return result;
}

RunResult run_case(const std::filesystem::path& folder, const std::string& device,
                   const RunOptions& options) {
  try {
    return run_case(read_launch_case(folder), device, options);
  } catch (const std::exception& error) {
    RunResult result;
    result.message = error.what();
    return result;
  }
}

}  // namespace tritonrt::replay
