// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=cpu,cpu=x86-64-v4 --stage=llvm %s | FileCheck %s
// RUN: tritonrt-translate --emit --target=backend=cpu,cpu=x86-64-v4 --stage=asm %s | FileCheck %s --check-prefix=ASM

// The arguments are unpacked once; the programs of a range run in a loop of the artifact.
// CHECK: define internal {{.*}} @programs(
// CHECK: call void @llvm.masked.store.v16f32.p0(
// CHECK: define {{.*}}i32 @trt_entry(ptr {{.*}}, i64 {{.*}}, i64 {{.*}}, ptr {{.*}}, ptr {{.*}})
// CHECK: call {{.*}}@programs(

// ASM-LABEL: programs:
// ASM: vmulps {{.*}}%zmm
func.func @scale(%x: !mem.ptr<global>, %n: i32, %s: f32) {
  %pid = mem.program_id 0
  %w = arith.constant 16 : i32
  %i = arith.muli %pid, %w : i32
  %at = arith.extsi %i : i32 to i64
  %lanes = arith.constant dense<[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]> : vector<16xi32>
  %is = vector.broadcast %i : i32 to vector<16xi32>
  %e = arith.addi %is, %lanes : vector<16xi32>
  %ns = vector.broadcast %n : i32 to vector<16xi32>
  %m = arith.cmpi slt, %e, %ns : vector<16xi32>
  %a = mem.load %x[%at] mask(%m : vector<16xi1>) : !mem.ptr<global> -> vector<16xf32>
  %ss = vector.broadcast %s : f32 to vector<16xf32>
  %b = arith.mulf %a, %ss : vector<16xf32>
  mem.store %b, %x[%at] mask(%m : vector<16xi1>) : vector<16xf32>, !mem.ptr<global>
  return
}
