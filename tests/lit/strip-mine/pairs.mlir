// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(strip-mine{disjoint=true bf16-pairs=true},cse))" %s | FileCheck %s
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(strip-mine{disjoint=true},cse))" %s | FileCheck %s --check-prefix=ALONE

// Two rows of B make one of words, those beyond the box too; A's rows are words as they are. The
// product is one of words.
// CHECK-LABEL: func.func @halves
// CHECK: tile.load {{.*}} root = 0 {{.*}} -> tensor<8x32xbf16>
// CHECK: tile.store {{.*}} : tensor<8x32xbf16>
// CHECK: tile.load {{.*}} root = 1 {{.*}} -> tensor<32x32xbf16>
// CHECK: tt.split
// CHECK: arith.shli {{.*}} : tensor<16x32xi32>
// CHECK: tile.store {{.*}}boxDims = array<i64>{{.*}} : tensor<16x32xf32>
// CHECK: tile.load {{.*}} -> tensor<8x16xf32>
// CHECK: tile.load {{.*}} -> tensor<16x32xf32>
// CHECK: tt.dot {{.*}} {tritonrt.pairs} : tensor<8x16xf32> * tensor<16x32xf32> -> tensor<8x32xf32>
// ALONE-LABEL: func.func @halves
// ALONE-NOT: tritonrt.pairs
// ALONE: tt.dot {{.*}} -> tensor<8x32xf32>
// ALONE-LABEL: func.func @bytes
func.func @halves(%a: !mem.ptr<global>, %b: !mem.ptr<global>, %c: !mem.ptr<global>, %k: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %none = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %left = arith.subi %k, %i : i32
    %end = arith.extsi %left : i32 to i64
    %x = tile.load %a box(%none to %end) {staticStrides = array<i64: 128, 1>, boxDims = array<i64: 1>, unit = 2, root = 0} : !mem.ptr<global> -> tensor<64x32xbf16>
    %y = tile.load %b box(%none to %end) {staticStrides = array<i64: 64, 1>, boxDims = array<i64: 0>, unit = 2, root = 1} : !mem.ptr<global> -> tensor<32x64xbf16>
    %d = tt.dot %x, %y, %acc : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %r, %c {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<64x64xf32>, !mem.ptr<global>
  return
}

// There are no pairs of these.
// CHECK-LABEL: func.func @bytes
// CHECK-NOT: tritonrt.pairs
// CHECK: tt.dot {{.*}} -> tensor<8x32xi32>
func.func @bytes(%a: !mem.ptr<global>, %b: !mem.ptr<global>, %c: !mem.ptr<global>, %k: i32) {
  %zero = arith.constant dense<0> : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %r = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> tensor<64x64xi32> : i32 {
    %x = tile.load %a {staticStrides = array<i64: 128, 1>, boxDims = array<i64>, unit = 1, root = 0} : !mem.ptr<global> -> tensor<64x32xi8>
    %y = tile.load %b {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 1, root = 1} : !mem.ptr<global> -> tensor<32x64xi8>
    %d = tt.dot %x, %y, %acc : tensor<64x32xi8> * tensor<32x64xi8> -> tensor<64x64xi32>
    scf.yield %d : tensor<64x64xi32>
  }
  tile.store %r, %c {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<64x64xi32>, !mem.ptr<global>
  return
}
