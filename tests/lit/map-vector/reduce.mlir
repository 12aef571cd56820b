// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests,clamp-bounds,cse,demand-extents),map-vector{cheap-masks=true},canonicalize,cse)" %s | FileCheck %s

// A region of its own meaning starts from first elements: here from those of four partial sums. Only
// the vectors below the bound go without masks.
// CHECK-LABEL: func.func @argmax
// CHECK: %[[M0:.*]] = mem.load %arg0[%c0_i64] mask({{.*}}) : <global> -> vector<16xf32>
// CHECK: %[[M1:.*]] = mem.load %arg0[%c16_i64]
// CHECK: %[[M3:.*]] = mem.load %arg0[%c48_i64]
// CHECK: %[[PART:.*]]:8 = scf.for %[[I:.*]] = %c64_i64 to %[[SPLIT:.*]] step %c64_i64 iter_args(%[[A:.*]] = %[[M0]],
// CHECK: %[[X:.*]] = mem.load %arg0[%[[I]]] : <global> -> vector<16xf32>
// CHECK: arith.cmpf ogt, %[[X]], %[[A]] : vector<16xf32>
// CHECK: scf.for %[[J:.*]] = %[[SPLIT]] to %c128_i64 step %c64_i64 iter_args(%{{.*}} = %[[PART]]#0,
// CHECK: mem.load %arg0[%[[J]]] mask({{.*}}) : <global> -> vector<16xf32>
// CHECK: vector.shuffle {{.*}} [8, 9, 10, 11, 12, 13, 14, 15]
func.func @argmax(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %n: i64) {
  %zero = arith.constant 0 : i64
  %ninf = arith.constant 0xFF800000 : f32
  %v = tile.load %x box(%zero to %n) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<128xf32>
  %w = tile.load %y box(%zero to %n) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4, root = 1} : !mem.ptr<global> -> tensor<128xi32>
  %r:2 = "tt.reduce"(%v, %w) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %g = arith.cmpf ogt, %a, %b : f32
    %q = arith.select %g, %a, %b : f32
    %qi = arith.select %g, %ai, %bi : i32
    tt.reduce.return %q, %qi : f32, i32
  }) : (tensor<128xf32>, tensor<128xi32>) -> (f32, i32)
  tile.store %r#0, %y {staticStrides = array<i64>, boxDims = array<i64>, unit = 4, root = 1} : f32, !mem.ptr<global>
  return
}

// Sums over rows need no shuffle: lanes are columns, all of them at once where they are few.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: vector.shuffle
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK: mem.load {{.*}} -> vector<16xf32>
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK: mem.store {{.*}} : vector<16xf32>, <global>
func.func @columns(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 32, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<8x32xf32>
  %r = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tt.reduce.return %q : f32
  }) : (tensor<8x32xf32>) -> tensor<32xf32>
  tile.store %r, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<32xf32>, !mem.ptr<global>
  return
}

// A scan along the lanes: log2(W) steps in each vector, then the carry of the vectors before.
// CHECK-LABEL: func.func @cumsum
// CHECK: scf.for {{.*}} iter_args(%[[CARRY:.*]] = %{{.*}}) -> (f32)
// CHECK: %[[X:.*]] = mem.load
// CHECK: %[[S1:.*]] = vector.shuffle %[[X]], %{{.*}} [16, 0, 1, 2,
// CHECK: %[[X1:.*]] = arith.addf %[[S1]], %[[X]] : vector<16xf32>
// CHECK: %[[S2:.*]] = vector.shuffle %[[X1]], %{{.*}} [16, 16, 0, 1,
// CHECK: %[[X8:.*]] = arith.addf {{.*}} : vector<16xf32>
// CHECK: %[[LAST:.*]] = vector.extract %{{.*}}[15]
// CHECK: %[[ALL:.*]] = vector.broadcast %[[CARRY]]
// CHECK: %[[SUM:.*]] = arith.addf %[[ALL]], %{{.*}} : vector<16xf32>
// CHECK: %[[NEXT:.*]] = arith.addf %[[CARRY]], %[[LAST]] : f32
// CHECK: scf.yield %[[NEXT]]
func.func @cumsum(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xf32>
  %r = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tt.scan.return %q : f32
  }) : (tensor<64xf32>) -> tensor<64xf32>
  tile.store %r, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<64xf32>, !mem.ptr<global>
  return
}

// Inside a lane the index only grows, so the loop leaves out the tie rule; the tree over partial sums
// and lanes has it.
// CHECK-LABEL: func.func @argmax_of_index
// CHECK: scf.for
// CHECK-NOT: arith.cmpf oeq
// CHECK: scf.yield
// CHECK: arith.cmpf oeq, {{.*}} : vector<16xf32>
// CHECK: arith.cmpi slt, {{.*}} : vector<16xi32>
// CHECK: return
func.func @argmax_of_index(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<256xf32>
  %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %r:2 = "tt.reduce"(%v, %i) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %g = arith.cmpf ogt, %a, %b : f32
    %e = arith.cmpf oeq, %a, %b : f32
    %l = arith.cmpi slt, %ai, %bi : i32
    %el = arith.andi %e, %l : i1
    %w = arith.ori %g, %el : i1
    %q = arith.select %w, %a, %b : f32
    %qi = arith.select %w, %ai, %bi : i32
    tt.reduce.return %q, %qi : f32, i32
  }) : (tensor<256xf32>, tensor<256xi32>) -> (f32, i32)
  tile.store %r#1, %y {staticStrides = array<i64>, boxDims = array<i64>, unit = 4, root = 1} : i32, !mem.ptr<global>
  return
}
