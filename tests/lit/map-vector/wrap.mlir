// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt --map-vector --canonicalize --cse %s | FileCheck %s

// A vector that does not pass the end is one wide load; one that does is gathered.
// CHECK-LABEL: func.func @wrapped
// CHECK: scf.for
// CHECK: %[[FIRST:.*]] = scf.if
// CHECK: arith.remui
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %c16_i64
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[END]], %arg3
// CHECK: scf.if %[[FITS]]
// CHECK: mem.load %arg0[%[[FIRST]]] : <global> -> vector<16xf32>
// CHECK: } else {
// CHECK: arith.remui {{.*}} : vector<16xi64>
// CHECK: mem.gather %arg0
func.func @wrapped(%x: !mem.ptr<global>, %o: !mem.ptr<global>, %start: i64, %size: i64) {
  %vx = nests.view %x wrap(%start mod %size) {staticStrides = array<i64: 1>, boxDims = array<i64>, wrapDim = 0 : i64, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<256xf32>>
  %vo = nests.view %o {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<256xf32>>
  "nests.nest"() <{domain = array<i64: 256>, boxDims = array<i64>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %a = nests.read %vx [0, 1, 2, 3, 4, 5, 6, 7] : !nests.view<tensor<256xf32>> -> f32
    nests.write %vo, %a [0, 1, 2, 3, 4, 5, 6, 7] : !nests.view<tensor<256xf32>>, f32
    nests.yield
  }) : () -> ()
  return
}
