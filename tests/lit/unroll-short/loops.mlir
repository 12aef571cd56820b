// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(unroll-short))" %s | FileCheck %s

// Four turns are written out, five are not; the loop around straight code may become so itself.
// CHECK-LABEL: func.func @loops
// CHECK-COUNT-8: mem.store
// CHECK: scf.for
// CHECK-NEXT: mem.store
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @loops(%x: f32) {
  %a = mem.alloc 512 {offset = 0} : <local>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %five = arith.constant 5 : i64
  scf.for %i = %zero to %two step %one : i64 {
    scf.for %j = %zero to %four step %one : i64 {
      %at = arith.addi %i, %j : i64
      mem.store %x, %a[%at] : f32, <local>
    }
  }
  scf.for %i = %zero to %five step %one : i64 {
    mem.store %x, %a[%i] : f32, <local>
  }
  return
}

// A loop stays one where its items meet.
// CHECK-LABEL: func.func @meets
// CHECK: scf.for
// CHECK: mem.barrier
// CHECK-NOT: mem.barrier
func.func @meets(%x: f32) {
  %a = mem.alloc 512 {offset = 0} : <local>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  scf.for %i = %zero to %two step %one : i64 {
    mem.store %x, %a[%i] : f32, <local>
    mem.barrier group {local}
  }
  return
}
