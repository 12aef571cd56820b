// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --tt-counted-loops | FileCheck %s
//
// Loops that count differently for some start, step or bound than an scf.for would.

// The step may be zero or negative.
// CHECK-LABEL: tt.func public @unknown_step
// CHECK: scf.while
tt.func public @unknown_step(%p: !tt.ptr<i32>, %n: i32, %s: i32) {
  %c0 = arith.constant 0 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %next = arith.addi %i, %s : i32
    scf.yield %next : i32
  }
  tt.return
}

// The counter may pass the least value of its type: the bound is not known.
// CHECK-LABEL: tt.func public @may_wrap
// CHECK: scf.while
tt.func public @may_wrap(%p: !tt.ptr<i32>, %n: i32, %b: i32) {
  %c3 = arith.constant 3 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %c = arith.cmpi sgt, %i, %b : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %next = arith.subi %i, %c3 : i32
    scf.yield %next : i32
  }
  tt.return
}

// So may one that counts up by what is no power of two; the loop still ends.
// CHECK-LABEL: tt.func public @may_wrap_up
// CHECK: scf.while
tt.func public @may_wrap_up(%p: !tt.ptr<i32>, %n: i32, %b: i32) {
  %c3 = arith.constant 3 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %b : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %next = arith.addi %i, %c3 : i32
    scf.yield %next : i32
  }
  tt.return
}

// i <= n never ends for the greatest n.
// CHECK-LABEL: tt.func public @inclusive
// CHECK: scf.while
tt.func public @inclusive(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %c = arith.cmpi sle, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  tt.return
}

// The bound changes.
// CHECK-LABEL: tt.func public @moving_bound
// CHECK: scf.while
tt.func public @moving_bound(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0, %m = %n) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %i, %m : i32
    scf.condition(%c) %i, %m : i32, i32
  } do {
  ^bb0(%i: i32, %m: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %less = tt.load %p : !tt.ptr<i32>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %less : i32, i32
  }
  tt.return
}

// The test reads memory: a spin loop.
// CHECK-LABEL: tt.func public @spin
// CHECK: scf.while
tt.func public @spin(%p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.while : () -> () {
    %old = tt.atomic_cas acq_rel, gpu, %p, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    %c = arith.cmpi eq, %old, %c1 : i32
    scf.condition(%c)
  } do {
    scf.yield
  }
  tt.return
}
