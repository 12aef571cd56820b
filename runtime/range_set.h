// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_RANGE_SET_H_
#define TRITONRT_RUNTIME_RANGE_SET_H_

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace tritonrt::runtime {

// A set of bytes as ranges [begin, end) that neither overlap nor touch.
class RangeSet {
 public:
  using Range = std::pair<std::size_t, std::size_t>;

  bool empty() const { return ranges_.empty(); }

  void add(std::size_t begin, std::size_t end) {
    if (begin >= end) return;
    auto it = ranges_.upper_bound(begin);
    if (it != ranges_.begin() && std::prev(it)->second >= begin) --it;
    while (it != ranges_.end() && it->first <= end) {
      begin = std::min(begin, it->first);
      end = std::max(end, it->second);
      it = ranges_.erase(it);
    }
    ranges_[begin] = end;
  }

  // Takes [begin, end) out, and returns what of it was in.
  std::vector<Range> take(std::size_t begin, std::size_t end) {
    std::vector<Range> taken;
    auto it = ranges_.upper_bound(begin);
    if (it != ranges_.begin() && std::prev(it)->second > begin) --it;
    while (it != ranges_.end() && it->first < end) {
      const Range whole = *it;
      it = ranges_.erase(it);
      taken.emplace_back(std::max(begin, whole.first), std::min(end, whole.second));
      if (whole.first < begin) ranges_[whole.first] = begin;
      if (whole.second > end) it = ranges_.emplace(end, whole.second).first;
    }
    return taken;
  }

 private:
  std::map<std::size_t, std::size_t> ranges_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_RANGE_SET_H_
