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

}  // namespace

void ClBuffer::copy_from_host(StreamImpl& stream, const void* data, const CopyPlan& plan) {
  const ClEnqueuing target = queue(&stream);
  const char* const bytes = static_cast<const char*>(data);
  ClStaging& staging = static_cast<ClDevice&>(device()).staging();
  if (pays_in_rows(staging, plan)) {
    const RowPieces pieces(plan, staging.piece_bytes());
    staging.send(
        target, false, pieces.count(),
        [&](std::size_t i, char* slot) {
          const RowPieces::Piece piece = pieces[i];
          for (std::size_t row = 0; row < piece.rows; ++row)
            std::memcpy(slot + row * plan.run, bytes + piece.source + row * pieces.source_pitch(),
                        plan.run);
        },
        [&](cl_command_queue to, std::size_t i, char* slot, cl_event* event) {
          const RowPieces::Piece piece = pieces[i];
          const std::size_t origin[3] = {base_ + piece.target, 0, 0};
          const std::size_t region[3] = {plan.run, piece.rows, 1};
          return clEnqueueWriteBufferRect(to, memory_(), CL_FALSE, origin, kOrigin, region,
                                          pieces.target_pitch(), 0, plan.run, 0, slot, 0, nullptr,
                                          event);
        });
    return;
  }
  for_each_part(
      plan,
      [&](std::size_t from, std::size_t to, const Rows& rows) {
        ClTraced traced("copy", "strided copy from host", stream.id());
        const std::size_t origin[3] = {base_ + to, 0, 0};
        cl_check(clEnqueueWriteBufferRect(target, memory_(), CL_FALSE, origin, kOrigin, rows.region,
                                          rows.target_pitch, 0, rows.source_pitch, 0, bytes + from,
                                          0, nullptr, traced.slot()),
                 "copying to a buffer");
      },
      [&](std::size_t from, std::size_t to) {
        copy_from_host(&stream, bytes + from, plan.run, to);
      });
}

void ClBuffer::copy_to_host(StreamImpl& stream, void* data, const CopyPlan& plan) {
  const ClEnqueuing source = queue(&stream);
  char* const bytes = static_cast<char*>(data);
  ClStaging& staging = static_cast<ClDevice&>(device()).staging();
  if (pays_in_rows(staging, plan)) {
    const RowPieces pieces(plan, staging.piece_bytes());
    staging.receive(
        source, false, pieces.count(),
        [&](cl_command_queue from, std::size_t i, char* slot, cl_event* event) {
          const RowPieces::Piece piece = pieces[i];
          const std::size_t origin[3] = {base_ + piece.source, 0, 0};
          const std::size_t region[3] = {plan.run, piece.rows, 1};
          return clEnqueueReadBufferRect(from, memory_(), CL_FALSE, origin, kOrigin, region,
                                         pieces.source_pitch(), 0, plan.run, 0, slot, 0, nullptr,
                                         event);
        },
        [&](std::size_t i, char* slot) {
          const RowPieces::Piece piece = pieces[i];
          for (std::size_t row = 0; row < piece.rows; ++row)
            std::memcpy(bytes + piece.target + row * pieces.target_pitch(), slot + row * plan.run,
                        plan.run);
        });
    return;
  }
  for_each_part(
      plan,
      [&](std::size_t from, std::size_t to, const Rows& rows) {
        ClTraced traced("copy", "strided copy to host", stream.id());
        const std::size_t origin[3] = {base_ + from, 0, 0};
        cl_check(clEnqueueReadBufferRect(source, memory_(), CL_FALSE, origin, kOrigin, rows.region,
                                         rows.source_pitch, 0, rows.target_pitch, 0, bytes + to, 0,
                                         nullptr, traced.slot()),
                 "copying from a buffer");
      },
      [&](std::size_t from, std::size_t to) { copy_to_host(&stream, bytes + to, plan.run, from); });
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
