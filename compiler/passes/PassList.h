// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes in their order, as long as the order may still change. A backend lets the main code fill a
// list and then changes it: a pass is named as on the command line (`form-nests`), and where a name
// occurs several times its first pass is meant.
#ifndef TRITONRT_COMPILER_PASSES_PASSLIST_H
#define TRITONRT_COMPILER_PASSES_PASSLIST_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <vector>

namespace tritonrt::compiler {

class PassList {
public:
  void add(std::unique_ptr<mlir::Pass> pass) { items.push_back({std::move(pass), false}); }
  /// The pass runs on each function of the module.
  void addToFunctions(std::unique_ptr<mlir::Pass> pass) {
    items.push_back({std::move(pass), true});
  }

  bool contains(llvm::StringRef name) const { return indexOf(name) < items.size(); }

  // Each returns whether the list has a pass of that name; without one nothing changes. A pass that
  // is not made for one kind of op runs on what its neighbour, or the replaced one, runs on.
  bool insertBefore(llvm::StringRef name, std::unique_ptr<mlir::Pass> pass) {
    return insert(name, 0, std::move(pass));
  }
  bool insertAfter(llvm::StringRef name, std::unique_ptr<mlir::Pass> pass) {
    return insert(name, 1, std::move(pass));
  }
  bool replace(llvm::StringRef name, std::unique_ptr<mlir::Pass> pass);
  bool remove(llvm::StringRef name);

  /// Runs the passes, which are given up. Failures are diagnostics.
  mlir::LogicalResult run(mlir::ModuleOp module) &&;

private:
  struct Item {
    std::unique_ptr<mlir::Pass> pass;
    bool onFunctions;
  };

  bool insert(llvm::StringRef name, size_t behind, std::unique_ptr<mlir::Pass> pass);
  size_t indexOf(llvm::StringRef name) const;
  static bool runsOnFunctions(const mlir::Pass &pass, bool neighbour);

  std::vector<Item> items;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_PASSLIST_H
