// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Texts of one kernel in a bundle that differ in what they promise of its arguments, where no
// compiler is: a bound launch follows its arguments from one to another.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/device_test.h"
#include "tests/unit/temp_folder.h"

namespace tritonrt {
namespace {

class PromisesTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!device_) return;
    for (int i = 0; i < kSize; ++i) input_.push_back(static_cast<float>(i));
  }

  // out[i] = x[i] + 1 for i < n, as Triton would write it for these promises.
  static std::string text(bool pointers, bool number) {
    const std::string promise = " {tt.divisibility = 16 : i32}";
    const std::string of_pointers = pointers ? promise : "";
    return "module {\n  tt.func public @k(%x: !tt.ptr<f32>" + of_pointers + ", %out: !tt.ptr<f32>" +
           of_pointers + ", %n: i32" + (number ? promise : "") + R"() {
    %one = arith.constant dense<1.0> : tensor<128xf32>
    %at = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %end = tt.splat %n : i32 -> tensor<128xi32>
    %live = arith.cmpi slt, %at, %end : tensor<128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %from = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %value = tt.load %from, %live : tensor<128x!tt.ptr<f32>>
    %sum = arith.addf %value, %one : tensor<128xf32>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %to = tt.addptr %outs, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %to, %sum, %live : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
)";
  }

  // A bundle of texts, opened where no compiler is.
  Bundle bundle(const std::vector<std::string>& texts) {
    BundleBuilder builder;
    const BundleTarget target{"here", device_.target(), device_};
    for (const std::string& text : texts) {
      BundleSource source;
      source.text = text;
      builder.add(source, {&target, 1});
    }
    const std::string path = temp_.write("k.trtb", builder.bytes()).string();
    CacheOptions options;
    options.directory = temp_.path() / "cache";
    options.compiler_library = temp_.path() / "absent.so";
    set_cache_options(options);
    return Bundle::open(path);
  }
  ~PromisesTest() override { set_cache_options({}); }

  static constexpr int kSize = 160;
  static constexpr int kBytes = kSize * 4;
  TempFolder temp_;
  std::vector<float> input_;
};
INSTANTIATE_TEST_SUITE_P(Devices, PromisesTest, every_device(), name_of);

TEST_P(PromisesTest, ABoundLaunchFollowsItsArguments) {
  const std::vector<std::string> all = {text(true, true), text(true, false), text(false, false)};
  // With each of the texts as the only one, and with all of them.
  for (const auto& texts : {all, {all[0]}, {all[1]}, {all[2]}}) {
    const Bundle opened = bundle(texts);
    const Kernel kernel = opened.kernel("k");
    Stream stream(device_);
    Buffer x(device_, kBytes);
    Buffer apart(device_, kBytes);
    BoundKernel bound = kernel.bind(device_, x, apart, 64);
    // Elements by which pointers are moved, and n: every promise is kept, broken and kept again.
    struct {
      int from, to, n;
      bool in_place;
    } const cases[] = {{0, 0, 64, false},  {0, 0, 75, false}, {1, 0, 75, false},
                       {1, 3, 128, false}, {4, 8, 48, false}, {0, 0, 3, true},
                       {0, 0, 96, true},   {8, 4, 80, true},  {0, 0, 64, false}};
    for (const auto& c : cases) {
      x.copy_from_host(input_.data(), kBytes);
      apart.copy_from_host(input_.data(), kBytes);
      const Buffer& out = c.in_place ? x : apart;
      bound.set_arg(0, Arg(x, 4 * c.from));
      bound.set_arg(1, Arg(out, 4 * c.to));
      bound.set_arg(2, c.n);
      bound.launch(stream, {1});
      stream.synchronize();
      std::vector<float> expected = input_;
      std::vector<float> got(kSize);
      for (int i = 0; i < c.n; ++i) expected[c.to + i] = input_[c.from + i] + 1;
      out.copy_to_host(got.data(), kBytes);
      ASSERT_EQ(got, expected) << texts.size() << " texts, " << c.from << " " << c.to << " " << c.n;
    }
    EXPECT_EQ(cache_stats().compiles, 0u);
    set_cache_options({});
  }
}

}  // namespace
}  // namespace tritonrt
