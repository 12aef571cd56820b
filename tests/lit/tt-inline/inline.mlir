// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --tt-inline | FileCheck %s

// CHECK-LABEL: tt.func public @kernel
// CHECK:       %[[A:.*]] = arith.addi %arg1, %arg1 : i32
// CHECK-NEXT:  %[[B:.*]] = arith.muli %[[A]], %arg1 : i32
// CHECK-NEXT:  tt.store %arg0, %[[B]] : !tt.ptr<i32>
// CHECK-NEXT:  %[[C:.*]] = arith.addi %[[A]], %[[B]] : i32
// CHECK-NEXT:  scf.if
// CHECK-NEXT:    arith.addi %[[C]], %[[C]] : i32
// CHECK-NOT:   tt.call
tt.func public @kernel(%p: !tt.ptr<i32>, %n: i32, %c: i1) {
  %r:2 = tt.call @store_product(%p, %n) : (!tt.ptr<i32>, i32) -> (i32, i32)
  %s = arith.addi %r#1, %r#0 : i32
  scf.if %c {
    %d = tt.call @double(%s) : (i32) -> i32
    tt.store %p, %d : !tt.ptr<i32>
  }
  tt.return
}

// Functions that are not public are gone once inlined.
// CHECK-NOT: tt.func private
tt.func private @store_product(%p: !tt.ptr<i32>, %n: i32) -> (i32, i32) attributes {noinline = true} {
  %d = tt.call @double(%n) : (i32) -> i32
  %m = arith.muli %d, %n : i32
  tt.store %p, %m : !tt.ptr<i32>
  tt.return %m, %d : i32, i32
}
tt.func private @double(%n: i32) -> i32 {
  %d = arith.addi %n, %n : i32
  tt.return %d : i32
}
tt.func private @unused(%n: i32) {
  tt.return
}
