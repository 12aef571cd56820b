// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests))" %s | FileCheck %s
// RUN: tritonrt-opt "--pass-pipeline=builtin.module(func.func(form-nests{disjoint=true}))" %s | FileCheck %s --check-prefix=DISJOINT

// Both loads stand before the stores and overlap them shifted: read whole first.
// CHECK-LABEL: func.func @shift
// CHECK: %[[READ:.*]]:2 = "nests.nest"
// CHECK: nests.read
// CHECK: nests.read
// CHECK: "nests.nest"
// CHECK: nests.elem %[[READ]]
// CHECK: nests.write
// CHECK: nests.elem %[[READ]]
// CHECK: nests.write
func.func @shift(%x: !mem.ptr<global>) {
  %c4 = arith.constant 4 : i64
  %xb = mem.offset %x, %c4 : !mem.ptr<global>
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xf32>
  %w = tile.load %xb {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xf32>
  %o = arith.addf %v, %v : tensor<64xf32>
  tile.store %o, %xb {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<64xf32>, !mem.ptr<global>
  %o2 = arith.addf %w, %w : tensor<64xf32>
  tile.store %o2, %xb {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<64xf32>, !mem.ptr<global>
  return
}

// The same address at every point: one nest.
// CHECK-LABEL: func.func @in_place
// CHECK: "nests.nest"
// CHECK-NEXT: nests.read
// CHECK: nests.write
// CHECK-NOT: "nests.nest"
func.func @in_place(%x: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xf32>
  %o = arith.addf %v, %v : tensor<64xf32>
  tile.store %o, %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<64xf32>, !mem.ptr<global>
  return
}

// Stride 0: the same address function, but every point shares the element.
// CHECK-LABEL: func.func @not_injective
// CHECK: %[[READ:.*]] = "nests.nest"
// CHECK: "nests.nest"
// CHECK: nests.elem %[[READ]]
func.func @not_injective(%x: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 0>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xf32>
  %o = arith.addf %v, %v : tensor<64xf32>
  tile.store %o, %x {staticStrides = array<i64: 0>, boxDims = array<i64>, unit = 4, root = 0} : tensor<64xf32>, !mem.ptr<global>
  return
}

// Transposed in place: the same bytes under another map.
// CHECK-LABEL: func.func @transpose
// CHECK: %[[READ:.*]] = "nests.nest"
// CHECK: nests.read
// CHECK: "nests.nest"
// CHECK: nests.elem %[[READ]] [4, 5, 6, 7, 0, 1, 2, 3]
func.func @transpose(%x: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 16, 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<16x16xf32>
  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<16x16xf32> -> tensor<16x16xf32>
  tile.store %t, %x {staticStrides = array<i64: 16, 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<16x16xf32>, !mem.ptr<global>
  return
}

// Two arguments may overlap unless the launch says otherwise.
// CHECK-LABEL: func.func @copy
// CHECK-COUNT-2: "nests.nest"
// DISJOINT-LABEL: func.func @copy
// DISJOINT: "nests.nest"
// DISJOINT-NEXT: nests.read
// DISJOINT-NEXT: nests.write
// DISJOINT-NOT: "nests.nest"
// DISJOINT: return
func.func @copy(%x: !mem.ptr<global>, %y: !mem.ptr<global>) {
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xf32>
  tile.store %v, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<64xf32>, !mem.ptr<global>
  return
}

// The load may not sink below the store behind the branch.
// CHECK-LABEL: func.func @behind_branch
// CHECK: %[[READ:.*]] = "nests.nest"
// CHECK: nests.read
// CHECK: scf.if
// CHECK: nests.write
// CHECK: nests.elem %[[READ]]
func.func @behind_branch(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %c: i1) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xf32>
  scf.if %c {
    tile.store %zero, %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : tensor<64xf32>, !mem.ptr<global>
  }
  tile.store %v, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<64xf32>, !mem.ptr<global>
  return
}

// An atomic whose result somebody looks at is crossed by nothing.
// CHECK-LABEL: func.func @around_atomic
// CHECK: %[[READ:.*]] = "nests.nest"
// CHECK: tile.atomic_rmw
// CHECK: nests.elem %[[READ]]
func.func @around_atomic(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %z: !mem.ptr<global>) {
  %one = arith.constant 1 : i32
  %v = tile.load %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 0} : !mem.ptr<global> -> tensor<64xi32>
  %old = tile.atomic_rmw add, acq_rel, device, %one, %z {staticStrides = array<i64>, boxDims = array<i64>, unit = 4, root = 2} : i32, !mem.ptr<global> -> i32
  %s = tt.splat %old : i32 -> tensor<64xi32>
  %w = arith.addi %v, %s : tensor<64xi32>
  tile.store %w, %y {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4, root = 1} : tensor<64xi32>, !mem.ptr<global>
  return
}
