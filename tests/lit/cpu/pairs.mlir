// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=cpu,cpu=znver4 --stage=asm --split-input-file %s | FileCheck %s
// RUN: tritonrt-translate --emit --target=backend=cpu,cpu=x86-64-v4 --stage=asm --split-input-file %s | FileCheck %s --check-prefix=OLDER

// CHECK-LABEL: programs:
// CHECK: vdpbf16ps {{.*}}%zmm
// CHECK-LABEL: trt_entry:
// OLDER-LABEL: programs:
// OLDER: vmulps {{.*}}%zmm
// OLDER-LABEL: trt_entry:
func.func @floats(%p: !mem.ptr<global>) {
  %c0 = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  %a = mem.load %p[%c0] : !mem.ptr<global> -> f32
  %x = vector.broadcast %a : f32 to vector<16xf32>
  %y = mem.load %p[%c16] : !mem.ptr<global> -> vector<16xf32>
  %s = mem.load %p[%c0] : !mem.ptr<global> -> vector<16xf32>
  %d = mem.pair_product %x, %y : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
  %t = arith.addf %s, %d : vector<16xf32>
  mem.store %t, %p[%c0] : vector<16xf32>, !mem.ptr<global>
  return
}

// -----

// CHECK-LABEL: programs:
// CHECK: vpdpwssd {{.*}}%zmm
// CHECK-LABEL: trt_entry:
// OLDER-LABEL: programs:
// OLDER: vpmaddwd {{.*}}%zmm
// OLDER: vpaddd
// OLDER-LABEL: trt_entry:
func.func @integers(%p: !mem.ptr<global>) {
  %c0 = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  %a = mem.load %p[%c0] : !mem.ptr<global> -> i32
  %x = vector.broadcast %a : i32 to vector<16xi32>
  %y = mem.load %p[%c16] : !mem.ptr<global> -> vector<16xi32>
  %s = mem.load %p[%c0] : !mem.ptr<global> -> vector<16xi32>
  %d = mem.pair_product %x, %y : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
  %t = arith.addi %s, %d : vector<16xi32>
  mem.store %t, %p[%c0] : vector<16xi32>, !mem.ptr<global>
  return
}
