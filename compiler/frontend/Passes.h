// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens to a verified tt module before anything else: one function without calls, blocks or
// loops that only look like they do not count.
#ifndef TRITONRT_COMPILER_FRONTEND_PASSES_H
#define TRITONRT_COMPILER_FRONTEND_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace tritonrt::compiler {

class PassList;

/// `tt-structure`: branches between blocks become scf ops; scf.execute_region and scf.index_switch
/// disappear. Loops that test at their head become scf.while ops that do.
std::unique_ptr<mlir::Pass> createTtStructurePass();

/// `tt-inline`: every tt.call becomes the callee's body; functions that are not public go. Needs
/// bodies of one block.
std::unique_ptr<mlir::Pass> createTtInlinePass();

/// `tt-element-regions`: asserts in the regions of reductions, scans and maps become results that
/// are asserted behind the op; what else than arithmetic on elements stands there is an error.
/// Needs regions without calls.
std::unique_ptr<mlir::Pass> createTtElementRegionsPass();

/// `tt-counted-loops`: an scf.while that counts becomes an scf.for, if that is the same for every
/// start and bound; constants are folded, what is carried for nothing is dropped.
std::unique_ptr<mlir::Pass> createTtCountedLoopsPass();

/// All in their order. The one for loops drops loads whose values nobody uses, and is left out
/// where accesses must stay as they are.
void addFrontendPasses(PassList &passes, bool keepAccesses = false);

void registerFrontendPasses();

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FRONTEND_PASSES_H
