// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --tt-to-tile | FileCheck %s

// A block that moves on by the same number of bytes: only that number is carried.
// CHECK-LABEL: func.func @walk
// CHECK-SAME: (%[[X:[a-z0-9]*]]: !mem.ptr<global>
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[D:.*]] = %c0_i64) -> (tensor<16xf32>, i64)
// CHECK: %[[B:.*]] = mem.offset %[[X]], %[[D]]
// CHECK: tile.load %[[B]] {{{.*}}root = 0 : i64, staticStrides = array<i64: 1>, unit = 4 : i64}
// CHECK: %[[NEXT:.*]] = arith.addi %[[D]], %c64_i64 : i64
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
tt.func public @walk(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %step = arith.constant dense<16> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %px = tt.addptr %p, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %sum, %end = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero, %pk = %px) -> (tensor<16xf32>, tensor<16x!tt.ptr<f32>>) : i32 {
    %v = tt.load %pk : tensor<16x!tt.ptr<f32>>
    %b = arith.addf %a, %v : tensor<16xf32>
    %next = tt.addptr %pk, %step : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    scf.yield %b, %next : tensor<16xf32>, tensor<16x!tt.ptr<f32>>
  }
  %q = tt.splat %o : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %qo = tt.addptr %q, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %qo, %sum : tensor<16x!tt.ptr<f32>>
  tt.return
}

// -----

// A carried index tensor: its step is carried, and as data it is its start plus that, in its width.
// CHECK-LABEL: func.func @carried_index
// CHECK: scf.for %{{.*}} iter_args(%[[D:.*]] = %c0_i64) -> (i64)
// CHECK: %[[T:.*]] = arith.trunci %[[D]] : i64 to i32
// CHECK: %[[S:.*]] = tt.splat %[[T]]
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %[[S]] : tensor<16xi32>
// CHECK: tile.store %[[I]]
// CHECK: arith.addi %[[D]], %c16_i64 : i64
tt.func public @carried_index(%x: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<16> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %p = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%i = %r) -> (tensor<16xi32>) : i32 {
    %px = tt.addptr %p, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    tt.store %px, %i : tensor<16x!tt.ptr<i32>>
    %next = arith.addi %i, %step : tensor<16xi32>
    scf.yield %next : tensor<16xi32>
  }
  tt.return
}

// -----

// Steps that differ between elements: the offsets are carried, the base stays known.
// CHECK-LABEL: func.func @uneven
// CHECK-SAME: (%[[X:[a-z0-9]*]]: !mem.ptr<global>
// CHECK: scf.for %{{.*}} iter_args(%[[O:.*]] = %{{.*}}) -> (tensor<16xi64>)
// CHECK: tile.store %{{.*}}, %[[X]] offsets(%[[O]] : tensor<16xi64>) {{{.*}}root = 0 : i64, staticStrides = array<i64: 0>, unit = 1 : i64}
tt.func public @uneven(%x: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %p = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%pk = %p) -> (tensor<16x!tt.ptr<i32>>) : i32 {
    tt.store %pk, %r : tensor<16x!tt.ptr<i32>>
    %next = tt.addptr %pk, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    scf.yield %next : tensor<16x!tt.ptr<i32>>
  }
  tt.return
}

// -----

// Two pointers that change places: addresses without a root.
// CHECK-LABEL: func.func @swapped
// CHECK: %[[NULL:.*]] = mem.null
// CHECK: scf.for %{{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}) -> (tensor<16xi64>, tensor<16xi64>)
// CHECK: tile.load %[[NULL]] offsets(%[[P]] : tensor<16xi64>) {boxDims = array<i64>, staticStrides = array<i64: 0>, unit = 1 : i64}
// CHECK: tile.store %{{.*}}, %[[NULL]] offsets(%[[Q]] : tensor<16xi64>)
// CHECK: scf.yield %[[Q]], %[[P]]
tt.func public @swapped(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %px = tt.addptr %xs, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %py = tt.addptr %ys, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %e:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %px, %q = %py) -> (tensor<16x!tt.ptr<i32>>, tensor<16x!tt.ptr<i32>>) : i32 {
    %v = tt.load %p : tensor<16x!tt.ptr<i32>>
    tt.store %q, %v : tensor<16x!tt.ptr<i32>>
    scf.yield %q, %p : tensor<16x!tt.ptr<i32>>, tensor<16x!tt.ptr<i32>>
  }
  tt.return
}

// -----

// Branches that agree but for the start keep base and strides; others give a pointer without root.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: (%[[X:[a-z0-9]*]]: !mem.ptr<global>, %[[Y:[a-z0-9]*]]: !mem.ptr<global>
// CHECK: %[[IF:.*]]:2 = scf.if %{{.*}} -> (i64, !mem.ptr<global>)
// CHECK: scf.yield %c64_i64, %[[Y]] : i64, !mem.ptr<global>
// CHECK: scf.yield %c0_i64, %[[X]] : i64, !mem.ptr<global>
// CHECK: %[[B:.*]] = mem.offset %[[X]], %[[IF]]#0
// CHECK: tile.load %[[B]] {{{.*}}root = 0 : i64, staticStrides = array<i64: 1>, unit = 4 : i64}
// CHECK: tile.store %{{.*}}, %[[IF]]#1 {boxDims = array<i64>, staticStrides = array<i64>, unit = 4 : i64}
tt.func public @branches(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %c: i1) {
  %c7 = arith.constant 7 : i32
  %step = arith.constant dense<16> : tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %px = tt.addptr %xs, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %p, %s = scf.if %c -> (tensor<16x!tt.ptr<i32>>, !tt.ptr<i32>) {
    %far = tt.addptr %px, %step : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    scf.yield %far, %y : tensor<16x!tt.ptr<i32>>, !tt.ptr<i32>
  } else {
    scf.yield %px, %x : tensor<16x!tt.ptr<i32>>, !tt.ptr<i32>
  }
  %v = tt.load %p {isVolatile = true} : tensor<16x!tt.ptr<i32>>
  tt.store %s, %c7 : !tt.ptr<i32>
  tt.return
}
