// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between host memory and an OpenCL device, to their end.
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/groups.h"
#include "bench/problem.h"
#ifdef TRITONRT_BENCH_OPENCL
#include "bench/opencl_peer.h"
#endif

namespace tritonrt::bench {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes pattern(size_t size) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + (i >> 12));
  return bytes;
}

// Compares the beginning, the end and samples between.
void check(const unsigned char* got, const Bytes& expected) {
  for (size_t i = 0; i < expected.size(); i += i < 4096 ? 1 : 509)
    if (got[i] != expected[i])
      throw std::runtime_error("wrong byte at " + std::to_string(i) + " of " +
                               std::to_string(expected.size()));
  if (got[expected.size() - 1] != expected.back()) throw std::runtime_error("wrong last byte");
}

// `write` and `read` move all bytes between the device and host memory; the one that is asked for
// is the step.
template <typename Write, typename Read>
Step checked(bool to_device, size_t size, unsigned char* host, Write write, Read read) {
  const Bytes bytes = pattern(size);
  std::memcpy(host, bytes.data(), size);
  write();
  std::memset(host, 0, size);
  read();
  check(host, bytes);
  return to_device ? Step(write) : Step(read);
}

Step copy_tritonrt(bool to_device, size_t size) {
  const Device device = Device::open("opencl");
  Buffer buffer(device, size);
  const auto host = std::make_shared<Bytes>(size);
  return checked(
      to_device, size, host->data(), [=]() mutable { buffer.copy_from_host(host->data(), size); },
      [=] { buffer.copy_to_host(host->data(), size); });
}

#ifdef TRITONRT_BENCH_OPENCL
// With pinned memory the host's side is memory of the driver, mapped for good.
Step copy_raw(bool to_device, size_t size, bool pinned) {
  const OpenClPeer& peer = opencl_peer(PeerDevice::kFirst);
  const cl::Buffer buffer(peer.context, CL_MEM_READ_WRITE, size);
  const auto pageable = std::make_shared<Bytes>(pinned ? 0 : size);
  cl::Buffer host_side;
  unsigned char* host = pageable->data();
  if (pinned) {
    host_side = cl::Buffer(peer.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size);
    host = static_cast<unsigned char*>(
        peer.queue.enqueueMapBuffer(host_side, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size));
  }
  return checked(
      to_device, size, host,
      [=, &peer] {
        static_cast<void>(pageable);
        static_cast<void>(host_side);
        peer.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, size, host);
        peer.queue.finish();
      },
      [=, &peer] {
        static_cast<void>(pageable);
        static_cast<void>(host_side);
        peer.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, size, host);
      });
}
#endif

}  // namespace

void register_copy() {
  for (const bool to_device : {true, false})
    for (const int64_t bytes :
         {int64_t{4} << 10, int64_t{1} << 20, int64_t{64} << 20, int64_t{256} << 20}) {
      const size_t size = static_cast<size_t>(bytes);
      const std::string name =
          std::string("copy/opencl/") + (to_device ? "h2d_" : "d2h_") + std::to_string(bytes);
      add_benchmark(name + "/tritonrt", Work::bytes(bytes),
                    [=] { return copy_tritonrt(to_device, size); });
#ifdef TRITONRT_BENCH_OPENCL
      add_benchmark(name + "/raw", Work::bytes(bytes),
                    [=] { return copy_raw(to_device, size, false); });
      add_benchmark(name + "/pinned", Work::bytes(bytes),
                    [=] { return copy_raw(to_device, size, true); });
#endif
    }
}

}  // namespace tritonrt::bench
