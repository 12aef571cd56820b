// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests))" %s | FileCheck %s
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests{fuse=false}))" %s | FileCheck %s --check-prefix=ALONE

// The row is read again for the exponential, which is a tile because two nests need it.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[MAX:.*]] = "nests.nest"
// CHECK-NEXT: %[[X:.*]] = nests.read
// CHECK-NEXT: nests.yield %[[X]]
// CHECK: arith.maxnumf
// CHECK: %[[SUM:.*]]:2 = "nests.nest"
// CHECK-SAME: kinds = [#nests.result<tile>, #nests.result<reduce dims = [0] group = 0>]
// CHECK: nests.read
// CHECK: math.exp
// CHECK: "nests.nest"
// CHECK: nests.elem %[[SUM]]#0
// CHECK: arith.divf %{{.*}}, %[[SUM]]#1
// CHECK: nests.write

// ALONE-LABEL: func.func @softmax
// ALONE-COUNT-7: "nests.nest"
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
