// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TESTS_EVALUATOR_CASE_LAUNCH_H_
#define TRITONRT_TESTS_EVALUATOR_CASE_LAUNCH_H_

#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "src/replay/launch_case.h"

namespace tritonrt::evaluator {

/// What a launch left behind.
struct CaseOutcome {
  std::string error;                 // "" if it ran
  std::vector<std::string> buffers;  // as the case's, after the launch
};

/// Runs the case with the evaluator on copies of its buffers.
CaseOutcome EvaluateCase(mlir::ModuleOp module, const replay::LaunchCase& launch);

/// The first buffer that is not as the case says; "" if all are.
std::string Difference(const replay::LaunchCase& launch, const CaseOutcome& outcome);

}  // namespace tritonrt::evaluator

#endif  // TRITONRT_TESTS_EVALUATOR_CASE_LAUNCH_H_
