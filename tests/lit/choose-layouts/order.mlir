// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests{disjoint=true},choose-layouts{items=128}))" %s | FileCheck %s

// Four neighbours in registers, the next on lanes and warps, the rest in a loop.
// CHECK-LABEL: func.func @copy
// CHECK: layout = #nests.layout<loop = [9]{{ ?}}reg = [0, 1]{{ ?}}lane = [2, 3, 4, 5, 6]{{ ?}}warp = [7, 8]>
func.func @copy(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<1024xf32>
  tile.store %v, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<1024xf32>, !mem.ptr<global>
  return
}

// Fewer elements than items: the upper warp's place holds no bit.
// CHECK-LABEL: func.func @few
// CHECK: lane = [0, 1, 2, 3, 4]{{ ?}}warp = [5, -1]
func.func @few(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xf32>
  tile.store %v, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<64xf32>, !mem.ptr<global>
  return
}

// Columns of a matrix stored by columns: neighbouring items take neighbouring rows.
// CHECK-LABEL: func.func @columns
// CHECK: reg = [4, 5]{{ ?}}lane = [6, 7, 8, 9, 0]{{ ?}}warp = [1, 2]
func.func @columns(%x: !mem.ptr<global>) {
  %v = arith.constant dense<1.0> : tensor<64x16xf32>
  tile.store %v, %x {staticStrides = array<i64: 1, 64>, boxDims = array<i64>, unit = 4, root = 0} : tensor<64x16xf32>, !mem.ptr<global>
  return
}
