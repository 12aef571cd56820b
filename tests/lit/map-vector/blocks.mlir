// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt --map-vector=cheap-masks=true --canonicalize --cse %s | FileCheck %s

// Rows are read as they lie, turned in registers and written as they lie; tiles that an edge cuts
// read lane by lane.
// CHECK-LABEL: func.func @transpose
// CHECK: %[[WHOLE:.*]] = arith.andi
// CHECK: scf.if %[[WHOLE]]
// CHECK-NOT: mem.gather
// CHECK-COUNT-16: mem.load %{{.*}} : <global> -> vector<16xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: mem.store %{{.*}} : vector<16xf32>, <global>
// CHECK: } else {
// CHECK: mem.gather
func.func @transpose(%x: !mem.ptr<global>, %o: !mem.ptr<global>, %rows: i64, %cols: i64) {
  %zero = arith.constant 0 : i64
  %size = arith.constant 32 : i64
  %r0 = arith.maxsi %rows, %zero : i64
  %r = arith.minsi %r0, %size : i64
  %c0 = arith.maxsi %cols, %zero : i64
  %c = arith.minsi %c0, %size : i64
  %vx = nests.view %x strides(%cols) box(%zero, %zero to %r, %c) {staticStrides = array<i64: -9223372036854775808, 1>, boxDims = array<i64: 0, 1>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<32x32xf32>>
  %vo = nests.view %o strides(%rows) box(%zero, %zero to %c, %r) {staticStrides = array<i64: -9223372036854775808, 1>, boxDims = array<i64: 0, 1>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<32x32xf32>>
  "nests.nest"(%zero, %zero, %c, %r) <{domain = array<i64: 32, 32>, boxDims = array<i64: 0, 1>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 2, 2, 0>}> ({
    %a = nests.read %vx [5, 6, 7, 8, 9, 0, 1, 2, 3, 4] : !nests.view<tensor<32x32xf32>> -> f32
    nests.write %vo, %a [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : !nests.view<tensor<32x32xf32>>, f32
    nests.yield
  }) : (i64, i64, i64, i64) -> ()
  return
}
