// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that move elements around, and ops with a region of scalar code.
#include "tests/evaluator/interpreter.h"

namespace tritonrt::evaluator {

using mlir::dyn_cast;
using mlir::Type;

/// result[index] = source[map(index)], over all indices of the result.
template <typename Map>
static Val Rearranged(Type type, const Val& source, Map map) {
  Val result = Zero(type);
  Indices at(result.shape);
  for (Bits& lane : result.lanes) {
    lane = source.lanes[map(*at)];
    at.Next();
  }
  return result;
}

static Val Broadcast(Type type, const Val& source) {
  return Rearranged(type, source, [&](llvm::ArrayRef<int64_t> index) {
    std::vector<int64_t> from(index);
    for (size_t d = 0; d < from.size(); ++d)
      if (source.shape[d] == 1) from[d] = 0;
    return Flat(from, source.shape);
  });
}

static Val Transposed(Type type, const Val& source, llvm::ArrayRef<int32_t> order) {
  return Rearranged(type, source, [&](llvm::ArrayRef<int64_t> index) {
    std::vector<int64_t> from(index.size());
    for (size_t d = 0; d < from.size(); ++d) from[order[d]] = index[d];
    return Flat(from, source.shape);
  });
}

static Val Gathered(Type type, const Val& source, const Val& indices, int64_t axis) {
  return Rearranged(type, source, [&](llvm::ArrayRef<int64_t> index) {
    std::vector<int64_t> from(index);
    from[axis] = ToSigned(indices.lanes[Flat(index, indices.shape)], indices.element);
    return Flat(from, source.shape);
  });
}

static Val Histogram(Type type, const Val& source, const Val* mask) {
  Val result = Zero(type);
  for (auto [lane, bits] : llvm::enumerate(source.lanes)) {
    int64_t bin = ToSigned(bits, source.element);
    if ((!mask || mask->lanes[lane]) && bin >= 0 && bin < int64_t(result.lanes.size()))
      result.lanes[bin] = FromInt(result.lanes[bin] + 1, result.element);
  }
  return result;
}

bool Interpreter::Shapes(mlir::Operation* op, bool& known) {
  known = true;
  auto set = [&](unsigned i, Val value) {
    values_[op->getResult(i)] = std::move(value);
    return true;
  };
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    Val result = Zero(type);
    for (auto [lane, bits] : llvm::enumerate(result.lanes))
      bits = FromInt(static_cast<int32_t>(range.getStart()) + lane, result.element);
    return set(0, result);
  }
  if (mlir::isa<tt::SplatOp>(op)) {
    Val result = Zero(type);
    result.lanes.assign(result.lanes.size(), Get(op->getOperand(0)).lanes[0]);
    return set(0, result);
  }
  if (mlir::isa<tt::ExpandDimsOp, tt::ReshapeOp, tt::UnsplatOp>(op)) {
    Val result = Zero(type);
    result.lanes = Get(op->getOperand(0)).lanes;
    return set(0, result);
  }
  if (auto wide = dyn_cast<tt::BroadcastOp>(op)) return set(0, Broadcast(type, Get(wide.getSrc())));
  if (auto turned = dyn_cast<tt::TransOp>(op))
    return set(0, Transposed(type, Get(turned.getSrc()), turned.getOrder()));
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return set(0, Gathered(type, Get(gather.getSrc()), Get(gather.getIndices()),
                           static_cast<int32_t>(gather.getAxis())));
  if (auto counts = dyn_cast<tt::HistogramOp>(op))
    return set(0, Histogram(type, Get(counts.getSrc()),
                            counts.getMask() ? &Get(counts.getMask()) : nullptr));
  if (auto join = dyn_cast<tt::JoinOp>(op)) {
    Val result = Zero(type);
    for (size_t lane = 0; lane < result.lanes.size(); ++lane)
      result.lanes[lane] = Get(op->getOperand(lane % 2)).lanes[lane / 2];
    return set(0, result);
  }
  if (auto split = dyn_cast<tt::SplitOp>(op)) {
    for (unsigned half : {0u, 1u}) {
      Val result = Zero(type);
      for (size_t lane = 0; lane < result.lanes.size(); ++lane)
        result.lanes[lane] = Get(split.getSrc()).lanes[2 * lane + half];
      set(half, result);
    }
    return true;
  }
  if (auto cat = dyn_cast<tt::CatOp>(op)) {
    Val result = Zero(type);
    result.lanes = Get(cat.getLhs()).lanes;
    const Val& rest = Get(cat.getRhs());
    result.lanes.insert(result.lanes.end(), rest.lanes.begin(), rest.lanes.end());
    return set(0, result);
  }
  known = false;
  return true;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// One element of each operand.
static std::vector<Val> ElementsAt(llvm::ArrayRef<Val> sources, int64_t lane) {
  std::vector<Val> elements;
  for (const Val& source : sources) {
    Val element = Zero(source.element);
    element.lanes[0] = source.lanes[lane];
    elements.push_back(element);
  }
  return elements;
}

static std::vector<Val> Both(std::vector<Val> first, const std::vector<Val>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Lanes of the line along `axis` that `line` numbers, in order.
static std::vector<int64_t> Line(llvm::ArrayRef<int64_t> shape, int64_t axis, int64_t line) {
  int64_t inner = 1;
  for (size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  int64_t begin = line / inner * inner * shape[axis] + line % inner;
  std::vector<int64_t> lanes;
  for (int64_t i = 0; i < shape[axis]; ++i) lanes.push_back(begin + i * inner);
  return lanes;
}

bool Interpreter::Reduce(tt::ReduceOp op) {
  Values sources = GetAll(op.getSrcs()), results;
  for (Type type : op.getResultTypes()) results.push_back(Zero(type));
  int64_t axis = static_cast<int32_t>(op.getAxis());
  for (size_t line = 0; line < results[0].lanes.size(); ++line) {
    std::vector<int64_t> lanes = Line(sources[0].shape, axis, line);
    Values total = ElementsAt(sources, lanes[0]);
    for (int64_t lane : llvm::drop_begin(lanes))
      if (!RunRegion(op.getCombineOp(), Both(ElementsAt(sources, lane), total), total))
        return false;
    for (size_t i = 0; i < results.size(); ++i) results[i].lanes[line] = total[i].lanes[0];
  }
  SetAll(op.getResults(), results);
  return true;
}

bool Interpreter::Scan(tt::ScanOp op) {
  Values sources = GetAll(op.getSrcs()), results = sources;
  int64_t axis = static_cast<int32_t>(op.getAxis());
  int64_t lines = sources[0].lanes.size() / sources[0].shape[axis];
  for (int64_t line = 0; line < lines; ++line) {
    std::vector<int64_t> lanes = Line(sources[0].shape, axis, line);
    if (op.getReverse()) std::reverse(lanes.begin(), lanes.end());
    Values total = ElementsAt(sources, lanes[0]);
    for (int64_t lane : llvm::drop_begin(lanes)) {
      if (!RunRegion(op.getCombineOp(), Both(total, ElementsAt(sources, lane)), total))
        return false;
      for (size_t i = 0; i < results.size(); ++i) results[i].lanes[lane] = total[i].lanes[0];
    }
  }
  SetAll(op.getResults(), results);
  return true;
}

bool Interpreter::MapElementwise(tt::MapElementwiseOp op) {
  Values sources = GetAll(op.getSrcs()), results;
  for (Type type : op.getResultTypes()) results.push_back(Zero(type));
  int64_t pack = static_cast<int32_t>(op.getPack());
  for (int64_t lane = 0; lane < int64_t(sources[0].lanes.size()); lane += pack) {
    Values args, given;
    for (const Val& source : sources)
      for (int64_t i = 0; i < pack; ++i) args = Both(args, ElementsAt(source, lane + i));
    if (!RunRegion(op.getScalarOp(), args, given)) return false;
    for (size_t r = 0; r < results.size(); ++r)
      for (int64_t i = 0; i < pack; ++i) results[r].lanes[lane + i] = given[r * pack + i].lanes[0];
  }
  SetAll(op.getResults(), results);
  return true;
}

/// The sum over K in double (floats) or wrapping (integers), then rounded once.
bool Interpreter::Dot(tt::DotOp op) {
  const Val &a = Get(op.getA()), &b = Get(op.getB());
  Val result = Get(op.getC());
  size_t rank = a.shape.size();
  int64_t depth = a.shape[rank - 1];
  bool integers = result.element.isInteger();
  Indices at(result.shape);
  for (Bits& lane : result.lanes) {
    std::vector<int64_t> left(*at), right(*at);
    double sum = integers ? 0 : ToDouble(lane, result.element);
    int64_t whole = integers ? ToSigned(lane, result.element) : 0;
    for (int64_t k = 0; k < depth; ++k) {
      left[rank - 1] = right[rank - 2] = k;
      Bits x = a.lanes[Flat(left, a.shape)], y = b.lanes[Flat(right, b.shape)];
      if (integers)
        whole += ToSigned(x, a.element) * ToSigned(y, b.element);
      else
        sum += ToDouble(x, a.element) * ToDouble(y, b.element);
    }
    lane = integers ? FromInt(whole, result.element) : FromDouble(sum, result.element);
    at.Next();
  }
  values_[op.getResult()] = result;
  return true;
}

bool Interpreter::Regions(mlir::Operation* op, bool& known) {
  known = true;
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) return Reduce(reduce);
  if (auto scan = dyn_cast<tt::ScanOp>(op)) return Scan(scan);
  if (auto map = dyn_cast<tt::MapElementwiseOp>(op)) return MapElementwise(map);
  if (auto dot = dyn_cast<tt::DotOp>(op)) return Dot(dot);
  known = false;
  return true;
}

}  // namespace tritonrt::evaluator
