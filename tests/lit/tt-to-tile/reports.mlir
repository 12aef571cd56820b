// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --tt-to-tile | FileCheck %s

// A kernel without prints and asserts takes its own parameters and nothing else.
// CHECK-LABEL: func.func @silent(%{{[a-z0-9]*}}: i32) attributes {tritonrt.kernel} {
tt.func public @silent(%n: i32) {
  tt.return
}

// -----

// A record's place is taken once; head and values are stored where there was room.
// CHECK-LABEL: func.func @prints
// CHECK-SAME: %[[BUFFER:[a-z0-9]*]]: !mem.ptr<global>, %[[NUMBER:[a-z0-9]*]]: i32)
// CHECK-SAME: tritonrt.reports = ["{{[0-9]+}} - print 1 u32:16,i64,ptr  a\\5c\\0a b"]
// CHECK: %[[AT:.*]] = mem.reserve %[[BUFFER]], 8 8 : <global>
// CHECK: %[[FITS:.*]] = arith.cmpi sge, %[[AT]], %c0_i32{{.*}} : i32
// CHECK: scf.if %[[FITS]]
// CHECK: tt.splat %[[NUMBER]]
// CHECK: tile.store %{{.*}} root = 1 : i64{{.*}} : tensor<8xi32>
// CHECK: tile.store %{{.*}} : tensor<16xi32>
// CHECK: tile.store %{{.*}} : i64
// CHECK: tile.store %{{.*}} : i64
tt.func public @prints(%n: i64) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %p = tt.int_to_ptr %n : i64 -> !tt.ptr<f32>
  tt.print " a\\\n b" {hex = true, isSigned = array<i32: 0, 1, 0>} : %r, %n, %p : tensor<16xi32>, i64, !tt.ptr<f32>
  tt.return
}

// -----

// All elements must hold; the program ends where they do not.
// CHECK-LABEL: func.func @asserts
// CHECK: %[[ALL:.*]] = "tt.reduce"
// CHECK: arith.andi
// CHECK: %[[FAILS:.*]] = arith.xori %[[ALL]], %true
// CHECK: scf.if %[[FAILS]]
// CHECK: mem.reserve %{{.*}}, 2 12 : <global>
// CHECK: mem.exit
tt.func public @asserts(%n: i32) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %s = tt.splat %n : i32 -> tensor<16xi32>
  %c = arith.cmpi slt, %r, %s : tensor<16xi32>
  tt.assert %c, "all" : tensor<16xi1>
  tt.return
}
