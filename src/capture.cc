// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/capture.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/live_buffers.h"
#include "src/kernel_impl.h"
#include "src/replay/element.h"
#include "src/replay/file_io.h"
#include "src/replay/npy.h"
#include "tritonrt/capture.h"
#include "tritonrt/error.h"

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace tritonrt::runtime {
namespace {

constexpr std::size_t kMaxIndexBytes = std::size_t{256} << 20;

// Triton's name of a type.
std::string dtype_name(DType dtype) {
  const std::string name(to_string(dtype));
  return name[0] == 'f' ? "fp" + name.substr(1) : name;
}

Json scalar_value(DType dtype, std::uint64_t bits) {
  if (!replay::is_float(dtype)) {
    const std::int64_t value = replay::integer_value(dtype, bits);
    return replay::is_signed(dtype) ? Json(value) : Json(static_cast<std::uint64_t>(value));
  }
  const double value = replay::decode(dtype, bits);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

// A place in a block.
struct Pointee {
  std::string block;
  std::uint64_t offset;
};

// A memory block of the launch: a buffer, or host memory.
struct Block {
  std::string id;
  BufferImpl* buffer = nullptr;  // null: host memory
  std::uint64_t host = 0;
  std::size_t size = 0;
  DType dtype = DType::kU8;
  std::string before;
  bool written = false;  // by the kernel, as far as its text tells
  // Where the block holds addresses: what each element is of, nothing for other values.
  std::vector<std::optional<Pointee>> table;

  std::string read() const {
    std::string bytes(size, '\0');
    if (size == 0) return bytes;
    if (buffer != nullptr)
      buffer->copy_to_host(nullptr, bytes.data(), size, 0);
    else
      std::memcpy(bytes.data(), reinterpret_cast<const void*>(host), size);
    return bytes;
  }
};

// One launch being written.
class Case {
 public:
  Case(const fs::path& folder, KernelImpl& kernel, DeviceImpl& device, const Grid& grid,
       const Frame& frame)
      : folder_(folder),
        kernel_(kernel),
        device_(device),
        signature_(kernel.signature()),
        frame_(frame) {
    document_ = {{"schema", 1},
                 {"name", folder.filename().string()},
                 {"group", "captured"},
                 {"ttir", "kernel.ttir"},
                 {"entry", signature_.kernel},
                 {"grid", {grid.x, grid.y, grid.z}}};
    for (const std::uint32_t size : {grid.mesh.x, grid.mesh.y, grid.mesh.z})
      if (size != 0) document_["mesh"].push_back(size);
    add_arguments();
  }

  void look_before() {
    // Blocks are added where a table points to them.
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      blocks_[i].before = blocks_[i].read();
      if (size_of(blocks_[i].dtype) == sizeof(std::uint64_t) && !replay::is_float(blocks_[i].dtype))
        find_pointees(blocks_[i]);
    }
  }

  void write() {
    replay::write_file(folder_ / "kernel.ttir", kernel_.source());
    Json buffers = Json::array();
    for (const Block& block : blocks_) buffers.push_back(describe(block));
    document_["buffers"] = std::move(buffers);
    document_["reference"] = "captured";
    const CompileOptions& options = kernel_.options();
    document_["num_warps"] = options.num_warps;
    document_["num_stages"] = options.num_stages;
    replay::write_file(folder_ / "case.json", document_.dump(1) + "\n");
  }

 private:
  void add_arguments() {
    Json args = Json::array();
    const std::vector<Parameter>& parameters = signature_.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].kind == Parameter::Kind::kScalar) {
        args.push_back(scalar(i));
        continue;
      }
      Json pointer = address(i);
      if (parameters[i].kind == Parameter::Kind::kPointer) {
        pointer["kind"] = "pointer";
        args.push_back(std::move(pointer));
        continue;
      }
      // A descriptor, with the scalars that follow it.
      const std::size_t rank = parameters[i].block_shape.size();
      pointer["kind"] = "tensordesc";
      pointer["block_shape"] = parameters[i].block_shape;
      pointer["shape"] = Json::array();
      pointer["strides"] = Json::array();
      Json own = Json::array();
      for (std::size_t d = 1; d <= 2 * rank && i + d < parameters.size(); ++d) {
        Json part = scalar(i + d);
        pointer[d <= rank ? "shape" : "strides"].push_back(part["value"]);
        part["of"] = pointer["name"];
        own.push_back(std::move(part));
      }
      args.push_back(std::move(pointer));
      for (Json& part : own) args.push_back(std::move(part));
      i += 2 * rank;
    }
    document_["args"] = std::move(args);
  }

  std::string name_of(std::size_t i) const {
    const std::string& name = signature_.parameters[i].name;
    return name.empty() ? "arg" + std::to_string(i) : name;
  }

  Json scalar(std::size_t i) const {
    const DType dtype = signature_.parameters[i].dtype;
    return {{"name", name_of(i)},
            {"kind", "scalar"},
            {"dtype", dtype_name(dtype)},
            {"value", scalar_value(dtype, frame_.args().slots[i])}};
  }

  Json address(std::size_t i) {
    const std::uint64_t slot = frame_.args().slots[i];
    Json json = {{"name", name_of(i)},
                 {"kind", "pointer"},
                 {"dtype", "*" + dtype_name(signature_.parameters[i].dtype)}};
    BufferImpl* const buffer = frame_.args().buffers[i];
    if (buffer == nullptr && slot == 0) {
      json["buffer"] = nullptr;
      return json;
    }
    Block& block = block_of(i);
    block.written |= signature_.parameters[i].written;
    json["buffer"] = block.id;
    json["offset_bytes"] = slot - (buffer != nullptr ? buffer->whole().base() : block.host);
    return json;
  }

  // The block that argument `i` points into; two arguments share one where they share memory.
  Block& block_of(std::size_t i) {
    Block block;
    if (BufferImpl* const buffer = frame_.args().buffers[i]) {
      block.buffer = &buffer->whole();
      block.size = block.buffer->size();
    } else {
      const Frame::Range range = frame_.range(i);
      if (range.end == ~std::uint64_t{0})
        throw Error(ErrorCode::kUnsupported,
                    "kernel '" + signature_.kernel + "': argument " + std::to_string(i) +
                        " is host memory of unknown size, which TRITONRT_CAPTURE cannot save");
      const Frame::Range whole = overlapping(range);
      block.host = whole.begin;
      block.size = whole.end - whole.begin;
    }
    const std::string_view type = to_string(signature_.parameters[i].dtype);
    if (const auto dtype = replay::element_type(type); dtype && block.size % size_of(*dtype) == 0)
      block.dtype = *dtype;
    return known_or_new(std::move(block));
  }

  // `range` with the host memory of all arguments that share bytes with it, directly or through
  // others.
  Frame::Range overlapping(Frame::Range range) const {
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < signature_.parameters.size(); ++i) {
        if (signature_.parameters[i].kind == Parameter::Kind::kScalar ||
            frame_.args().buffers[i] != nullptr)
          continue;
        const Frame::Range other = frame_.range(i);
        if (other.begin >= range.end || range.begin >= other.end || other.end == ~std::uint64_t{0})
          continue;
        grown |= other.begin < range.begin || other.end > range.end;
        range = {std::min(range.begin, other.begin), std::max(range.end, other.end)};
      }
    }
    return range;
  }

  Block& known_or_new(Block block) {
    for (Block& known : blocks_)
      if (known.buffer == block.buffer && known.host == block.host && known.size == block.size)
        return known;
    block.id = "b" + std::to_string(blocks_.size());
    blocks_.push_back(std::move(block));
    return blocks_.back();
  }

  // Takes a block for a table of addresses if some of its elements are addresses of buffers of its
  // device. Their values mean nothing elsewhere: the file holds zeros for them.
  void find_pointees(Block& block) {
    std::vector<std::optional<Pointee>> table;
    bool any = false;
    for (std::size_t at = 0; at < block.size; at += sizeof(std::uint64_t)) {
      std::uint64_t address = 0;
      std::memcpy(&address, block.before.data() + at, sizeof(address));
      BufferImpl* const target = address != 0 ? buffer_at(address) : nullptr;
      table.emplace_back();
      if (target == nullptr) continue;
      Block pointed;
      pointed.buffer = target;
      pointed.written = true;
      pointed.size = target->size();
      table.back() = {known_or_new(std::move(pointed)).id, address - target->device_address()};
      block.before.replace(at, sizeof(address), sizeof(address), '\0');
      any = true;
    }
    if (any) block.table = std::move(table);
  }

  BufferImpl* buffer_at(std::uint64_t address) {
    if (live_.empty()) live_ = live_buffers();
    for (const std::shared_ptr<BufferImpl>& buffer : live_)
      if (&buffer->device() == &device_ && address >= buffer->device_address() &&
          address - buffer->device_address() < buffer->size())
        return buffer.get();
    return nullptr;
  }

  Json describe(const Block& block) const {
    const std::string type(replay::npy_type(block.dtype));
    Json json = {{"id", block.id},
                 {"dtype", dtype_name(block.dtype)},
                 {"npy_dtype", type},
                 {"numel", block.size / size_of(block.dtype)},
                 {"file", save(block, ".in.npy", block.before)}};
    if (!block.table.empty()) {
      for (const std::optional<Pointee>& pointee : block.table)
        json["pointer_table"].push_back(
            pointee ? Json{{"buffer", pointee->block}, {"offset_bytes", pointee->offset}} : Json());
      return json;
    }
    const std::string after = block.read();
    // What the kernel writes is expected with a tolerance, also where it was there before.
    if (after == block.before && !block.written) return json;
    json["expected"] = save(block, ".out.npy", after);
    const double tolerance = replay::is_float(block.dtype) ? 1e-5 : 0;
    json["rtol"] = tolerance;
    json["atol"] = tolerance;
    json["reference"] = "captured";
    return json;
  }

  std::string save(const Block& block, const char* suffix, const std::string& bytes) const {
    replay::NpyArray array;
    array.type = replay::npy_type(block.dtype);
    array.shape = {block.size / size_of(block.dtype)};
    array.data = bytes;
    replay::write_npy(folder_ / (block.id + suffix), array);
    return block.id + suffix;
  }

  const fs::path folder_;
  KernelImpl& kernel_;
  DeviceImpl& device_;
  const Signature& signature_;
  const Frame& frame_;
  Json document_;
  std::deque<Block> blocks_;
  std::vector<std::shared_ptr<BufferImpl>> live_;
};

// Held while the index is read and written, against other processes.
class FileLock {
 public:
  explicit FileLock(const fs::path& path)
      : file_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (file_ >= 0) flock(file_, LOCK_EX);
  }
  ~FileLock() {
    if (file_ >= 0) close(file_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  const int file_;
};

[[noreturn]] void cannot_write(const std::string& reason) {
  throw Error(ErrorCode::kIo, "capture: " + reason);
}

}  // namespace

std::atomic<Capture*> Capture::active_{nullptr};

void Capture::open_from_environment() {
  static std::once_flag* once = new std::once_flag;
  std::call_once(*once, [] {
    const char* folder = std::getenv("TRITONRT_CAPTURE");
    if (folder != nullptr && *folder != '\0') set_folder(folder);
  });
}

void Capture::set_folder(const std::string& folder) {
  if (folder.empty()) {
    // What was active stays alive: another thread may be in the middle of a launch.
    active_.store(nullptr, std::memory_order_release);
    return;
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) cannot_write("cannot make '" + folder + "': " + error.message());
  active_.store(new Capture(folder), std::memory_order_release);
}

Capture::Capture(fs::path folder) : folder_(std::move(folder)) {}

fs::path Capture::next_folder(const std::string& kernel) {
  std::string name;
  for (const char c : kernel.substr(0, 64))
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  for (;;) {
    const fs::path folder = folder_ / (name + "_" + std::to_string(getpid()) + "_" +
                                       std::to_string(next_.fetch_add(1)));
    std::error_code error;
    // A folder of an earlier process of that number is left alone.
    if (fs::create_directory(folder, error)) return folder;
    if (error) cannot_write("cannot make '" + folder.string() + "': " + error.message());
  }
}

void Capture::launch(KernelImpl& kernel, StreamImpl& stream, const Grid& grid, const Frame& frame,
                     const std::function<void()>& run) {
  try {
    const fs::path folder = next_folder(kernel.signature().kernel);
    Case record(folder, kernel, stream.device(), grid, frame);
    record.look_before();
    run();
    stream.synchronize(std::nullopt);
    record.write();
    add_to_index(folder.filename().string());
  } catch (const replay::InputError& error) {
    cannot_write(error.what());
  }
}

void Capture::add_to_index(const std::string& name) {
  const std::lock_guard lock(index_mutex_);
  const FileLock others(folder_ / ".lock");
  const fs::path path = folder_ / "index.json";
  Json index;
  std::error_code error;
  if (fs::exists(path, error))
    index = Json::parse(replay::read_file(path, kMaxIndexBytes), nullptr, false);
  if (!index.is_object() || !index.contains("cases") || !index["cases"].is_array())
    index = {{"schema", 1}, {"count", 0}, {"cases", Json::array()}};
  index["cases"].push_back({{"name", name}, {"dir", name}});
  index["count"] = index["cases"].size();
  replay::write_file(path, index.dump(1) + "\n");
}

}  // namespace tritonrt::runtime

namespace tritonrt {

void set_capture(const std::string& directory) {
  // The environment has its turn first, or a kernel loaded later would bring it back.
  runtime::Capture::open_from_environment();
  runtime::Capture::set_folder(directory);
}

}  // namespace tritonrt
