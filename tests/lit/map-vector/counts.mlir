// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt --map-vector --canonicalize --cse %s | FileCheck %s

// Each element is looked at once, in one of four tables in turn; what is no bin's number counts past
// the last one. 80 = 64 bins and what is past them.
// CHECK-LABEL: func.func @histogram
// CHECK: %[[TABLES:.*]] = mem.alloc 1280
// CHECK: scf.for %{{.*}} = %c0_i64 to %c1024_i64 step %c4_i64
// CHECK: %[[NUMBER:.*]] = mem.load %{{.*}} -> i32
// CHECK: %[[FITS:.*]] = arith.cmpi ult, %[[NUMBER]], %c64_i32
// CHECK: %[[AT:.*]] = arith.select %[[FITS]], %{{.*}}, %c64_i64
// CHECK: %[[OLD:.*]] = mem.load %[[TABLES]][%[[AT]]] {{.*}} -> i32
// CHECK: %[[NEW:.*]] = arith.addi %[[OLD]], %c1_i32
// CHECK: mem.store %[[NEW]], %[[TABLES]][%[[AT]]]
// CHECK-COUNT-4: mem.load %[[TABLES]]{{.*}} -> vector<16xi32>
// CHECK-NOT: arith.cmpi eq
func.func @histogram(%x: !mem.ptr<global>, %o: !mem.ptr<global>) {
  %vx = nests.view %x {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<1024xi32>>
  %vo = nests.view %o {staticStrides = array<i64: 1>, boxDims = array<i64>, unit = 4} : !mem.ptr<global> -> !nests.view<tensor<64xi32>>
  %sum = "nests.nest"() <{domain = array<i64: 64, 1024>, boxDims = array<i64>, kinds = [#nests.result<reduce dims = [1] group = 0>], dead = array<i32: 0>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %v = nests.read %vx [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : !nests.view<tensor<1024xi32>> -> i32
    %bin = nests.index [10, 11, 12, 13, 14, 15]
    %hit = arith.cmpi eq, %v, %bin : i32
    %one = arith.extui %hit : i1 to i32
    nests.yield %one : i32
  }, {
  ^bb0(%new: i32, %acc: i32):
    %s = arith.addi %new, %acc : i32
    nests.yield %s : i32
  }) : () -> tensor<64xi32>
  "nests.nest"() <{domain = array<i64: 64>, boxDims = array<i64>, kinds = [], dead = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    %e = nests.elem %sum [0, 1, 2, 3, 4, 5] : tensor<64xi32> -> i32
    nests.write %vo, %e [0, 1, 2, 3, 4, 5] : !nests.view<tensor<64xi32>>, i32
    nests.yield
  }) : () -> ()
  return
}
