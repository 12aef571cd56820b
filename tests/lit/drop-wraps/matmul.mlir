// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file "--pass-pipeline=builtin.module(func.func(drop-wraps))" | FileCheck %s

// Rows of a reach only rows of the store's box: no wrap is left. Columns of b reach the store too,
// but its box ends elsewhere.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: %[[A:.*]]: !mem.ptr<global>, %[[B:[a-z0-9]*]]: !mem.ptr<global>, %[[C:[a-z0-9]*]]: !mem.ptr<global>, %[[S:[a-z0-9]*]]: i64, %[[M:[a-z0-9]*]]: i64
// CHECK: %[[EDGE:.*]] = arith.subi %[[M]], %[[S]] : i64
// CHECK: scf.for
// CHECK: %[[BYTES:.*]] = arith.muli %[[S]], %{{.*}} : i64
// CHECK: %[[BASE:.*]] = mem.offset %[[A]], %[[BYTES]]
// CHECK: tile.load %[[BASE]] strides(%{{.*}}) box(%{{.*}}, %{{.*}} to %[[EDGE]], %{{.*}}) {boxDims = array<i64: 0, 1>
// CHECK: tile.load %[[B]] wrap(
func.func @matmul(%a: !mem.ptr<global>, %b: !mem.ptr<global>, %c: !mem.ptr<global>, %s: i64, %m: i64, %n: i64, %k: i64) {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %m1 = arith.maxsi %m, %one : i64
  %w = arith.remsi %s, %m1 : i64
  %n1 = arith.maxsi %n, %one : i64
  %wn = arith.remsi %s, %n1 : i64
  %sum = scf.for %i = %z to %k step %one iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i64 {
    %x = tile.load %a strides(%k) box(%z to %k) wrap(%w mod %m) {staticStrides = array<i64: -9223372036854775808, 1>, boxDims = array<i64: 1>, unit = 4, root = 0, wrapDim = 0} : !mem.ptr<global> -> tensor<16x16xf32>
    %y = tile.load %b wrap(%wn mod %n) {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 1, wrapDim = 1} : !mem.ptr<global> -> tensor<16x16xf32>
    %d = tt.dot %x, %y, %acc : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %hi = arith.subi %m, %s : i64
  %far = arith.subi %n, %k : i64
  %e = math.exp %sum : tensor<16x16xf32>
  tile.store %e, %c box(%z, %z to %hi, %far) {staticStrides = array<i64: 64, 1>, boxDims = array<i64: 0, 1>, unit = 4, root = 2} : tensor<16x16xf32>, !mem.ptr<global>
  return
}

// -----

// Sums over the rows, and divisions by what is read, need them all.
// CHECK-LABEL: func.func @needed
// CHECK: tile.load %{{.*}} wrap(
// CHECK: tile.load %{{.*}} wrap(
func.func @needed(%a: !mem.ptr<global>, %s: i64, %m: i64) {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m1 = arith.maxsi %m, %one : i64
  %w = arith.remsi %s, %m1 : i64
  %hi = arith.subi %m, %s : i64
  %x = tile.load %a wrap(%w mod %m) {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0, wrapDim = 0} : !mem.ptr<global> -> tensor<16xf32>
  %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.addf %p, %q : f32
    tt.reduce.return %r : f32
  }) : (tensor<16xf32>) -> f32
  tile.store %sum, %a {staticStrides = array<i64>, boxDims = array<i64>, unit = 4, root = 0} : f32, !mem.ptr<global>
  %y = tile.load %a wrap(%w mod %m) {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0, wrapDim = 0} : !mem.ptr<global> -> tensor<16xi32>
  %d = arith.divsi %y, %y : tensor<16xi32>
  tile.store %d, %a box(%z to %hi) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4, root = 0} : tensor<16xi32>, !mem.ptr<global>
  return
}
