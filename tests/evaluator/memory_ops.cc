// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores and atomics on host memory, lane after lane.
#include <cstring>
#include <limits>

#include "tests/evaluator/interpreter.h"

namespace tritonrt::evaluator {

using mlir::cast;
using mlir::dyn_cast;
using mlir::Type;

static Bits ReadMemory(Bits address, Type element) {
  Bits bits = 0;
  std::memcpy(&bits, reinterpret_cast<const void*>(address), ByteSize(element));
  return element.isInteger(1) ? (bits & 1) : bits;
}

static void WriteMemory(Bits address, Bits bits, Type element) {
  std::memcpy(reinterpret_cast<void*>(address), &bits, ByteSize(element));
}

static bool Enabled(const Val* mask, size_t lane) {
  return !mask || mask->lanes[mask->lanes.size() == 1 ? 0 : lane];
}

/// Address of an element of a block, or 0 where it is outside along a checked dimension.
static Bits BlockAddress(const BlockPlace& place, llvm::ArrayRef<int64_t> index, Type element,
                         llvm::ArrayRef<int32_t> checked) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    int64_t at = place.offsets[d] + index[d];
    if (llvm::is_contained(checked, int32_t(d)) && (at < 0 || at >= place.shape[d])) return 0;
    offset += at * place.strides[d];
  }
  return place.base + offset * static_cast<int64_t>(ByteSize(element));
}

static Bits Padding(Type element, bool nan) {
  return nan ? FromDouble(std::numeric_limits<double>::quiet_NaN(), element) : 0;
}

/// Every dimension of a descriptor is checked.
static std::vector<int32_t> AllDims(size_t rank) {
  std::vector<int32_t> dims(rank);
  for (size_t d = 0; d < rank; ++d) dims[d] = d;
  return dims;
}

static Val LoadBlock(Type type, llvm::ArrayRef<int64_t> block_shape, const BlockPlace& place,
                     llvm::ArrayRef<int32_t> checked, bool nan) {
  Val result = Zero(type);
  Indices at(block_shape);
  for (Bits& lane : result.lanes) {
    Bits address = BlockAddress(place, *at, result.element, checked);
    lane = address ? ReadMemory(address, result.element) : Padding(result.element, nan);
    at.Next();
  }
  return result;
}

static void StoreBlock(const Val& value, llvm::ArrayRef<int64_t> block_shape,
                       const BlockPlace& place, llvm::ArrayRef<int32_t> checked) {
  Indices at(block_shape);
  for (Bits lane : value.lanes) {
    if (Bits address = BlockAddress(place, *at, value.element, checked))
      WriteMemory(address, lane, value.element);
    at.Next();
  }
}

static BlockPlace Moved(const BlockPlace& place, const std::vector<int64_t>& by) {
  BlockPlace moved = place;
  for (size_t d = 0; d < by.size(); ++d)
    moved.offsets[d] = static_cast<int32_t>(moved.offsets[d] + by[d]);
  return moved;
}

/// A descriptor with the block at `indices`.
static BlockPlace Placed(const BlockPlace& place, std::vector<int64_t> indices) {
  BlockPlace placed = place;
  placed.offsets = std::move(indices);
  return placed;
}

static Bits Combined(tt::RMWOp kind, Bits old, Bits value, Type type) {
  int64_t a = ToSigned(old, type), b = ToSigned(value, type);
  switch (kind) {
    case tt::RMWOp::And:
      return old & value;
    case tt::RMWOp::Or:
      return old | value;
    case tt::RMWOp::Xor:
      return old ^ value;
    case tt::RMWOp::Add:
      return FromInt(old + value, type);
    case tt::RMWOp::FAdd:
      return FromDouble(ToDouble(old, type) + ToDouble(value, type), type);
    case tt::RMWOp::Max:
      return a > b ? old : value;
    case tt::RMWOp::Min:
      return a < b ? old : value;
    case tt::RMWOp::UMax:
      return std::max(old, value);
    case tt::RMWOp::UMin:
      return std::min(old, value);
    case tt::RMWOp::Exch:
      return value;
  }
  return value;
}

bool Interpreter::Atomic(mlir::Operation* op) {
  Val result = op->getNumResults() ? Zero(op->getResult(0).getType()) : Val();
  const Val& pointers = Get(op->getOperand(0));
  Type element = cast<tt::PointerType>(pointers.element).getPointeeType();
  auto rmw = dyn_cast<tt::AtomicRMWOp>(op);
  auto cas = dyn_cast<tt::AtomicCASOp>(op);
  auto load = dyn_cast<tt::AtomicLoadOp>(op);
  auto store = dyn_cast<tt::AtomicStoreOp>(op);
  auto poll = dyn_cast<tt::AtomicPollOp>(op);
  mlir::Value mask = rmw     ? rmw.getMask()
                     : load  ? load.getMask()
                     : store ? store.getMask()
                             : mlir::Value();
  for (auto [lane, address] : llvm::enumerate(pointers.lanes)) {
    if (!Enabled(mask ? &Get(mask) : nullptr, lane)) continue;
    Bits old = ReadMemory(address, element);
    if (!store) result.lanes[lane] = old;
    if (rmw)
      WriteMemory(address,
                  Combined(rmw.getAtomicRmwOp(), old, Get(rmw.getVal()).lanes[lane], element),
                  element);
    else if (cas && old == Get(cas.getCmp()).lanes[lane])
      WriteMemory(address, Get(cas.getVal()).lanes[lane], element);
    else if (store)
      WriteMemory(address, Get(store.getValue()).lanes[lane], element);
    else if (poll && old != Get(poll.getExpected()).lanes[lane] && !poll.getTimeout())
      return Fail(op, "waits for a value that no earlier program has written");
    if (poll) result.lanes[lane] = old == Get(poll.getExpected()).lanes[lane];
  }
  if (op->getNumResults()) values_[op->getResult(0)] = result;
  return true;
}

bool Interpreter::Memory(mlir::Operation* op, bool& known) {
  known = true;
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    const Val& pointers = Get(load.getPtr());
    Val result = Zero(load.getType());
    if (pointers.place) {
      result = LoadBlock(load.getType(), result.shape, *pointers.place, load.getBoundaryCheck(),
                         load.getPadding() == tt::PaddingOption::Nan);
    } else {
      const Val* mask = load.getMask() ? &Get(load.getMask()) : nullptr;
      for (auto [lane, address] : llvm::enumerate(pointers.lanes))
        result.lanes[lane] = Enabled(mask, lane) ? ReadMemory(address, result.element)
                             : load.getOther()   ? Get(load.getOther()).lanes[lane]
                                                 : 0;
    }
    values_[load.getResult()] = result;
    return true;
  }
  if (auto store = dyn_cast<tt::StoreOp>(op)) {
    const Val &pointers = Get(store.getPtr()), &value = Get(store.getValue());
    const Val* mask = store.getMask() ? &Get(store.getMask()) : nullptr;
    if (pointers.place) {
      StoreBlock(value, value.shape, *pointers.place, store.getBoundaryCheck());
      return true;
    }
    for (auto [lane, address] : llvm::enumerate(pointers.lanes))
      if (Enabled(mask, lane)) WriteMemory(address, value.lanes[lane], value.element);
    return true;
  }
  if (mlir::isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicLoadOp, tt::AtomicStoreOp,
                tt::AtomicPollOp>(op))
    return Atomic(op);

  auto place = std::make_shared<BlockPlace>();
  if (auto make = dyn_cast<tt::MakeTensorPtrOp>(op)) {
    *place = {Get(make.getBase()).lanes[0], GetInts(make.getShape()), GetInts(make.getStrides()),
              GetInts(make.getOffsets()), false};
  } else if (auto advance = dyn_cast<tt::AdvanceOp>(op)) {
    *place = Moved(*Get(advance.getPtr()).place, GetInts(advance.getOffsets()));
  } else if (auto make = dyn_cast<tt::MakeTensorDescOp>(op)) {
    *place = {Get(make.getBase()).lanes[0],
              GetInts(make.getShape()),
              GetInts(make.getStrides()),
              {},
              make.getPadding() == tt::PaddingOption::Nan};
  } else if (auto load = dyn_cast<tt::DescriptorLoadOp>(op)) {
    const BlockPlace& described = *Get(load.getDesc()).place;
    auto shape = load.getDesc().getType().getShape();
    values_[load.getResult()] =
        LoadBlock(load.getType(), shape, Placed(described, GetInts(load.getIndices())),
                  AllDims(shape.size()), described.pads_with_nan);
    return true;
  } else if (auto store = dyn_cast<tt::DescriptorStoreOp>(op)) {
    auto shape = store.getDesc().getType().getShape();
    StoreBlock(Get(store.getSrc()), shape,
               Placed(*Get(store.getDesc()).place, GetInts(store.getIndices())),
               AllDims(shape.size()));
    return true;
  } else {
    known = false;
    return true;
  }
  Val value = Zero(op->getResult(0).getType());
  value.place = place;
  values_[op->getResult(0)] = value;
  return true;
}

}  // namespace tritonrt::evaluator
