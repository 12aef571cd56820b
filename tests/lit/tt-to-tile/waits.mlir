// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --tt-to-tile | FileCheck %s

// Loops that turn on what they read in memory wait, and look at the stop word. One whose only reads
// are in a loop that does so in each turn need not look itself.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: tritonrt.waits = ["1 {{[^"]*}}"]
// CHECK: scf.while
// CHECK-NOT: mem.poll_stop
// CHECK: scf.while
// CHECK-NEXT: mem.poll_stop 1
// CHECK-NOT: mem.poll_stop
tt.func public @nested(%lock: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  scf.while : () -> () {
    %seen = scf.while (%last = %zero) : (i32) -> i32 {
      %old = tt.atomic_cas acq_rel, gpu, %lock, %zero, %one : (!tt.ptr<i32>, i32, i32) -> i32
      %again = arith.cmpi eq, %old, %last : i32
      scf.condition(%again) %old : i32
    } do {
    ^bb0(%old: i32):
      scf.yield %old : i32
    }
    %more = arith.cmpi ne, %seen, %one : i32
    scf.condition(%more)
  } do {
    scf.yield
  }
  tt.return
}

// -----

// One that may not be passed in a turn does not look for the loop around it.
// CHECK-LABEL: func.func @sometimes
// CHECK: scf.while
// CHECK-NEXT: mem.poll_stop 2
// CHECK: scf.while
// CHECK-NEXT: mem.poll_stop 1
tt.func public @sometimes(%lock: !tt.ptr<i32>, %try: i1) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  scf.while : () -> () {
    %seen = scf.if %try -> i32 {
      %got = scf.while : () -> i32 {
        %old = tt.atomic_cas acq_rel, gpu, %lock, %zero, %one : (!tt.ptr<i32>, i32, i32) -> i32
        %again = arith.cmpi ne, %old, %one : i32
        scf.condition(%again) %old : i32
      } do {
      ^bb0(%old: i32):
        scf.yield
      }
      scf.yield %got : i32
    } else {
      scf.yield %zero : i32
    }
    %more = arith.cmpi ne, %seen, %one : i32
    scf.condition(%more)
  } do {
    scf.yield
  }
  tt.return
}

// -----

// Turns that only numbers decide end by themselves.
// CHECK-LABEL: func.func @numbers
// CHECK-NOT: tritonrt.waits
// CHECK-NOT: mem.poll_stop
tt.func public @numbers(%sum: !tt.ptr<i32>, %n: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %old = tt.atomic_rmw add, acq_rel, gpu, %sum, %i, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %more = arith.cmpi ne, %i, %zero : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %half = arith.divui %i, %one : i32
    %next = arith.shrui %half, %one : i32
    scf.yield %next : i32
  }
  tt.return
}
