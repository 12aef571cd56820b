// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/topology.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace tritonrt::runtime {
namespace {

// Numbers of the processors in this thread's affinity mask.
std::vector<int> affinity() {
  std::vector<int> cpus;
  // The kernel may know more processors than cpu_set_t holds.
  for (int limit = CPU_SETSIZE; limit <= 1 << 20; limit *= 4) {
    cpu_set_t* set = CPU_ALLOC(limit);
    if (set == nullptr) break;
    const std::size_t size = CPU_ALLOC_SIZE(limit);
    if (sched_getaffinity(0, size, set) == 0) {
      for (int cpu = 0; cpu < limit; ++cpu)
        if (CPU_ISSET_S(cpu, size, set)) cpus.push_back(cpu);
      CPU_FREE(set);
      break;
    }
    CPU_FREE(set);
  }
  if (cpus.empty())
    for (long cpu = 0; cpu < std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)); ++cpu)
      cpus.push_back(static_cast<int>(cpu));
  return cpus;
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The number that a file begins with, or 0.
double number_in(const std::string& path) { return std::strtod(first_line(path).c_str(), nullptr); }

// Processors' worth of time that one control group grants, or infinity.
double quota_at(const std::string& folder) {
  const std::string line = first_line(folder + "/cpu.max");
  char* rest = nullptr;
  const double quota = std::strtod(line.c_str(), &rest);
  if (rest == line.c_str()) return std::numeric_limits<double>::infinity();  // "max", or no file
  const double period = std::strtod(rest, nullptr);
  return period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

unsigned limited(std::size_t count) {
  const double quota = std::ceil(control_group_quota());
  if (quota < static_cast<double>(count)) count = static_cast<std::size_t>(quota);
  return static_cast<unsigned>(std::max<std::size_t>(1, count));
}

}  // namespace

double control_group_quota(const std::string& membership, const std::string& root) {
  double quota = std::numeric_limits<double>::infinity();
  std::ifstream file(membership);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("0::")) continue;
    std::string path = line.substr(3);
    for (;;) {
      quota = std::min(quota, quota_at(root + path));
      const std::size_t slash = path.rfind('/');
      if (path.empty() || slash == std::string::npos) break;
      path.resize(slash);
    }
  }
  const double v1_quota = number_in(root + "/cpu/cpu.cfs_quota_us");
  const double v1_period = number_in(root + "/cpu/cpu.cfs_period_us");
  if (v1_quota > 0 && v1_period > 0) quota = std::min(quota, v1_quota / v1_period);
  return quota;
}

unsigned allowed_processors() { return limited(affinity().size()); }

unsigned default_threads() {
  if (const char* text = std::getenv("OMP_NUM_THREADS")) {
    char* rest = nullptr;
    const long count = std::strtol(text, &rest, 10);
    // A list gives the threads of each nesting level; the first is meant here.
    if (rest != text && count >= 1 && count <= 4096) return static_cast<unsigned>(count);
  }
  std::set<std::string> cores;
  for (const int cpu : affinity()) {
    const std::string siblings = first_line("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                            "/topology/thread_siblings_list");
    cores.insert(siblings.empty() ? std::to_string(cpu) : siblings);
  }
  return limited(cores.size());
}

}  // namespace tritonrt::runtime
