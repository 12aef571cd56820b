// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt --pack-storage %s | FileCheck %s

// The first is dead when the second is filled: one place for both.
// CHECK-LABEL: func.func @one_after_the_other
// CHECK-SAME: tritonrt.local_bytes = 0
// CHECK-SAME: tritonrt.scratch_bytes = 256
// CHECK: mem.alloc 256 {offset = 0 : i64}
// CHECK: mem.alloc 128 {offset = 0 : i64}
func.func @one_after_the_other(%v: f32) {
  %c0 = arith.constant 0 : i64
  %a = mem.alloc 256 : !mem.ptr<scratch>
  %b = mem.alloc 128 : !mem.ptr<scratch>
  mem.store %v, %a[%c0] : f32, !mem.ptr<scratch>
  mem.store %v, %b[%c0] : f32, !mem.ptr<scratch>
  return
}

// The first is read after the second is filled. Places are multiples of 64 bytes.
// CHECK-LABEL: func.func @at_the_same_time
// CHECK-SAME: tritonrt.scratch_bytes = 192
// CHECK: mem.alloc 100 {offset = 0 : i64}
// CHECK: mem.alloc 4 {offset = 128 : i64}
func.func @at_the_same_time(%v: f32) {
  %c0 = arith.constant 0 : i64
  %a = mem.alloc 100 : !mem.ptr<scratch>
  %b = mem.alloc 4 : !mem.ptr<scratch>
  mem.store %v, %a[%c0] : f32, !mem.ptr<scratch>
  mem.store %v, %b[%c0] : f32, !mem.ptr<scratch>
  %w = mem.load %a[%c0] : !mem.ptr<scratch> -> f32
  mem.store %w, %b[%c0] : f32, !mem.ptr<scratch>
  return
}

// The first is read again by the next iteration, though its last use stands before the second's first.
// CHECK-LABEL: func.func @around_a_loop
// CHECK-SAME: tritonrt.scratch_bytes = 128
// CHECK: mem.alloc 64 {offset = 0 : i64}
// CHECK: mem.alloc 64 {offset = 64 : i64}
func.func @around_a_loop(%v: f32, %n: index) {
  %c0 = arith.constant 0 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %a = mem.alloc 64 : !mem.ptr<scratch>
  %b = mem.alloc 64 : !mem.ptr<scratch>
  mem.store %v, %a[%c0] : f32, !mem.ptr<scratch>
  scf.for %i = %i0 to %n step %i1 {
    %w = mem.load %a[%c0] : !mem.ptr<scratch> -> f32
    mem.store %w, %b[%c0] : f32, !mem.ptr<scratch>
  }
  return
}

// Local memory is another block; what nobody uses takes no place.
// CHECK-LABEL: func.func @spaces
// CHECK-SAME: tritonrt.local_bytes = 64
// CHECK-SAME: tritonrt.scratch_bytes = 64
// CHECK-NOT: mem.alloc 4096
func.func @spaces(%v: f32) {
  %c0 = arith.constant 0 : i64
  %unused = mem.alloc 4096 : !mem.ptr<scratch>
  %a = mem.alloc 64 : !mem.ptr<scratch>
  %b = mem.alloc 64 : !mem.ptr<local>
  mem.store %v, %a[%c0] : f32, !mem.ptr<scratch>
  mem.store %v, %b[%c0] : f32, !mem.ptr<local>
  return
}
