// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(flatten-branches))" %s | FileCheck %s

// The barrier leaves the branch; the stretches before and behind it stay in branches.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if %[[C:.*]] {
// CHECK-NEXT: mem.store
// CHECK-NEXT: }
// CHECK-NEXT: mem.barrier group {local}
// CHECK-NEXT: scf.if %[[C]] -> (f32) {
// CHECK-NEXT: mem.load
// CHECK: else
// CHECK: scf.if %[[C]] -> (f32)
func.func @branch(%c: i1, %x: f32, %i: i64) -> f32 {
  %a = mem.alloc 512 {offset = 0} : <local>
  %r = scf.if %c -> f32 {
    mem.store %x, %a[%i] : f32, <local>
    mem.barrier group {local}
    %v = mem.load %a[%i] : <local> -> f32
    scf.yield %v : f32
  } else {
    scf.yield %x : f32
  }
  return %r : f32
}

// A loop that may run no turn runs one, empty if need be.
// CHECK-LABEL: func.func @loop
// CHECK: %[[N:.*]] = arith.maxsi
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[N]]
// CHECK-NEXT: %[[T:.*]] = arith.cmpi slt, %[[K]]
// CHECK-NEXT: scf.if %[[T]]
// CHECK: }
// CHECK-NEXT: mem.barrier group {local}
// CHECK-NEXT: }{{.*}}tritonrt.runs
func.func @loop(%x: f32, %i: i64, %n: i64, %one: i64) {
  %a = mem.alloc 512 {offset = 0} : <local>
  scf.for %k = %i to %n step %one : i64 {
    mem.store %x, %a[%k] : f32, <local>
    mem.barrier group {local}
  }
  return
}

// In a turn beyond the outer loop's end the inner loop has one turn, whatever its bounds are made of
// there; constants are what they are.
// CHECK-LABEL: func.func @inner
// CHECK: scf.for
// CHECK: %[[OUTER:.*]] = arith.cmpi slt
// CHECK: %[[V:.*]]:2 = scf.if %[[OUTER]] -> (i64, i64)
// CHECK: %[[STEP:.*]] = arith.select %[[OUTER]], %[[V]]#1, %
// CHECK: %[[HIGH:.*]] = arith.select %[[OUTER]], %[[V]]#0, %[[LOW:.*]] :
// CHECK: %[[TURNS:.*]] = arith.maxsi %[[HIGH]]
// CHECK: scf.for %{{.*}} = %[[LOW]] to %[[TURNS]] step %[[STEP]]
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c16{{.*}} step %c1{{.*}} : i64
func.func @inner(%x: f32, %i: i64, %n: i64, %one: i64) {
  %a = mem.alloc 512 {offset = 0} : <local>
  %zero = arith.constant 0 : i64
  scf.for %k = %i to %n step %one : i64 {
    %high = mem.load %a[%k] : <local> -> i64
    %step = mem.load %a[%i] : <local> -> i64
    %c0 = arith.constant 0 : i64
    %c16 = arith.constant 16 : i64
    %c1 = arith.constant 1 : i64
    scf.for %j = %zero to %high step %step : i64 {
      mem.store %x, %a[%j] : f32, <local>
      mem.barrier group {local}
    }
    scf.for %j = %c0 to %c16 step %c1 : i64 {
      mem.store %x, %a[%j] : f32, <local>
      mem.barrier group {local}
    }
  }
  return
}

// A loop that waits is left where its turn ends: what follows the condition is a branch.
// CHECK-LABEL: func.func @wait
// CHECK: scf.while
// CHECK: mem.barrier group {local}
// CHECK: scf.if %arg0 -> (i1)
// CHECK: %[[AGAIN:.*]] = arith.andi %arg0
// CHECK: mem.barrier group {local}
// CHECK-NEXT: scf.if %[[AGAIN]] {
// CHECK-NEXT: mem.store
// CHECK: scf.condition(%[[AGAIN]])
// CHECK-NEXT: } do {
// CHECK-NEXT: scf.yield
func.func @wait(%c: i1, %x: f32, %i: i64) {
  %a = mem.alloc 512 {offset = 0} : <local>
  scf.if %c {
    scf.while : () -> () {
      mem.barrier group {local}
      %again = mem.load %a[%i] : <local> -> i1
      scf.condition(%again)
    } do {
      mem.barrier group {local}
      mem.store %x, %a[%i] : f32, <local>
      scf.yield
    }
  }
  return
}

// Programs meet as often as the kernel says: such a loop stays.
// CHECK-LABEL: func.func @meeting
// CHECK: scf.for %{{.*}} = %{{.*}} to %arg2
// CHECK-NEXT: mem.store
// CHECK-NEXT: mem.barrier group {local}
// CHECK-NEXT: mem.mesh_barrier
// CHECK-NEXT: }
func.func @meeting(%x: f32, %i: i64, %n: i64) {
  %a = mem.alloc 512 {offset = 0} : <local>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %k = %zero to %n step %one : i64 {
    mem.store %x, %a[%i] : f32, <local>
    mem.barrier group {local}
    mem.mesh_barrier [0], 1, "tle.distributed_barrier"
  }
  return
}
