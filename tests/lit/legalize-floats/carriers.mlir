// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --legalize-floats | FileCheck %s
// RUN: tritonrt-opt %s --legalize-floats=f16=storage | FileCheck %s --check-prefix=HALF

// What only moves values keeps its ops; the bits move.
// CHECK-LABEL: func.func @moves(
// CHECK-SAME: %[[X:.*]]: !mem.ptr<global>, %[[S:.*]]: i16, %[[T:.*]]: i8, %[[C:.*]]: i1)
// CHECK: arith.constant dense<16256> : vector<4xi16>
// CHECK: mem.load %[[X]][%{{.*}}] : {{.*}}<global> -> vector<4xi16>
// CHECK: vector.broadcast %[[S]] : i16 to vector<4xi16>
// CHECK: arith.select %[[C]], %{{.*}}, %{{.*}} : vector<4xi16>
// CHECK: scf.for {{.*}} -> (vector<4xi16>)
// CHECK: mem.store %[[T]], %[[X]]{{.*}} : i8, {{.*}}<global>
// CHECK-NOT: bf16
// CHECK-NOT: f8E4M3FN
func.func @moves(%x: !mem.ptr<global>, %s: bf16, %t: f8E4M3FN, %c: i1) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant dense<1.0> : vector<4xbf16>
  %a = mem.load %x[%c0] : !mem.ptr<global> -> vector<4xbf16>
  %b = vector.broadcast %s : bf16 to vector<4xbf16>
  %v = arith.select %c, %a, %b : vector<4xbf16>
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%acc = %v) -> vector<4xbf16> : i64 {
    scf.yield %one : vector<4xbf16>
  }
  mem.store %r, %x[%c0] : vector<4xbf16>, !mem.ptr<global>
  mem.store %t, %x[%c1] : f8E4M3FN, !mem.ptr<global>
  return
}

// Arithmetic goes through f32; a bitcast to the carrier is nothing.
// CHECK-LABEL: func.func @computes(
// CHECK-SAME: %[[A:.*]]: i16) -> i16
// CHECK: %[[E:.*]] = arith.extui %[[A]] : i16 to i32
// CHECK: %[[H:.*]] = arith.shli %[[E]]
// CHECK: %[[F:.*]] = arith.bitcast %[[H]] : i32 to f32
// CHECK: arith.addf %[[F]], %{{.*}} : f32
// CHECK: %[[R:.*]] = arith.trunci %{{.*}} : i32 to i16
// CHECK: return %[[R]] : i16
func.func @computes(%a: bf16) -> i16 {
  %b = arith.addf %a, %a : bf16
  %c = arith.bitcast %b : bf16 to i16
  return %c : i16
}

// f16 that the target can hold stays f16; it is computed in f32.
// CHECK-LABEL: func.func @half(%{{.*}}: i16) -> i16
// HALF-LABEL: func.func @half(
// HALF-SAME: %[[A:.*]]: f16) -> f16
// HALF: %[[W:.*]] = arith.extf %[[A]] : f16 to f32
// HALF: %[[M:.*]] = arith.mulf
// HALF: %[[R:.*]] = arith.truncf %[[M]] : f32 to f16
// HALF: return %[[R]] : f16
func.func @half(%a: f16) -> f16 {
  %b = arith.mulf %a, %a : f16
  return %b : f16
}

// A float atomic becomes a loop of compare-and-swaps on the bits.
// CHECK-LABEL: func.func @atomic(
// CHECK: %[[FIRST:.*]] = mem.atomic_load relaxed, device, %{{.*}} -> i16
// CHECK: scf.while (%{{.*}} = %[[FIRST]]) : (i16) -> i16
// CHECK: mem.atomic_cas acq_rel, device, %{{.*}} : {{.*}}<global>, i16
// CHECK: arith.cmpi ne
func.func @atomic(%x: !mem.ptr<global>, %v: bf16) {
  %c0 = arith.constant 0 : i64
  %r = mem.atomic_rmw fadd, acq_rel, device, %x[%c0], %v : !mem.ptr<global>, bf16
  return
}
