// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_FRONTEND_PARSE_H
#define TRITONRT_COMPILER_FRONTEND_PARSE_H

#include "compiler/Registration.h"
#include "compiler/dialect/tt/TtOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>

namespace tritonrt::compiler {

/// An input that was read and verified, in a context of its own.
struct ParsedModule {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// What the input is called in messages.
  std::string name;
};

/// Reads `input`, text of any known version or our bytecode. Null on failure, with the message in
/// `error`. Ops carry their position in `input` (and, fused behind it, the location that the text
/// states); arguments carry their names. Recursive calls, unknown ops and types that Triton does
/// not have are refused here, unless `dialects` has them, so that what follows need not expect
/// them.
std::unique_ptr<ParsedModule> parseModule(llvm::StringRef input, llvm::StringRef name,
                                          std::string &error,
                                          const DialectSet &dialects = mainDialects());

/// Brings what is spelled in other ways to one form before anything is verified: ops of vendors'
/// dialects, and types with encodings, which say nothing here. Emits an error for what is unknown.
mlir::LogicalResult normalizeModule(mlir::ModuleOp module);

/// Rewrites what older versions spelled with other ops.
void upgradeModule(mlir::ModuleOp module);

/// What the ops' own verifiers do not see: which ops and types may occur at all, sizes of tensors,
/// calls that end in themselves. Ops and types of the `foreign` dialects may. Emits one error.
mlir::LogicalResult checkModule(mlir::ModuleOp module, const llvm::StringSet<> &foreign);

/// The function to compile: the one called `kernel`, or the only public one for an empty name.
/// Emits an error and returns failure if there is none.
mlir::FailureOr<tt::FuncOp> findKernel(mlir::ModuleOp module, llvm::StringRef kernel);

/// The name that the text gives to an argument, or empty.
llvm::StringRef argumentName(mlir::BlockArgument argument);

/// The runtime's name of a scalar type.
std::string scalarName(mlir::Type type);

/// The lines `arg=TYPE NAME [divisibility=N]` of the interface, one for each parameter. Emits an
/// error and returns failure for a parameter that a launch cannot pass.
mlir::FailureOr<std::string> describeArguments(tt::FuncOp kernel);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FRONTEND_PARSE_H
