// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=opencl,fp64=1 --stage=opencl %s | FileCheck %s

// One wide access where every lane is enabled, else only the enabled lanes touch memory.
// CHECK: if (all([[M:v[0-9]+]])) [[V:loaded_[0-9]+]] = *(__global float4_a16 *)
// CHECK-NEXT: else {
// CHECK-NEXT: if ([[M]].s0) [[V]].s0 =
// CHECK: if ([[M]].s3) [[V]].s3 =
// CHECK: if (all([[M]])) *(__global float4_a16 *){{.*}} = [[V]];
// CHECK-NEXT: else {
// CHECK-NEXT: if ([[M]].s0)
func.func @copy(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %n: i32) {
  %zero = arith.constant 0 : i64
  %lanes = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %all = vector.broadcast %n : i32 to vector<4xi32>
  %m = arith.cmpi slt, %lanes, %all : vector<4xi32>
  %v = mem.load %x[%zero] mask(%m : vector<4xi1>) {align = 16 : i64} : <global> -> vector<4xf32>
  mem.store %v, %y[%zero] mask(%m : vector<4xi1>) {align = 16 : i64} : vector<4xf32>, <global>
  return
}
