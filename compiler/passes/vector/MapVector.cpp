// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vector/MapVector.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

struct MapVectorPass : PassWrapper<MapVectorPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MapVectorPass)

  MapVectorPass() = default;
  explicit MapVectorPass(const MapVectorOptions &options) {
    vectorBytes = options.vectorBytes;
    cheapMasks = options.cheapMasks;
    maxLanes = options.maxLanes;
  }
  MapVectorPass(const MapVectorPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "map-vector"; }
  StringRef getDescription() const override { return "Maps nests to loops over vectors"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect, vector::VectorDialect, mem::MemDialect>();
  }
  void runOnOperation() override {
    MapVectorOptions options;
    options.vectorBytes = vectorBytes;
    options.cheapMasks = cheapMasks;
    options.maxLanes = maxLanes;
    for (auto from : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (from.isDeclaration())
        continue;
      mapvector::splitNests(from);
      mapvector::startSums(from);
      auto to = cast<func::FuncOp>(from->cloneWithoutRegions());
      from->getBlock()->getOperations().insert(Block::iterator(from), to);
      LogicalResult mapped = mapvector::FunctionMapper(from, to, options).run();
      from.erase();
      if (failed(mapped))
        return signalPassFailure();
    }
  }

  Option<int64_t> vectorBytes{*this, "vector-bytes", llvm::cl::init(64),
                              llvm::cl::desc("Bytes of a vector register")};
  Option<int64_t> maxLanes{*this, "max-lanes", llvm::cl::init(64),
                           llvm::cl::desc("Most lanes of a vector")};
  Option<bool> cheapMasks{*this, "cheap-masks", llvm::cl::init(false),
                          llvm::cl::desc("Masked accesses cost about what plain ones do")};
};

} // namespace

std::unique_ptr<Pass> createMapVectorPass(const MapVectorOptions &options) {
  return std::make_unique<MapVectorPass>(options);
}

} // namespace tritonrt::compiler
