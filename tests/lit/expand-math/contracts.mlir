// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --expand-math=contracts | FileCheck %s
// RUN: tritonrt-opt %s --expand-math | FileCheck %s --check-prefix=PLAIN

// Where a product may be contracted with a sum, the high word of an exact one is an fma.
// CHECK-LABEL: func.func @rsqrt(
// CHECK: %[[Y:.*]] = arith.divf
// CHECK: %[[PRODUCT:.*]] = arith.mulf %arg0, %[[Y]] : f32
// CHECK: %[[OTHER:.*]] = arith.negf %[[PRODUCT]] : f32
// CHECK: %[[LOW:.*]] = math.fma %arg0, %[[Y]], %[[OTHER]] : f32
// CHECK: %[[LESS:.*]] = arith.negf %[[LOW]] : f32
// CHECK: math.fma %arg0, %[[Y]], %[[LESS]] : f32
// PLAIN-LABEL: func.func @rsqrt(
// PLAIN: %[[Y:.*]] = arith.divf
// PLAIN: math.fma %arg0, %[[Y]], %{{.*}} : f32
// PLAIN-NOT: math.fma %arg0
// PLAIN: return
func.func @rsqrt(%x: f32) -> f32 {
  %r = math.rsqrt %x : f32
  return %r : f32
}
