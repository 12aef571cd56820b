// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// exit_program DEVICE WAY: ends in one of the ways that processes end in, with handles that static
// destructors drop and work that has not run. It must come to its end by itself, with 0.

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>

#include "tests/unit/api/fixture.h"

namespace {

using namespace tritonrt;

// Made before anything of the library, so they go after what it makes.
std::optional<Buffer> early_buffer;
std::optional<Stream> early_stream;
std::optional<BoundKernel> early_bound;

int run(const std::string& name, const std::string& way) {
  TempFolder folder;
  CacheOptions cache;
  cache.directory = folder.path().string();
  cache.compiler_library = fake_compiler();
  set_cache_options(cache);
  static Device device = Device::open(name);
  static Stream stream(device);
  static Buffer buffer(device, 16384 * 4);
  static const Kernel store = Kernel::from_source("kernel store\n");
  early_buffer = buffer;
  early_stream.emplace(device);
  early_bound.emplace(store.bind(device, buffer, 1, 2, 3));
  for (int i = 0; i < 50; ++i) {
    early_bound->launch(stream, {16384});
    store.launch(*early_stream, {16384}, buffer, 1, 2, i);
  }
  stream.call([] {});
  if (way == "return") return 0;
  if (way == "exit") std::exit(0);
  if (way == "quick") std::quick_exit(0);
  if (way == "shutdown") return device.shutdown(), 0;
  if (way == "thread") {
    // The process ends while another thread still launches.
    std::thread([] {
      try {
        for (;;) store.launch(stream, {64}, buffer, 1, 2, 3);
      } catch (const Error&) {
      }
    }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::quick_exit(0);
  }
  if (way == "waiting") {
    // A kernel that nobody will ever let go on.
    static Buffer flag(device, 64);
    flag.fill("\0", 1, 64);
    Kernel::from_source("kernel wait\n").launch(stream, {1}, flag, buffer);
    std::exit(0);
  }
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    return run(argv[1], argv[2]);
  } catch (const Error& error) {
    return error.code() == ErrorCode::kNotFound ? 77 : 1;
  }
}
