// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests,clamp-bounds,cse))" %s | FileCheck %s

// Two views of one box share bounds within [0, 64].
// CHECK-LABEL: func.func @two_views
// CHECK: %[[LOW:.*]] = arith.maxsi %arg2,
// CHECK: %[[BEGIN:.*]] = arith.minsi %[[LOW]],
// CHECK: %[[HIGH:.*]] = arith.maxsi %arg3,
// CHECK: %[[END:.*]] = arith.minsi %[[HIGH]],
// CHECK-NOT: arith.minsi
// CHECK: nests.view %arg0 box(%[[BEGIN]] to %[[END]])
// CHECK: nests.view %arg1 box(%[[BEGIN]] to %[[END]])
func.func @two_views(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %lo: i64, %hi: i64) {
  %v = tile.load %x box(%lo to %hi) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xf32>
  tile.store %v, %y box(%lo to %hi) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4, root = 1} : tensor<64xf32>, !mem.ptr<global>
  return
}
