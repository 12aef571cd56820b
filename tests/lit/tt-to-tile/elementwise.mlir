// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --tt-to-tile | FileCheck %s

// CHECK-LABEL: func.func @floats
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[A:.*]] = math.sqrt %[[X]]
// CHECK: %[[B:.*]] = arith.divf %[[A]], %[[X]]
// CHECK: %[[C:.*]] = arith.maxnumf %[[B]], %[[X]]
// CHECK: %[[D:.*]] = arith.minnumf %[[C]], %[[A]]
// CHECK: %[[E:.*]] = arith.maximumf %[[D]], %[[X]]
// CHECK: %[[F:.*]] = arith.minimumf %[[E]], %[[A]]
// CHECK: %[[G:.*]] = math.rsqrt %[[F]]
// CHECK: libm.call "isnan"(%[[G]]) : (tensor<8xf32>) -> tensor<8xi32>
// CHECK: arith.bitcast %[[G]] : tensor<8xf32> to tensor<8xi32>
tt.func public @floats(%x: !tt.ptr<f32>, %o: !tt.ptr<i32>) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %px = tt.addptr %p, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %v = tt.load %px : tensor<8x!tt.ptr<f32>>
  %a = tt.precise_sqrt %v : tensor<8xf32>
  %b = tt.precise_divf %a, %v : tensor<8xf32>
  %c = tt.clampf %b, %v, %a, propagateNan = none : tensor<8xf32>
  %d = tt.clampf %c, %v, %a, propagateNan = all : tensor<8xf32>
  %e = tt.extern_elementwise %d {libname = "", libpath = "", pure = true, symbol = "__nv_rsqrtf"} : (tensor<8xf32>) -> tensor<8xf32>
  %f = tt.extern_elementwise %e {libname = "", libpath = "", pure = true, symbol = "__nv_isnanf"} : (tensor<8xf32>) -> tensor<8xi32>
  %g = tt.bitcast %e : tensor<8xf32> -> tensor<8xi32>
  %h = arith.addi %f, %g : tensor<8xi32>
  %q = tt.splat %o : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %qo = tt.addptr %q, %r : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  tt.store %qo, %h : tensor<8x!tt.ptr<i32>>
  tt.return
}

// -----

// One rounding on the way to a narrow float, of the kind that the op names.
// CHECK-LABEL: func.func @conversions
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[W:.*]] = arith.extf %[[X]] : tensor<8xf16> to tensor<8xf32>
// CHECK: %[[N:.*]] = arith.truncf %[[W]] : tensor<8xf32> to tensor<8xf8E5M2>
// CHECK: %[[V:.*]] = arith.extf %[[N]] : tensor<8xf8E5M2> to tensor<8xf32>
// CHECK: arith.truncf %[[V]] toward_zero : tensor<8xf32> to tensor<8xbf16>
tt.func public @conversions(%x: !tt.ptr<f16>, %o: !tt.ptr<bf16>) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %p = tt.splat %x : !tt.ptr<f16> -> tensor<8x!tt.ptr<f16>>
  %px = tt.addptr %p, %r : tensor<8x!tt.ptr<f16>>, tensor<8xi32>
  %v = tt.load %px : tensor<8x!tt.ptr<f16>>
  %a = tt.fp_to_fp %v, rounding = rtne : tensor<8xf16> -> tensor<8xf8E5M2>
  %b = tt.fp_to_fp %a : tensor<8xf8E5M2> -> tensor<8xf32>
  %c = tt.fp_to_fp %b, rounding = rtz : tensor<8xf32> -> tensor<8xbf16>
  %q = tt.splat %o : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
  %qo = tt.addptr %q, %r : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
  tt.store %qo, %c : tensor<8x!tt.ptr<bf16>>
  tt.return
}

// -----

// Tensors of no dimensions are scalars.
// CHECK-LABEL: func.func @scalars
// CHECK: %[[X:.*]] = tile.load %arg0 {{.*}} -> f32
// CHECK: %[[S:.*]] = arith.addf %[[X]], %{{.*}} : f32
// CHECK: tile.store %[[S]], %arg0 {{.*}} : f32
// CHECK: mem.barrier group {global, local}
tt.func public @scalars(%x: !tt.ptr<f32>) {
  %c = arith.constant dense<2.0> : tensor<f32>
  %v = tt.load %x : !tt.ptr<f32>
  %t = tt.splat %v : f32 -> tensor<f32>
  %u = arith.addf %t, %c : tensor<f32>
  %s = tt.unsplat %u : tensor<f32>
  tt.store %x, %s : !tt.ptr<f32>
  ttg.barrier all
  tt.return
}

// -----

// Scalar code over elements: both sides of an if, then a choice; a division that some elements do
// not come to divides by one there.
// CHECK-LABEL: func.func @map
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[C:.*]] = arith.cmpi ne, %[[X]], %{{.*}} : tensor<8xi32>
// CHECK: %[[S:.*]] = arith.select %[[C]], %[[X]], %{{.*}} : tensor<8xi1>, tensor<8xi32>
// CHECK: %[[D:.*]] = arith.divsi %{{.*}}, %[[S]] : tensor<8xi32>
// CHECK: arith.select %[[C]], %[[D]], %{{.*}} : tensor<8xi1>, tensor<8xi32>
tt.func public @map(%x: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %p = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %px = tt.addptr %p, %r : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %v = tt.load %px : tensor<8x!tt.ptr<i32>>
  %d = "tt.map_elementwise"(%v) <{pack = 1 : i32}> ({
  ^bb0(%e: i32):
    %c = arith.cmpi ne, %e, %c0 : i32
    %q = scf.if %c -> (i32) {
      %t = arith.divsi %c9, %e : i32
      scf.yield %t : i32
    } else {
      scf.yield %c0 : i32
    }
    tt.map_elementwise.return %q : i32
  }) : (tensor<8xi32>) -> tensor<8xi32>
  tt.store %px, %d : tensor<8x!tt.ptr<i32>>
  tt.return
}

// -----

// Scales are powers of two for 32 elements along K, e2m1 comes two to a byte.
// CHECK-LABEL: func.func @scaled
// CHECK: tt.join %{{.*}} : tensor<32x32xi8> -> tensor<32x32x2xi8>
// CHECK: tt.reshape %{{.*}} : tensor<32x32x2xi8> -> tensor<32x64xi8>
// CHECK: tt.broadcast %{{.*}} : tensor<32x2x1xf32> -> tensor<32x2x32xf32>
// CHECK: %[[A:.*]] = arith.mulf %{{.*}} : tensor<32x64xf32>
// CHECK: %[[B:.*]] = arith.extf %{{.*}} : tensor<64x16xbf16> to tensor<64x16xf32>
// CHECK: tt.dot %[[A]], %[[B]], %{{.*}} : tensor<32x64xf32> * tensor<64x16xf32> -> tensor<32x16xf32>
tt.func public @scaled(%x: !tt.ptr<i8>, %y: !tt.ptr<bf16>, %o: !tt.ptr<f32>) {
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %px = tt.splat %x : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>>
  %a = tt.load %px : tensor<32x32x!tt.ptr<i8>>
  %ps = tt.splat %x : !tt.ptr<i8> -> tensor<32x2x!tt.ptr<i8>>
  %s = tt.load %ps : tensor<32x2x!tt.ptr<i8>>
  %py = tt.splat %y : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
  %b = tt.load %py : tensor<64x16x!tt.ptr<bf16>>
  %d = tt.dot_scaled %a scale %s, %b, %zero lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x16xbf16> -> tensor<32x16xf32>
  %po = tt.splat %o : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>>
  tt.store %po, %d : tensor<32x16x!tt.ptr<f32>>
  tt.return
}
