// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=opencl,fp64=1,type=gpu --stage=opencl %s | FileCheck %s

// Nothing overflows, divides by zero or shifts too far.
// CHECK: static inline int divisor_int(int n, int d)
// CHECK: static inline uint4 divisor_uint4(uint4 d)
// CHECK-LABEL: void kernel_arith(
func.func @arith(%p: !mem.ptr<global> loc("p"), %a: i32 loc("a"), %b: i32 loc("b"), %s: i16 loc("s")) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  // CHECK: [0ul] = (uint)((int)a_1 / divisor_int((int)a_1, (int)b_2));
  %q = arith.divsi %a, %b : i32
  mem.store %q, %p[%c0] : i32, !mem.ptr<global>
  // CHECK: [1ul] = (b_2 < (uint)(32)) ? (a_1 << b_2) : (uint)(0);
  %sh = arith.shli %a, %b : i32
  mem.store %sh, %p[%c1] : i32, !mem.ptr<global>
  // A product of two shorts in int could overflow.
  // CHECK: [2ul] = (ushort)((uint)s_3 * (uint)s_3);
  %sq = arith.muli %s, %s : i16
  mem.store %sq, %p[%c2] : i16, !mem.ptr<global>
  // CHECK: uint4 [[V:v[0-9]+]] = *(__global uint4_a16 *)(p_0 + 4ul * 4);
  %v = mem.load %p[%c4] {align = 16 : i64} : !mem.ptr<global> -> vector<4xi32>
  // CHECK: = [[V]] / divisor_uint4([[V]]);
  %w = arith.divui %v, %v : vector<4xi32>
  mem.store %w, %p[%c4] : vector<4xi32>, !mem.ptr<global>
  return
}
// CHECK-LABEL: }

