// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-opt %s --split-input-file --verify-diagnostics

tt.func @splat(%x: tensor<4xf32>) {
  // expected-error @below {{takes a scalar, got 'tensor<4xf32>'}}
  %0 = tt.splat %x : tensor<4xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @splat_elements(%x: f32) {
  // expected-error @below {{operand and result of different element types: 'f32' and 'tensor<4xi32>', expected equal ones}}
  %0 = tt.splat %x : f32 -> tensor<4xi32>
  tt.return
}

// -----

tt.func @unsplat(%x: tensor<4xf32>) {
  // expected-error @below {{takes a tensor of one element, got 'tensor<4xf32>'}}
  %0 = tt.unsplat %x : tensor<4xf32>
  tt.return
}

// -----

tt.func @range() {
  // expected-error @below {{start 8 is not below end 8}}
  %0 = tt.make_range {end = 8 : i32, start = 8 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_length() {
  // expected-error @below {{makes 8 elements, but the result is 'tensor<4xi32>'}}
  %0 = tt.make_range {end = 16 : i32, start = 8 : i32} : tensor<4xi32>
  tt.return
}

// -----

tt.func @expand(%x: tensor<4xf32>) {
  // expected-error @below {{result is 'tensor<4x1xf32>', expected 'tensor<1x4xf32>'}}
  %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  tt.return
}

// -----

tt.func @axis(%x: tensor<4xf32>) {
  // expected-error @below {{axis -1 is outside of a tensor of rank 2, expected 0 to 1}}
  %0 = tt.expand_dims %x {axis = -1 : i32} : tensor<4xf32> -> tensor<1x4xf32>
  tt.return
}

// -----

tt.func @broadcast_rank(%x: tensor<4xf32>) {
  // expected-error @below {{keeps the rank, but goes from 'tensor<4xf32>' to 'tensor<4x4xf32>'}}
  %0 = tt.broadcast %x : tensor<4xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @broadcast(%x: tensor<4x2xf32>) {
  // expected-error @below {{repeats dimensions of size 1 only, but dimension 1 goes from 2 to 8}}
  %0 = tt.broadcast %x : tensor<4x2xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @order(%x: tensor<4x2xf32>) {
  // expected-error @below {{order is not a permutation of the dimensions of 'tensor<4x2xf32>', expected each of 0 to 1 once}}
  %0 = tt.trans %x {order = array<i32: 1, 1>} : tensor<4x2xf32> -> tensor<2x4xf32>
  tt.return
}

// -----

tt.func @trans(%x: tensor<4x2xf32>) {
  // expected-error @below {{result is 'tensor<4x2xf32>', expected 'tensor<2x4xf32>'}}
  %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<4x2xf32> -> tensor<4x2xf32>
  tt.return
}

// -----

tt.func @cat(%x: tensor<4xf32>) {
  // expected-error @below {{result is 'tensor<4xf32>', expected 'tensor<8xf32>'}}
  %0 = tt.cat %x, %x : tensor<4xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @cat_rank(%x: tensor<4x1xf32>) {
  // expected-error @below {{joins tensors of one dimension, got 'tensor<4x1xf32>'}}
  %0 = tt.cat %x, %x : tensor<4x1xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @gather(%x: tensor<4x2xf32>, %i: tensor<4x8xi32>) {
  // expected-error @below {{differ in more than axis 0, expected the same sizes along the others}}
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<4x2xf32>, tensor<4x8xi32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @histogram(%x: tensor<4x2xi32>) {
  // expected-error @below {{works on one dimension, got 'tensor<4x2xi32>' and 'tensor<8xi32>'}}
  %0 = tt.histogram %x : tensor<4x2xi32> -> tensor<8xi32>
  tt.return
}

// -----

tt.func @bitcast(%x: i64) {
  // expected-error @below {{the widths have to be equal, and tt.int_to_ptr makes pointers}}
  %0 = tt.bitcast %x : i64 -> !tt.ptr<f32>
  tt.return
}

// -----

tt.func @addptr(%p: tensor<4x!tt.ptr<f32>>, %i: tensor<8xi32>) {
  // expected-error @below {{has operand and result of different shapes: 'tensor<8xi32>' and 'tensor<4x!tt.ptr<f32>>', expected equal ones}}
  %0 = tt.addptr %p, %i : tensor<4x!tt.ptr<f32>>, tensor<8xi32>
  tt.return
}

// -----

tt.func @boundary(%p: tensor<4x!tt.ptr<f32>>) {
  // expected-error @below {{has a boundary check, which needs a block pointer (or no boundaryCheck), got 'tensor<4x!tt.ptr<f32>>'}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0>} : tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @mask(%p: !tt.ptr<tensor<4xf32>>, %m: tensor<4xi1>) {
  // expected-error @below {{through a block pointer takes no mask; use its boundaryCheck}}
  %0 = tt.load %p, %m : !tt.ptr<tensor<4xf32>>
  tt.return
}

// -----

tt.func @other(%p: !tt.ptr<f32>, %x: f32) {
  // expected-error @below {{has a value for masked lanes, but no mask; add the mask or drop the value}}
  %0 = "tt.load"(%p, %x) <{boundaryCheck = array<i32>, cache = 1 : i32, evict = 1 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 1>}> : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @padding(%p: !tt.ptr<f32>) {
  // expected-error @below {{has padding, which needs a block pointer (or no padding), got '!tt.ptr<f32>'}}
  %0 = tt.load %p {padding = 1 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @nan(%p: !tt.ptr<tensor<4xi32>>) {
  // expected-error @below {{pads with NaN, which 'tensor<4xi32>' does not have; pad with zero}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<4xi32>>
  tt.return
}

// -----

tt.func @operands(%p: !tt.ptr<f32>) {
  // expected-error @below {{expected 2 or 3 operands: pointer, value, mask; got 1}}
  tt.store %p : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @operands(%p: !tt.ptr<f32>) {
  // expected-error @below {{expected 1 to 3 operands: pointer, mask, other; got 4}}
  %0 = tt.load %p, %p, %p, %p : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @cache(%p: !tt.ptr<f32>) {
  // expected-error @below {{unknown cache modifier 'l1'; one of none, ca, cg, wb, cs, wt, cv expected}}
  %0 = tt.load %p cacheModifier = l1 : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @policy(%p: !tt.ptr<f32>) {
  // expected-error @below {{unknown eviction_policy 'last'; one of evict_normal, evict_first, evict_last expected}}
  %0 = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = last>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @policy_kind(%p: !tt.ptr<f32>) {
  // expected-error @below {{'cachePolicy' must be #tt.cache_policy<..>, got 1 : i32}}
  %0 = tt.load %p {cachePolicy = 1 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @evict(%p: !tt.ptr<f32>) {
  // expected-error @below {{'evict' has no meaning for the value 77 : i32}}
  %0 = tt.load %p {evict = 77 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @volatile(%p: !tt.ptr<f32>) {
  // expected-error @below {{'isVolatile' has the wrong kind of value: 3 : i64; write it as Triton prints it}}
  %0 = tt.load %p {isVolatile = 3} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @program() {
  // expected-error @below {{expected x, y or z, got 'w'}}
  %0 = tt.get_program_id w : i32
  tt.return
}

// -----

tt.func @program() {
  // expected-error @below {{expected the grid's axis: x, y or z}}
  %0 = tt.get_program_id : i32
  tt.return
}

// -----

tt.func @reshape(%x: tensor<4xf32>) {
  // expected-error @below {{'allow_reorder' is true, false or a unit}}
  %0 = tt.reshape %x {allow_reorder = 3} : tensor<4xf32> -> tensor<2x2xf32>
  tt.return
}

// -----

tt.func @atomic(%p: !tt.ptr<i8>, %x: i8) {
  // expected-error @below {{on 'i8' is not supported; atomics have 16 to 64 bits}}
  %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %x : (!tt.ptr<i8>, i8) -> i8
  tt.return
}

// -----

tt.func @atomic_kind(%p: !tt.ptr<f32>, %x: f32) {
  // expected-error @below {{xor does not work on 'f32'; fadd, max, min and exch do on floats, the others on integers}}
  %0 = tt.atomic_rmw xor, acq_rel, gpu, %p, %x : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @pointer(%p: !tt.ptr<f32>, %n: i64, %o: i32) {
  // expected-error @below {{makes a pointer to a tensor, got '!tt.ptr<f32>'}}
  %0 = "tt.make_tensor_ptr"(%p, %n, %n, %o) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, order = array<i32: 0>}> : (!tt.ptr<f32>, i64, i64, i32) -> !tt.ptr<f32>
  tt.return
}

// -----

tt.func @pointer_rank(%p: !tt.ptr<f32>, %n: i64, %o: i32) {
  // expected-error @below {{of a block of rank 2 has 1 sizes and an order of 1, expected one of each for a dimension}}
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%o] {order = array<i32: 0>} : <tensor<4x4xf32>>
  tt.return
}

// -----

tt.func @advance(%p: !tt.ptr<f32>, %o: i32) {
  // expected-error @below {{moves a pointer to a tensor, got '!tt.ptr<f32>'}}
  %0 = tt.advance %p, [%o] : <f32>
  tt.return
}

// -----

tt.func @advance_rank(%p: !tt.ptr<tensor<4x4xf32>>, %o: i32) {
  // expected-error @below {{of a block of rank 2 has 1 offsets, expected 2}}
  %0 = tt.advance %p, [%o] : <tensor<4x4xf32>>
  tt.return
}

// -----

tt.func @descriptor(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error @below {{of a block of rank 2 has 1 sizes, expected one for a dimension}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <4x4xf32>
  tt.return
}

// -----

tt.func @descriptor_base(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  // expected-error @below {{of 'f32' has a base that points to 'f16', expected the same}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f16>, <4xf32>
  tt.return
}

// -----

tt.func @descriptor_nan(%p: !tt.ptr<i32>, %n: i32, %s: i64) {
  // expected-error @below {{pads with NaN, which 'i32' does not have; pad with zero}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] {padding = 2 : i32} : <i32>, <4xi32>
  tt.return
}

// -----

tt.func @indices(%d: !tt.tensordesc<4x4xf32>, %i: i32) {
  // expected-error @below {{through a descriptor of rank 2 has 1 indices, expected one for a dimension}}
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<4x4xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @block(%d: !tt.tensordesc<4x4xf32>, %i: i32) {
  // expected-error @below {{moves 'tensor<4x8xf32>' through '!tt.tensordesc<4x4xf32>', expected 'tensor<4x4xf32>' or as many elements of it}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<4x4xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @rows(%d: !tt.tensordesc<4x4xf32>, %x: tensor<8xi32>, %i: i32) {
  // expected-error @below {{needs a descriptor of one row, as 1x4, got '!tt.tensordesc<4x4xf32>'}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<4x4xf32>, tensor<8xi32>, i32) -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @rows(%d: !tt.tensordesc<1x4xf32>, %x: tensor<8xi32>, %i: i32) {
  // expected-error @below {{expected a row of the descriptor for each offset}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x4xf32>, tensor<8xi32>, i32) -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @dot_rank(%a: tensor<4xf32>) {
  // expected-error @below {{takes matrices or batches of them, all of rank 2 or all of rank 3, got}}
  %0 = tt.dot %a, %a, %a : tensor<4xf32> * tensor<4xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @dot_inner(%a: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  // expected-error @below {{has inner dimensions 8 and 4, expected equal ones}}
  %0 = tt.dot %a, %a, %c : tensor<4x8xf32> * tensor<4x8xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @dot_result(%a: tensor<4x4xf32>, %c: tensor<4x8xf32>) {
  // expected-error @below {{result is 'tensor<4x8xf32>', expected 'tensor<4x4xf32>'}}
  %0 = tt.dot %a, %a, %c : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @dot_batches(%a: tensor<2x4x4xf32>, %b: tensor<4x4x4xf32>) {
  // expected-error @below {{has batches of 2 and 4, expected equal ones}}
  %0 = tt.dot %a, %b, %a : tensor<2x4x4xf32> * tensor<4x4x4xf32> -> tensor<2x4x4xf32>
  tt.return
}

// -----

tt.func @dot_kinds(%a: tensor<4x4xf32>, %b: tensor<4x4xi32>) {
  // expected-error @below {{expected all integers or all floats}}
  %0 = tt.dot %a, %b, %a : tensor<4x4xf32> * tensor<4x4xi32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @precision(%a: tensor<4x4xf32>) {
  // expected-error @below {{unknown input precision 'fast'; one of tf32, tf32x3, ieee}}
  %0 = tt.dot %a, %a, %a, inputPrecision = fast : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @imprecise(%a: tensor<4x4xf32>) {
  // expected-error @below {{'maxNumImpreciseAcc' is an i32, as 0 : i32}}
  %0 = tt.dot %a, %a, %a {maxNumImpreciseAcc = 0 : i64} : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @scaled_rank(%a: tensor<32xi8>, %c: tensor<32x32xf32>) {
  // expected-error @below {{takes matrices or batches of them and gives floats, got 'tensor<32xi8>'}}
  %0 = tt.dot_scaled %a, %a, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<32xi8> * tensor<32xi8> -> tensor<32x32xf32>
  tt.return
}

// -----

tt.func @scaled_elements(%a: tensor<32x32xi16>, %c: tensor<32x32xf32>) {
  // expected-error @below {{the left side is 'tensor<32x32xi16>', but holds elements of kind e4m3, expected a tensor of 'f8E4M3FN'}}
  %0 = tt.dot_scaled %a, %a, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<32x32xi16> * tensor<32x32xi16> -> tensor<32x32xf32>
  tt.return
}

// -----

tt.func @scaled_inner(%a: tensor<32x32xi8>, %c: tensor<32x32xf32>) {
  // expected-error @below {{has inner dimensions 64 and 32, expected equal ones}}
  %0 = tt.dot_scaled %a, %a, %c lhs = e2m1 rhs = e5m2 {fastMath = false} : tensor<32x32xi8> * tensor<32x32xi8> -> tensor<32x32xf32>
  tt.return
}

// -----

tt.func @scaled_result(%a: tensor<32x32xi8>, %c: tensor<32x16xf32>) {
  // expected-error @below {{result is 'tensor<32x16xf32>', expected 'tensor<32x32xf32>'}}
  %0 = tt.dot_scaled %a, %a, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<32x32xi8> * tensor<32x32xi8> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @scaled_batches(%a: tensor<2x32x32xi8>, %b: tensor<4x32x32xi8>, %c: tensor<2x32x32xf32>) {
  // expected-error @below {{has batches of 2 and 4, expected equal ones}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<2x32x32xi8> * tensor<4x32x32xi8> -> tensor<2x32x32xf32>
  tt.return
}

// -----

tt.func @scale(%a: tensor<32x32xi8>, %s: tensor<16x1xi8>, %c: tensor<32x32xf32>) {
  // expected-error @below {{scale of the left side 'tensor<16x1xi8>' does not fit 32 rows of 32 elements in groups of 32 or 16}}
  %0 = tt.dot_scaled %a scale %s, %a, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<32x32xi8>, tensor<16x1xi8> * tensor<32x32xi8> -> tensor<32x32xf32>
  tt.return
}

// -----

tt.func @scale_type(%a: tensor<32x32xi8>, %s: tensor<32x1xi16>, %c: tensor<32x32xf32>) {
  // expected-error @below {{scale of the left side is 'tensor<32x1xi16>', expected a tensor of i8 or f8E4M3FN}}
  %0 = tt.dot_scaled %a scale %s, %a, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<32x32xi8>, tensor<32x1xi16> * tensor<32x32xi8> -> tensor<32x32xf32>
  tt.return
}

// -----

tt.func @reduce_shapes(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  // expected-error @below {{has operands of different shapes: 'tensor<4xf32>' and 'tensor<8xf32>', expected equal ones}}
  %0:2 = "tt.reduce"(%x, %y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<4xf32>, tensor<8xf32>) -> (f32, f32)
  tt.return
}

// -----

tt.func @reduce_results(%x: tensor<4xf32>) {
  // expected-error @below {{has 1 operands and 2 results, expected one for each operand}}
  %0:2 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4xf32>) -> (f32, f32)
  tt.return
}

// -----

tt.func @reduce_end(%x: tensor<4xf32>) {
  // expected-error @below {{region has to end in tt.reduce.return}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    ub.unreachable
  }) : (tensor<4xf32>) -> f32
  tt.return
}

// -----

tt.func @scan_results(%x: tensor<4xf32>) {
  // expected-error @below {{has operands ('tensor<4xf32>') and results ('tensor<4xi32>'), expected the same types}}
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<4xf32>) -> tensor<4xi32>
  tt.return
}

// -----

tt.func @map_pack(%x: tensor<4xf32>) {
  // expected-error @below {{takes 3 elements of 'tensor<4xf32>' at a time, expected a number that divides them}}
  %0 = "tt.map_elementwise"(%x) <{pack = 3 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32):
    tt.map_elementwise.return %a, %b, %c : f32, f32, f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @map_takes(%x: tensor<4xf32>) {
  // expected-error @below {{region takes ('i32'), expected ('f32')}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    tt.map_elementwise.return %a : i32
  }) : (tensor<4xf32>) -> tensor<4xi32>
  tt.return
}

// -----

tt.func @map_gives(%x: tensor<4xf32>) {
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    // expected-error @below {{gives ('f32'), expected ('i32')}}
    tt.map_elementwise.return %a : f32
  }) : (tensor<4xf32>) -> tensor<4xi32>
  tt.return
}

// -----

tt.func @map_empty(%x: tensor<4xf32>) {
  // expected-error @below {{has an empty region; a block that ends in its return expected}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  }) : (tensor<4xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @print(%x: i32) {
  // expected-error @below {{prints 1 values, but isSigned has 2 entries, expected one for each value}}
  tt.print "x" {hex = false, isSigned = array<i32: 1, 0>} : %x : i32
  tt.return
}

// -----

tt.func @call(%x: i32) {
  // expected-error @below {{calls @callee as '(i32) -> ()', but it is '(f32) -> ()'}}
  tt.call @callee(%x) : (i32) -> ()
  tt.return
}
tt.func private @callee(%x: f32) {
  tt.return
}

// -----

tt.func @gives(%x: i32) -> f32 {
  // expected-error @below {{returns 'i32' as result 0, but @gives declares 'f32'}}
  tt.return %x : i32
}

// -----

tt.func @counts(%x: i32) -> f32 {
  // expected-error @below {{returns 0 values, but @counts has 1 results}}
  tt.return
}

// -----

// expected-error @below {{a pointer cannot point to 'index'; integers, floats, pointers and tensors of them expected}}
tt.func @pointee(%x: !tt.ptr<index>) {
  tt.return
}

// -----

// expected-error @below {{memory space -3 is negative, expected 0 or more}}
tt.func @space(%x: !tt.ptr<f32, -3>) {
  tt.return
}

// -----

// expected-error @below {{unknown memory space "shared"; expected "global", "descriptor", "constant" or a number}}
tt.func @space(%x: !tt.ptr<f32, "shared">) {
  tt.return
}

// -----

// expected-error @below {{a tensor descriptor has 1 to 5 dimensions, got 6}}
tt.func @dimensions(%x: !tt.tensordesc<1x1x1x1x1x1xf32>) {
  tt.return
}

// -----

// expected-error @below {{a descriptor's block has sizes that are powers of two up to 1048576, got 3}}
tt.func @sizes(%x: !tt.tensordesc<3xf32>) {
  tt.return
}

// -----

// expected-error @below {{a tensor descriptor holds integers or floats, got '!tt.ptr<f32>'}}
tt.func @holds(%x: !tt.tensordesc<4x!tt.ptr<f32>>) {
  tt.return
}

// -----

// expected-error @below {{a descriptor wraps a tensor type or states a shape, not both}}
tt.func @both(%x: !tt.tensordesc<4xtensor<4xf32>>) {
  tt.return
}

// -----

tt.func @barrier() {
  // expected-error @below {{unknown memory of a barrier: 'far'; local, global_read, global_write, tensor_read, tensor_write, all or none expected}}
  ttg.barrier far
  tt.return
}

// -----

tt.func @barrier() {
  // expected-error @below {{orders unknown memories: 64, expected 0 to 31}}
  "ttg.barrier"() <{addrSpace = 64 : i32}> : () -> ()
  tt.return
}
