// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/copy_plan.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::kInvalidArgument, "a strided copy: " + text);
}

// The first and the last byte of a memory that a block touches, checked against its size.
void check_extent(const char* which, const CopyBlock& block,
                  const std::vector<std::ptrdiff_t>& strides, std::size_t offset,
                  std::size_t size) {
  // In a wider type than strides and counts need together.
  __int128 low = static_cast<__int128>(offset);
  __int128 high = low;
  for (std::size_t d = 0; d < block.shape.size(); ++d) {
    const __int128 reach = static_cast<__int128>(strides[d]) * (block.shape[d] - 1);
    (reach < 0 ? low : high) += reach;
  }
  if (low < 0 || high + static_cast<__int128>(block.element_size) > static_cast<__int128>(size))
    refuse(std::string("the block leaves the ") + which + ", which has " + std::to_string(size) +
           " bytes");
}

// Both strides negative: the other end comes first.
void turn(CopyPlan& plan, CopyPlan::Dim& dim) {
  const auto last = static_cast<std::ptrdiff_t>(dim.count - 1);
  plan.source_offset += static_cast<std::size_t>(dim.source * last);
  plan.target_offset += static_cast<std::size_t>(dim.target * last);
  dim.source = -dim.source;
  dim.target = -dim.target;
}

// Dimensions that continue each other become one, and the innermost a longer run.
void merge(CopyPlan& plan) {
  std::vector<CopyPlan::Dim> merged;
  for (auto it = plan.dims.rbegin(); it != plan.dims.rend(); ++it) {
    const auto run = static_cast<std::ptrdiff_t>(plan.run);
    if (merged.empty() && it->source == run && it->target == run) {
      plan.run *= it->count;
      continue;
    }
    if (!merged.empty()) {
      CopyPlan::Dim& inner = merged.back();
      const auto count = static_cast<std::ptrdiff_t>(inner.count);
      if (it->source == inner.source * count && it->target == inner.target * count) {
        inner.count *= it->count;
        continue;
      }
    }
    merged.push_back(*it);
  }
  std::reverse(merged.begin(), merged.end());
  plan.dims = std::move(merged);
}

template <std::size_t kBytes>
void copy_elements(const char* from, char* to, const CopyPlan::Dim& dim) {
  for (std::size_t i = 0; i < dim.count; ++i, from += dim.source, to += dim.target)
    std::memcpy(to, from, kBytes);
}

void copy_runs(const char* from, char* to, const CopyPlan::Dim& dim, std::size_t run) {
  switch (run) {
    case 1:
      return copy_elements<1>(from, to, dim);
    case 2:
      return copy_elements<2>(from, to, dim);
    case 4:
      return copy_elements<4>(from, to, dim);
    case 8:
      return copy_elements<8>(from, to, dim);
    case 16:
      return copy_elements<16>(from, to, dim);
    default:
      for (std::size_t i = 0; i < dim.count; ++i, from += dim.source, to += dim.target)
        std::memcpy(to, from, run);
  }
}

}  // namespace

CopyPlan CopyPlan::make(const CopyBlock& block, std::size_t source_size, std::size_t target_size) {
  const std::size_t rank = block.shape.size();
  if (block.element_size == 0) refuse("an element has 0 bytes, expected 1 or more");
  if (block.source_strides.size() != rank || block.target_strides.size() != rank)
    refuse(std::to_string(rank) + " sizes, " + std::to_string(block.source_strides.size()) +
           " strides of the source and " + std::to_string(block.target_strides.size()) +
           " of the target, expected one of each for a dimension");
  CopyPlan plan;
  if (std::find(block.shape.begin(), block.shape.end(), 0u) != block.shape.end()) return plan;
  check_extent("source", block, block.source_strides, block.source_offset, source_size);
  check_extent("target", block, block.target_strides, block.target_offset, target_size);
  plan.run = block.element_size;
  plan.source_offset = block.source_offset;
  plan.target_offset = block.target_offset;
  for (std::size_t d = 0; d < rank; ++d) {
    if (block.shape[d] == 1) continue;
    Dim dim{block.shape[d], block.source_strides[d], block.target_strides[d]};
    if (dim.target == 0)
      refuse("the target has the stride 0 along dimension " + std::to_string(d) +
             ": its elements would be written more than once");
    if (dim.source < 0 && dim.target < 0) turn(plan, dim);
    plan.dims.push_back(dim);
  }
  std::sort(plan.dims.begin(), plan.dims.end(),
            [](const Dim& a, const Dim& b) { return std::abs(a.target) > std::abs(b.target); });
  merge(plan);
  return plan;
}

std::size_t CopyPlan::bytes() const {
  std::size_t bytes = run;
  for (const Dim& dim : dims) bytes *= dim.count;
  return bytes;
}

void CopyPlan::copy(const void* source, void* target) const {
  if (run == 0) return;
  const char* const from = static_cast<const char*>(source);
  char* const to = static_cast<char*>(target);
  if (dims.empty()) {
    std::memcpy(to + target_offset, from + source_offset, run);
    return;
  }
  for_each(1, [&](std::size_t s, std::size_t t) { copy_runs(from + s, to + t, dims.back(), run); });
}

}  // namespace tritonrt::runtime
