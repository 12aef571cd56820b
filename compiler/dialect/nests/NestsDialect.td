// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nests: loops without a machine. A nest runs a scalar body over a static domain whose sizes are
// powers of two. The flat index of a point is a string of bits, bit 0 the lowest of the last dim.
// The leaves of a body (index, elem, pick, read, write, atomics) name their element by a bit map:
//
//   bits[k] = the bit of the domain's flat index that gives bit k of the element's flat index,
//             or -1 for a constant 0, -2 for a constant 1
//
// so that reshape, transpose, broadcast, join and split are maps and no code.

#ifndef TRITONRT_DIALECT_NESTS_TD
#define TRITONRT_DIALECT_NESTS_TD

include "mlir/IR/OpBase.td"

def Nests_Dialect : Dialect {
  let name = "nests";
  let cppNamespace = "::tritonrt::nests";
  let dependentDialects = ["::tritonrt::mem::MemDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif
