// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_MESH_TEAM_H_
#define TRITONRT_RUNTIME_CPU_MESH_TEAM_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/api/kernel_abi.h"
#include "runtime/cpu/fibre.h"
#include "runtime/cpu/mesh_memory.h"
#include "runtime/cpu/race_checker.h"
#include "tritonrt/kernel.h"

namespace tritonrt::runtime {

// The sizes of a mesh; ranks are row-major over them.
struct MeshShape {
  std::uint32_t sizes[3] = {1, 1, 1};
  unsigned dimensions = 1;
  std::uint32_t count = 1;
};

// What all programs of a cooperative launch share.
struct MeshLaunch {
  trt_entry_fn entry = nullptr;
  const std::uint64_t* slots = nullptr;
  Grid grid;
  MeshShape mesh;
  const volatile std::uint32_t* stop = nullptr;
  std::uint64_t mesh_bytes = 0;
  std::uint64_t scratch_bytes = 0;
  // Of the accesses that report themselves; empty where nobody looks for races. One thread then.
  std::vector<AccessKind> accesses;
};

// Why a team could not run its programs to the end.
struct MeshFailure {
  std::int32_t wait = 0;  // the number of a waiting op, 0 where none is to blame
  std::string text;
};

// Programs that wait for each other - a mesh, or all of a grid - as fibres of any number of
// threads, with their memory. One set of programs after the other.
class MeshTeam {
 public:
  // Bytes that a team of `programs` takes from the system, at most.
  static std::uint64_t bytes_needed(const MeshLaunch& launch, std::uint64_t programs);

  // A team for `programs` at a time, with memory of `pool`, which outlives it. Throws kOutOfMemory.
  MeshTeam(const MeshLaunch& launch, std::uint32_t programs, MeshMemoryPool& pool);
  ~MeshTeam();
  MeshTeam(const MeshTeam&) = delete;
  MeshTeam& operator=(const MeshTeam&) = delete;

  // Works on the sets of programs that start at `next * programs`, as long as that is below
  // `total`, together with the other threads that are here. `next` is shared by all teams of a
  // launch. Returns when nothing is left to do; false where a set failed, see failure().
  bool work(std::atomic<std::int64_t>& next, std::int64_t total) noexcept;
  MeshFailure failure();
  // The numbers of two accesses that race, where somebody looks for that.
  std::optional<std::pair<std::int32_t, std::int32_t>> race() const;

 private:
  struct Program;
  // Programs that meet at one barrier.
  struct Gate {
    std::uint32_t size = 0;
    std::vector<Program*> waiting;
  };
  // The words of a group, and which of its instances: a mesh, or a part of one.
  using GateKey = std::pair<std::vector<std::int32_t>, std::uint64_t>;

  static std::int32_t barrier(trt_cpu_mesh* mesh, const std::int32_t* group, std::int32_t number);
  static void run_program(void* program);
  static void record(trt_cpu_mesh* mesh, const void* address, std::int64_t size,
                     std::int32_t number);

  bool is_stopped() const { return __atomic_load_n(launch_.stop, __ATOMIC_ACQUIRE) != 0; }
  bool begin(std::atomic<std::int64_t>& next, std::int64_t total);
  void step(Program& program, std::unique_lock<std::mutex>& lock);
  void arrive(Program& program);
  // The gate of a program's group; null, after fail(), where the group is none.
  Gate* gate_of(const Program& program);
  bool member_of(const Program& program, const std::vector<std::int32_t>& words, GateKey& key,
                 std::uint32_t& size);
  bool axes_of(const Program& program, const std::int32_t* words, GateKey& key,
               std::uint32_t& size);
  void release(Gate& gate, std::int32_t result);
  void fail(std::int32_t wait, std::string text);
  void give_up();
  void wait_for_change(std::unique_lock<std::mutex>& lock);

  const MeshLaunch launch_;
  const std::uint32_t size_;
  MeshMemoryPool& pool_;
  MeshMemory memory_;
  std::unique_ptr<Program[]> programs_;
  std::unique_ptr<RaceChecker> checker_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::uint32_t> ready_count_{0};
  std::deque<Program*> ready_;
  std::map<GateKey, Gate> gates_;
  std::uint32_t running_ = 0;
  std::uint32_t left_ = 0;  // programs of this set that have not ended
  bool failed_ = false;
  MeshFailure failure_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_MESH_TEAM_H_
