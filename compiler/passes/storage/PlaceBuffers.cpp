// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of local buffers. What other programs of the mesh reach lies in the mesh's memory, each
// buffer at an offset that is the same in all programs; the rest is memory of the program alone and
// shares bytes by lifetime.
#include "compiler/api/kernel_abi.h"
#include "compiler/dialect/mem/Mem.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/storage/PointerSpaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// The buffer that `pointer` is an offset into, or null.
mem::BufferOp bufferOf(Value pointer) {
  return mem::originOf(pointer).getDefiningOp<mem::BufferOp>();
}

/// The values that a use hands its pointer on to, or failure where that is not known.
FailureOr<SmallVector<Value>> handedOn(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<mem::LoadOp, mem::StoreOp, mem::GatherOp, mem::ScatterOp, mem::AtomicRMWOp,
          mem::AtomicCASOp, mem::AtomicLoadOp, mem::AtomicStoreOp>(user))
    return SmallVector<Value>();
  if (isa<mem::OffsetOp, mem::RemoteOp, arith::SelectOp>(user))
    return SmallVector<Value>{user->getResult(0)};
  unsigned number = use.getOperandNumber();
  auto loop = dyn_cast<scf::ForOp>(user);
  if (loop)
    number -= loop.getNumControlOperands();
  else if (isa<scf::YieldOp>(user))
    loop = dyn_cast<scf::ForOp>(user->getParentOp());
  if (loop)
    return SmallVector<Value>{loop.getRegionIterArg(number), loop.getResult(number)};
  if (isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp()))
    return SmallVector<Value>{user->getParentOp()->getResult(number)};
  return failure();
}

} // namespace

LogicalResult retypePointer(Value pointer, Type type) {
  pointer.setType(type);
  for (OpOperand &use : pointer.getUses()) {
    FailureOr<SmallVector<Value>> next = handedOn(use);
    if (failed(next))
      return use.getOwner()->emitError(
          "a pointer into a local buffer is used in a way that the device's address spaces do not "
          "allow; read and write through it directly, or run the kernel on a device with one "
          "address space");
    for (Value value : *next)
      if (value.getType() != type && failed(retypePointer(value, type)))
        return failure();
  }
  return success();
}

namespace {

/// Pointers of two spaces cannot meet in one value.
LogicalResult checkSpaces(func::FuncOp function) {
  WalkResult walked = function.walk([](Operation *op) {
    bool fits = true;
    if (auto select = dyn_cast<arith::SelectOp>(op))
      fits = select.getTrueValue().getType() == select.getFalseValue().getType();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      fits = loop.getInitArgs().getTypes() == loop.getResultTypes() &&
             loop.getYieldedValues().getTypes() == loop.getResultTypes();
    else if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.getNumResults())
      fits = branch.thenYield().getOperandTypes() == branch.getResultTypes() &&
             branch.elseYield().getOperandTypes() == branch.getResultTypes();
    else if (auto offset = dyn_cast<mem::OffsetOp>(op))
      fits = offset.getBase().getType() == offset.getType();
    if (fits)
      return WalkResult::advance();
    op->emitError("a pointer is into a local buffer or into other memory, which the device's "
                  "address spaces do not allow; choose between values in place of pointers, or run "
                  "the kernel on a device with one address space");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

struct PlaceBuffersPass : PassWrapper<PlaceBuffersPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlaceBuffersPass)

  PlaceBuffersPass() = default;
  explicit PlaceBuffersPass(const PlaceBuffersOptions &options) {
    space = options.space;
    ownInMesh = options.ownInMesh;
  }
  PlaceBuffersPass(const PlaceBuffersPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "place-buffers"; }
  StringRef getDescription() const override { return "Gives local buffers their memory"; }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    bool meets = false, crossesMeshes = false;
    function.walk([&](Operation *op) {
      meets |= isa<mem::MeshBarrierOp, mem::RemoteOp>(op);
      if (auto barrier = dyn_cast<mem::MeshBarrierOp>(op))
        crossesMeshes |=
            barrier.getGroup()[0] == TRT_GROUP_GRID || barrier.getGroup()[0] == TRT_GROUP_GRID_AXES;
    });
    SmallVector<mem::BufferOp> buffers;
    function.walk([&](mem::BufferOp buffer) { buffers.push_back(buffer); });
    llvm::DenseSet<Operation *> shared = sharedBuffers(buffers);
    if (meets && ownInMesh)
      shared.insert(buffers.begin(), buffers.end());
    OpBuilder builder(&getContext());
    int64_t meshBytes = 0;
    for (mem::BufferOp buffer : buffers) {
      builder.setInsertionPoint(buffer);
      Location loc = buffer.getLoc();
      Value place;
      if (shared.contains(buffer)) {
        Value start = mem::MeshMemoryOp::create(builder, loc, buffer.getType());
        Value bytes = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(meshBytes));
        place = mem::OffsetOp::create(builder, loc, buffer.getType(), start, bytes);
        meshBytes += llvm::alignTo(buffer.getBytes(), mem::kBufferAlign);
      } else {
        place = mem::AllocOp::create(builder, loc, buffer.getType(), buffer.getBytes(), -1,
                                     /*own=*/false,
                                     /*keeps=*/!buffer.getTemporary());
      }
      buffer.replaceAllUsesWith(place);
      buffer.erase();
      auto type = mem::PtrType::get(&getContext(), space);
      if (place.getDefiningOp<mem::AllocOp>() && place.getType() != type &&
          failed(retypePointer(place, type)))
        return signalPassFailure();
    }
    if (failed(checkSpaces(function)))
      return signalPassFailure();
    if (!meets)
      return;
    function->setAttr("tritonrt.mesh_bytes", builder.getI64IntegerAttr(meshBytes));
    function->setAttr("tritonrt.mesh_grid", builder.getBoolAttr(crossesMeshes));
  }

private:
  /// The buffers that some remote pointer may lead to.
  llvm::DenseSet<Operation *> sharedBuffers(ArrayRef<mem::BufferOp> buffers) {
    llvm::DenseSet<Operation *> shared;
    bool any = false;
    getOperation().walk([&](mem::RemoteOp remote) {
      if (mem::BufferOp buffer = bufferOf(remote.getBase()))
        shared.insert(buffer);
      else
        any = true;
    });
    for (mem::BufferOp buffer : buffers)
      if (any && !buffer.getTemporary())
        shared.insert(buffer);
    return shared;
  }

  /// Not for the command line.
  mem::Space space = mem::Space::Global;
  bool ownInMesh = false;
};

} // namespace

LogicalResult moveMeshToLocal(func::FuncOp function) {
  // Why it cannot be is of no interest: the memory stays where it is.
  ScopedDiagnosticHandler quiet(function.getContext(), [](Diagnostic &) { return success(); });
  auto local = mem::PtrType::get(function.getContext(), mem::Space::Local);
  bool fits = true;
  function.walk([&](Operation *op) {
    if (isa<mem::MeshMemoryOp>(op))
      fits = fits && succeeded(retypePointer(op->getResult(0), local));
    // What did not fit local memory before.
    if (auto alloc = dyn_cast<mem::AllocOp>(op))
      fits = fits && alloc.getType().getSpace() != mem::Space::Global;
  });
  function.walk([&](Operation *op) {
    if (auto remote = dyn_cast<mem::RemoteOp>(op))
      fits = fits && remote.getType() == local;
    else if (auto barrier = dyn_cast<mem::BarrierOp>(op))
      barrier.setLocal(true);
  });
  return success(fits && succeeded(checkSpaces(function)));
}

std::unique_ptr<Pass> createPlaceBuffersPass(const PlaceBuffersOptions &options) {
  return std::make_unique<PlaceBuffersPass>(options);
}

} // namespace tritonrt::compiler
