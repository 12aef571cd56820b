// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Registration.h"

#include "compiler/dialect/dsa/Dsa.h"
#include "compiler/dialect/libm/Libm.h"
#include "compiler/dialect/mem/Mem.h"
#include "compiler/dialect/nests/Nests.h"
#include "compiler/dialect/tile/Tile.h"
#include "compiler/dialect/tle/Tle.h"
#include "compiler/dialect/tt/TtDialect.h"
#include "compiler/dialect/ttg/Ttg.h"
#include "compiler/frontend/Passes.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace tritonrt::compiler {

template <typename... Dialects> static void insertMissing(mlir::DialectRegistry &registry) {
  auto insert = [&]<typename Dialect>(Dialect *) {
    if (!registry.getDialectAllocator(Dialect::getDialectNamespace()))
      registry.insert<Dialect>();
  };
  (insert(static_cast<Dialects *>(nullptr)), ...);
}

void registerAllDialects(mlir::DialectRegistry &registry) {
  insertMissing<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                mlir::memref::MemRefDialect, mlir::scf::SCFDialect, mlir::ub::UBDialect,
                mlir::vector::VectorDialect, libm::LibmDialect, mem::MemDialect, tile::TileDialect,
                nests::NestsDialect, tt::TtDialect, ttg::TtgDialect, tle::TleDialect,
                dsa::DsaDialect>(registry);
  tle::registerVendorDialects(registry);
}

const DialectSet &mainDialects() {
  static const DialectSet instance = [] {
    DialectSet all;
    registerAllDialects(all.registry);
    return all;
  }();
  return instance;
}

void registerAllPasses() {
  registerFrontendPasses();
  registerMiddlePasses();
}

} // namespace tritonrt::compiler
