// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_TOPOLOGY_H_
#define TRITONRT_RUNTIME_CPU_TOPOLOGY_H_

#include <string>

namespace tritonrt::runtime {

// Processors that this thread's affinity and the control group's quota allow; at least 1.
unsigned allowed_processors();

// Processors' worth of time that control groups grant, or infinity: the least over the group that
// `membership` (as /proc/self/cgroup) tells and those around it. `root` is where they are mounted.
double control_group_quota(const std::string& membership = "/proc/self/cgroup",
                           const std::string& root = "/sys/fs/cgroup");

// Threads to use by default: OMP_NUM_THREADS where it is set, else the allowed processors with
// one counted for each physical core.
unsigned default_threads();

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_TOPOLOGY_H_
