// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstring>
#include <vector>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class ArgsTest : public ApiTest {
 protected:
  // The message of a launch of "add" with these arguments.
  template <typename... Args>
  std::string add_error(const Args&... args) {
    Stream stream(cpu_);
    return error_of([&] { kernel("add").launch(stream, {1}, args...); }).message();
  }
  Buffer buffer_{cpu_, 1024};
};

TEST_F(ArgsTest, CountIsChecked) {
  EXPECT_EQ(add_error(buffer_, buffer_, buffer_), "kernel 'add' takes 4 arguments, got 3");
  EXPECT_EQ(add_error(buffer_, buffer_, buffer_, 1, 2), "kernel 'add' takes 4 arguments, got 5");
  EXPECT_EQ(add_error(), "kernel 'add' takes 4 arguments, got 0");
}

TEST_F(ArgsTest, TypesAreCheckedAndNamed) {
  EXPECT_EQ(add_error(buffer_, buffer_, buffer_, 1.0f),
            "kernel 'add': argument 3 (n): expected i32, got f32");
  EXPECT_EQ(add_error(buffer_, buffer_, buffer_, std::int64_t{1}),
            "kernel 'add': argument 3 (n): expected i32, got i64");
  EXPECT_EQ(add_error(buffer_, 7, buffer_, 1),
            "kernel 'add': argument 1 (y): expected ptr:f32, got i32");
  EXPECT_EQ(add_error(buffer_, buffer_, buffer_, buffer_),
            "kernel 'add': argument 3 (n): expected i32, got a pointer");
  EXPECT_EQ(add_error(Arg(buffer_, 0, DType::kF16), buffer_, buffer_, 1),
            "kernel 'add': argument 0 (x): expected ptr:f32, got ptr:f16");
  EXPECT_EQ(add_error(Arg(buffer_, 1025), buffer_, buffer_, 1),
            "kernel 'add': argument 0 (x): the offset of 1025 bytes lies beyond a buffer of 1024");
  EXPECT_EQ(add_error(buffer_, buffer_, buffer_, nullptr),
            "kernel 'add': argument 3 (n): expected i32, got a null pointer");
  EXPECT_EQ(add_error(Buffer(), buffer_, buffer_, 1),
            "kernel 'add': argument 0 (x): the buffer handle is empty");
}

TEST_F(ArgsTest, GridIsChecked) {
  Stream stream(cpu_);
  const Kernel store = kernel("store");
  const auto run = [&](const Grid& grid) {
    return error_of([&] { store.launch(stream, grid, buffer_, 1, 2, 3); }).message();
  };
  EXPECT_EQ(run({0}), "kernel 'store': the grid 0 x 1 x 1 is not within 1 to 2147483647 programs");
  EXPECT_NE(run({1, 1, 0}).find("1 x 1 x 0"), std::string::npos);
  EXPECT_NE(run({65536, 32768}).find("65536 x 32768 x 1"), std::string::npos);
  EXPECT_NE(run({4294967295u, 4294967295u, 4294967295u}).find("not within"), std::string::npos);
  BoundKernel bound = store.bind(cpu_, buffer_, 1, 2, 3);
  EXPECT_THROW(bound.launch(stream, {0}), Error);
}

TEST_F(ArgsTest, EveryScalarTypeArrivesInItsSlot) {
  Stream stream(cpu_);
  Buffer out(cpu_, 1024);
  std::vector<float> host(16);
  const Kernel slots = kernel("slots");
  slots.launch(stream, {1}, out, true, std::int8_t{-2}, std::int16_t{-3}, -4, std::int64_t{-5},
               0.1f, -2.5f, 0.1f, 0.1, 4000000000u, Arg::host(host.data() + 1, 15));
  stream.synchronize();
  std::uint64_t got[12];
  out.copy_to_host(got, sizeof(got));
  EXPECT_EQ(got[0], reinterpret_cast<std::uintptr_t>(out.host_data()));
  EXPECT_EQ(got[1], 1u);
  EXPECT_EQ(static_cast<std::int64_t>(got[2]), -2);
  EXPECT_EQ(static_cast<std::int64_t>(got[3]), -3);
  EXPECT_EQ(static_cast<std::int64_t>(got[4]), -4);
  EXPECT_EQ(static_cast<std::int64_t>(got[5]), -5);
  EXPECT_EQ(got[6], 0x2e66u);  // 0.1 rounded to a half
  EXPECT_EQ(got[7], 0xc020u);
  EXPECT_EQ(got[8], 0x3dcccccdu);
  EXPECT_EQ(got[9], 0x3fb999999999999au);
  EXPECT_EQ(got[10], 4000000000u);
  EXPECT_EQ(got[11], reinterpret_cast<std::uintptr_t>(host.data() + 1));
}

TEST_F(ArgsTest, SignednessDoesNotMatterAndNullIsAPointer) {
  Stream stream(cpu_);
  Buffer out(cpu_, 1024);
  kernel("slots").launch(stream, {1}, out, false, std::uint8_t{200}, std::uint16_t{60000}, 7u,
                         std::uint64_t{8}, Arg::from_double(DType::kF16, 1.0),
                         Arg::from_bits(DType::kBF16, 0x3f80), 1.0f, 1.0, -1, nullptr);
  std::uint64_t got[12];
  out.copy_to_host(got, sizeof(got));
  EXPECT_EQ(got[1], 0u);
  EXPECT_EQ(got[2] & 0xff, 200u);
  EXPECT_EQ(got[6], 0x3c00u);
  EXPECT_EQ(got[7], 0x3f80u);
  EXPECT_EQ(got[11], 0u);
}

TEST_F(ArgsTest, ADescriptorStandsForItsShapeAndStrides) {
  Stream stream(cpu_);
  Buffer out(cpu_, 1024);
  TensorDescriptor d;
  d.buffer = &out;
  d.offset = 16;
  d.dtype = DType::kF32;
  d.rank = 2;
  d.shape[0] = 3;
  d.shape[1] = 40;
  d.strides[0] = 500;
  d.strides[1] = 1;
  const Kernel desc = kernel("desc");
  // The stand-in adds the three parameters behind the descriptor.
  desc.launch(stream, {1}, d, 6000);
  stream.synchronize();
  EXPECT_EQ(out.host_data_as<std::int32_t>()[4], 3 + 40 + 500);
  // Spelt out, it is the same.
  desc.launch(stream, {1}, Arg(out, 32), 3, 40, std::int64_t{500}, std::int64_t{1}, 6000);
  stream.synchronize();
  EXPECT_EQ(out.host_data_as<std::int32_t>()[8], 3 + 40 + 500);
  d.rank = 1;
  EXPECT_NE(
      error_of([&] { desc.launch(stream, {1}, d, 1); }).message().find("of rank 2, got rank 1"),
      std::string::npos);
}

TEST_F(ArgsTest, BrokenPromisesAndOverlapChooseTheVariant) {
  Stream stream(cpu_);
  const Kernel variant = kernel("variant");
  Buffer out(cpu_, 1024);
  Buffer x(cpu_, 1024);
  const auto run = [&](const Arg& a, const Arg& b, const Arg& n) {
    out.fill("\xff", 1, 1024);
    variant.launch(stream, {1}, a, b, n);
    stream.synchronize();
    // Wherever in the buffer it was written, it is the only small number.
    for (int i = 0; i < 256; ++i)
      if (out.host_data_as<std::int32_t>()[i] != -1) return out.host_data_as<std::int32_t>()[i];
    return -1;
  };
  constexpr int kPlain = 1, kOverlapping = 0, kGeneric = 3, kBoth = 2;
  EXPECT_EQ(run(out, x, 32), kPlain);
  EXPECT_EQ(run(out, x, 33), kGeneric);
  EXPECT_EQ(run(out, x, -16), kPlain);
  EXPECT_EQ(run(out, Arg(x, 4), 32), kGeneric);
  EXPECT_EQ(run(Arg(out, 16), Arg(x, 32), 32), kPlain);
  EXPECT_EQ(run(out, out, 32), kOverlapping);
  EXPECT_EQ(run(out, Arg(out, 512), 32), kOverlapping);
  EXPECT_EQ(run(out, Arg(out, 4), 32), kBoth);
  EXPECT_EQ(run(out, nullptr, 32), kPlain);
  // Two buffers over the same host memory overlap as the memory does.
  Buffer front = Buffer::wrap_host(cpu_, x.host_data(), 512);
  Buffer back = Buffer::wrap_host(cpu_, out.host_data_as<char>() + 512, 512);
  EXPECT_EQ(run(out, front, 32), kPlain);
  EXPECT_EQ(run(out, back, 32), kOverlapping);
  EXPECT_EQ(run(out, Arg::host(x.host_data(), 1024), 32), kPlain);
  EXPECT_EQ(run(out, Arg::host(x.host_data()), 32), kOverlapping);
}

}  // namespace
}  // namespace tritonrt
