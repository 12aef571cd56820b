// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_GRAPH_H_
#define TRITONRT_GRAPH_H_

#include <cstddef>
#include <memory>

#include "tritonrt/args.h"
#include "tritonrt/buffer.h"
#include "tritonrt/device.h"
#include "tritonrt/export.h"
#include "tritonrt/kernel.h"
#include "tritonrt/span.h"
#include "tritonrt/stream.h"

namespace tritonrt {

namespace runtime {
class GraphImpl;
}

// Launches and copies on one device, recorded once and enqueued with one call as often as wanted.
// Keeps its kernels and buffers; host memory that it names must stay. Everything is checked while
// it is recorded. Each recording call returns the step's number. Movable. One thread at a time.
class TRITONRT_API Graph {
 public:
  explicit Graph(const Device& device);
  // No graph; usable only as a target of assignment.
  Graph() noexcept;
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;

  // Compiles the kernel if it must.
  std::size_t launch(const Kernel& kernel, const Grid& grid, Span<const Arg> args);
  template <typename... Args, typename = EnableIfArgs<Args...>>
  std::size_t launch(const Kernel& kernel, const Grid& grid, const Args&... args) {
    const Arg list[sizeof...(Args) + 1] = {Arg(args)..., Arg()};
    return launch(kernel, grid, Span<const Arg>(list, sizeof...(Args)));
  }

  // As the functions of Buffer.
  std::size_t copy_from_host(const Buffer& target, const void* data, std::size_t size,
                             std::size_t offset = 0);
  std::size_t copy_to_host(const Buffer& source, void* data, std::size_t size,
                           std::size_t offset = 0);
  std::size_t copy(const Buffer& target, const Buffer& source, std::size_t size,
                   std::size_t source_offset = 0, std::size_t offset = 0);
  std::size_t fill(const Buffer& target, const void* pattern, std::size_t pattern_size,
                   std::size_t size, std::size_t offset = 0);

  // Replaces an argument, or the grid, of a launch for the replays that follow.
  void set_arg(std::size_t step, std::size_t index, const Arg& arg);
  void set_grid(std::size_t step, const Grid& grid);

  std::size_t size() const;

  // Enqueues all steps, in order, with nothing between them. The stream is of the graph's device.
  void replay(Stream& stream);

  explicit operator bool() const noexcept { return impl_ != nullptr; }

 private:
  std::unique_ptr<runtime::GraphImpl> impl_;
};

}  // namespace tritonrt

#endif  // TRITONRT_GRAPH_H_
