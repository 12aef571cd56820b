// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(branch-exits))" %s | FileCheck %s

// What follows the branch that ends the program runs only if it was not taken.
// CHECK-LABEL: func.func @branch
// CHECK: %[[ENDED:.*]] = scf.if %arg0 -> (i1)
// CHECK-NOT: mem.exit
// CHECK: %[[GOES:.*]] = arith.xori %[[ENDED]]
// CHECK: scf.if %[[GOES]] {
// CHECK-NEXT: mem.store
func.func @branch(%end: i1, %x: f32, %to: !mem.ptr<global>, %i: i64) {
  scf.if %end {
    mem.exit
  }
  mem.store %x, %to[%i] : f32, <global>
  return
}

// A loop that waits is left by its condition, and says so; a counted one around it makes its last
// turns empty.
// CHECK-LABEL: func.func @loops
// CHECK: scf.for {{.*}} iter_args(%[[LEFT:.*]] = %false
// CHECK: %[[GOES:.*]] = arith.xori %[[LEFT]]
// CHECK: scf.if %[[GOES]]
// CHECK: %[[WHILE:.*]] = scf.while : () -> i1
// CHECK: %[[STOPPED:.*]] = mem.load %arg1[%arg2] : <global> -> i1
// CHECK: %[[ENDED:.*]] = scf.if %[[STOPPED]] -> (i1)
// CHECK: %[[NOT:.*]] = arith.xori %[[ENDED]]
// CHECK: %[[AGAIN:.*]] = arith.andi %{{.*}}, %[[NOT]]
// CHECK: scf.condition(%[[AGAIN]]) %[[ENDED]]
// CHECK: %[[ON:.*]] = arith.xori %[[WHILE]]
// CHECK: scf.if %[[ON]]
// CHECK: mem.store
// CHECK: else
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: scf.yield %[[TRUE]]
// CHECK-NOT: mem.exit
func.func @loops(%x: f32, %to: !mem.ptr<global>, %i: i64, %n: i64, %one: i64) {
  scf.for %k = %i to %n step %one : i64 {
    scf.while : () -> () {
      %seen = mem.load %to[%k] : <global> -> i1
      %stopped = mem.load %to[%i] : <global> -> i1
      scf.if %stopped {
        mem.exit
      }
      scf.condition(%seen)
    } do {
      scf.yield
    }
    mem.store %x, %to[%k] : f32, <global>
  }
  return
}
