// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/Passes.h"

#include "compiler/backends/Backend.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tritonrt::compiler {

void addToTile(mlir::OpPassManager &pm, const Job &job) {
  TtToTileOptions options;
  options.kernel = job.kernel;
  options.forms = job.enabled("forms");
  options.boxes = job.enabled("boxes");
  options.generic = job.special.getFlag("generic", false);
  pm.addPass(createTtToTilePass(options));
  pm.addPass(mlir::createCSEPass());
}

void addToNests(mlir::OpPassManager &pm, const Job &job) {
  mlir::OpPassManager &function = pm.nest<mlir::func::FuncOp>();
  function.addPass(createFormNestsPass(
      {job.enabled("fuse"), job.special.getFlag("disjoint", false)}));
  function.addPass(createClampBoundsPass());
  function.addPass(mlir::createCSEPass());
  if (job.enabled("extents"))
    function.addPass(createDemandExtentsPass());
}

void addVectorMapping(mlir::OpPassManager &pm, const Job &job) {
  MapVectorOptions options{job.reference() ? 1 : job.traits.vectorBytes, job.traits.cheapMasks};
  pm.addPass(createMapVectorPass(options));
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createLoopInvariantCodeMotionPass());
  pm.addPass(mlir::createCSEPass());
  pm.addPass(createPackStoragePass());
}

void registerMiddlePasses() {
  mlir::registerPass([] { return createTtToTilePass(); });
  mlir::registerPass([] { return createFormNestsPass(); });
  mlir::registerPass([] { return createClampBoundsPass(); });
  mlir::registerPass([] { return createDemandExtentsPass(); });
  mlir::registerPass([] { return createNestsToLinalgPass(); });
  mlir::registerPass([] { return createMapVectorPass(); });
  mlir::registerPass([] { return createPackStoragePass(); });
}

} // namespace tritonrt::compiler
