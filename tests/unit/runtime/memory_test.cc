// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tritonrt/error.h"

namespace tritonrt {
namespace {

// Memory that knows who uses what, and how much there is.
class Source final : public MemoryResource {
 public:
  explicit Source(std::size_t capacity) : capacity_(capacity) {}
  ~Source() override { EXPECT_TRUE(blocks_.empty()) << "memory was not given back"; }

  MemoryBlock allocate(std::size_t size) override {
    ++calls;
    if (size > capacity_ - used)
      throw Error(ErrorCode::kOutOfMemory, "the source has " + std::to_string(capacity_ - used));
    used += size;
    MemoryBlock block;
    block.memory = std::aligned_alloc(64, (size + 63) / 64 * 64);
    block.size = size;
    blocks_[block.memory] = size;
    return block;
  }
  void release(const MemoryBlock& block) noexcept override {
    EXPECT_EQ(blocks_.count(block.memory), 1u);
    EXPECT_EQ(blocks_[block.memory], block.size);
    EXPECT_EQ(block.offset, 0u);
    used -= block.size;
    blocks_.erase(block.memory);
    std::free(block.memory);
  }

  std::size_t used = 0;
  int calls = 0;

 private:
  const std::size_t capacity_;
  std::map<void*, std::size_t> blocks_;
};

constexpr std::size_t kPlenty = std::size_t{1} << 40;

PoolOptions cutting() {
  PoolOptions options;
  options.chunk_bytes = std::size_t{1} << 20;
  options.max_small = std::size_t{64} << 10;
  options.alignment = 256;
  return options;
}

TEST(Pool, LittleIsWastedAndBlocksAreReused) {
  const auto source = std::make_shared<Source>(kPlenty);
  Pool pool(source);
  for (std::size_t size = 1; size < (std::size_t{64} << 20); size = size * 5 / 4 + 1) {
    const MemoryBlock block = pool.allocate(size);
    EXPECT_GE(block.size, size);
    const std::size_t slack = size > (std::size_t{4} << 20) ? std::size_t{2} << 20 : 64;
    EXPECT_LE(block.size, size + size / 8 + slack);
    pool.release(block);
    const int calls = source->calls;
    const MemoryBlock again = pool.allocate(size);
    EXPECT_EQ(again.memory, block.memory);
    EXPECT_EQ(source->calls, calls);
    pool.release(again);
  }
  pool.trim();
  EXPECT_EQ(source->used, 0u);
  EXPECT_EQ(pool.stats().bytes_in_use, 0u);
  EXPECT_EQ(pool.stats().bytes_kept, 0u);
}

TEST(Pool, KeepsNoMoreThanItsLimit) {
  const auto source = std::make_shared<Source>(kPlenty);
  PoolOptions options;
  options.keep_bytes = 1024;
  Pool pool(source, options);
  pool.release(pool.allocate(4096));
  EXPECT_EQ(source->used, 0u);
}

TEST(Pool, SmallBlocksAreCutFromChunksAndMergeAgain) {
  const auto source = std::make_shared<Source>(kPlenty);
  Pool pool(source, cutting());
  std::vector<MemoryBlock> blocks;
  for (int i = 0; i < 16; ++i) blocks.push_back(pool.allocate(std::size_t{64} << 10));
  EXPECT_EQ(source->calls, 1);
  for (const MemoryBlock& block : blocks) EXPECT_EQ(block.offset % 256, 0u);
  for (const MemoryBlock& block : blocks) pool.release(block);
  // Sixteen of one size become as many of others without more memory.
  blocks.clear();
  for (int i = 0; i < 100; ++i) blocks.push_back(pool.allocate(10 << 10));
  EXPECT_EQ(source->calls, 1);
  for (std::size_t i = 0; i < blocks.size(); i += 2) pool.release(blocks[i]);
  for (std::size_t i = 1; i < blocks.size(); i += 2) pool.release(blocks[i]);
  EXPECT_GT(source->used, 0u);
  pool.trim();
  EXPECT_EQ(source->used, 0u);
}

TEST(Pool, BlocksInUseNeverMeet) {
  const auto source = std::make_shared<Source>(kPlenty);
  Pool pool(source, cutting());
  std::mt19937 random(7);
  struct Held {
    MemoryBlock block;
    unsigned char mark;
  };
  std::vector<Held> held;
  const auto bytes = [](const MemoryBlock& block) {
    return static_cast<unsigned char*>(block.memory) + block.offset;
  };
  for (int i = 0; i < 20000; ++i) {
    if (held.size() < 50 || random() % 2 == 0) {
      const std::size_t size = 1 + random() % (random() % 10 == 0 ? 200000 : 5000);
      const Held one{pool.allocate(size), static_cast<unsigned char>(random())};
      bytes(one.block)[0] = bytes(one.block)[one.block.size - 1] = one.mark;
      held.push_back(one);
    } else {
      std::swap(held[random() % held.size()], held.back());
      const Held& one = held.back();
      ASSERT_EQ(bytes(one.block)[0], one.mark);
      ASSERT_EQ(bytes(one.block)[one.block.size - 1], one.mark);
      pool.release(one.block);
      held.pop_back();
    }
    if (i % 5000 == 4999) pool.trim();
  }
  for (const Held& one : held) pool.release(one.block);
  EXPECT_EQ(pool.stats().bytes_in_use, 0u);
  EXPECT_EQ(pool.stats().allocations, pool.stats().releases);
}

TEST(Pool, WhatIsKeptIsGivenBackBeforeMemoryIsOut) {
  const auto source = std::make_shared<Source>(std::size_t{10} << 20);
  Pool pool(source);
  pool.release(pool.allocate(std::size_t{7} << 20));
  const MemoryBlock block = pool.allocate(std::size_t{10} << 20);
  EXPECT_THROW(pool.allocate(1), Error);
  pool.release(block);
  pool.release(pool.allocate(1));
  EXPECT_THROW(pool.allocate(~std::size_t{0}), Error);
}

TEST(Pool, TheLastUseOfABlockComesWithIt) {
  const auto source = std::make_shared<Source>(kPlenty);
  Pool pool(source, cutting());
  const std::uint64_t one = (std::uint64_t{5} << 40) | 7;
  const std::uint64_t other = (std::uint64_t{6} << 40) | 1;
  MemoryBlock block = pool.allocate(1000);
  block.last_write = one;
  pool.release(block);
  EXPECT_EQ(pool.allocate(1000).last_write, one);
  // Neighbours of different streams merge to something that waits for both.
  MemoryBlock next = pool.allocate(1000);
  next.last_write = other;
  pool.release(next);
  pool.release(block);
  bool met = false;
  for (int i = 0; i < 1000 && !met; ++i) met = pool.allocate(1500).last_write == ~std::uint64_t{0};
  EXPECT_TRUE(met);
}

TEST(Adaptors, LimitStatisticsLogAndFailure) {
  const auto source = std::make_shared<Source>(kPlenty);
  const auto statistics = std::make_shared<StatisticsResource>(source);
  const auto limit = std::make_shared<LimitResource>(statistics, 1000);
  std::vector<std::string> lines;
  const auto log =
      std::make_shared<LogResource>(limit, [&](const std::string& line) { lines.push_back(line); });
  bool failing = false;
  FailureResource top(log, [&](std::size_t) { return failing; });
  const MemoryBlock a = top.allocate(400);
  const MemoryBlock b = top.allocate(600);
  try {
    top.allocate(1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_STREQ(error.what(), "allocating 1 bytes: 1000 of the limit of 1000 are in use");
  }
  top.release(a);
  failing = true;
  EXPECT_THROW(top.allocate(1), Error);
  failing = false;
  const MemoryBlock c = top.allocate(300);
  EXPECT_EQ(limit->bytes_in_use(), 900u);
  top.release(b);
  top.release(c);
  const std::vector<std::string> expected = {"allocate 0 400", "allocate 1 600", "release 0",
                                             "allocate 2 300", "release 1",      "release 2"};
  EXPECT_EQ(lines, expected);
  EXPECT_EQ(statistics->stats().allocations, 3u);
  EXPECT_EQ(statistics->stats().releases, 3u);
  EXPECT_EQ(statistics->stats().peak_bytes, 1000u);
  EXPECT_EQ(statistics->stats().bytes_in_use, 0u);
  EXPECT_THROW(LimitResource(nullptr, 1), Error);
}

}  // namespace
}  // namespace tritonrt
