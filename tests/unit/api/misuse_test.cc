// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Wrong calls of every part of the interface: each is an error that says what was wrong, and none
// changes anything.

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/unit/api/c_api.h"
#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

struct Wrong {
  const char* call;
  std::function<void()> run;
  ErrorCode code;
  const char* says;
};

void expect_refused(const std::vector<Wrong>& calls) {
  for (const Wrong& wrong : calls) {
    SCOPED_TRACE(wrong.call);
    const Error error = error_of(wrong.run);
    EXPECT_EQ(error.code(), wrong.code) << error.message();
    EXPECT_NE(error.message().find(wrong.says), std::string::npos) << error.message();
  }
}

constexpr ErrorCode kInvalid = ErrorCode::kInvalidArgument;
constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

class MisuseTest : public OnDevice {};

TEST_P(MisuseTest, EmptyHandles) {
  Stream stream(device_), none;
  Buffer buffer(device_, 64), gone;
  const Kernel store = kernel("store");
  BoundKernel bound = store.bind(device_, buffer, 1, 2, 3);
  char host[64] = {};
  expect_refused({
      {"Stream(Device)", [] { Stream made{Device()}; }, kInvalid, "device handle is empty"},
      {"Buffer(Device)", [] { Buffer made(Device(), 4); }, kInvalid, "device handle is empty"},
      {"Graph(Device)", [] { Graph made{Device()}; }, kInvalid, "device handle is empty"},
      {"info", [] { Device().info(); }, kInvalid, "device handle is empty"},
      {"shutdown", [] { Device().shutdown(); }, kInvalid, "device handle is empty"},
      {"synchronize", [&] { none.synchronize(); }, kInvalid, "stream handle is empty"},
      {"record", [&] { none.record(); }, kInvalid, "stream handle is empty"},
      {"call", [&] { none.call([] {}); }, kInvalid, "stream handle is empty"},
      {"call(nothing)", [&] { stream.call({}); }, kInvalid, "function is empty"},
      {"wait", [&] { none.wait(Event()); }, kInvalid, "stream handle is empty"},
      {"size", [&] { gone.size(); }, kInvalid, "buffer handle is empty"},
      {"slice", [&] { gone.slice(0, 0); }, kInvalid, "buffer handle is empty"},
      {"copy of none", [&] { buffer.copy_from(stream, gone, 4); }, kInvalid, "buffer handle is"},
      {"copy to none", [&] { gone.copy_from(stream, buffer, 4); }, kInvalid, "buffer handle is"},
      {"copy on none", [&] { buffer.copy_to_host(none, host, 4); }, kInvalid, "stream handle is"},
      {"mirror", [&] { HostMirror mirror(gone); }, kInvalid, "buffer handle is empty"},
      {"launch on none", [&] { store.launch(none, {1}, buffer, 1, 2, 3); }, kInvalid, "stream"},
      {"launch of none", [&] { Kernel().launch(stream, {1}); }, kInvalid, "kernel handle is empty"},
      {"name", [] { Kernel().name(); }, kInvalid, "kernel handle is empty"},
      {"signature", [] { Kernel().signature(); }, kInvalid, "kernel handle is empty"},
      {"prepare", [&] { store.prepare(Device()); }, kInvalid, "device handle is empty"},
      {"freeze", [] { Kernel().freeze(); }, kInvalid, "kernel handle is empty"},
      {"bind", [&] { store.bind(Device(), buffer, 1, 2, 3); }, kInvalid, "device handle is empty"},
      {"bound", [&] { BoundKernel().launch(stream, {1}); }, kInvalid, "bound kernel"},
      {"bound set_arg", [] { BoundKernel().set_arg(0, 1); }, kInvalid, "bound kernel"},
      {"bound on none", [&] { bound.launch(none, {1}); }, kInvalid, "stream handle is empty"},
      {"graph", [&] { Graph().replay(stream); }, kInvalid, "graph"},
      {"graph size", [] { Graph().size(); }, kInvalid, "graph"},
      {"graph on none", [&] { Graph(device_).replay(none); }, kInvalid, "stream handle is empty"},
      {"elapsed", [&] { stream.record().elapsed_ms(Event()); }, kInvalid, "two recorded events"},
  });
}

TEST_P(MisuseTest, RangesAndPointers) {
  Stream stream(device_);
  Buffer buffer(device_, 64), other(device_, 32);
  std::vector<char> host(64);
  const auto refused = [](std::function<void()> run) {
    return Wrong{"", std::move(run), kInvalid, "lie outside a buffer of"};
  };
  expect_refused({
      refused([&] { buffer.slice(65, 0); }),
      refused([&] { buffer.slice(60, 5); }),
      refused([&] { buffer.slice(8, kMost); }),
      refused([&] { buffer.copy_from_host(host.data(), 65); }),
      refused([&] { buffer.copy_from_host(host.data(), 8, kMost - 3); }),
      refused([&] { buffer.copy_to_host(stream, host.data(), 1, 64); }),
      refused([&] { buffer.copy_from(stream, other, 33); }),
      refused([&] { other.copy_from(stream, buffer, 33); }),
      refused([&] { buffer.copy_from(stream, other, 8, 0, kMost); }),
      refused([&] { buffer.fill(stream, "abcd", 4, 68); }),
      {"null source", [&] { buffer.copy_from_host(nullptr, 4); }, kInvalid, "pointer is null"},
      {"null target", [&] { buffer.copy_to_host(nullptr, 4); }, kInvalid, "pointer is null"},
      {"null pattern", [&] { buffer.fill(nullptr, 4, 8); }, kInvalid, "pointer is null"},
      {"pattern of 3", [&] { buffer.fill("abc", 3, 6); }, kInvalid, "a fill pattern has"},
      {"pattern of 0", [&] { buffer.fill("abc", 0, 6); }, kInvalid, "a fill pattern has"},
      {"odd offset", [&] { buffer.fill("abcd", 4, 8, 2); }, kInvalid, "a fill pattern has"},
      {"from null", [&] { Buffer::from_host(device_, nullptr, 4); }, kInvalid, "pointer is null"},
      {"too large", [&] { Buffer made(device_, kMost); }, ErrorCode::kOutOfMemory, "bytes"},
      {"negative", [&] { Buffer made(device_, kMost - 4096); }, ErrorCode::kOutOfMemory, "bytes"},
  });
  buffer.copy_from_host(nullptr, 0);
  buffer.slice(64, 0);
}

TEST_P(MisuseTest, CopiesOntoThemselves) {
  Stream stream(device_);
  Buffer buffer(device_, 64);
  Buffer tail = buffer.slice(16, 48);
  const char* const says = "overlap";
  expect_refused({
      {"the same bytes", [&] { buffer.copy_from(stream, buffer, 64); }, kInvalid, says},
      {"one byte", [&] { buffer.copy_from(stream, buffer, 17, 0, 16); }, kInvalid, says},
      {"a slice", [&] { tail.copy_from(stream, buffer, 32, 0, 0); }, kInvalid, says},
      {"into its whole", [&] { buffer.copy_from(stream, tail, 32, 0, 8); }, kInvalid, says},
  });
  buffer.copy_from(stream, buffer, 16, 0, 16);
  tail.copy_from(stream, buffer, 16, 0, 0);
  stream.synchronize();
}

TEST_P(MisuseTest, AfterShutdown) {
  Device device = device_;
  Stream stream(device);
  Buffer buffer(device, 64);
  const Kernel store = kernel("store");
  BoundKernel bound = store.bind(device, buffer, 1, 2, 3);
  Graph graph(device);
  graph.launch(store, {1}, buffer, 1, 2, 3);
  device.shutdown();
  device.shutdown();
  const char* const says = "has been shut down";
  expect_refused({
      {"stream", [&] { Stream made(device); }, kInvalid, says},
      {"buffer", [&] { Buffer made(device, 4); }, kInvalid, says},
      {"launch", [&] { store.launch(stream, {1}, buffer, 1, 2, 3); }, kInvalid, says},
      {"bound", [&] { bound.launch(stream, {1}); }, kInvalid, says},
      {"graph", [&] { graph.replay(stream); }, kInvalid, says},
      {"bind", [&] { store.bind(device, buffer, 1, 2, 3); }, kInvalid, says},
  });
  stream.synchronize();
  // Opened again it works.
  Device again = Device::open(GetParam());
  EXPECT_NE(again, device);
  Stream fresh(again);
  Buffer out(again, 64);
  store.launch(fresh, {1}, out, 1, 2, 3);
  fresh.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, MisuseTest, ::testing::Values("cpu", "opencl"),
                         [](const auto& info) { return std::string(info.param); });

using CMisuseTest = ApiTest;

TEST_F(CMisuseTest, NullIsNamedEverywhere) {
  const char* failure = c_api_null();
  EXPECT_STREQ(failure, nullptr);
}

}  // namespace
}  // namespace tritonrt
