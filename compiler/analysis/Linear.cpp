// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/Linear.h"

#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace tritonrt::compiler {

// Arithmetic of the analysis wraps as the emitted arithmetic does.
static int64_t wrapAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
static int64_t wrapMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)) && constant.getBitWidth() <= 64)
    return constant.getBitWidth() == 1 ? constant.getZExtValue() : constant.getSExtValue();
  return std::nullopt;
}

Linear Linear::of(Value value, int64_t coefficient) {
  if (std::optional<int64_t> constant = constantOf(value))
    return Linear(wrapMul(*constant, coefficient));
  Linear result;
  if (coefficient != 0)
    result.terms.push_back({value, coefficient});
  return result;
}

bool Linear::divisibleBy(int64_t divisor) const {
  return constant % divisor == 0 &&
         llvm::all_of(terms, [&](const Term &term) { return term.second % divisor == 0; });
}

Linear Linear::operator+(const Linear &other) const {
  Linear result = *this;
  result.constant = wrapAdd(constant, other.constant);
  for (const auto &[value, coefficient] : other.terms) {
    auto *same = llvm::find_if(result.terms, [&](const Term &t) { return t.first == value; });
    if (same == result.terms.end())
      result.terms.push_back({value, coefficient});
    else if ((same->second = wrapAdd(same->second, coefficient)) == 0)
      result.terms.erase(same);
  }
  return result;
}

Linear Linear::operator*(int64_t factor) const {
  Linear result(wrapMul(constant, factor));
  for (const auto &[value, coefficient] : terms)
    if (int64_t product = wrapMul(coefficient, factor))
      result.terms.push_back({value, product});
  return result;
}

Linear Linear::exactDiv(int64_t divisor) const {
  Linear result(constant / divisor);
  for (const auto &[value, coefficient] : terms)
    result.terms.push_back({value, coefficient / divisor});
  return result;
}

Scalars::Key Scalars::KeyInfo::getEmptyKey() {
  return {DenseMapInfo<TypeID>::getEmptyKey(), {}, {}, {}, 0};
}
Scalars::Key Scalars::KeyInfo::getTombstoneKey() {
  return {DenseMapInfo<TypeID>::getTombstoneKey(), {}, {}, {}, 0};
}
unsigned Scalars::KeyInfo::getHashValue(const Key &key) {
  return llvm::hash_combine(key.kind, hash_value(key.a), hash_value(key.b), hash_value(key.c),
                            key.extra);
}

Value Scalars::constant(TypedAttr value) {
  Value &known = constants[value];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  if (lastConstant)
    builder.setInsertionPointAfter(lastConstant);
  else
    builder.setInsertionPointToStart(&entry);
  auto op = arith::ConstantOp::create(builder, loc, value);
  lastConstant = op;
  return known = op;
}

void Scalars::enter(ArrayRef<Value> operands) {
  Block *block = builder.getInsertionBlock();
  Operation *inside = nullptr;
  while (block != &entry &&
         llvm::none_of(operands, [&](Value v) { return v.getParentBlock() == block; })) {
    inside = block->getParentOp();
    block = inside->getBlock();
  }
  if (inside)
    builder.setInsertionPoint(inside);
}

template <typename Op, typename Build>
Value Scalars::memo(ArrayRef<Value> operands, int64_t extra, Build build) {
  Key key{TypeID::get<Op>(), {}, {}, {}, extra};
  Value *slots[] = {&key.a, &key.b, &key.c};
  for (auto [slot, operand] : llvm::zip(slots, operands))
    *slot = operand;
  Value &result = known[key];
  if (!result) {
    OpBuilder::InsertionGuard guard(builder);
    enter(operands);
    result = build();
  }
  return result;
}

Value Scalars::extend(Value value, bool isSigned) {
  if (value.getType().isInteger(64))
    return value;
  if (std::optional<int64_t> c = constantOf(value)) {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    return constant(isSigned && width > 1 ? *c : *c & llvm::maskTrailingOnes<uint64_t>(width));
  }
  Type i64 = builder.getI64Type();
  if (isSigned)
    return memo<arith::ExtSIOp>(
        value, 0, [&] { return arith::ExtSIOp::create(builder, loc, i64, value).getResult(); });
  return memo<arith::ExtUIOp>(
      value, 0, [&] { return arith::ExtUIOp::create(builder, loc, i64, value).getResult(); });
}

Linear Scalars::linear(Value value, bool isSigned) { return Linear::of(extend(value, isSigned)); }

Value Scalars::value(const Linear &sum) {
  Value result;
  auto add = [&](Value v) {
    if (!result)
      result = v;
    else
      result = memo<arith::AddIOp>({result, v}, 0, [&, a = result] {
        return arith::AddIOp::create(builder, loc, a, v).getResult();
      });
  };
  auto subtract = [&](Value v) {
    if (!result)
      result = constant(0);
    result = memo<arith::SubIOp>({result, v}, 0, [&, a = result] {
      return arith::SubIOp::create(builder, loc, a, v).getResult();
    });
  };
  auto term = [&](Value v, int64_t coefficient) {
    if (coefficient == 1)
      return add(v);
    if (coefficient == -1)
      return subtract(v);
    Value factor = constant(coefficient);
    add(memo<arith::MulIOp>({v, factor}, 0, [&] {
      return arith::MulIOp::create(builder, loc, v, factor).getResult();
    }));
  };
  // What is taken away comes after what it is taken from.
  for (const auto &[v, coefficient] : sum.terms)
    if (coefficient != -1)
      term(v, coefficient);
  if (sum.constant != 0 || sum.terms.empty())
    add(constant(sum.constant));
  for (const auto &[v, coefficient] : sum.terms)
    if (coefficient == -1)
      term(v, coefficient);
  return result;
}

Linear Scalars::compact(const Linear &sum) {
  constexpr size_t maxTerms = 12;
  if (sum.terms.size() <= maxTerms)
    return sum;
  // What all terms have in common stays divisible.
  uint64_t common = 0;
  for (const auto &[v, coefficient] : sum.terms)
    common = std::gcd(common, coefficient < 0 ? -uint64_t(coefficient) : uint64_t(coefficient));
  auto factor = static_cast<int64_t>(common);
  if (factor <= 0)
    return sum;
  Linear varying = sum;
  varying.constant = 0;
  return Linear::of(value(varying.exactDiv(factor)), factor) + Linear(sum.constant);
}

Linear Scalars::multiply(const Linear &a, const Linear &b) {
  if (a.isConstant())
    return b * a.constant;
  if (b.isConstant())
    return a * b.constant;
  // A common constant factor stays outside, where it can be divided away again.
  auto split = [&](const Linear &x) -> std::pair<Value, int64_t> {
    if (x.terms.size() == 1 && x.constant == 0)
      return x.terms.front();
    return {value(x), 1};
  };
  auto [x, cx] = split(a);
  auto [y, cy] = split(b);
  Value product = memo<arith::MulIOp>({x, y}, 0, [&, x = x, y = y] {
    return arith::MulIOp::create(builder, loc, x, y).getResult();
  });
  return Linear::of(product, wrapMul(cx, cy));
}

Value Scalars::minimum(Value a, Value b) {
  std::optional<int64_t> ca = constantOf(a), cb = constantOf(b);
  if (a == b || (ca && cb && *ca <= *cb))
    return a;
  if (ca && cb)
    return b;
  return memo<arith::MinSIOp>(
      {a, b}, 0, [&] { return arith::MinSIOp::create(builder, loc, a, b).getResult(); });
}

Value Scalars::maximum(Value a, Value b) {
  std::optional<int64_t> ca = constantOf(a), cb = constantOf(b);
  if (a == b || (ca && cb && *ca >= *cb))
    return a;
  if (ca && cb)
    return b;
  return memo<arith::MaxSIOp>(
      {a, b}, 0, [&] { return arith::MaxSIOp::create(builder, loc, a, b).getResult(); });
}

Value Scalars::select(Value condition, Value a, Value b) {
  if (a == b)
    return a;
  if (std::optional<int64_t> c = constantOf(condition))
    return *c ? a : b;
  return memo<arith::SelectOp>({condition, a, b}, 0, [&] {
    return arith::SelectOp::create(builder, loc, condition, a, b).getResult();
  });
}

Value Scalars::compare(int64_t predicate, Value a, Value b) {
  auto kind = static_cast<arith::CmpIPredicate>(predicate);
  std::optional<int64_t> ca = constantOf(a), cb = constantOf(b);
  if (ca && cb)
    return constant(builder.getBoolAttr(
        arith::applyCmpPredicate(kind, APInt(64, *ca, true), APInt(64, *cb, true))));
  return memo<arith::CmpIOp>({a, b}, predicate, [&] {
    return arith::CmpIOp::create(builder, loc, kind, a, b).getResult();
  });
}

Value Scalars::logicalAnd(Value a, Value b) {
  if (!a || a == b)
    return b;
  if (!b)
    return a;
  return memo<arith::AndIOp>({a, b}, 0,
                             [&] { return arith::AndIOp::create(builder, loc, a, b).getResult(); });
}

Value Scalars::modulo(Value value, Value size) {
  std::optional<int64_t> cv = constantOf(value), cs = constantOf(size);
  if (cv && cs && *cs > 0)
    return constant(*cv % *cs);
  // The division may run where the source would have skipped it.
  Value divisor = cs && *cs > 0 ? size : maximum(size, constant(1));
  return memo<arith::RemSIOp>({value, divisor}, 0, [&] {
    return arith::RemSIOp::create(builder, loc, value, divisor).getResult();
  });
}

Value Scalars::floorDiv(Value value, int64_t divisor) {
  if (divisor == 1)
    return value;
  if (std::optional<int64_t> c = constantOf(value))
    return constant(*c >= 0 ? *c / divisor : -((-*c + divisor - 1) / divisor));
  if (llvm::isPowerOf2_64(divisor)) {
    Value bits = constant(llvm::Log2_64(divisor));
    return memo<arith::ShRSIOp>({value, bits}, 0, [&] {
      return arith::ShRSIOp::create(builder, loc, value, bits).getResult();
    });
  }
  Value negative = compare(static_cast<int64_t>(arith::CmpIPredicate::slt), value, constant(0));
  Value shift = select(negative, constant(divisor - 1), constant(0));
  Value dividend = this->value(Linear::of(value) - Linear::of(shift));
  Value d = constant(divisor);
  return memo<arith::DivSIOp>({dividend, d}, 0, [&] {
    return arith::DivSIOp::create(builder, loc, dividend, d).getResult();
  });
}

Value Scalars::offset(Value base, const Linear &bytes) {
  if (bytes.isZero())
    return base;
  Value distance = value(bytes);
  return memo<mem::OffsetOp>({base, distance}, 0, [&] {
    return mem::OffsetOp::create(builder, loc, base.getType(), base, distance).getResult();
  });
}

Value Scalars::toInt(Value pointer) {
  return memo<mem::ToIntOp>(pointer, 0, [&] {
    return mem::ToIntOp::create(builder, loc, builder.getI64Type(), pointer).getResult();
  });
}

Value Scalars::fromInt(Value address) {
  Type type = mem::PtrType::get(builder.getContext(), mem::Space::Global);
  return memo<mem::FromIntOp>(
      address, 0, [&] { return mem::FromIntOp::create(builder, loc, type, address).getResult(); });
}

Value Scalars::null() {
  Type type = mem::PtrType::get(builder.getContext(), mem::Space::Global);
  return memo<mem::NullOp>({}, 0,
                           [&] { return mem::NullOp::create(builder, loc, type).getResult(); });
}

Value Scalars::truncate(Value value) {
  if (std::optional<int64_t> c = constantOf(value))
    return constant(builder.getI32IntegerAttr(static_cast<int32_t>(*c)));
  return memo<arith::TruncIOp>(value, 0, [&] {
    return arith::TruncIOp::create(builder, loc, builder.getI32Type(), value).getResult();
  });
}

Value Scalars::buffer(int64_t number, int64_t bytes, bool temporary) {
  Type type = mem::PtrType::get(builder.getContext(), mem::Space::Global);
  return memo<mem::BufferOp>({}, number, [&] {
    return mem::BufferOp::create(builder, loc, type, number, bytes, temporary).getResult();
  });
}

Value Scalars::remote(Value base, Value rank) {
  return memo<mem::RemoteOp>({base, rank}, 0, [&] {
    return mem::RemoteOp::create(builder, loc, base.getType(), base, rank).getResult();
  });
}

} // namespace tritonrt::compiler
