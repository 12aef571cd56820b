// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s "--tt-to-tile=forms=false boxes=false" | FileCheck %s

// Without analysis the source's own tensors are offsets and masks.
// CHECK-LABEL: func.func @tail
// CHECK: %[[I:.*]] = arith.addi %{{.*}} : tensor<64xi32>
// CHECK: %[[M:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : tensor<64xi32>
// CHECK: %[[E:.*]] = arith.extsi %[[I]] : tensor<64xi32> to tensor<64xi64>
// CHECK: tile.load %arg0 offsets(%[[E]] : tensor<64xi64>) mask(%[[M]] : tensor<64xi1>) {boxDims = array<i64>, root = 0 : i64, staticStrides = array<i64: 0>, unit = 4 : i64}
tt.func public @tail(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %s = arith.muli %pid, %c64 : i32
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s1 = tt.splat %s : i32 -> tensor<64xi32>
  %i = arith.addi %s1, %r : tensor<64xi32>
  %n1 = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %n1 : tensor<64xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %px = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %px, %m : tensor<64x!tt.ptr<f32>>
  %q = tt.splat %o : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %qo = tt.addptr %q, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %qo, %v, %m : tensor<64x!tt.ptr<f32>>
  tt.return
}
