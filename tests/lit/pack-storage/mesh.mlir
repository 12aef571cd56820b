// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s -split-input-file --pack-storage=local-bytes=2048 | FileCheck %s

// What does not fit local memory lies in the mesh's, largest first, behind what the mesh reaches.
// CHECK-LABEL: func.func @mesh
// CHECK-SAME: tritonrt.local_bytes = 1024
// CHECK-SAME: tritonrt.mesh_bytes = 12416
// CHECK: mem.alloc 8192 {offset = 128 : i64} : <global>
// CHECK: mem.alloc 4096 {offset = 8320 : i64} : <global>
// CHECK: mem.alloc 1024 {offset = 0 : i64} : <local>
// CHECK: mem.store %{{.*}} : f32, <global>
func.func @mesh(%x: f32) attributes {tritonrt.mesh_bytes = 100 : i64} {
  %a = mem.alloc 8192 : <local>
  %b = mem.alloc 4096 : <local>
  %c = mem.alloc 1024 : <local>
  %z = arith.constant 0 : i64
  mem.store %x, %a[%z] : f32, <local>
  mem.store %x, %b[%z] : f32, <local>
  mem.store %x, %c[%z] : f32, <local>
  mem.barrier group {local}
  %p = mem.load %a[%z] : <local> -> f32
  %q = mem.load %b[%z] : <local> -> f32
  %r = mem.load %c[%z] : <local> -> f32
  return
}

// -----

// Other kernels have no such memory.
// CHECK-LABEL: func.func @alone
// CHECK-SAME: tritonrt.local_bytes = 8192
func.func @alone(%x: f32) {
  %a = mem.alloc 8192 : <local>
  %z = arith.constant 0 : i64
  mem.store %x, %a[%z] : f32, <local>
  return
}
