// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_DRIVER_H_
#define TRITONRT_RUNTIME_DRIVER_H_

// What a driver provides. The public classes are thin handles over these; nothing outside a
// driver's folder knows which driver it holds. A driver is built into libtritonrt or is a library
// that exports `tritonrt_driver_get`.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/copy_plan.h"
#include "runtime/memory/device_memory.h"
#include "runtime/metadata.h"
#include "runtime/stream_order.h"
#include "tritonrt/device.h"
#include "tritonrt/kernel.h"
#include "tritonrt/stream.h"

namespace tritonrt::runtime {

class DeviceImpl;
class Reports;
class StreamImpl;

using Timeout = std::optional<std::chrono::nanoseconds>;

class BufferImpl;

// Host memory that follows a buffer.
class BufferMirror {
 public:
  virtual ~BufferMirror() = default;
  // As BufferImpl::use: the device gets what the host has written. A null stream: at once.
  virtual void before_use(StreamImpl* stream, bool write) = 0;
};

// Device memory. Thread safe.
class TRITONRT_API BufferImpl : public std::enable_shared_from_this<BufferImpl> {
 public:
  BufferImpl(std::shared_ptr<DeviceImpl> device, std::size_t size)
      : device_(std::move(device)), size_(size) {}
  virtual ~BufferImpl();

  DeviceImpl& device() const { return *device_; }
  std::size_t size() const { return size_; }
  // What a pointer argument's slot starts from: the address on the CPU; where a kernel gets a
  // memory object and an offset, the offset of the first byte.
  std::uint64_t base() const { return base_; }
  // The addresses that the memory covers: two buffers may share bytes only if these meet. A driver
  // without host addresses gives each memory object a range of its own.
  std::uint64_t range_begin() const { return range_begin_; }
  std::uint64_t range_end() const { return range_end_; }
  // What this is a part of, or itself.
  BufferImpl& whole() { return whole_ != nullptr ? *whole_ : *this; }
  // Work on `stream` that reads or writes the memory is about to be enqueued: it waits for what it
  // conflicts with on other streams.
  void use(StreamImpl& stream, bool write);
  // The same for work that blocks, behind all other work of the device.
  void use_blocking(bool write);
  // False where there is one, or this is a part. The mirror lives until clear_mirror.
  bool set_mirror(BufferMirror* mirror) {
    BufferMirror* none = nullptr;
    return whole_ == nullptr && mirror_.compare_exchange_strong(none, mirror);
  }
  void clear_mirror() { mirror_.store(nullptr); }
  virtual void* host_data() const = 0;
  // The driver's own object, null where it has none.
  virtual void* native() { return nullptr; }
  // Calls `release`, which does not throw, after the memory has been used for the last time.
  void call_when_gone(std::function<void()> release) { release_ = std::move(release); }
  // Where kernels see the first byte; by default where the host does.
  virtual std::uint64_t device_address() { return reinterpret_cast<std::uintptr_t>(host_data()); }

  // A part of the memory, which it keeps. The range is already checked.
  virtual std::shared_ptr<BufferImpl> slice(std::size_t offset, std::size_t size) = 0;

  // A null stream: block, after all earlier work on the device. Ranges are already checked.
  virtual void copy_from_host(StreamImpl* stream, const void* data, std::size_t size,
                              std::size_t offset) = 0;
  virtual void copy_to_host(StreamImpl* stream, void* data, std::size_t size,
                            std::size_t offset) = 0;
  virtual void copy_from(StreamImpl* stream, BufferImpl& source, std::size_t size,
                         std::size_t source_offset, std::size_t offset) = 0;
  virtual void fill(StreamImpl* stream, const void* pattern, std::size_t pattern_size,
                    std::size_t size, std::size_t offset) = 0;
  // Strided forms; the plan's offsets are into the host memory and this buffer. Not empty.
  virtual void copy_from_host(StreamImpl& stream, const void* data, const CopyPlan& plan) = 0;
  virtual void copy_to_host(StreamImpl& stream, void* data, const CopyPlan& plan) = 0;
  // REQUIRES: `source` is of this device.
  virtual void copy_from(StreamImpl& stream, BufferImpl& source, const CopyPlan& plan) = 0;

 protected:
  std::shared_ptr<DeviceImpl> device_;
  std::size_t size_;
  std::uint64_t base_ = 0;
  std::uint64_t range_begin_ = 0;
  std::uint64_t range_end_ = 0;
  std::shared_ptr<BufferImpl> whole_;  // of a part: never a part itself
  Uses uses_;                          // of a part: the whole's count
  std::function<void()> release_;      // may be empty
  std::atomic<BufferMirror*> mirror_{nullptr};
};

class TRITONRT_API EventImpl {
 public:
  explicit EventImpl(std::shared_ptr<DeviceImpl> device) : device_(std::move(device)) {}
  virtual ~EventImpl();
  DeviceImpl& device() const { return *device_; }
  virtual bool is_complete() = 0;
  // False when the time passed first.
  virtual bool wait(Timeout timeout) = 0;
  // When the event happened, in ns of the device's clock; nothing when it was not timed or has not
  // happened.
  virtual std::optional<std::uint64_t> timestamp() = 0;
  // The driver's own object, null where it has none.
  virtual void* native() { return nullptr; }
  // Calls `then` once the event has happened: on any thread, or at once where it has. `then` does
  // not throw and does not wait.
  virtual void on_complete(std::function<void()> then) = 0;

 private:
  std::shared_ptr<DeviceImpl> device_;
};

class TRITONRT_API StreamImpl : public std::enable_shared_from_this<StreamImpl> {
 public:
  StreamImpl(std::shared_ptr<DeviceImpl> device, const StreamOptions& options);
  virtual ~StreamImpl();
  DeviceImpl& device() const { return *device_; }
  // No other stream of the process has it; never 0.
  std::uint64_t id() const { return id_; }

  // Pieces of work enqueued so far.
  std::uint64_t enqueued() const { return enqueued_.load(std::memory_order_acquire); }
  // The next piece, as stream_order.h names it.
  std::uint64_t next_use() const {
    return (id_ << kUseTicketBits) | ((enqueued() + 1) & kUseTicketMask);
  }
  // Whether the first `ticket` pieces are known to have run, without asking the device.
  virtual bool has_run(std::uint64_t ticket) = 0;
  // How much of another stream this one waits for already.
  bool has_followed(std::uint64_t number, std::uint64_t ticket);
  void note_followed(std::uint64_t number, std::uint64_t ticket);
  // Whether memory that other streams use orders this one's work.
  bool orders() const { return orders_; }
  // The driver's own object, null where it has none.
  virtual void* native() { return nullptr; }
  virtual void synchronize(Timeout timeout) = 0;
  virtual bool is_idle() = 0;
  virtual std::shared_ptr<EventImpl> record() = 0;
  // REQUIRES: the event is of this stream's device.
  virtual void wait(const std::shared_ptr<EventImpl>& event) = 0;
  // The same for an event of another device.
  virtual void wait_foreign(const std::shared_ptr<EventImpl>& event) = 0;
  // Calls `function` in the stream's order, on a thread of the library. What it throws becomes the
  // stream's error.
  virtual void call(std::function<void()> function) = 0;

  // Synchronises; then hands on what kernels printed and throws for asserts that failed.
  void finish(Timeout timeout);
  // Made for the first kernel that reports.
  Reports& reports();

 protected:
  void count_enqueued(std::uint64_t pieces) {
    enqueued_.fetch_add(pieces, std::memory_order_release);
  }

 private:
  const std::shared_ptr<DeviceImpl> device_;
  const std::uint64_t id_;
  std::atomic<Reports*> reports_{nullptr};
  const bool orders_;
  std::atomic<std::uint64_t> enqueued_{0};
  std::mutex followed_mutex_;
  std::unordered_map<std::uint64_t, std::uint64_t> followed_;  // under followed_mutex_
};

inline void BufferImpl::use(StreamImpl& stream, bool write) {
  BufferImpl& all = whole();
  if (stream.orders()) all.uses_.note(stream, stream.next_use(), write);
  if (BufferMirror* const mirror = all.mirror_.load(std::memory_order_acquire))
    mirror->before_use(&stream, write);
}

inline void BufferImpl::use_blocking(bool write) {
  if (BufferMirror* const mirror = whole().mirror_.load(std::memory_order_acquire))
    mirror->before_use(nullptr, write);
}

// Arguments in the form that kernel_abi.h gives them: a slot a parameter, and for pointers the
// buffer they point into (null for null and raw host pointers).
struct PackedArgs {
  const std::uint64_t* slots = nullptr;
  BufferImpl* const* buffers = nullptr;
  std::size_t count = 0;
};

// A launch with its arguments in place. One thread at a time. The owner keeps the buffers alive.
class TRITONRT_API BoundLaunch {
 public:
  virtual ~BoundLaunch();
  // REQUIRES: the grid is checked, and `stream` is of the executable's device.
  virtual void launch(StreamImpl& stream, const Grid& grid) = 0;
  virtual void set(std::size_t index, std::uint64_t slot, BufferImpl* buffer) = 0;
};

// A loaded kernel. Thread safe.
class TRITONRT_API Executable {
 public:
  virtual ~Executable();
  // REQUIRES: the arguments are checked against the signature; grid and stream as above.
  virtual void launch(StreamImpl& stream, const Grid& grid, const PackedArgs& args) = 0;
  virtual std::unique_ptr<BoundLaunch> bind(const PackedArgs& args) = 0;
  // How a launch over the grid runs programs that talk; empty where they do not. Throws where they
  // cannot be run.
  virtual std::string mesh_mapping(const Grid&) const { return {}; }
};

// One step of recorded work: a launch, or bytes moved.
struct WorkStep {
  enum class Kind : std::uint8_t { kLaunch, kCopyFromHost, kCopyToHost, kCopy, kFill };

  Kind kind = Kind::kLaunch;
  // A launch: its arguments as PackedArgs has them. Otherwise `buffers` are the target and, of a
  // copy, the source; of a copy to the host, the source alone.
  std::vector<std::shared_ptr<BufferImpl>> buffers;
  std::shared_ptr<Executable> executable;
  Grid grid;
  std::vector<std::uint64_t> slots;

  const void* host_source = nullptr;
  void* host_target = nullptr;
  std::size_t size = 0;
  std::size_t offset = 0;  // into the first buffer
  std::size_t source_offset = 0;
  unsigned char pattern[16] = {};
  std::size_t pattern_size = 0;

  // REQUIRES: not a launch.
  void enqueue(StreamImpl& stream) const;
};

// Steps in order, made ready for being enqueued together. One thread at a time; work that has been
// enqueued keeps what it needs.
class TRITONRT_API RecordedWork {
 public:
  virtual ~RecordedWork();
  virtual void replay(StreamImpl& stream) = 0;
  // A step of the same kind takes the place of step `index`.
  virtual void replace(std::size_t index, const WorkStep& step) = 0;
};

// What the compiler made, and what the driver made of it.
struct Artifact {
  Metadata metadata;
  std::string code;           // .so bytes, OpenCL C, ...
  std::string device_binary;  // the driver's own form, empty where it has none
};

class TRITONRT_API DeviceImpl : public std::enable_shared_from_this<DeviceImpl> {
 public:
  virtual ~DeviceImpl();

  // Where buffers get their memory from.
  DeviceMemory& memory() { return memory_; }

  const DeviceInfo& info() const { return info_; }
  const std::string& target() const { return target_; }
  // How well code for another target would run here: 0 where it must not, more where it is better
  // made for this device. Code for the very same target suits best.
  virtual int suits(std::string_view target) const { return target == target_ ? kSameTarget : 0; }
  static constexpr int kSameTarget = 1 << 30;
  // The description to compile for when this device is elsewhere.
  virtual std::string portable_target() const { return target_; }
  // Whether loading makes a form of the code that is worth keeping.
  virtual bool makes_binaries() const { return false; }

  virtual std::shared_ptr<StreamImpl> create_stream(const StreamOptions& options) = 0;
  virtual std::shared_ptr<BufferImpl> allocate(std::size_t size) = 0;
  virtual std::shared_ptr<BufferImpl> wrap_host(void* data, std::size_t size) = 0;
  // Objects of the application's own. By default the device has no such.
  virtual std::shared_ptr<StreamImpl> adopt_stream(void* object);
  virtual std::shared_ptr<BufferImpl> adopt_buffer(void* object);
  virtual std::shared_ptr<EventImpl> adopt_event(void* object);
  virtual void* native_context() { return nullptr; }
  virtual void* native_device() { return nullptr; }
  // Whether kernels may be given plain host pointers.
  virtual bool takes_host_pointers() const = 0;
  // Makes an artifact callable. Uses `device_binary` when it is set and accepted; sets it to what
  // is worth keeping otherwise. `label` names the kernel in errors.
  virtual std::shared_ptr<Executable> load(Artifact& artifact, const std::string& label) = 0;
  // By default the steps are bound launches and copies, enqueued one after the other.
  virtual std::unique_ptr<RecordedWork> record(const std::vector<WorkStep>& steps);
  // Throws where the device was shut down, or made before a fork.
  virtual void check_open() const = 0;
  // Finishes every stream.
  virtual void synchronize() = 0;
  virtual void shutdown() = 0;

 protected:
  DeviceMemory memory_;
  DeviceInfo info_;
  std::string target_;
};

// A driver: finds and opens the devices of one kind. Lives as long as the process.
class TRITONRT_API Driver {
 public:
  virtual ~Driver();
  virtual std::vector<DeviceInfo> list() = 0;
  // `selector` is what follows the colon in a device's name, or empty. The same device and mapping
  // give the same object until it is shut down.
  virtual std::shared_ptr<DeviceImpl> open(std::string_view selector, Mapping mapping) = 0;
  // A device in a context that the application made. Throws kUnsupported where there is no such.
  virtual std::shared_ptr<DeviceImpl> adopt(void* context, void* device, Mapping mapping);
};

// Raised whenever this header changes: a module of another version is refused.
inline constexpr std::uint32_t kDriverAbi = 7;

// Export of a driver module, with C linkage. Null when `abi` is not its own.
using GetDriverFn = Driver* (*)(std::uint32_t abi);
inline constexpr const char* kGetDriverSymbol = "tritonrt_driver_get";

// A driver that is built into the library says so in an initialiser. `get` makes it when it is
// first asked for. Always true.
bool add_built_in_driver(const char* name, Driver& (*get)());
// The driver of that name; a library is loaded when first asked for.
Driver& driver_of(const std::string& name);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_DRIVER_H_
