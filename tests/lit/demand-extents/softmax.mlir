// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests,clamp-bounds,cse,demand-extents))" %s | FileCheck %s

// The dead part adds its one value: once to the maximum, count times to the sum.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[NINF:.*]] = arith.constant 0xFF800000
// CHECK: %[[END:.*]] = arith.minsi
// CHECK: %[[MAX:.*]] = "nests.nest"(%{{.*}}, %[[END]], %[[NINF]])
// CHECK-SAME: dead = array<i32: 1>
// CHECK: %[[GAP:.*]] = arith.subf %[[NINF]], %[[MAX]]
// CHECK: %[[DEAD:.*]] = math.exp %[[GAP]]
// CHECK: "nests.nest"(%{{.*}}, %[[END]], %[[DEAD]])
// CHECK-SAME: dead = array<i32: 2>
// CHECK: "nests.nest"(%{{.*}}, %[[END]])
// CHECK: nests.write
func.func @softmax(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %sx: i32, %C: i32) {
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %pid = mem.program_id 0
  %ro = arith.muli %pid, %sx : i32
  %ro64 = arith.extsi %ro : i32 to i64
  %rb = arith.muli %ro64, %c4 : i64
  %xb = mem.offset %x, %rb : !mem.ptr<global>
  %yb = mem.offset %y, %rb : !mem.ptr<global>
  %hi = arith.extsi %C : i32 to i64
  %v = tile.load %xb box(%z to %hi) other(%ninf : f32) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<1024xf32>
  %m = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.maxnumf %a, %b : f32
    tt.reduce.return %q : f32
  }) : (tensor<1024xf32>) -> f32
  %ms = tt.splat %m : f32 -> tensor<1024xf32>
  %d = arith.subf %v, %ms : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %s = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tt.reduce.return %q : f32
  }) : (tensor<1024xf32>) -> f32
  %ss = tt.splat %s : f32 -> tensor<1024xf32>
  %o = arith.divf %e, %ss : tensor<1024xf32>
  tile.store %o, %yb box(%z to %hi) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4, root = 1} : tensor<1024xf32>, !mem.ptr<global>
  return
}

// The index varies outside the box: the whole axis runs.
// CHECK-LABEL: func.func @weighted
// CHECK: "nests.nest"()
// CHECK-SAME: boxDims = array<i64>, dead = array<i32: 0>
func.func @weighted(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %n: i64) {
  %zero = arith.constant 0 : i64
  %v = tile.load %x box(%zero to %n) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xi32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %w = arith.addi %v, %i : tensor<64xi32>
  %s = "tt.reduce"(%w) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %q = arith.addi %a, %b : i32
    tt.reduce.return %q : i32
  }) : (tensor<64xi32>) -> i32
  tile.store %s, %y {staticStrides = array<i64>, boxDims = array<i64>, unit = 4, root = 1} : i32, !mem.ptr<global>
  return
}
