// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests{disjoint=true},split-nests,choose-layouts{items=128}),map-simt{items=128 disjoint=true},pack-storage,func.func(place-barriers{disjoint=true}),canonicalize,cse)" %s | FileCheck %s
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests{disjoint=true},split-nests,choose-layouts{items=128 shuffle-lanes=32}),map-simt{items=128 disjoint=true shuffle-lanes=32},pack-storage,func.func(place-barriers{disjoint=true}),canonicalize,cse)" %s | FileCheck %s --check-prefix=WARPS

// An item's four elements, then the sums of 16 items and of the 8 groups of them, in two rounds; no
// loop. In warps five exchanges, and one round for the four of them.
// CHECK-LABEL: func.func @row
// CHECK: mem.load %arg0{{.*}} -> vector<4xf32>
// CHECK-COUNT-3: arith.addf {{.*}} : f32
// CHECK: mem.barrier group {local}
// CHECK: mem.load {{.*}} -> vector<16xf32>
// CHECK: mem.barrier group {local}
// CHECK: mem.load {{.*}} -> vector<8xf32>
// CHECK-NOT: mem.barrier
// CHECK-NOT: scf.for
// CHECK: mem.store {{.*}}, %arg1{{.*}} : vector<4xf32>
// WARPS-LABEL: func.func @row
// WARPS: mem.load %arg0{{.*}} -> vector<4xf32>
// WARPS-COUNT-5: mem.shuffle {{.*}} keep -1 flip
// WARPS: mem.barrier group {local}
// WARPS: mem.load {{.*}} -> vector<4xf32>
// WARPS-NOT: mem.barrier
// WARPS: mem.store {{.*}}, %arg1{{.*}} : vector<4xf32>
func.func @row(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<512xf32>
  %s = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tt.scan.return %q : f32
  }) : (tensor<512xf32>) -> tensor<512xf32>
  tile.store %s, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<512xf32>, !mem.ptr<global>
  return
}
