// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --tt-to-tile | FileCheck %s

// Extents are i64 whatever the width of the comparison: n - start cannot overflow.
// CHECK-LABEL: func.func @tail
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32)
// CHECK: %[[S:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[NE:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[HI:.*]] = arith.subi %[[NE]], %[[S]] : i64
// CHECK: %[[V:.*]] = tile.load %{{.*}} box(%c0_i64 to %[[HI]]) other(%{{.*}} : f32) {{{.*}}boxDims = array<i64: 0>
// CHECK: tile.store %[[V]], %{{.*}} box(%c0_i64 to %[[HI]]) {{{.*}}boxDims = array<i64: 0>
tt.func public @tail(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32) {
  %c64 = arith.constant 64 : i32
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %pid = tt.get_program_id x : i32
  %s = arith.muli %pid, %c64 : i32
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s1 = tt.splat %s : i32 -> tensor<64xi32>
  %i = arith.addi %s1, %r : tensor<64xi32>
  %n1 = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %n1 : tensor<64xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %px = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %px, %m, %one : tensor<64x!tt.ptr<f32>>
  %q = tt.splat %o : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %qo = tt.addptr %q, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %qo, %v, %m : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// Both ends, by conjunction; a multiple of the index divides the extent, rounded up.
// CHECK-LABEL: func.func @both_ends
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32)
// CHECK-DAG: %[[NE:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[UP:.*]] = arith.addi %[[NE]], %c3_i64 : i64
// CHECK: %[[HI:.*]] = arith.shrsi %[[UP]], %c2_i64 : i64
// CHECK: tile.store %{{.*}}, %{{.*}} box(%c3_i64 to %[[HI]])
tt.func public @both_ends(%o: !tt.ptr<i32>, %n: i32) {
  %c3 = arith.constant dense<3> : tensor<64xi32>
  %c4 = arith.constant dense<4> : tensor<64xi32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r4 = arith.muli %r, %c4 : tensor<64xi32>
  %n1 = tt.splat %n : i32 -> tensor<64xi32>
  %m1 = arith.cmpi slt, %r4, %n1 : tensor<64xi32>
  %m2 = arith.cmpi sge, %r, %c3 : tensor<64xi32>
  %m = arith.andi %m1, %m2 : tensor<64xi1>
  %q = tt.splat %o : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %qo = tt.addptr %q, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %qo, %r, %m : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// One bound a dimension. A scalar condition empties one of them.
// CHECK-LABEL: func.func @two_dims
// CHECK-SAME: %[[M:[a-z0-9]*]]: i32, %[[N:[a-z0-9]*]]: i32, %[[C:[a-z0-9]*]]: i1)
// CHECK-DAG: %[[ME:.*]] = arith.extsi %[[M]] : i32 to i64
// CHECK-DAG: %[[NE:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[HI:.*]] = arith.select %[[C]], %[[ME]], %c0_i64 : i64
// CHECK: tile.store %{{.*}}, %{{.*}} box(%c0_i64, %c0_i64 to %[[HI]], %[[NE]]) {boxDims = array<i64: 0, 1>
tt.func public @two_dims(%o: !tt.ptr<i32>, %m: i32, %n: i32, %c: i1) {
  %r4 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %r8 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %rows = tt.expand_dims %r4 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %cols = tt.expand_dims %r8 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %ms = tt.splat %m : i32 -> tensor<4x1xi32>
  %ns = tt.splat %n : i32 -> tensor<1x8xi32>
  %mr = arith.cmpi slt, %rows, %ms : tensor<4x1xi32>
  %mc = arith.cmpi sgt, %ns, %cols : tensor<1x8xi32>
  %mr2 = tt.broadcast %mr : tensor<4x1xi1> -> tensor<4x8xi1>
  %mc2 = tt.broadcast %mc : tensor<1x8xi1> -> tensor<4x8xi1>
  %m1 = arith.andi %mr2, %mc2 : tensor<4x8xi1>
  %cs = tt.splat %c : i1 -> tensor<4x8xi1>
  %m2 = arith.andi %m1, %cs : tensor<4x8xi1>
  %co2 = tt.broadcast %cols : tensor<1x8xi32> -> tensor<4x8xi32>
  %q = tt.splat %o : !tt.ptr<i32> -> tensor<4x8x!tt.ptr<i32>>
  %qo = tt.addptr %q, %co2 : tensor<4x8x!tt.ptr<i32>>, tensor<4x8xi32>
  tt.store %qo, %co2, %m2 : tensor<4x8x!tt.ptr<i32>>
  tt.return
}

// -----

// An unsigned order is a box only if nothing is negative: n may be, 7 and a range are not.
// CHECK-LABEL: func.func @unsigned
// CHECK: %[[M:.*]] = arith.cmpi ult
// CHECK: tile.store %{{.*}}, %{{.*}} mask(%[[M]] : tensor<16xi1>)
// CHECK: tile.store %{{.*}}, %{{.*}} box(%c0_i64 to %c7_i64)
tt.func public @unsigned(%o: !tt.ptr<i32>, %n: i32) {
  %c7 = arith.constant dense<7> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %s = tt.splat %n : i32 -> tensor<16xi32>
  %i = arith.addi %s, %r : tensor<16xi32>
  %m = arith.cmpi ult, %i, %c7 : tensor<16xi32>
  %q = tt.splat %o : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %qo = tt.addptr %q, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  tt.store %qo, %r, %m : tensor<16x!tt.ptr<i32>>
  %m2 = arith.cmpi ult, %r, %c7 : tensor<16xi32>
  tt.store %qo, %r, %m2 : tensor<16x!tt.ptr<i32>>
  tt.return
}

// -----

// What is no box stays a mask; what is one beside it leaves it.
// CHECK-LABEL: func.func @residual
// CHECK: %[[L:.*]] = tile.load %arg1 {{.*}} -> tensor<16xi1>
// CHECK: tile.store %{{.*}}, %{{.*}} box(%c0_i64 to %{{.*}}) mask(%[[L]] : tensor<16xi1>)
// CHECK: %[[OR:.*]] = arith.ori
// CHECK: tile.store %{{.*}}, %{{.*}} mask(%[[OR]] : tensor<16xi1>) {boxDims = array<i64>
tt.func public @residual(%o: !tt.ptr<i32>, %flags: !tt.ptr<i1>, %n: i32) {
  %c7 = arith.constant dense<7> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %f = tt.splat %flags : !tt.ptr<i1> -> tensor<16x!tt.ptr<i1>>
  %fo = tt.addptr %f, %r : tensor<16x!tt.ptr<i1>>, tensor<16xi32>
  %loaded = tt.load %fo : tensor<16x!tt.ptr<i1>>
  %s = tt.splat %n : i32 -> tensor<16xi32>
  %m = arith.cmpi slt, %r, %s : tensor<16xi32>
  %m1 = arith.andi %loaded, %m : tensor<16xi1>
  %q = tt.splat %o : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %qo = tt.addptr %q, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  tt.store %qo, %r, %m1 : tensor<16x!tt.ptr<i32>>
  %big = arith.cmpi sgt, %r, %c7 : tensor<16xi32>
  %m2 = arith.ori %m, %big : tensor<16xi1>
  tt.store %qo, %r, %m2 : tensor<16x!tt.ptr<i32>>
  tt.return
}
