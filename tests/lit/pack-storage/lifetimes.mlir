// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt --pack-storage %s | FileCheck %s

// %a and %c are never needed together; %b lives beside both. Places are multiples of 64 bytes.
// CHECK: func.func @share
// CHECK-SAME: tritonrt.scratch_bytes = 384
// CHECK: mem.alloc 256 {offset = 0 : i64}
// CHECK: mem.alloc 100 {offset = 256 : i64}
// CHECK: mem.alloc 256 {offset = 0 : i64}
// CHECK-NOT: mem.alloc
func.func @share(%p: !mem.ptr<global>) {
  %a = mem.alloc 256 : !mem.ptr<scratch>
  %b = mem.alloc 100 : !mem.ptr<scratch>
  %c = mem.alloc 256 : !mem.ptr<scratch>
  %unused = mem.alloc 4096 : !mem.ptr<scratch>
  %i = arith.constant 0 : i64
  %x = mem.load %p[%i] : !mem.ptr<global> -> f32
  mem.store %x, %a[%i] : f32, !mem.ptr<scratch>
  %y = mem.load %a[%i] : !mem.ptr<scratch> -> f32
  mem.store %y, %b[%i] : f32, !mem.ptr<scratch>
  mem.store %x, %c[%i] : f32, !mem.ptr<scratch>
  %z = mem.load %c[%i] : !mem.ptr<scratch> -> f32
  %w = mem.load %b[%i] : !mem.ptr<scratch> -> f32
  %s = arith.addf %z, %w : f32
  mem.store %s, %p[%i] : f32, !mem.ptr<global>
  return
}

// %a is filled before the loop and read in it: it must outlive %b in every iteration.
// CHECK: func.func @loop
// CHECK-SAME: tritonrt.scratch_bytes = 128
func.func @loop(%p: !mem.ptr<global>, %n: i64) {
  %a = mem.alloc 64 : !mem.ptr<scratch>
  %b = mem.alloc 64 : !mem.ptr<scratch>
  %i = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = mem.load %p[%i] : !mem.ptr<global> -> f32
  mem.store %x, %a[%i] : f32, !mem.ptr<scratch>
  scf.for %j = %i to %n step %one : i64 {
    %y = mem.load %a[%i] : !mem.ptr<scratch> -> f32
    mem.store %y, %b[%i] : f32, !mem.ptr<scratch>
    %z = mem.load %b[%i] : !mem.ptr<scratch> -> f32
    mem.store %z, %p[%j] : f32, !mem.ptr<global>
  }
  return
}
