// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_RACE_CHECKER_H_
#define TRITONRT_RUNTIME_CPU_RACE_CHECKER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/metadata.h"

namespace tritonrt::runtime {

// Finds two accesses of different programs to the same bytes, at least one a write, that nothing
// orders: neither barriers nor atomics on one place. By vector clocks: what a program does at its
// time t happens before what another one does that has heard of t. Atomics do not race with each
// other. One thread at a time.
//
// Programs come in sets that run one after the other. Programs of different sets may well run at
// the same time on another device, so that only atomics order them; each set has memory of its own
// where the one before had its own.
class RaceChecker {
 public:
  // Sets of `programs`, and what accesses do, by their number from 1 on.
  RaceChecker(std::uint32_t programs, std::vector<AccessKind> kinds);

  // The next set begins; in [start, start + size) it finds new memory.
  void begin_set(const void* start, std::size_t size);
  // `program` and `programs` count in the set.
  void access(std::uint32_t program, const void* address, std::int64_t size, std::int32_t number);
  // These programs meet.
  void meet(const std::vector<std::uint32_t>& programs);

  // The numbers of the first pair, the earlier one first.
  const std::optional<std::pair<std::int32_t, std::int32_t>>& race() const { return race_; }

 private:
  // What a program has heard of the others, those of its set and those of earlier ones.
  struct Clock {
    std::vector<std::uint32_t> own;
    std::unordered_map<std::uint32_t, std::uint32_t> earlier;
  };
  // A program's access: when, and by which op. Programs count through all sets. Time 0: none.
  struct Event {
    std::uint32_t program = 0;
    std::uint32_t time = 0;
    std::int32_t number = 0;
  };
  // The accesses of a byte that not all later ones have heard of. Several of a kind that have not
  // heard of each other: the first one is here, the others are in `more_`.
  struct Cell {
    Event write, read;
    bool more = false;
  };
  struct More {
    std::vector<Event> writes, reads;
  };
  static constexpr std::uintptr_t kPage = 1024;

  static void join(Clock& clock, const Clock& other);
  Cell& cell(std::uintptr_t address);
  const AccessKind& kind(std::int32_t number) const;
  bool before(const Event& event, const Event& now) const;
  void check(const Event& earlier, const Event& now);
  void note(Cell& cell, std::uintptr_t address, const Event& now);

  const std::uint32_t programs_;
  const std::vector<AccessKind> kinds_;
  std::uint32_t first_ = 0;  // the number of the set's first program
  std::vector<Clock> clocks_;
  std::unordered_map<std::uintptr_t, std::unique_ptr<Cell[]>> pages_;
  std::unordered_map<std::uintptr_t, More> more_;
  std::unordered_map<std::uintptr_t, Clock> released_;  // by atomics
  std::uintptr_t last_page_ = UINTPTR_MAX;
  Cell* last_cells_ = nullptr;
  std::optional<std::pair<std::int32_t, std::int32_t>> race_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_RACE_CHECKER_H_
