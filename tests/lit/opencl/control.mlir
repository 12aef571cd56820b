// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=opencl --stage=opencl %s | FileCheck %s

// CHECK-LABEL: void kernel_control(
func.func @control(%p: !mem.ptr<global> loc("p"), %n: i32 loc("n")) {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // The values that a loop carries change together.
  // CHECK: uint [[A:v[0-9]+]] = 0u;
  // CHECK: uint [[B:v[0-9]+]] = 1u;
  // CHECK: for (uint [[I:i_[0-9]+]] = 0u; (int)[[I]] < (int)n_1; [[I]] += 1u) {
  // CHECK: uint [[NEXT:next_[0-9]+]] = [[A]] + [[B]];
  // CHECK: [[A]] = [[B]];
  // CHECK: [[B]] = [[NEXT]];
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i32, i32) : i32 {
    %s = arith.addi %a, %b : i32
    scf.yield %b, %s : i32, i32
  }
  // CHECK: while (true) {
  // CHECK: if (!([[K:v[0-9]+]] != 0u))
  // CHECK-NEXT: break;
  %w = scf.while (%k = %r#0) : (i32) -> i32 {
    %go = arith.cmpi ne, %k, %zero : i32
    scf.condition(%go) %k : i32
  } do {
  ^bb0(%k: i32):
    %half = arith.shrui %k, %one : i32
    scf.yield %half : i32
  }
  // A program with one work-item meets nobody.
  // CHECK: mem_fence(CLK_GLOBAL_MEM_FENCE);
  // CHECK-NOT: barrier(
  mem.barrier group {global}
  // CHECK: mem_fence({{.*}});
  // CHECK: atomic_add((volatile __global uint *)p_0, {{.*}});
  // CHECK: mem_fence({{.*}});
  %old = mem.atomic_rmw add, acq_rel, device, %p[%c0], %w : !mem.ptr<global>, i32
  return
}

