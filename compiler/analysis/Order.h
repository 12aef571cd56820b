// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory accesses must keep their order, and which may share a nest.
#ifndef TRITONRT_COMPILER_ANALYSIS_ORDER_H
#define TRITONRT_COMPILER_ANALYSIS_ORDER_H

#include "compiler/analysis/Bits.h"
#include "compiler/dialect/nests/Nests.h"
#include "compiler/dialect/tile/Tile.h"

namespace tritonrt::compiler {

struct Access {
  /// The tile op; null for an access in a nest, or for something that may touch anything.
  tile::AddressOp op;
  /// Kernel parameter behind the address, -1 = unknown.
  int64_t root = -1;
  bool writes = false;
  /// Crossed by no memory access whatever its root.
  bool fence = false;
  /// From bits of the accessed tile to bits of the nest's domain.
  BitMap map;
};

/// Facts about a whole function that decide how strict its accesses are.
class AccessRules {
public:
  AccessRules(mlir::Operation *function, bool disjoint);

  /// Everything that `op`, its regions included, does to memory.
  llvm::SmallVector<Access> accessesOf(mlir::Operation *op) const;
  bool conflict(const Access &a, const Access &b) const;
  /// Would it be seen if the nest ran more than once at a time? A second run of an atomic acts
  /// again, and one that reads what the first has written over computes something else.
  bool runsOnce(nests::NestOp nest) const;

private:
  bool atomicsAreRelaxed;
  bool disjoint;
};

/// True if both accesses reach the same address at every point of the domain and no two points
/// share one, so that running them point by point keeps whole-tile semantics.
bool sameInjectiveAddress(const Access &a, const Access &b);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_ORDER_H
