// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_EXTERNAL_EXECUTOR_H_
#define TRITONRT_RUNTIME_CPU_EXTERNAL_EXECUTOR_H_

#include <memory>

#include "runtime/cpu/executor.h"
#include "tritonrt/executor.h"

namespace tritonrt::runtime {

// Jobs on an application's threads.
class ExternalExecutor final : public runtime::Executor {
 public:
  ExternalExecutor(std::shared_ptr<tritonrt::Executor> threads, unsigned limit);

  unsigned concurrency() const override;
  void submit(ParallelJob* job) override;
  bool help(const void* owner) override;

 private:
  // Outlives this object where the application still calls.
  struct Jobs;

  const std::shared_ptr<tritonrt::Executor> threads_;
  const unsigned limit_;
  const std::shared_ptr<Jobs> jobs_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_EXTERNAL_EXECUTOR_H_
