// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/Passes.h"

#include "compiler/backends/Backend.h"
#include "compiler/frontend/Passes.h"

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
  addFrontendPasses(pm);
  pm.addPass(createTtToTilePass(options));
  pm.addPass(mlir::createCSEPass());
  if (options.forms && job.enabled("wraps")) {
    pm.nest<mlir::func::FuncOp>().addPass(createDropWrapsPass());
    // The edges of loads and stores become the same values.
    pm.addPass(mlir::createCSEPass());
  }
}

/// Work-items of a program, where it has several.
static int64_t itemsOf(const Job &job) {
  return 32 * std::max<int64_t>(job.options.getInt("num_warps", 4), 1);
}

void addToNests(mlir::OpPassManager &pm, const Job &job) {
  mlir::OpPassManager &function = pm.nest<mlir::func::FuncOp>();
  // Several work-items share a tile: theirs are the strips.
  if (job.enabled("strips") && !job.traits.simt) {
    StripMineOptions strips;
    strips.columnBytes = 2 * job.traits.vectorBytes;
    strips.disjoint = job.special.getFlag("disjoint", false);
    function.addPass(createStripMinePass(strips));
    function.addPass(mlir::createCSEPass());
  }
  if (job.traits.simt && job.enabled("stage_dots")) {
    StageDotsOptions dots;
    dots.items = itemsOf(job);
    dots.localBytes = job.traits.localBytes;
    dots.ahead = job.options.getInt("num_stages", 3) > 1;
    dots.disjoint = job.special.getFlag("disjoint", false);
    function.addPass(createStageDotsPass(dots));
    function.addPass(mlir::createCSEPass());
  }
  FormNestsOptions nests;
  nests.fuse = job.enabled("fuse");
  nests.disjoint = job.special.getFlag("disjoint", false);
  nests.keepLoads = job.traits.simt && job.enabled("keep_loads");
  function.addPass(createFormNestsPass(nests));
  function.addPass(createClampBoundsPass());
  function.addPass(mlir::createCSEPass());
  // Items outside the box idle anyway.
  if (job.enabled("extents") && !job.traits.simt)
    function.addPass(createDemandExtentsPass());
}

void addVectorMapping(mlir::OpPassManager &pm, const Job &job) {
  // Accesses that report themselves do so one by one.
  bool scalar = job.reference() || job.options.getFlag("check_races", false);
  MapVectorOptions options{scalar ? 1 : job.traits.vectorBytes, job.traits.cheapMasks,
                           job.traits.maxLanes};
  pm.addPass(createMapVectorPass(options));
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createLoopInvariantCodeMotionPass());
  pm.addPass(mlir::createCSEPass());
  PlaceBuffersOptions places;
  if (job.traits.addressSpaces)
    places = {mem::Space::Scratch, /*ownInMesh=*/true};
  pm.nest<mlir::func::FuncOp>().addPass(createPlaceBuffersPass(places));
  pm.addPass(createPackStoragePass());
}

void addSimtMapping(mlir::OpPassManager &pm, const Job &job) {
  SimtOptions options;
  options.items = itemsOf(job);
  options.disjoint = job.special.getFlag("disjoint", false);
  options.generic = job.special.getFlag("generic", false);
  options.straightCode = job.traits.straightCode;
  options.shuffleLanes = job.traits.shuffleLanes;
  mlir::OpPassManager &function = pm.nest<mlir::func::FuncOp>();
  function.addPass(createSplitNestsPass());
  function.addPass(createChooseLayoutsPass(options));
  pm.addPass(createMapSimtPass(options));
  pm.nest<mlir::func::FuncOp>().addPass(
      createPlaceBuffersPass({mem::Space::Local, /*ownInMesh=*/true}));
  pm.addPass(createPackStoragePass(job.traits.localBytes));
  pm.nest<mlir::func::FuncOp>().addPass(createPlaceBarriersPass(options.disjoint));
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createLoopInvariantCodeMotionPass());
  pm.addPass(mlir::createCSEPass());
}

void registerMiddlePasses() {
  mlir::registerPass([] { return createTtToTilePass(); });
  mlir::registerPass([] { return createDropWrapsPass(); });
  mlir::registerPass([] { return createStripMinePass(); });
  mlir::registerPass([] { return createFormNestsPass(); });
  mlir::registerPass([] { return createClampBoundsPass(); });
  mlir::registerPass([] { return createDemandExtentsPass(); });
  mlir::registerPass([] { return createNestsToLinalgPass(); });
  mlir::registerPass([] { return createMapVectorPass(); });
  mlir::registerPass([] { return createSplitNestsPass(); });
  mlir::registerPass([] { return createChooseLayoutsPass(); });
  mlir::registerPass([] { return createMapSimtPass(); });
  mlir::registerPass([] { return createStageDotsPass(); });
  mlir::registerPass([] { return createPlaceBuffersPass(); });
  mlir::registerPass([] { return createPackStoragePass(); });
  mlir::registerPass([] { return createPlaceBarriersPass(); });
  mlir::registerPass([] { return createSplitAtBarriersPass(); });
  mlir::registerPass([] { return createLegalizeFloatsPass(); });
  mlir::registerPass([] { return createExpandMathPass(); });
}

} // namespace tritonrt::compiler
