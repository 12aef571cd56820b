// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests{disjoint=true},split-nests{disjoint=true},choose-layouts{items=128}),map-simt{items=128 disjoint=true},pack-storage,func.func(place-barriers{disjoint=true}),canonicalize,cse)" %s | FileCheck %s

// 32 points, 128 items. An item that does what another does must not read what that one has written
// over: it sits out, and takes the tile from local memory.
// CHECK-LABEL: func.func @overwrite
// CHECK: scf.if
// CHECK-NEXT: mem.load %arg0
// CHECK: mem.store {{.*}}, %arg0
// CHECK: mem.store {{.*}}<local>
// CHECK: }
// CHECK: mem.barrier group {local}
// CHECK: mem.load {{.*}}<local>
func.func @overwrite(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<32xi32>
  %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %q = arith.addi %a, %b : i32
    tt.reduce.return %q : i32
  }) : (tensor<32xi32>) -> i32
  %w = arith.addi %v, %v : tensor<32xi32>
  tile.store %w, %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<32xi32>, !mem.ptr<global>
  tile.store %s, %y {staticStrides = array<i64>, boxDims = array<i64>, unit = 4, root = 1} : i32, !mem.ptr<global>
  return
}

// What an atomic gives is known to the one item that ran it.
// CHECK-LABEL: func.func @old_values
// CHECK: scf.if
// CHECK: mem.atomic_rmw
// CHECK: mem.store {{.*}}<local>
// CHECK: }
// CHECK: mem.barrier group
// CHECK: mem.load {{.*}}<local>
func.func @old_values(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %one = arith.constant dense<1> : tensor<32xi32>
  %v = tile.atomic_rmw add, relaxed, device, %one, %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<32xi32>, !mem.ptr<global> -> tensor<32xi32>
  %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %q = arith.addi %a, %b : i32
    tt.reduce.return %q : i32
  }) : (tensor<32xi32>) -> i32
  tile.store %s, %y {staticStrides = array<i64>, boxDims = array<i64>, unit = 4, root = 1} : i32, !mem.ptr<global>
  return
}

// Enough points for all: each item has its own, and nothing goes through memory.
// CHECK-LABEL: func.func @enough
// CHECK-NOT: scf.if
// CHECK-NOT: mem.alloc
// CHECK-NOT: mem.barrier
// CHECK: return
func.func @enough(%x: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<128xi32>
  %w = arith.addi %v, %v : tensor<128xi32>
  tile.store %w, %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<128xi32>, !mem.ptr<global>
  return
}
