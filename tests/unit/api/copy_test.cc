// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class CopyTest : public OnDevice {
 protected:
  std::vector<unsigned char> content(const Buffer& buffer) {
    std::vector<unsigned char> bytes(buffer.size());
    buffer.copy_to_host(bytes.data(), bytes.size());
    return bytes;
  }
};

// A block of random shape within `size` bytes on both sides; transposed, reversed, repeated.
CopyBlock random_block(std::mt19937& random, std::size_t size) {
  for (;;) {
    CopyBlock block;
    block.element_size = std::size_t{1} << random() % 4;
    const std::size_t rank = random() % 5;
    std::vector<std::size_t> order(rank);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    block.source_strides.resize(rank);
    block.target_strides.resize(rank);
    for (std::size_t d = 0; d < rank; ++d) block.shape.push_back(1 + random() % 5);
    // Each side is dense in an order of its own, with gaps here and there.
    const auto fill = [&](std::vector<std::ptrdiff_t>& strides, std::size_t& offset, bool target) {
      std::size_t step = block.element_size;
      if (random() % 2 == 0) std::shuffle(order.begin(), order.end(), random);
      std::size_t first = random() % 20;
      for (const std::size_t d : order) {
        if (random() % 4 == 0) step += random() % 9;
        strides[d] = static_cast<std::ptrdiff_t>(step);
        if (!target && random() % 8 == 0) {
          strides[d] = 0;
          continue;
        }
        step *= block.shape[d];
        if (random() % 4 != 0) continue;
        first += static_cast<std::size_t>(strides[d]) * (block.shape[d] - 1);
        strides[d] = -strides[d];
      }
      offset = first;
      return first + step;
    };
    const std::size_t source = fill(block.source_strides, block.source_offset, false);
    const std::size_t target = fill(block.target_strides, block.target_offset, true);
    if (source <= size && target <= size) return block;
  }
}

// Element by element, as the words say it.
void expect_copy(const CopyBlock& block, const std::vector<unsigned char>& source,
                 std::vector<unsigned char>& target) {
  std::size_t count = 1;
  for (const std::size_t extent : block.shape) count *= extent;
  for (std::size_t i = 0; i < count; ++i) {
    std::ptrdiff_t from = static_cast<std::ptrdiff_t>(block.source_offset);
    std::ptrdiff_t to = static_cast<std::ptrdiff_t>(block.target_offset);
    std::size_t rest = i;
    for (std::size_t d = 0; d < block.shape.size(); ++d) {
      const auto index = static_cast<std::ptrdiff_t>(rest % block.shape[d]);
      rest /= block.shape[d];
      from += index * block.source_strides[d];
      to += index * block.target_strides[d];
    }
    for (std::size_t b = 0; b < block.element_size; ++b)
      target[static_cast<std::size_t>(to) + b] = source[static_cast<std::size_t>(from) + b];
  }
}

TEST_P(CopyTest, StridedCopiesOfEveryShape) {
  constexpr std::size_t kSize = 4096;
  std::mt19937 random(11);
  Stream stream(device_);
  Buffer a(device_, kSize + 7);
  Buffer b(device_, kSize + 3);
  // Parts that begin anywhere, so that nothing relies on alignment.
  Buffer source = a.slice(7, kSize);
  Buffer target = b.slice(3, kSize);
  std::vector<unsigned char> bytes(kSize);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
  source.copy_from_host(bytes.data(), kSize);
  for (int round = 0; round < 150; ++round) {
    const CopyBlock block = random_block(random, kSize);
    std::vector<unsigned char> expected(kSize, 0xee);
    expect_copy(block, bytes, expected);

    target.fill("\xee", 1, kSize);
    target.copy_from(stream, source, block);
    stream.synchronize();
    ASSERT_EQ(content(target), expected) << "between buffers, round " << round;

    target.fill("\xee", 1, kSize);
    target.copy_from_host(stream, bytes.data(), kSize, block);
    stream.synchronize();
    ASSERT_EQ(content(target), expected) << "from the host, round " << round;

    std::vector<unsigned char> host(kSize, 0xee);
    source.copy_to_host(stream, host.data(), kSize, block);
    stream.synchronize();
    ASSERT_EQ(host, expected) << "to the host, round " << round;
  }
}

TEST_P(CopyTest, BlocksThatLeaveTheirMemoryAreErrors) {
  Stream stream(device_);
  Buffer a(device_, 64);
  char host[64];
  CopyBlock block;
  block.element_size = 4;
  block.shape = {4, 4};
  block.source_strides = {16, 4};
  block.target_strides = {16, 4};
  a.copy_from_host(stream, host, 64, block);
  block.target_offset = 4;
  EXPECT_EQ(error_of([&] { a.copy_from_host(stream, host, 64, block); }).message(),
            "a strided copy: the block leaves the target, which has 64 bytes");
  block.target_offset = 0;
  EXPECT_EQ(error_of([&] { a.copy_from_host(stream, host, 63, block); }).message(),
            "a strided copy: the block leaves the source, which has 63 bytes");
  block.source_strides = {-16, 4};
  EXPECT_THROW(a.copy_from_host(stream, host, 64, block), Error);
  block.source_strides = {16};
  EXPECT_EQ(error_of([&] { a.copy_from_host(stream, host, 64, block); }).message(),
            "a strided copy: 2 sizes, 1 strides of the source and 2 of the target, expected one of "
            "each for a dimension");
  block.source_strides = {PTRDIFF_MAX, PTRDIFF_MAX};
  EXPECT_THROW(a.copy_from_host(stream, host, 64, block), Error);
  block.source_strides = {16, 4};
  block.target_strides = {16, 0};
  EXPECT_EQ(error_of([&] { a.copy_from_host(stream, host, 64, block); }).message(),
            "a strided copy: the target has the stride 0 along dimension 1: its elements would be "
            "written more than once");
  block.element_size = 0;
  EXPECT_EQ(error_of([&] { a.copy_from_host(stream, host, 64, block); }).message(),
            "a strided copy: an element has 0 bytes, expected 1 or more");
  block.element_size = 4;
  block.shape = {0, 4};
  a.copy_from_host(stream, host, 0, block);
  stream.synchronize();
}

TEST_P(CopyTest, BetweenDevicesEitherWay) {
  Stream here(device_);
  Stream there(cpu_);
  std::vector<std::uint32_t> values(1000);
  std::iota(values.begin(), values.end(), 1u);
  Buffer on_cpu = Buffer::from_host(cpu_, values.data(), 4000);
  Buffer on_device(device_, 4000);
  on_device.copy_from(here, on_cpu, 4000);
  kernel("store").launch(here, {4}, on_device, 100, 0, 0);
  // The other stream waits for the launch by itself.
  Buffer back(cpu_, 4000);
  back.copy_from(there, on_device, 4000);
  there.synchronize();
  EXPECT_EQ(back.host_data_as<std::uint32_t>()[3], 103u);
  EXPECT_EQ(back.host_data_as<std::uint32_t>()[999], 1000u);

  CopyBlock every_other;
  every_other.element_size = 4;
  every_other.shape = {500};
  every_other.source_strides = {8};
  every_other.target_strides = {4};
  back.copy_from(there, on_device, every_other);
  there.synchronize();
  EXPECT_EQ(back.host_data_as<std::uint32_t>()[499], 999u);
}

// A kernel that cannot end before a flag is raised holds its stream up.
TEST_F(ApiTest, WorkOnAnotherStreamWaitsForTheLastWriterByItself) {
  Stream first(cpu_);
  Stream second(cpu_);
  StreamOptions by_events;
  by_events.automatic_order = false;
  Stream third(cpu_, by_events);
  Buffer flag(cpu_, 64);
  Buffer out(cpu_, 64);
  flag.fill("\0", 1, 64);
  out.fill("\0", 1, 64);
  int got = 0;
  kernel("gated").launch(first, {1}, flag, out);
  // Reading what is only read does not wait; neither does a stream that orders itself.
  flag.copy_to_host(second, &got, 4);
  second.synchronize();
  out.copy_to_host(third, &got, 4);
  third.synchronize();
  EXPECT_EQ(got, 0);
  kernel("store").launch(second, {1}, out, 70, 0, 0);
  out.copy_to_host(second, &got, 4);
  EXPECT_FALSE(second.is_idle());
  EXPECT_EQ(got, 0);
  // Nor may what is read be overwritten meanwhile.
  Stream fourth(cpu_);
  const int raised = 5;
  flag.copy_from_host(fourth, &raised, 4);
  EXPECT_FALSE(fourth.is_idle());
  __atomic_store_n(flag.host_data_as<int>(), 1, __ATOMIC_RELEASE);
  second.synchronize();
  fourth.synchronize();
  EXPECT_EQ(got, 70);
  EXPECT_EQ(*flag.host_data_as<int>(), 5);
}

TEST_P(CopyTest, MemoryThatIsFreedInFlightIsReusedInOrder) {
  // Two streams take and give back the same few blocks: each value must be its stream's own.
  Stream streams[] = {Stream(device_), Stream(device_)};
  const Kernel store = kernel("store");
  std::vector<std::vector<int>> got(200, std::vector<int>(64, -1));
  for (int i = 0; i < 200; ++i) {
    Stream& stream = streams[i % 2];
    Buffer buffer(device_, 256);
    store.launch(stream, {64}, buffer, i, 0, 0);
    buffer.copy_to_host(stream, got[static_cast<std::size_t>(i)].data(), 256);
  }
  for (Stream& stream : streams) stream.synchronize();
  for (int i = 0; i < 200; ++i)
    for (int k = 0; k < 64; ++k)
      ASSERT_EQ(got[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)], i + k);
}

TEST_P(CopyTest, MemoryComesFromTheResourceInUse) {
  const auto before = device_.memory_resource();
  const auto statistics = std::make_shared<StatisticsResource>(before);
  const auto limit = std::make_shared<LimitResource>(statistics, 10000);
  device_.set_memory_resource(limit);
  {
    Buffer a(device_, 5000);
    EXPECT_EQ(error_of([&] { Buffer(device_, 6000); }).code(), ErrorCode::kOutOfMemory);
    a.fill("x", 1, 5000);
    EXPECT_EQ(content(a)[4999], 'x');
  }
  EXPECT_EQ(statistics->stats().allocations, 1u);
  EXPECT_EQ(statistics->stats().bytes_in_use, 0u);
  device_.set_memory_resource(before);
  EXPECT_GT(device_.memory_stats().allocations, 0u);
  device_.trim_memory();
  EXPECT_EQ(device_.memory_stats().bytes_kept, 0u);
  EXPECT_THROW(device_.set_memory_resource(nullptr), Error);
}

TEST_P(CopyTest, LargeBlocksOfRowsArriveWhole) {
  // 3 planes of 1000 rows of 700 floats, out of planes and rows that are longer.
  constexpr std::size_t kPlanes = 3, kRows = 1000, kRow = 700, kPitch = 711, kPlane = kPitch * 1003;
  std::vector<std::uint32_t> values(kPlanes * kPlane), back(values.size(), 7);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::uint32_t>(i * 2654435761u);
  CopyBlock block;
  block.element_size = 4;
  block.shape = {kPlanes, kRows, kRow};
  const auto strides = [](std::size_t plane, std::size_t row) {
    return std::vector<std::ptrdiff_t>{static_cast<std::ptrdiff_t>(plane * 4),
                                       static_cast<std::ptrdiff_t>(row * 4), 4};
  };
  block.source_strides = strides(kPlane, kPitch);
  block.target_strides = strides(kRows * 720, 720);
  block.target_offset = 4;
  Stream stream(device_);
  Buffer buffer(device_, kPlanes * kRows * 720 * 4 + 4);
  buffer.copy_from_host(stream, values.data(), values.size() * 4, block);
  std::swap(block.source_strides, block.target_strides);
  block.source_offset = 4;
  block.target_offset = 0;
  buffer.copy_to_host(stream, back.data(), back.size() * 4, block);
  stream.synchronize();
  for (std::size_t i = 0; i < back.size(); ++i) {
    const std::size_t row = i % kPlane / kPitch, column = i % kPlane % kPitch;
    ASSERT_EQ(back[i], row < kRows && column < kRow ? values[i] : 7u) << i;
  }
}

TEST_P(CopyTest, LargeCopiesArriveWhole) {
  // More than the ring of pinned memory holds, on devices that have one.
  constexpr std::size_t kCount = (std::size_t{40} << 20) / 4 + 13;
  std::vector<std::uint32_t> values(kCount), back(kCount, 0);
  for (std::size_t i = 0; i < kCount; ++i) values[i] = static_cast<std::uint32_t>(i * 2654435761u);
  Stream stream(device_);
  Buffer buffer(device_, kCount * 4 + 4);
  buffer.copy_from_host(stream, values.data(), kCount * 4, 4);
  buffer.copy_to_host(stream, back.data(), kCount * 4, 4);
  stream.synchronize();
  EXPECT_EQ(values, back);
  std::fill(back.begin(), back.end(), 0u);
  buffer.copy_from_host(values.data(), kCount * 4);
  buffer.copy_to_host(back.data(), kCount * 4);
  EXPECT_EQ(values, back);
}

INSTANTIATE_TEST_SUITE_P(Devices, CopyTest, ::testing::Values("cpu", "opencl"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tritonrt
