// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tritonrt-translate --emit --target=backend=cpu --stage=llvm --split-input-file %s 2>&1 | FileCheck %s

// CHECK: refused.mlir:1 offset :6:8: error: the CPU has no registers of type 'vector<2x2xf32>'
func.func @matrix(%x: f32) {
  %v = vector.broadcast %x : f32 to vector<2x2xf32>
  return
}

// -----

// CHECK: error: the CPU has no atomics on 'i1'
func.func @atomic(%x: !mem.ptr<global>, %v: i1) {
  %c0 = arith.constant 0 : i64
  %r = mem.atomic_rmw or, acq_rel, device, %x[%c0], %v : !mem.ptr<global>, i1
  return
}

// -----

// CHECK: error: the CPU backend needs scratch memory with a place
func.func @unplaced() {
  %a = mem.alloc 64 : !mem.ptr<scratch>
  return
}
