// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TT_TYPES_H
#define TRITONRT_TT_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/tt/TtTypes.h.inc"

namespace tritonrt::tt {

/// Triton's own limit on the elements of a tensor.
inline constexpr int64_t kMaxTensorElements = int64_t(1) << 20;

/// Memory spaces of pointers; others are numbers without a name.
enum AddressSpace : int { kDescriptorSpace = 0, kGlobalSpace = 1, kConstantSpace = 4 };

/// i1, i4, i8, i16, i32, i64 (signless), or one of the floats of Triton.
bool isIntType(mlir::Type type);
bool isFloatType(mlir::Type type);

/// A ranked tensor of static shape whose elements are integers, floats or pointers.
bool isTensor(mlir::Type type);

/// The kind of a scalar or of a tensor's elements. A tensor of any other kind is none of these.
bool isIntLike(mlir::Type type);
bool isBoolLike(mlir::Type type);
bool isI64Like(mlir::Type type);
bool isFloatLike(mlir::Type type);
bool isF32Like(mlir::Type type);
bool isPtrLike(mlir::Type type);
bool isAnyLike(mlir::Type type);

/// !tt.ptr<tensor<..>>.
bool isBlockPointer(mlir::Type type);

// The following answer for any type: where the question has no sense they give the type back.

/// The element type of a tensor, else the type itself.
mlir::Type elementTypeOf(mlir::Type type);
/// A tensor of the shape of `shapeOf` (or a scalar where that is none) of `element`.
mlir::Type withElementType(mlir::Type shapeOf, mlir::Type element);
/// What a load through `type` gives: T for ptr<T>, tensor<NxT> for tensor<Nxptr<T>>.
mlir::Type pointeeLike(mlir::Type type);
/// The pointer (or tensor of pointers, of the global space) through which `type` is accessed.
mlir::Type pointerLike(mlir::Type type);
/// The type of a mask over `type`.
mlir::Type boolLike(mlir::Type type);
/// The base pointer's type of a block pointer.
mlir::Type blockBaseType(mlir::Type type);

} // namespace tritonrt::tt

#endif // TRITONRT_TT_TYPES_H
