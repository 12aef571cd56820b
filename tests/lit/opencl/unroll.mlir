// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=opencl,fp64=1 --stage=opencl %s | FileCheck %s

// Loops that do little but store vectors are unrolled, but for those that few programs run.
// CHECK-LABEL: void kernel_copy(
// CHECK: #pragma unroll 4
// CHECK-NEXT: for (
// CHECK-NOT: #pragma unroll
func.func @copy(%x: !mem.ptr<global> loc("x"), %o: !mem.ptr<global> loc("o")) {
  %c0 = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  %c1024 = arith.constant 1024 : i64
  scf.for %i = %c0 to %c1024 step %c16 : i64 {
    %v = mem.load %x[%i] : <global> -> vector<16xf32>
    mem.store %v, %o[%i] : vector<16xf32>, <global>
  }
  scf.for %i = %c0 to %c1024 step %c16 : i64 {
    %v = mem.load %o[%i] : <global> -> vector<16xf32>
    mem.store %v, %x[%i] : vector<16xf32>, <global>
  } {mem.rare}
  return
}
