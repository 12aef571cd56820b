// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tt.print and tt.assert: records in the report buffer of the launch, whose form kernel_abi.h
// gives. A record's place is taken with one atomic addition; its size is known here. A kernel
// without such ops has neither the buffer nor a trace of this.
#include "compiler/passes/totile/Translator.h"

#include "compiler/api/kernel_abi.h"
#include "compiler/frontend/ReportLine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <cstddef>

using namespace mlir;

namespace tritonrt::compiler {

namespace {

int64_t bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return (tensor ? tensor.getNumElements() : 1) * mem::elementBytes(type);
}

/// Writes records into the report buffer.
class ReportWriter {
public:
  ReportWriter(OpBuilder &builder, func::FuncOp function, Location loc)
      : b(builder), loc(loc), root(function.getNumArguments() - 2),
        buffer(function.getArgument(root)), kernel(function.getArgument(root + 1)) {}

  /// What finds no place is counted in the word of the header at `lost`.
  void write(int64_t number, ValueRange operands, size_t lost);

private:
  Value number32(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }
  Value number64(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }
  Value offset(Value base, Value bytes) {
    return mem::OffsetOp::create(b, loc, base.getType(), base, bytes);
  }
  void store(Value value, Value base);
  Value head(int64_t units, int64_t number);

  OpBuilder &b;
  Location loc;
  int64_t root;
  Value buffer, kernel;
};

/// Row-major, whole.
void ReportWriter::store(Value value, Value base) {
  SmallVector<int64_t> strides;
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType())) {
    strides.assign(tensor.getRank(), 1);
    for (int64_t d = tensor.getRank() - 2; d >= 0; --d)
      strides[d] = strides[d + 1] * tensor.getDimSize(d + 1);
  }
  tile::StoreOp::create(b, loc, value, base, ValueRange(), ValueRange(), ValueRange(), Value(),
                        Value(), Value(), Value(), strides, ArrayRef<int64_t>(), int64_t(-1),
                        mem::elementBytes(value.getType()), root, int64_t(0),
                        /*isVolatile=*/false);
}

/// A trt_report_record as one tensor: one store.
Value ReportWriter::head(int64_t units, int64_t number) {
  SmallVector<Value> words{number32(units), kernel, number32(number)};
  for (uint32_t axis = 0; axis < 3; ++axis)
    words.push_back(mem::ProgramIdOp::create(b, loc, b.getI32Type(), axis));
  constexpr int64_t kWords = sizeof(trt_report_record) / 4;
  auto type = RankedTensorType::get(kWords, b.getI32Type());
  Value place = tt::MakeRangeOp::create(b, loc, type, 0, kWords);
  Value all = tt::SplatOp::create(b, loc, type, words.back());
  for (int64_t i = int64_t(words.size()) - 2; i >= 0; --i) {
    Value at = tt::SplatOp::create(b, loc, type, number32(i));
    Value below = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, place, at);
    Value word = tt::SplatOp::create(b, loc, type, words[i]);
    all = arith::SelectOp::create(b, loc, below, word, all);
  }
  return all;
}

void ReportWriter::write(int64_t number, ValueRange operands, size_t lost) {
  int64_t bytes = sizeof(trt_report_record);
  SmallVector<int64_t> places;
  for (Value operand : operands) {
    places.push_back(bytes);
    bytes = llvm::alignTo(bytes + bytesOf(operand.getType()), TRITONRT_REPORT_UNIT);
  }
  int64_t units = bytes / TRITONRT_REPORT_UNIT;
  Value start = mem::ReserveOp::create(b, loc, b.getI32Type(), buffer, units, lost);
  Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, start, number32(0));
  auto room = scf::IfOp::create(b, loc, TypeRange(), fits, false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(room.thenBlock());
  Value distance =
      arith::MulIOp::create(b, loc, arith::ExtUIOp::create(b, loc, b.getI64Type(), start),
                            number64(TRITONRT_REPORT_UNIT));
  Value records = offset(buffer, number64(sizeof(trt_report_header)));
  Value record = offset(records, distance);
  store(head(units, number), record);
  for (auto [operand, place] : llvm::zip_equal(operands, places))
    store(operand, offset(record, number64(place)));
}

} // namespace

Value allOf(OpBuilder &b, Location loc, Value condition) {
  auto tensor = dyn_cast<RankedTensorType>(condition.getType());
  if (!tensor)
    return condition;
  if (tensor.getRank() != 1) {
    tensor = RankedTensorType::get(tensor.getNumElements(), tensor.getElementType());
    condition = tt::ReshapeOp::create(b, loc, tensor, condition);
  }
  auto reduce = tt::ReduceOp::create(b, loc, TypeRange(b.getI1Type()), condition, 0);
  OpBuilder::InsertionGuard guard(b);
  Block *block =
      b.createBlock(&reduce.getCombineOp(), {}, {b.getI1Type(), b.getI1Type()}, {loc, loc});
  Value both = arith::AndIOp::create(b, loc, block->getArgument(0), block->getArgument(1));
  tt::ReduceReturnOp::create(b, loc, ValueRange(both));
  return reduce->getResult(0);
}

bool reports(tt::FuncOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isReport(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult Translator::translatePrint(tt::PrintOp op) {
  reportLines.push_back(reportLine(op));
  SmallVector<Value> operands;
  for (Value operand : op.getArgs())
    operands.push_back(tt::isPtrLike(operand.getType())
                           ? forms.materializeFull(absolute(pointer(operand)))
                           : data(operand));
  ReportWriter(builder, function, op.getLoc())
      .write(reportLines.size() - 1, operands, offsetof(trt_report_header, dropped));
  return success();
}

LogicalResult Translator::translateAssert(tt::AssertOp op) {
  Location loc = op.getLoc();
  reportLines.push_back(reportLine(op));
  Value holds = allOf(builder, loc, data(op.getCondition()));
  Value yes = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value fails = arith::XOrIOp::create(builder, loc, holds, yes);
  auto failed = scf::IfOp::create(builder, loc, TypeRange(), fails, false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(failed.thenBlock());
  ReportWriter(builder, function, loc)
      .write(reportLines.size() - 1, {}, offsetof(trt_report_header, lost_asserts));
  // What follows may rely on the condition.
  mem::ExitOp::create(builder, loc);
  return success();
}

} // namespace tritonrt::compiler
