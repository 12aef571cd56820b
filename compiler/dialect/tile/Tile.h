// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_DIALECT_TILE_H
#define TRITONRT_COMPILER_DIALECT_TILE_H

#include "compiler/dialect/mem/Mem.h"

#include "compiler/dialect/tile/TileDialect.h.inc"
#include "compiler/dialect/tile/TileInterfaces.h.inc"

#define GET_OP_CLASSES
#include "compiler/dialect/tile/TileOps.h.inc"

#endif // TRITONRT_COMPILER_DIALECT_TILE_H
