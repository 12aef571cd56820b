// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=cpu,cpu=x86-64-v4 --special=disjoint=1 --stage=asm --split-input-file %s | FileCheck %s

// Additions to what data names go to tables; four in turn.
// CHECK-LABEL: programs:
// CHECK: {{^	incl}}
// CHECK: {{^	incl}}
// CHECK-LABEL: trt_entry:
func.func @counts(%x: !mem.ptr<global>, %counts: !mem.ptr<global>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c1024 = arith.constant 1024 : i64
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c1024 step %c1 : i64 {
    %v = mem.load %x[%i] : !mem.ptr<global> -> i32
    %at = arith.extsi %v : i32 to i64
    %old = mem.atomic_rmw add, acq_rel, device, %counts[%at], %one : !mem.ptr<global>, i32
  }
  return
}

// -----

// Where the old value is asked for, each is done at once.
// CHECK-LABEL: programs:
// CHECK-NOT: {{^	incl}}
// CHECK: lock
// CHECK-LABEL: trt_entry:
func.func @tickets(%x: !mem.ptr<global>, %counts: !mem.ptr<global>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c1024 = arith.constant 1024 : i64
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c1024 step %c1 : i64 {
    %v = mem.load %x[%i] : !mem.ptr<global> -> i32
    %at = arith.extsi %v : i32 to i64
    %old = mem.atomic_rmw add, acq_rel, device, %counts[%at], %one : !mem.ptr<global>, i32
    mem.store %old, %x[%i] : i32, !mem.ptr<global>
  }
  return
}

// -----

// The same for what is read in another way, and for kernels that order their accesses.
// CHECK-LABEL: programs:
// CHECK-NOT: {{^	incl}}
// CHECK: lock
// CHECK-LABEL: trt_entry:
func.func @read(%x: !mem.ptr<global>, %counts: !mem.ptr<global>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c1024 = arith.constant 1024 : i64
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c1024 step %c1 : i64 {
    %v = mem.load %counts[%i] : !mem.ptr<global> -> i32
    %at = arith.extsi %v : i32 to i64
    %old = mem.atomic_rmw add, acq_rel, device, %counts[%at], %one : !mem.ptr<global>, i32
  }
  return
}

// -----

// CHECK-LABEL: programs:
// CHECK-NOT: {{^	incl}}
// CHECK: lock
// CHECK-LABEL: trt_entry:
func.func @flag(%x: !mem.ptr<global>, %counts: !mem.ptr<global>, %flag: !mem.ptr<global>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c1024 = arith.constant 1024 : i64
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c1024 step %c1 : i64 {
    %v = mem.load %x[%i] : !mem.ptr<global> -> i32
    %at = arith.extsi %v : i32 to i64
    %old = mem.atomic_rmw add, acq_rel, device, %counts[%at], %one : !mem.ptr<global>, i32
  }
  mem.atomic_store release, device, %flag[%c0], %one : !mem.ptr<global>, i32
  return
}
