// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --tt-to-tile | FileCheck %s

// Rows of a program modulo their number wrap at most where the block says so.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32)
// CHECK: %[[S:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[NE:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[T:.*]] = arith.remsi %[[S]], %{{.*}} : i64
// CHECK: tile.store %{{.*}}, %arg0 wrap(%[[T]] mod %[[NE]]) {{{.*}}staticStrides = array<i64: 1>, unit = 4 : i64, wrapDim = 0 : i64}
tt.func public @rows(%o: !tt.ptr<i32>, %n: i32) {
  %c16 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c16 : i32
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %s = tt.splat %start : i32 -> tensor<16xi32>
  %i = arith.addi %s, %r : tensor<16xi32>
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %w = arith.remsi %i, %ns : tensor<16xi32>
  %q = tt.splat %o : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %qo = tt.addptr %q, %w : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  tt.store %qo, %r : tensor<16x!tt.ptr<i32>>
  tt.return
}

// -----

// The remainder of what may be negative is no modulo: the numbers themselves are the offsets.
// CHECK-LABEL: func.func @negative
// CHECK: %[[W:.*]] = arith.remsi %{{.*}} : tensor<16xi32>
// CHECK: %[[E:.*]] = arith.extsi %[[W]] : tensor<16xi32> to tensor<16xi64>
// CHECK: tile.store %{{.*}}, %arg0 offsets(%[[E]] : tensor<16xi64>) {{{.*}}staticStrides = array<i64: 0>
tt.func public @negative(%o: !tt.ptr<i32>, %n: i32) {
  %c3 = arith.constant dense<3> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %i = arith.subi %r, %c3 : tensor<16xi32>
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %w = arith.remsi %i, %ns : tensor<16xi32>
  %q = tt.splat %o : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %qo = tt.addptr %q, %w : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  tt.store %qo, %r : tensor<16x!tt.ptr<i32>>
  tt.return
}
