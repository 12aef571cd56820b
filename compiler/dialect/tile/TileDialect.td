// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile: memory made explicit. Tensors stay SSA values, pointers are gone from tensors: every access
// is an address function plus the box and the mask of its enabled elements.
//
//   address(i) = base + unit * (sum_d stride_d * w_d(i_d) + offsets[i])
//   w_d(i)     = i, or (wrapStart + i) mod wrapSize for d = wrapDim, with 0 <= wrapStart < wrapSize
//   enabled(i) = lo_d <= i_d < hi_d for each d of boxDims, and mask[i]
//
// A disabled element touches no memory and reads `other`, or 0 without it. `offsets` broadcasts: its
// dims may be 1. All address scalars are i64. `unit` is in bytes: the element's size in memory (an i1
// takes a byte), or 1 where a stride or an offset is no multiple of that.

#ifndef TRITONRT_DIALECT_TILE_TD
#define TRITONRT_DIALECT_TILE_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tritonrt::tile";
  let dependentDialects = ["::tritonrt::mem::MemDialect"];
}

#endif
