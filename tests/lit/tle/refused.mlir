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

// -----

// CHECK: needs a local buffer of numbers with a static shape, not 'f32'
tt.func public @no_buffer(%x: f32) {
  %p = "tle.local_pointers"(%x) : (f32) -> !tt.ptr<f32>
  tt.return
}

// -----

// CHECK: gives 'tensor<8x16x!tt.ptr<f32>>', expected pointers to 'f16'
tt.func public @pointee() {
  %a = dsa.alloc [8, 16] : memref<8x16xf16>
  %p = "dsa.local_pointers"(%a) : (memref<8x16xf16>) -> tensor<8x16x!tt.ptr<f32>>
  tt.return
}

// -----

// CHECK: has an index of type 'f32', expected integers in the shape of '!tt.ptr<f16>'
tt.func public @index(%x: f32) {
  %a = dsa.alloc [8] : memref<8xf16>
  %p = "dsa.local_pointers"(%a, %x) : (memref<8xf16>, f32) -> !tt.ptr<f16>
  tt.return
}

// -----

// CHECK: has a shard id of type 'f32', expected an integer
tt.func public @shard(%p: !tt.ptr<f32, 3>, %x: f32) {
  %r = "tle.remote_pointers"(%p, %x) : (!tt.ptr<f32, 3>, f32) -> !tt.ptr<f32, 7>
  tt.return
}

// -----

// CHECK: makes '!tt.ptr<f16, 7>' of '!tt.ptr<f32, 3>', expected pointers of one shape to the same elements
tt.func public @remote(%p: !tt.ptr<f32, 3>, %i: i32) {
  %r = "tle.remote_pointers"(%p, %i) : (!tt.ptr<f32, 3>, i32) -> !tt.ptr<f16, 7>
  tt.return
}

// -----

// CHECK: has operandSegmentSizes 1, 5, 0 and 2 operands, expected 3 or 4 counts of 0 or 1 that add up to them
tt.func public @segments(%p: !tt.ptr<f32, 3>, %i: i32) {
  %r = "tle.remote_pointers"(%p, %i) <{operandSegmentSizes = array<i32: 1, 5, 0>}> : (!tt.ptr<f32, 3>, i32) -> !tt.ptr<f32, 7>
  tt.return
}

// -----

// CHECK: has no shard id; the number of a program of the mesh expected
tt.func public @no_shard(%p: !tt.ptr<f32, 3>, %i: i32) {
  %r = "tle.remote_pointers"(%p, %i) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!tt.ptr<f32, 3>, i32) -> !tt.ptr<f32, 7>
  tt.return
}

// -----

// CHECK: without source pointers is not supported: they are memory of no mesh
tt.func public @no_source(%p: !tt.ptr<f32, 3>, %i: i32) {
  %r = "tle.remote_pointers"(%p, %i) <{operandSegmentSizes = array<i32: 0, 1, 1>}> : (!tt.ptr<f32, 3>, i32) -> !tt.ptr<f32, 7>
  tt.return
}

// -----

// CHECK: with an offset is not supported: it belongs to memory of a device
tt.func public @offset(%p: !tt.ptr<f32, 3>, %i: i32) {
  %r = "tle.remote_pointers"(%p, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!tt.ptr<f32, 3>, i32, i32) -> !tt.ptr<f32, 7>
  tt.return
}

// -----

// CHECK: has 1 operands, expected a source and a shard id
tt.func public @operands(%p: !tt.ptr<f32, 3>) {
  %r = "tle.remote_pointers"(%p) : (!tt.ptr<f32, 3>) -> !tt.ptr<f32, 7>
  tt.return
}

// -----

// CHECK: has no body; a block that ends in tle.yield expected
tt.func public @no_body(%p: !tt.ptr<f32>) {
  "tle.dsl_region"(%p) ({}) : (!tt.ptr<f32>) -> ()
  tt.return
}

// -----

// CHECK: has a body that takes ('f32'), expected its operands' types ('!tt.ptr<f32>')
tt.func public @body(%p: !tt.ptr<f32>) {
  "tle.dsl_region"(%p) ({
  ^entry(%in: f32):
    tle.yield
  }) : (!tt.ptr<f32>) -> ()
  tt.return
}

// -----

// CHECK: has a body that nowhere ends in tle.yield
tt.func public @no_yield(%p: !tt.ptr<f32>) {
  "tle.dsl_region"(%p) ({
  ^entry(%in: !tt.ptr<f32>):
    llvm.unreachable
  }) : (!tt.ptr<f32>) -> ()
  tt.return
}

// -----

// CHECK: needs a tensor and a tile of its rank and elements, not 'tensor<32xf32>' and 'tensor<8xf16>'
tt.func public @tile(%x: tensor<32xf32>, %i: i32) {
  %tile = tle.extract_tile %x[%i] : tensor<32xf32>, i32 -> tensor<8xf16>
  tt.return
}

// -----

// CHECK: has an index of type 'f32', expected an integer
tt.func public @tile_index(%x: tensor<32xf32>, %i: f32) {
  %tile = tle.extract_tile %x[%i] : tensor<32xf32>, f32 -> tensor<8xf32>
  tt.return
}

// -----

// CHECK: has tile_shape 16 and a tile of 8, expected the same
tt.func public @tile_shape(%x: tensor<32xf32>, %i: i32) {
  %tile = tle.extract_tile %x[%i] {tile_shape = array<i64: 16>} : tensor<32xf32>, i32 -> tensor<8xf32>
  tt.return
}

// -----

// CHECK: gives 'tensor<16xf32>', expected the source's type 'tensor<32xf32>'
tt.func public @inserted(%x: tensor<32xf32>, %y: tensor<8xf32>, %i: i32) {
  %with = "tle.insert_tile"(%x, %y, %i) : (tensor<32xf32>, tensor<8xf32>, i32) -> tensor<16xf32>
  tt.return
}

// -----

// CHECK: sums numbers along axis 0 of a tensor of one dimension to the same type and a scalar, got axis 1 of 'tensor<32xf32>', and 'tensor<32xf32>' and 'f32'
tt.func public @cumsum(%x: tensor<32xf32>) {
  %sum, %total = tle.exclusive_cumsum %x {axis = 1 : i32, reverse = true} : tensor<32xf32> -> tensor<32xf32>, f32
  tt.return
}

// -----

// CHECK: group_shape has a size of 0, expected 1 or more
tt.func public @size() {
  tle.distributed_barrier {group_axes = array<i32: 1>, group_kind = "submesh", group_rank = 1 : i32, group_shape = array<i32: 0>}
  tt.return
}

// -----

// CHECK: of kind submesh needs group_rank, group_shape and group_axes
tt.func public @axes_missing() {
  tle.distributed_barrier {group_kind = "submesh"}
  tt.return
}

// -----

// CHECK: has group_rank 2, but 1 sizes and 1 axes, expected as many
tt.func public @rank() {
  tle.distributed_barrier {group_axes = array<i32: 1>, group_kind = "submesh", group_rank = 2 : i32, group_shape = array<i32: 2>}
  tt.return
}

// -----

// CHECK: of kind grid_axis needs group_domain_shape
tt.func public @domain_missing() {
  tle.distributed_barrier {group_axes = array<i32: 0>, group_kind = "grid_axis", group_rank = 1 : i32, group_shape = array<i32: 2>}
  tt.return
}

// -----

// CHECK: axis 3 is outside of a domain of 1 dimensions
tt.func public @domain() {
  tle.distributed_barrier {group_axes = array<i32: 3>, group_domain_shape = array<i32: 4>, group_kind = "grid_axis", group_rank = 1 : i32, group_shape = array<i32: 2>}
  tt.return
}

// -----

// CHECK: groups of 3 do not divide the axis of 4 programs
tt.func public @divide() {
  tle.distributed_barrier {group_axes = array<i32: 0>, group_domain_shape = array<i32: 4>, group_kind = "grid_axis", group_rank = 1 : i32, group_shape = array<i32: 3>}
  tt.return
}

// -----

// CHECK: needs a buffer and a tensor of its shape and elements, not 'memref<8xf16>' and 'tensor<4xf16>'
tt.func public @whole_tensor() {
  %a = dsa.alloc [8] : memref<8xf16>
  %t = dsa.to_tensor %a : memref<8xf16> -> tensor<4xf16>
  tt.return
}

// -----

// CHECK: needs buffers of one static shape and element type, not 'memref<8xf16>' and 'memref<4xf16>'
tt.func public @buffers() {
  %a = dsa.alloc [8] : memref<8xf16>
  %b = dsa.alloc [4] : memref<4xf16>
  dsa.copy %a, %b : memref<8xf16>, memref<4xf16>
  tt.return
}

// -----

// CHECK: computes on floats, not on 'i32'
tt.func public @floats() {
  %a = dsa.alloc [8] : memref<8xi32>
  "dsa.add"(%a, %a, %a) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  tt.return
}

// -----

// CHECK: of [8] gives 'memref<4xf16>', expected a buffer of that shape
tt.func public @alloc() {
  %a = dsa.alloc [8] : memref<4xf16>
  tt.return
}

// -----

// CHECK: has the program number -1, expected 0 or more
tt.func public @ids(%p: !tt.ptr<f16>, %i: i32) {
  %r = "dsa.remote_pointers"(%p, %i) {mesh_physical_ids = array<i32: 0, -1>, mesh_shape = array<i32: 2>} : (!tt.ptr<f16>, i32) -> !tt.ptr<f16>
  tt.return
}

// -----

// CHECK: sums along the last dimension of a tensor of numbers, got axis 0 of 'tensor<8x16xf16>'
tt.func public @sum_axis(%x: tensor<8x16xf16>) {
  %sum, %total = "dsa.cumsum"(%x) {axis = 0 : i32, pad = 32 : i64, reverse = false, shape = array<i64: 8, 16>} : (tensor<8x16xf16>) -> (tensor<8x16xf16>, tensor<8xf16>)
  tt.return
}

// -----

// CHECK: gives 'tensor<8x16xf16>' and 'f16', expected 'tensor<8x16xf16>' and 'tensor<8xf16>'
tt.func public @sum_total(%x: tensor<8x16xf16>) {
  %sum, %total = "dsa.cumsum"(%x) {axis = 1 : i32, pad = 32 : i64, reverse = false, shape = array<i64: 8, 16>} : (tensor<8x16xf16>) -> (tensor<8x16xf16>, f16)
  tt.return
}

// -----

// CHECK: needs tensors of numbers of whole bytes, of equal size, not 'tensor<8xf16>' and 'tensor<8xf32>'
tt.func public @bits(%x: tensor<8xf16>) {
  %0 = dsa.bitcast %x : tensor<8xf16> -> tensor<8xf32>
  tt.return
}

// -----

// CHECK: needs a tensor and a slice of its rank and elements, of the sizes [4], not 'tensor<8xf16>' and 'tensor<?xf16>'
tt.func public @slice(%x: tensor<8xf16>) {
  %0 = "dsa.extract_slice"(%x) <{sizes = array<i64: 4>, static_offsets = array<i64: 0>, strides = array<i64: 1>}> : (tensor<8xf16>) -> tensor<?xf16>
  tt.return
}

// -----

// CHECK: needs a tensor and a slice of its rank and elements
tt.func public @unknown_size(%x: tensor<8xf16>) {
  %0 = "dsa.extract_slice"(%x) <{sizes = array<i64: -9223372036854775808>, static_offsets = array<i64: 0>, strides = array<i64: 1>}> : (tensor<8xf16>) -> tensor<?xf16>
  tt.return
}

// -----

// CHECK: has 2 offsets and 1 strides for 1 dimensions, expected one of each for a dimension
tt.func public @offsets(%x: tensor<8xf16>) {
  %0 = "dsa.extract_slice"(%x) <{sizes = array<i64: 4>, static_offsets = array<i64: 0, 0>, strides = array<i64: 1>}> : (tensor<8xf16>) -> tensor<4xf16>
  tt.return
}

// -----

// CHECK: has 0 operands for 1 offsets that are not static, expected one for each
tt.func public @dynamic(%x: tensor<8xf16>) {
  %0 = "dsa.extract_slice"(%x) <{sizes = array<i64: 4>, static_offsets = array<i64: -9223372036854775808>, strides = array<i64: 1>}> : (tensor<8xf16>) -> tensor<4xf16>
  tt.return
}

// -----

// CHECK: takes 4 elements from 6 with stride 1, which leaves a dimension of 8 elements
tt.func public @leaves(%x: tensor<8xf16>) {
  %0 = "dsa.extract_slice"(%x) <{sizes = array<i64: 4>, static_offsets = array<i64: 6>, strides = array<i64: 1>}> : (tensor<8xf16>) -> tensor<4xf16>
  tt.return
}

// -----

// CHECK: gives 'tensor<4xf16>', expected the source's type 'tensor<8xf16>'
tt.func public @insert(%x: tensor<8xf16>, %y: tensor<4xf16>) {
  %0 = "dsa.insert_slice"(%x, %y) <{sizes = array<i64: 4>, static_offsets = array<i64: 0>, strides = array<i64: 1>}> : (tensor<8xf16>, tensor<4xf16>) -> tensor<4xf16>
  tt.return
}

// -----

#smem = #ttg.shared_memory
// CHECK: needs a tensor of the shape and elements of
tt.func public @stored(%x: tensor<16xf32>) {
  %buf = ttg.local_alloc : () -> !ttg.memdesc<32xf32, #smem, #smem, mutable>
  ttg.local_store %x, %buf : tensor<16xf32> -> !ttg.memdesc<32xf32, #smem, #smem, mutable>
  tt.return
}

// -----

#smem = #ttg.shared_memory
// CHECK: expected the shape [16, 32] and its elements
tt.func public @indexed(%i: i32) {
  %buf = ttg.local_alloc : () -> !ttg.memdesc<2x16x32xf16, #smem, #smem, mutable>
  %one = ttg.memdesc_index %buf[%i] : !ttg.memdesc<2x16x32xf16, #smem, #smem, mutable> -> !ttg.memdesc<16x16xf16, #smem, #smem, mutable>
  tt.return
}

// -----

#smem = #ttg.shared_memory
// CHECK: has 1 offsets for
tt.func public @few_offsets() {
  %buf = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #smem, #smem, mutable>
  %part = ttg.memdesc_subslice %buf [0] : !ttg.memdesc<16x32xf16, #smem, #smem, mutable> -> !ttg.memdesc<16x16xf16, #smem, #smem, mutable>
  tt.return
}

// -----

#smem = #ttg.shared_memory
// CHECK: takes 16 elements from 20, which leaves a dimension of 32 elements
tt.func public @beyond() {
  %buf = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #smem, #smem, mutable>
  %part = ttg.memdesc_subslice %buf [0, 20] : !ttg.memdesc<16x32xf16, #smem, #smem, mutable> -> !ttg.memdesc<16x16xf16, #smem, #smem, mutable>
  tt.return
}

// -----

#smem = #ttg.shared_memory
// CHECK: takes 64 elements, which leaves a dimension of 32 elements
tt.func public @larger(%i: i32) {
  %buf = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #smem, #smem, mutable>
  %part = ttg.memdesc_subview %buf[%i, %i] : !ttg.memdesc<16x32xf16, #smem, #smem, mutable> -> !ttg.memdesc<16x64xf16, #smem, #smem, mutable>
  tt.return
}

// -----

#smem = #ttg.shared_memory
// CHECK: has the order [1, 1], which is no permutation of the dimensions of
tt.func public @turned() {
  %buf = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #smem, #smem, mutable>
  %part = ttg.memdesc_trans %buf {order = array<i32: 1, 1>} : !ttg.memdesc<16x32xf16, #smem, #smem, mutable> -> !ttg.memdesc<32x16xf16, #smem, #smem, mutable>
  tt.return
}

// -----

#smem = #ttg.shared_memory
// CHECK: needs a tensor of pointers to the elements of
tt.func public @copied(%p: tensor<16x!tt.ptr<f32>>) {
  %buf = ttg.local_alloc : () -> !ttg.memdesc<16xf16, #smem, #smem, mutable>
  %begun = ttg.async_copy_global_to_local %p, %buf : tensor<16x!tt.ptr<f32>> -> !ttg.memdesc<16xf16, #smem, #smem, mutable>
  tt.return
}
