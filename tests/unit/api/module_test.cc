// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is mapped when: the library alone holds neither a compiler nor a driver.

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

// The libraries that a shared object asks for.
std::vector<std::string> needed(void* address) {
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return {};
  const char* strings = nullptr;
  for (const ElfW(Dyn)* d = map->l_ld; d->d_tag != DT_NULL; ++d)
    if (d->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(d->d_un.d_ptr);
  std::vector<std::string> names;
  for (const ElfW(Dyn)* d = map->l_ld; d->d_tag != DT_NULL; ++d)
    if (d->d_tag == DT_NEEDED) names.emplace_back(strings + d->d_un.d_val);
  return names;
}

// Runs the check in a child process, whose address space has loaded nothing yet that it does not
// need; true where it returns true.
bool in_child(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) {
    bool good = false;
    try {
      good = check();
    } catch (const std::exception&) {
      good = false;
    }
    _exit(good ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

class ModuleTest : public ApiTest {};

TEST_F(ModuleTest, TheLibraryAsksForNoCompilerAndNoDriver) {
  const std::vector<std::string> names =
      needed(reinterpret_cast<void*>(static_cast<CacheStats (*)()>(&cache_stats)));
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    EXPECT_EQ(name.find("LLVM"), std::string::npos) << name;
    EXPECT_EQ(name.find("MLIR"), std::string::npos) << name;
    EXPECT_EQ(name.find("OpenCL"), std::string::npos) << name;
  }
}

TEST_F(ModuleTest, AWarmProcessNeverOpensTheCompiler) {
  const std::string before = maps();
  if (before.find("fake-compiler") != std::string::npos ||
      before.find("libOpenCL") != std::string::npos)
    GTEST_SKIP() << "earlier tests of this process have loaded what this one looks for";
  ASSERT_TRUE(in_child([&] {
    fresh_process();
    return kernel("store").prepare(Device::open("cpu")).compiled &&
           maps().find("fake-compiler") != std::string::npos;
  }));
  EXPECT_TRUE(in_child([&] {
    fresh_process();
    Device device = Device::open("cpu");
    Stream stream(device);
    Buffer out(device, 64);
    const Kernel store = kernel("store");
    store.launch(stream, {4}, out, 1, 2, 3);
    return out.host_data_as<int>()[3] == 9 && store.signature().size() == 4 &&
           maps().find("fake-compiler") == std::string::npos &&
           maps().find("libLLVM") == std::string::npos &&
           maps().find("libOpenCL") == std::string::npos;
  }));
}

TEST_F(ModuleTest, AChildOfForkOpensTheDeviceAgain) {
  // Threads are running here, and do not in the child.
  Stream stream(cpu_);
  Buffer out(cpu_, 65536);
  const Kernel store = kernel("store");
  store.launch(stream, {16384}, out, 1, 2, 3);
  stream.synchronize();
  EXPECT_TRUE(in_child([&] {
    bool refused = false;
    try {
      store.launch(stream, {16384}, out, 1, 2, 3);
    } catch (const Error& error) {
      refused = error.message().find("fork") != std::string::npos;
    }
    Device device = Device::open("cpu");
    Stream fresh(device);
    Buffer buffer(device, 65536);
    store.launch(fresh, {16384}, buffer, 1, 2, 3);
    fresh.synchronize();
    return refused && buffer.host_data_as<int>()[16383] == 6 + 16383;
  }));
}

TEST_F(ModuleTest, ProcessesThatRaceCompileOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    int status = 2;
    try {
      fresh_process();
      status = kernel("slow").prepare(Device::open("cpu")).compiled ? 1 : 0;
    } catch (const std::exception&) {
      status = 2;
    }
    _exit(status);
  }
  int compiled = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_LT(WEXITSTATUS(status), 2);
    compiled += WEXITSTATUS(status);
  }
  EXPECT_EQ(compiled, 1);
}

TEST_F(ModuleTest, ACompilerOfAnotherBuildIsRefused) {
  const std::string copy = folder_ + "/libother.so";
  ASSERT_EQ(std::system(("cp " + fake_compiler() + " " + copy).c_str()), 0);
  std::ofstream(folder_ + "/libother.build-id") << "another\n";
  CacheOptions options;
  options.directory = folder_;
  options.compiler_library = copy;
  set_cache_options(options);
  EXPECT_NE(error_of([&] { kernel("add").prepare(cpu_); }).message().find("build id 'fake-1'"),
            std::string::npos);
}

}  // namespace
}  // namespace tritonrt
