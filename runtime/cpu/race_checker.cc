// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/race_checker.h"

#include <algorithm>

namespace tritonrt::runtime {

RaceChecker::RaceChecker(std::uint32_t programs, std::vector<AccessKind> kinds)
    : programs_(programs), kinds_(std::move(kinds)), clocks_(programs) {
  for (std::uint32_t i = 0; i < programs_; ++i) {
    clocks_[i].own.assign(programs_, 0);
    clocks_[i].own[i] = 1;
  }
}

void RaceChecker::begin_set(const void* start, std::size_t size) {
  for (auto& [place, clock] : released_) {
    for (std::uint32_t i = 0; i < programs_; ++i)
      if (clock.own[i] != 0) clock.earlier[first_ + i] = clock.own[i];
    clock.own.assign(programs_, 0);
  }
  first_ += programs_;
  for (std::uint32_t i = 0; i < programs_; ++i) {
    clocks_[i].earlier.clear();
    clocks_[i].own.assign(programs_, 0);
    clocks_[i].own[i] = 1;
  }
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  for (auto& [page, cells] : pages_) {
    const std::uintptr_t end = std::min(first + size, (page + 1) * kPage);
    for (std::uintptr_t at = std::max(first, page * kPage); at < end; ++at) {
      Cell& cell = cells[at % kPage];
      if (cell.more) more_.erase(at);
      released_.erase(at);
      cell = {};
    }
  }
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

const AccessKind& RaceChecker::kind(std::int32_t number) const {
  return kinds_[static_cast<std::size_t>(number) - 1];
}

bool RaceChecker::before(const Event& event, const Event& now) const {
  if (event.time == 0 || event.program == now.program) return true;
  const Clock& clock = clocks_[now.program - first_];
  if (event.program >= first_) return event.time <= clock.own[event.program - first_];
  const auto heard = clock.earlier.find(event.program);
  return heard != clock.earlier.end() && event.time <= heard->second;
}

void RaceChecker::check(const Event& earlier, const Event& now) {
  if (race_ || before(earlier, now)) return;
  if (kind(earlier.number).atomic && kind(now.number).atomic) return;
  race_ = {earlier.number, now.number};
}

// Whoever comes later and has heard of an access has heard of all that this one has heard of, so
// those are dropped. But a write is not dropped for a read: others read what it wrote.
void RaceChecker::note(Cell& cell, std::uintptr_t address, const Event& now) {
  const bool writes = kind(now.number).writes;
  More* more = cell.more ? &more_[address] : nullptr;
  const auto check_all = [&](const Event& first, const std::vector<Event>* others) {
    check(first, now);
    if (others != nullptr)
      for (const Event& event : *others) check(event, now);
  };
  const auto drop = [&](Event& first, std::vector<Event>* others) {
    if (before(first, now)) first = {};
    if (others != nullptr)
      std::erase_if(*others, [&](const Event& event) { return before(event, now); });
  };
  std::vector<Event>* const more_writes = more != nullptr ? &more->writes : nullptr;
  std::vector<Event>* const more_reads = more != nullptr ? &more->reads : nullptr;
  check_all(cell.write, more_writes);
  if (writes) {
    check_all(cell.read, more_reads);
    drop(cell.write, more_writes);
  }
  drop(cell.read, more_reads);
  Event& mine = writes ? cell.write : cell.read;
  if (mine.time == 0) {
    mine = now;
  } else {
    if (more == nullptr) more = &more_[address];
    (writes ? more->writes : more->reads).push_back(now);
  }
  cell.more = more != nullptr && !(more->writes.empty() && more->reads.empty());
  if (more != nullptr && !cell.more) more_.erase(address);
}

void RaceChecker::access(std::uint32_t program, const void* address, std::int64_t size,
                         std::int32_t number) {
  if (race_) return;
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const AccessKind& what = kind(number);
  // Who comes to the same place later has heard of all that was before.
  if (what.acquires)
    if (const auto released = released_.find(first); released != released_.end())
      join(clocks_[program], released->second);
  const Event now{first_ + program, clocks_[program].own[program], number};
  for (std::uintptr_t at = first; at < first + static_cast<std::uintptr_t>(size); ++at)
    note(cell(at), at, now);
  if (!what.releases) return;
  Clock& released = released_[first];
  released.own.resize(programs_);
  join(released, clocks_[program]);
  ++clocks_[program].own[program];
}

void RaceChecker::join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < clock.own.size(); ++i)
    clock.own[i] = std::max(clock.own[i], other.own[i]);
  for (const auto& [program, time] : other.earlier) {
    std::uint32_t& heard = clock.earlier[program];
    heard = std::max(heard, time);
  }
}

void RaceChecker::meet(const std::vector<std::uint32_t>& programs) {
  Clock all;
  all.own.resize(programs_);
  for (const std::uint32_t program : programs) join(all, clocks_[program]);
  for (const std::uint32_t program : programs) {
    clocks_[program] = all;
    ++clocks_[program].own[program];
  }
}

}  // namespace tritonrt::runtime
