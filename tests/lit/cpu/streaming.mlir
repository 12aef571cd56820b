// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=cpu,cpu=x86-64-v4 --stage=asm --split-input-file %s | FileCheck %s

// Two forms of the loop, and a fence for the one that goes past the caches.
// CHECK-LABEL: programs:
// CHECK: vmovntps %zmm
// CHECK: sfence
// CHECK-LABEL: trt_entry:
func.func @fill(%out: !mem.ptr<global>, %s: f32) {
  %c0 = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  %c1024 = arith.constant 1024 : i64
  %pid = mem.program_id 0
  %wide = arith.extsi %pid : i32 to i64
  %c4096 = arith.constant 4096 : i64
  %bytes = arith.muli %wide, %c4096 : i64
  %p = mem.offset %out, %bytes : !mem.ptr<global>
  %v = vector.broadcast %s : f32 to vector<16xf32>
  scf.for %i = %c0 to %c1024 step %c16 : i64 {
    mem.store %v, %p[%i] : vector<16xf32>, !mem.ptr<global>
  }
  return
}

// -----

// What the kernel reads again stays in the caches.
// CHECK-LABEL: programs:
// CHECK-NOT: vmovntps
// CHECK-LABEL: trt_entry:
func.func @in_place(%out: !mem.ptr<global>) {
  %c0 = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  %c1024 = arith.constant 1024 : i64
  scf.for %i = %c0 to %c1024 step %c16 : i64 {
    %v = mem.load %out[%i] : !mem.ptr<global> -> vector<16xf32>
    %w = arith.addf %v, %v : vector<16xf32>
    mem.store %w, %out[%i] : vector<16xf32>, !mem.ptr<global>
  }
  return
}
