// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s -form-nests | FileCheck %s

// Code of elements is an op like others: the nest that reads its operand runs it, and a gather has
// its result as a tile.

// CHECK-LABEL: func.func @gathered
func.func @gathered(%x: !mem.ptr<global>, %out: !mem.ptr<global>) {
  %tile = tile.load %x {align = 16 : i64, boxDims = array<i64>, root = 0 : i64, staticStrides = array<i64: 1>, unit = 4 : i64} : <global> -> tensor<32xi32>
  // CHECK: %[[HALVES:.*]]:2 = "nests.nest"()
  // CHECK: %[[X:.*]] = nests.read
  // CHECK: %[[LOOP:.*]] = scf.while (%{{.*}} = %[[X]])
  // CHECK: nests.yield %[[LOOP]], %[[X]] : i32, i32
  %halves = "tt.map_elementwise"(%tile) <{pack = 1 : i32}> ({
  ^bb0(%e: i32):
    %one = arith.constant 1 : i32
    %last = scf.while (%v = %e) : (i32) -> i32 {
      %more = arith.cmpi sgt, %v, %one : i32
      scf.condition(%more) %v : i32
    } do {
    ^bb0(%v: i32):
      %half = arith.shrsi %v, %one : i32
      scf.yield %half : i32
    }
    tt.map_elementwise.return %last : i32
  }) : (tensor<32xi32>) -> tensor<32xi32>
  // CHECK: nests.pick %[[HALVES]]#0
  // CHECK-NOT: tt.map_elementwise
  %picked = tt.gather %halves[%tile] {axis = 0 : i32} : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
  tile.store %picked, %out {align = 16 : i64, boxDims = array<i64>, root = 1 : i64, staticStrides = array<i64: 1>, unit = 4 : i64} : tensor<32xi32>, <global>
  return
}
