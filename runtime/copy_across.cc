// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/copy_across.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tritonrt::runtime {
namespace {

// Keeps something until a stream has come to here.
template <typename T>
void keep_until_passed(StreamImpl& stream, T kept) {
  stream.record()->on_complete([kept = std::move(kept)] {});
}

// The bytes of a memory that a plan touches on its source's side: [first, second).
std::pair<std::size_t, std::size_t> source_extent(const CopyPlan& plan) {
  std::ptrdiff_t low = static_cast<std::ptrdiff_t>(plan.source_offset);
  std::ptrdiff_t high = low;
  for (const CopyPlan::Dim& dim : plan.dims) {
    const std::ptrdiff_t reach = dim.source * static_cast<std::ptrdiff_t>(dim.count - 1);
    (reach < 0 ? low : high) += reach;
  }
  return {static_cast<std::size_t>(low), static_cast<std::size_t>(high) + plan.run};
}

// A stream of the source's device that goes on from where `stream` is.
std::shared_ptr<StreamImpl> side_stream(StreamImpl& stream, BufferImpl& source) {
  StreamOptions options;
  options.automatic_order = false;
  std::shared_ptr<StreamImpl> side = source.device().create_stream(options);
  side->wait_foreign(stream.record());
  return side;
}

}  // namespace

void copy_across(StreamImpl& stream, BufferImpl& target, BufferImpl& source, const CopyPlan& plan) {
  const std::shared_ptr<BufferImpl> kept = source.shared_from_this();
  if (source.host_data() != nullptr) {
    target.copy_from_host(stream, source.host_data(), plan);
    keep_until_passed(stream, kept);
    return;
  }
  const std::shared_ptr<StreamImpl> side = side_stream(stream, source);
  if (target.host_data() != nullptr) {
    source.copy_to_host(*side, target.host_data(), plan);
    stream.wait_foreign(side->record());
    keep_until_passed(stream, std::pair(kept, target.shared_from_this()));
    return;
  }
  // Neither memory is the host's: the bytes go through it, as they lie in the source.
  const auto [begin, end] = source_extent(plan);
  const std::shared_ptr<char[]> bytes(new char[end - begin]);
  source.copy_to_host(side.get(), bytes.get(), end - begin, begin);
  stream.wait_foreign(side->record());
  CopyPlan rest = plan;
  rest.source_offset -= begin;
  target.copy_from_host(stream, bytes.get(), rest);
  keep_until_passed(stream, std::pair(kept, bytes));
}

}  // namespace tritonrt::runtime
