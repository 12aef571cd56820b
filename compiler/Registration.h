// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_REGISTRATION_H
#define TRITONRT_COMPILER_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tritonrt::compiler {

/// Adds every dialect that our pipelines read, make or print.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Makes our passes known by name to the developer tools. The pipelines themselves do not need it.
void registerAllPasses();

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_REGISTRATION_H
