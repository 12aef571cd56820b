// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --tt-inline --split-input-file --verify-diagnostics

tt.func public @k() {
  tt.call @a() : () -> ()
  tt.return
}
tt.func private @a() {
  tt.call @b() : () -> ()
  tt.return
}
tt.func private @b() {
  // expected-error @below {{recursive call: @a -> @b -> @a}}
  tt.call @a() : () -> ()
  tt.return
}

// -----

tt.func public @k(%n: i32) {
  // expected-error @below {{calls @f, which has no body in this module}}
  tt.call @f(%n) : (i32) -> ()
  tt.return
}
tt.func private @f(i32)
