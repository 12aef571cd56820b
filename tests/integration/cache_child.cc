// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One of many processes that want the same kernels at once. Arguments: the compiler's library, the
// number of threads, the number of kernels. Every thread runs every kernel and checks what it
// stores. Prints how many this process compiled, and on standard error what the library logs.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tritonrt/tritonrt.h"

namespace {

void run(const tritonrt::Device& device, int kernel) {
  // The comment makes it another text of the same program.
  const std::string text = "kernel store\n# " + std::to_string(kernel) + "\n";
  tritonrt::CompileOptions options;
  options.extra["number"] = std::to_string(kernel);
  const tritonrt::Kernel store = tritonrt::Kernel::from_source(text, options);
  std::int32_t value = 0;
  tritonrt::Stream stream(device);
  const tritonrt::Buffer out = tritonrt::Buffer::from_host(device, &value, sizeof(value));
  store.launch(stream, 1, out, std::int32_t{1}, std::int32_t{2}, std::int32_t{kernel});
  stream.synchronize();
  out.copy_to_host(&value, sizeof(value));
  if (value != 3 + kernel) throw std::runtime_error("wrong result " + std::to_string(value));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  tritonrt::set_log_handler(
      [](const std::string& message) { std::fprintf(stderr, "warning: %s\n", message.c_str()); });
  tritonrt::CacheOptions cache;
  cache.compiler_library = argv[1];
  tritonrt::set_cache_options(cache);
  const tritonrt::Device device = tritonrt::Device::open("cpu");
  const int kernels = std::atoi(argv[3]);
  std::vector<std::thread> threads;
  for (int t = 0; t < std::atoi(argv[2]); ++t)
    threads.emplace_back([&] {
      try {
        for (int kernel = 0; kernel < kernels; ++kernel) run(device, kernel);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        std::_Exit(1);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::printf("%llu\n", static_cast<unsigned long long>(tritonrt::cache_stats().compiles));
  return 0;
}
