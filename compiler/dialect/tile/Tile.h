// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_DIALECT_TILE_H
#define TRITONRT_COMPILER_DIALECT_TILE_H

#include "compiler/dialect/mem/Mem.h"

#include "compiler/dialect/tile/TileDialect.h.inc"
#include "compiler/dialect/tile/TileInterfaces.h.inc"

#define GET_OP_CLASSES
#include "compiler/dialect/tile/TileOps.h.inc"

namespace tritonrt::tile {

/// `root` of accesses to a local buffer: below -1, which is that of unknown addresses.
inline int64_t bufferRoot(int64_t number) { return -2 - number; }
inline bool isBufferRoot(int64_t root) { return root < -1; }

} // namespace tritonrt::tile

#endif // TRITONRT_COMPILER_DIALECT_TILE_H
