// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/Passes.h"

#include "compiler/passes/PassList.h"

#include "mlir/Pass/PassRegistry.h"

namespace tritonrt::compiler {

void addFrontendPasses(PassList &passes, bool keepAccesses) {
  passes.add(createTtStructurePass());
  passes.add(createTtInlinePass());
  passes.add(createTtElementRegionsPass());
  if (!keepAccesses)
    passes.add(createTtCountedLoopsPass());
}

void registerFrontendPasses() {
  mlir::registerPass([] { return createTtStructurePass(); });
  mlir::registerPass([] { return createTtInlinePass(); });
  mlir::registerPass([] { return createTtElementRegionsPass(); });
  mlir::registerPass([] { return createTtCountedLoopsPass(); });
}

} // namespace tritonrt::compiler
