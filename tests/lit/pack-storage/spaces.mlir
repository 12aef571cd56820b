// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt --pack-storage %s | FileCheck %s

// Local memory is another block; what nobody uses takes no place.
// CHECK-LABEL: func.func @spaces
// CHECK-SAME: tritonrt.local_bytes = 64
// CHECK-SAME: tritonrt.scratch_bytes = 64
// CHECK-NOT: mem.alloc 4096
func.func @spaces(%v: f32) {
  %c0 = arith.constant 0 : i64
  %unused = mem.alloc 4096 : !mem.ptr<scratch>
  %a = mem.alloc 64 : !mem.ptr<scratch>
  %b = mem.alloc 64 : !mem.ptr<local>
  mem.store %v, %a[%c0] : f32, !mem.ptr<scratch>
  mem.store %v, %b[%c0] : f32, !mem.ptr<local>
  return
}
