// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses a file, runs the passes that the command line names, prints the result: what the lit tests
// of dialects and passes drive. Not installed.

#include "compiler/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tritonrt::compiler::registerAllDialects(registry);
  tritonrt::compiler::registerAllPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "libtritonrt optimizer driver\n", registry));
}
