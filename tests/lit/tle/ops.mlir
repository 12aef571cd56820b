// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s | tritonrt-opt | FileCheck %s
// RUN: tritonrt-opt %s --mlir-print-op-generic | tritonrt-opt | FileCheck %s
//
// The ops of both flavours, quoted and pretty, with each of their operand lists.

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory

// CHECK-LABEL: tt.func public @gpu
tt.func public @gpu(%i: i32, %x: tensor<32xf32>, %at: tensor<32xi32>) {
  // CHECK: ttg.local_alloc : () -> !ttg.memdesc<32xf32, #{{.*}}, #{{.*}}, mutable>
  %buf = ttg.local_alloc : () -> !ttg.memdesc<32xf32, #shared, #smem, mutable>
  // CHECK: ttg.local_alloc %arg1 : (tensor<32xf32>) -> !ttg.memdesc
  %filled = ttg.local_alloc %x : (tensor<32xf32>) -> !ttg.memdesc<32xf32, #shared, #smem>
  // CHECK: ttg.local_store %arg1, %{{.*}} : tensor<32xf32> -> !ttg.memdesc
  ttg.local_store %x, %buf : tensor<32xf32> -> !ttg.memdesc<32xf32, #shared, #smem, mutable>
  // CHECK: ttg.local_load %{{.*}} : !ttg.memdesc{{.*}} -> tensor<32xf32>
  %loaded = ttg.local_load %buf : !ttg.memdesc<32xf32, #shared, #smem, mutable> -> tensor<32xf32>
  // CHECK: "tle.local_pointers"(%{{.*}}, %arg2) {tle.barrier_group = 0 : i64}
  %p = "tle.local_pointers"(%buf, %at) {tle.barrier_group = 0 : i64} : (!ttg.memdesc<32xf32, #shared, #smem, mutable>, tensor<32xi32>) -> tensor<32x!tt.ptr<f32, 3>>
  // CHECK: "tle.local_pointers"(%{{.*}}) : (!ttg.memdesc{{.*}}) -> tensor<32x!tt.ptr<f32, 3>>
  %all = "tle.local_pointers"(%buf) : (!ttg.memdesc<32xf32, #shared, #smem, mutable>) -> tensor<32x!tt.ptr<f32, 3>>
  // CHECK: "tle.local_pointers"(%{{.*}}, %arg0) : {{.*}} -> !tt.ptr<f32, 3>
  %one = "tle.local_pointers"(%buf, %i) : (!ttg.memdesc<32xf32, #shared, #smem, mutable>, i32) -> !tt.ptr<f32, 3>
  // CHECK: "tle.remote_pointers"(%{{.*}}, %arg0) : (tensor<32x!tt.ptr<f32, 3>>, i32) -> tensor<32x!tt.ptr<f32, 7>>
  %r1 = "tle.remote_pointers"(%p, %i) : (tensor<32x!tt.ptr<f32, 3>>, i32) -> tensor<32x!tt.ptr<f32, 7>>
  // CHECK: "tle.remote_pointers"(%{{.*}}, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 0>, space = "cluster"}>
  %r2 = "tle.remote_pointers"(%p, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>, space = "cluster"}> : (tensor<32x!tt.ptr<f32, 3>>, i32) -> tensor<32x!tt.ptr<f32, 7>>
  // CHECK: "tle.remote_pointers"(%{{.*}}, %arg0) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, space = "cluster"}>
  %r3 = "tle.remote_pointers"(%p, %i) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, space = "cluster"}> : (tensor<32x!tt.ptr<f32, 3>>, i32) -> tensor<32x!tt.ptr<f32, 7>>
  // CHECK: tle.distributed_barrier{{$}}
  tle.distributed_barrier
  // CHECK: tle.distributed_barrier {group_kind = "grid"}
  "tle.distributed_barrier"() <{group_kind = "grid"}> : () -> ()
  // CHECK: tle.extract_tile %arg1[%arg0] {tile_shape = array<i64: 8>} : tensor<32xf32>, i32 -> tensor<8xf32>
  %tile = tle.extract_tile %x[%i] {tile_shape = array<i64: 8>} : tensor<32xf32>, i32 -> tensor<8xf32>
  // CHECK: tle.insert_tile %arg1[%arg0] = %{{.*}} : tensor<32xf32>, i32, tensor<8xf32> -> tensor<32xf32>
  %with = "tle.insert_tile"(%x, %tile, %i) : (tensor<32xf32>, tensor<8xf32>, i32) -> tensor<32xf32>
  // CHECK: tle.exclusive_cumsum %arg1 {{.*}}: tensor<32xf32> -> tensor<32xf32>, f32
  %sum, %total = tle.exclusive_cumsum %x {axis = 0 : i32, reverse = true} : tensor<32xf32> -> tensor<32xf32>, f32
  // Another vendor's copy of the ops.
  // CHECK: tle.extract_tile %arg1[%arg0]
  %other = musa_tle.extract_tile %x[%i] {tile_shape = array<i64: 8>} : tensor<32xf32>, i32 -> tensor<8xf32>
  // CHECK: tle.distributed_barrier
  iluvatar_tle.distributed_barrier
  tt.return
}

// CHECK-LABEL: tt.func public @views
tt.func public @views(%i: i32, %from: tensor<16x32x!tt.ptr<f16>>, %mask: tensor<16x32xi1>, %other: tensor<16x32xf16>) {
  %buf = ttg.local_alloc : () -> !ttg.memdesc<2x16x32xf16, #shared, #smem, mutable>
  // CHECK: ttg.memdesc_index %{{.*}}[%arg0]
  %one = ttg.memdesc_index %buf[%i] : !ttg.memdesc<2x16x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 2x16x32>
  // CHECK: ttg.memdesc_subslice %{{.*}} [0, 16]
  %part = ttg.memdesc_subslice %one [0, 16] : !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 2x16x32> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable, 2x16x32>
  // CHECK: ttg.memdesc_trans %{{.*}} {order = array<i32: 1, 0>}
  %turned = ttg.memdesc_trans %one {order = array<i32: 1, 0>} : !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 2x16x32> -> !ttg.memdesc<32x16xf16, #shared, #smem, mutable>
  // CHECK: ttg.memdesc_subview %{{.*}}[%arg0, %{{.*}}, %{{.*}}]
  %zero = arith.constant 0 : i32
  %row = ttg.memdesc_subview %buf[%i, %zero, %zero] : !ttg.memdesc<2x16x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 2x16x32>
  // CHECK: ttg.async_copy_global_to_local %arg1, %{{.*}} mask %arg2 other %arg3 : tensor<16x32x!tt.ptr<f16>> -> !ttg.memdesc
  %begun = ttg.async_copy_global_to_local %from, %row mask %mask other %other : tensor<16x32x!tt.ptr<f16>> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 2x16x32>
  // CHECK: ttg.async_copy_global_to_local %arg1, %{{.*}} : tensor<16x32x!tt.ptr<f16>> -> !ttg.memdesc
  %all = ttg.async_copy_global_to_local %from, %row : tensor<16x32x!tt.ptr<f16>> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 2x16x32>
  // CHECK: ttg.async_commit_group tokens %
  %group = ttg.async_commit_group tokens %begun
  // CHECK: ttg.async_wait %{{.*}} {num = 0 : i32}
  %here = ttg.async_wait %group {num = 0 : i32}
  // CHECK: ttg.local_load %{{.*}} token %
  %loaded = ttg.local_load %row token %here : !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 2x16x32> -> tensor<16x32xf16>
  // CHECK: ttg.local_dealloc
  ttg.local_dealloc %buf : !ttg.memdesc<2x16x32xf16, #shared, #smem, mutable>
  tt.return
}

// CHECK-LABEL: tt.func public @chip
tt.func public @chip(%i: i32, %at: tensor<8x16xi32>, %x: tensor<8x16xf16>) {
  // CHECK: dsa.alloc [8, 16] : memref<8x16xf16>
  %a = dsa.alloc [8, 16] : memref<8x16xf16>
  // CHECK: dsa.alloc [8, 16] : memref<8x16xf16>
  %b = "dsa.alloc"() <{shape = array<i64: 8, 16>}> : () -> memref<8x16xf16>
  // CHECK: "dsa.local_pointers"
  %p = "dsa.local_pointers"(%a, %at, %at) : (memref<8x16xf16>, tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16x!tt.ptr<f16>>
  // CHECK: "dsa.remote_pointers"(%{{.*}}, %arg0) <{mesh_physical_ids = array<i32: 0, 1>, mesh_shape = array<i32: 2>}>
  %r = "dsa.remote_pointers"(%p, %i) {mesh_physical_ids = array<i32: 0, 1>, mesh_shape = array<i32: 2>} : (tensor<8x16x!tt.ptr<f16>>, i32) -> tensor<8x16x!tt.ptr<f16>>
  // CHECK: dsa.distributed_barrier {group_axes = array<i32: 0>, group_kind = "submesh", group_mask = array<i32: 0, 1>, group_rank = 1 : i32, group_shape = array<i32: 2>}
  dsa.distributed_barrier {group_axes = array<i32: 0>, group_kind = "submesh", group_mask = array<i32: 0, 1>, group_rank = 1 : i32, group_shape = array<i32: 2>}
  // CHECK: dsa.copy %{{.*}}, %{{.*}} : memref<8x16xf16>, memref<8x16xf16>
  dsa.copy %a, %b : memref<8x16xf16>, memref<8x16xf16>
  // CHECK: dsa.mul %{{.*}}, %{{.*}}, %{{.*}} : memref<8x16xf16>, memref<8x16xf16>, memref<8x16xf16>
  "dsa.mul"(%a, %b, %a) : (memref<8x16xf16>, memref<8x16xf16>, memref<8x16xf16>) -> ()
  // CHECK: dsa.to_tensor %{{.*}} {writable = true} : memref<8x16xf16> -> tensor<8x16xf16>
  %t = dsa.to_tensor %a {writable = true} : memref<8x16xf16> -> tensor<8x16xf16>
  // CHECK: dsa.to_buffer %arg2, %{{.*}} : tensor<8x16xf16>, memref<8x16xf16>
  dsa.to_buffer %x, %b : tensor<8x16xf16>, memref<8x16xf16>
  // CHECK: dsa.bitcast %arg2 : tensor<8x16xf16> -> tensor<8x8xi32>
  %bits = dsa.bitcast %x : tensor<8x16xf16> -> tensor<8x8xi32>
  // CHECK: "dsa.cumsum"
  %sum, %total = "dsa.cumsum"(%x) {axis = 1 : i32, pad = 32 : i64, reverse = false, shape = array<i64: 8, 16>} : (tensor<8x16xf16>) -> (tensor<8x16xf16>, tensor<8xf16>)
  // CHECK: "dsa.extract_slice"(%arg2, %arg0)
  %slice = "dsa.extract_slice"(%x, %i) <{sizes = array<i64: 4, 8>, static_offsets = array<i64: -9223372036854775808, 0>, strides = array<i64: 2, 1>}> : (tensor<8x16xf16>, i32) -> tensor<4x8xf16>
  // CHECK: "dsa.insert_slice"
  %back = "dsa.insert_slice"(%x, %slice) {sizes = array<i64: 4, 8>, static_offsets = array<i64: 0, 8>, strides = array<i64: 1, 1>} : (tensor<8x16xf16>, tensor<4x8xf16>) -> tensor<8x16xf16>
  tt.return
}
