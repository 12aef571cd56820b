// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tritonrt-opt %s --split-input-file 2>&1 | FileCheck %s

// CHECK: without indices gives pointers to all of 8x16
tt.func public @whole() {
  %a = dsa.alloc [8, 16] : memref<8x16xf16>
  %p = "dsa.local_pointers"(%a) : (memref<8x16xf16>) -> tensor<8x8x!tt.ptr<f16>>
  tt.return
}

// -----

// CHECK: has 1 indices for a buffer of 2 dimensions
tt.func public @indices(%i: i32) {
  %a = dsa.alloc [8, 16] : memref<8x16xf16>
  %p = "dsa.local_pointers"(%a, %i) : (memref<8x16xf16>, i32) -> !tt.ptr<f16>
  tt.return
}

// -----

// CHECK: of kind cluster takes no group_mask
tt.func public @cluster() {
  tle.distributed_barrier {group_kind = "cluster", group_mask = array<i32: 0, 1>}
  tt.return
}

// -----

// CHECK: group_axes has 1 twice
tt.func public @axes() {
  tle.distributed_barrier {group_axes = array<i32: 1, 1>, group_kind = "submesh", group_rank = 2 : i32, group_shape = array<i32: 2, 2>}
  tt.return
}

// -----

// CHECK: into space 'node' is not supported
tt.func public @space(%p: !tt.ptr<f32, 3>, %i: i32) {
  %r = "tle.remote_pointers"(%p, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>, space = "node"}> : (!tt.ptr<f32, 3>, i32) -> !tt.ptr<f32, 7>
  tt.return
}

// -----

// CHECK: which do not divide it
tt.func public @tiles(%x: tensor<32xf32>, %i: i32) {
  %tile = tle.extract_tile %x[%i] : tensor<32xf32>, i32 -> tensor<64xf32>
  tt.return
}

// -----

// CHECK: 'tle.pipe.create' is not supported: pipes belong to kernels whose warps are specialised
tt.func public @pipe(%x: tensor<32xf32>) {
  tle.pipe.create %x {capacity = 4 : i32} : tensor<32xf32>
  tt.return
}

// -----

// CHECK: is written in 'cuda'; there are regions of the LLVM dialect alone
tt.func public @language(%p: !tt.ptr<f32>) {
  "tle.dsl_region"(%p) ({
  ^entry(%in: !tt.ptr<f32>):
    tle.yield
  }) {region_dialect = "cuda"} : (!tt.ptr<f32>) -> ()
  tt.return
}

// -----

// CHECK: has 1 results and yields 0
tt.func public @results(%p: !tt.ptr<f32>) {
  %r = "tle.dsl_region"(%p) ({
  ^entry(%in: !tt.ptr<f32>):
    tle.yield
  }) : (!tt.ptr<f32>) -> i32
  tt.return
}
