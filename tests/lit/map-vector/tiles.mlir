// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt --map-vector --canonicalize --cse %s | FileCheck %s

// Two tiles that trade places each iteration: the second copy must not read what the first one wrote.
// CHECK-LABEL: func.func @swap
// CHECK-DAG: %[[SAVED:.*]] = mem.alloc 64 : <scratch>
// CHECK-DAG: %[[A:.*]] = mem.alloc 64 : <scratch>
// CHECK: scf.for
// CHECK: %[[OLD:.*]] = mem.load %[[P:.*]][%c0_i64] {align = 64 : i64} : <scratch>
// CHECK: mem.store %[[OLD]], %[[T:.*]][%c0_i64]
// CHECK: %[[Y:.*]] = mem.load %[[Q:.*]][%c0_i64]
// CHECK: mem.store %[[Y]], %[[P]][%c0_i64]
// CHECK: %[[X:.*]] = mem.load %[[T]][%c0_i64]
// CHECK: mem.store %[[X]], %[[Q]][%c0_i64]
func.func @swap(%p: !mem.ptr<global>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = arith.constant dense<1.0> : tensor<16xf32>
  %b = arith.constant dense<2.0> : tensor<16xf32>
  %v = nests.view %p {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<16xf32>>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (tensor<16xf32>, tensor<16xf32>) : i32 {
    scf.yield %y, %x : tensor<16xf32>, tensor<16xf32>
  }
  "nests.nest"() <{domain = array<i64: 16>, boxDims = array<i64>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %e = nests.elem %r#0 [0, 1, 2, 3] : tensor<16xf32> -> f32
    %f = nests.elem %r#1 [0, 1, 2, 3] : tensor<16xf32> -> f32
    %g = arith.subf %e, %f : f32
    nests.write %v, %g [0, 1, 2, 3] : !nests.view<tensor<16xf32>>, f32
    nests.yield
  }) : () -> ()
  return
}

// A sum over iterations is updated where it is; no copy.
// CHECK-LABEL: func.func @in_place
// CHECK: %[[S:.*]] = mem.alloc 64 : <scratch>
// CHECK-NOT: mem.alloc
// CHECK: scf.for
// CHECK-NEXT: %[[IN:.*]] = mem.load %arg0[%c0_i64]
// CHECK-NEXT: %[[ACC:.*]] = mem.load %[[S]][%c0_i64]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[ACC]], %[[IN]]
// CHECK-NEXT: mem.store %[[SUM]], %[[S]][%c0_i64]
// CHECK-NEXT: {{^ +[}]$}}
func.func @in_place(%p: !mem.ptr<global>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = arith.constant dense<0.0> : tensor<16xf32>
  %v = nests.view %p {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<16xf32>>
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> (tensor<16xf32>) : i32 {
    %next = "nests.nest"() <{domain = array<i64: 16>, boxDims = array<i64>, kinds = [#nests.result<tile>], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
      %x = nests.read %v [0, 1, 2, 3] : !nests.view<tensor<16xf32>> -> f32
      %e = nests.elem %s [0, 1, 2, 3] : tensor<16xf32> -> f32
      %g = arith.addf %e, %x : f32
      nests.yield %g : f32
    }) : () -> tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  "nests.nest"() <{domain = array<i64: 16>, boxDims = array<i64>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %e = nests.elem %r [0, 1, 2, 3] : tensor<16xf32> -> f32
    nests.write %v, %e [0, 1, 2, 3] : !nests.view<tensor<16xf32>>, f32
    nests.yield
  }) : () -> ()
  return
}

// The reversed old value is read while the new one is made: that one needs a place of its own.
// CHECK-LABEL: func.func @old_after_new
// CHECK-COUNT-2: mem.alloc 64 : <scratch>
func.func @old_after_new(%p: !mem.ptr<global>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = arith.constant dense<0.0> : tensor<4x4xf32>
  %v = nests.view %p {staticStrides = array<i64: 4, 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<4x4xf32>>
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> (tensor<4x4xf32>) : i32 {
    %next = "nests.nest"() <{domain = array<i64: 4, 4>, boxDims = array<i64>, kinds = [#nests.result<tile>], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
      %x = nests.read %v [0, 1, 2, 3] : !nests.view<tensor<4x4xf32>> -> f32
      %e = nests.elem %s [2, 3, 0, 1] : tensor<4x4xf32> -> f32
      %g = arith.addf %e, %x : f32
      nests.yield %g : f32
    }) : () -> tensor<4x4xf32>
    scf.yield %next : tensor<4x4xf32>
  }
  "nests.nest"() <{domain = array<i64: 4, 4>, boxDims = array<i64>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %e = nests.elem %r [0, 1, 2, 3] : tensor<4x4xf32> -> f32
    nests.write %v, %e [0, 1, 2, 3] : !nests.view<tensor<4x4xf32>>, f32
    nests.yield
  }) : () -> ()
  return
}

// Atomics go point by point in index order, behind their masks.
// CHECK-LABEL: func.func @atomics
// CHECK-NOT: vector<
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %c16_i64 step %c1_i64
// CHECK: %[[ON:.*]] = arith.cmpi slt, %[[I]], %arg1
// CHECK: scf.if %[[ON]]
// CHECK: mem.atomic_rmw fadd, relaxed, device
func.func @atomics(%p: !mem.ptr<global>, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1.0 : f32
  %v = nests.view %p box(%zero to %n) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<16xf32>>
  "nests.nest"() <{domain = array<i64: 16>, boxDims = array<i64>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %old = nests.atomic_rmw fadd, relaxed, device, %v, %one [0, 1, 2, 3] : !nests.view<tensor<16xf32>>, f32
    nests.yield
  }) : () -> ()
  return
}

// A tile that would fit registers, and functions of it: one copy of them in a loop, not one for each vector.
// CHECK-LABEL: func.func @long_body
// CHECK: scf.for
// CHECK-COUNT-6: libm.call "tgamma"
// CHECK-NOT: libm.call
// CHECK: return
func.func @long_body(%p: !mem.ptr<global>, %q: !mem.ptr<global>) {
  %v = nests.view %p {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<256xf32>>
  %w = nests.view %q {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<256xf32>>
  %tile = "nests.nest"() <{domain = array<i64: 256>, boxDims = array<i64>, kinds = [#nests.result<tile>], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %x = nests.read %v [0, 1, 2, 3, 4, 5, 6, 7] : !nests.view<tensor<256xf32>> -> f32
    nests.yield %x : f32
  }) : () -> tensor<256xf32>
  "nests.nest"() <{domain = array<i64: 256>, boxDims = array<i64>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %e = nests.elem %tile [0, 1, 2, 3, 4, 5, 6, 7] : tensor<256xf32> -> f32
    %a = libm.call "tgamma"(%e) : (f32) -> f32
    %b = libm.call "tgamma"(%a) : (f32) -> f32
    %c = libm.call "tgamma"(%b) : (f32) -> f32
    %d = libm.call "tgamma"(%c) : (f32) -> f32
    %f = libm.call "tgamma"(%d) : (f32) -> f32
    %g = libm.call "tgamma"(%f) : (f32) -> f32
    nests.write %w, %g [0, 1, 2, 3, 4, 5, 6, 7] : !nests.view<tensor<256xf32>>, f32
    nests.yield
  }) : () -> ()
  return
}
