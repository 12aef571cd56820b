// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_ANALYSIS_TRIPS_H
#define TRITONRT_COMPILER_ANALYSIS_TRIPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <algorithm>

namespace tritonrt::compiler {

/// How often an op runs, as an estimate: loops whose turns are not counted turn a few times.
inline double timesOf(mlir::Operation *op) {
  constexpr double kUnknownTrips = 8, kMost = 1 << 20;
  double times = 1;
  for (mlir::Operation *up = op->getParentOp(); up; up = up->getParentOp()) {
    auto loop = mlir::dyn_cast<mlir::scf::ForOp>(up);
    std::optional<llvm::APInt> trips = loop ? loop.getStaticTripCount() : std::nullopt;
    if (mlir::isa<mlir::LoopLikeOpInterface>(up))
      times = std::min(kMost, times * (trips ? trips->roundToDouble() : kUnknownTrips));
  }
  return times;
}

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_TRIPS_H
