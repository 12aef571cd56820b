// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Fault.h"
#include "compiler/frontend/CallGraph.h"
#include "compiler/frontend/Passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tritonrt::compiler {
namespace {

/// Calls of calls multiply: what is beyond this is a mistake or an attack.
constexpr int64_t kMaxOps = 1000000;

struct InlinePass : public PassWrapper<InlinePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlinePass)

  StringRef getArgument() const final { return "tt-inline"; }
  StringRef getDescription() const final { return "Inline every tt.call"; }

  void runOnOperation() override {
    FailureOr<SmallVector<tt::FuncOp>> order = calleesFirst(getOperation());
    if (failed(order))
      return signalPassFailure();
    for (tt::FuncOp function : *order)
      if (failed(inlineCalls(function)))
        return signalPassFailure();
    for (tt::FuncOp function : *order)
      if (!function.isPublic())
        function.erase();
  }

private:
  /// All functions that `function` calls are free of calls themselves.
  LogicalResult inlineCalls(tt::FuncOp function) {
    int64_t size = 0;
    SmallVector<tt::CallOp> calls;
    function.walk([&](Operation *op) {
      ++size;
      if (auto call = dyn_cast<tt::CallOp>(op))
        calls.push_back(call);
    });
    for (tt::CallOp call : calls)
      size += sizes[call.getCallee()];
    if (size > kMaxOps)
      return function.emitError() << "@" << function.getName() << " has " << size
                                  << " ops once its calls are inlined, more than " << kMaxOps
                                  << "; call from loops, or less often";
    sizes[function.getName()] = size;
    functions[function.getName()] = function;
    for (tt::CallOp call : calls)
      if (failed(inlineCall(call, functions[call.getCallee()])))
        return failure();
    return success();
  }

  LogicalResult inlineCall(tt::CallOp call, tt::FuncOp callee) {
    if (!callee.getBody().hasOneBlock())
      return emitFault(call, "@" + callee.getName() + " still has several blocks");
    OpBuilder builder(call);
    IRMapping mapping;
    Block &body = callee.getBody().front();
    mapping.map(body.getArguments(), call.getArgs());
    // Ops keep the position of their own text.
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, value] :
         llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
    return success();
  }

  llvm::StringMap<int64_t> sizes;
  llvm::StringMap<tt::FuncOp> functions;
};

} // namespace

std::unique_ptr<Pass> createTtInlinePass() { return std::make_unique<InlinePass>(); }

} // namespace tritonrt::compiler
