// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/evaluator/evaluator.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tests/evaluator/interpreter.h"

namespace tritonrt::evaluator {

using mlir::dyn_cast;
using mlir::isa;
using mlir::Type;
namespace cf = mlir::cf;
namespace scf = mlir::scf;

int64_t Flat(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape) {
  int64_t flat = 0;
  for (size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + index[d];
  return flat;
}

Val Zero(Type type) {
  Val value;
  value.element = type;
  if (auto tensor = dyn_cast<mlir::RankedTensorType>(type)) {
    value.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    value.element = tensor.getElementType();
    value.lanes.resize(tensor.getNumElements());
  } else {
    value.lanes.resize(1);
  }
  return value;
}

bool Interpreter::Fail(mlir::Operation* op, const llvm::Twine& what) {
  if (error_.empty()) {
    llvm::raw_string_ostream os(error_);
    os << op->getName() << " at " << op->getLoc() << ": " << what;
  }
  return false;
}

std::vector<int64_t> Interpreter::GetInts(mlir::ValueRange values) {
  std::vector<int64_t> numbers;
  for (mlir::Value value : values) numbers.push_back(GetInt(value));
  return numbers;
}

Interpreter::Values Interpreter::GetAll(mlir::ValueRange values) {
  Values all;
  for (mlir::Value value : values) all.push_back(Get(value));
  return all;
}

void Interpreter::SetAll(mlir::ValueRange names, const Values& values) {
  for (auto [name, value] : llvm::zip_equal(names, values)) values_[name] = value;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

std::string Interpreter::Run() {
  auto kernel = module_.lookupSymbol<tt::FuncOp>(launch_.kernel);
  if (!kernel) return "no function @" + launch_.kernel;
  if (kernel.getNumArguments() != launch_.args.size()) return "wrong number of arguments";
  for (program_[2] = 0; program_[2] < launch_.grid[2]; ++program_[2])
    for (program_[1] = 0; program_[1] < launch_.grid[1]; ++program_[1])
      for (program_[0] = 0; program_[0] < launch_.grid[0]; ++program_[0])
        if (!RunProgram(kernel)) return error_;
  return "";
}

/// A descriptor's shape and strides are the parameters behind it.
Interpreter::Values Interpreter::Arguments(tt::FuncOp kernel) {
  Values args;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    Val value = Zero(type);
    unsigned width = BitWidth(type);
    value.lanes[0] = width == 64 ? launch_.args[i] : launch_.args[i] & ((Bits{1} << width) - 1);
    if (auto descriptor = dyn_cast<tt::TensorDescType>(type)) {
      auto place = std::make_shared<BlockPlace>();
      place->base = launch_.args[i];
      size_t rank = descriptor.getShape().size();
      for (size_t d = 1; d <= rank; ++d) {
        place->shape.push_back(static_cast<int32_t>(launch_.args[i + d]));
        place->strides.push_back(static_cast<int64_t>(launch_.args[i + rank + d]));
      }
      value.place = place;
    }
    args.push_back(value);
  }
  return args;
}

bool Interpreter::RunProgram(tt::FuncOp kernel) {
  Values results;
  values_.clear();
  return RunRegion(kernel.getBody(), Arguments(kernel), results);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

mlir::Operation* Interpreter::RunBlock(mlir::Block& block) {
  for (mlir::Operation& op : block) {
    if (++steps_ > launch_.max_steps) return Fail(&op, "the launch does not end"), nullptr;
    if (op.hasTrait<mlir::OpTrait::IsTerminator>()) return &op;
    if (!Execute(&op)) return nullptr;
  }
  return nullptr;
}

bool Interpreter::FollowBranch(mlir::Operation* op, mlir::Block*& next, Values& args) {
  if (auto branch = dyn_cast<cf::BranchOp>(op)) {
    next = branch.getDest();
    args = GetAll(branch.getDestOperands());
  } else if (auto branch = dyn_cast<cf::CondBranchOp>(op)) {
    bool taken = Get(branch.getCondition()).lanes[0];
    next = taken ? branch.getTrueDest() : branch.getFalseDest();
    args = GetAll(taken ? branch.getTrueDestOperands() : branch.getFalseDestOperands());
  } else {
    return false;
  }
  return true;
}

bool Interpreter::RunRegion(mlir::Region& region, const Values& args, Values& results) {
  mlir::Block* block = &region.front();
  Values incoming = args;
  while (true) {
    SetAll(block->getArguments(), incoming);
    mlir::Operation* end = RunBlock(*block);
    if (!end) return false;
    if (!FollowBranch(end, block, incoming)) {
      results = GetAll(end->getOperands());
      return true;
    }
  }
}

bool Interpreter::For(mlir::Operation* op) {
  auto loop = mlir::cast<scf::ForOp>(op);
  const Type type = loop.getInductionVar().getType();
  auto bound = [&](mlir::Value value) {
    const Val& v = Get(value);
    return static_cast<__int128>(loop.getUnsignedCmp() ? static_cast<__int128>(v.lanes[0])
                                                       : ToSigned(v.lanes[0], v.element));
  };
  const __int128 upper = bound(loop.getUpperBound()), step = bound(loop.getStep());
  Values carried = GetAll(loop.getInits());
  if (step <= 0) return Fail(op, "the step is not positive");
  for (__int128 i = bound(loop.getLowerBound()); i < upper; i += step) {
    Val now = Zero(type);
    now.lanes[0] = FromInt(static_cast<int64_t>(i), type);
    Values args = {now};
    args.insert(args.end(), carried.begin(), carried.end());
    if (!RunRegion(loop.getRegion(), args, carried)) return false;
  }
  SetAll(loop.getResults(), carried);
  return true;
}

bool Interpreter::While(mlir::Operation* op) {
  auto loop = mlir::cast<scf::WhileOp>(op);
  Values carried = GetAll(loop.getInits());
  while (true) {
    Values tested;
    if (!RunRegion(loop.getBefore(), carried, tested)) return false;
    bool goes_on = tested.front().lanes[0];
    tested.erase(tested.begin());
    if (!goes_on) {
      SetAll(loop.getResults(), tested);
      return true;
    }
    if (!RunRegion(loop.getAfter(), tested, carried)) return false;
  }
}

bool Interpreter::Structured(mlir::Operation* op, bool& known) {
  known = true;
  if (isa<scf::ForOp>(op)) return For(op);
  if (isa<scf::WhileOp>(op)) return While(op);
  Values results;
  mlir::Region* region = nullptr;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    region =
        Get(branch.getCondition()).lanes[0] ? &branch.getThenRegion() : &branch.getElseRegion();
    if (region->empty()) return true;
  } else if (isa<scf::ExecuteRegionOp>(op)) {
    region = &op->getRegion(0);
  } else if (auto call = dyn_cast<tt::CallOp>(op)) {
    auto callee = module_.lookupSymbol<tt::FuncOp>(call.getCallee());
    if (!RunRegion(callee.getBody(), GetAll(call.getArgs()), results)) return false;
    SetAll(op->getResults(), results);
    return true;
  } else {
    known = false;
    return true;
  }
  if (!RunRegion(*region, {}, results)) return false;
  SetAll(op->getResults(), results);
  return true;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool Interpreter::Constant(mlir::Operation* op, mlir::Attribute value) {
  Val result = Zero(op->getResult(0).getType());
  if (auto number = dyn_cast<mlir::IntegerAttr>(value)) {
    result.lanes[0] = number.getValue().getZExtValue();
  } else if (auto number = dyn_cast<mlir::FloatAttr>(value)) {
    result.lanes[0] = number.getValue().bitcastToAPInt().getZExtValue();
  } else if (auto elements = dyn_cast<mlir::DenseFPElementsAttr>(value)) {
    for (auto [lane, number] : llvm::zip_equal(result.lanes, elements.getValues<llvm::APFloat>()))
      lane = number.bitcastToAPInt().getZExtValue();
  } else if (auto elements = dyn_cast<mlir::DenseIntElementsAttr>(value)) {
    for (auto [lane, number] : llvm::zip_equal(result.lanes, elements.getValues<llvm::APInt>()))
      lane = number.getZExtValue();
  } else {
    return Fail(op, "a constant of an unknown kind");
  }
  values_[op->getResult(0)] = result;
  return true;
}

bool Interpreter::Elementwise(mlir::Operation* op) {
  if (op->getNumResults() != 1) return Fail(op, "not known to the evaluator");
  Val result = Zero(op->getResult(0).getType());
  llvm::SmallVector<const Val*> operands;
  llvm::SmallVector<Type> types;
  for (mlir::Value operand : op->getOperands()) {
    operands.push_back(&Get(operand));
    types.push_back(operands.back()->element);
  }
  llvm::SmallVector<Bits> in(operands.size());
  for (size_t lane = 0; lane < result.lanes.size(); ++lane) {
    for (size_t i = 0; i < operands.size(); ++i)
      in[i] = operands[i]->lanes[operands[i]->lanes.size() == 1 ? 0 : lane];
    std::optional<Bits> value = EvaluateScalar(op, in, types, result.element);
    if (!value) return Fail(op, "not known to the evaluator, or divides by zero");
    result.lanes[lane] = *value;
  }
  values_[op->getResult(0)] = std::move(result);
  return true;
}

bool Interpreter::Execute(mlir::Operation* op) {
  if (auto constant = dyn_cast<mlir::arith::ConstantOp>(op))
    return Constant(op, constant.getValue());
  auto scalar = [&](Bits bits) {
    Val value = Zero(op->getResult(0).getType());
    value.lanes[0] = bits;
    values_[op->getResult(0)] = value;
    return true;
  };
  if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
    return scalar(program_[static_cast<unsigned>(id.getAxis())]);
  if (auto count = dyn_cast<tt::GetNumProgramsOp>(op))
    return scalar(launch_.grid[static_cast<unsigned>(count.getAxis())]);
  llvm::StringRef name = op->getName().getStringRef();
  if (name == "ub.poison") {
    values_[op->getResult(0)] = Zero(op->getResult(0).getType());
    return true;
  }
  if (name == "tt.print" || name == "ttg.barrier" || name == "llvm.intr.assume" ||
      name.starts_with("tt.grid_dependency"))
    return true;
  if (auto assertion = dyn_cast<tt::AssertOp>(op))
    return llvm::is_contained(Get(assertion.getCondition()).lanes, Bits{0})
               ? Fail(op, "assertion failed: " + assertion.getMessage())
               : true;
  for (auto step : {&Interpreter::Structured, &Interpreter::Shapes, &Interpreter::Regions,
                    &Interpreter::Memory}) {
    bool known = false;
    if (!(this->*step)(op, known)) return false;
    if (known) return true;
  }
  return Elementwise(op);
}

std::string Evaluate(mlir::ModuleOp module, const Launch& launch) {
  return Interpreter(module, launch).Run();
}

}  // namespace tritonrt::evaluator
