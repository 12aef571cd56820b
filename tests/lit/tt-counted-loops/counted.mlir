// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --tt-counted-loops | FileCheck %s

// Counting down: the trips are max(0, ceildiv(left, 32)), in i64; other values stay carried.
// CHECK-LABEL: tt.func public @down
// CHECK-DAG:  %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG:  %[[C31:.*]] = arith.constant 31 : i64
// CHECK-DAG:  %[[C32:.*]] = arith.constant 32 : i64
// CHECK:      %[[WIDE:.*]] = arith.extsi %arg1 : i32 to i64
// CHECK-NEXT: %[[MAX:.*]] = arith.maxsi %[[WIDE]], %[[ZERO]] : i64
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[MAX]], %[[C31]] : i64
// CHECK-NEXT: %[[TRIPS:.*]] = arith.divsi %[[SUM]], %[[C32]] : i64
// CHECK-NEXT: %[[N:.*]] = arith.trunci %[[TRIPS]] : i64 to i32
// CHECK-NEXT: scf.for %[[K:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[P:.*]] = %arg0) -> (!tt.ptr<i32>) : i32
// CHECK-NEXT:   %[[DONE:.*]] = arith.muli %[[K]], %{{.*}} : i32
// CHECK-NEXT:   %[[LEFT:.*]] = arith.subi %arg1, %[[DONE]] : i32
// CHECK-NEXT:   tt.store %[[P]], %[[LEFT]]
// CHECK-NEXT:   %[[NEXT:.*]] = tt.addptr %[[P]]
// CHECK-NEXT:   scf.yield %[[NEXT]] : !tt.ptr<i32>
tt.func public @down(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %r:2 = scf.while (%q = %p, %left = %n) : (!tt.ptr<i32>, i32) -> (!tt.ptr<i32>, i32) {
    %c = arith.cmpi sgt, %left, %c0 : i32
    scf.condition(%c) %q, %left : !tt.ptr<i32>, i32
  } do {
  ^bb0(%q: !tt.ptr<i32>, %left: i32):
    tt.store %q, %left : !tt.ptr<i32>
    %next = tt.addptr %q, %c32 : !tt.ptr<i32>, i32
    %less = arith.subi %left, %c32 : i32
    scf.yield %next, %less : !tt.ptr<i32>, i32
  }
  tt.return
}

// Counting up keeps the tests and the additions of the source; attributes move along.
// CHECK-LABEL: tt.func public @up
// CHECK: %[[STEP:.*]] = arith.constant 32 : i32
// CHECK-NEXT: scf.for %[[I:.*]] = %arg1 to %arg2 step %[[STEP]] : i32 {
// CHECK-NEXT:   tt.store %arg0, %[[I]]
// CHECK-NEXT: } {tt.num_stages = 3 : i32}
tt.func public @up(%p: !tt.ptr<i32>, %a: i32, %n: i32) {
  %step = arith.constant 32 : i32
  %r = scf.while (%i = %a) : (i32) -> i32 {
    %c = arith.cmpi sgt, %n, %i : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  } attributes {tt.num_stages = 3 : i32}
  tt.return
}

// The counter behind the loop follows from the trips.
// CHECK-LABEL: tt.func public @last
// CHECK:      arith.maxsi
// CHECK:      %[[T:.*]] = arith.divsi
// CHECK:      scf.for
// CHECK:      tt.store %arg0, %{{.*}} : !tt.ptr<i32>
// CHECK-NOT:  scf.while
tt.func public @last(%p: !tt.ptr<i32>, %a: i32, %n: i32) {
  %c8 = arith.constant 8 : i32
  %r = scf.while (%i = %a) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %next = arith.addi %i, %c8 : i32
    scf.yield %next : i32
  }
  tt.store %p, %r : !tt.ptr<i32>
  tt.return
}

// Not equal, by one: as many trips as the distance, modulo 2^32.
// CHECK-LABEL: tt.func public @distance
// CHECK: %[[D:.*]] = arith.subi %arg2, %arg1 : i32
// CHECK-NEXT: %[[T:.*]] = arith.extui %[[D]] : i32 to i64
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[T]] step %{{.*}} : i64
tt.func public @distance(%p: !tt.ptr<i32>, %a: i32, %n: i32) {
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %a) : (i32) -> i32 {
    %c = arith.cmpi ne, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  tt.return
}

// An i64 counter whose distance could not overflow, without a sum that could.
// CHECK-LABEL: tt.func public @down64
// CHECK: arith.minsi
// CHECK: arith.divsi
// CHECK: scf.for
tt.func public @down64(%p: !tt.ptr<i64>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c7 = arith.constant 7 : i64
  %r = scf.while (%i = %n) : (i64) -> i64 {
    %c = arith.cmpi sgt, %i, %c0 : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    tt.store %p, %i : !tt.ptr<i64>
    %next = arith.subi %i, %c7 : i64
    scf.yield %next : i64
  }
  tt.return
}
