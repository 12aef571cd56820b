// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/PassList.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tritonrt::compiler {

size_t PassList::indexOf(llvm::StringRef name) const {
  return llvm::find_if(items, [&](const Item &item) { return item.pass->getArgument() == name; }) -
         items.begin();
}

bool PassList::runsOnFunctions(const Pass &pass, bool neighbour) {
  std::optional<llvm::StringRef> op = pass.getOpName();
  return op ? *op == func::FuncOp::getOperationName() : neighbour;
}

bool PassList::insert(llvm::StringRef name, size_t behind, std::unique_ptr<Pass> pass) {
  size_t at = indexOf(name);
  if (at == items.size())
    return false;
  bool onFunctions = runsOnFunctions(*pass, items[at].onFunctions);
  items.insert(items.begin() + at + behind, {std::move(pass), onFunctions});
  return true;
}

bool PassList::replace(llvm::StringRef name, std::unique_ptr<Pass> pass) {
  size_t at = indexOf(name);
  if (at == items.size())
    return false;
  bool onFunctions = runsOnFunctions(*pass, items[at].onFunctions);
  items[at] = {std::move(pass), onFunctions};
  return true;
}

bool PassList::remove(llvm::StringRef name) {
  size_t at = indexOf(name);
  if (at == items.size())
    return false;
  items.erase(items.begin() + at);
  return true;
}

LogicalResult PassList::run(ModuleOp module) && {
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  for (auto next = items.begin(); next != items.end();) {
    if (!next->onFunctions) {
      pm.addPass(std::move((next++)->pass));
      continue;
    }
    // A function runs through a row of passes before the next function does.
    OpPassManager &functions = pm.nest<func::FuncOp>();
    for (; next != items.end() && next->onFunctions; ++next)
      functions.addPass(std::move(next->pass));
  }
  items.clear();
  return pm.run(module);
}

} // namespace tritonrt::compiler
