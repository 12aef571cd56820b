// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --tt-structure | FileCheck %s

// Two early returns: the rest of the kernel runs only where neither was taken.
// CHECK-LABEL: tt.func public @early
// CHECK: %[[NEG:.*]] = arith.cmpi slt
// CHECK-NEXT: scf.if %[[NEG]] {
// CHECK-NEXT:   tt.store %{{.*}}, %arg1
// CHECK-NEXT: } else {
// CHECK:   scf.if %{{.*}} {
// CHECK-NEXT:   } else {
// CHECK-NEXT:     tt.store %arg0, %arg2
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: tt.return
tt.func public @early(%p: !tt.ptr<i32>, %a: i32, %b: i32) {
  %c0 = arith.constant 0 : i32
  %neg = arith.cmpi slt, %a, %c0 : i32
  cf.cond_br %neg, ^bb1, ^bb2
^bb1:
  tt.store %p, %a : !tt.ptr<i32>
  tt.return
^bb2:
  %big = arith.cmpi sgt, %a, %b : i32
  cf.cond_br %big, ^bb3, ^bb4
^bb3:
  tt.return
^bb4:
  tt.store %p, %b : !tt.ptr<i32>
  tt.return
}

// Returned values become results of the branches.
// CHECK-LABEL: tt.func private @value
// CHECK: %[[R:.*]] = scf.if %arg0 -> (i32)
// CHECK:   scf.yield %arg1 : i32
// CHECK: } else {
// CHECK:   scf.yield %arg2 : i32
// CHECK: tt.return %[[R]] : i32
tt.func private @value(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  tt.return %a : i32
^bb2:
  tt.return %b : i32
}

// A loop of blocks that tests at its head keeps its work in the body.
// CHECK-LABEL: tt.func public @loop
// CHECK: scf.while (%[[I:.*]] = %{{.*}}
// CHECK-NEXT:   %[[C:.*]] = arith.cmpi slt, %[[I]], %arg1
// CHECK-NEXT:   scf.condition(%[[C]])
// CHECK: } do {
// CHECK:   tt.store
// CHECK:   arith.addi
// CHECK:   scf.yield
tt.func public @loop(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^bb1(%c0 : i32)
^bb1(%i: i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  tt.store %p, %i : !tt.ptr<i32>
  %j = arith.addi %i, %c1 : i32
  cf.br ^bb1(%j : i32)
^bb3:
  tt.return
}

// The other way round: the condition leaves the loop.
// CHECK-LABEL: tt.func public @leaves
// CHECK: scf.while
// CHECK-NEXT:   %[[C:.*]] = arith.cmpi sge
// CHECK:   %[[GO:.*]] = arith.xori %[[C]], %true
// CHECK-NEXT:   scf.condition(%[[GO]])
tt.func public @leaves(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^bb1(%c0 : i32)
^bb1(%i: i32):
  %c = arith.cmpi sge, %i, %n : i32
  cf.cond_br %c, ^bb3, ^bb2
^bb2:
  %j = arith.addi %i, %c1 : i32
  cf.br ^bb1(%j : i32)
^bb3:
  tt.store %p, %i : !tt.ptr<i32>
  tt.return
}

// Blocks inside an op, and the op that only holds them.
// CHECK-LABEL: tt.func public @region
// CHECK-NOT: scf.execute_region
// CHECK: %[[R:.*]] = scf.if %arg1 -> (i32)
// CHECK: tt.store %arg0, %[[R]]
tt.func public @region(%p: !tt.ptr<i32>, %c: i1, %a: i32, %b: i32) {
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %a : i32
  ^bb2:
    scf.yield %b : i32
  }
  tt.store %p, %r : !tt.ptr<i32>
  tt.return
}

// A loop with two ways out that do different things.
// CHECK-LABEL: tt.func public @two_exits
// CHECK-NOT: scf.index_switch
// CHECK: scf.while
// CHECK: scf.if
// CHECK: tt.return
// CHECK-NOT: cf.
tt.func public @two_exits(%p: !tt.ptr<i32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^bb1(%c0 : i32)
^bb1(%i: i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^bb2, ^bb4
^bb2:
  %d = arith.cmpi eq, %i, %m : i32
  cf.cond_br %d, ^bb5, ^bb3
^bb3:
  %j = arith.addi %i, %c1 : i32
  cf.br ^bb1(%j : i32)
^bb4:
  tt.store %p, %c0 : !tt.ptr<i32>
  tt.return
^bb5:
  tt.store %p, %i : !tt.ptr<i32>
  tt.return
}
