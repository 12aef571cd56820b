// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/mesh_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "runtime/mesh.h"

namespace tritonrt::runtime {
namespace {

constexpr std::int32_t kMesh[] = {TRT_GROUP_MESH};
constexpr std::int32_t kGrid[] = {TRT_GROUP_GRID};

// A kernel: each program writes its number into its successor's memory and adds what it finds in
// its own, once around the mesh. slots: where the sums go, and the rounds.
std::int32_t ring(const std::uint64_t* args, std::int64_t begin, std::int64_t,
                  const trt_cpu_launch* launch, void*) {
  trt_cpu_mesh* const mesh = launch->mesh;
  auto* const sums = reinterpret_cast<std::int64_t*>(args[0]);
  std::int64_t carried = begin;
  for (std::uint64_t i = 0; i < args[1]; ++i) {
    const std::int64_t next = (mesh->rank + 1) % mesh->count;
    char* const there = mesh->memory + (next - mesh->rank) * mesh->stride;
    std::memcpy(there, &carried, sizeof carried);
    if (const std::int32_t stop = mesh->barrier(mesh, kMesh, 1)) return stop;
    std::memcpy(&carried, mesh->memory, sizeof carried);
    sums[begin] += carried;
    if (const std::int32_t stop = mesh->barrier(mesh, kMesh, 2)) return stop;
  }
  return 0;
}

// Waits for the whole grid, but for program 2.
std::int32_t uneven(const std::uint64_t*, std::int64_t begin, std::int64_t,
                    const trt_cpu_launch* launch, void*) {
  return begin == 2 ? 0 : launch->mesh->barrier(launch->mesh, kGrid, 7);
}

// Counts in args[0] how often programs of one row of a 2x4 mesh were all there before the others.
std::int32_t rows(const std::uint64_t* args, std::int64_t, std::int64_t,
                  const trt_cpu_launch* launch, void*) {
  static constexpr std::int32_t kRow[] = {TRT_GROUP_MESH_AXES, 1, 1, 1, 4, 0};
  auto* const arrived = reinterpret_cast<std::atomic<std::int64_t>*>(args[0]);
  auto* const wrong = reinterpret_cast<std::atomic<std::int64_t>*>(args[1]);
  const std::uint32_t row = launch->mesh->rank / 4;
  for (std::int64_t round = 1; round <= 50; ++round) {
    arrived[row].fetch_add(1);
    if (const std::int32_t stop = launch->mesh->barrier(launch->mesh, kRow, 1)) return stop;
    if (arrived[row].load() < 4 * round) wrong->fetch_add(1);
    if (const std::int32_t stop = launch->mesh->barrier(launch->mesh, kRow, 2)) return stop;
  }
  return 0;
}

class MeshTeamTest : public ::testing::Test {
 protected:
  MeshLaunch launch(trt_entry_fn entry, std::uint32_t programs, MeshShape mesh,
                    std::vector<std::uint64_t> slots) {
    slots_ = std::move(slots);
    MeshLaunch made;
    made.entry = entry;
    made.slots = slots_.data();
    made.grid = Grid(programs);
    made.mesh = mesh;
    made.stop = &stop_;
    made.mesh_bytes = 100;
    made.scratch_bytes = 64;
    return made;
  }

  MeshMemoryPool pool_;
  std::vector<std::uint64_t> slots_;
  volatile std::uint32_t stop_ = 0;
  std::atomic<std::int64_t> next_{0};
};

TEST_F(MeshTeamTest, RingsOfSeveralMeshesOnOneThread) {
  std::vector<std::int64_t> sums(12);
  MeshTeam team(
      launch(&ring, 12, {{4, 1, 1}, 1, 4}, {reinterpret_cast<std::uint64_t>(sums.data()), 4}), 4,
      pool_);
  EXPECT_TRUE(team.work(next_, 12));
  // Each program has met the numbers of its whole mesh.
  for (std::size_t i = 0; i < sums.size(); ++i)
    EXPECT_EQ(sums[i], static_cast<std::int64_t>(i / 4 * 16 + 6)) << i;
}

TEST_F(MeshTeamTest, SeveralThreadsShareAMesh) {
  constexpr std::uint32_t kPrograms = 16;
  std::vector<std::int64_t> sums(kPrograms);
  MeshTeam team(launch(&ring, kPrograms, {{4, 4, 1}, 2, kPrograms},
                       {reinterpret_cast<std::uint64_t>(sums.data()), 64 * kPrograms}),
                kPrograms, pool_);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { team.work(next_, kPrograms); });
  for (std::thread& thread : threads) thread.join();
  for (const std::int64_t sum : sums) EXPECT_EQ(sum, 64 * 120);
}

TEST_F(MeshTeamTest, PartsOfAMeshMeetByThemselves) {
  std::atomic<std::int64_t> arrived[2] = {}, wrong{0};
  MeshTeam team(
      launch(&rows, 8, {{2, 4, 1}, 2, 8},
             {reinterpret_cast<std::uint64_t>(arrived), reinterpret_cast<std::uint64_t>(&wrong)}),
      8, pool_);
  EXPECT_TRUE(team.work(next_, 8));
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(arrived[0].load(), 200);
  EXPECT_EQ(arrived[1].load(), 200);
}

TEST_F(MeshTeamTest, WaitingForEverIsAnErrorAtOnce) {
  MeshTeam team(launch(&uneven, 4, {{4, 1, 1}, 1, 4}, {}), 4, pool_);
  EXPECT_FALSE(team.work(next_, 4));
  EXPECT_EQ(team.failure().wait, 7);
  EXPECT_NE(team.failure().text.find("3 of the 4 programs"), std::string::npos);
}

TEST_F(MeshTeamTest, AStoppedLaunchEnds) {
  std::vector<std::int64_t> sums(4);
  MeshTeam team(launch(&ring, 4, {{4, 1, 1}, 1, 4},
                       {reinterpret_cast<std::uint64_t>(sums.data()), UINT64_MAX}),
                4, pool_);
  std::thread worker([&] { EXPECT_FALSE(team.work(next_, 4)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  __atomic_store_n(&stop_, 1u, __ATOMIC_RELEASE);
  worker.join();
  EXPECT_NE(team.failure().wait, 0);
}

TEST(MeshMemoryPool, GivesWhatCameBackToWhoNeedsAsMuch) {
  MeshMemoryPool pool;
  const MeshMemory first = pool.take(10000, 4);
  EXPECT_GE(first.data, 10000u);
  std::memset(first.start, 1, 10000);
  for (std::size_t i = 0; i < 4; ++i) std::memset(first.stack(i), 1, MeshMemory::kStackBytes);
  pool.give_back(first);
  const MeshMemory larger = pool.take(20000, 4);
  EXPECT_NE(larger.start, first.start);
  const MeshMemory same = pool.take(9000, 3);
  EXPECT_EQ(same.start, first.start);
  const MeshMemory small = pool.take(100, 1);
  pool.give_back(larger);
  const MeshMemory tiny = pool.take(100, 4);
  EXPECT_NE(tiny.start, larger.start);
  for (const MeshMemory& memory : {same, small, tiny}) pool.give_back(memory);
}

TEST(MeshMemoryPool, KeepsOnlySoMuch) {
  MeshMemoryPool pool;
  const MeshMemory huge = pool.take(std::size_t{300} << 20, 1);
  pool.give_back(huge);
  // Had it been kept, this would get it.
  const MeshMemory again = pool.take(std::size_t{200} << 20, 1);
  EXPECT_LT(again.data, huge.data);
  pool.give_back(again);
}

TEST(MeshOf, GridsHoldWholeMeshes) {
  Metadata metadata;
  metadata.kernel = "k";
  metadata.max_shard = 3;
  Grid grid(12);
  EXPECT_EQ(mesh_of(grid, metadata).count(), 12u);
  grid.mesh = Mesh(2, 2);
  EXPECT_EQ(mesh_of(grid, metadata).dimensions(), 2u);
  grid.mesh = Mesh(5);
  EXPECT_THROW(mesh_of(grid, metadata), Error);
  grid.mesh = Mesh(3);
  EXPECT_THROW(mesh_of(grid, metadata), Error);
}

}  // namespace
}  // namespace tritonrt::runtime
