// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/race_checker.h"

#include <algorithm>

namespace tritonrt::runtime {
namespace {

void join(std::vector<std::uint32_t>& clock, const std::vector<std::uint32_t>& other) {
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace

RaceChecker::RaceChecker(std::uint32_t programs, std::vector<Kind> kinds)
    : programs_(programs), kinds_(std::move(kinds)) {
  reset();
}

void RaceChecker::reset() {
  clocks_.assign(programs_, Clock(programs_, 0));
  for (std::uint32_t i = 0; i < programs_; ++i) clocks_[i][i] = 1;
  pages_.clear();
  readers_.clear();
  released_.clear();
  last_page_ = UINTPTR_MAX;
}

RaceChecker::Cell& RaceChecker::cell(std::uintptr_t address) {
  const std::uintptr_t page = address / kPage;
  if (page != last_page_) {
    std::unique_ptr<Cell[]>& cells = pages_[page];
    if (cells == nullptr) cells = std::make_unique<Cell[]>(kPage);
    last_page_ = page;
    last_cells_ = cells.get();
  }
  return last_cells_[address % kPage];
}

bool RaceChecker::before(const Event& event, std::uint32_t program) const {
  return event.time == 0 || event.program == program ||
         event.time <= clocks_[program][event.program];
}

void RaceChecker::check(const Event& earlier, std::uint32_t program, std::int32_t number) {
  if (race_ || before(earlier, program)) return;
  const auto kind = [&](std::int32_t n) { return kinds_[static_cast<std::size_t>(n) - 1]; };
  if (kind(earlier.number) == Kind::kAtomic && kind(number) == Kind::kAtomic) return;
  race_ = {earlier.number, number};
}

void RaceChecker::read(Cell& cell, std::uintptr_t address, const Event& now) {
  check(cell.write, now.program, now.number);
  if (!cell.shared && before(cell.read, now.program)) {
    cell.read = now;
    return;
  }
  // Several programs read it, and none after the other.
  std::vector<Event>& readers = readers_[address];
  if (!cell.shared) readers.assign(1, cell.read);
  cell.shared = true;
  const auto mine = std::find_if(readers.begin(), readers.end(),
                                 [&](const Event& e) { return e.program == now.program; });
  if (mine != readers.end())
    *mine = now;
  else
    readers.push_back(now);
}

void RaceChecker::write(Cell& cell, std::uintptr_t address, const Event& now) {
  check(cell.write, now.program, now.number);
  if (cell.shared) {
    for (const Event& reader : readers_[address]) check(reader, now.program, now.number);
    readers_.erase(address);
  } else {
    check(cell.read, now.program, now.number);
  }
  cell.write = now;
  cell.read = {};
  cell.shared = false;
}

void RaceChecker::access(std::uint32_t program, const void* address, std::int64_t size,
                         std::int32_t number) {
  if (race_) return;
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const Event now{program, clocks_[program][program], number};
  const Kind kind = kinds_[static_cast<std::size_t>(number) - 1];
  for (std::uintptr_t at = first; at < first + static_cast<std::uintptr_t>(size); ++at) {
    if (kind == Kind::kRead)
      read(cell(at), at, now);
    else
      write(cell(at), at, now);
  }
  if (kind != Kind::kAtomic) return;
  // Who comes to the same place later has heard of all that was before.
  Clock& released = released_[first];
  released.resize(programs_);
  join(clocks_[program], released);
  released = clocks_[program];
  ++clocks_[program][program];
}

void RaceChecker::meet(const std::vector<std::uint32_t>& programs) {
  Clock all(programs_, 0);
  for (const std::uint32_t program : programs) join(all, clocks_[program]);
  for (const std::uint32_t program : programs) {
    clocks_[program] = all;
    ++clocks_[program][program];
  }
}

}  // namespace tritonrt::runtime
