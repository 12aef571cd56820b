// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --tt-to-tile --verify-diagnostics

tt.func public @unknown_function(%x: !tt.ptr<f32>) {
  %v = tt.load %x : !tt.ptr<f32>
  // expected-error @+1 {{calls '__nv_frobnicatef', which is no function that the compiler knows}}
  %e = tt.extern_elementwise %v {libname = "", libpath = "", pure = true, symbol = "__nv_frobnicatef"} : (f32) -> f32
  tt.store %x, %e : !tt.ptr<f32>
  tt.return
}

// -----

tt.func public @wrong_type(%x: !tt.ptr<i32>) {
  %v = tt.load %x : !tt.ptr<i32>
  // expected-error @+1 {{calls '__nv_expf', which does not take 'i32' to 'i32'}}
  %e = tt.extern_elementwise %v {libname = "", libpath = "", pure = true, symbol = "__nv_expf"} : (i32) -> i32
  tt.store %x, %e : !tt.ptr<i32>
  tt.return
}

// -----

// expected-error @+1 {{no public function in the module}}
module {
  tt.func private @helper(%n: i32) {
    tt.return
  }
}

// -----

// expected-error @+1 {{a tensor descriptor needs its shape and strides as the parameters that follow it: 1 of i32, then 1 of i64}}
tt.func public @descriptor(%d: !tt.tensordesc<32xf32>, %n: !tt.ptr<f32>, %s: i64) {
  tt.return
}

// -----

// expected-error @+1 {{a kernel parameter of type 'tensor<4xf32>' is not supported; scalars, pointers and descriptors can be passed}}
tt.func public @parameter(%x: tensor<4xf32>) {
  tt.return
}

// -----

tt.func public @output_letter(%x: i32) {
  // expected-error @+1 {{has the constraint '=q', which is not supported; h, r, l, f and d are}}
  %0 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=q,r", packed_element = 1 : i32, pure = false} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @input_letter(%x: i32) {
  // expected-error @+1 {{has the constraint 'q', which is not supported; h, r, l, f and d are}}
  %0 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,q", packed_element = 1 : i32, pure = false} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @few_results(%x: i32) {
  // expected-error @+1 {{has too few constraints for its results: 'r'; one '=' with a letter for each register expected}}
  %0 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "r", packed_element = 1 : i32, pure = false} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @few_operands(%x: i32) {
  // expected-error @+1 {{has too few constraints for its operands: '=r'; a letter for each register expected}}
  %0 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r", packed_element = 1 : i32, pure = false} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @packed(%x: i32) {
  // expected-error @+1 {{packs 3 of 1 elements, expected a power of two that divides them}}
  %0 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 3 : i32, pure = false} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @mixed() {
  %y = arith.constant dense<1> : tensor<4xi32>
  // expected-error @+1 {{gives scalars and tensors, or scalars of tensors; either all or none of operands and results are tensors expected}}
  %0 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %y : tensor<4xi32> -> i32
  tt.return
}

// -----

tt.func public @unknown_instruction(%x: i32) {
  // expected-error @+1 {{the assembly is 'fly.b32 $0, $1;'}}
  %0 = tt.elementwise_inline_asm "fly.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @unwritten(%p: !tt.ptr<i32>, %x: i32) {
  // expected-error @+1 {{never writes $0; the assembly is ''}}
  %0 = tt.elementwise_inline_asm "" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %x : i32 -> i32
  tt.store %p, %0 : !tt.ptr<i32>
  tt.return
}

// -----

tt.func public @experimental(%d: !tt.tensordesc<32xf32>, %n: i32, %s: i64, %p: !tt.ptr<i8>) {
  // expected-error @+1 {{goes through a descriptor that only CUDA's driver can make; write the kernel with a descriptor of its own or with pointers}}
  %0 = tt.reinterpret_tensor_descriptor %p : !tt.ptr<i8> to !tt.tensordesc<32xf32>
  tt.return
}

// -----

tt.func public @reduced(%d: !tt.tensordesc<32xf32>, %n: i32, %s: i64, %x: f32) {
  %c0 = arith.constant 0 : i32
  %v = tt.splat %x : f32 -> tensor<32xf32>
  // expected-error @+1 {{of kind xor does not work on floats; add, min and max do}}
  tt.descriptor_reduce xor, %d[%c0], %v : !tt.tensordesc<32xf32>, tensor<32xf32>
  tt.return
}
