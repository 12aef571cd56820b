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

// Arguments that are too large for the usual reduction are rare: their branch is taken if any is.
// CHECK-LABEL: func.func @sin(
// CHECK: %[[LARGE:.*]] = arith.andi
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[LARGE]] : vector<8xi1> into i1
// CHECK: scf.if %[[ANY]] -> (vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK: arith.mului_extended {{.*}} : vector<8xi32>
// CHECK: else
// CHECK-NOT: math.sin
func.func @sin(%x: vector<8xf32>) -> vector<8xf32> {
  %r = math.sin %x : vector<8xf32>
  return %r : vector<8xf32>
}

// CHECK-LABEL: func.func @doubles(
// CHECK-NOT: math.exp
// CHECK-COUNT-12: math.fma {{.*}} : f64
func.func @doubles(%x: f64) -> f64 {
  %r = math.exp %x : f64
  return %r : f64
}

// Functions of other libraries, by name.
// CHECK-LABEL: func.func @calls(
// CHECK-NOT: libm.call
func.func @calls(%x: vector<4xf32>, %n: vector<4xi32>) -> (vector<4xf32>, vector<4xf32>, vector<4xi32>) {
  %r = libm.call "normcdf"(%x) : (vector<4xf32>) -> vector<4xf32>
  %s = libm.call "ldexp"(%x, %n) : (vector<4xf32>, vector<4xi32>) -> vector<4xf32>
  %t = libm.call "brev"(%n) : (vector<4xi32>) -> vector<4xi32>
  return %r, %s, %t : vector<4xf32>, vector<4xf32>, vector<4xi32>
}

// CHECK-LABEL: func.func @others(
// CHECK-NOT: math.
func.func @others(%x: vector<4xf32>, %n: vector<4xi32>) -> (vector<4xf32>, vector<4xf32>, vector<4xi32>) {
  %lo = arith.constant dense<0.0> : vector<4xf32>
  %hi = arith.constant dense<1.0> : vector<4xf32>
  %r = math.clampf %x to [%lo, %hi] : vector<4xf32>
  %p = math.ipowi %n, %n : vector<4xi32>
  return %r, %r, %p : vector<4xf32>, vector<4xf32>, vector<4xi32>
}

// What targets have themselves stays.
// CHECK-LABEL: func.func @stays(
// CHECK: math.floor %{{.*}} : f32
// CHECK: math.sqrt %{{.*}} : f32
func.func @stays(%y: f32) -> (f32, f32) {
  %s = math.floor %y : f32
  %t = math.sqrt %y : f32
  return %s, %t : f32, f32
}
