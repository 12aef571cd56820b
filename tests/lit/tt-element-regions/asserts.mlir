// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --tt-element-regions | FileCheck %s

// CHECK-LABEL: tt.func @sum
// CHECK: %[[TRUE:.*]] = arith.constant dense<true> : tensor<8x4xi1>
// CHECK: %[[SUM:.*]]:2 = "tt.reduce"(%{{.*}}, %[[TRUE]]) <{axis = 1 : i32}>
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[FA:.*]]: i1, %[[B:.*]]: i32, %[[FB:.*]]: i1):
// CHECK-NEXT: %[[FITS:.*]] = arith.cmpi sge, %[[A]], %[[B]]
// CHECK-NEXT: %[[ADD:.*]] = arith.addi %[[A]], %[[B]]
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[FA]], %[[FB]]
// CHECK-NEXT: %[[ALL:.*]] = arith.andi %[[BOTH]], %[[FITS]]
// CHECK-NEXT: tt.reduce.return %[[ADD]], %[[ALL]] : i32, i1
// CHECK-NEXT: (tensor<8x4xi32>, tensor<8x4xi1>) -> (tensor<8xi32>, tensor<8xi1>)
// CHECK-NEXT: tt.assert %[[SUM]]#1, "overflow" : tensor<8xi1>
tt.func @sum(%x: tensor<8x4xi32>) -> tensor<8xi32> {
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %fits = arith.cmpi sge, %a, %b : i32
    tt.assert %fits, "overflow" : i1
    %add = arith.addi %a, %b : i32
    tt.reduce.return %add : i32
  }) : (tensor<8x4xi32>) -> tensor<8xi32>
  tt.return %0 : tensor<8xi32>
}

// An assert in a branch holds where the branch is not taken.
// CHECK-LABEL: tt.func @branch
// CHECK: "tt.scan"
// CHECK: %[[IF:.*]] = scf.if %{{.*}} -> (i1) {
// CHECK: scf.yield %{{.*}} : i1
// CHECK: } else {
// CHECK: %[[YES:.*]] = arith.constant true
// CHECK: scf.yield %[[YES]] : i1
// CHECK: arith.andi %{{.*}}, %[[IF]] : i1
// CHECK: tt.assert %{{.*}}#1, "odd" : tensor<4xi1>
tt.func @branch(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi sge, %a, %b : i32
    scf.if %c {
      %d = arith.cmpi ne, %a, %b : i32
      tt.assert %d, "odd" : i1
    }
    tt.scan.return %a : i32
  }) : (tensor<4xi32>) -> tensor<4xi32>
  tt.return %0 : tensor<4xi32>
}

// CHECK-LABEL: tt.func @map
// CHECK: %[[R:.*]]:2 = "tt.map_elementwise"(%{{.*}}) <{pack = 2 : i32}>
// CHECK: tt.map_elementwise.return %{{.*}}, %{{.*}}, %[[C:.*]], %[[C]] : i32, i32, i1, i1
// CHECK: tt.assert %[[R]]#1, "low" : tensor<4xi1>
tt.func @map(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi sge, %a, %b : i32
    tt.assert %c, "low" : i1
    tt.map_elementwise.return %b, %a : i32, i32
  }) : (tensor<4xi32>) -> tensor<4xi32>
  tt.return %0 : tensor<4xi32>
}
