// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s | tritonrt-opt | FileCheck %s
// RUN: tritonrt-opt %s --mlir-print-op-generic | tritonrt-opt | FileCheck %s
//
// Every op, in the newest spelling, printed as it stands.

// CHECK-LABEL: tt.func private @callee(i32, !tt.ptr<f32>) -> (i32, !tt.ptr<f32>)
tt.func private @callee(i32, !tt.ptr<f32>) -> (i32, !tt.ptr<f32>)

// CHECK-LABEL: tt.func public @programs(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32) attributes {noinline = false}
tt.func public @programs(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
  // CHECK: tt.get_program_id x : i32
  %0 = tt.get_program_id x : i32
  // CHECK: tt.get_num_programs y : i32
  %1 = tt.get_num_programs y : i32
  // CHECK: tt.call @callee(%{{.*}}, %arg0) : (i32, !tt.ptr<f32>) -> (i32, !tt.ptr<f32>)
  %2:2 = tt.call @callee(%n, %p) : (i32, !tt.ptr<f32>) -> (i32, !tt.ptr<f32>)
  // CHECK: tt.grid_dependency_wait
  tt.grid_dependency_wait
  // CHECK: tt.grid_dependency_launch_dependents
  tt.grid_dependency_launch_dependents
  // CHECK: ttg.barrier all
  ttg.barrier all
  // CHECK: tt.return
  tt.return
}

// CHECK-LABEL: tt.func private @results
tt.func private @results(%a: i32, %p: !tt.ptr<f32>) -> (i32, !tt.ptr<f32>) {
  // CHECK: tt.return %arg0, %arg1 : i32, !tt.ptr<f32>
  tt.return %a, %p : i32, !tt.ptr<f32>
}

// CHECK-LABEL: tt.func public @shapes
tt.func public @shapes(%s: f32, %one: tensor<1xf32>, %v: tensor<64xf32>, %r: tensor<1x64xf32>, %t: tensor<8x4xf32>,
                       %pairs: tensor<64x2xf32>, %i: tensor<64xi32>, %m: tensor<64xi1>) {
  // CHECK: tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // CHECK: tt.splat %arg0 : f32 -> tensor<64xf32>
  %1 = tt.splat %s : f32 -> tensor<64xf32>
  // CHECK: tt.splat %arg0 : f32 -> tensor<f32>
  %2 = tt.splat %s : f32 -> tensor<f32>
  // CHECK: tt.unsplat %arg1 : tensor<1xf32>
  %3 = tt.unsplat %one : tensor<1xf32>
  // CHECK: tt.expand_dims %arg2 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  %4 = tt.expand_dims %v {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  // CHECK: tt.broadcast %arg3 : tensor<1x64xf32> -> tensor<8x64xf32>
  %5 = tt.broadcast %r : tensor<1x64xf32> -> tensor<8x64xf32>
  // CHECK: tt.reshape %arg2 allow_reorder efficient_layout : tensor<64xf32> -> tensor<8x8xf32>
  %6 = tt.reshape %v allow_reorder efficient_layout : tensor<64xf32> -> tensor<8x8xf32>
  // CHECK: tt.trans %arg4 {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
  %7 = tt.trans %t {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
  // CHECK: tt.join %arg2, %arg2 : tensor<64xf32> -> tensor<64x2xf32>
  %8 = tt.join %v, %v : tensor<64xf32> -> tensor<64x2xf32>
  // CHECK: tt.split %arg5 : tensor<64x2xf32> -> tensor<64xf32>
  %9, %10 = tt.split %pairs : tensor<64x2xf32> -> tensor<64xf32>
  // CHECK: tt.cat %arg2, %arg2 : tensor<64xf32> -> tensor<128xf32>
  %11 = tt.cat %v, %v : tensor<64xf32> -> tensor<128xf32>
  // CHECK: tt.gather %arg2[%arg6] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  %12 = tt.gather %v[%i] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  // CHECK: tt.histogram %arg6, %arg7 : tensor<64xi32> -> tensor<16xi32>
  %13 = tt.histogram %i, %m : tensor<64xi32> -> tensor<16xi32>
  // CHECK: tt.histogram %arg6 : tensor<64xi32> -> tensor<16xi32>
  %14 = tt.histogram %i : tensor<64xi32> -> tensor<16xi32>
  tt.return
}

// CHECK-LABEL: tt.func public @pointers
tt.func public @pointers(%p: tensor<64x!tt.ptr<f32>>, %s: !tt.ptr<f32>, %i: tensor<64xi64>, %v: tensor<64xf32>,
                         %m: tensor<64xi1>, %c: !tt.ptr<f32, "constant">, %l: !tt.ptr<f32, 3>) {
  // CHECK: tt.addptr %arg0, %arg2 : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
  %0 = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
  // CHECK: tt.int_to_ptr %arg2 : tensor<64xi64> -> tensor<64x!tt.ptr<f32>>
  %1 = tt.int_to_ptr %i : tensor<64xi64> -> tensor<64x!tt.ptr<f32>>
  // CHECK: tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
  %2 = tt.ptr_to_int %s : !tt.ptr<f32> -> i64
  // CHECK: tt.bitcast %arg0 : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<i32>>
  %3 = tt.bitcast %p : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<i32>>
  // CHECK: tt.fp_to_fp %arg3, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
  %4 = tt.fp_to_fp %v, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
  // CHECK: tt.load %arg0, %arg4 {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_last>} : tensor<64x!tt.ptr<f32>>
  %5 = tt.load %p, %m {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_last>} : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.load %arg5 : !tt.ptr<f32, "constant">
  %6 = tt.load %c : !tt.ptr<f32, "constant">
  // CHECK: tt.load %arg6 {isVolatile = true} : !tt.ptr<f32, 3>
  %7 = tt.load %l {isVolatile = true} : !tt.ptr<f32, 3>
  // CHECK: tt.store %arg0, %arg3, %arg4 {ignore_cta} : tensor<64x!tt.ptr<f32>>
  tt.store %p, %v, %m {ignore_cta} : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %arg3, %arg4 : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
  %8 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
  tt.return
}

// CHECK-LABEL: tt.func public @atomics
tt.func public @atomics(%p: !tt.ptr<i32>, %a: i32, %m: i1, %t: i64) {
  // CHECK: tt.atomic_cas acquire, sys, %arg0, %arg1, %arg1 : (!tt.ptr<i32>, i32, i32) -> i32
  %0 = tt.atomic_cas acquire, sys, %p, %a, %a : (!tt.ptr<i32>, i32, i32) -> i32
  // CHECK: tt.atomic_load acquire, gpu, %arg0, %arg2 : (!tt.ptr<i32>, i1) -> i32
  %1 = tt.atomic_load acquire, gpu, %p, %m : (!tt.ptr<i32>, i1) -> i32
  // CHECK: tt.atomic_store release, gpu, %arg0, %arg1 : !tt.ptr<i32>
  tt.atomic_store release, gpu, %p, %a : !tt.ptr<i32>
  // CHECK: tt.atomic_store relaxed, cta, %arg0, %arg1, %arg2 : !tt.ptr<i32>
  tt.atomic_store relaxed, cta, %p, %a, %m : !tt.ptr<i32>
  // CHECK: tt.atomic_poll acquire, gpu, %arg0, %arg1 timeout %arg3 : !tt.ptr<i32>, i32 -> i1
  %2 = tt.atomic_poll acquire, gpu, %p, %a timeout %t : !tt.ptr<i32>, i32 -> i1
  // CHECK: tt.atomic_poll acquire, gpu, %arg0, %arg1 : !tt.ptr<i32>, i32 -> i1
  %3 = tt.atomic_poll acquire, gpu, %p, %a : !tt.ptr<i32>, i32 -> i1
  tt.return
}

// CHECK-LABEL: tt.func public @blocks
tt.func public @blocks(%p: !tt.ptr<f32>, %n: i32, %s: i64, %v: tensor<16x16xf32>, %rows: tensor<32xi32>,
                       %d1: !tt.tensordesc<1x32xf32>, %raw: !tt.ptr<i8>,
                       %signed: !tt.tensordesc<4xsi32>, %unsigned: !tt.tensordesc<tensor<4xui8>>) {
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}] : !tt.tensordesc<4xsi32> -> tensor<4xi32>
  %si = tt.descriptor_load %signed[%n] : !tt.tensordesc<4xsi32> -> tensor<4xi32>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}] : !tt.tensordesc<4xui8> -> tensor<4xi8>
  %ui = tt.descriptor_load %unsigned[%n] : !tt.tensordesc<tensor<4xui8>> -> tensor<4xi8>
  // CHECK: %[[B:.*]] = tt.make_tensor_ptr %arg0, [%arg2, %arg2], [%arg2, %arg2], [%arg1, %arg1] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
  %b = tt.make_tensor_ptr %p, [%s, %s], [%s, %s], [%n, %n] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
  // CHECK: tt.advance %[[B]], [%arg1, %arg1] : <tensor<16x16xf32>>
  %c = tt.advance %b, [%n, %n] : <tensor<16x16xf32>>
  // CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x16xf32>>
  %0 = tt.load %c {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x16xf32>>
  // CHECK: tt.store %{{.*}}, %arg3 {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x16xf32>>
  tt.store %c, %v {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x16xf32>>
  // CHECK: %[[D:.*]] = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] {padding = 2 : i32} : <f32>, <16x16xf32>
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %s] {padding = 2 : i32} : <f32>, <16x16xf32>
  // CHECK: tt.descriptor_load %[[D]][%arg1, %arg1] : !tt.tensordesc<16x16xf32> -> tensor<16x16xf32>
  %1 = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<16x16xf32> -> tensor<16x16xf32>
  // CHECK: tt.descriptor_store %[[D]][%arg1, %arg1], %arg3 : !tt.tensordesc<16x16xf32>, tensor<16x16xf32>
  tt.descriptor_store %d[%n, %n], %v : !tt.tensordesc<16x16xf32>, tensor<16x16xf32>
  // CHECK: tt.descriptor_reduce add, %[[D]][%arg1, %arg1], %arg3 : !tt.tensordesc<16x16xf32>, tensor<16x16xf32>
  tt.descriptor_reduce add, %d[%n, %n], %v : !tt.tensordesc<16x16xf32>, tensor<16x16xf32>
  // CHECK: %[[G:.*]] = tt.descriptor_gather %arg5[%arg4, %arg1] : (!tt.tensordesc<1x32xf32>, tensor<32xi32>, i32) -> tensor<32x32xf32>
  %g = tt.descriptor_gather %d1[%rows, %n] : (!tt.tensordesc<1x32xf32>, tensor<32xi32>, i32) -> tensor<32x32xf32>
  // CHECK: tt.descriptor_scatter %arg5[%arg4, %arg1], %[[G]] : !tt.tensordesc<1x32xf32>, tensor<32xi32>, i32, tensor<32x32xf32>
  tt.descriptor_scatter %d1[%rows, %n], %g : !tt.tensordesc<1x32xf32>, tensor<32xi32>, i32, tensor<32x32xf32>
  // CHECK: tt.experimental_descriptor_load %arg6[%arg1, %arg1] : !tt.ptr<i8> -> tensor<16x16xf32>
  %2 = tt.experimental_descriptor_load %raw[%n, %n] : !tt.ptr<i8> -> tensor<16x16xf32>
  // CHECK: tt.experimental_descriptor_store %arg6[%arg1, %arg1], %arg3 : !tt.ptr<i8>, tensor<16x16xf32>
  tt.experimental_descriptor_store %raw[%n, %n], %v : !tt.ptr<i8>, tensor<16x16xf32>
  tt.return
}

// CHECK-LABEL: tt.func public @arithmetic
tt.func public @arithmetic(%a: tensor<16x16xf32>, %x: tensor<64xf32>, %i: tensor<64xi32>, %e: tensor<128x128xf8E4M3FN>,
                           %s: tensor<128x4xi8>, %c: tensor<128x128xf32>) {
  // CHECK: tt.dot %arg0, %arg0, %arg0, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %0 = tt.dot %a, %a, %a, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK: tt.dot_scaled %arg3 scale %arg4, %arg3 scale %arg4, %arg5 lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<128x128xf8E4M3FN>, tensor<128x4xi8> * tensor<128x128xf8E4M3FN>, tensor<128x4xi8> -> tensor<128x128xf32>
  %1 = tt.dot_scaled %e scale %s, %e scale %s, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<128x128xf8E4M3FN>, tensor<128x4xi8> * tensor<128x128xf8E4M3FN>, tensor<128x4xi8> -> tensor<128x128xf32>
  // CHECK: tt.dot_scaled %arg3, %arg3 scale %arg4, %arg5 lhs = e4m3
  %2 = tt.dot_scaled %e, %e scale %s, %c lhs = e4m3 rhs = e4m3 {fastMath = true} : tensor<128x128xf8E4M3FN> * tensor<128x128xf8E4M3FN>, tensor<128x4xi8> -> tensor<128x128xf32>
  // CHECK: tt.clampf %arg1, %arg1, %arg1, propagateNan = none : tensor<64xf32>
  %3 = tt.clampf %x, %x, %x, propagateNan = none : tensor<64xf32>
  // CHECK: tt.precise_sqrt %arg1 : tensor<64xf32>
  %4 = tt.precise_sqrt %x : tensor<64xf32>
  // CHECK: tt.precise_divf %arg1, %arg1 : tensor<64xf32>
  %5 = tt.precise_divf %x, %x : tensor<64xf32>
  // CHECK: tt.approx_divf %arg1, %arg1 : tensor<64xf32>
  %6 = tt.approx_divf %x, %x : tensor<64xf32>
  // CHECK: tt.mulhiui %arg2, %arg2 : tensor<64xi32>
  %7 = tt.mulhiui %i, %i : tensor<64xi32>
  // CHECK: tt.extern_elementwise %arg1 {libname = "", libpath = "", pure = true, symbol = "__nv_expf"} : (tensor<64xf32>) -> tensor<64xf32>
  %8 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_expf"} : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: tt.elementwise_inline_asm "mov.b32 $0,$1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %arg1 : tensor<64xf32> -> tensor<64xf32>
  %9 = tt.elementwise_inline_asm "mov.b32 $0,$1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : tensor<64xf32> -> tensor<64xf32>
  // CHECK: tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %arg1 : tensor<64xf32>
  tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %x : tensor<64xf32>
  // CHECK: tt.print "here" {hex = true, isSigned = array<i32>}
  tt.print "here" {hex = true, isSigned = array<i32>}
  tt.return
}

// CHECK-LABEL: tt.func public @regions
tt.func public @regions(%v: tensor<64xf32>, %i: tensor<64xi32>, %m: tensor<64xi1>) {
  // CHECK: "tt.reduce"(%arg0, %arg1) <{axis = 0 : i32}> ({
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
  // CHECK-NEXT: tt.reduce.return %{{.*}}, %{{.*}} : f32, i32
  // CHECK-NEXT: }) : (tensor<64xf32>, tensor<64xi32>) -> (f32, i32)
  %0:2 = "tt.reduce"(%v, %i) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
    tt.reduce.return %a, %d : f32, i32
  }) : (tensor<64xf32>, tensor<64xi32>) -> (f32, i32)
  // CHECK: "tt.scan"(%arg0) <{axis = 0 : i32, reverse = true}> ({
  // CHECK: tt.scan.return %{{.*}} : f32
  %1 = "tt.scan"(%v) ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %b : f32
  }) {axis = 0 : i32, reverse = true} : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: "tt.map_elementwise"(%arg0, %arg0) <{pack = 2 : i32}> ({
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
  // CHECK-NEXT: tt.map_elementwise.return %{{.*}}, %{{.*}} : f32, f32
  %2 = "tt.map_elementwise"(%v, %v) <{pack = 2 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.map_elementwise.return %a, %d : f32, f32
  }) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  // CHECK: tt.assert %arg2, "bad \22quoted\22" : tensor<64xi1>
  tt.assert %m, "bad \"quoted\"" : tensor<64xi1>
  tt.return
}
