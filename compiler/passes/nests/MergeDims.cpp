// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbouring dims of a nest become one where nothing tells them apart. Triton sorts on tensors of
// 2 x 2 x ... x 2, of which a step looks at two or three dims: a loop for each of the others costs
// the compiler time, and leaves short loops to run. Bit maps count the bits of a flat index, which
// merging does not change; only shapes are written anew.
#include "compiler/passes/Passes.h"

#include "compiler/analysis/Bits.h"
#include "compiler/dialect/nests/Nests.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Nests of so few dims stay as they are: their loops say where rows begin.
constexpr size_t kFewDims = 4;

/// The shape that `op` finds its element in, where the bits of one dim must stay together.
ArrayRef<int64_t> viewShape(Operation &op) {
  for (Value operand : op.getOperands())
    if (auto view = dyn_cast<nests::ViewType>(operand.getType()))
      return view.getShape();
  return {};
}

class Merger {
public:
  explicit Merger(nests::NestOp nest) : nest(nest), domain(nest.getDomain()) {}

  void run();

private:
  bool isApart(int64_t d);
  bool keepsTogether(Operation &op, int64_t d) const;
  bool canMerge(int64_t d);
  void rewrite(ArrayRef<int64_t> newDimOf, ArrayRef<int64_t> merged);

  nests::NestOp nest;
  SmallVector<int64_t> domain;
};

/// Has dim `d` a meaning of its own: bounds, or an order?
bool Merger::isApart(int64_t d) {
  return llvm::is_contained(nest.getBoxDims(), d) ||
         llvm::any_of(nest.getKinds().getAsRange<nests::ResultAttr>(), [&](nests::ResultAttr kind) {
           return llvm::is_contained(kind.getDims(), d);
         });
}

/// Does `op` see the bits of dims `d` and `d + 1` only as bits of one index, or not at all?
bool Merger::keepsTogether(Operation &op, int64_t d) const {
  auto attr = op.getAttrOfType<DenseI64ArrayAttr>("bits");
  if (!attr)
    return true;
  ArrayRef<int64_t> bits = attr.asArrayRef();
  int64_t first = lowBitOf(domain, d + 1), count = numBits({domain[d], domain[d + 1]});
  SmallVector<int64_t> places;
  for (auto [place, bit] : llvm::enumerate(bits))
    if (bit >= first && bit < first + count)
      places.push_back(place);
  if (places.empty())
    return true;
  if (int64_t(places.size()) != count)
    return false;
  for (int64_t i = 0; i < count; ++i)
    if (places[i] != places[0] + i || bits[places[i]] != first + i)
      return false;
  int64_t low = 0;
  for (int64_t size : llvm::reverse(viewShape(op))) {
    int64_t high = low + numBits(size);
    if (places.front() < high && places.back() >= high)
      return false;
    low = high;
  }
  return true;
}

bool Merger::canMerge(int64_t d) {
  if (isApart(d) || isApart(d + 1))
    return false;
  WalkResult result = nest.getBody().walk([&](Operation *op) {
    return keepsTogether(*op, d) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

void Merger::run() {
  // A tile's shape may change where every reader names its elements by bits.
  bool byBits = llvm::all_of(nest.getResults(), [](Value result) {
    return !isa<RankedTensorType>(result.getType()) ||
           llvm::all_of(result.getUsers(), llvm::IsaPred<nests::ElemOp>);
  });
  bool ordered = nest.getBody()
                     .walk([](Operation *op) {
                       return isa<nests::AtomicRMWOp, nests::AtomicCASOp, nests::PickOp>(op)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
  if (domain.size() <= kFewDims || !byBits || ordered)
    return;
  SmallVector<int64_t> newDimOf{0}, merged{domain[0]};
  for (size_t d = 1; d < domain.size(); ++d) {
    if (canMerge(d - 1))
      merged.back() *= domain[d];
    else
      merged.push_back(domain[d]);
    newDimOf.push_back(merged.size() - 1);
  }
  if (merged.size() < domain.size())
    rewrite(newDimOf, merged);
}

void Merger::rewrite(ArrayRef<int64_t> newDimOf, ArrayRef<int64_t> merged) {
  Builder builder(nest.getContext());
  auto renumber = [&](ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(dims, [&](int64_t d) { return newDimOf[d]; });
  };
  SmallVector<Attribute> kinds;
  for (auto [i, kind] : llvm::enumerate(nest.getKinds().getAsRange<nests::ResultAttr>())) {
    SmallVector<int64_t> dims = renumber(kind.getDims());
    if (auto type = dyn_cast<RankedTensorType>(nest.getResult(i).getType())) {
      SmallVector<int64_t> shape;
      for (auto [d, size] : llvm::enumerate(merged))
        if (kind.getKind() != nests::Kind::Reduce || !llvm::is_contained(dims, int64_t(d)))
          shape.push_back(size);
      nest.getResult(i).setType(type.clone(shape));
    }
    kinds.push_back(nests::ResultAttr::get(nest.getContext(), kind.getKind(), dims,
                                           kind.getReverse(), kind.getGroup()));
  }
  SmallVector<int64_t> boxDims = renumber(nest.getBoxDims());
  nest.setKindsAttr(builder.getArrayAttr(kinds));
  nest.setBoxDims(boxDims);
  nest.setDomain(merged);
}

struct MergeDimsPass : PassWrapper<MergeDimsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MergeDimsPass)
  StringRef getArgument() const override { return "merge-dims"; }
  StringRef getDescription() const override {
    return "Make one dim of those that nothing tells apart";
  }
  void runOnOperation() override {
    getOperation().walk([](nests::NestOp nest) { Merger(nest).run(); });
  }
};

} // namespace

std::unique_ptr<Pass> createMergeDimsPass() { return std::make_unique<MergeDimsPass>(); }

} // namespace tritonrt::compiler
