// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/Passes.h"

#include "compiler/backends/Backend.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tritonrt::compiler {

void addToTile(mlir::OpPassManager &pm, const Job &job) { pm.addPass(mlir::createCSEPass()); }

void addToNests(mlir::OpPassManager &pm, const Job &job) { pm.addPass(mlir::createCSEPass()); }

void addVectorMapping(mlir::OpPassManager &pm, const Job &job) {
  pm.addPass(mlir::createCSEPass());
}

void registerMiddlePasses() {
  mlir::registerPass([] { return createFormNestsPass(); });
}

} // namespace tritonrt::compiler
