// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --expand-math | FileCheck %s
// RUN: tritonrt-opt %s --expand-math=scale | FileCheck %s --check-prefix=SCALE

// CHECK-LABEL: func.func @exp(
// CHECK-NOT: math.exp
// CHECK-COUNT-8: math.fma {{.*}} : vector<16xf32>
// CHECK-NOT: llvm.call_intrinsic
// SCALE-LABEL: func.func @exp(
// SCALE: llvm.call_intrinsic "llvm.ldexp"({{.*}}) : (vector<16xf32>, vector<16xi32>) -> vector<16xf32>
func.func @exp(%x: vector<16xf32>) -> vector<16xf32> {
  %r = math.exp %x : vector<16xf32>
  return %r : vector<16xf32>
}

// Arguments that the reduction cannot take go to the C library.
// CHECK-LABEL: func.func @sin(
// CHECK-SAME: %[[X:.*]]: vector<8xf32>)
// CHECK: %[[LARGE:.*]] = arith.cmpf ogt
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[LARGE]] : vector<8xi1> into i1
// CHECK: scf.if %[[ANY]] -> (vector<8xf32>)
// CHECK: math.sin %[[X]] {tritonrt.library} : vector<8xf32>
// CHECK: else
func.func @sin(%x: vector<8xf32>) -> vector<8xf32> {
  %r = math.sin %x : vector<8xf32>
  return %r : vector<8xf32>
}

// Doubles, and functions without an expansion, stay.
// CHECK-LABEL: func.func @stays(
// CHECK: math.exp %{{.*}} : f64
// CHECK: math.acos %{{.*}} : f32
// CHECK: math.sqrt %{{.*}} : f32
func.func @stays(%x: f64, %y: f32) -> (f64, f32, f32) {
  %r = math.exp %x : f64
  %s = math.acos %y : f32
  %t = math.sqrt %y : f32
  return %r, %s, %t : f64, f32, f32
}
