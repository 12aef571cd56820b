// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TLE_H
#define TRITONRT_TLE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/dialect/tle/TleDialect.h.inc"

#define GET_OP_CLASSES
#include "compiler/dialect/tle/TleOps.h.inc"

namespace tritonrt::tle {

/// On a tt.addptr whose offset is no offset but the shard id: an older spelling of remote pointers.
inline constexpr llvm::StringLiteral kShardCarrier = "tle.remote_shard_id_carrier";

/// The shape and the elements of a local buffer, whichever flavour it is of.
struct BufferType {
  llvm::SmallVector<int64_t> shape;
  mlir::Type element;
};
std::optional<BufferType> bufferType(mlir::Type type);

/// Verifies indices into `src` that give pointers of type `result`.
mlir::LogicalResult verifyLocalPointers(mlir::Operation *op, mlir::Value src,
                                        mlir::ValueRange indices, mlir::Type result);
/// Verifies that remote pointers are pointers of the same shape to the same elements.
mlir::LogicalResult verifyRemotePointers(mlir::Operation *op, mlir::Type src, mlir::Value shard,
                                         mlir::Type result);

/// Verifies the `group_*` attributes of a distributed barrier.
mlir::LogicalResult verifyGroup(mlir::Operation *op);
/// The group of a verified barrier, in the words of kernel_abi.h. Fails with a diagnostic for
/// groups that have no programs in a mesh or a grid.
mlir::FailureOr<llvm::SmallVector<int32_t>> groupWords(mlir::Operation *op);

/// Registers the dialects of vendors that write these ops under their own prefix.
void registerVendorDialects(mlir::DialectRegistry &registry);
/// Replaces the quoted ops of vendors' dialects by those that they stand for. Pretty forms are read
/// as such from the start.
mlir::LogicalResult adoptVendorOps(mlir::ModuleOp module);

} // namespace tritonrt::tle

#endif // TRITONRT_TLE_H
