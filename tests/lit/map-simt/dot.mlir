// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests{disjoint=true keep-loads=true},split-nests,choose-layouts{items=128}),map-simt{items=128 disjoint=true},pack-storage,func.func(place-barriers{disjoint=true}),canonicalize,cse)" %s | FileCheck %s

// Operands go to local memory; an item keeps eight rows of four sums and goes along K once, reading
// four elements of A at a time.
// CHECK-LABEL: func.func @product
// CHECK: mem.store {{.*}}vector<4xf32>, <local>
// CHECK: mem.store {{.*}}vector<4xf32>, <local>
// CHECK: mem.barrier group {local}
// CHECK: %{{.*}}:8 = scf.for
// CHECK-COUNT-12: mem.load {{.*}}<local> -> vector<4xf32>
// CHECK-NOT: mem.load {{.*}}<local>
// CHECK: scf.yield
// CHECK-NOT: mem.barrier
// CHECK: return
func.func @product(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %z: !mem.ptr<global>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile.load %x {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64x32xf32>
  %b = tile.load %y {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 1} : !mem.ptr<global> -> tensor<32x64xf32>
  %c = tt.dot %a, %b, %zero : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
  tile.store %c, %z {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<64x64xf32>, !mem.ptr<global>
  return
}

// A sum of what a tile and another one's row give, and the tile itself: no product, and both
// results are stored.
// CHECK-LABEL: func.func @tile_and_sum
// CHECK: mem.store {{.*}}, %arg2
// CHECK: mem.store {{.*}}, %arg3
// CHECK: return
func.func @tile_and_sum(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %z: !mem.ptr<global>, %s: !mem.ptr<global>) {
  %a = tile.load %x {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<128x32xf32>
  %m = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.maxnumf %p, %q : f32
    tt.reduce.return %r : f32
  }) : (tensor<128x32xf32>) -> tensor<128xf32>
  %e = tt.expand_dims %m {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
  %b = tt.broadcast %e : tensor<128x1xf32> -> tensor<128x32xf32>
  %d = arith.subf %a, %b : tensor<128x32xf32>
  %g = math.exp2 %d : tensor<128x32xf32>
  %t = "tt.reduce"(%g) <{axis = 1 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.addf %p, %q : f32
    tt.reduce.return %r : f32
  }) : (tensor<128x32xf32>) -> tensor<128xf32>
  tile.store %g, %z {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 2} : tensor<128x32xf32>, !mem.ptr<global>
  tile.store %t, %s {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 3} : tensor<128xf32>, !mem.ptr<global>
  return
}
