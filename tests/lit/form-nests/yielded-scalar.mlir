// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s -form-nests | FileCheck %s

// Both reductions wait in open nests. What the second yields is the first one's result, with no op
// between them.

// CHECK-LABEL: func.func @one_element
func.func @one_element(%x: !mem.ptr<global>, %out: !mem.ptr<global>) {
  %tile = tile.load %x {align = 16 : i64, boxDims = array<i64>, root = 0 : i64, staticStrides = array<i64: 1>, unit = 4 : i64} : <global> -> tensor<32xf32>
  %sum = "tt.reduce"(%tile) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<32xf32>) -> f32
  %one = tt.splat %sum : f32 -> tensor<1xf32>
  // CHECK: %[[SUM:.*]] = "nests.nest"()
  // CHECK: %[[SAME:.*]] = "nests.nest"()
  // CHECK: nests.yield %[[SUM]] : f32
  %same = "tt.reduce"(%one) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<1xf32>) -> f32
  // CHECK: tile.store %[[SAME]]
  tile.store %same, %out {align = 16 : i64, boxDims = array<i64>, root = 1 : i64, staticStrides = array<i64>, unit = 4 : i64} : f32, <global>
  return
}
