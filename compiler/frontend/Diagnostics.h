// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_FRONTEND_DIAGNOSTICS_H
#define TRITONRT_COMPILER_FRONTEND_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace tritonrt::compiler {

/// Where `location` lies in the input called `name`: the first file position of that file in it, or
/// null. Positions of the kernel's own source stand beside it and are not taken.
mlir::FileLineColLoc findPosition(mlir::Location location, llvm::StringRef name);

/// Catches what is emitted in a context while it lives, and keeps the first error with its notes.
/// Nothing reaches stderr.
class DiagnosticCollector {
public:
  /// `name` is what the input is called in messages.
  DiagnosticCollector(mlir::MLIRContext *context, llvm::StringRef name);

  /// Where an error without a position of its own is said to be. Folding makes constants that have
  /// none.
  void setFallback(mlir::Location location) { fallback = location; }

  /// The first error: `NAME:LINE:COL: error: TEXT` (without the position where none is known) and
  /// a line for each note. `unreported` if there was none.
  std::string message(llvm::StringRef unreported) const;

private:
  void take(mlir::Diagnostic &diagnostic);

  std::string name;
  std::string text;
  mlir::LocationAttr fallback;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FRONTEND_DIAGNOSTICS_H
