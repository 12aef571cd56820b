// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt --map-vector --canonicalize --cse %s | FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: tritonrt-opt --map-vector=cheap-masks=true --canonicalize --cse %s | FileCheck %s --check-prefixes=CHECK,MASKED
// RUN: tritonrt-opt --map-vector=vector-bytes=1 --canonicalize --cse %s | FileCheck %s --check-prefix=LOOPS

// Whole vectors without masks; the rest by elements, or on one masked vector.
// CHECK-LABEL: func.func @add
// CHECK: %[[END:.*]] = arith.andi %[[N:.*]], %{{.*}} : i64
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[END]] step %c16_i64
// CHECK: %[[A:.*]] = mem.load %{{.*}}[%[[I]]] : <global> -> vector<16xf32>
// CHECK: %[[B:.*]] = mem.load %{{.*}}[%[[I]]] : <global> -> vector<16xf32>
// CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]] : vector<16xf32>
// CHECK: mem.store %[[S]], %{{.*}}[%[[I]]] : vector<16xf32>, <global>
// SCALAR: scf.for %[[J:.*]] = %[[END]] to %[[N]] step %c1_i64
// SCALAR: mem.load %{{.*}}[%[[J]]] : <global> -> f32
// SCALAR: mem.store %{{.*}} : f32, <global>
// MASKED: scf.if
// MASKED: %[[MASK:.*]] = arith.cmpi sgt, %{{.*}} : vector<16xi32>
// MASKED: mem.load %{{.*}}[%[[END]]] mask(%[[MASK]] : vector<16xi1>) : <global> -> vector<16xf32>
// MASKED: mem.store %{{.*}} mask(%[[MASK]] : vector<16xi1>)

// LOOPS-LABEL: func.func @add
// LOOPS-NOT: vector<
func.func @add(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %o: !mem.ptr<global>, %n: i64) {
  %zero = arith.constant 0 : i64
  %size = arith.constant 1024 : i64
  %low = arith.maxsi %n, %zero : i64
  %hi = arith.minsi %low, %size : i64
  %vx = nests.view %x box(%zero to %hi) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<1024xf32>>
  %vy = nests.view %y box(%zero to %hi) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<1024xf32>>
  %vo = nests.view %o box(%zero to %hi) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<1024xf32>>
  "nests.nest"(%zero, %hi) <{domain = array<i64: 1024>, boxDims = array<i64: 0>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 1, 1, 0>}> ({
    %a = nests.read %vx [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : !nests.view<tensor<1024xf32>> -> f32
    %b = nests.read %vy [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : !nests.view<tensor<1024xf32>> -> f32
    %c = arith.addf %a, %b : f32
    nests.write %vo, %c [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : !nests.view<tensor<1024xf32>>, f32
    nests.yield
  }) : (i64, i64) -> ()
  return
}

// Where the extent is another one in each program, those that run all of it have a loop of constant
// bounds; the one for the others is marked, so that it stays short.
// CHECK-LABEL: func.func @cut
// MASKED: %[[FULL:.*]] = arith.cmpi eq, %{{.*}}, %c1024_i64
// MASKED: scf.if %[[FULL]]
// MASKED: scf.for %{{.*}} = %c0_i64 to %c1024_i64 step %c16_i64
// MASKED: } else {
// MASKED: scf.for
// MASKED: } {mem.rare}
func.func @cut(%o: !mem.ptr<global>, %n: i64) {
  %zero = arith.constant 0 : i64
  %size = arith.constant 1024 : i64
  %pid = mem.program_id 0
  %wide = arith.extsi %pid : i32 to i64
  %first = arith.muli %wide, %size : i64
  %left = arith.subi %n, %first : i64
  %low = arith.maxsi %left, %zero : i64
  %hi = arith.minsi %low, %size : i64
  %vo = nests.view %o box(%zero to %hi) {staticStrides = array<i64: 1>, boxDims = array<i64: 0>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<1024xf32>>
  "nests.nest"(%zero, %hi) <{domain = array<i64: 1024>, boxDims = array<i64: 0>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 1, 1, 0>}> ({
    %c = arith.constant 1.0 : f32
    nests.write %vo, %c [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : !nests.view<tensor<1024xf32>>, f32
    nests.yield
  }) : (i64, i64) -> ()
  return
}

// A box that the live box does not imply is a mask; what all lanes share is loaded once.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for %[[R:.*]] =
// CHECK: %[[ONE:.*]] = mem.load %{{.*}}[%[[R]]] : <global> -> f32
// CHECK: %[[IN:.*]] = arith.cmpi sgt, %{{.*}} : vector<16xi32>
// CHECK: %[[V:.*]] = mem.load %{{.*}} mask(%[[IN]] : vector<16xi1>) : <global> -> vector<16xf32>
// CHECK: %[[ALL:.*]] = vector.broadcast %[[ONE]]
// CHECK: arith.mulf %[[V]], %[[ALL]]
func.func @rows(%x: !mem.ptr<global>, %s: !mem.ptr<global>, %o: !mem.ptr<global>, %stride: i64, %n: i64) {
  %zero = arith.constant 0 : i64
  %vx = nests.view %x strides(%stride) box(%zero to %n) {staticStrides = array<i64: -9223372036854775808, 1>, boxDims = array<i64: 1>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<8x64xf32>>
  %vs = nests.view %s {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<8xf32>>
  %vo = nests.view %o {staticStrides = array<i64: 64, 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<8x64xf32>>
  "nests.nest"() <{domain = array<i64: 8, 64>, boxDims = array<i64>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %b = nests.read %vs [6, 7, 8] : !nests.view<tensor<8xf32>> -> f32
    %a = nests.read %vx [0, 1, 2, 3, 4, 5, 6, 7, 8] : !nests.view<tensor<8x64xf32>> -> f32
    %c = arith.mulf %a, %b : f32
    nests.write %vo, %c [0, 1, 2, 3, 4, 5, 6, 7, 8] : !nests.view<tensor<8x64xf32>>, f32
    nests.yield
  }) : () -> ()
  return
}
