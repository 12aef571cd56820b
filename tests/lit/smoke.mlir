// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --canonicalize | FileCheck %s
// RUN: not tritonrt-opt %s --no-such-pass 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK-LABEL: func.func @fold
// CHECK: arith.constant 5 : i32
// UNKNOWN: Unknown command line argument '--no-such-pass'
func.func @fold() -> i32 {
  %a = arith.constant 2 : i32
  %b = arith.constant 3 : i32
  %c = arith.addi %a, %b : i32
  return %c : i32
}
