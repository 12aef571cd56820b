// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --place-buffers --split-input-file | FileCheck %s
//
// What a remote pointer leads to lies in the mesh's memory, the rest belongs to the program.

// CHECK-LABEL: func.func @ring
// CHECK-SAME: tritonrt.mesh_bytes = 192
// CHECK-SAME: tritonrt.mesh_grid = false
func.func @ring(%next: i32) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1.0 : f32
  // CHECK: %[[own:.*]] = mem.alloc 512 {keeps} : <global>
  %own = mem.buffer 0, 512 : <global>
  // CHECK: %[[start:.*]] = mem.mesh_memory : <global>
  // CHECK: mem.offset %[[start]], %{{.*}} : <global>
  %first = mem.buffer 1, 100 : <global>
  %second = mem.buffer 2, 64 : <global>
  // CHECK: mem.remote
  %there = mem.remote %first, %next : <global>
  %far = mem.offset %second, %zero : <global>
  %also = mem.remote %far, %next : <global>
  mem.store %one, %there[%zero] : f32, <global>
  mem.store %one, %also[%zero] : f32, <global>
  mem.store %one, %own[%zero] : f32, <global>
  mem.mesh_barrier [0], 1, "tle.distributed_barrier"
  return
}

// -----

// A program alone; the barrier of a grid joins meshes.
// CHECK-LABEL: func.func @alone
// CHECK-NOT: mesh_bytes
func.func @alone() {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1.0 : f32
  // CHECK: mem.alloc 64 : <global>
  %own = mem.buffer 0, 64 {temporary} : <global>
  mem.store %one, %own[%zero] : f32, <global>
  return
}

// -----

// CHECK-LABEL: func.func @grid
// CHECK-SAME: tritonrt.mesh_bytes = 0
// CHECK-SAME: tritonrt.mesh_grid = true
func.func @grid() {
  mem.mesh_barrier [1], 1, "tle.distributed_barrier"
  return
}
