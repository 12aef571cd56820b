// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What docs/backends.md says of specialisation, level by level: two backends that specialise the
// same places stand beside the main one in this process. Each test is a process of its own.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tritonrt/tritonrt.h"

namespace tritonrt {
namespace {

namespace fs = std::filesystem;

constexpr int kCount = 64;

// A kernel that stores what `body` makes of %v as %r.
std::string text_of(const std::string& body, const std::string& result = "f32") {
  std::string text = R"(module {
  tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<T>) {
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %xp : tensor<64x!tt.ptr<f32>>
    %r = BODY
    %os = tt.splat %out : !tt.ptr<T> -> tensor<64x!tt.ptr<T>>
    %op = tt.addptr %os, %i : tensor<64x!tt.ptr<T>>, tensor<64xi32>
    tt.store %op, %r : tensor<64x!tt.ptr<T>>
    tt.return
  }
}
)";
  for (std::size_t at; (at = text.find("<T>")) != std::string::npos;)
    text.replace(at, 3, "<" + result + ">");
  return text.replace(text.find("BODY"), 4, body);
}

const std::string kScale = text_of("chip.scale %v, <3> : tensor<64xf32>");
const std::string kFloor = text_of("math.floor %v : tensor<64xf32>");
const std::string kTwice = text_of("dsa.twice %v : tensor<64xf32>");
const std::string kNarrow = text_of("arith.truncf %v : tensor<64xf32> to tensor<64xbf16>", "bf16");

// "" is the device's own backend.
Kernel kernel(const std::string& text, const std::string& backend) {
  CompileOptions options;
  if (!backend.empty()) options.extra["target.backend"] = backend;
  return Kernel::from_source(text, options);
}

std::vector<float> inputs() {
  std::vector<float> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = static_cast<float>(i) * 0.7f - 20.3f;
  return values;
}

template <typename T>
std::vector<T> run(const std::string& text, const std::string& backend) {
  const Device device = Device::open("cpu");
  Stream stream(device);
  const std::vector<float> in = inputs();
  std::vector<T> out(kCount);
  Buffer x = Buffer::from_host(device, in.data(), sizeof(float) * kCount);
  Buffer y(device, sizeof(T) * kCount);
  kernel(text, backend).launch(stream, Grid(1), x, y);
  stream.synchronize();
  y.copy_to_host(out.data(), sizeof(T) * kCount);
  return out;
}

template <typename Expected>
void expect(const std::string& text, const std::string& backend, Expected expected) {
  const std::vector<float> in = inputs(), got = run<float>(text, backend);
  for (int i = 0; i < kCount; ++i) EXPECT_EQ(got[i], expected(in[i])) << backend << " " << i;
}

std::string stage(const std::string& text, const std::string& backend, const std::string& name) {
  return kernel(text, backend).stage(Device::open("cpu"), name);
}

std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
}

class Backends : public ::testing::Test {
 protected:
  void SetUp() override { add_backend_folder(BACKENDS); }
};

TEST_F(Backends, OpsAndAttributesOfOneNameMeanWhatEachSays) {
  for (int round = 0; round < 2; ++round) {
    expect(kScale, "left", [](float x) { return x * 3; });
    expect(kScale, "right", [](float x) { return x + 3; });
  }
}

TEST_F(Backends, OthersDoNotKnowThem) {
  try {
    run<float>(kScale, "");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("'chip.scale' is not supported"), std::string::npos)
        << error.message();
  }
}

TEST_F(Backends, AMainDialectIsReplacedForOneTarget) {
  expect(kTwice, "left", [](float x) { return x + x; });
  EXPECT_THROW(run<float>(kTwice, "right"), Error);
  EXPECT_THROW(run<float>(kTwice, ""), Error);
}

TEST_F(Backends, ALoweringIsReplaced) {
  expect(kFloor, "left", [](float x) { return std::ceil(x); });
  expect(kFloor, "right", [](float x) { return std::trunc(x); });
  expect(kFloor, "", [](float x) { return std::floor(x); });
}

TEST_F(Backends, FunctionsOfTheMainCodeAreReplacedAndExtended) {
  const std::vector<float> in = inputs();
  const auto left = run<std::uint16_t>(kNarrow, "left");
  const auto right = run<std::uint16_t>(kNarrow, "right");
  const auto main = run<std::uint16_t>(kNarrow, "");
  for (int i = 0; i < kCount; ++i) {
    const std::uint32_t bits = bits_of(in[i]);
    EXPECT_EQ(left[i], bits >> 16);
    EXPECT_EQ(right[i], (bits + 0x8000) >> 16);
    EXPECT_EQ(main[i], (bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
  }
}

TEST_F(Backends, TheTargetDescriptionIsTheBackends) {
  EXPECT_NE(stage(kFloor, "left", "llvm").find("<2 x float>"), std::string::npos);
  EXPECT_NE(stage(kFloor, "right", "llvm").find("<4 x float>"), std::string::npos);
  EXPECT_EQ(stage(kFloor, "right", "llvm").find("<2 x float>"), std::string::npos);
}

TEST_F(Backends, TheToolchainIsTheBackends) {
  for (const std::string backend : {"left", "right"})
    EXPECT_NE(stage(kFloor, backend, "llvm").find("!made.by." + backend), std::string::npos);
}

TEST_F(Backends, BundlesHoldWhatTheyFinishedAndWhoTheyAre) {
  for (const std::string backend : {"left", "right"}) {
    const Device device = Device::open("cpu");
    BundleSource source;
    source.text = kFloor;
    source.options.extra["target.backend"] = backend;
    BundleBuilder builder;
    const BundleTarget target{device.info().name, device.target(), device};
    builder.add(source, {&target, 1});
    const std::string bytes = builder.bytes();
    EXPECT_NE(bytes.find("signed by " + backend), std::string::npos);
    const std::string identity = backend == "left" ? "backend=left 1.0\n" : "backend=right 2.5\n";
    EXPECT_NE(bytes.find(identity), std::string::npos);
  }
}

TEST_F(Backends, AreListed) {
  std::string all;
  for (const BackendInfo& info : list_backends())
    all += info.name + " " + info.version + " " + info.part + info.problem + "\n";
  EXPECT_NE(all.find("left 1.0 compiler\n"), std::string::npos) << all;
  EXPECT_NE(all.find("right 2.5 compiler\n"), std::string::npos) << all;
}

// A folder with a copy of the left backend whose stamp says something else.
class Copies : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tritonrt-backends-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    CacheOptions options;
    options.directory = (folder_ / "cache").string();
    set_cache_options(options);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void copy_with_other(const std::string& key) const {
    std::ifstream file(BACKENDS "/left-compiler.so", std::ios::binary);
    std::stringstream content;
    content << file.rdbuf();
    std::string bytes = content.str();
    const std::size_t stamp = bytes.find("kind=compiler\nname=left\n");
    ASSERT_NE(stamp, std::string::npos);
    const std::size_t value = bytes.find(key + "=", stamp) + key.size() + 1;
    bytes[value] = bytes[value] == '0' ? '1' : '0';
    std::ofstream(folder_ / "left-compiler.so", std::ios::binary) << bytes;
  }

  fs::path folder_;
};

TEST_F(Copies, OneOfAnotherVersionIsRefusedBeforeItsCodeRuns) {
  copy_with_other("interface");
  const std::string ran = folder_ / "ran";
  setenv("TRITONRT_TEST_LEFT_RAN", ran.c_str(), 1);
  add_backend_folder(folder_.string());
  try {
    run<float>(kFloor, "left");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_NE(error.message().find("the backend 'left' (1.0) in '"), std::string::npos);
    EXPECT_NE(error.message().find("was built for another version of tritonrt"), std::string::npos)
        << error.message();
  }
  EXPECT_FALSE(fs::exists(ran));
  // Kernels of other targets do not mind.
  expect(kFloor, "", [](float x) { return std::floor(x); });
}

TEST_F(Copies, ABuildOfItsOwnHasEntriesOfItsOwnInTheCache) {
  const auto compiles = [](const std::string& backend) {
    const std::uint64_t before = cache_stats().compiles;
    run<float>(kFloor, backend);
    return cache_stats().compiles - before;
  };
  add_backend_folder(BACKENDS);
  EXPECT_EQ(compiles("left"), 1u);
  EXPECT_EQ(compiles("left"), 0u);
  EXPECT_EQ(compiles(""), 1u);
  // Another build of it, in front of this one.
  copy_with_other("build");
  setenv("TRITONRT_BACKEND_PATH", folder_.c_str(), 1);
  add_backend_folder(BACKENDS);
  EXPECT_EQ(compiles("left"), 1u);
  EXPECT_EQ(compiles(""), 0u);
}

}  // namespace
}  // namespace tritonrt
