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
