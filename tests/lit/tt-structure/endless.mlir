// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tritonrt-opt %s --tt-structure 2>&1 | FileCheck %s

// CHECK: endless.mlir:[[#]]:{{[0-9]+}}: error: a loop has no way out
tt.func public @endless(%p: !tt.ptr<i32>, %n: i32) {
  cf.br ^bb1
^bb1:
  tt.store %p, %n : !tt.ptr<i32>
  cf.br ^bb1
}
