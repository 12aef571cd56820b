// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt --map-vector --canonicalize --cse %s | FileCheck %s

// A maximum of a short row that takes no NaN is a comparison from minus infinity on; where that finds nothing the
// exact form tells a row of NaN from one of minus infinity.
// CHECK-LABEL: func.func @maximum
// CHECK: scf.for
// CHECK: %[[BETTER:.*]] = arith.cmpf ogt, %[[NEW:.*]], %[[SOFAR:.*]] : vector<16xf32>
// CHECK: arith.select %[[BETTER]], %[[NEW]], %[[SOFAR]]
// CHECK: %[[ANY:.*]] = arith.cmpf ogt, %{{.*}}, %cst{{.*}} : f32
// CHECK: scf.if %[[ANY]]
// CHECK: } else {
// CHECK: scf.for
// CHECK: arith.maxnumf
// CHECK: {mem.rare}
func.func @maximum(%x: !mem.ptr<global>, %o: !mem.ptr<global>) {
  %vx = nests.view %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<256xf32>>
  %vo = nests.view %o {staticStrides = array<i64>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<f32>>
  %most = "nests.nest"() <{domain = array<i64: 256>, boxDims = array<i64>, kinds = [#nests.result<reduce dims = [0] group = 0>], dead = array<i32: 0>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %v = nests.read %vx [0, 1, 2, 3, 4, 5, 6, 7] : !nests.view<tensor<256xf32>> -> f32
    nests.yield %v : f32
  }, {
  ^bb0(%new: f32, %acc: f32):
    %s = arith.maxnumf %new, %acc : f32
    nests.yield %s : f32
  }) : () -> f32
  "nests.nest"() <{domain = array<i64>, boxDims = array<i64>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    nests.write %vo, %most [] : !nests.view<tensor<f32>>, f32
    nests.yield
  }) : () -> ()
  return
}
