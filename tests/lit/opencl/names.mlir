// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=opencl --stage=opencl %s | FileCheck %s
// Names are only ever identifiers that the language and its macros do not know.

// CHECK: void kernel_k_______define_a(
// CHECK-NEXT:     __global char *int_0_base, ulong int_0_offset,
// CHECK-NEXT:     uint a____evil______b_1,
// CHECK-NEXT:     uint v2) {
// CHECK-NOT: evil()
func.func @"k(){} \0A#define a"(%x: !mem.ptr<global> loc("int"), %n: i32 loc("a\0A*/ evil(); //b"), %m: i32 loc("__")) {
  %c0 = arith.constant 0 : i64
  %s = arith.addi %n, %m : i32
  mem.store %s, %x[%c0] : i32, !mem.ptr<global>
  return
}
