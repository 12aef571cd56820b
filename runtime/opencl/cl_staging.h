// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_STAGING_H_
#define TRITONRT_RUNTIME_OPENCL_CL_STAGING_H_

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include "runtime/opencl/cl_headers.h"

namespace tritonrt::runtime {

// A ring of pinned host memory that large copies of pageable memory go through: discrete devices
// copy pageable memory at a fraction of their speed. Up to four threads move pieces between the
// ring and the pageable memory while the device moves others. Made on first use. Thread safe; one
// copy at a time.
class ClStaging {
 public:
  ClStaging(const cl::Context& context, const cl::Device& device, bool is_cpu);

  // Whether a copy of `size` bytes is faster through here.
  bool pays(std::size_t size);
  // Most bytes of a piece.
  std::size_t piece_bytes() const { return settings_.bytes; }

  // What is done to a piece: by a thread, between the pageable memory and a slot of the ring; and
  // by the device, between the slot and its memory. Called on several threads at once.
  using Move = std::function<void(std::size_t piece, char* slot)>;
  using Enqueue =
      std::function<cl_int(cl_command_queue, std::size_t piece, char* slot, cl_event* event)>;

  // Fills slots with pieces 0 to count - 1 and has each enqueued; returns when all are. `idle`:
  // there is no work in `queue`. Work that is later in it comes after the copy.
  void send(cl_command_queue queue, bool idle, std::size_t count, const Move& fill,
            const Enqueue& enqueue);
  // Has pieces enqueued, and empties each slot when its content has come; returns when all have
  // been emptied, which is after all that was in `queue`.
  void receive(cl_command_queue queue, bool idle, std::size_t count, const Enqueue& enqueue,
               const Move& empty);

  // The same for contiguous bytes.
  void write(cl_command_queue queue, bool idle, cl_mem memory, std::size_t offset, const char* data,
             std::size_t size);
  void read(cl_command_queue queue, bool idle, cl_mem memory, std::size_t offset, char* data,
            std::size_t size);

 private:
  // TRITONRT_STAGING_THREADS, _BYTES and _SLOTS (a thread) change them.
  struct Settings {
    unsigned threads = 4;
    std::size_t bytes = std::size_t{4} << 20;
    std::size_t slots = 2;
    // TRITONRT_STAGING_STREAM: 1 past the caches into the ring, 2 out of it, 3 both.
    unsigned stream = 2;
    static Settings from_environment();
  };
  struct Slot {
    char* data = nullptr;
    cl::Event busy;  // a copy from or to it
  };
  struct Pieces {
    std::size_t bytes;
    std::size_t count;
  };

  // Copies past the caches where that was found to pay.
  void fill_bytes(char* slot, const char* data, std::size_t size) const;
  void empty_bytes(char* data, const char* slot, std::size_t size) const;
  // Waits for a slot's copy.
  static cl_int await(Slot& slot);
  Pieces cut(std::size_t size) const;
  bool make_ring();
  void await_all();
  std::size_t ring_slots() const { return settings_.threads * settings_.slots; }

  const cl::Context context_;
  const cl::Device device_;
  const bool wanted_;
  const Settings settings_;
  std::mutex mutex_;
  // All under mutex_.
  bool tried_ = false;
  cl::CommandQueue queue_;
  cl::Buffer ring_;
  std::vector<Slot> slots_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_STAGING_H_
