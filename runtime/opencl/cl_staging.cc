// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_staging.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "runtime/opencl/cl_error.h"
#include "runtime/parallel_for.h"

namespace tritonrt::runtime {
namespace {

constexpr std::size_t kLeast = std::size_t{1} << 20;
constexpr std::size_t kLeastPiece = std::size_t{64} << 10;

// Devices of type CPU copy at memory's speed as it is. TRITONRT_STAGING=0|1 says otherwise.
bool is_wanted(bool is_cpu) {
  const char* text = std::getenv("TRITONRT_STAGING");
  if (text != nullptr && (*text == '0' || *text == '1')) return *text == '1';
  return !is_cpu;
}

std::size_t setting(const char* name, std::size_t least, std::size_t most, std::size_t otherwise) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return otherwise;
  char* rest = nullptr;
  const unsigned long long value = std::strtoull(text, &rest, 10);
  return rest == text ? otherwise : std::clamp<std::size_t>(value, least, most);
}

// Memory that will not be read soon: its old content is not fetched, and it takes no room in the
// caches.
void copy_past_caches(char* target, const char* source, std::size_t size) {
#if defined(__SSE2__)
  const std::size_t head = std::min(size, (0 - reinterpret_cast<std::uintptr_t>(target)) & 63);
  std::memcpy(target, source, head);
  std::size_t at = head;
  for (; at + 64 <= size; at += 64) {
    const auto* const from = reinterpret_cast<const __m128i*>(source + at);
    auto* const to = reinterpret_cast<__m128i*>(target + at);
    const __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1);
    const __m128i c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
    _mm_stream_si128(to, a);
    _mm_stream_si128(to + 1, b);
    _mm_stream_si128(to + 2, c);
    _mm_stream_si128(to + 3, d);
  }
  std::memcpy(target + at, source + at, size - at);
  _mm_sfence();
#else
  std::memcpy(target, source, size);
#endif
}

// The first failure of several threads.
class FirstError {
 public:
  bool ok() const { return code_.load(std::memory_order_relaxed) == CL_SUCCESS; }
  bool note(cl_int code) {
    cl_int none = CL_SUCCESS;
    if (code != CL_SUCCESS) code_.compare_exchange_strong(none, code);
    return code == CL_SUCCESS;
  }
  void check(const char* doing) const { cl_check(code_.load(), doing); }

 private:
  std::atomic<cl_int> code_{CL_SUCCESS};
};

}  // namespace

ClStaging::Settings ClStaging::Settings::from_environment() {
  Settings s;
  s.threads = static_cast<unsigned>(setting("TRITONRT_STAGING_THREADS", 1, 16, s.threads));
  s.bytes = setting("TRITONRT_STAGING_BYTES", kLeastPiece, std::size_t{64} << 20, s.bytes);
  s.slots = setting("TRITONRT_STAGING_SLOTS", 1, 16, s.slots);
  s.stream = static_cast<unsigned>(setting("TRITONRT_STAGING_STREAM", 0, 3, s.stream));
  return s;
}

ClStaging::ClStaging(const cl::Context& context, const cl::Device& device, bool is_cpu)
    : context_(context),
      device_(device),
      wanted_(is_wanted(is_cpu)),
      settings_(Settings::from_environment()) {}

bool ClStaging::pays(std::size_t size) {
  if (!wanted_ || size < kLeast) return false;
  const std::lock_guard lock(mutex_);
  return make_ring();
}

bool ClStaging::make_ring() {
  if (tried_) return !slots_.empty();
  tried_ = true;
  try {
    const std::size_t bytes = ring_slots() * settings_.bytes;
    queue_ = cl::CommandQueue(context_, device_);
    ring_ = cl::Buffer(context_, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes);
    char* const data = static_cast<char*>(
        queue_.enqueueMapBuffer(ring_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes));
    slots_.resize(ring_slots());
    for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].data = data + i * settings_.bytes;
    return true;
  } catch (const cl::Error&) {
    return false;  // no pinned memory left: copies go the slow way
  }
}

cl_int ClStaging::await(Slot& slot) {
  if (slot.busy() == nullptr) return CL_SUCCESS;
  const cl_event event = slot.busy();
  const cl_int code = clWaitForEvents(1, &event);
  slot.busy = cl::Event();
  return code;
}

void ClStaging::await_all() {
  for (Slot& slot : slots_) cl_check(await(slot), "copying through pinned memory");
}

void ClStaging::fill_bytes(char* slot, const char* data, std::size_t size) const {
  if ((settings_.stream & 1) != 0)
    copy_past_caches(slot, data, size);
  else
    std::memcpy(slot, data, size);
}

void ClStaging::empty_bytes(char* data, const char* slot, std::size_t size) const {
  if ((settings_.stream & 2) != 0)
    copy_past_caches(data, slot, size);
  else
    std::memcpy(data, slot, size);
}

void ClStaging::send(cl_command_queue queue, bool idle, std::size_t count, const Move& fill,
                     const Enqueue& enqueue) {
  const std::lock_guard lock(mutex_);
  await_all();
  FirstError error;
  const auto put = [&](cl_command_queue to, std::size_t piece, Slot& slot) {
    cl_event event = nullptr;
    const bool done = error.note(enqueue(to, piece, slot.data, &event));
    if (done) slot.busy = cl::Event(event);
    return done && error.note(clFlush(to));
  };
  if (!idle && count <= slots_.size()) {
    // All that is earlier goes on meanwhile.
    parallel_for(count, settings_.threads, [&](std::size_t i) { fill(i, slots_[i].data); });
    for (std::size_t i = 0; i < count && error.ok(); ++i) put(queue, i, slots_[i]);
    error.check("copying to a buffer");
    return;
  }
  // The threads that help wait for nothing but their own pieces: on a queue that has no others.
  if (!idle) cl_check(clFinish(queue), "waiting for earlier work");
  std::atomic<std::size_t> next{0};
  parallel_for(settings_.threads, settings_.threads, [&](std::size_t lane) {
    Slot* const own = &slots_[lane * settings_.slots];
    for (std::size_t turn = 0; error.ok(); ++turn) {
      const std::size_t piece = next.fetch_add(1, std::memory_order_relaxed);
      if (piece >= count) return;
      Slot& slot = own[turn % settings_.slots];
      if (!error.note(await(slot))) return;
      fill(piece, slot.data);
      put(queue_(), piece, slot);
    }
  });
  error.note(clFinish(queue_()));
  error.check("copying to a buffer");
}

void ClStaging::receive(cl_command_queue queue, bool idle, std::size_t count,
                        const Enqueue& enqueue, const Move& empty) {
  const std::lock_guard lock(mutex_);
  await_all();
  if (!idle) cl_check(clFinish(queue), "waiting for earlier work");
  FirstError error;
  std::atomic<std::size_t> next{0};
  parallel_for(settings_.threads, settings_.threads, [&](std::size_t lane) {
    Slot* const own = &slots_[lane * settings_.slots];
    std::vector<std::size_t> pieces(settings_.slots, count);  // what each slot gets
    const auto begin = [&](std::size_t i) {
      const std::size_t piece = next.fetch_add(1, std::memory_order_relaxed);
      if (piece >= count || !error.ok()) return;
      cl_event event = nullptr;
      if (!error.note(enqueue(queue_(), piece, own[i].data, &event))) return;
      own[i].busy = cl::Event(event);
      pieces[i] = piece;
      error.note(clFlush(queue_()));
    };
    for (std::size_t i = 0; i < settings_.slots; ++i) begin(i);
    for (std::size_t turn = 0;; ++turn) {
      const std::size_t i = turn % settings_.slots;
      const std::size_t piece = std::exchange(pieces[i], count);
      if (piece == count || !error.note(await(own[i]))) return;
      empty(piece, own[i].data);
      begin(i);
    }
  });
  error.note(clFinish(queue_()));
  error.check("copying from a buffer");
}

ClStaging::Pieces ClStaging::cut(std::size_t size) const {
  // Small copies have enough pieces for all threads as well.
  Pieces pieces;
  const std::size_t share = (size / (std::size_t{4} * settings_.threads) + 63) / 64 * 64;
  pieces.bytes = std::clamp(share, std::min(kLeastPiece, settings_.bytes), settings_.bytes);
  pieces.count = (size + pieces.bytes - 1) / pieces.bytes;
  return pieces;
}

void ClStaging::write(cl_command_queue queue, bool idle, cl_mem memory, std::size_t offset,
                      const char* data, std::size_t size) {
  const Pieces pieces = cut(size);
  const auto bytes = [&](std::size_t piece) {
    return std::min(pieces.bytes, size - piece * pieces.bytes);
  };
  send(
      queue, idle, pieces.count,
      [&](std::size_t piece, char* slot) {
        fill_bytes(slot, data + piece * pieces.bytes, bytes(piece));
      },
      [&](cl_command_queue to, std::size_t piece, char* slot, cl_event* event) {
        return clEnqueueWriteBuffer(to, memory, CL_FALSE, offset + piece * pieces.bytes,
                                    bytes(piece), slot, 0, nullptr, event);
      });
}

void ClStaging::read(cl_command_queue queue, bool idle, cl_mem memory, std::size_t offset,
                     char* data, std::size_t size) {
  const Pieces pieces = cut(size);
  const auto bytes = [&](std::size_t piece) {
    return std::min(pieces.bytes, size - piece * pieces.bytes);
  };
  receive(
      queue, idle, pieces.count,
      [&](cl_command_queue from, std::size_t piece, char* slot, cl_event* event) {
        return clEnqueueReadBuffer(from, memory, CL_FALSE, offset + piece * pieces.bytes,
                                   bytes(piece), slot, 0, nullptr, event);
      },
      [&](std::size_t piece, char* slot) {
        empty_bytes(data + piece * pieces.bytes, slot, bytes(piece));
      });
}

}  // namespace tritonrt::runtime
