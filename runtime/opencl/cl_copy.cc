// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Strided copies: rectangles where the driver takes them, single runs else.

#include "runtime/opencl/cl_buffer.h"
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

// Calls `rows(source_offset, target_offset, Rows)` for each rectangle of a plan, or
// `run(source_offset, target_offset)` for each run where there are none.
template <typename OnRows, typename OnRun>
void for_each_part(const CopyPlan& plan, OnRows rows, OnRun run) {
  if (plan.dims.empty() || !is_pitch(plan.dims.back().source, plan.run) ||
      !is_pitch(plan.dims.back().target, plan.run)) {
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

}  // namespace

void ClBuffer::copy_from_host(StreamImpl& stream, const void* data, const CopyPlan& plan) {
  const ClEnqueuing target = queue(&stream);
  const char* const bytes = static_cast<const char*>(data);
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
