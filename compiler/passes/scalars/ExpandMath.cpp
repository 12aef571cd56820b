// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of f32 and f64 become arithmetic that every target has, so that they vectorise and give
// the same values everywhere. compiler/math holds the functions, docs/math.md their errors.
#include "compiler/dialect/libm/Libm.h"
#include "compiler/math/Builder.h"
#include "compiler/math/Functions.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// The name under which compiler/math knows an op; "" for one that the targets have themselves.
StringRef functionOf(Operation *op) {
  if (auto call = dyn_cast<libm::CallOp>(op))
    return call.getFunction();
  if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::CtPopOp,
          math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::FloorOp, math::FmaOp,
          math::RoundOp, math::RoundEvenOp, math::SqrtOp, math::TruncOp, math::IsFiniteOp,
          math::IsInfOp, math::IsNaNOp, math::IsNormalOp>(op))
    return "";
  if (isa<math::PowFOp>(op))
    return "pow";
  if (isa<math::FPowIOp>(op))
    return "powi";
  return op->getName().stripDialect();
}

/// x^n for integers: a product of squares. A negative exponent leaves 0 but of 1 and -1.
Value integerPower(ImplicitLocOpBuilder &b, math::IPowIOp op) {
  Type type = op.getType();
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto number = [&](int64_t value) -> Value {
    Type element = getElementTypeOrSelf(type);
    auto attr = cast<TypedAttr>(Attribute(
        IntegerAttr::get(element, APInt(bits, value, /*isSigned=*/true, /*implicitTrunc=*/true))));
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(b, attr);
  };
  auto is = [&](arith::CmpIPredicate how, Value x, int64_t y) -> Value {
    return arith::CmpIOp::create(b, how, x, number(y));
  };
  Value base = op.getLhs(), exponent = op.getRhs(), square = base, power = number(1);
  for (unsigned bit = 0; bit + 1 < bits; ++bit) {
    Value mask = arith::AndIOp::create(b, exponent, number(int64_t{1} << bit));
    Value taken = is(arith::CmpIPredicate::ne, mask, 0);
    power = arith::SelectOp::create(b, taken, arith::MulIOp::create(b, power, square), power);
    square = arith::MulIOp::create(b, square, square);
  }
  // Of the units, the lowest bits of a negative exponent say what the powers are too.
  Value isUnit = arith::OrIOp::create(b, is(arith::CmpIPredicate::eq, base, 1),
                                      is(arith::CmpIPredicate::eq, base, -1));
  Value isInverse = is(arith::CmpIPredicate::slt, exponent, 0);
  Value inverse = arith::SelectOp::create(b, isUnit, power, number(0));
  return arith::SelectOp::create(b, isInverse, inverse, power);
}

/// x within its bounds; NaN stays NaN.
Value clamped(ImplicitLocOpBuilder &b, math::ClampFOp op) {
  auto is = [&](arith::CmpFPredicate how, Value x, Value y) -> Value {
    return arith::CmpFOp::create(b, how, x, y);
  };
  Value x = op.getValue();
  Value above = is(arith::CmpFPredicate::OLT, x, op.getMin());
  x = arith::SelectOp::create(b, above, op.getMin(), x);
  Value below = is(arith::CmpFPredicate::OGT, x, op.getMax());
  return arith::SelectOp::create(b, below, op.getMax(), x);
}

struct ExpandMathPass : PassWrapper<ExpandMathPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandMathPass)

  ExpandMathPass() = default;
  ExpandMathPass(const ExpandMathPass &other) : PassWrapper(other), fixed(other.fixed) {}
  explicit ExpandMathPass(const ExpandMathOptions &options) : fixed(options) {}

  StringRef getArgument() const override { return "expand-math"; }
  StringRef getDescription() const override { return "Functions of f32 and f64 become arithmetic"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> work;
    getOperation().walk([&](Operation *op) {
      if (isa<libm::LibmDialect, math::MathDialect>(op->getDialect()))
        work.push_back(op);
    });
    for (Operation *op : work)
      if (SmallVector<Value, 2> values = expand(op); !values.empty()) {
        op->replaceAllUsesWith(values);
        op->erase();
      }
  }

private:
  Value call(ImplicitLocOpBuilder &b, StringRef name, ValueRange operands, Type result) {
    const mathlib::Function *function = mathlib::findFunction(name);
    if (!function || !mathlib::fits(*function, operands.getTypes(), result))
      return {};
    mathlib::Context context{b, fixed.hasScale || scale, fixed.contracts || contracts};
    return function->build(context, operands);
  }

  /// The values of an op; none for one that stays.
  SmallVector<Value, 2> expand(Operation *op) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    ValueRange operands = op->getOperands();
    if (isa<math::SincosOp>(op)) {
      Type type = op->getResult(0).getType();
      Value sin = call(b, "sin", operands, type), cos = call(b, "cos", operands, type);
      return sin ? SmallVector<Value, 2>{sin, cos} : SmallVector<Value, 2>{};
    }
    if (auto power = dyn_cast<math::IPowIOp>(op))
      return {integerPower(b, power)};
    if (auto clamp = dyn_cast<math::ClampFOp>(op))
      return {clamped(b, clamp)};
    StringRef name = functionOf(op);
    if (name.empty())
      return {};
    Value value = call(b, name, operands, op->getResult(0).getType());
    return value ? SmallVector<Value, 2>{value} : SmallVector<Value, 2>{};
  }

  ExpandMathOptions fixed;
  Option<bool> scale{*this, "scale", llvm::cl::desc("the target scales by powers of two"),
                     llvm::cl::init(false)};
  Option<bool> contracts{*this, "contracts",
                         llvm::cl::desc("the target makes one fma of a product and a sum"),
                         llvm::cl::init(false)};
};

} // namespace

std::unique_ptr<Pass> createExpandMathPass(const ExpandMathOptions &options) {
  return std::make_unique<ExpandMathPass>(options);
}

} // namespace tritonrt::compiler
