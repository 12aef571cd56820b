// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(place-barriers{disjoint=true}))" %s | FileCheck %s

// What is written is read behind the next point; the point after it orders nothing.
// CHECK-LABEL: func.func @line
// CHECK: mem.store
// CHECK-NEXT: mem.barrier group {local}
// CHECK-NEXT: mem.load
// CHECK-NEXT: return
func.func @line(%x: f32, %i: i64) {
  %a = mem.alloc 512 {offset = 0} : <local>
  mem.sync_point []
  mem.store %x, %a[%i] : f32, <local>
  mem.sync_point []
  %v = mem.load %a[%i] : <local> -> f32
  mem.sync_point []
  return
}

// The next turn writes what this one reads: a barrier at the start of the body too.
// CHECK-LABEL: func.func @back_edge
// CHECK: scf.for
// CHECK-NEXT: mem.barrier group {local}
// CHECK-NEXT: mem.store
// CHECK-NEXT: mem.barrier group {local}
// CHECK-NEXT: mem.load
func.func @back_edge(%x: f32, %i: i64, %n: i64, %one: i64) {
  %a = mem.alloc 512 {offset = 0} : <local>
  scf.for %k = %i to %n step %one : i64 {
    mem.sync_point []
    mem.store %x, %a[%i] : f32, <local>
    mem.sync_point []
    %v = mem.load %a[%i] : <local> -> f32
  }
  return
}

// Buffers that share bytes meet; those that do not, do not.
// CHECK-LABEL: func.func @shared_bytes
// CHECK: mem.load
// CHECK-NEXT: mem.store
// CHECK-NEXT: mem.barrier group {local}
// CHECK-NEXT: mem.store
func.func @shared_bytes(%x: f32, %i: i64) {
  %a = mem.alloc 512 {offset = 0} : <local>
  %b = mem.alloc 512 {offset = 512} : <local>
  %c = mem.alloc 512 {offset = 256} : <local>
  mem.sync_point []
  %v = mem.load %a[%i] : <local> -> f32
  mem.sync_point []
  mem.store %v, %b[%i] : f32, <local>
  mem.sync_point []
  mem.store %v, %c[%i] : f32, <local>
  return
}

// Global memory: parameter 0 is read after it is written; parameter 1 is another one.
// CHECK-LABEL: func.func @arguments
// CHECK-NEXT: mem.store
// CHECK-NEXT: mem.load %arg1
// CHECK-NEXT: mem.barrier group {global}
// CHECK-NEXT: mem.load %arg0
func.func @arguments(%p: !mem.ptr<global>, %q: !mem.ptr<global>, %x: f32, %i: i64) {
  mem.sync_point [0, 1, 0]
  mem.store %x, %p[%i] : f32, <global>
  mem.sync_point [1, 0, 0]
  %v = mem.load %q[%i] : <global> -> f32
  mem.sync_point [0, 0, 0]
  %w = mem.load %p[%i] : <global> -> f32
  return
}

// A barrier on one side of a branch does not count on the other one.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: mem.barrier group {local}
// CHECK: }
// CHECK-NEXT: mem.barrier group {local}
// CHECK-NEXT: mem.load
func.func @branch(%x: f32, %i: i64, %c: i1) {
  %a = mem.alloc 512 {offset = 0} : <local>
  mem.sync_point []
  mem.store %x, %a[%i] : f32, <local>
  scf.if %c {
    mem.sync_point []
    %v = mem.load %a[%i] : <local> -> f32
  }
  mem.sync_point []
  %w = mem.load %a[%i] : <local> -> f32
  return
}
