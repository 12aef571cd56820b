// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TESTS_EVALUATOR_INTERPRETER_H_
#define TRITONRT_TESTS_EVALUATOR_INTERPRETER_H_

#include <memory>
#include <string>
#include <vector>

#include "compiler/dialect/tt/TtOps.h"
#include "tests/evaluator/evaluator.h"
#include "tests/evaluator/scalar_ops.h"

namespace tritonrt::evaluator {

/// Where a block pointer or descriptor points.
struct BlockPlace {
  Bits base = 0;
  std::vector<int64_t> shape, strides, offsets;
  bool pads_with_nan = false;
};

/// A scalar (rank 0, one lane), a tensor in row-major order, or a place.
struct Val {
  std::vector<int64_t> shape;
  mlir::Type element;
  std::vector<Bits> lanes;
  std::shared_ptr<const BlockPlace> place;
};

/// Row-major walk over indices.
class Indices {
 public:
  explicit Indices(llvm::ArrayRef<int64_t> shape) : shape_(shape), at_(shape.size(), 0) {}
  llvm::ArrayRef<int64_t> operator*() const { return at_; }
  void Next() {
    for (size_t d = shape_.size(); d-- > 0;) {
      if (++at_[d] < shape_[d]) return;
      at_[d] = 0;
    }
  }

 private:
  llvm::ArrayRef<int64_t> shape_;
  std::vector<int64_t> at_;
};

int64_t Flat(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);

/// An empty value of the type: all lanes zero.
Val Zero(mlir::Type type);

class Interpreter {
 public:
  Interpreter(mlir::ModuleOp module, const Launch& launch) : module_(module), launch_(launch) {}

  std::string Run();

 private:
  using Values = std::vector<Val>;

  bool Fail(mlir::Operation* op, const llvm::Twine& what);
  const Val& Get(mlir::Value value) { return values_[value]; }
  int64_t GetInt(mlir::Value value) {
    const Val& v = Get(value);
    return ToSigned(v.lanes[0], v.element);
  }
  std::vector<int64_t> GetInts(mlir::ValueRange values);
  Values GetAll(mlir::ValueRange values);
  void SetAll(mlir::ValueRange names, const Values& values);

  /// Runs the blocks of a region; `results` are the operands of the op that leaves it.
  bool RunRegion(mlir::Region& region, const Values& args, Values& results);
  mlir::Operation* RunBlock(mlir::Block& block);
  bool FollowBranch(mlir::Operation* branch, mlir::Block*& next, Values& args);
  bool RunProgram(tt::FuncOp kernel);
  Values Arguments(tt::FuncOp kernel);

  bool Execute(mlir::Operation* op);
  bool Structured(mlir::Operation* op, bool& known);
  bool For(mlir::Operation* op);
  bool While(mlir::Operation* op);
  bool Shapes(mlir::Operation* op, bool& known);
  bool Regions(mlir::Operation* op, bool& known);
  bool Memory(mlir::Operation* op, bool& known);
  bool Elementwise(mlir::Operation* op);
  bool Constant(mlir::Operation* op, mlir::Attribute value);
  bool Dot(tt::DotOp op);
  bool Reduce(tt::ReduceOp op);
  bool Scan(tt::ScanOp op);
  bool MapElementwise(tt::MapElementwiseOp op);
  bool Atomic(mlir::Operation* op);

  mlir::ModuleOp module_;
  const Launch& launch_;
  std::array<uint32_t, 3> program_ = {0, 0, 0};
  llvm::DenseMap<mlir::Value, Val> values_;
  int64_t steps_ = 0;
  std::string error_;
};

}  // namespace tritonrt::evaluator

#endif  // TRITONRT_TESTS_EVALUATOR_INTERPRETER_H_
