// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads mapped IR and prints what a backend makes of it: what the lit tests of backends drive. Not
// installed.

#include "compiler/Pipeline.h"
#include "compiler/Registration.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace tritonrt::compiler;

static llvm::cl::opt<std::string> target("target",
                                         llvm::cl::desc("key=value pairs, separated by commas"));
static llvm::cl::opt<std::string> special("special",
                                          llvm::cl::desc("key=value pairs that the launch keeps"));
static llvm::cl::opt<std::string> stage("stage", llvm::cl::desc("stage of the backend to print"));

static mlir::LogicalResult emit(mlir::ModuleOp module, llvm::raw_ostream &os) {
  std::string lines = target, kept = special;
  for (std::string *pairs : {&lines, &kept})
    std::replace(pairs->begin(), pairs->end(), ',', '\n');
  Job job;
  mlir::FailureOr<const Backend *> backend = prepareJob(module, "", lines, "", kept, job);
  if (mlir::failed(backend))
    return mlir::failure();
  mlir::FailureOr<std::string> text = (*backend)->print(module, job, stage);
  if (mlir::succeeded(text))
    os << *text;
  return text;
}

int main(int argc, char **argv) {
  mlir::TranslateFromMLIRRegistration registration("emit", "print a stage of mapped IR", emit,
                                                   registerAllDialects);
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "libtritonrt backend driver"));
}
