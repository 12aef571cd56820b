// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_RACE_CHECKER_H_
#define TRITONRT_RUNTIME_CPU_RACE_CHECKER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tritonrt::runtime {

// Finds two accesses of different programs to the same bytes, at least one a write, that nothing
// orders: neither barriers nor atomics on one place. By vector clocks: what a program does at its
// time t happens before what another one does that has heard of t. Atomics do not race with each
// other. One thread at a time.
class RaceChecker {
 public:
  enum class Kind : std::uint8_t { kRead, kWrite, kAtomic };

  // `kinds` by the number of an access, from 1 on.
  RaceChecker(std::uint32_t programs, std::vector<Kind> kinds);

  // Programs start anew, in new memory.
  void reset();
  void access(std::uint32_t program, const void* address, std::int64_t size, std::int32_t number);
  // These programs meet.
  void meet(const std::vector<std::uint32_t>& programs);

  // The numbers of the first pair, the earlier one first.
  const std::optional<std::pair<std::int32_t, std::int32_t>>& race() const { return race_; }

 private:
  using Clock = std::vector<std::uint32_t>;
  // A program's access: when, and by which op. Time 0: none.
  struct Event {
    std::uint32_t program = 0;
    std::uint32_t time = 0;
    std::int32_t number = 0;
  };
  // What is known of a byte. Readers beyond the first are in `readers_`.
  struct Cell {
    Event write, read;
    bool shared = false;
  };
  static constexpr std::uintptr_t kPage = 1024;

  Cell& cell(std::uintptr_t address);
  bool before(const Event& event, std::uint32_t program) const;
  void check(const Event& earlier, std::uint32_t program, std::int32_t number);
  void read(Cell& cell, std::uintptr_t address, const Event& now);
  void write(Cell& cell, std::uintptr_t address, const Event& now);

  const std::uint32_t programs_;
  const std::vector<Kind> kinds_;
  std::vector<Clock> clocks_;
  std::unordered_map<std::uintptr_t, std::unique_ptr<Cell[]>> pages_;
  std::unordered_map<std::uintptr_t, std::vector<Event>> readers_;
  std::unordered_map<std::uintptr_t, Clock> released_;  // by atomics
  std::uintptr_t last_page_ = UINTPTR_MAX;
  Cell* last_cells_ = nullptr;
  std::optional<std::pair<std::int32_t, std::int32_t>> race_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_RACE_CHECKER_H_
