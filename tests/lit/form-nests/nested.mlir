// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests))" %s | FileCheck %s

// A value of the outer block that a branch yields is a tile in that branch only.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: %[[TILE:.*]] = "nests.nest"
// CHECK: scf.yield %[[TILE]] : tensor<16xi32>
// CHECK: "nests.nest"
// CHECK: nests.index
// CHECK: nests.elem
// CHECK-NOT: nests.elem
// CHECK: nests.write
func.func @branch(%x: !mem.ptr<global>, %c: i1) {
  %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %a = arith.addi %r, %r : tensor<16xi32>
  %v = scf.if %c -> (tensor<16xi32>) {
    scf.yield %a : tensor<16xi32>
  } else {
    scf.yield %r : tensor<16xi32>
  }
  %s = arith.addi %v, %a : tensor<16xi32>
  tile.store %s, %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<16xi32>, !mem.ptr<global>
  return
}
