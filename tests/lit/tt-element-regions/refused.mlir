// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --tt-element-regions --verify-diagnostics

tt.func @store(%p: !tt.ptr<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    // expected-error @+1 {{in a tt.map_elementwise is not supported; its region computes with single elements: arithmetic, branches, loops and calls of such}}
    tt.store %p, %a : !tt.ptr<f32>
    tt.map_elementwise.return %a : f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  tt.return %0 : tensor<4xf32>
}

// -----

tt.func @tensors(%x: tensor<4xf32>) -> f32 {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{in a tt.reduce is not supported; its region computes with single elements}}
    %1 = arith.addf %x, %x : tensor<4xf32>
    %2 = "tt.reduce"(%1) <{axis = 0 : i32}> ({
    ^bb0(%c: f32, %d: f32):
      tt.reduce.return %c : f32
    }) : (tensor<4xf32>) -> f32
    tt.reduce.return %2 : f32
  }) : (tensor<4xf32>) -> f32
  tt.return %0 : f32
}

// -----

tt.func @print(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{in a tt.scan is not supported; its region computes with single elements}}
    tt.print "a" {hex = false, isSigned = array<i32: 1>} : %a : f32
    tt.scan.return %a : f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  tt.return %0 : tensor<4xf32>
}

// -----

tt.func @loop(%x: tensor<4xi32>, %n: i32) -> i32 {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    scf.for %i = %n to %n step %n : i32 {
      // expected-error @+1 {{in a loop of a tt.reduce is not supported; put it behind the loop}}
      tt.assert %c, "m" : i1
    }
    tt.reduce.return %a : i32
  }) : (tensor<4xi32>) -> i32
  tt.return %0 : i32
}
