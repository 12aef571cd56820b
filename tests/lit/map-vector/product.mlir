// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests,clamp-bounds,cse,demand-extents),map-vector{cheap-masks=true},canonicalize,cse)" %s | FileCheck %s

// A product's sum starts from the accumulator, which it is written over; what K lacks at its end
// adds zeros and so nothing.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK: %[[OLD:.*]] = mem.load %[[ACC:.*]][%c0_i64] {{.*}} : <scratch> -> vector<16xf32>
// CHECK: %[[SUM:.*]]:4 = scf.for {{.*}} iter_args(%{{.*}} = %[[OLD]],
// CHECK-COUNT-4: arith.addf
// CHECK-NOT: arith.addf
// CHECK: mem.store %[[SUM]]#0, %[[ACC]][%c0_i64]
func.func @carried(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %z: !mem.ptr<global>, %n: i64) {
  %zero = arith.constant 0 : i64
  %step = arith.constant 32 : i64
  %none = arith.constant 0.0 : f32
  %init = arith.constant dense<0.0> : tensor<2x32xf32>
  %acc = scf.for %k = %zero to %n step %step iter_args(%c = %init) -> (tensor<2x32xf32>) : i64 {
    %left = arith.subi %n, %k : i64
    %a = tile.load %x box(%zero to %left) other(%none : f32) {staticStrides = array<i64: 32, 1>, boxDims = array<i64: 1>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<2x32xf32>
    %b = tile.load %y box(%zero to %left) other(%none : f32) {staticStrides = array<i64: 32, 1>, boxDims = array<i64: 0>, unit = 4, root = 1} : !mem.ptr<global> -> tensor<32x32xf32>
    %d = tt.dot %a, %b, %c : tensor<2x32xf32> * tensor<32x32xf32> -> tensor<2x32xf32>
    scf.yield %d : tensor<2x32xf32>
  }
  tile.store %acc, %z {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<2x32xf32>, !mem.ptr<global>
  return
}

// What is made of the accumulator first, and what follows the sum, stay.
// CHECK-LABEL: func.func @scaled
// CHECK: mem.load {{.*}} : <scratch> -> vector<16xf32>
// CHECK: %[[START:.*]] = arith.mulf
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]],
// CHECK: arith.negf
func.func @scaled(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %z: !mem.ptr<global>, %f: f32, %n: i64) {
  %zero = arith.constant 0 : i64
  %step = arith.constant 32 : i64
  %init = arith.constant dense<1.0> : tensor<2x32xf32>
  %factor = tt.splat %f : f32 -> tensor<2x32xf32>
  %acc = scf.for %k = %zero to %n step %step iter_args(%c = %init) -> (tensor<2x32xf32>) : i64 {
    %a = tile.load %x {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<2x32xf32>
    %b = tile.load %y {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 1} : !mem.ptr<global> -> tensor<32x32xf32>
    %s = arith.mulf %c, %factor : tensor<2x32xf32>
    %d = tt.dot %a, %b, %s : tensor<2x32xf32> * tensor<32x32xf32> -> tensor<2x32xf32>
    %m = arith.negf %d : tensor<2x32xf32>
    scf.yield %m : tensor<2x32xf32>
  }
  tile.store %acc, %z {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<2x32xf32>, !mem.ptr<global>
  return
}
