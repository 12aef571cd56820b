// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backend whose hardware has memory that programs reach remotely: it takes remote stores and
// barriers as they are and counts what would go over the network, and what comes from the memory
// of the device for the right matrix.
#include "compiler/Pipeline.h"
#include "compiler/dialect/mem/Mem.h"
#include "compiler/frontend/Parse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace mlir;

namespace tritonrt::compiler {
namespace {

struct Traffic {
  int64_t bytes = 0;
  int64_t barriers = 0;
  /// Of the kernel's second argument.
  int64_t read = 0;
};

/// Runs the control flow of program 0 as far as remote stores, barriers and reads of the second
/// argument depend on it.
class MeshSimulator {
public:
  LogicalResult run(func::FuncOp func) { return run(func.getBody().front()); }

  Traffic traffic;

private:
  static Value rootOf(Value base) {
    while (auto offset = base.getDefiningOp<mem::OffsetOp>())
      base = offset.getBase();
    return base;
  }

  static bool isRemote(Value base) { return bool(rootOf(base).getDefiningOp<mem::RemoteOp>()); }

  static bool isRight(Value base) {
    auto argument = dyn_cast<BlockArgument>(rootOf(base));
    return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
           argument.getArgNumber() == 1;
  }

  static bool talks(Operation *op) {
    if (isa<mem::MeshBarrierOp>(op))
      return true;
    if (auto load = dyn_cast<mem::LoadOp>(op))
      return isRight(load.getBase());
    auto store = dyn_cast<mem::StoreOp>(op);
    return store && isRemote(store.getBase());
  }

  static int64_t bytesOf(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return (vector ? vector.getNumElements() : 1) * mem::elementBytes(type);
  }

  std::optional<int64_t> known(Value value) {
    IntegerAttr constant;
    if (matchPattern(value, m_Constant(&constant)))
      return constant.getInt();
    auto integer = dyn_cast_if_present<IntegerAttr>(values.lookup(value));
    return integer ? std::optional<int64_t>(integer.getInt()) : std::nullopt;
  }

  void fold(Operation &op) {
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands()) {
      Attribute constant;
      if (!matchPattern(operand, m_Constant(&constant)))
        constant = values.lookup(operand);
      operands.push_back(constant);
    }
    SmallVector<OpFoldResult> results;
    if (op.getNumResults() == 1 && succeeded(op.fold(operands, results)) && results.size() == 1)
      if (auto attr = dyn_cast<Attribute>(results[0]))
        values[op.getResult(0)] = attr;
  }

  LogicalResult run(Block &block) {
    Builder b(block.getParent()->getContext());
    for (Operation &op : block) {
      bool inside = op.walk([](Operation *inner) {
                        return talks(inner) ? WalkResult::interrupt() : WalkResult::advance();
                      }).wasInterrupted();
      if (auto id = dyn_cast<mem::ProgramIdOp>(op)) {
        values[id] = b.getI32IntegerAttr(0);
      } else if (isa<mem::MeshBarrierOp>(op)) {
        ++traffic.barriers;
      } else if (auto store = dyn_cast<mem::StoreOp>(op); store && inside) {
        traffic.bytes += bytesOf(store.getValue().getType());
      } else if (auto load = dyn_cast<mem::LoadOp>(op); load && inside) {
        traffic.read += bytesOf(load.getType());
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        if (inside && failed(runLoop(loop)))
          return failure();
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        std::optional<int64_t> condition = known(branch.getCondition());
        if (inside && !condition)
          return op.emitError("the branch is not known");
        if (inside && *condition && failed(run(*branch.thenBlock())))
          return failure();
      } else if (op.getNumRegions() == 0) {
        fold(op);
      }
    }
    return success();
  }

  LogicalResult runLoop(scf::ForOp loop) {
    std::optional<int64_t> low = known(loop.getLowerBound()), high = known(loop.getUpperBound()),
                           step = known(loop.getStep());
    if (!low || !high || !step)
      return loop.emitError("the loop is not counted");
    for (int64_t i = *low; i < *high; i += *step) {
      values[loop.getInductionVar()] = IntegerAttr::get(loop.getInductionVar().getType(), i);
      if (failed(run(*loop.getBody())))
        return failure();
    }
    return success();
  }

  llvm::DenseMap<Value, Attribute> values;
};

class SimulatedBackend final : public Backend {
public:
  llvm::StringRef name() const override { return "mesh_simulator"; }
  TargetTraits describe(const KeyValues &) const override { return {}; }
  FailureOr<Artifact> emit(ModuleOp mapped, const Job &) const override {
    MeshSimulator simulator;
    if (failed(simulator.run(*mapped.getOps<func::FuncOp>().begin())))
      return failure();
    Artifact artifact;
    artifact.bytes = std::to_string(simulator.traffic.bytes) + " bytes, " +
                     std::to_string(simulator.traffic.barriers) + " barriers, " +
                     std::to_string(simulator.traffic.read) + " bytes read";
    return artifact;
  }
  FailureOr<std::string> print(ModuleOp, const Job &, llvm::StringRef) const override {
    return failure();
  }
};

TEST(MeshBackend, ARingMovesEachPartToEachOtherProgramOnce) {
  registerBackend(std::make_unique<SimulatedBackend>());
  std::ifstream file(SHIFT_GEMM);
  std::stringstream text;
  text << file.rdbuf();
  std::string error;
  std::unique_ptr<ParsedModule> parsed = parseModule(text.str(), "shift_gemm.ttir", error);
  ASSERT_TRUE(parsed) << error;
  std::string messages;
  ScopedDiagnosticHandler handler(
      parsed->context.get(), [&](Diagnostic &diagnostic) { messages += diagnostic.str() + "\n"; });
  Job job;
  FailureOr<const Backend *> backend =
      prepareJob(*parsed->module, "shift_gemm", "backend=mesh_simulator\n", "", "", job);
  ASSERT_TRUE(succeeded(backend)) << messages;
  FailureOr<CompiledKernel> compiled = compileKernel(*parsed->module, **backend, job);
  ASSERT_TRUE(succeeded(compiled)) << messages;
  // 8 programs hold 16 of 128 columns, 64 deep, of f32 each; every part makes 7 hops, with a
  // barrier after each. Each program reads its own columns once, so the mesh reads the matrix once.
  EXPECT_EQ(compiled->artifact, std::to_string(7 * 64 * 16 * 4) + " bytes, 7 barriers, " +
                                    std::to_string(64 * 16 * 4) + " bytes read");
}

} // namespace
} // namespace tritonrt::compiler
