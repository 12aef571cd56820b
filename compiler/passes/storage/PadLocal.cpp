// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local memory without bank conflicts. Words that lie a multiple of 32 apart share a bank, and
// items of a warp that want several of them wait for each other: those that walk down a column of a
// tile, say. Where that costs, rows of the buffer get a gap behind them. The banks that accesses
// fall on are counted by computing the addresses of a warp's items; what stands in the way of that
// (loops, unknown values) counts as zero, which changes no address: a gap is right in any case.
#include "compiler/analysis/Trips.h"
#include "compiler/dialect/mem/Mem.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <limits>
#include <set>

using namespace mlir;

namespace tritonrt::compiler {

namespace {

constexpr int64_t kBanks = 32, kWordBytes = 4, kWarpItems = 32;
/// Shorter buffers are cheap whatever they do.
constexpr int64_t kShortest = 1024;

struct Access {
  Operation *op;
  int64_t times = 1;
  /// Elements behind each other that an item takes at once.
  int64_t width = 1;
  /// Else what each lane adds to the index.
  SmallVector<int64_t> lanes;
  OpOperand &index() const {
    return *llvm::TypeSwitch<Operation *, OpOperand *>(op)
                .Case<mem::LoadOp, mem::StoreOp, mem::GatherOp, mem::ScatterOp>(
                    [](auto access) { return &access.getIndexMutable(); });
  }
};

/// Element i lies at i + (i >> row) * gap.
struct Gap {
  int64_t row, elements;
  int64_t place(int64_t index) const { return index + (index >> row) * elements; }
};

/// What `value` is on `item`, where only the item counts.
int64_t valueOn(Value value, int64_t item, unsigned depth = 0) {
  constexpr unsigned kDeepest = 24;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  Operation *op = value.getDefiningOp();
  if (!op || depth > kDeepest)
    return 0;
  auto operand = [&](unsigned i) { return valueOn(op->getOperand(i), item, depth + 1); };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](mem::ItemIdOp) { return item; })
      .Case<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>([&](auto) { return operand(0); })
      .Case([&](arith::AddIOp) { return operand(0) + operand(1); })
      .Case([&](arith::SubIOp) { return operand(0) - operand(1); })
      .Case([&](arith::MulIOp) { return operand(0) * operand(1); })
      .Case([&](arith::AndIOp) { return operand(0) & operand(1); })
      .Case([&](arith::OrIOp) { return operand(0) | operand(1); })
      .Case([&](arith::ShLIOp) { return operand(0) << (operand(1) & 63); })
      .Case([&](arith::ShRUIOp) { return operand(0) >> (operand(1) & 63); })
      .Default([](Operation *) { return int64_t{0}; });
}

class Padder {
public:
  explicit Padder(mem::AllocOp alloc) : alloc(alloc) {}
  /// `room`: bytes that gaps may take still.
  void run(int64_t &room);

private:
  bool collect();
  bool note(Operation *user);
  bool allows(const Gap &gap) const;
  /// How long a warp's accesses take, with the gap or as they are.
  int64_t cost(const Gap *gap) const;
  int64_t costOf(const Access &access, const Gap *gap) const;
  void apply(const Gap &gap);
  /// Of the buffer, with the gap.
  int64_t bytesWith(const Gap &gap);

  mem::AllocOp alloc;
  /// Bytes of an element, and what accesses are aligned to at most.
  int64_t element = 0, align = kWordBytes;
  SmallVector<Access> accesses;
};

bool Padder::note(Operation *user) {
  Access access{user, int64_t(timesOf(user)), 1, {}};
  Type type;
  Value lanes;
  int64_t aligned = 0;
  bool plain = llvm::TypeSwitch<Operation *, bool>(user)
                   .Case([&](mem::LoadOp op) {
                     aligned = op.getAlign();
                     return type = op.getType(), !op.getUnit();
                   })
                   .Case([&](mem::StoreOp op) {
                     aligned = op.getAlign();
                     return type = op.getValue().getType(), !op.getUnit();
                   })
                   .Case([&](mem::GatherOp op) {
                     return type = op.getType(), lanes = op.getLanes(), !op.getUnit();
                   })
                   .Case([&](mem::ScatterOp op) {
                     return type = op.getValue().getType(), lanes = op.getLanes(), !op.getUnit();
                   })
                   .Default([](Operation *) { return false; });
  if (!plain)
    return false;
  int64_t bytes = mem::elementBytes(type);
  if (element && bytes != element)
    return false;
  element = bytes;
  if (lanes) {
    DenseIntElementsAttr numbers;
    if (!matchPattern(lanes, m_Constant(&numbers)))
      return false;
    for (const APInt &number : numbers.getValues<APInt>())
      access.lanes.push_back(number.getSExtValue());
  } else if (auto vector = dyn_cast<VectorType>(type)) {
    access.width = vector.getNumElements();
  }
  align = std::max(align, std::min(aligned, access.width * element));
  accesses.push_back(access);
  return true;
}

bool Padder::collect() {
  return llvm::all_of(alloc->getUsers(), [&](Operation *user) { return note(user); }) &&
         element > 0 && llvm::isPowerOf2_64(alloc.getBytes() / element);
}

/// Lanes of one access must stay as they are to each other, and no vector may hold a gap.
bool Padder::allows(const Gap &gap) const {
  int64_t row = int64_t{1} << gap.row;
  return llvm::all_of(accesses, [&](const Access &access) {
    return access.width <= row &&
           llvm::all_of(access.lanes, [&](int64_t lane) { return lane % row == 0; });
  });
}

int64_t Padder::costOf(const Access &access, const Gap *gap) const {
  std::array<int64_t, kWarpItems> index;
  for (int64_t item = 0; item < kWarpItems; ++item)
    index[item] = valueOn(access.index().get(), item);
  int64_t bytes = access.width * element;
  int64_t together = std::clamp<int64_t>(kBanks * kWordBytes / bytes, 1, kWarpItems);
  int64_t waits = 0;
  SmallVector<int64_t> lanes = access.lanes.empty() ? SmallVector<int64_t>{0} : access.lanes;
  for (int64_t lane : lanes)
    for (int64_t first = 0; first < kWarpItems; first += together) {
      std::array<std::set<int64_t>, kBanks> words;
      for (int64_t item = first; item < first + together; ++item) {
        int64_t at = index[item] + lane;
        at = (gap ? gap->place(at) : at) * element;
        for (int64_t word = at / kWordBytes; word * kWordBytes < at + bytes; ++word)
          words[word & (kBanks - 1)].insert(word);
      }
      size_t most = 1;
      for (const auto &bank : words)
        most = std::max(most, bank.size());
      waits += most;
    }
  return waits * access.times;
}

int64_t Padder::cost(const Gap *gap) const {
  int64_t total = 0;
  for (const Access &access : accesses)
    total += costOf(access, gap);
  return total;
}

int64_t Padder::bytesWith(const Gap &gap) {
  return gap.place(alloc.getBytes() / element - 1) * element + element;
}

void Padder::apply(const Gap &gap) {
  OpBuilder b(alloc.getContext());
  for (const Access &access : accesses) {
    OpOperand &index = access.index();
    Location loc = access.op->getLoc();
    b.setInsertionPoint(access.op);
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    };
    Value rows = arith::ShRUIOp::create(b, loc, index.get(), number(gap.row));
    Value gaps = arith::ShLIOp::create(b, loc, rows, number(llvm::Log2_64(gap.elements)));
    index.set(arith::AddIOp::create(b, loc, index.get(), gaps));
    if (access.lanes.empty())
      continue;
    auto lanes = access.op->getOperand(index.getOperandNumber() + 1);
    auto type = cast<VectorType>(lanes.getType());
    SmallVector<APInt> moved;
    for (int64_t lane : access.lanes)
      moved.push_back(APInt(type.getElementTypeBitWidth(), gap.place(lane), /*isSigned=*/true));
    access.op->setOperand(index.getOperandNumber() + 1,
                          arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, moved)));
  }
  alloc.setBytes(bytesWith(gap));
}

void Padder::run(int64_t &room) {
  if (int64_t(alloc.getBytes()) < kShortest || !collect())
    return;
  int64_t before = cost(nullptr), best = before;
  std::optional<Gap> chosen;
  int64_t bits = llvm::Log2_64(alloc.getBytes() / element);
  for (int64_t row = llvm::Log2_64(kBanks * kWordBytes / element); row < bits; ++row) {
    // Behind a gap all is aligned as it was.
    Gap gap{row, std::max<int64_t>(align / element, 1)};
    if (!allows(gap))
      continue;
    if (int64_t after = cost(&gap); after < best) {
      best = after;
      chosen = gap;
    }
  }
  // An address costs two operations more.
  if (!chosen || 4 * best > 3 * before)
    return;
  int64_t growth = bytesWith(*chosen) - int64_t(alloc.getBytes());
  if (growth > room)
    return;
  room -= growth;
  apply(*chosen);
}

struct PadLocalPass : PassWrapper<PadLocalPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PadLocalPass)

  StringRef getArgument() const override { return "pad-local"; }
  StringRef getDescription() const override { return "Local memory without bank conflicts"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }
  PadLocalPass() = default;
  PadLocalPass(const PadLocalPass &other) : PassWrapper(other) {}
  explicit PadLocalPass(int64_t limit) { localBytes = limit; }

  void runOnOperation() override {
    SmallVector<mem::AllocOp> local;
    for (auto alloc : getOperation().getOps<mem::AllocOp>())
      if (alloc.getType().getSpace() == mem::Space::Local)
        local.push_back(alloc);
    // A kernel that fits without gaps fits with them, however its buffers are packed.
    int64_t room = localBytes ? int64_t(localBytes) : std::numeric_limits<int64_t>::max();
    for (mem::AllocOp alloc : local)
      room -= llvm::alignTo(alloc.getBytes(), mem::kBufferAlign);
    for (mem::AllocOp alloc : local)
      if (!alloc.getOwn() && !alloc.getKeeps())
        Padder(alloc).run(room);
  }

  Option<int64_t> localBytes{*this, "local-bytes", llvm::cl::init(0),
                             llvm::cl::desc("Local memory that there is; 0: no limit")};
};

} // namespace

std::unique_ptr<Pass> createPadLocalPass(int64_t localBytes) {
  return std::make_unique<PadLocalPass>(localBytes);
}

} // namespace tritonrt::compiler
