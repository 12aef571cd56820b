// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=opencl,fp64=1 --stage=opencl %s | FileCheck %s

// CHECK: typedef float16 float16_a4 __attribute__((aligned(4), may_alias));
// CHECK: __kernel __attribute__((reqd_work_group_size(1, 1, 1)))
// CHECK-NEXT: void kernel_add(
// CHECK-NEXT:     __global char *x_0_base, ulong x_0_offset,
func.func @add(%x: !mem.ptr<global> loc("x"), %y: !mem.ptr<global> loc("y"),
               %o: !mem.ptr<global> loc("o"), %n: i32 loc("n")) {
  %c0 = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  %c1024 = arith.constant 1024 : i32
  %c1 = arith.constant 1 : i64
  %pid = mem.program_id 0
  %s32 = arith.muli %pid, %c1024 : i32
  %s = arith.extsi %s32 : i32 to i64
  %nn = arith.extsi %n : i32 to i64
  %left = arith.subi %nn, %s : i64
  %c1024l = arith.constant 1024 : i64
  %e0 = arith.minsi %left, %c1024l : i64
  %e = arith.maxsi %e0, %c0 : i64
  %full0 = arith.divsi %e, %c16 : i64
  %full = arith.muli %full0, %c16 : i64
  scf.for %j = %c0 to %full step %c16 : i64 {
    %k = arith.addi %s, %j : i64
    // CHECK: const float16 [[A:v[0-9]+]] = *(__global float16_a4 *)(x_0 + {{.*}} * 4);
    %a = mem.load %x[%k] : !mem.ptr<global> -> vector<16xf32>
    %b = mem.load %y[%k] : !mem.ptr<global> -> vector<16xf32>
    %c = arith.addf %a, %b : vector<16xf32>
    mem.store %c, %o[%k] : vector<16xf32>, !mem.ptr<global>
  }
  scf.for %j = %full to %e step %c1 : i64 {
    %k = arith.addi %s, %j : i64
    %a = mem.load %x[%k] : !mem.ptr<global> -> f32
    %b = mem.load %y[%k] : !mem.ptr<global> -> f32
    %c = arith.addf %a, %b : f32
    mem.store %c, %o[%k] : f32, !mem.ptr<global>
  }
  return
}
