// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans along the lanes. Every vector is scanned in itself in log2(W) steps, then the carry, a
// scalar, is combined with all of its lanes; the carries alone form the chain from vector to
// vector.
#include "compiler/analysis/Bits.h"
#include "compiler/passes/vector/MapVectorLoops.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

NestMapper::Values NestMapper::scanWithinVector(const Group &group, Values values) {
  int64_t width = plan.width;
  for (int64_t distance = 1; distance < width; distance *= 2) {
    SmallVector<int64_t> from;
    SmallVector<bool> reached;
    for (int64_t lane = 0; lane < width; ++lane) {
      int64_t other = plan.reverse ? lane + distance : lane - distance;
      reached.push_back(other >= 0 && other < width);
      // Lane 0 of the second operand of the shuffle: a neutral element, if there is one.
      from.push_back(reached.back() ? other : width);
    }
    Values earlier;
    for (auto [i, value] : llvm::enumerate(values)) {
      Value filler = value;
      if (!group.neutral.empty())
        filler = b.spread(arith::ConstantOp::create(b, group.neutral[i]), width);
      earlier.push_back(vector::ShuffleOp::create(b, value, filler, from));
    }
    Values merged = combine(group, earlier, values, width);
    if (group.neutral.empty()) {
      auto type = VectorType::get({width}, b.getI1Type());
      Value mask = arith::ConstantOp::create(b, DenseElementsAttr::get(type, reached));
      for (auto [value, old] : llvm::zip_equal(merged, values))
        value = b.select(mask, value, old);
    }
    values = merged;
  }
  return values;
}

NestMapper::Values NestMapper::scanStep(const Point &point, ValueRange carries, Value first) {
  Values yielded = PointEmitter(function, nest, point).emit();
  storeTiles(yielded, point);
  BitMap identity = identityBits(numBits(nest.getDomain()));
  Values next;
  for (const Group &group : groups) {
    Values values;
    for (unsigned result : group.results)
      values.push_back(b.spread(yielded[result], plan.width));
    values = scanWithinVector(group, values);
    Values carry(carries.slice(next.size(), values.size())), wide, last;
    for (auto [value, scalar] : llvm::zip_equal(values, carry)) {
      last.push_back(vector::ExtractOp::create(b, value, plan.reverse ? 0 : plan.width - 1));
      wide.push_back(b.spread(scalar, plan.width));
    }
    Values merged = combine(group, wide, values, plan.width);
    Values passed = combine(group, carry, last, 1);
    bool noCarry = first && group.neutral.empty();
    for (auto [i, result] : llvm::enumerate(group.results)) {
      Value value = noCarry ? b.select(first, values[i], merged[i]) : merged[i];
      PointEmitter(function, nest, point)
          .storeTile(value, function.tile(nest.getResult(result)), identity);
      next.push_back(noCarry ? b.select(first, last[i], passed[i]) : passed[i]);
    }
  }
  return next;
}

NestMapper::Values NestMapper::scanLanes(Point point) {
  int64_t d = plan.lane, width = plan.width;
  Point single = point;
  point.lane = d;
  point.width = width;
  Value end = wholeVectors(d, width), top = b.sub(hi[d], b.constant(1));
  auto isFirst = [&](Value at, Value start) {
    return needsFirst() ? b.cmp(arith::CmpIPredicate::eq, at, start) : Value();
  };
  Values carries = initial(1);
  if (plan.reverse) {
    // What fills no vector lies at the top and comes first, element by element.
    carries = loop(end, hi[d], 1, carries, [&](Value at, ValueRange carries) {
      single.index[d] = b.sub(top, b.sub(at, end));
      return step(single, carries, isFirst(single.index[d], top));
    });
    Value highest = b.sub(end, b.constant(width));
    return loop(lo[d], end, width, carries, [&](Value at, ValueRange carries) {
      point.index[d] = b.sub(highest, b.sub(at, lo[d]));
      Value above = b.add(point.index[d], b.constant(width - 1));
      return scanStep(point, carries, isFirst(above, top));
    });
  }
  carries = loop(lo[d], end, width, carries, [&](Value at, ValueRange carries) {
    point.index[d] = at;
    return scanStep(point, carries, isFirst(at, lo[d]));
  });
  if (!function.options().cheapMasks)
    return loop(end, hi[d], 1, carries, [&](Value at, ValueRange carries) {
      single.index[d] = at;
      return step(single, carries, isFirst(at, lo[d]));
    });
  // Dead lanes are later ones: nobody looks at what they and the last carry become.
  branch(isBelow(end, hi[d]), {},
         [&] {
           point.index[d] = end;
           point.mask = tailMask(end, d);
           scanStep(point, carries, isFirst(end, lo[d]));
           return Values();
         },
         {});
  return carries;
}

} // namespace tritonrt::compiler::mapvector
