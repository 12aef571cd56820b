// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(split-at-barriers))' | FileCheck %s
// RUN: tritonrt-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(split-at-barriers{chained}))' | FileCheck %s --check-prefix=CHAIN

// A barrier in a loop: what the loop carries, and what is used on both sides of the barrier, is
// kept behind the 16 words of the program's place.
// CHECK-LABEL: func.func @ring
// CHECK-SAME: tritonrt.mesh_bytes = 4172
// CHECK: %[[START:.*]] = mem.phase 4096
// CHECK: scf.while (%{{.*}} = %[[START]])
// CHECK: scf.index_switch
// Before the loop.
// CHECK: case 0 {
// CHECK: mem.load %arg0
// CHECK: scf.yield %c1_i32
// Its head.
// CHECK: case 1 {
// CHECK: arith.cmpi slt, %{{.*}}, %arg1
// CHECK: arith.select
// Up to the barrier.
// CHECK: case 2 {
// CHECK: mem.suspend [0], 1, "barrier", 4
// CHECK-NEXT: %[[LEAVE:.*]] = arith.constant -1
// CHECK-NEXT: scf.yield %[[LEAVE]]
// Behind the loop.
// CHECK: case 3 {
// CHECK: mem.end
// Behind the barrier.
// CHECK: case 4 {
// CHECK: arith.addf
// CHECK: scf.yield %c1_i32
// CHECK-NOT: mem.mesh_barrier
func.func @ring(%arg0: !mem.ptr<global>, %n: i32) attributes {tritonrt.mesh_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %m = mem.mesh_memory : <global>
  %first = mem.load %arg0[%z] : <global> -> f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> (f32) : i32 {
    %v = mem.load %m[%z] : <global> -> f32
    mem.mesh_barrier [0], 1, "barrier"
    %w = arith.addf %v, %a : f32
    scf.yield %w : f32
  }
  mem.store %r, %arg0[%z] : f32, <global>
  return
}

// -----

// Several work-items a program: registers and local memory are copied where the kernel leaves and
// comes back.
// CHAIN-LABEL: func.func @items
// CHAIN: scf.while (%[[AT:.*]] = %{{.*}})
// CHAIN: %[[FIRST:.*]] = arith.cmpi eq, %[[AT]], %c0_i32
// CHAIN: scf.if %[[FIRST]]
// CHAIN: mem.suspend
// CHAIN: } else {
// CHAIN-NEXT: scf.yield %[[AT]]
// CHAIN: arith.cmpi eq, %{{.*}}, %c1_i32
// CHAIN: scf.condition
// CHECK-LABEL: func.func @items
// CHECK: %[[START:.*]] = mem.phase 64
// CHECK: arith.cmpi sgt, %[[START]]
// CHECK: scf.if
// CHECK: mem.barrier group
// CHECK: scf.while
// CHECK: mem.suspend
// CHECK: arith.cmpi sge, %[[START]]
// CHECK: scf.if
// CHECK: mem.barrier group
// CHECK: scf.for
func.func @items(%arg0: !mem.ptr<global>) attributes {tritonrt.mesh_bytes = 64 : i64, tritonrt.work_items = 32 : i64} {
  %own = mem.alloc 32 {offset = 0 : i64, own} : <scratch>
  %shared = mem.alloc 256 {offset = 0 : i64} : <local>
  %z = arith.constant 0 : i64
  %x = mem.load %arg0[%z] : <global> -> f32
  mem.store %x, %own[%z] : f32, <scratch>
  mem.store %x, %shared[%z] : f32, <local>
  mem.mesh_barrier [0], 1, "barrier"
  %y = mem.load %own[%z] : <scratch> -> f32
  %w = mem.load %shared[%z] : <local> -> f32
  %sum = arith.addf %y, %w : f32
  mem.store %sum, %arg0[%z] : f32, <global>
  return
}
