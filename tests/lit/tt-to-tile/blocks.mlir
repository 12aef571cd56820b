// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --tt-to-tile | FileCheck %s --check-prefixes=CHECK,USUAL
// RUN: tritonrt-opt %s --split-input-file --tt-to-tile=generic=true | FileCheck %s --check-prefixes=CHECK,GENERIC

// Checked dimensions are clipped on both sides, and padding is what is read there.
// CHECK-LABEL: func.func @block_pointer
// CHECK-SAME: %[[M:[a-z0-9]*]]: i64, %[[K:[a-z0-9]*]]: i64, %[[R:[a-z0-9]*]]: i32)
// CHECK: scf.for %{{.*}} iter_args(%[[O0:.*]] = %{{.*}}, %[[O1:.*]] = %c0_i64) -> (i64, i64)
// CHECK: %[[LO:.*]] = arith.subi %c0_i64, %[[O1]] : i64
// CHECK: %[[HI:.*]] = arith.subi %[[K]], %[[O1]] : i64
// CHECK: tile.load %{{.*}} strides(%[[K]]) box(%[[LO]] to %[[HI]]) other(%{{.*}} : f16) {{{.*}}boxDims = array<i64: 1>, root = 0 : i64, staticStrides = array<i64: {{-[0-9]+}}, 1>, unit = 2 : i64}
// CHECK: arith.addi %[[O1]], %c16_i64 : i64
tt.func public @block_pointer(%x: !tt.ptr<f16>, %m: i64, %k: i64, %r: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %x, [%m, %k], [%k, %one], [%r, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %end = scf.for %i = %c0 to %r step %c16 iter_args(%q = %p) -> (!tt.ptr<tensor<8x16xf16>>) : i32 {
    %v = tt.load %q {boundaryCheck = array<i32: 1>, padding = 2 : i32} : !tt.ptr<tensor<8x16xf16>>
    tt.store %q, %v {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<8x16xf16>>
    %next = tt.advance %q, [%c0, %c16] : <tensor<8x16xf16>>
    scf.yield %next : !tt.ptr<tensor<8x16xf16>>
  }
  tt.return
}

// -----

// A descriptor checks every dimension; the host's own are followed by shape and strides. The last
// stride is 1, but in the variant for launches that keep no promises.
// CHECK-LABEL: func.func @descriptors
// CHECK-SAME: (%[[X:[a-z0-9]*]]: !mem.ptr<global>, %[[D:[a-z0-9]*]]: !mem.ptr<global>, %[[S0:[a-z0-9]*]]: i32, %[[S1:[a-z0-9]*]]: i32, %[[T0:[a-z0-9]*]]: i64, %[[T1:[a-z0-9]*]]: i64, %[[I:[a-z0-9]*]]: i32)
// USUAL: tile.load %{{.*}} strides(%[[T0]]) box({{.*}}) {boxDims = array<i64: 0, 1>, root = 1 : i64, staticStrides = array<i64: {{-[0-9]+}}, 1>
// GENERIC: tile.load %{{.*}} strides(%[[T0]], %[[T1]]) box({{.*}}) {boxDims = array<i64: 0, 1>, root = 1 : i64
// CHECK: tile.store %{{.*}} box({{.*}}) {boxDims = array<i64: 0, 1>, root = 0 : i64, staticStrides = array<i64: 64, 1>
tt.func public @descriptors(%x: !tt.ptr<f32>, %d: !tt.tensordesc<8x16xf32>, %s0: i32, %s1: i32, %t0: i64, %t1: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %v = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  %e = tt.make_tensor_descriptor %x, [%s0, %s1], [%c64, %one] : <f32>, <8x16xf32>
  tt.descriptor_store %e[%c0, %i], %v : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
  tt.return
}

// -----

// Rows by number: outside of the tensor they are masked one by one.
// CHECK-LABEL: func.func @rows
// CHECK: %[[R:.*]] = arith.muli %{{.*}} : tensor<8x1xi64>
// CHECK: %[[M:.*]] = tt.broadcast %{{.*}} : tensor<8x1xi1> -> tensor<8x16xi1>
// CHECK: tile.load %{{.*}} box(%{{.*}} to %{{.*}}) offsets(%[[R]] : tensor<8x1xi64>) mask(%[[M]] : tensor<8x16xi1>) {boxDims = array<i64: 1>
tt.func public @rows(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>, %s0: i32, %s1: i32, %t0: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %d = tt.make_tensor_descriptor %x, [%s0, %s1], [%t0, %one] : <f32>, <1x16xf32>
  %v = tt.descriptor_gather %d[%r, %i] : (!tt.tensordesc<1x16xf32>, tensor<8xi32>, i32) -> tensor<8x16xf32>
  %e = tt.make_tensor_descriptor %o, [%s0, %s1], [%t0, %one] : <f32>, <8x16xf32>
  tt.descriptor_store %e[%c0, %i], %v : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
  tt.return
}
