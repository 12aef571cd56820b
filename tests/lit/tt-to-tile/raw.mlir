// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --tt-to-tile | FileCheck %s

// A region becomes a function and a call: the tensor lies in a buffer, which is read again after.
// CHECK: llvm.func @tle_raw_0(%[[P:.*]]: !llvm.ptr, %[[N:.*]]: i32) -> i32
// CHECK: %[[NEAR:.*]] = llvm.addrspacecast %[[P]] : !llvm.ptr to !llvm.ptr<3>
// CHECK: llvm.load %[[NEAR]]
// CHECK: llvm.return %{{.*}} : i32
// CHECK-LABEL: func.func @k
// CHECK: %[[BUFFER:.*]] = mem.buffer 0, 64
// CHECK: tile.store
// CHECK: %[[COUNT:.*]] = mem.call "tle_raw_0"(%[[BUFFER]], %arg1) : (!mem.ptr<global>, i32) -> i32
// CHECK: tile.load
tt.func public @k(%x: !tt.ptr<f32>, %n: i32, %out: !tt.ptr<i32>) {
  %lanes = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %at = tt.addptr %base, %lanes : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %v = tt.load %at : tensor<16x!tt.ptr<f32>>
  %r, %count = "tle.dsl_region"(%v, %n) ({
  ^entry(%in: tensor<16xf32>, %by: i32):
    %p = tle.extract_aligned_ptr %in : tensor<16xf32> to !llvm.ptr<3>
    %old = llvm.load %p : !llvm.ptr<3> -> f32
    llvm.store %old, %p : f32, !llvm.ptr<3>
    tle.yield %in, %by : tensor<16xf32>, i32
  }) {output_operand_indices = array<i32: 0, -1>, region_dialect = "llvm"} : (tensor<16xf32>, i32) -> (tensor<16xf32>, i32)
  tt.store %at, %r : tensor<16x!tt.ptr<f32>>
  tt.store %out, %count : !tt.ptr<i32>
  tt.return
}
