// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/Passes.h"

#include "compiler/backends/Backend.h"
#include "compiler/frontend/Passes.h"
#include "compiler/passes/PassList.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tritonrt::compiler {

void addToTile(PassList &passes, const Job &job) {
  TtToTileOptions options;
  options.kernel = job.kernel;
  options.forms = job.enabled("forms");
  options.boxes = job.enabled("boxes");
  options.generic = job.special.getFlag("generic", false);
  options.keepAccesses = job.checksRaces();
  addFrontendPasses(passes, options.keepAccesses);
  passes.add(createTtToTilePass(options));
  passes.add(mlir::createCSEPass());
  if (options.forms && job.enabled("wraps")) {
    passes.addToFunctions(createDropWrapsPass());
    // The edges of loads and stores become the same values.
    passes.add(mlir::createCSEPass());
  }
}

/// Work-items of a program, where it has several.
static int64_t itemsOf(const Job &job) {
  return 32 * std::max<int64_t>(job.options.getInt("num_warps", 4), 1);
}

void addToNests(PassList &passes, const Job &job) {
  // Several work-items share a tile: theirs are the strips.
  if (job.enabled("strips") && !job.traits.simt) {
    StripMineOptions strips;
    strips.columnBytes = 2 * job.traits.vectorBytes;
    strips.disjoint = job.special.getFlag("disjoint", false);
    bool pairs = job.enabled("pairs");
    strips.bf16Pairs = pairs && job.traits.bf16Pairs;
    strips.i16Pairs = pairs && job.traits.i16Pairs;
    passes.addToFunctions(createStripMinePass(strips));
    passes.addToFunctions(mlir::createCSEPass());
  }
  if (job.traits.simt && job.enabled("stage_dots")) {
    StageDotsOptions dots;
    dots.items = itemsOf(job);
    dots.localBytes = job.traits.localBytes;
    dots.ahead = job.options.getInt("num_stages", 3) > 1;
    dots.disjoint = job.special.getFlag("disjoint", false);
    passes.addToFunctions(createStageDotsPass(dots));
    // Twice the local memory costs an H200 more programs at a time than the barrier does.
    if (job.options.getFlag("alternate", false))
      passes.addToFunctions(createAlternateBuffersPass(job.traits.localBytes * 2 / 3));
    passes.addToFunctions(mlir::createCSEPass());
  }
  FormNestsOptions nests;
  nests.fuse = job.enabled("fuse");
  nests.disjoint = job.special.getFlag("disjoint", false);
  nests.keepLoads = job.traits.simt && job.enabled("keep_loads");
  passes.addToFunctions(createFormNestsPass(nests));
  passes.addToFunctions(createClampBoundsPass());
  passes.addToFunctions(mlir::createCSEPass());
  // Items outside the box idle anyway.
  if (job.enabled("extents") && !job.traits.simt)
    passes.addToFunctions(createDemandExtentsPass());
  if (job.enabled("merge_dims") && !job.traits.simt)
    passes.addToFunctions(createMergeDimsPass());
}

void addVectorMapping(PassList &passes, const Job &job) {
  MapVectorOptions options{job.reference() ? 1 : job.traits.vectorBytes, job.traits.cheapMasks,
                           job.traits.maxLanes};
  passes.add(createMapVectorPass(options));
  passes.add(mlir::createCanonicalizerPass());
  passes.add(mlir::createLoopInvariantCodeMotionPass());
  passes.add(mlir::createCSEPass());
  PlaceBuffersOptions places;
  if (job.traits.addressSpaces)
    places = {mem::Space::Scratch, /*ownInMesh=*/true};
  passes.addToFunctions(createPlaceBuffersPass(places));
  PackStorageOptions storage;
  storage.localBytes = job.traits.localBytes;
  storage.meshLocalBytes = job.traits.meshLocalBytes;
  storage.stackBytes = job.traits.stackBytes;
  passes.add(createPackStoragePass(storage));
}

void addSimtMapping(PassList &passes, const Job &job) {
  SimtOptions options;
  options.items = itemsOf(job);
  options.disjoint = job.special.getFlag("disjoint", false);
  options.generic = job.special.getFlag("generic", false);
  options.straightCode = job.traits.straightCode;
  options.shuffleLanes = job.traits.shuffleLanes;
  passes.addToFunctions(createSplitNestsPass(options));
  passes.addToFunctions(createChooseLayoutsPass(options));
  passes.add(createMapSimtPass(options));
  passes.addToFunctions(createPlaceBuffersPass({mem::Space::Local, /*ownInMesh=*/true}));
  if (job.traits.localBanks && job.enabled("pad_local"))
    passes.addToFunctions(createPadLocalPass(job.traits.localBytes));
  PackStorageOptions storage;
  storage.localBytes = job.traits.localBytes;
  storage.meshLocalBytes = job.traits.meshLocalBytes;
  storage.ownBytes = job.traits.itemBytes;
  storage.unitItems = job.traits.unitItems;
  storage.disjoint = options.disjoint;
  if (job.traits.groupBytes)
    storage.ownBytes = job.traits.groupBytes / options.items;
  passes.add(createPackStoragePass(storage));
  passes.addToFunctions(createPlaceBarriersPass(options.disjoint));
  if (job.traits.flatBarriers) {
    passes.addToFunctions(createBranchExitsPass());
    passes.addToFunctions(createFlattenBranchesPass());
  }
  if (!job.traits.straightCode)
    passes.addToFunctions(createUnrollShortPass());
  passes.add(mlir::createCanonicalizerPass());
  passes.add(mlir::createLoopInvariantCodeMotionPass());
  passes.add(mlir::createCSEPass());
}

void registerMiddlePasses() {
  mlir::registerPass([] { return createTtToTilePass(); });
  mlir::registerPass([] { return createDropWrapsPass(); });
  mlir::registerPass([] { return createStripMinePass(); });
  mlir::registerPass([] { return createFormNestsPass(); });
  mlir::registerPass([] { return createClampBoundsPass(); });
  mlir::registerPass([] { return createDemandExtentsPass(); });
  mlir::registerPass([] { return createMergeDimsPass(); });
  mlir::registerPass([] { return createNestsToLinalgPass(); });
  mlir::registerPass([] { return createMapVectorPass(); });
  mlir::registerPass([] { return createSplitNestsPass(); });
  mlir::registerPass([] { return createChooseLayoutsPass(); });
  mlir::registerPass([] { return createMapSimtPass(); });
  mlir::registerPass([] { return createStageDotsPass(); });
  mlir::registerPass([] { return createAlternateBuffersPass(); });
  mlir::registerPass([] { return createPlaceBuffersPass(); });
  mlir::registerPass([] { return createPadLocalPass(); });
  mlir::registerPass([] { return createPackStoragePass(); });
  mlir::registerPass([] { return createPlaceBarriersPass(); });
  mlir::registerPass([] { return createSplitAtBarriersPass(); });
  mlir::registerPass([] { return createBranchExitsPass(); });
  mlir::registerPass([] { return createFlattenBranchesPass(); });
  mlir::registerPass([] { return createUnrollShortPass(); });
  mlir::registerPass([] { return createLegalizeFloatsPass(); });
  mlir::registerPass([] { return createExpandMathPass(); });
}

} // namespace tritonrt::compiler
