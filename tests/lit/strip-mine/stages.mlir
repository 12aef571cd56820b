// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(strip-mine{disjoint=true},cse))" %s | FileCheck %s

// Rows of B that lie 8192 bytes apart or a multiple of that are copied; others are read where they are.
// CHECK-LABEL: func.func @stride
// CHECK: %[[BYTES:.*]] = arith.muli %arg4, %c4_i64
// CHECK: %[[REST:.*]] = arith.andi %[[BYTES]], %c8191_i64
// CHECK: %[[COLLIDE:.*]] = arith.cmpi eq, %[[REST]], %c0_i64
// CHECK: scf.if %[[COLLIDE]] {
// CHECK: tile.store {{.*}} root = -2
// CHECK: tt.dot {{.*}} -> tensor<8x32xf32>
// CHECK: tile.store {{.*}} root = 2
// CHECK: } else {
// CHECK-NOT: root = -2
// CHECK: tt.dot {{.*}} -> tensor<8x32xf32>
// CHECK: tile.store {{.*}} root = 2
func.func @stride(%a: !mem.ptr<global>, %b: !mem.ptr<global>, %c: !mem.ptr<global>, %k: i32, %s: i64) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %r = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %x = tile.load %a {staticStrides = array<i64: 128, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64x32xf32>
    %y = tile.load %b strides(%s) {staticStrides = array<i64: -9223372036854775808, 1>, boxDims = array<i64>, unit = 4, root = 1} : !mem.ptr<global> -> tensor<32x64xf32>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %r, %c {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<64x64xf32>, !mem.ptr<global>
  return
}

// Narrow operands are widened on the way into the buffers, a tensor from before the loop too. What
// the loop carries beside the large tensor is split with it.
// CHECK-LABEL: func.func @narrow
// CHECK: %[[Q:.*]] = tile.load %arg0
// CHECK: %[[WIDE:.*]] = arith.extf %[[Q]] : tensor<64x64xf16> to tensor<64x64xf32>
// CHECK: tile.store %[[WIDE]], %{{.*}} root = -2
// CHECK: %[[ROWS:.*]] = tile.load {{.*}} root = 1 {{.*}} -> tensor<64x32xf16>
// CHECK: %[[WIDER:.*]] = arith.extf %[[ROWS]]
// CHECK: tile.store %[[WIDER]], %{{.*}} root = -3
// CHECK: tile.load {{.*}} root = -2 {{.*}} -> tensor<8x64xf32>
// CHECK: tile.load {{.*}} root = -3 {{.*}} -> tensor<64x32xf32>
// CHECK: tt.dot {{.*}} tensor<8x64xf32> * tensor<64x32xf32> -> tensor<8x32xf32>
// CHECK: "tt.reduce"{{.*}}
// CHECK: (tensor<8x32xf32>) -> tensor<8xf32>
func.func @narrow(%a: !mem.ptr<global>, %b: !mem.ptr<global>, %c: !mem.ptr<global>, %k: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %q = tile.load %a {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 2, root = 0} : !mem.ptr<global> -> tensor<64x64xf16>
  %r:2 = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero, %s = %none) -> (tensor<64x32xf32>, tensor<64xf32>) : i32 {
    %y = tile.load %b {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 2, root = 1} : !mem.ptr<global> -> tensor<64x32xf16>
    %d = tt.dot %q, %y, %acc : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
    %p = "tt.reduce"(%d) <{axis = 1 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<64x32xf32>) -> tensor<64xf32>
    %t = arith.addf %s, %p : tensor<64xf32>
    scf.yield %d, %t : tensor<64x32xf32>, tensor<64xf32>
  }
  tile.store %r#0, %c {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<64x32xf32>, !mem.ptr<global>
  tile.store %r#1, %c {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<64xf32>, !mem.ptr<global>
  return
}
