// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// copy_sweep [DEVICE-TEXT] [MIB] [THREADS]: ways to move pageable host memory to an OpenCL device,
// beside a copy of pinned memory; a line a way, best of some runs. For choosing what
// runtime/opencl/cl_staging does. Takes less than a minute.
//
// pinned: the peer, one copy from memory of the driver.
// alone: what the threads can do without a device: read the application's memory, and copy it into
// slots that stay in their caches. No way through a ring is faster.
// pageable: one copy from the application's memory.
// own: pieces that each thread fills and enqueues by itself, so many slots a thread, as the library
// does.
// team: slots that all threads fill together and the last one enqueues. The ring is smaller, and
// stays in caches.
// mixed: as team, while the driver copies the first part of the range from pageable memory.
// map: as own, with pieces of the device's buffer mapped for writing.
// register: a memory object over the application's memory, copied on the device, and released.
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

namespace {

using Clock = std::chrono::steady_clock;

void copy_plain(char* to, const char* from, size_t size) { std::memcpy(to, from, size); }

// A call of memcpy a page: short ones never go past the caches, whatever the C library thinks.
void copy_pages(char* to, const char* from, size_t size) {
  for (size_t at = 0; at < size; at += 4096)
    std::memcpy(to + at, from + at, std::min<size_t>(4096, size - at));
}

// Four pages side by side keep four streams of the prefetcher going.
void copy_side_by_side(char* to, const char* from, size_t size) {
  constexpr size_t kPage = 4096, kLine = 64;
  size_t at = 0;
  for (; at + 4 * kPage <= size; at += 4 * kPage)
    for (size_t line = 0; line < kPage; line += kLine)
      for (size_t page = 0; page < 4; ++page) {
        const size_t place = at + page * kPage + line;
        std::memcpy(to + place, from + place, kLine);
      }
  std::memcpy(to + at, from + at, size - at);
}

void copy_past_caches(char* to, const char* from, size_t size) {
#if defined(__SSE2__)
  for (size_t at = 0; at + 16 <= size; at += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  _mm_sfence();
#else
  std::memcpy(to, from, size);
#endif
}

void copy_rep(char* to, const char* from, size_t size) {
#if defined(__x86_64__)
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory");
#else
  std::memcpy(to, from, size);
#endif
}

struct CopyWay {
  const char* name;
  void (*copy)(char*, const char*, size_t);
};
constexpr CopyWay kWays[] = {{"memcpy", copy_plain},
                             {"pages", copy_pages},
                             {"4 pages", copy_side_by_side},
                             {"stream", copy_past_caches},
                             {"rep", copy_rep}};

struct Setup {
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queues[2];
  cl::Buffer target;
  size_t size = 0;
  unsigned threads = 4;
  char* source = nullptr;
};

cl::Device find_device(const std::string& text) {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    for (const cl::Device& device : devices)
      if ((platform.getInfo<CL_PLATFORM_NAME>() + device.getInfo<CL_DEVICE_NAME>()).find(text) !=
          std::string::npos)
        return device;
  }
  throw std::runtime_error("no OpenCL device has '" + text + "' in its name");
}

char* allocate(size_t size, bool huge) {
  constexpr size_t kHuge = size_t{2} << 20;
  char* const data =
      static_cast<char*>(std::aligned_alloc(kHuge, (size + kHuge - 1) / kHuge * kHuge));
  if (data == nullptr) throw std::bad_alloc();
  madvise(data, size, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  for (size_t i = 0; i < size; ++i) data[i] = static_cast<char>(i * 7 + (i >> 12));
  return data;
}

// Pinned memory of the driver; with `pages` a memory object over huge pages of ours.
struct Ring {
  Ring(const Setup& s, size_t bytes, bool pages) {
    constexpr cl_mem_flags kOurs = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                           kDrivers = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
    if (pages) own = allocate(bytes, true);
    buffer = cl::Buffer(s.context, pages ? kOurs : kDrivers, bytes, own);
    data = static_cast<char*>(
        s.queues[0].enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes));
  }
  char* own = nullptr;
  cl::Buffer buffer;
  char* data = nullptr;
};

void on_threads(unsigned threads, const std::function<void(unsigned)>& run) {
  std::vector<std::thread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(run, t);
  run(0);
  for (std::thread& thread : others) thread.join();
}

void check(cl_int code) {
  if (code != CL_SUCCESS) throw cl::Error(code, "copy");
}

cl_event write(const Setup& s, cl_command_queue queue, size_t at, size_t size, const char* from) {
  cl_event event = nullptr;
  check(clEnqueueWriteBuffer(queue, s.target(), CL_FALSE, at, size, from, 0, nullptr, &event));
  check(clFlush(queue));
  return event;
}

void await(cl_event& event) {
  if (event == nullptr) return;
  check(clWaitForEvents(1, &event));
  clReleaseEvent(event);
  event = nullptr;
}

// Runs `use(thread, piece, offset)` for all pieces of `bytes`, on the threads.
void for_pieces(const Setup& s, size_t bytes,
                const std::function<void(unsigned, size_t, size_t)>& use) {
  std::atomic<size_t> next{0};
  on_threads(s.threads, [&](unsigned t) {
    for (size_t turn = 0;; ++turn) {
      const size_t at = next.fetch_add(bytes);
      if (at >= s.size) return;
      use(t, turn, at);
    }
  });
}

void read_alone(const Setup& s) {
  constexpr size_t kBytes = size_t{256} << 10, kLine = 64;
  std::atomic<size_t> sum{0};
  for_pieces(s, kBytes, [&](unsigned, size_t, size_t at) {
    size_t own = 0;
    for (size_t i = at; i < std::min(at + kBytes, s.size); i += kLine)
      own += static_cast<unsigned char>(s.source[i]);
    sum += own;
  });
  if (sum == 0) throw cl::Error(-1, "nothing was read");
}

void copy_alone(const Setup& s, const Ring& ring, const CopyWay& way) {
  constexpr size_t kBytes = size_t{256} << 10;
  for_pieces(s, kBytes, [&](unsigned t, size_t turn, size_t at) {
    way.copy(ring.data + (size_t{2} * t + turn % 2) * kBytes, s.source + at,
             std::min(kBytes, s.size - at));
  });
}

// The range [begin, size) by pieces of `bytes`.
void own(const Setup& s, const Ring& ring, size_t bytes, size_t slots, unsigned queues,
         const CopyWay& way) {
  std::vector<cl_event> busy(s.threads * slots);
  for_pieces(s, bytes, [&](unsigned t, size_t turn, size_t at) {
    const size_t own_slot = t * slots + turn % slots;
    char* const slot = ring.data + own_slot * bytes;
    await(busy[own_slot]);
    const size_t size = std::min(bytes, s.size - at);
    way.copy(slot, s.source + at, size);
    busy[own_slot] = write(s, s.queues[t % queues](), at, size, slot);
  });
  for (cl_event& event : busy) await(event);
}

// From `begin` on; slots of `bytes`, in parts that threads take.
void team(const Setup& s, const Ring& ring, size_t begin, size_t bytes, size_t slots,
          unsigned queues, const CopyWay& way) {
  struct Slot {
    std::atomic<size_t> filled{0};  // parts of the piece that is being filled
    std::atomic<size_t> turn{0};    // pieces that were enqueued from it
    cl_event busy = nullptr;
  };
  const size_t parts = std::max<size_t>(s.threads, bytes / (size_t{256} << 10)),
               part = bytes / parts;
  const size_t pieces = (s.size - begin + bytes - 1) / bytes;
  std::vector<Slot> ring_slots(slots);
  std::atomic<size_t> next{0};
  on_threads(s.threads, [&](unsigned) {
    for (;;) {
      const size_t i = next.fetch_add(1);
      const size_t piece = i / parts, inside = i % parts * part;
      if (piece >= pieces) return;
      Slot& slot = ring_slots[piece % slots];
      // Its piece before this one is on its way, and then has gone.
      while (slot.turn.load(std::memory_order_acquire) != piece / slots) std::this_thread::yield();
      if (slot.busy != nullptr) check(clWaitForEvents(1, &slot.busy));
      const size_t at = begin + piece * bytes, size = std::min(bytes, s.size - at);
      char* const data = ring.data + piece % slots * bytes;
      if (inside < size)
        way.copy(data + inside, s.source + at + inside, std::min(part, size - inside));
      if (slot.filled.fetch_add(1) + 1 != parts) continue;
      slot.filled.store(0);
      // All parts have seen the old event by now.
      if (slot.busy != nullptr) clReleaseEvent(slot.busy);
      slot.busy = write(s, s.queues[piece % queues](), at, size, data);
      slot.turn.fetch_add(1, std::memory_order_release);
    }
  });
  for (Slot& slot : ring_slots) await(slot.busy);
}

void mixed(const Setup& s, const Ring& ring, size_t share, size_t bytes, size_t slots,
           const CopyWay& way) {
  const size_t first = s.size / 100 * share / 4096 * 4096;
  std::thread driver([&] {
    check(clEnqueueWriteBuffer(s.queues[1](), s.target(), CL_TRUE, 0, first, s.source, 0, nullptr,
                               nullptr));
  });
  team(s, ring, first, bytes, slots, 1, way);
  driver.join();
}

void map(const Setup& s, size_t bytes, const CopyWay& way) {
  for_pieces(s, bytes, [&](unsigned t, size_t, size_t at) {
    const cl_command_queue queue = s.queues[t % 2]();
    const size_t size = std::min(bytes, s.size - at);
    cl_int code = CL_SUCCESS;
    void* const data =
        clEnqueueMapBuffer(queue, s.target(), CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, at, size, 0,
                           nullptr, nullptr, &code);
    check(code);
    way.copy(static_cast<char*>(data), s.source + at, size);
    check(clEnqueueUnmapMemObject(queue, s.target(), data, 0, nullptr, nullptr));
    check(clFlush(queue));
  });
  check(clFinish(s.queues[0]()));
  check(clFinish(s.queues[1]()));
}

void over_memory(const Setup& s) {
  cl::Buffer over(s.context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, s.size, s.source);
  s.queues[0].enqueueCopyBuffer(over, s.target, 0, 0, s.size);
  s.queues[0].finish();
}

class Table {
 public:
  explicit Table(const Setup& s) : s_(s) {}

  // Best of five after one that is not counted; then looks whether all has come, if it `arrives`.
  double line(const std::string& name, const std::function<void()>& copy, bool arrives = true) {
    double best = 1e9;
    try {
      s_.queues[0].enqueueFillBuffer(s_.target, cl_uint{0}, 0, s_.size);
      s_.queues[0].finish();
      for (int i = 0; i < 6; ++i) {
        const auto begin = Clock::now();
        copy();
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (i != 0) best = std::min(best, seconds);
      }
      if (arrives) compare();
    } catch (const cl::Error& error) {
      std::printf("%-44s failed: %d\n", name.c_str(), error.err());
      return 0;
    }
    const double rate = static_cast<double>(s_.size) / best / (1 << 30);
    if (pinned_ == 0) pinned_ = rate;
    std::printf("%-44s %6.1f GiB/s  %.2f\n", name.c_str(), rate, rate / pinned_);
    std::fflush(stdout);
    return rate;
  }

 private:
  void compare() const {
    std::vector<char> got(s_.size);
    s_.queues[0].enqueueReadBuffer(s_.target, CL_TRUE, 0, s_.size, got.data());
    if (std::memcmp(got.data(), s_.source, s_.size) != 0) throw cl::Error(-1, "other bytes came");
  }

  const Setup& s_;
  double pinned_ = 0;
};

std::string text(size_t bytes) {
  return bytes >= (1 << 20) ? std::to_string(bytes >> 20) + " MiB"
                            : std::to_string(bytes >> 10) + " KiB";
}

void sweep(Setup& s) {
  constexpr size_t kMiB = size_t{1} << 20;
  Table table(s);
  {
    const Ring all(s, s.size, false);
    std::memcpy(all.data, s.source, s.size);
    table.line("pinned",
               [&] { s.queues[0].enqueueWriteBuffer(s.target, CL_TRUE, 0, s.size, all.data); });
  }
  table.line("pageable",
             [&] { s.queues[0].enqueueWriteBuffer(s.target, CL_TRUE, 0, s.size, s.source); });
  table.line("register", [&] { over_memory(s); });
  const Ring drivers(s, 64 * kMiB, false);
  table.line("alone, reading", [&] { read_alone(s); }, false);
  for (const CopyWay& way : kWays)
    table.line(std::string("alone, ") + way.name, [&] { copy_alone(s, drivers, way); }, false);
  for (const size_t bytes : {kMiB, 2 * kMiB, 4 * kMiB, 8 * kMiB})
    table.line("own " + text(bytes) + " x 2", [&] { own(s, drivers, bytes, 2, 1, kWays[0]); });
  double best = 0;
  size_t best_bytes = 4 * kMiB, best_slots = 2;
  const CopyWay* best_way = kWays;
  for (const CopyWay& way : kWays)
    for (const size_t bytes : {kMiB, 2 * kMiB, 4 * kMiB, 8 * kMiB, 16 * kMiB})
      for (const size_t slots : {2, 3}) {
        const double rate =
            table.line("team " + text(bytes) + " x " + std::to_string(slots) + " " + way.name,
                       [&] { team(s, drivers, 0, bytes, slots, 1, way); });
        if (rate <= best) continue;
        best = rate, best_bytes = bytes, best_slots = slots, best_way = &way;
      }
  const std::string with =
      text(best_bytes) + " x " + std::to_string(best_slots) + " " + best_way->name;
  table.line("team " + with + ", two queues",
             [&] { team(s, drivers, 0, best_bytes, best_slots, 2, *best_way); });
  table.line("own " + text(best_bytes) + " x 2 " + best_way->name + ", two queues",
             [&] { own(s, drivers, best_bytes, 2, 2, *best_way); });
  for (const size_t share : {5, 10, 15})
    table.line("mixed " + std::to_string(share) + " %, " + with,
               [&] { mixed(s, drivers, share, best_bytes, best_slots, *best_way); });
  for (const size_t bytes : {2 * kMiB, 8 * kMiB})
    table.line("map " + text(bytes), [&] { map(s, bytes, kWays[0]); });
  {
    const Ring pages(s, 64 * kMiB, true);
    table.line("team " + with + ", ring in huge pages",
               [&] { team(s, pages, 0, best_bytes, best_slots, 1, *best_way); });
  }
  char* const small = std::exchange(s.source, allocate(s.size, true));
  table.line("team " + with + ", source in huge pages",
             [&] { team(s, drivers, 0, best_bytes, best_slots, 1, *best_way); });
  std::free(std::exchange(s.source, small));
  for (const unsigned threads : {1, 2, 3, 6, 8}) {
    const unsigned before = std::exchange(s.threads, threads);
    table.line("team " + with + ", " + std::to_string(threads) + " threads",
               [&] { team(s, drivers, 0, best_bytes, best_slots, 1, *best_way); });
    s.threads = before;
  }
}

int run(int argc, char** argv) {
  Setup s;
  s.device = find_device(argc > 1 ? argv[1] : "");
  s.size = static_cast<size_t>(argc > 2 ? std::atoi(argv[2]) : 256) << 20;
  s.threads = static_cast<unsigned>(argc > 3 ? std::atoi(argv[3]) : 4);
  if (s.size == 0 || s.threads == 0)
    throw std::runtime_error("a size in MiB and a number of threads expected");
  s.context = cl::Context(s.device);
  for (cl::CommandQueue& queue : s.queues) queue = cl::CommandQueue(s.context, s.device);
  s.target = cl::Buffer(s.context, CL_MEM_READ_WRITE, s.size);
  s.source = allocate(s.size, false);
  std::printf("%s, %s, %u threads\n", s.device.getInfo<CL_DEVICE_NAME>().c_str(),
              text(s.size).c_str(), s.threads);
  sweep(s);
  std::free(s.source);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "copy_sweep: %s\n", error.what());
    return 1;
  }
}
