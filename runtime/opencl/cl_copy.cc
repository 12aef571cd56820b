// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Strided copies: rectangles where the driver takes them, single runs else.

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/opencl/cl_buffer.h"
#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"
#include "runtime/opencl/cl_stream.h"
#include "runtime/opencl/cl_trace.h"

namespace tritonrt::runtime {
namespace {

// Runs side by side, in both memories at least as far apart as they are long.
struct Rows {
  std::size_t region[3];
  std::size_t source_pitch;
  std::size_t target_pitch;
};

bool is_pitch(std::ptrdiff_t stride, std::size_t run) {
  return stride > 0 && static_cast<std::size_t>(stride) >= run;
}

bool has_rows(const CopyPlan& plan) {
  return !plan.dims.empty() && is_pitch(plan.dims.back().source, plan.run) &&
         is_pitch(plan.dims.back().target, plan.run);
}

// Calls `rows(source_offset, target_offset, Rows)` for each rectangle of a plan, or
// `run(source_offset, target_offset)` for each run where there are none.
template <typename OnRows, typename OnRun>
void for_each_part(const CopyPlan& plan, OnRows rows, OnRun run) {
  if (!has_rows(plan)) {
    plan.for_each(0, run);
    return;
  }
  const CopyPlan::Dim& inner = plan.dims.back();
  const Rows all{{plan.run, inner.count, 1},
                 static_cast<std::size_t>(inner.source),
                 static_cast<std::size_t>(inner.target)};
  plan.for_each(1, [&](std::size_t source, std::size_t target) { rows(source, target, all); });
}

constexpr std::size_t kOrigin[3] = {0, 0, 0};

// A plan's rectangles in pieces of whole rows, for the ring of pinned memory.
class RowPieces {
 public:
  RowPieces(const CopyPlan& plan, std::size_t most_bytes)
      : run_(plan.run), inner_(plan.dims.back()) {
    rows_ = std::clamp<std::size_t>(most_bytes / run_, 1, inner_.count);
    per_rectangle_ = (inner_.count + rows_ - 1) / rows_;
    plan.for_each(1, [&](std::size_t source, std::size_t target) {
      rectangles_.emplace_back(source, target);
    });
  }

  struct Piece {
    std::size_t source;
    std::size_t target;
    std::size_t rows;
  };
  std::size_t count() const { return rectangles_.size() * per_rectangle_; }
  Piece operator[](std::size_t i) const {
    const auto [source, target] = rectangles_[i / per_rectangle_];
    const std::size_t first = i % per_rectangle_ * rows_;
    return {source + first * source_pitch(), target + first * target_pitch(),
            std::min(rows_, inner_.count - first)};
  }
  std::size_t source_pitch() const { return static_cast<std::size_t>(inner_.source); }
  std::size_t target_pitch() const { return static_cast<std::size_t>(inner_.target); }

 private:
  const std::size_t run_;
  const CopyPlan::Dim inner_;
  std::size_t rows_ = 1;
  std::size_t per_rectangle_ = 1;
  std::vector<std::pair<std::size_t, std::size_t>> rectangles_;
};

// Short rows of much data: the driver would take them from pageable memory one by one.
bool pays_in_rows(ClStaging& staging, const CopyPlan& plan) {
  return has_rows(plan) && plan.run <= staging.piece_bytes() && staging.pays(plan.bytes());
}

// Between a buffer and the host's memory.
enum class Way { kToDevice, kToHost };

// Rows of both memories, each from its first one on.
struct Side {
  std::size_t offset;
  std::size_t pitch;
};

cl_int enqueue_rows(Way way, cl_command_queue queue, cl_mem memory, Side device, char* host,
                    std::size_t host_pitch, const std::size_t (&region)[3], cl_event* event) {
  const std::size_t origin[3] = {device.offset, 0, 0};
  return way == Way::kToDevice
             ? clEnqueueWriteBufferRect(queue, memory, CL_FALSE, origin, kOrigin, region,
                                        device.pitch, 0, host_pitch, 0, host, 0, nullptr, event)
             : clEnqueueReadBufferRect(queue, memory, CL_FALSE, origin, kOrigin, region,
                                       device.pitch, 0, host_pitch, 0, host, 0, nullptr, event);
}

// Rows of a plan, by way of pinned memory, where they lie without gaps.
void copy_in_pieces(ClStaging& staging, Way way, const ClEnqueuing& queue, cl_mem memory,
                    std::size_t base, char* host, const CopyPlan& plan) {
  const RowPieces pieces(plan, staging.piece_bytes());
  const bool to_device = way == Way::kToDevice;
  const std::size_t host_pitch = to_device ? pieces.source_pitch() : pieces.target_pitch();
  const auto move = [&](std::size_t i, char* slot) {
    const RowPieces::Piece piece = pieces[i];
    char* row = host + (to_device ? piece.source : piece.target);
    for (std::size_t r = 0; r < piece.rows; ++r, row += host_pitch, slot += plan.run)
      std::memcpy(to_device ? slot : row, to_device ? row : slot, plan.run);
  };
  const auto enqueue = [&](cl_command_queue on, std::size_t i, char* slot, cl_event* event) {
    const RowPieces::Piece piece = pieces[i];
    const Side device = to_device ? Side{base + piece.target, pieces.target_pitch()}
                                  : Side{base + piece.source, pieces.source_pitch()};
    return enqueue_rows(way, on, memory, device, slot, plan.run, {plan.run, piece.rows, 1}, event);
  };
  if (to_device)
    staging.send(queue, false, pieces.count(), move, enqueue);
  else
    staging.receive(queue, false, pieces.count(), enqueue, move);
}

// The same in place; `run(source_offset, target_offset)` copies one run.
template <typename OnRun>
void copy_rows(Way way, StreamImpl& stream, const ClEnqueuing& queue, cl_mem memory,
               std::size_t base, char* host, const CopyPlan& plan, OnRun run) {
  const bool to_device = way == Way::kToDevice;
  for_each_part(
      plan,
      [&](std::size_t source, std::size_t target, const Rows& rows) {
        ClTraced traced("copy", to_device ? "strided copy from host" : "strided copy to host",
                        stream.id());
        const Side from{source, rows.source_pitch}, to{target, rows.target_pitch};
        Side device = to_device ? to : from;
        const Side outside = to_device ? from : to;
        device.offset += base;
        cl_check(enqueue_rows(way, queue, memory, device, host + outside.offset, outside.pitch,
                              rows.region, traced.slot()),
                 to_device ? "copying to a buffer" : "copying from a buffer");
      },
      run);
}

}  // namespace

void ClBuffer::copy_from_host(StreamImpl& stream, const void* data, const CopyPlan& plan) {
  const ClEnqueuing target = queue(&stream);
  // Only read.
  char* const bytes = static_cast<char*>(const_cast<void*>(data));
  ClStaging& staging = static_cast<ClDevice&>(device()).staging();
  if (pays_in_rows(staging, plan))
    copy_in_pieces(staging, Way::kToDevice, target, memory_(), base_, bytes, plan);
  else
    copy_rows(Way::kToDevice, stream, target, memory_(), base_, bytes, plan,
              [&](std::size_t from, std::size_t to) {
                copy_from_host(&stream, bytes + from, plan.run, to);
              });
}

void ClBuffer::copy_to_host(StreamImpl& stream, void* data, const CopyPlan& plan) {
  const ClEnqueuing source = queue(&stream);
  char* const bytes = static_cast<char*>(data);
  ClStaging& staging = static_cast<ClDevice&>(device()).staging();
  if (pays_in_rows(staging, plan))
    copy_in_pieces(staging, Way::kToHost, source, memory_(), base_, bytes, plan);
  else
    copy_rows(Way::kToHost, stream, source, memory_(), base_, bytes, plan,
              [&](std::size_t from, std::size_t to) {
                copy_to_host(&stream, bytes + to, plan.run, from);
              });
}

void ClBuffer::copy_from(StreamImpl& stream, BufferImpl& source, const CopyPlan& plan) {
  const ClEnqueuing target = queue(&stream);
  auto& other = static_cast<ClBuffer&>(source);
  const auto one_run = [&](std::size_t from, std::size_t to) {
    copy_from(&stream, other, plan.run, from, to);
  };
  // Within one memory object, which buffers may share, rectangles have one pitch.
  const bool one_object = other.memory_() == memory_();
  const auto rectangle = [&](std::size_t from, std::size_t to, const Rows& rows) {
    ClTraced traced("copy", "strided copy", stream.id());
    const std::size_t source_origin[3] = {other.base_ + from, 0, 0};
    const std::size_t target_origin[3] = {base_ + to, 0, 0};
    cl_int code = CL_MEM_COPY_OVERLAP;
    if (!one_object || rows.source_pitch == rows.target_pitch)
      code = clEnqueueCopyBufferRect(target, other.memory_(), memory_(), source_origin,
                                     target_origin, rows.region, rows.source_pitch, 0,
                                     rows.target_pitch, 0, 0, nullptr, traced.slot());
    if (code != CL_MEM_COPY_OVERLAP) {
      cl_check(code, "copying between buffers");
      return;
    }
    for (std::size_t i = 0; i < rows.region[1]; ++i)
      one_run(from + i * rows.source_pitch, to + i * rows.target_pitch);
  };
  for_each_part(plan, rectangle, one_run);
}

}  // namespace tritonrt::runtime
