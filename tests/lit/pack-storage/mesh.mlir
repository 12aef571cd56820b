// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s -split-input-file "--pack-storage=local-bytes=2560 mesh-local-bytes=2048 own-bytes=2048" | FileCheck %s

// What does not fit local memory lies in the mesh's, what has the fewest accesses a byte first,
// behind what the mesh reaches.
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

// Other kernels have such memory for that alone. What a loop uses again and again stays.
// CHECK-LABEL: func.func @alone
// CHECK-SAME: tritonrt.local_bytes = 2048
// CHECK-SAME: tritonrt.mesh_bytes = 1024
// CHECK-SAME: tritonrt.spills
// CHECK: mem.alloc 2048 {offset = 0 : i64} : <local>
// CHECK: mem.alloc 1024 {offset = 0 : i64} : <global>
func.func @alone(%x: f32) {
  %a = mem.alloc 2048 : <local>
  %b = mem.alloc 1024 : <local>
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  mem.store %x, %b[%z] : f32, <local>
  scf.for %i = %z to %n step %one : i64 {
    mem.store %x, %a[%i] : f32, <local>
    mem.barrier group {local}
  }
  %q = mem.load %b[%z] : <local> -> f32
  return
}

// -----

// An item keeps what fits; of the rest each item has its part in global memory.
// CHECK-LABEL: func.func @own
// CHECK-SAME: tritonrt.mesh_bytes = 512000
// CHECK-SAME: tritonrt.spills
// CHECK: mem.alloc 4000 {offset = 0 : i64, own} : <global>
// CHECK: mem.alloc 1000 {offset = 0 : i64, own} : <scratch>
func.func @own(%x: f32) attributes {tritonrt.work_items = 128 : i64} {
  %a = mem.alloc 4000 {own} : <scratch>
  %b = mem.alloc 1000 {own} : <scratch>
  %z = arith.constant 0 : i64
  mem.store %x, %a[%z] : f32, <scratch>
  mem.store %x, %b[%z] : f32, <scratch>
  return
}

// -----

// The launch can give less than a kernel may have of itself.
// CHECK-LABEL: func.func @most
// CHECK-SAME: tritonrt.local_bytes = 2560
// CHECK-NOT: tritonrt.spills
// CHECK: mem.alloc 2560 {offset = 0 : i64} : <local>
func.func @most(%x: f32) {
  %a = mem.alloc 2560 : <local>
  %z = arith.constant 0 : i64
  mem.store %x, %a[%z] : f32, <local>
  return
}
