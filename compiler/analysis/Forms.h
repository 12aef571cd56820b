// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the integers and the pointers of a tensor:
//
//   value(i) = start + sum_d stride_d * w_d(i_d) + scale * rest[i]
//   w_d(i)   = i, or (wrapStart + i) mod wrapSize for d = wrapDim, with 0 <= wrapStart < wrapSize
//
// An integer that is part of an address or of a mask is taken not to wrap inside a tensor; the
// scalars that it starts from keep the wrap-around of their own width. Addresses are in bytes.
#ifndef TRITONRT_COMPILER_ANALYSIS_FORMS_H
#define TRITONRT_COMPILER_ANALYSIS_FORMS_H

#include "compiler/analysis/Linear.h"

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace tritonrt::compiler {

/// The part of a form that no stride describes: a tensor of signed integers of the form's rank,
/// whose dimensions are the form's or 1.
struct Rest {
  mlir::Value tensor;
  int64_t scale = 1;

  explicit operator bool() const { return static_cast<bool>(tensor); }
  bool operator==(const Rest &) const = default;
};

struct Form {
  Form() = default;
  /// The scalar or the splat `start`.
  explicit Form(Linear start, llvm::ArrayRef<int64_t> shape = {})
      : start(std::move(start)), shape(shape), strides(shape.size()) {}

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  /// The same value everywhere.
  bool isUniform() const;
  /// Equal but for `start`.
  bool sameShapeAs(const Form &other) const;

  Linear start;
  llvm::SmallVector<int64_t, 2> shape;
  /// 0 where the dimension has one element.
  llvm::SmallVector<Linear, 2> strides;
  int64_t wrapDim = -1;
  mlir::Value wrapStart, wrapSize;
  Rest rest;
};

/// An address: base + form in bytes, or the form alone where there is no base.
struct Pointer {
  /// A !mem.ptr of the new function.
  mlir::Value base;
  /// The kernel parameter that the address derives from, or -1.
  int64_t root = -1;
  Form form;
};

/// Arithmetic on forms. Emits what it needs through `scalars`.
class Forms {
public:
  explicit Forms(Scalars &scalars) : scalars(scalars) {}

  /// `tensor` (or scalar) as its own rest; constants and splats are seen through.
  Form leaf(mlir::Value tensor);

  Form add(const Form &a, const Form &b);
  /// By a constant.
  Form scale(const Form &a, int64_t factor);
  /// Nothing where both vary.
  std::optional<Form> multiply(const Form &a, const Form &b);
  /// x mod size, for x >= 0 of stride 1 in one dimension; nothing for others.
  std::optional<Form> modulo(const Form &x, const Form &size);

  Form expandDims(const Form &a, int64_t axis);
  Form broadcast(const Form &a, llvm::ArrayRef<int64_t> shape);
  Form transpose(const Form &a, llvm::ArrayRef<int32_t> order);
  /// Nothing where a dimension of the new shape has no one stride.
  std::optional<Form> reshape(const Form &a, llvm::ArrayRef<int64_t> shape);

  /// The values as an i64 tensor of the form's rank, with dimensions of 1 where they do not vary.
  mlir::Value materialize(const Form &a);
  /// The same in the form's whole shape, or a scalar.
  mlir::Value materializeFull(const Form &a);
  /// The form with everything but `start` in its rest.
  Form toRest(const Form &a);

  /// i64 tensor arithmetic with broadcasting.
  mlir::Value extendTensor(mlir::Value tensor);
  mlir::Value addTensors(mlir::Value a, mlir::Value b);
  mlir::Value scaleTensor(mlir::Value tensor, const Linear &factor);
  mlir::Value broadcastTo(mlir::Value tensor, llvm::ArrayRef<int64_t> shape);
  mlir::Value splat(mlir::Value scalar, llvm::ArrayRef<int64_t> shape);
  /// 0, 1, 2, ... along one dimension of a tensor of `rank` dimensions, the others 1; i64.
  mlir::Value range(int64_t rank, int64_t dim, int64_t size);

private:
  mlir::Location loc() const { return scalars.getLoc(); }
  mlir::OpBuilder &builder() { return scalars.getBuilder(); }
  mlir::Value reshapeTensor(mlir::Value tensor, llvm::ArrayRef<int64_t> shape);

  Scalars &scalars;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_FORMS_H
