// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tt-to-tile: one kernel of a tt module as a func.func of tile accesses. See Translator.h.
#include "compiler/passes/totile/Translator.h"

#include "compiler/dialect/libm/Libm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tritonrt::compiler {
namespace {

class TtToTilePass : public PassWrapper<TtToTilePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TtToTilePass)

  TtToTilePass() = default;
  TtToTilePass(const TtToTilePass &other) : PassWrapper(other) {}
  explicit TtToTilePass(const TtToTileOptions &options) {
    kernel = options.kernel;
    forms = options.forms;
    boxes = options.boxes;
    generic = options.generic;
    keepAccesses = options.keepAccesses;
  }

  StringRef getArgument() const final { return "tt-to-tile"; }
  StringRef getDescription() const final { return "Pointers leave the tensors: tt to tile"; }

  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                    scf::SCFDialect, libm::LibmDialect, mem::MemDialect, tile::TileDialect,
                    tt::TtDialect>();
  }

  void runOnOperation() final;

private:
  tt::FuncOp findKernel();

  Option<std::string> kernel{*this, "kernel",
                             llvm::cl::desc("Name of the kernel; the first public one if empty")};
  Option<bool> forms{*this, "forms", llvm::cl::init(true),
                     llvm::cl::desc("Analyse addresses; else all are offset tensors")};
  Option<bool> boxes{*this, "boxes", llvm::cl::init(true),
                     llvm::cl::desc("Turn masks into boxes where they are such")};
  Option<bool> generic{*this, "generic", llvm::cl::init(false),
                       llvm::cl::desc("Ignore tt.divisibility")};
  Option<bool> keepAccesses{*this, "keep-accesses", llvm::cl::init(false),
                            llvm::cl::desc("Drop no load, and name each access's op")};
};

tt::FuncOp TtToTilePass::findKernel() {
  for (auto function : getOperation().getOps<tt::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (kernel.empty() ? function.getVisibility() == SymbolTable::Visibility::Public
                       : function.getSymName() == kernel)
      return function;
  }
  return {};
}

void TtToTilePass::runOnOperation() {
  ModuleOp module = getOperation();
  tt::FuncOp old = findKernel();
  if (!old) {
    if (kernel.empty())
      module.emitError(
          "no public function in the module; mark the kernel 'tt.func public', or name it");
    else
      module.emitError("the module has no kernel '") << kernel << "'";
    return signalPassFailure();
  }
  OpBuilder builder(old);
  Type pointer = mem::PtrType::get(&getContext(), mem::Space::Global);
  SmallVector<Type> types;
  for (Type type : old.getArgumentTypes())
    types.push_back(isa<tt::PointerType, tt::TensorDescType>(type) ? pointer : type);
  if (reports(old))
    types.append({pointer, builder.getI32Type()});
  auto function = func::FuncOp::create(builder, old.getLoc(), old.getSymName(),
                                       builder.getFunctionType(types, {}));
  function->setAttr("tritonrt.kernel", builder.getUnitAttr());
  if (ArrayAttr attrs = old.getArgAttrsAttr())
    for (auto [i, attr] : llvm::enumerate(attrs.getAsRange<DictionaryAttr>()))
      function.setArgAttrs(i, attr);
  Block *entry = builder.createBlock(&function.getBody());
  for (auto [i, type] : llvm::enumerate(types))
    entry->addArgument(type,
                       i < old.getNumArguments() ? old.getArgument(i).getLoc() : old.getLoc());

  TtToTileOptions options{kernel, forms, boxes, generic, keepAccesses};
  if (failed(Translator(function, options).run(old)))
    return signalPassFailure();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (&op != function && !isa<LLVM::LLVMFuncOp>(op))
      op.erase();
}

} // namespace

std::unique_ptr<Pass> createTtToTilePass(const TtToTileOptions &options) {
  return std::make_unique<TtToTilePass>(options);
}

} // namespace tritonrt::compiler
