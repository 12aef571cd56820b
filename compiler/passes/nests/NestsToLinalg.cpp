// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes pure nests as linalg.generic, for compilers that continue from there. A nest qualifies if
// it touches no memory, covers its whole domain, reads tiles dim by dim, and each of its results is
// a tile, or a reduction by one op with a neutral element. Anything else stays a nest.
#include "compiler/passes/Passes.h"

#include "compiler/analysis/Bits.h"
#include "compiler/dialect/nests/Nests.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// The affine map from the domain to a tile of `shape` read under `bits`, where every dim of the
/// tile is a dim of the domain or has one element.
std::optional<AffineMap> affineOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> bits,
                                  ArrayRef<int64_t> domain, MLIRContext *context) {
  SmallVector<AffineExpr> dims;
  for (int64_t d = 0; d < int64_t(shape.size()); ++d) {
    if (shape[d] == 1) {
      dims.push_back(getAffineConstantExpr(0, context));
      continue;
    }
    int64_t found = wholeDim(dimBits(bits, shape, d), domain);
    if (found < 0)
      return std::nullopt;
    dims.push_back(getAffineDimExpr(found, context));
  }
  return AffineMap::get(domain.size(), 0, dims, context);
}

std::optional<TypedAttr> neutralOf(Region &combine) {
  Block &block = combine.front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2 ||
      block.getTerminator()->getOperand(0).getDefiningOp() != &block.front())
    return std::nullopt;
  return arith::getNeutralElement(&block.front());
}

class Writer {
public:
  explicit Writer(nests::NestOp nest)
      : nest(nest), domain(nest.getDomain()), builder(nest), loc(nest.getLoc()) {}

  bool qualifies();
  void write();

private:
  bool readsTile(nests::ElemOp elem);
  void makeBody(OpBuilder &b, ValueRange elements);

  nests::NestOp nest;
  ArrayRef<int64_t> domain;
  OpBuilder builder;
  Location loc;
  SmallVector<nests::ElemOp> elems;
  SmallVector<AffineMap> maps;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<TypedAttr> neutrals; // one a result, null for a tile
};

bool Writer::qualifies() {
  if (!nest.getBoxDims().empty() || domain.empty() || nest.getNumResults() == 0)
    return false;
  for (Operation &op : nest.getBodyBlock()) {
    if (auto elem = dyn_cast<nests::ElemOp>(op)) {
      auto map =
          affineOf(elem.getTile().getType().getShape(), elem.getBits(), domain, nest.getContext());
      if (!map)
        return false;
      elems.push_back(elem);
      maps.push_back(*map);
    } else if (auto index = dyn_cast<nests::IndexOp>(op)) {
      if (wholeDim(index.getBits(), domain) < 0)
        return false;
    } else if (!isPure(&op) || isa<nests::PickOp>(op) || op.getNumRegions()) {
      return false;
    }
  }
  iterators.assign(domain.size(), utils::IteratorType::parallel);
  for (unsigned i = 0; i < nest.getNumResults(); ++i) {
    nests::ResultAttr kind = nest.getKind(i);
    if (kind.getKind() == nests::Kind::Scan || kind.getDims() != nest.getKind(0).getDims())
      return false;
    neutrals.push_back({});
    if (kind.getKind() == nests::Kind::Reduce) {
      auto neutral = neutralOf(nest.getCombines()[kind.getGroup()]);
      if (!neutral)
        return false;
      neutrals.back() = *neutral;
      for (int64_t d : kind.getDims())
        iterators[d] = utils::IteratorType::reduction;
    }
    SmallVector<AffineExpr> kept;
    for (int64_t d = 0; d < int64_t(domain.size()); ++d)
      if (!llvm::is_contained(kind.getDims(), d))
        kept.push_back(getAffineDimExpr(d, nest.getContext()));
    maps.push_back(AffineMap::get(domain.size(), 0, kept, nest.getContext()));
  }
  // linalg takes the sizes of its loops from the operands.
  return static_cast<bool>(inversePermutation(concatAffineMaps(maps, nest.getContext())));
}

void Writer::makeBody(OpBuilder &b, ValueRange arguments) {
  IRMapping mapping;
  for (auto [elem, argument] : llvm::zip(elems, arguments))
    mapping.map(elem.getResult(), argument);
  SmallVector<Value> yielded;
  for (Operation &op : nest.getBodyBlock()) {
    if (isa<nests::ElemOp>(op))
      continue;
    if (auto index = dyn_cast<nests::IndexOp>(op)) {
      Value at = linalg::IndexOp::create(b, loc, wholeDim(index.getBits(), domain));
      mapping.map(index.getResult(), arith::IndexCastOp::create(b, loc, b.getI32Type(), at));
    } else if (auto yield = dyn_cast<nests::YieldOp>(op)) {
      for (auto [i, value] : llvm::enumerate(yield.getValues())) {
        Value made = mapping.lookupOrDefault(value);
        if (neutrals[i]) {
          Block &combine = nest.getCombines()[nest.getKind(i).getGroup()].front();
          IRMapping pair;
          pair.map(combine.getArgument(0), made);
          pair.map(combine.getArgument(1), arguments[elems.size() + i]);
          made = b.clone(combine.front(), pair)->getResult(0);
        }
        yielded.push_back(made);
      }
    } else {
      b.clone(op, mapping);
    }
  }
  linalg::YieldOp::create(b, loc, yielded);
}

void Writer::write() {
  SmallVector<Value> ins, outs;
  for (nests::ElemOp elem : elems)
    ins.push_back(elem.getTile());
  SmallVector<Type> types;
  for (auto [i, result] : llvm::enumerate(nest.getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    types.push_back(type ? type : RankedTensorType::get({}, result.getType()));
    auto tensor = cast<RankedTensorType>(types.back());
    Value out = tensor::EmptyOp::create(builder, loc, tensor.getShape(), tensor.getElementType());
    if (neutrals[i]) {
      Value neutral = arith::ConstantOp::create(builder, loc, neutrals[i]);
      out = linalg::FillOp::create(builder, loc, neutral, out).getResult(0);
    }
    outs.push_back(out);
  }
  auto generic = linalg::GenericOp::create(
      builder, loc, types, ins, outs, maps, iterators,
      [&](OpBuilder &b, Location, ValueRange arguments) { makeBody(b, arguments); });
  for (auto [old, made] : llvm::zip(nest.getResults(), generic.getResults())) {
    Value value = made;
    if (!isa<RankedTensorType>(old.getType()))
      value = tensor::ExtractOp::create(builder, loc, made, ValueRange());
    old.replaceAllUsesWith(value);
  }
  nest.erase();
}

struct NestsToLinalgPass : PassWrapper<NestsToLinalgPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NestsToLinalgPass)
  StringRef getArgument() const override { return "nests-to-linalg"; }
  StringRef getDescription() const override { return "Write pure nests as linalg.generic"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<linalg::LinalgDialect, tensor::TensorDialect, arith::ArithDialect>();
  }
  void runOnOperation() override {
    SmallVector<nests::NestOp> all;
    getOperation().walk([&](nests::NestOp nest) { all.push_back(nest); });
    for (nests::NestOp nest : all) {
      Writer writer(nest);
      if (writer.qualifies())
        writer.write();
    }
  }
};

} // namespace

std::unique_ptr<Pass> createNestsToLinalgPass() { return std::make_unique<NestsToLinalgPass>(); }

} // namespace tritonrt::compiler
