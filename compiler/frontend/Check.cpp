// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/dsa/Dsa.h"
#include "compiler/dialect/tle/Tle.h"
#include "compiler/dialect/ttg/Ttg.h"
#include "compiler/frontend/CallGraph.h"
#include "compiler/frontend/Parse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tritonrt::compiler {
namespace {

/// More parameters than a launch can pass.
constexpr unsigned kMaxParameters = 4096;

bool isKnownOp(Operation *op) {
  if (isa<LLVM::AssumeOp>(op))
    return true;
  return isa_and_present<tt::TtDialect, ttg::TtgDialect, tle::TleDialect, dsa::DsaDialect,
                         arith::ArithDialect, math::MathDialect, cf::ControlFlowDialect,
                         scf::SCFDialect, ub::UBDialect>(op->getDialect());
}

FailureOr<int64_t> countElements(Operation *op, Type type, ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t size : shape) {
    if (size <= 0 || size > tt::kMaxTensorElements || (elements *= size) > tt::kMaxTensorElements)
      return op->emitOpError() << "has " << type << ", which has more than "
                               << tt::kMaxTensorElements
                               << " elements or no fixed shape; use smaller blocks of known sizes";
  }
  return elements;
}

LogicalResult checkTensor(Operation *op, RankedTensorType type) {
  FailureOr<int64_t> counted = countElements(op, type, type.getShape());
  if (failed(counted))
    return failure();
  int64_t elements = *counted;
  if (elements & (elements - 1))
    return op->emitOpError() << "has a tensor " << type << " of " << elements
                             << " elements, which is not a power of two";
  return success();
}

/// Checks the ops of a module one by one.
class OpCheck {
public:
  explicit OpCheck(const llvm::StringSet<> &foreign) : foreign(foreign) {}
  LogicalResult checkOp(Operation *op) const;

private:
  LogicalResult checkType(Operation *op, Type type) const;

  const llvm::StringSet<> &foreign;
};

LogicalResult OpCheck::checkType(Operation *op, Type type) const {
  if (foreign.contains(type.getDialect().getNamespace()))
    return success();
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    Type element = tensor.getElementType();
    if (!isa<IndexType>(element) && !tt::isAnyLike(element))
      return op->emitOpError() << "uses " << element
                               << ", which is not a type of tensor elements; integers, floats and "
                                  "pointers expected";
    return checkTensor(op, tensor);
  }
  if (isa<IndexType, tt::TensorDescType, ttg::AsyncTokenType>(type) || tt::isAnyLike(type)) {
    if (tt::isBlockPointer(type))
      return checkType(op, cast<tt::PointerType>(type).getPointeeType());
    return success();
  }
  if (std::optional<tle::BufferType> buffer = tle::bufferType(type))
    return LogicalResult(countElements(op, type, buffer->shape));
  return op->emitOpError() << "uses the type " << type
                           << ", which Triton's IR does not have; integers, floats, pointers and "
                              "tensors of them expected";
}

/// Does it stand in code of the LLVM dialect, whose types are its own?
bool isRaw(Operation *op) {
  return op->getParentOfType<tle::DslRegionOp>() || op->getParentOfType<LLVM::LLVMFuncOp>();
}

LogicalResult OpCheck::checkOp(Operation *op) const {
  if (isa<LLVM::LLVMFuncOp>(op))
    return success();
  if (isRaw(op)) {
    if (isa<LLVM::LLVMDialect, tle::TleDialect>(op->getDialect()))
      return success();
    return op->emitError() << "op '" << op->getName()
                           << "' stands in a tle.dsl_region, which holds ops of the LLVM dialect";
  }
  if (!isKnownOp(op) && !foreign.contains(op->getName().getDialectNamespace()))
    return op->emitError() << "op '" << op->getName() << "' is not supported"
                           << "; kernels hold ops of tt, arith, math, scf and cf";
  if (auto constant = dyn_cast<arith::ConstantOp>(op); constant &&
                                                       isa<ShapedType>(constant.getType()) &&
                                                       !isa<DenseElementsAttr>(constant.getValue()))
    return op->emitOpError("has a value that is not written out; dense<...> expected");
  for (Type type : op->getResultTypes())
    if (failed(checkType(op, type)))
      return failure();
  // The blocks of a region in another dialect are that one's.
  auto regions = isa<tle::DslRegionOp>(op) ? MutableArrayRef<Region>() : op->getRegions();
  for (Region &region : regions)
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (failed(checkType(op, type)))
          return failure();
  return success();
}

LogicalResult checkFunction(tt::FuncOp function) {
  if (function.getNumArguments() > kMaxParameters)
    return function.emitError() << "@" << function.getName() << " has "
                                << function.getNumArguments() << " parameters, more than "
                                << kMaxParameters << "; pass them in a buffer";
  return success();
}

} // namespace

LogicalResult checkModule(ModuleOp module, const llvm::StringSet<> &foreign) {
  OpCheck check(foreign);
  bool anyFunction = false;
  for (Operation &op : *module.getBody()) {
    if (isa<LLVM::LLVMFuncOp>(op))
      continue;
    auto function = dyn_cast<tt::FuncOp>(op);
    if (!function)
      return op.emitError() << "op '" << op.getName()
                            << "' stands outside of a function; move it into a tt.func";
    anyFunction |= !function.isExternal();
    if (failed(checkFunction(function)))
      return failure();
  }
  if (!anyFunction)
    return module.emitError("no kernel function in the module; a tt.func with a body expected");
  WalkResult walked = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    return op != module && failed(check.checkOp(op)) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  return success(succeeded(calleesFirst(module)));
}

/// "@a, @b": the first few functions.
static std::string namesOf(ModuleOp module) {
  constexpr size_t kShown = 8;
  std::string text;
  size_t count = 0;
  for (auto function : module.getOps<tt::FuncOp>())
    if (count++ < kShown)
      text += (count == 1 ? "@" : ", @") + function.getName().str();
  return count > kShown ? text + ", ..." : text;
}

FailureOr<tt::FuncOp> findKernel(ModuleOp module, StringRef kernel) {
  tt::FuncOp found;
  for (auto function : module.getOps<tt::FuncOp>()) {
    if (kernel.empty() ? !function.isPublic() : function.getName() != kernel)
      continue;
    if (found)
      return function.emitError() << "several public functions, @" << found.getName() << " and @"
                                  << function.getName() << ": name the kernel that is meant";
    found = function;
  }
  if (!found && kernel.empty())
    return module.emitError(
        "no public function in the module; mark the kernel 'tt.func public', or "
        "name it");
  if (!found)
    return module.emitError() << "no function @" << kernel << " in the module; it has "
                              << namesOf(module);
  if (found.isExternal())
    return found.emitError() << "@" << found.getName()
                             << " is declared, but has no body; take the text that defines it";
  return found;
}

StringRef argumentName(BlockArgument argument) {
  auto named = dyn_cast<NameLoc>(argument.getLoc());
  if (!named)
    return {};
  StringRef name = named.getName().getValue(), number = name;
  // What the printer makes up is no name.
  if (number.consume_front("arg") && !number.empty() && llvm::all_of(number, llvm::isDigit))
    return {};
  return name;
}

std::string scalarName(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return "f8e4nv";
  if (isa<Float8E4M3FNUZType>(type))
    return "f8e4b8";
  if (isa<Float8E5M2Type>(type))
    return "f8e5";
  if (isa<Float8E5M2FNUZType>(type))
    return "f8e5b16";
  // A pointer to pointers points to addresses.
  if (isa<tt::PointerType>(type))
    return "i64";
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

static void writeType(llvm::raw_ostream &os, Type type) {
  if (auto pointer = dyn_cast<tt::PointerType>(type)) {
    os << "ptr:" << scalarName(pointer.getPointeeType());
  } else if (auto descriptor = dyn_cast<tt::TensorDescType>(type)) {
    os << "desc:" << scalarName(descriptor.getElementType()) << ":";
    llvm::interleave(descriptor.getShape(), os, "x");
  } else {
    os << scalarName(type);
  }
}

FailureOr<std::string> describeArguments(tt::FuncOp kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (kernel.getNumResults() != 0)
    return kernel.emitError()
           << "@" << kernel.getName()
           << " returns values: it is no kernel; name one that stores its results";
  for (BlockArgument argument : kernel.getArguments()) {
    Type type = argument.getType();
    if (isa<RankedTensorType, IndexType>(type) || tt::isBlockPointer(type))
      return kernel.emitError()
             << "parameter " << argument.getArgNumber() << " has the type " << type
             << ", which a launch cannot pass; scalars, pointers and descriptors can be passed";
    os << "arg=";
    writeType(os, type);
    os << " " << argumentName(argument);
    auto divisibility =
        kernel.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "tt.divisibility");
    if (divisibility)
      os << " divisibility=" << divisibility.getInt();
    os << "\n";
  }
  return text;
}

} // namespace tritonrt::compiler
