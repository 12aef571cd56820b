// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/CallGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tritonrt::compiler {
namespace {

/// A function on the walk's stack: its calls, and the one that is followed now.
struct Frame {
  tt::FuncOp function;
  SmallVector<tt::CallOp> calls;
  size_t next = 0;
};

Frame enter(tt::FuncOp function) {
  Frame frame{function, {}, 0};
  function.walk([&](tt::CallOp call) { frame.calls.push_back(call); });
  return frame;
}

/// `stack` ends in the function whose call leads back to `target`.
LogicalResult reportCycle(ArrayRef<Frame> stack, tt::FuncOp target, tt::CallOp call) {
  auto *first = llvm::find_if(stack, [&](const Frame &frame) { return frame.function == target; });
  SmallVector<std::string> names;
  for (const Frame &frame : llvm::make_range(first, stack.end()))
    names.push_back(("@" + tt::FuncOp(frame.function).getName()).str());
  names.push_back(("@" + target.getName()).str());
  return call.emitError() << "recursive call: " << llvm::join(names, " -> ")
                          << "; write it as a loop";
}

} // namespace

FailureOr<SmallVector<tt::FuncOp>> calleesFirst(ModuleOp module) {
  enum State { New, Open, Done };
  llvm::DenseMap<Operation *, State> states;
  llvm::StringMap<tt::FuncOp> byName;
  SmallVector<tt::FuncOp> order;
  for (auto function : module.getOps<tt::FuncOp>())
    byName[function.getName()] = function;
  for (auto root : module.getOps<tt::FuncOp>()) {
    if (states.lookup(root) != New)
      continue;
    SmallVector<Frame> stack = {enter(root)};
    states[root] = Open;
    while (!stack.empty()) {
      Frame &top = stack.back();
      if (top.next == top.calls.size()) {
        states[top.function] = Done;
        order.push_back(top.function);
        stack.pop_back();
        continue;
      }
      tt::CallOp call = top.calls[top.next++];
      tt::FuncOp callee = byName.lookup(call.getCallee());
      if (!callee || callee.isExternal())
        return call.emitError() << "calls @" << call.getCallee()
                                << ", which has no body in this module; add it to the text";
      if (states.lookup(callee) == Open)
        return reportCycle(stack, callee, call);
      if (states.lookup(callee) == New) {
        states[callee] = Open;
        stack.push_back(enter(callee));
      }
    }
  }
  return order;
}

} // namespace tritonrt::compiler
