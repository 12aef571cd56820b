// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests{disjoint=true},split-nests,choose-layouts{items=128}),map-simt{items=128 disjoint=true},pack-storage,func.func(place-barriers{disjoint=true}),canonicalize,cse)" %s | FileCheck %s

// An elementwise nest needs no other item: no barrier, no memory but the arguments'.
// CHECK-LABEL: func.func @double
// CHECK-SAME: tritonrt.work_items = 128
// CHECK-NOT: mem.barrier
// CHECK-NOT: mem.alloc
// CHECK: mem.item_id
// CHECK: mem.load {{.*}} -> vector<4xf32>
// CHECK: mem.store {{.*}} vector<4xf32>
// CHECK: return
func.func @double(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<1024xf32>
  %w = arith.addf %v, %v : tensor<1024xf32>
  tile.store %w, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<1024xf32>, !mem.ptr<global>
  return
}

// The sum goes through local memory, sixteen items' at a time; one item stores it.
// CHECK-LABEL: func.func @sum
// CHECK: mem.store {{.*}}<local>
// CHECK: mem.barrier group
// CHECK: mem.load {{.*}}<local> -> vector<16xf32>
// CHECK: mem.store {{.*}}<local>
// CHECK: mem.barrier group
// CHECK: mem.load {{.*}}<local> -> vector<8xf32>
// CHECK-NOT: mem.barrier
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i64
// CHECK-NEXT: scf.if %[[FIRST]]
// CHECK-NEXT: mem.store %{{.*}}, %arg1[%c0_i64] : f32, <global>
// CHECK: return
func.func @sum(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<1024xf32>
  %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tt.reduce.return %q : f32
  }) : (tensor<1024xf32>) -> f32
  tile.store %s, %y {staticStrides = array<i64>, boxDims = array<i64>, unit = 4, root = 1} : f32, !mem.ptr<global>
  return
}

// A tile read under another map than it was made goes through local memory, behind a barrier.
// CHECK-LABEL: func.func @in_place_transpose
// CHECK: mem.store {{.*}}<local>
// CHECK: mem.barrier group
// CHECK: mem.gather {{.*}}<local>
// CHECK: mem.store {{.*}}<global>
func.func @in_place_transpose(%x: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<32x32xf32>
  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %t, %x {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<32x32xf32>, !mem.ptr<global>
  return
}
