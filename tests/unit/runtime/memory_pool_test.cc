// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/memory_pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

TEST(MemoryPool, BlocksAreAlignedLargeEnoughAndLittleWasted) {
  MemoryPool pool(1 << 30);
  for (std::size_t size = 1; size < (1 << 24); size = size * 5 / 4 + 1) {
    const MemoryPool::Block block = pool.allocate(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data) % 64, 0u);
    EXPECT_GE(block.capacity, size);
    EXPECT_LE(block.capacity, size + size / 8 + 64);
    std::memset(block.data, 1, size);
    pool.release(block);
  }
}

TEST(MemoryPool, ReusesWhatIsReleased) {
  MemoryPool pool(1 << 20);
  const MemoryPool::Block first = pool.allocate(1000);
  pool.release(first);
  EXPECT_EQ(pool.kept_bytes(), first.capacity);
  EXPECT_EQ(pool.allocate(1001).data, first.data);
  EXPECT_EQ(pool.kept_bytes(), 0u);
  pool.release(first);
  pool.trim();
  EXPECT_EQ(pool.kept_bytes(), 0u);
}

TEST(MemoryPool, KeepsNoMoreThanItsLimit) {
  MemoryPool pool(1024);
  pool.release(pool.allocate(4096));
  EXPECT_EQ(pool.kept_bytes(), 0u);
}

TEST(MemoryPool, AnImpossibleSizeIsAnError) {
  MemoryPool pool(1024);
  try {
    pool.allocate(~std::size_t{0});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  }
}

}  // namespace
}  // namespace tritonrt::runtime
