// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s "--tt-to-tile=kernel=ring" | FileCheck %s
// RUN: tritonrt-opt %s "--tt-to-tile=kernel=exchange" | FileCheck %s --check-prefix=EXCHANGE
//
// Buffers are pointers with a root of their own; a remote pointer moves the base.

// CHECK-LABEL: func.func @ring
tt.func public @ring(%x: !tt.ptr<f32>, %next: i32) {
  // CHECK-DAG: %[[send:.*]] = mem.buffer 0, 256 : <global>
  // CHECK-DAG: %[[there:.*]] = mem.buffer 1, 256 : <global>
  // CHECK-DAG: %[[remote:.*]] = mem.remote %[[there]], %{{.*}} : <global>
  %send = dsa.alloc [64] : memref<64xf32>
  %recv = dsa.alloc [64] : memref<64xf32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %p = "dsa.local_pointers"(%send, %i) : (memref<64xf32>, tensor<64xi32>) -> tensor<64x!tt.ptr<f32>>
  %q = "dsa.local_pointers"(%recv, %i) : (memref<64xf32>, tensor<64xi32>) -> tensor<64x!tt.ptr<f32>>
  %r = "dsa.remote_pointers"(%q, %next) : (tensor<64x!tt.ptr<f32>>, i32) -> tensor<64x!tt.ptr<f32>>
  // CHECK: tile.load %[[send]] {{.*}}root = -2 : i64
  %v = tt.load %p : tensor<64x!tt.ptr<f32>>
  // CHECK: tile.store %{{.*}}, %[[remote]] {{.*}}root = -3 : i64
  tt.store %r, %v : tensor<64x!tt.ptr<f32>>
  // CHECK: mem.mesh_barrier [2, 2, 0, 1], {{[0-9]+}}, "dsa.distributed_barrier"
  dsa.distributed_barrier {group_axes = array<i32: 0>, group_kind = "submesh", group_mask = array<i32: 0, 1>, group_rank = 1 : i32, group_shape = array<i32: 2>}
  tt.return
}

// A store that names its ring, in a loop without barriers, is an exchange.
// EXCHANGE-LABEL: func.func @exchange
tt.func public @exchange(%next: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %buf = dsa.alloc [64] : memref<64xf32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %p = "dsa.local_pointers"(%buf, %i) : (memref<64xf32>, tensor<64xi32>) -> tensor<64x!tt.ptr<f32>>
  %r = "dsa.remote_pointers"(%p, %next) {mesh_physical_ids = array<i32: 0, 1, 2>, mesh_shape = array<i32: 3>} : (tensor<64x!tt.ptr<f32>>, i32) -> tensor<64x!tt.ptr<f32>>
  // EXCHANGE: scf.for
  scf.for %k = %c0 to %n step %c1  : i32 {
    %v = tt.load %p : tensor<64x!tt.ptr<f32>>
    // EXCHANGE: mem.mesh_barrier [2, 3, 0, 1, 2]
    // EXCHANGE: tile.store
    // EXCHANGE: mem.mesh_barrier [2, 3, 0, 1, 2]
    tt.store %r, %v : tensor<64x!tt.ptr<f32>>
  }
  tt.return
}
