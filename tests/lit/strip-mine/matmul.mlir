// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(strip-mine{disjoint=true},cse))" %s | FileCheck %s
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(strip-mine,cse))" %s | FileCheck %s --check-prefix=OVERLAP

// Strips of 8 rows and 32 columns around all of K; inside the matrix no row or column is tested.
// CHECK-LABEL: func.func @matmul
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %c8
// CHECK: scf.for %[[COLUMN:.*]] = %{{.*}} to %{{.*}} step %c32
// CHECK: scf.if
// CHECK: scf.for
// CHECK: tile.load {{.*}}boxDims = array<i64>{{.*}} -> tensor<8x32xf32>
// CHECK: tile.load {{.*}}boxDims = array<i64>{{.*}} -> tensor<32x32xf32>
// CHECK: tt.dot {{.*}} -> tensor<8x32xf32>
// CHECK: tile.store
// CHECK: } else {
// CHECK: scf.for
// CHECK: tile.load {{.*}}boxDims = array<i64: 0>{{.*}} -> tensor<8x32xf32>
// CHECK: tile.store {{.*}}boxDims = array<i64: 0>

// Where a store may hit what a later strip loads, the loop alone is split: a chunk of four turns at a
// time, with the chunk's part of B in one buffer and the sums in another one, from which the store
// takes them all.
// OVERLAP-LABEL: func.func @matmul
// OVERLAP-DAG: %[[SUMS:.*]] = mem.buffer 1, 16384 {temporary}
// OVERLAP-DAG: %[[PART:.*]] = mem.buffer 0, 32768 {temporary}
// OVERLAP: scf.for %[[CHUNK:.*]] = {{.*}} : i64 {
// OVERLAP: scf.for {{.*}} iter_args(%[[TURN:.*]] = %c0_i64) -> (i64)
// OVERLAP: tile.load {{.*}} root = 1 {{.*}} -> tensor<32x32xf32>
// OVERLAP: tile.store {{.*}} root = -2
// OVERLAP: scf.for {{.*}} step %c32
// OVERLAP: scf.for {{.*}} step %c8
// OVERLAP: tile.load {{.*}} root = -3 {{.*}} -> tensor<8x32xf32>
// OVERLAP: scf.for
// OVERLAP: tile.load {{.*}} root = -2 {{.*}} -> tensor<32x32xf32>
// OVERLAP: tt.dot {{.*}} -> tensor<8x32xf32>
// OVERLAP: tile.store {{.*}} root = -3
// OVERLAP: %[[ALL:.*]] = tile.load %[[SUMS]] {{.*}} -> tensor<64x64xf32>
// OVERLAP: tile.store %[[ALL]], %arg2
// OVERLAP-LABEL: func.func @sum_of_loop
func.func @matmul(%a: !mem.ptr<global>, %b: !mem.ptr<global>, %c: !mem.ptr<global>, %m: i64, %k: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %none = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %x = tile.load %a box(%none to %m) {staticStrides = array<i64: 128, 1>, boxDims = array<i64: 0>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64x32xf32>
    %y = tile.load %b {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 1} : !mem.ptr<global> -> tensor<32x64xf32>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %r, %c box(%none to %m) {staticStrides = array<i64: 64, 1>, boxDims = array<i64: 0>, unit = 4, root = 2} : tensor<64x64xf32>, !mem.ptr<global>
  return
}

// What follows needs whole rows and columns of the result: no strips.
// CHECK-LABEL: func.func @sum_of_loop
// CHECK-NOT: tensor<8x
func.func @sum_of_loop(%a: !mem.ptr<global>, %c: !mem.ptr<global>, %k: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %x = tile.load %a {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64x64xf32>
    %d = arith.addf %x, %acc : tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %s = "tt.reduce"(%r) <{axis = 1 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %t = arith.addf %p, %q : f32
    tt.reduce.return %t : f32
  }) : (tensor<64x64xf32>) -> tensor<64xf32>
  tile.store %s, %c {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<64xf32>, !mem.ptr<global>
  return
}

// Offsets that the loop and the store both need are made in both places.
// CHECK-LABEL: func.func @offsets_of_both
// CHECK: scf.for
// CHECK: %[[IN:.*]] = tt.expand_dims {{.*}} -> tensor<8x1xi64>
// CHECK: tile.load {{.*}}offsets(%[[IN]] : tensor<8x1xi64>)
// CHECK: scf.yield
// CHECK: %[[OUT:.*]] = tt.expand_dims {{.*}} -> tensor<8x1xi64>
// CHECK: tile.store {{.*}}offsets(%[[OUT]] : tensor<8x1xi64>)
func.func @offsets_of_both(%a: !mem.ptr<global>, %b: !mem.ptr<global>, %c: !mem.ptr<global>, %n: i64, %k: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %w = arith.extsi %r : tensor<64xi32> to tensor<64xi64>
  %ns = tt.splat %n : i64 -> tensor<64xi64>
  %q = arith.xori %w, %ns : tensor<64xi64>
  %e = tt.expand_dims %q {axis = 1 : i32} : tensor<64xi64> -> tensor<64x1xi64>
  %sum = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %x = tile.load %a offsets(%e : tensor<64x1xi64>) {staticStrides = array<i64: 0, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64x32xf32>
    %y = tile.load %b {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 1} : !mem.ptr<global> -> tensor<32x64xf32>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %c offsets(%e : tensor<64x1xi64>) {staticStrides = array<i64: 0, 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<64x64xf32>, !mem.ptr<global>
  return
}
