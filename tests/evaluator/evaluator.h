// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel as its text says and in the order in which it says it: one program after another,
// op after op, each op on whole tensors. Nothing is fused, reordered or skipped, so what a compiled
// kernel does to memory that its arguments share can be judged against it. Independent of the
// compiler but for the dialect.
#ifndef TRITONRT_TESTS_EVALUATOR_EVALUATOR_H_
#define TRITONRT_TESTS_EVALUATOR_EVALUATOR_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"

namespace tritonrt::evaluator {

struct Launch {
  std::string kernel;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  /// One slot a parameter, as a CPU artifact takes them: addresses of host memory, integers, the
  /// bits of floats, the base address of a descriptor.
  std::vector<uint64_t> args;
  /// Ops to execute before the launch counts as endless.
  int64_t max_steps = 20'000'000;
};

/// Runs all programs. Returns "", or what went wrong; memory is then as it was at that point.
std::string Evaluate(mlir::ModuleOp module, const Launch& launch);

}  // namespace tritonrt::evaluator

#endif  // TRITONRT_TESTS_EVALUATOR_EVALUATOR_H_
