// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests{fuse=false},nests-to-linalg))" %s | FileCheck %s

// Unfused, the product of a dot reads tiles only; the read of memory stays a nest.
// CHECK-LABEL: func.func @square
// CHECK: %[[TILE:.*]] = "nests.nest"
// CHECK: nests.read
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[TILE]], %[[TILE]]
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @square(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %v = tile.load %x {staticStrides = array<i64: 16, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<16x16xf32>
  %d = tt.dot %v, %v, %zero : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tile.store %d, %y {staticStrides = array<i64: 16, 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<16x16xf32>, !mem.ptr<global>
  return
}

// An index is a number of the loop. Without an operand that spans the domain there is no linalg.
// CHECK-LABEL: func.func @count
// CHECK: linalg.index 0
// CHECK: linalg.yield
// CHECK-LABEL: func.func @count_alone
// CHECK-NOT: linalg
func.func @count(%v: tensor<16xi32>, %y: !mem.ptr<global>) {
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %w = arith.addi %v, %i : tensor<16xi32>
  %s = "tt.reduce"(%w) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %q = arith.addi %a, %b : i32
    tt.reduce.return %q : i32
  }) : (tensor<16xi32>) -> i32
  tile.store %s, %y {staticStrides = array<i64>, boxDims = array<i64>, unit = 4, root = 1} : i32, !mem.ptr<global>
  return
}
func.func @count_alone(%y: !mem.ptr<global>) {
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %s = "tt.reduce"(%i) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %q = arith.addi %a, %b : i32
    tt.reduce.return %q : i32
  }) : (tensor<16xi32>) -> i32
  tile.store %s, %y {staticStrides = array<i64>, boxDims = array<i64>, unit = 4, root = 0} : i32, !mem.ptr<global>
  return
}
