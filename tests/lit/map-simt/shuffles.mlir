// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests{disjoint=true keep-loads=true},split-nests,choose-layouts{items=128 shuffle-lanes=32}),map-simt{items=128 disjoint=true shuffle-lanes=32},pack-storage,func.func(place-barriers{disjoint=true}),canonicalize,cse)" %s | FileCheck %s

// A row is loaded once and stays with its items; each reduction takes five exchanges in a warp and
// one barrier.
// CHECK-LABEL: func.func @normalise
// CHECK: mem.load %arg0
// CHECK-COUNT-5: mem.shuffle {{.*}} keep -1 flip
// CHECK: mem.store {{.*}}<local>
// CHECK: mem.barrier group
// CHECK: mem.load {{.*}}<local> -> vector<4xf32>
// CHECK-NOT: mem.load %arg0
// CHECK-COUNT-5: mem.shuffle {{.*}} keep -1 flip
// CHECK: mem.barrier group
// CHECK-NOT: mem.barrier
// CHECK: mem.store {{.*}}, %arg1
func.func @normalise(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<1024xf32>
  %m = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.maxnumf %a, %b : f32
    tt.reduce.return %q : f32
  }) : (tensor<1024xf32>) -> f32
  %ms = tt.splat %m : f32 -> tensor<1024xf32>
  %d = arith.subf %v, %ms : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %s = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tt.reduce.return %q : f32
  }) : (tensor<1024xf32>) -> f32
  %ss = tt.splat %s : f32 -> tensor<1024xf32>
  %r = arith.divf %e, %ss : tensor<1024xf32>
  tile.store %r, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<1024xf32>, !mem.ptr<global>
  return
}

// Rows of 64 elements lie within half a warp: no local memory, no barrier. All items of a row get
// the sum of the first.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: mem.barrier
// CHECK-COUNT-4: mem.shuffle {{.*}} keep -1 flip
// CHECK: mem.shuffle {{.*}} keep -16 flip 0
// CHECK-NOT: <local>
// CHECK: return
func.func @rows(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64x64xf32>
  %s = "tt.reduce"(%v) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tt.reduce.return %q : f32
  }) : (tensor<64x64xf32>) -> tensor<64xf32>
  %e = tt.expand_dims %s {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %bs = tt.broadcast %e : tensor<64x1xf32> -> tensor<64x64xf32>
  %r = arith.divf %v, %bs : tensor<64x64xf32>
  tile.store %r, %y {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<64x64xf32>, !mem.ptr<global>
  return
}
