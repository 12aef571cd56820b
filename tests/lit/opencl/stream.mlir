// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=opencl,type=cpu --stage=opencl %s | FileCheck %s
// RUN: tritonrt-translate --emit --target=backend=opencl,type=gpu --stage=opencl %s | FileCheck %s --check-prefix=GPU

// A launch that writes more than caches hold does so past them, on processors; loops in branches
// too.
// CHECK: #define STREAM
// CHECK-LABEL: void kernel_fill(
// CHECK: if (get_num_groups(0) * get_num_groups(1) * get_num_groups(2) >= 8192ul && (((ulong)o_0 + 0ul * 4ul) & 63ul) == 0ul) {
// CHECK: STREAM((__global float16 *)
// CHECK: } else {
// CHECK-NOT: STREAM
// CHECK: *(__global float16_
// GPU-NOT: STREAM
func.func @fill(%o: !mem.ptr<global> loc("o"), %n: i1 loc("n")) {
  %c0 = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  %c1024 = arith.constant 1024 : i64
  %v = arith.constant dense<1.0> : vector<16xf32>
  scf.if %n {
    scf.for %i = %c0 to %c1024 step %c16 : i64 {
      mem.store %v, %o[%i] : vector<16xf32>, <global>
    }
  }
  return
}
