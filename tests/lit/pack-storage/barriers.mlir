// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt "--pack-storage=local-bytes=131072 mesh-local-bytes=131072 unit-items=2048" %s | FileCheck %s
// RUN: tritonrt-opt "--pack-storage=local-bytes=65536 mesh-local-bytes=65536 unit-items=2048" %s | FileCheck %s --check-prefix=FEW
// RUN: tritonrt-opt "--pack-storage=local-bytes=4096 mesh-local-bytes=4096" %s | FileCheck %s --check-prefix=FULL

// Without sharing, the point between the load of %a and the store to %b need not be a barrier. They
// share where fewer programs would run at a time, or none.
// CHECK-LABEL: func.func @one_after_the_other
// CHECK-SAME: tritonrt.local_bytes = 8192
// FEW-LABEL: func.func @one_after_the_other
// FEW-SAME: tritonrt.local_bytes = 4096
// FULL-LABEL: func.func @one_after_the_other
// FULL-SAME: tritonrt.local_bytes = 4096
func.func @one_after_the_other(%x: f32, %i: i64) attributes {tritonrt.work_items = 128 : i64} {
  %a = mem.alloc 4096 : <local>
  %b = mem.alloc 4096 : <local>
  mem.sync_point []
  mem.store %x, %a[%i] : f32, <local>
  mem.sync_point []
  %y = mem.load %a[%i] : <local> -> f32
  mem.sync_point []
  mem.store %y, %b[%i] : f32, <local>
  mem.sync_point []
  %z = mem.load %b[%i] : <local> -> f32
  return
}

// The barrier for %c stands between them in any case.
// CHECK-LABEL: func.func @with_a_barrier_between
// CHECK-SAME: tritonrt.local_bytes = 4160
// CHECK: mem.alloc 4096 {offset = 0 : i64}
// CHECK: mem.alloc 4096 {offset = 0 : i64}
// CHECK: mem.alloc 64 {offset = 4096 : i64}
func.func @with_a_barrier_between(%x: f32, %i: i64) attributes {tritonrt.work_items = 128 : i64} {
  %a = mem.alloc 4096 : <local>
  %b = mem.alloc 4096 : <local>
  %c = mem.alloc 64 : <local>
  mem.sync_point []
  mem.store %x, %a[%i] : f32, <local>
  mem.sync_point []
  %y = mem.load %a[%i] : <local> -> f32
  mem.store %y, %c[%i] : f32, <local>
  mem.sync_point []
  %z = mem.load %c[%i] : <local> -> f32
  mem.store %z, %b[%i] : f32, <local>
  mem.sync_point []
  %w = mem.load %b[%i] : <local> -> f32
  return
}
