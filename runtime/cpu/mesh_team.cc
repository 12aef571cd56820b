// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/mesh_team.h"

#include <algorithm>
#include <chrono>

#include "runtime/cpu/thread_pool.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

constexpr std::size_t kPage = 4096;
// So that the same place in the memories of a mesh's programs is not the same set of a cache.
constexpr std::size_t kSkew = 192;
constexpr auto kSpinTime = std::chrono::microseconds(20);

std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

std::size_t mesh_stride(const MeshLaunch& launch) {
  return rounded(launch.mesh_bytes, 64) + (launch.mesh_bytes >= kPage ? kSkew : 0);
}

std::size_t scratch_stride(const MeshLaunch& launch) { return rounded(launch.scratch_bytes, 64); }

}  // namespace

struct MeshTeam::Program {
  trt_cpu_mesh mesh;  // first: what compiled code hands back
  trt_cpu_launch launch;
  MeshTeam* team = nullptr;
  std::int64_t linear = 0;
  void* scratch = nullptr;
  char* stack = nullptr;
  Fibre fibre;
  // What it waits at; null while it does not. `result` is what the wait gives.
  const std::int32_t* group = nullptr;
  std::int32_t number = 0;
  std::int32_t result = 0;
  bool ended = false;
};

std::uint64_t MeshTeam::bytes_needed(const MeshLaunch& launch, std::uint64_t programs) {
  const std::uint64_t each = mesh_stride(launch) + scratch_stride(launch) + 2 * kPage;
  return programs > UINT64_MAX / each ? UINT64_MAX : programs * each;
}

MeshTeam::MeshTeam(const MeshLaunch& launch, std::uint32_t programs, MeshMemoryPool& pool)
    : launch_(launch), size_(programs), pool_(pool) {
  const std::size_t memory = mesh_stride(launch), scratch = scratch_stride(launch);
  if (!launch.accesses.empty()) checker_ = std::make_unique<RaceChecker>(size_, launch.accesses);
  programs_ = std::make_unique<Program[]>(size_);
  memory_ = pool.take(size_ * (memory + scratch), size_);
  char* const start = memory_.start;
  for (std::uint32_t i = 0; i < size_; ++i) {
    Program& program = programs_[i];
    program.team = this;
    program.scratch = start + size_ * memory + i * scratch;
    program.stack = memory_.stack(i);
    program.mesh = {start + i * memory,    static_cast<std::int64_t>(memory),
                    i % launch.mesh.count, launch.mesh.count,
                    &MeshTeam::barrier,    &MeshTeam::record};
    program.launch = {{launch.grid.x, launch.grid.y, launch.grid.z}, 0, launch.stop, &program.mesh};
  }
}

MeshTeam::~MeshTeam() { pool_.give_back(memory_); }

std::int32_t MeshTeam::barrier(trt_cpu_mesh* mesh, const std::int32_t* group, std::int32_t number) {
  auto& program = *reinterpret_cast<Program*>(mesh);
  program.group = group;
  program.number = number;
  program.fibre.suspend();
  return program.result;
}

void MeshTeam::record(trt_cpu_mesh* mesh, const void* address, std::int64_t size,
                      std::int32_t number) {
  auto& program = *reinterpret_cast<Program*>(mesh);
  MeshTeam& team = *program.team;
  team.checker_->access(static_cast<std::uint32_t>(&program - team.programs_.get()), address, size,
                        number);
}

void MeshTeam::run_program(void* argument) {
  auto& program = *static_cast<Program*>(argument);
  const MeshLaunch& launch = program.team->launch_;
  launch.entry(launch.slots, program.linear, program.linear + 1, &program.launch, program.scratch);
  program.ended = true;
  program.fibre.finish();
}

bool MeshTeam::work(std::atomic<std::int64_t>& next, std::int64_t total) noexcept {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (left_ == 0 && (failed_ || !begin(next, total))) return !failed_;
    if (!ready_.empty()) {
      Program& program = *ready_.front();
      ready_.pop_front();
      ready_count_.store(static_cast<std::uint32_t>(ready_.size()), std::memory_order_relaxed);
      step(program, lock);
    } else if (running_ == 0) {
      give_up();
    } else {
      wait_for_change(lock);
    }
  }
}

// Takes the next set of programs. False where there is none.
bool MeshTeam::begin(std::atomic<std::int64_t>& next, std::int64_t total) {
  const std::int64_t first = next.fetch_add(1, std::memory_order_relaxed) * size_;
  if (first >= total || is_stopped()) return false;
  gates_.clear();
  if (checker_ != nullptr && first != 0 && !checker_->race())
    checker_->begin_set(memory_.start, memory_.bytes());
  for (std::uint32_t i = 0; i < size_; ++i) {
    Program& program = programs_[i];
    program.linear = first + i;
    program.group = nullptr;
    program.ended = false;
    program.result = 0;
    program.fibre.prepare(program.stack, MeshMemory::kStackBytes, &MeshTeam::run_program, &program);
    ready_.push_back(&program);
  }
  left_ = size_;
  ready_count_.store(size_, std::memory_order_relaxed);
  changed_.notify_all();
  return true;
}

// Runs a program until it waits or ends.
void MeshTeam::step(Program& program, std::unique_lock<std::mutex>& lock) {
  ++running_;
  lock.unlock();
  program.fibre.resume();
  lock.lock();
  --running_;
  if (!program.ended) {
    arrive(program);
  } else if (--left_ == 0) {
    changed_.notify_all();
  }
}

void MeshTeam::arrive(Program& program) {
  if (failed_ || is_stopped()) {
    program.result = program.number;
    fail(program.number, {});
    ready_.push_back(&program);
    ready_count_.store(static_cast<std::uint32_t>(ready_.size()), std::memory_order_relaxed);
    return;
  }
  Gate* const gate = gate_of(program);
  if (gate == nullptr) return arrive(program);  // which now finds that it failed
  gate->waiting.push_back(&program);
  if (gate->waiting.size() != gate->size) return;
  if (checker_ != nullptr) {
    std::vector<std::uint32_t> members;
    for (const Program* member : gate->waiting)
      members.push_back(static_cast<std::uint32_t>(member - programs_.get()));
    checker_->meet(members);
  }
  release(*gate, 0);
}

void MeshTeam::release(Gate& gate, std::int32_t result) {
  for (Program* program : gate.waiting) {
    program->result = result != 0 ? program->number : 0;
    ready_.push_back(program);
  }
  gate.waiting.clear();
  ready_count_.store(static_cast<std::uint32_t>(ready_.size()), std::memory_order_relaxed);
  changed_.notify_all();
}

MeshTeam::Gate* MeshTeam::gate_of(const Program& program) {
  const std::int32_t* const words = program.group;
  GateKey key;
  std::uint32_t size = 0;
  const std::int64_t mesh = program.linear / launch_.mesh.count;
  switch (words[0]) {
    case TRT_GROUP_GRID:
      key.first = {TRT_GROUP_GRID};
      size = size_;
      break;
    case TRT_GROUP_RANKS: {
      key.first.assign(words, words + 2 + words[1]);
      std::sort(key.first.begin() + 2, key.first.end());
      key.second = static_cast<std::uint64_t>(mesh);
      size = static_cast<std::uint32_t>(words[1]);
      if (!std::binary_search(key.first.begin() + 2, key.first.end(),
                              static_cast<std::int32_t>(program.mesh.rank)) ||
          key.first.back() >= static_cast<std::int32_t>(launch_.mesh.count)) {
        fail(program.number, "program " + std::to_string(program.linear) + ", of rank " +
                                 std::to_string(program.mesh.rank) + " in a mesh of " +
                                 std::to_string(launch_.mesh.count) +
                                 ", is not in the group that it waits for, or the group has ranks "
                                 "that the mesh has not");
        return nullptr;
      }
      // All of the mesh is the mesh, however it is written.
      if (size == launch_.mesh.count) key.first = {TRT_GROUP_MESH};
      break;
    }
    case TRT_GROUP_MESH_AXES:
    case TRT_GROUP_GRID_AXES:
      if (!axes_of(program, words, key, size)) return nullptr;
      break;
    default:
      key.first = {TRT_GROUP_MESH};
      key.second = static_cast<std::uint64_t>(mesh);
      size = launch_.mesh.count;
  }
  Gate& gate = gates_[std::move(key)];
  gate.size = size;
  return &gate;
}

// Programs whose coordinates are in the same part of each listed axis and equal along the others.
bool MeshTeam::axes_of(const Program& program, const std::int32_t* words, GateKey& key,
                       std::uint32_t& size) {
  const std::int32_t n = words[1];
  const std::int32_t* const axes = words + 2;
  const std::int32_t* const sizes = axes + n + 1;
  const bool of_grid = words[0] == TRT_GROUP_GRID_AXES;
  std::vector<std::uint32_t> domain;
  if (of_grid)
    domain.assign(sizes + n + 1, sizes + n + 1 + sizes[n]);
  else
    domain.assign(launch_.mesh.sizes, launch_.mesh.sizes + launch_.mesh.dimensions);
  std::uint64_t points = 1;
  for (std::uint32_t d : domain) points *= d;
  const std::uint64_t expected = of_grid ? size_ : launch_.mesh.count;
  bool fits = points == expected;
  size = 1;
  for (std::int32_t i = 0; i < n; ++i) {
    fits = fits && axes[i] < static_cast<std::int32_t>(domain.size()) &&
           domain[static_cast<std::size_t>(axes[i])] % static_cast<std::uint32_t>(sizes[i]) == 0;
    size *= static_cast<std::uint32_t>(sizes[i]);
  }
  if (!fits) {
    fail(program.number, "its groups do not fit a " + std::string(of_grid ? "grid" : "mesh") +
                             " of " + std::to_string(expected) + " programs in " +
                             std::to_string(domain.size()) + " dimensions");
    return false;
  }
  std::uint64_t rest = of_grid ? static_cast<std::uint64_t>(program.linear) : program.mesh.rank;
  std::uint64_t part = 0, step = 1;
  for (std::size_t d = domain.size(); d-- > 0; rest /= domain[d]) {
    std::uint64_t at = rest % domain[d];
    for (std::int32_t i = 0; i < n; ++i)
      if (axes[i] == static_cast<std::int32_t>(d)) at /= static_cast<std::uint64_t>(sizes[i]);
    part += at * step;
    step *= domain[d];
  }
  key.first.assign(words, sizes + n);
  key.second = part;
  if (!of_grid)
    key.second += static_cast<std::uint64_t>(program.linear / launch_.mesh.count) * points;
  return true;
}

void MeshTeam::fail(std::int32_t wait, std::string text) {
  if (!failed_) failure_ = {wait, std::move(text)};
  failed_ = true;
  for (auto& [key, gate] : gates_) release(gate, 1);
}

// Nobody runs and nobody can: those who wait never meet the others of their group.
void MeshTeam::give_up() {
  for (auto& [key, gate] : gates_) {
    if (gate.waiting.empty()) continue;
    fail(gate.waiting.front()->number,
         "program " + std::to_string(gate.waiting.front()->linear) + " waits for ever: " +
             std::to_string(gate.waiting.size()) + " of the " + std::to_string(gate.size) +
             " programs of its group have come, and the others never will");
    return;
  }
}

void MeshTeam::wait_for_change(std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  const auto deadline = std::chrono::steady_clock::now() + kSpinTime;
  while (ready_count_.load(std::memory_order_relaxed) == 0 &&
         std::chrono::steady_clock::now() < deadline)
    for (int i = 0; i < 16; ++i) spin_pause();
  lock.lock();
  if (ready_.empty() && running_ != 0 && left_ != 0)
    changed_.wait_for(lock, std::chrono::milliseconds(10));
}

std::optional<std::pair<std::int32_t, std::int32_t>> MeshTeam::race() const {
  return checker_ != nullptr ? checker_->race() : std::nullopt;
}

MeshFailure MeshTeam::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace tritonrt::runtime
