// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests,merge-dims))" %s | FileCheck %s

// A step of a sort looks at the dim that it sums over and at the one that says which way to sort; what lies
// between and around them is one dim each.
// CHECK-LABEL: func.func @step
// CHECK: %[[SUM:.*]] = "nests.nest"
// CHECK-SAME: domain = array<i64: 4, 2, 8>
// CHECK-SAME: reduce dims = [1]
// CHECK: -> tensor<4x8xi32>
// CHECK: "nests.nest"
// CHECK-SAME: domain = array<i64: 2, 2, 2, 4, 2>
// CHECK: nests.index [5]
// CHECK: nests.elem %[[SUM]] [0, 1, 2, 4, 5] : tensor<4x8xi32>
// CHECK: -> tensor<2x2x2x4xi32>
func.func @step(%p: !mem.ptr<global>) {
  %v = tile.load %p {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xi32>
  %x = tt.reshape %v : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
  %s = "tt.reduce"(%x) <{axis = 2 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %q = arith.xori %a, %b : i32
    tt.reduce.return %q : i32
  }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
  %e = tt.expand_dims %s {axis = 2 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2xi32>
  %w = tt.broadcast %e : tensor<2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
  %r = tt.make_range {start = 0 : i32, end = 2 : i32} : tensor<2xi32>
  %r6 = tt.reshape %r : tensor<2xi32> -> tensor<2x1x1x1x1x1xi32>
  %way = tt.broadcast %r6 : tensor<2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
  %y = arith.addi %w, %way : tensor<2x2x2x2x2x2xi32>
  %t = "tt.reduce"(%y) <{axis = 5 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %q = arith.addi %a, %b : i32
    tt.reduce.return %q : i32
  }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
  %u = tt.reshape %t : tensor<2x2x2x2x2xi32> -> tensor<32xi32>
  tile.store %u, %p {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<32xi32>, !mem.ptr<global>
  return
}
