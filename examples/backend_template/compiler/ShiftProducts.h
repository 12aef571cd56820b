// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEMPLATE_SHIFTPRODUCTS_H
#define TEMPLATE_SHIFTPRODUCTS_H

#include <memory>

#include "mlir/Pass/Pass.h"

namespace chip {

/// `shift-products`: integer products with a power of two become shifts.
std::unique_ptr<mlir::Pass> createShiftProductsPass();

} // namespace chip

#endif // TEMPLATE_SHIFTPRODUCTS_H
