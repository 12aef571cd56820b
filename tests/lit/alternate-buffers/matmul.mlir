// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(stage-dots{disjoint=true},alternate-buffers,form-nests{disjoint=true keep-loads=true},split-nests,choose-layouts{items=128}),map-simt{items=128 disjoint=true},pack-storage,func.func(place-barriers{disjoint=true}),canonicalize,cse)" %s | FileCheck %s
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(stage-dots{disjoint=true},alternate-buffers{local-bytes=16384},form-nests{disjoint=true keep-loads=true},split-nests,choose-layouts{items=128}),map-simt{items=128 disjoint=true},pack-storage,func.func(place-barriers{disjoint=true}),canonicalize,cse)" %s | FileCheck %s --check-prefix=NARROW

// Two turns in the body: items meet before each product, and nowhere else.
// CHECK-LABEL: func.func @matmul
// CHECK: scf.for {{.*}} step %c64
// CHECK-NOT: mem.barrier
// CHECK: mem.load {{.*}} <global>
// CHECK: mem.barrier
// CHECK: iter_args
// CHECK-NOT: mem.barrier
// CHECK: mem.store {{.*}} <local>
// CHECK: mem.barrier
// CHECK: iter_args
// CHECK-NOT: mem.barrier
// CHECK: mem.store {{.*}} <local>
// CHECK-NOT: mem.barrier
// CHECK: scf.yield {{.*}} : i64, i64
// CHECK: scf.for {{.*}} step %c32

// Where local memory does not hold both, one turn at a time.
// NARROW-LABEL: func.func @matmul
// NARROW: scf.for {{.*}} step %c32
// NARROW: mem.barrier
// NARROW: iter_args
// NARROW: mem.barrier
// NARROW: mem.store {{.*}} <local>
// NARROW-NOT: step %c64
func.func @matmul(%a: !mem.ptr<global>, %b: !mem.ptr<global>, %c: !mem.ptr<global>, %k: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %n = arith.constant 0 : i64
  %s = arith.constant 128 : i64
  %t = arith.constant 8192 : i64
  %r:3 = scf.for %i = %c0 to %k step %c32 iter_args(%x = %n, %y = %n, %acc = %zero) -> (i64, i64, tensor<64x64xf32>) : i32 {
    %p = mem.offset %a, %x : !mem.ptr<global>
    %q = mem.offset %b, %y : !mem.ptr<global>
    %u = tile.load %p {staticStrides = array<i64: 128, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64x32xf32>
    %v = tile.load %q {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 1} : !mem.ptr<global> -> tensor<32x64xf32>
    %d = tt.dot %u, %v, %acc : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
    %x1 = arith.addi %x, %s : i64
    %y1 = arith.addi %y, %t : i64
    scf.yield %x1, %y1, %d : i64, i64, tensor<64x64xf32>
  }
  tile.store %r#2, %c {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<64x64xf32>, !mem.ptr<global>
  return
}
