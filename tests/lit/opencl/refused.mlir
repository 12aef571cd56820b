// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=opencl --stage=opencl %s --split-input-file --verify-diagnostics

func.func @wide(%x: !mem.ptr<global>) {
  %c0 = arith.constant 0 : i64
  // expected-error @+1 {{mem.load: OpenCL C has no type for vector<32xf32>}}
  %a = mem.load %x[%c0] : !mem.ptr<global> -> vector<32xf32>
  mem.store %a, %x[%c0] : vector<32xf32>, !mem.ptr<global>
  return
}

// -----

func.func @double(%x: !mem.ptr<global>) {
  %c0 = arith.constant 0 : i64
  // expected-error @+1 {{mem.load: f64 needs cl_khr_fp64, which the device does not have}}
  %a = mem.load %x[%c0] : !mem.ptr<global> -> f64
  mem.store %a, %x[%c0] : f64, !mem.ptr<global>
  return
}

// -----

func.func @unknown(%x: !mem.ptr<global>, %a: i32, %n: index, %m: index) {
  // expected-error @+1 {{the OpenCL backend cannot write scf.parallel}}
  scf.parallel (%i) = (%n) to (%m) step (%n) {
    %k = arith.index_cast %i : index to i64
    mem.store %a, %x[%k] : i32, !mem.ptr<global>
    scf.reduce
  }
  return
}

// -----

func.func @atomic(%x: !mem.ptr<global>, %a: i64) {
  // expected-error @+1 {{needs cl_khr_int64_base_atomics}}
  %old = mem.atomic_rmw add, relaxed, device, %x[%a], %a : !mem.ptr<global>, i64
  return
}
