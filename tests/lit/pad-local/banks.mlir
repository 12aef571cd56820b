// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(pad-local))" %s | FileCheck %s
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(pad-local{local-bytes=4160}))" %s | FileCheck %s --check-prefix=FULL

// Written by rows of 32 and read by columns: the 32 words of a column share a bank, so rows move
// apart by one word.
// CHECK-LABEL: func.func @columns
// Where there is no room for that they stay.
// FULL-LABEL: func.func @columns
// FULL: mem.alloc 4096 : <local>
// CHECK: mem.alloc 4220 : <local>
// CHECK: %[[ROW:.*]] = arith.shrui %[[AT:.*]], %{{.*}} : i64
// CHECK: %[[GAPS:.*]] = arith.shli %[[ROW]]
// CHECK: %[[TO:.*]] = arith.addi %[[AT]], %[[GAPS]]
// CHECK: mem.store %{{.*}}[%[[TO]]]
// CHECK: mem.barrier
// CHECK: %[[GAPS2:.*]] = arith.shli %{{.*}}, %c0
// CHECK: %[[FROM:.*]] = arith.addi %{{.*}}, %[[GAPS2]]
// CHECK: mem.load %{{.*}}[%[[FROM]]]
func.func @columns(%x: f32, %k: i64) -> f32 {
  %a = mem.alloc 4096 : <local>
  %id = mem.item_id
  %item = arith.extui %id : i32 to i64
  %five = arith.constant 5 : i64
  %down = arith.shli %k, %five : i64
  %to = arith.addi %down, %item : i64
  mem.store %x, %a[%to] : f32, <local>
  mem.barrier group {local}
  %column = arith.shli %item, %five : i64
  %from = arith.addi %column, %k : i64
  %y = mem.load %a[%from] : <local> -> f32
  return %y : f32
}

// Vectors stay aligned: the gap has 16 bytes. A vector of a column keeps its lanes' distances.
// CHECK-LABEL: func.func @vectors
// CHECK: mem.alloc {{.*}} : <local>
// CHECK: arith.shrui
// CHECK: mem.store {{.*}} {align = 16 : i64} : vector<4xf32>
// CHECK: dense<[0, 36, 72, 108]>
// CHECK: mem.gather
func.func @vectors(%x: vector<4xf32>) -> vector<4xf32> {
  %a = mem.alloc 4096 : <local>
  %id = mem.item_id
  %item = arith.extui %id : i32 to i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %seven = arith.constant 7 : i64
  %to = arith.shli %item, %two : i64
  mem.store %x, %a[%to] {align = 16 : i64} : vector<4xf32>, <local>
  mem.barrier group {local}
  %row = arith.andi %item, %seven : i64
  %first = arith.shli %row, %seven : i64
  %column = arith.shrui %item, %three : i64
  %from = arith.addi %first, %column : i64
  %lanes = arith.constant dense<[0, 32, 64, 96]> : vector<4xi32>
  %y = mem.gather %a[%from, %lanes : vector<4xi32>] : <local> -> vector<4xf32>
  return %y : vector<4xf32>
}

// Neighbours on neighbours: nothing to gain.
// CHECK-LABEL: func.func @rows
// CHECK: mem.alloc 4096 : <local>
// CHECK-NOT: arith.shrui
func.func @rows(%x: f32) -> f32 {
  %a = mem.alloc 4096 : <local>
  %id = mem.item_id
  %item = arith.extui %id : i32 to i64
  mem.store %x, %a[%item] : f32, <local>
  mem.barrier group {local}
  %y = mem.load %a[%item] : <local> -> f32
  return %y : f32
}
