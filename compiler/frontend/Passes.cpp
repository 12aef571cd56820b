// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/Passes.h"

#include "mlir/Pass/PassRegistry.h"

namespace tritonrt::compiler {

void addFrontendPasses(mlir::OpPassManager &pm) {
  pm.addPass(createTtStructurePass());
  pm.addPass(createTtInlinePass());
  pm.addPass(createTtCountedLoopsPass());
}

void registerFrontendPasses() {
  mlir::registerPass([] { return createTtStructurePass(); });
  mlir::registerPass([] { return createTtInlinePass(); });
  mlir::registerPass([] { return createTtCountedLoopsPass(); });
}

} // namespace tritonrt::compiler
