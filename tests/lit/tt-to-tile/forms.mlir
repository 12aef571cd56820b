// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --tt-to-tile | FileCheck %s

// A program's block: one base, a constant stride, the scalar's own width before the extension.
// CHECK-LABEL: func.func @contiguous
// CHECK-SAME: (%[[X:[a-z0-9]*]]: !mem.ptr<global> {tt.divisibility = 16 : i32}, %[[O:[a-z0-9]*]]: !mem.ptr<global>)
// CHECK-SAME: tritonrt.kernel
// CHECK: %[[P:.*]] = mem.program_id 0
// CHECK: %[[S:.*]] = arith.muli %[[P]], {{.*}} : i32
// CHECK: %[[E:.*]] = arith.extsi %[[S]] : i32 to i64
// CHECK: %[[D:.*]] = arith.muli %[[E]], %c4_i64 : i64
// CHECK: %[[B:.*]] = mem.offset %[[X]], %[[D]]
// CHECK: tile.load %[[B]] {align = 16 : i64, boxDims = array<i64>, root = 0 : i64, staticStrides = array<i64: 1>, unit = 4 : i64}
// CHECK: tile.store {{.*}} {boxDims = array<i64>, root = 1 : i64, staticStrides = array<i64: 1>, unit = 4 : i64}
tt.func public @contiguous(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32>) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %s = arith.muli %pid, %c64 : i32
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s1 = tt.splat %s : i32 -> tensor<64xi32>
  %i = arith.addi %s1, %r : tensor<64xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %px = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %px : tensor<64x!tt.ptr<f32>>
  %q = tt.splat %o : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %qo = tt.addptr %q, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %qo, %v : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// Rows by a run-time stride, backwards columns, and the transposed block of the same memory.
// CHECK-LABEL: func.func @strided
// CHECK-SAME: (%[[X:[a-z0-9]*]]: !mem.ptr<global>, %[[O:[a-z0-9]*]]: !mem.ptr<global>, %[[N:.*]]: i32)
// CHECK: %[[S:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[B:.*]] = mem.offset %[[X]], %c14_i64
// CHECK: tile.load %[[B]] strides(%[[S]]) {boxDims = array<i64>, root = 0 : i64, staticStrides = array<i64: [[DYN:-[0-9]+]], -1>, unit = 2 : i64} : <global> -> tensor<4x8xf16>
// CHECK: tile.store {{.*}}, %[[O]] strides(%[[S]]) {boxDims = array<i64>, root = 1 : i64, staticStrides = array<i64: 1, [[DYN]]>, unit = 2 : i64} : tensor<8x4xf16>
tt.func public @strided(%x: !tt.ptr<f16>, %o: !tt.ptr<f16>, %n: i32) {
  %m1 = arith.constant dense<-1> : tensor<8xi32>
  %c7 = arith.constant dense<7> : tensor<8xi32>
  %r4 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %r8 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %rows = tt.expand_dims %r4 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %ns = tt.splat %n : i32 -> tensor<4x1xi32>
  %ro = arith.muli %rows, %ns : tensor<4x1xi32>
  %b = arith.muli %r8, %m1 : tensor<8xi32>
  %back = arith.addi %b, %c7 : tensor<8xi32>
  %cols = tt.expand_dims %back {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %ro2 = tt.broadcast %ro : tensor<4x1xi32> -> tensor<4x8xi32>
  %co2 = tt.broadcast %cols : tensor<1x8xi32> -> tensor<4x8xi32>
  %offs = arith.addi %ro2, %co2 : tensor<4x8xi32>
  %p = tt.splat %x : !tt.ptr<f16> -> tensor<4x8x!tt.ptr<f16>>
  %px = tt.addptr %p, %offs : tensor<4x8x!tt.ptr<f16>>, tensor<4x8xi32>
  %v = tt.load %px : tensor<4x8x!tt.ptr<f16>>
  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<4x8xf16> -> tensor<8x4xf16>
  %fwd = tt.expand_dims %r8 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %fwd2 = tt.broadcast %fwd : tensor<1x8xi32> -> tensor<4x8xi32>
  %oo = arith.addi %ro2, %fwd2 : tensor<4x8xi32>
  %oot = tt.trans %oo {order = array<i32: 1, 0>} : tensor<4x8xi32> -> tensor<8x4xi32>
  %q = tt.splat %o : !tt.ptr<f16> -> tensor<8x4x!tt.ptr<f16>>
  %qo = tt.addptr %q, %oot : tensor<8x4x!tt.ptr<f16>>, tensor<8x4xi32>
  tt.store %qo, %t : tensor<8x4x!tt.ptr<f16>>
  tt.return
}

// -----

// Rows named by loaded numbers: the offsets have one column, the columns keep their stride.
// CHECK-LABEL: func.func @embedding
// CHECK: %[[I:.*]] = tile.load %{{.*}} -> tensor<4xi32>
// CHECK: %[[C:.*]] = tt.expand_dims %[[I]] {axis = 1 : i32}
// CHECK: %[[W:.*]] = arith.extsi %[[C]] : tensor<4x1xi32> to tensor<4x1xi64>
// CHECK: %[[R:.*]] = arith.muli %[[W]], {{.*}} : tensor<4x1xi64>
// CHECK: tile.load %{{.*}} offsets(%[[R]] : tensor<4x1xi64>) {{.*}}root = 1 : i64, staticStrides = array<i64: 0, 1>, unit = 4 : i64} : <global> -> tensor<4x16xf32>
tt.func public @embedding(%idx: !tt.ptr<i32>, %table: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32) {
  %r4 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %r16 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %pi = tt.splat %idx : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %pi2 = tt.addptr %pi, %r4 : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  %i = tt.load %pi2 : tensor<4x!tt.ptr<i32>>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %ns = tt.splat %n : i32 -> tensor<4x1xi32>
  %ro = arith.muli %rows, %ns : tensor<4x1xi32>
  %cols = tt.expand_dims %r16 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %ro2 = tt.broadcast %ro : tensor<4x1xi32> -> tensor<4x16xi32>
  %co2 = tt.broadcast %cols : tensor<1x16xi32> -> tensor<4x16xi32>
  %offs = arith.addi %ro2, %co2 : tensor<4x16xi32>
  %p = tt.splat %table : !tt.ptr<f32> -> tensor<4x16x!tt.ptr<f32>>
  %px = tt.addptr %p, %offs : tensor<4x16x!tt.ptr<f32>>, tensor<4x16xi32>
  %v = tt.load %px : tensor<4x16x!tt.ptr<f32>>
  %q = tt.splat %o : !tt.ptr<f32> -> tensor<4x16x!tt.ptr<f32>>
  %qo = tt.addptr %q, %co2 : tensor<4x16x!tt.ptr<f32>>, tensor<4x16xi32>
  tt.store %qo, %v : tensor<4x16x!tt.ptr<f32>>
  tt.return
}

// -----

// Another element size through one base: addresses are bytes.
// CHECK-LABEL: func.func @other_size
// CHECK: tile.load %[[X:.*]] {{{.*}}staticStrides = array<i64: 1>, unit = 4 : i64} : <global> -> tensor<8xi32>
// CHECK: tile.store %{{.*}}, %[[X]] {{{.*}}staticStrides = array<i64: 2>, unit = 2 : i64} : tensor<8xi16>
tt.func public @other_size(%x: !tt.ptr<i32>) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %p = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %px = tt.addptr %p, %r : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %v = tt.load %px : tensor<8x!tt.ptr<i32>>
  %h = arith.trunci %v : tensor<8xi32> to tensor<8xi16>
  %ph = tt.bitcast %px : tensor<8x!tt.ptr<i32>> -> tensor<8x!tt.ptr<i16>>
  tt.store %ph, %h : tensor<8x!tt.ptr<i16>>
  tt.return
}

// -----

// As data an offset wraps in its own width; as an address it does not.
// CHECK-LABEL: func.func @data_use
// CHECK: %[[D:.*]] = arith.muli %[[I:.*]], %[[I]] : tensor<8xi32>
// CHECK: tile.store %[[D]]
tt.func public @data_use(%x: !tt.ptr<i32>, %n: i32) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %s = tt.splat %n : i32 -> tensor<8xi32>
  %i = arith.addi %r, %s : tensor<8xi32>
  %d = arith.muli %i, %i : tensor<8xi32>
  %p = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %px = tt.addptr %p, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  tt.store %px, %d : tensor<8x!tt.ptr<i32>>
  tt.return
}

// -----

// Pointers out of memory have no root; a scalar one still strides.
// CHECK-LABEL: func.func @pointer_table
// CHECK: %[[T:.*]] = tile.load %arg0 {{.*}} -> tensor<8xi64>
// CHECK: %[[NULL:.*]] = mem.null
// CHECK: %[[A:.*]] = tile.load %[[NULL]] offsets(%[[T]] : tensor<8xi64>) {boxDims = array<i64>, staticStrides = array<i64: 0>, unit = 1 : i64} : <global> -> tensor<8xf32>
// CHECK: %[[ONE:.*]] = tile.load %arg0 {{.*}} -> i64
// CHECK: %[[B:.*]] = mem.from_int %[[ONE]]
// CHECK: tile.store %[[A]], %[[B]] {boxDims = array<i64>, staticStrides = array<i64: 1>, unit = 4 : i64}
tt.func public @pointer_table(%t: !tt.ptr<i64>) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %p = tt.splat %t : !tt.ptr<i64> -> tensor<8x!tt.ptr<i64>>
  %pt = tt.addptr %p, %r : tensor<8x!tt.ptr<i64>>, tensor<8xi32>
  %a = tt.load %pt : tensor<8x!tt.ptr<i64>>
  %q = tt.int_to_ptr %a : tensor<8xi64> -> tensor<8x!tt.ptr<f32>>
  %v = tt.load %q : tensor<8x!tt.ptr<f32>>
  %a1 = tt.load %t : !tt.ptr<i64>
  %q1 = tt.int_to_ptr %a1 : i64 -> !tt.ptr<f32>
  %s = tt.splat %q1 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %so = tt.addptr %s, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %so, %v : tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

// A flat index seen as rows and columns strides along both.
// CHECK-LABEL: func.func @reshaped
// CHECK: tile.load %{{.*}} {{{.*}}staticStrides = array<i64: 8, 1>, unit = 4 : i64} : <global> -> tensor<4x8xf32>
tt.func public @reshaped(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %m = tt.reshape %r : tensor<32xi32> -> tensor<4x8xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  %px = tt.addptr %p, %m : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
  %v = tt.load %px : tensor<4x8x!tt.ptr<f32>>
  %q = tt.splat %o : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  %qo = tt.addptr %q, %m : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
  tt.store %qo, %v : tensor<4x8x!tt.ptr<f32>>
  tt.return
}
