// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches of programs that talk: through both interfaces, without blocking, and to an end.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/device_test.h"
#include "tests/unit/error_of.h"
#include "tritonrt/tritonrt_c.h"

namespace tritonrt {
namespace {

constexpr std::uint32_t kPrograms = 4;

// A ring of four: every program begins with x[its number], and in each of %steps turns hands on
// what it has. The barriers stand in lines 22 and 25.
constexpr char kRing[] = R"(module {
  tt.func public @ring(%x: !tt.ptr<i32>, %steps: i32) {
    %own = tt.get_program_id x : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %after = arith.addi %own, %one : i32
    %next = arith.remsi %after, %four : i32
    %here = dsa.alloc [16] : memref<16xi32>
    %there = dsa.alloc [16] : memref<16xi32>
    %lanes = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %p = "dsa.local_pointers"(%here, %lanes) : (memref<16xi32>, tensor<16xi32>) -> tensor<16x!tt.ptr<i32>>
    %q = "dsa.local_pointers"(%there, %lanes) : (memref<16xi32>, tensor<16xi32>) -> tensor<16x!tt.ptr<i32>>
    %far = "dsa.remote_pointers"(%q, %next) : (tensor<16x!tt.ptr<i32>>, i32) -> tensor<16x!tt.ptr<i32>>
    %at = tt.addptr %x, %own : !tt.ptr<i32>, i32
    %first = tt.load %at : !tt.ptr<i32>
    %all = tt.splat %first : i32 -> tensor<16xi32>
    tt.store %p, %all : tensor<16x!tt.ptr<i32>>
    scf.for %i = %zero to %steps step %one : i32 {
      %v = tt.load %p : tensor<16x!tt.ptr<i32>>
      tt.store %far, %v : tensor<16x!tt.ptr<i32>>
      dsa.distributed_barrier
      %w = tt.load %q : tensor<16x!tt.ptr<i32>>
      tt.store %p, %w : tensor<16x!tt.ptr<i32>>
      dsa.distributed_barrier
    }
    %end = tt.load %p : tensor<16x!tt.ptr<i32>>
    %sum = "tt.reduce"(%end) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      tt.reduce.return %s : i32
    }) : (tensor<16xi32>) -> i32
    tt.store %at, %sum : !tt.ptr<i32>
    tt.return
  }
}
)";

// What x holds after, if it held 1, 2, 3, ... before.
std::vector<std::int32_t> rotated(std::size_t programs, std::size_t steps) {
  std::vector<std::int32_t> values(programs);
  for (std::size_t p = 0; p < programs; ++p) {
    const std::size_t mesh = p / kPrograms * kPrograms;
    values[p] =
        static_cast<std::int32_t>(16 * (mesh + (p + steps * (kPrograms - 1)) % kPrograms + 1));
  }
  return values;
}

class MeshTest : public DeviceTest {
 protected:
  Buffer numbers(std::size_t count) const {
    std::vector<std::int32_t> values(count);
    std::iota(values.begin(), values.end(), 1);
    return Buffer::from_host(device_, values.data(), count * sizeof(std::int32_t));
  }
  static std::vector<std::int32_t> content(const Buffer& buffer) {
    std::vector<std::int32_t> values(buffer.size() / sizeof(std::int32_t));
    buffer.copy_to_host(values.data(), buffer.size());
    return values;
  }
  std::vector<MeshMapping> mappings() const {
    if (device_.info().name == "cpu") return {MeshMapping::kDefault};
    return {MeshMapping::kDefault, MeshMapping::kGroup, MeshMapping::kSplit};
  }
  static LaunchOptions options(MeshMapping mapping, Mesh mesh = Mesh(kPrograms)) {
    LaunchOptions made;
    made.mesh = mesh;
    made.mesh_mapping = mapping;
    return made;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, MeshTest, every_device(), name_of);

TEST_P(MeshTest, LaunchOptionsShapeTheMesh) {
  const Kernel ring = Kernel::from_source(kRing);
  Stream stream(device_);
  for (const MeshMapping mapping : mappings()) {
    for (const Mesh mesh : {Mesh(4), Mesh(2, 2), Mesh(1, 2, 2)}) {
      const Buffer x = numbers(12);
      ring.launch(stream, Grid(12), options(mapping, mesh), x, 3);
      stream.synchronize();
      EXPECT_EQ(content(x), rotated(12, 3)) << to_string(mapping);
    }
  }
}

TEST_P(MeshTest, BoundLaunchesTakeAMesh) {
  const Kernel ring = Kernel::from_source(kRing);
  Stream stream(device_);
  for (const MeshMapping mapping : mappings()) {
    const Buffer x = numbers(8), y = numbers(8);
    BoundKernel bound = ring.bind(device_, x, 1);
    Grid grid(8);
    grid.mesh = Mesh(kPrograms);
    grid.mesh_mapping = mapping;
    bound.launch(stream, grid);
    bound.set_arg(0, y);
    bound.set_arg(1, 6);
    bound.launch(stream, grid);
    stream.synchronize();
    EXPECT_EQ(content(x), rotated(8, 1)) << to_string(mapping);
    EXPECT_EQ(content(y), rotated(8, 6)) << to_string(mapping);
  }
}

// Turns may be enqueued long after the launch returned.
TEST_P(MeshTest, ALaunchDoesNotWait) {
  const Kernel ring = Kernel::from_source(kRing);
  Stream stream(device_);
  for (const MeshMapping mapping : mappings()) {
    std::vector<std::int32_t> before(4), after(4);
    std::atomic<bool> go{false};
    {
      const Buffer x = numbers(4);
      stream.call([&] {
        while (!go.load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
      ring.launch(stream, Grid(4), options(mapping), x, 3);
      x.copy_to_host(stream, before.data(), 16);
      ring.launch(stream, Grid(4), options(mapping), x, 101);
      x.copy_to_host(stream, after.data(), 16);
      EXPECT_FALSE(stream.is_idle());
      // The buffer is let go of before anything ran.
    }
    go.store(true);
    stream.synchronize();
    EXPECT_EQ(before, rotated(4, 3)) << to_string(mapping);
    std::vector<std::int32_t> expected = rotated(4, 104);
    for (std::int32_t& value : expected) value *= 16;
    EXPECT_EQ(after, expected) << to_string(mapping);
  }
}

TEST_P(MeshTest, ATimeOutEndsThemAndNamesTheBarrier) {
  const Kernel ring = Kernel::from_source(kRing);
  for (const MeshMapping mapping : mappings()) {
    // A work-group of a CPU that meets again and again is one command, which nothing ends.
    if (device_.info().name != "cpu" && mapping != MeshMapping::kSplit) continue;
    Stream stream(device_);
    Buffer x = numbers(4);
    // Built before the clock runs.
    ring.launch(stream, Grid(4), options(mapping), x, 1);
    stream.synchronize();
    ring.launch(stream, Grid(4), options(mapping), x, INT32_MAX);
    const Error error = error_of([&] { stream.synchronize(std::chrono::milliseconds(200)); });
    EXPECT_EQ(error.code(), ErrorCode::kTimeout);
    EXPECT_NE(error.message().find("dsa.distributed_barrier at line 2"), std::string::npos)
        << error.message();
    // The stream goes on.
    x = numbers(4);
    ring.launch(stream, Grid(4), options(mapping), x, 2);
    stream.synchronize();
    EXPECT_EQ(content(x), rotated(4, 2));
  }
}

TEST_P(MeshTest, WhatDoesNotFitSaysWhatWould) {
  const Kernel ring = Kernel::from_source(kRing);
  Stream stream(device_);
  const Buffer x = numbers(4);
  const auto refused = [&](MeshMapping mapping, Grid grid, Mesh mesh) {
    const Error error = error_of([&] { ring.launch(stream, grid, options(mapping, mesh), x, 1); });
    return error.message();
  };
  EXPECT_NE(refused(MeshMapping::kDefault, Grid(10), Mesh(4))
                .find("a grid of 10 programs is not a multiple of the mesh of 4"),
            std::string::npos);
  if (device_.info().name == "cpu") {
    EXPECT_NE(refused(MeshMapping::kGroup, Grid(4), Mesh(4)).find("has no other mapping"),
              std::string::npos);
    return;
  }
  const std::string group = refused(MeshMapping::kGroup, Grid(1 << 20), Mesh(1 << 20));
  EXPECT_NE(group.find("1048576 programs of"), std::string::npos) << group;
  EXPECT_NE(group.find("do not fit a work-group of"), std::string::npos) << group;
  EXPECT_NE(group.find("programs would"), std::string::npos) << group;
  const std::string resident = refused(MeshMapping::kResident, Grid(4), Mesh(4));
  EXPECT_NE(resident.find("does not promise to run work-groups at the same time"),
            std::string::npos)
      << resident;
}

// C has no types to lead it: the same launch through its functions.
TEST_P(MeshTest, TheCInterfaceLaunchesMeshes) {
  tritonrt_device* device = nullptr;
  tritonrt_kernel* kernel = nullptr;
  tritonrt_stream* stream = nullptr;
  tritonrt_buffer* buffer = nullptr;
  ASSERT_EQ(tritonrt_device_open(GetParam().device,
                                 static_cast<tritonrt_mapping>(GetParam().mapping), &device),
            TRITONRT_OK);
  ASSERT_EQ(tritonrt_kernel_from_source(kRing, sizeof kRing - 1, nullptr, nullptr, &kernel),
            TRITONRT_OK);
  ASSERT_EQ(tritonrt_stream_create(device, 0, &stream), TRITONRT_OK);
  ASSERT_EQ(tritonrt_buffer_create(device, 32, &buffer), TRITONRT_OK);
  for (const MeshMapping mapping : mappings()) {
    std::int32_t values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    ASSERT_EQ(tritonrt_buffer_copy_from_host(buffer, stream, values, 32, 0), TRITONRT_OK);
    tritonrt_launch_options launch = {};
    launch.struct_size = sizeof launch;
    launch.mesh[0] = launch.mesh[1] = 2;
    launch.mesh_mapping = static_cast<tritonrt_mesh_mapping>(mapping);
    const tritonrt_arg args[] = {tritonrt_arg_buffer(buffer, 0), tritonrt_arg_i32(5)};
    ASSERT_EQ(tritonrt_kernel_launch_with(kernel, stream, {8, 1, 1}, &launch, args, 2), TRITONRT_OK)
        << tritonrt_last_error();
    ASSERT_EQ(tritonrt_buffer_copy_to_host(buffer, stream, values, 32, 0), TRITONRT_OK);
    ASSERT_EQ(tritonrt_stream_synchronize(stream), TRITONRT_OK);
    EXPECT_EQ(std::vector<std::int32_t>(values, values + 8), rotated(8, 5)) << to_string(mapping);
  }
  tritonrt_buffer_release(buffer);
  tritonrt_stream_release(stream);
  tritonrt_kernel_release(kernel);
  tritonrt_device_release(device);
}

}  // namespace
}  // namespace tritonrt
