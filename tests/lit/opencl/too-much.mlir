// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=opencl,type=gpu,local_bytes=49152,max_work_group=1024 --stage=opencl %s --split-input-file --verify-diagnostics

// 8 items keep 16 KiB each where 64 KiB are too few for one; four times as many keep a quarter.
func.func @own(%x: !mem.ptr<global>) attributes {tritonrt.work_items = 128 : i64, tritonrt.local_bytes = 0 : i64, tritonrt.scratch_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i64
  // expected-error @+1 {{the kernel keeps 163840 bytes in each of 128 work-items; the device has room for 65536, which num_warps=16 or tiles of 1/4 of the elements would fit}}
  %a = mem.alloc 163840 {own, offset = 0} : <scratch>
  %v = mem.load %a[%c0] : <scratch> -> f32
  mem.store %v, %x[%c0] : f32, <global>
  return
}

// -----

// More work-items than the device has would be needed.
func.func @own_of_many(%x: !mem.ptr<global>) attributes {tritonrt.work_items = 512 : i64, tritonrt.local_bytes = 0 : i64, tritonrt.scratch_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i64
  // expected-error @+1 {{the kernel keeps 163840 bytes in each of 512 work-items; the device has room for 65536, which tiles of 1/4 of the elements would fit}}
  %a = mem.alloc 163840 {own, offset = 0} : <scratch>
  %v = mem.load %a[%c0] : <scratch> -> f32
  mem.store %v, %x[%c0] : f32, <global>
  return
}

// -----

func.func @local(%x: !mem.ptr<global>) attributes {tritonrt.work_items = 128 : i64, tritonrt.local_bytes = 66560 : i64, tritonrt.scratch_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i64
  %b = mem.alloc 1024 {offset = 65536} : <local>
  // expected-error @+1 {{the kernel needs 66560 bytes of local memory; the device has 49152, which tiles of 1/2 of the elements would fit}}
  %a = mem.alloc 65536 {offset = 0} : <local>
  %v = mem.load %a[%c0] : <local> -> f32
  mem.store %v, %b[%c0] : f32, <local>
  mem.store %v, %x[%c0] : f32, <global>
  return
}

// -----

func.func @program(%x: !mem.ptr<global>) attributes {tritonrt.scratch_bytes = 8388608 : i64} {
  %c0 = arith.constant 0 : i64
  // expected-error @+1 {{the kernel needs 8388608 bytes of memory a program; the device has 2097152 of private and 49152 of local memory, which tiles of 1/4 of the elements would fit}}
  %a = mem.alloc 8388608 {offset = 0} : <scratch>
  %v = mem.load %a[%c0] : <scratch> -> f32
  mem.store %v, %x[%c0] : f32, <global>
  return
}

// -----

// expected-error @+1 {{the kernel needs work-groups of 2048 work-items (num_warps=64); the device has at most 1024, which num_warps=32 would fit}}
func.func @group(%x: !mem.ptr<global>, %v: f32) attributes {tritonrt.work_items = 2048 : i64, tritonrt.scratch_bytes = 0 : i64} {
  %c0 = arith.constant 0 : i64
  mem.store %v, %x[%c0] : f32, <global>
  return
}
