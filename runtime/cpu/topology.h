// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_TOPOLOGY_H_
#define TRITONRT_RUNTIME_CPU_TOPOLOGY_H_

namespace tritonrt::runtime {

// Processors that this thread's affinity and the control group's quota allow; at least 1.
unsigned allowed_processors();

// Threads to use by default: OMP_NUM_THREADS where it is set, else the allowed processors with
// one counted for each physical core.
unsigned default_threads();

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_TOPOLOGY_H_
