// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=cpu,cpu=x86-64-v4 --special=disjoint=1 --stage=asm --split-input-file %s | FileCheck %s

// One lane of a value that was truncated: two bytes are written, not the four that it had.
// CHECK-LABEL: programs:
// CHECK-NOT: {{vmov(d|ss).*, .*\(}}
// CHECK: {{vpextrw.*\(|movw.*\(}}
// CHECK-LABEL: trt_entry:
func.func @one_lane(%x: !mem.ptr<global>, %out: !mem.ptr<global>) {
  %c0 = arith.constant 0 : i64
  %mask = arith.constant dense<[true, false, false, false]> : vector<4xi1>
  %v = mem.load %x[%c0] {align = 16 : i64} : !mem.ptr<global> -> vector<4xi32>
  %short = arith.trunci %v : vector<4xi32> to vector<4xi16>
  mem.store %short, %out[%c0] mask(%mask : vector<4xi1>) {align = 8 : i64} : vector<4xi16>, !mem.ptr<global>
  return
}
