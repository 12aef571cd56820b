// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives every float a form that the target has. A format without registers of its own becomes its
// bits in an integer: values, memory and parameters alike, since the bits are what lies in memory.
// Arithmetic on a format that the target cannot compute in goes through f32 and is rounded once.
#include "compiler/passes/Passes.h"
#include "compiler/passes/scalars/Lanes.h"
#include "compiler/passes/scalars/SmallFloat.h"

#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// An op to rewrite, with its types from before the values changed theirs.
struct Work {
  Operation *op;
  SmallVector<Type> operandTypes, resultTypes;
};

class FloatLegalizer {
public:
  FloatLegalizer(func::FuncOp function, const LegalizeFloatsOptions &options)
      : function(function), options(options) {}

  LogicalResult run();

private:
  /// Is it carried as the bits in an integer?
  bool isBits(Type type) const {
    type = getElementTypeOrSelf(type);
    return SmallFloat::find(type) && !(type.isF16() && options.f16 != FloatSupport::None);
  }
  /// Must arithmetic on it go through f32?
  bool isWidened(Type type) const {
    type = getElementTypeOrSelf(type);
    return SmallFloat::find(type) && !(type.isF16() && options.f16 == FloatSupport::Full);
  }
  Type carrier(Type type) const {
    if (!isBits(type))
      return type;
    Type element = getElementTypeOrSelf(type);
    return withElement(type, IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth()));
  }

  void collect();
  void changeTypes();
  LogicalResult rewrite(const Work &work);

  /// f32 of `value`, which stands for a `type`.
  Value widen(ImplicitLocOpBuilder &b, Value value, Type type) const;
  /// The carrier of the `type` nearest to an f32.
  Value narrow(ImplicitLocOpBuilder &b, Value number, Type type, bool towardZero = false) const;

  Value convert(ImplicitLocOpBuilder &b, Value value, Type from, Type to, bool towardZero) const;
  Value convertInteger(ImplicitLocOpBuilder &b, const Work &work) const;
  Value atomic(ImplicitLocOpBuilder &b, mem::AtomicRMWOp op, Type type) const;
  void computeWide(ImplicitLocOpBuilder &b, const Work &work) const;
  void replaceConstant(ImplicitLocOpBuilder &b, arith::ConstantOp op) const;

  func::FuncOp function;
  const LegalizeFloatsOptions &options;
  SmallVector<Work> work;
};

/// Ops that only move values: their types change with them and nothing else does.
bool moves(Operation *op) {
  if (isa<arith::SelectOp>(op))
    return true;
  return !isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         !isa<vector::ReductionOp, vector::FMAOp, mem::AtomicRMWOp>(op);
}

void FloatLegalizer::collect() {
  function.walk([&](Operation *op) {
    if (moves(op))
      return;
    auto needs = [&](Type type) { return isWidened(type); };
    bool toNarrow = isa<arith::TruncFOp>(op);
    if (toNarrow || llvm::any_of(op->getOperandTypes(), needs) ||
        llvm::any_of(op->getResultTypes(), needs))
      work.push_back(
          {op, SmallVector<Type>(op->getOperandTypes()), SmallVector<Type>(op->getResultTypes())});
  });
}

void FloatLegalizer::changeTypes() {
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      if (!isa<arith::ConstantOp>(op))
        result.setType(carrier(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          argument.setType(carrier(argument.getType()));
  });
  FunctionType type = function.getFunctionType();
  auto carriers = [&](ArrayRef<Type> types) {
    return llvm::map_to_vector(types, [&](Type t) { return carrier(t); });
  };
  function.setFunctionType(FunctionType::get(function.getContext(), carriers(type.getInputs()),
                                             carriers(type.getResults())));
}

Value FloatLegalizer::widen(ImplicitLocOpBuilder &b, Value value, Type type) const {
  if (!isWidened(type))
    return value;
  Type f32 = withElement(type, b.getF32Type());
  if (!isBits(type))
    return arith::ExtFOp::create(b, f32, value);
  return decode(b, *SmallFloat::find(getElementTypeOrSelf(type)), value,
                options.f16 != FloatSupport::None);
}

Value FloatLegalizer::narrow(ImplicitLocOpBuilder &b, Value number, Type type,
                             bool towardZero) const {
  if (!isBits(type) && !towardZero)
    return arith::TruncFOp::create(b, type, number);
  Value bits = encode(b, *SmallFloat::find(getElementTypeOrSelf(type)), number, towardZero);
  return isBits(type) ? bits : arith::BitcastOp::create(b, type, bits);
}

/// Any float to any other.
Value FloatLegalizer::convert(ImplicitLocOpBuilder &b, Value value, Type from, Type to,
                              bool towardZero) const {
  bool fromDouble = getElementTypeOrSelf(from).isF64(), toDouble = getElementTypeOrSelf(to).isF64();
  bool toSmall = SmallFloat::find(getElementTypeOrSelf(to));
  if (SmallFloat::find(getElementTypeOrSelf(from))) {
    Type f32 = withElement(from, b.getF32Type());
    value = isBits(from) ? widen(b, value, from) : arith::ExtFOp::create(b, f32, value);
  }
  if (toDouble)
    return arith::ExtFOp::create(b, to, value);
  if (fromDouble) {
    if (!toSmall && !towardZero)
      return arith::TruncFOp::create(b, to, value);
    value = roundDouble(b, value,
                        toSmall && !towardZero ? DoubleRounding::ToOdd : DoubleRounding::Truncate);
  }
  return toSmall ? narrow(b, value, to, towardZero) : value;
}

/// Integers that f32 does not hold go through f64 where there is one, to be rounded once.
Value FloatLegalizer::convertInteger(ImplicitLocOpBuilder &b, const Work &item) const {
  Type to = item.resultTypes[0];
  unsigned bits = getElementTypeOrSelf(item.operandTypes[0]).getIntOrFloatBitWidth();
  bool isBrain = getElementTypeOrSelf(to).isBF16();
  Type through = withElement(to, bits > 24 && isBrain && options.f64 ? Type(b.getF64Type())
                                                                     : Type(b.getF32Type()));
  Value operand = item.op->getOperand(0);
  Value number = isa<arith::SIToFPOp>(item.op)
                     ? Value(arith::SIToFPOp::create(b, through, operand))
                     : Value(arith::UIToFPOp::create(b, through, operand));
  return convert(b, number, through, to, /*towardZero=*/false);
}

/// A loop of compare-and-swaps on the bits.
Value FloatLegalizer::atomic(ImplicitLocOpBuilder &b, mem::AtomicRMWOp op, Type type) const {
  Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  Value addend = widen(b, op.getValue(), type);
  auto fromBits = [&](Value value) {
    return isBits(type) ? value : arith::BitcastOp::create(b, type, value);
  };
  auto toBits = [&](Value value) {
    return isBits(type) ? value : arith::BitcastOp::create(b, bits, value);
  };
  Value first = mem::AtomicLoadOp::create(b, bits, mem::Order::Relaxed, op.getScope(), op.getBase(),
                                          op.getIndex(), op.getUnitAttr());
  auto loop = scf::WhileOp::create(b, TypeRange(bits), ValueRange(first));
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, {bits}, {b.getLoc()});
  Value seen = before->getArgument(0);
  Value number = widen(b, fromBits(seen), type);
  Value combined;
  switch (op.getKind()) {
  case mem::AtomicKind::Max:
    combined = arith::MaxNumFOp::create(b, number, addend);
    break;
  case mem::AtomicKind::Min:
    combined = arith::MinNumFOp::create(b, number, addend);
    break;
  default:
    combined = arith::AddFOp::create(b, number, addend);
    break;
  }
  Value wanted = toBits(isWidened(type) ? narrow(b, combined, type) : combined);
  Value found = mem::AtomicCASOp::create(b, bits, op.getOrder(), op.getScope(), op.getBase(),
                                         op.getIndex(), seen, wanted, op.getUnitAttr());
  Value again = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, found, seen);
  scf::ConditionOp::create(b, again, ValueRange(found));
  Block *after = b.createBlock(&loop.getAfter(), {}, {bits}, {b.getLoc()});
  scf::YieldOp::create(b, ValueRange(after->getArgument(0)));
  b.setInsertionPointAfter(loop);
  return fromBits(loop.getResult(0));
}

/// The same op on f32.
void FloatLegalizer::computeWide(ImplicitLocOpBuilder &b, const Work &item) const {
  SmallVector<Value> operands;
  for (auto [operand, type] : llvm::zip_equal(item.op->getOperands(), item.operandTypes))
    operands.push_back(widen(b, operand, type));
  auto wide = [&](Type type) { return isWidened(type) ? withElement(type, b.getF32Type()) : type; };
  OperationState state(item.op->getLoc(), item.op->getName(), operands,
                       llvm::map_to_vector(item.resultTypes, wide), item.op->getAttrs());
  Operation *computed = b.create(state);
  for (auto [old, result, type] :
       llvm::zip_equal(item.op->getResults(), computed->getResults(), item.resultTypes))
    old.replaceAllUsesWith(isWidened(type) ? narrow(b, result, type) : Value(result));
}

void FloatLegalizer::replaceConstant(ImplicitLocOpBuilder &b, arith::ConstantOp op) const {
  Type to = carrier(op.getType());
  if (to == op.getType())
    return;
  TypedAttr value;
  if (auto number = dyn_cast<FloatAttr>(op.getValue()))
    value = IntegerAttr::get(to, number.getValue().bitcastToAPInt());
  else
    value = cast<DenseElementsAttr>(op.getValue()).bitcast(getElementTypeOrSelf(to));
  op.replaceAllUsesWith(arith::ConstantOp::create(b, value).getResult());
  op.erase();
}

LogicalResult FloatLegalizer::rewrite(const Work &item) {
  Operation *op = item.op;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    replaceConstant(b, constant);
    return success();
  }
  Value result;
  if (isa<arith::ExtFOp>(op)) {
    result = convert(b, op->getOperand(0), item.operandTypes[0], item.resultTypes[0], false);
  } else if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
    bool towardZero = truncate.getRoundingmode() == arith::RoundingMode::toward_zero;
    result = convert(b, op->getOperand(0), item.operandTypes[0], item.resultTypes[0], towardZero);
  } else if (isa<arith::BitcastOp>(op)) {
    Type to = op->getResult(0).getType();
    if (op->getOperand(0).getType() != to)
      return success();
    result = op->getOperand(0);
  } else if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    result = convertInteger(b, item);
  } else if (auto atomicOp = dyn_cast<mem::AtomicRMWOp>(op)) {
    using Kind = mem::AtomicKind;
    // Whatever only moves bits works on the carrier.
    if (!llvm::is_contained({Kind::FAdd, Kind::Add, Kind::Max, Kind::Min}, atomicOp.getKind()))
      return success();
    result = atomic(b, atomicOp, item.resultTypes[0]);
  } else {
    computeWide(b, item);
    op->erase();
    return success();
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return success();
}

LogicalResult FloatLegalizer::run() {
  collect();
  if (work.empty() &&
      llvm::none_of(function.getArgumentTypes(), [&](Type t) { return isBits(t); })) {
    bool any = false;
    function.walk([&](Operation *op) {
      any |= llvm::any_of(op->getResultTypes(), [&](Type t) { return isBits(t); });
    });
    if (!any)
      return success();
  }
  changeTypes();
  for (const Work &item : work)
    if (failed(rewrite(item)))
      return failure();
  return success();
}

struct LegalizeFloatsPass : PassWrapper<LegalizeFloatsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LegalizeFloatsPass)

  LegalizeFloatsPass() = default;
  LegalizeFloatsPass(const LegalizeFloatsPass &other) : PassWrapper(other), fixed(other.fixed) {}
  explicit LegalizeFloatsPass(const LegalizeFloatsOptions &options) : fixed(options) {}

  StringRef getArgument() const override { return "legalize-floats"; }
  StringRef getDescription() const override {
    return "Carry floats that the target lacks as bits; compute in f32";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect, scf::SCFDialect, mem::MemDialect>();
  }

  void runOnOperation() override {
    LegalizeFloatsOptions options = fixed;
    if (!f16.empty())
      options.f16 = f16 == "full"      ? FloatSupport::Full
                    : f16 == "storage" ? FloatSupport::Storage
                                       : FloatSupport::None;
    if (failed(FloatLegalizer(getOperation(), options).run()))
      signalPassFailure();
  }

  LegalizeFloatsOptions fixed;
  Option<std::string> f16{*this, "f16", llvm::cl::desc("none, storage or full"),
                          llvm::cl::init("")};
};

} // namespace

std::unique_ptr<Pass> createLegalizeFloatsPass(const LegalizeFloatsOptions &options) {
  return std::make_unique<LegalizeFloatsPass>(options);
}

} // namespace tritonrt::compiler
