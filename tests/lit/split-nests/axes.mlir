// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests))" %s | FileCheck %s --check-prefix=BEFORE
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests,split-nests))" %s | FileCheck %s

// The sums of rows and of columns start in one nest, which no layout suits; each gets its own.
// BEFORE-LABEL: func.func @rows_and_columns
// BEFORE: kinds = [{{.*}}dims = [0]{{.*}}dims = [1]
// CHECK-LABEL: func.func @rows_and_columns
// CHECK-NOT: dims = [0]{{.*}}dims = [1]
// CHECK-DAG: #nests.result<reduce dims = [0]
// CHECK-DAG: #nests.result<reduce dims = [1]
func.func @rows_and_columns(%x: tensor<16x32xf32>, %y: !mem.ptr<global>, %z: !mem.ptr<global>) {
  %v = arith.mulf %x, %x : tensor<16x32xf32>
  %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tt.reduce.return %q : f32
  }) : (tensor<16x32xf32>) -> tensor<32xf32>
  %t = "tt.reduce"(%v) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    tt.reduce.return %q : f32
  }) : (tensor<16x32xf32>) -> tensor<16xf32>
  tile.store %s, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<32xf32>, !mem.ptr<global>
  tile.store %t, %z {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<16xf32>, !mem.ptr<global>
  return
}
