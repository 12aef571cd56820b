# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that talk, and regions in the LLVM dialect, through the command and an example."""
import os
import struct
import subprocess
import unittest

import support

ROOT = os.path.dirname(os.path.dirname(support.HERE))

# x[i] * 3 + 1 by a loop of the LLVM dialect, in place in the tensor's memory; and the number of its elements.
REGION = """
module {
  llvm.func @thrice(%a: f32) -> f32 {
    %three = llvm.mlir.constant(3.0 : f32) : f32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %product = llvm.fmul %a, %three : f32
    %sum = llvm.fadd %product, %one : f32
    llvm.return %sum : f32
  }
  tt.func public @k(%x: !tt.ptr<f32>, %n: !tt.ptr<i64>) {
    %lanes = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %base = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %at = tt.addptr %base, %lanes : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %at : tensor<64x!tt.ptr<f32>>
    %r, %count = "tle.dsl_region"(%v) ({
    ^entry(%in: tensor<64xf32>):
      %allocated = tle.extract_allocated_ptr %in : tensor<64xf32> to !llvm.ptr<3>
      %aligned = tle.extract_aligned_ptr %in : tensor<64xf32> to !llvm.ptr<3>
      %offset = tle.extract_offset %in : tensor<64xf32> to i64
      %size = tle.extract_sizes %in : tensor<64xf32> to i64
      %stride = tle.extract_strides %in : tensor<64xf32> to i64
      %zero = llvm.mlir.constant(0 : i64) : i64
      %one = llvm.mlir.constant(1 : i64) : i64
      llvm.br ^head(%zero : i64)
    ^head(%i: i64):
      %more = llvm.icmp "slt" %i, %size : i64
      llvm.cond_br %more, ^body, ^done
    ^body:
      %scaled = llvm.mul %i, %stride : i64
      %place = llvm.add %scaled, %offset : i64
      %p = llvm.getelementptr %aligned[%place] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %old = llvm.load %p : !llvm.ptr<3> -> f32
      %new = llvm.call @thrice(%old) : (f32) -> f32
      llvm.store %new, %p : f32, !llvm.ptr<3>
      %next = llvm.add %i, %one : i64
      llvm.br ^head(%next : i64)
    ^done:
      %empty = llvm.mlir.undef : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
      %d0 = llvm.insertvalue %allocated, %empty[0] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
      %d1 = llvm.insertvalue %aligned, %d0[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
      %packed = tle.pack %d1 : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> to tensor<64xf32>
      tle.yield %packed, %size : tensor<64xf32>, i64
    }) {LANGUAGE} : (tensor<64xf32>) -> (tensor<64xf32>, i64)
    tt.store %at, %r : tensor<64x!tt.ptr<f32>>
    tt.store %n, %count : !tt.ptr<i64>
    tt.return
  }
}
"""
# A pointer of the kernel's own, and a scalar; nothing is given back.
POINTER = """
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %id = tt.get_program_id x : i32
  %p = tt.addptr %x, %id : !tt.ptr<i32>, i32
  "tle.dsl_region"(%p, %n) ({
  ^entry(%in: !tt.ptr<i32>, %by: i32):
    %raw = "tle.extract_ptr"(%in) : (!tt.ptr<i32>) -> !llvm.ptr<1>
    %old = llvm.load %raw : !llvm.ptr<1> -> i32
    %sum = llvm.add %old, %by : i32
    llvm.store %sum, %raw : i32, !llvm.ptr<1>
    "tle.yield"() : () -> ()
  }) {arg_dialect = "llvm", output_operand_indices = array<i32>, region_dialect = "llvm"} : (!tt.ptr<i32>, i32) -> ()
  tt.return
}
"""
# A local buffer that the region fills, read through a pointer into it.
BUFFER = """
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %buf = ttg.local_alloc : () -> !ttg.memdesc<16xi32, #shared, #smem, mutable>
  %out = "tle.dsl_region"(%buf, %n) ({
  ^entry(%in: !ttg.memdesc<16xi32, #shared, #smem, mutable>, %first: i32):
    %p = tle.extract_aligned_ptr %in : !ttg.memdesc<16xi32, #shared, #smem, mutable> to !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %end = llvm.mlir.constant(16 : i32) : i32
    llvm.br ^head(%zero : i32)
  ^head(%i: i32):
    %more = llvm.icmp "slt" %i, %end : i32
    llvm.cond_br %more, ^body, ^done
  ^body:
    %at = llvm.getelementptr %p[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.add %i, %first : i32
    llvm.store %v, %at : i32, !llvm.ptr<3>
    %next = llvm.add %i, %one : i32
    llvm.br ^head(%next : i32)
  ^done:
    tle.yield %in : !ttg.memdesc<16xi32, #shared, #smem, mutable>
  }) {output_operand_indices = array<i32: 0>, region_dialect = "llvm"} : (!ttg.memdesc<16xi32, #shared, #smem, mutable>, i32) -> !ttg.memdesc<16xi32, #shared, #smem, mutable>
  %v = ttg.local_load %out : !ttg.memdesc<16xi32, #shared, #smem, mutable> -> tensor<16xi32>
  %lanes = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %base = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %at = tt.addptr %base, %lanes : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  tt.store %at, %v : tensor<16x!tt.ptr<i32>>
  tt.return
}
"""
# Rows of 16 numbers come into parts of a buffer, the second one in part, and go out again in another order.
PARTS = """
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %buf = ttg.local_alloc : () -> !ttg.memdesc<2x16xi32, #shared, #smem, mutable>
  %lanes = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #blocked>
  %few = arith.constant dense<5> : tensor<16xi32, #blocked>
  %other = arith.constant dense<77> : tensor<16xi32, #blocked>
  %mask = arith.cmpi slt, %lanes, %few : tensor<16xi32, #blocked>
  %base = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #blocked>
  %at = tt.addptr %base, %lanes : tensor<16x!tt.ptr<i32>, #blocked>, tensor<16xi32, #blocked>
  %row0 = ttg.memdesc_subview %buf[%zero, %zero] : !ttg.memdesc<2x16xi32, #shared, #smem, mutable> -> !ttg.memdesc<16xi32, #shared, #smem, mutable, 2x16>
  %row1 = ttg.memdesc_subview %buf[%one, %zero] : !ttg.memdesc<2x16xi32, #shared, #smem, mutable> -> !ttg.memdesc<16xi32, #shared, #smem, mutable, 2x16>
  %t0 = ttg.async_copy_global_to_local %at, %row0 : tensor<16x!tt.ptr<i32>, #blocked> -> !ttg.memdesc<16xi32, #shared, #smem, mutable, 2x16>
  %g0 = ttg.async_commit_group tokens %t0
  %t1 = ttg.async_copy_global_to_local %at, %row1 mask %mask other %other : tensor<16x!tt.ptr<i32>, #blocked> -> !ttg.memdesc<16xi32, #shared, #smem, mutable, 2x16>
  %g1 = ttg.async_commit_group tokens %t1
  %to = tt.splat %out : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #blocked>
  %sixteen = arith.constant dense<16> : tensor<16xi32, #blocked>
  %first = tt.addptr %to, %lanes : tensor<16x!tt.ptr<i32>, #blocked>, tensor<16xi32, #blocked>
  %r:2 = scf.for %i = %zero to %two step %one iter_args(%place = %first, %token = %g1) -> (tensor<16x!tt.ptr<i32>, #blocked>, !ttg.async.token) : i32 {
    %here = ttg.async_wait %token {num = 0 : i32}
    %back = arith.subi %one, %i : i32
    %row = ttg.memdesc_subview %buf[%back, %zero] : !ttg.memdesc<2x16xi32, #shared, #smem, mutable> -> !ttg.memdesc<16xi32, #shared, #smem, mutable, 2x16>
    %v = ttg.local_load %row token %here : !ttg.memdesc<16xi32, #shared, #smem, mutable, 2x16> -> tensor<16xi32, #blocked>
    tt.store %place, %v : tensor<16x!tt.ptr<i32>, #blocked>
    %next = tt.addptr %place, %sixteen : tensor<16x!tt.ptr<i32>, #blocked>, tensor<16xi32, #blocked>
    scf.yield %next, %here : tensor<16x!tt.ptr<i32>, #blocked>, !ttg.async.token
  }
  ttg.local_dealloc %buf : !ttg.memdesc<2x16xi32, #shared, #smem, mutable>
  tt.return
}
}
"""
# Each program waits in a loop until the one before has counted in its buffer.
CHAIN = """
tt.func public @k(%x: !tt.ptr<i32>) {
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %t = arith.constant true
  %id = tt.get_program_id x : i32
  %buf = dsa.alloc [16] : memref<16xi32>
  %one = "dsa.local_pointers"(%buf, %n0) : (memref<16xi32>, i32) -> !tt.ptr<i32>
  tt.store %one, %n0 : !tt.ptr<i32>
  dsa.distributed_barrier
  %first = arith.cmpi eq, %id, %n0 : i32
  scf.if %first {
  } else {
    %r = scf.while (%v = %n0) : (i32) -> (i32) {
      %go = arith.cmpi eq, %v, %n0 : i32
      scf.condition(%go) %v : i32
    } do {
    ^bb0(%v: i32):
      %w = tt.atomic_rmw add, acquire, gpu, %one, %n0, %t : (!tt.ptr<i32>, i32, i1) -> i32
      scf.yield %w : i32
    }
    %p = tt.addptr %x, %id : !tt.ptr<i32>, i32
    tt.store %p, %r : !tt.ptr<i32>
  }
  %np = tt.get_num_programs x : i32
  %next = arith.addi %id, %n1 : i32
  %more = arith.cmpi slt, %next, %np : i32
  scf.if %more {
    %there = "dsa.remote_pointers"(%one, %next) : (!tt.ptr<i32>, i32) -> !tt.ptr<i32>
    %o = tt.atomic_rmw add, release, gpu, %there, %n1, %t : (!tt.ptr<i32>, i32, i1) -> i32
  }
  dsa.distributed_barrier
  tt.return
}
"""
# Program p sums 128 numbers p + 1 times, then all meet. With several work-items a program each sum takes barriers.
UNEQUAL = """
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %id = tt.get_program_id x : i32
  %trips = arith.addi %id, %one : i32
  %lanes = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %base = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
  %at = tt.addptr %base, %lanes : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
  %total = scf.for %i = %zero to %trips step %one iter_args(%before = %zero) -> (i32) : i32 {
    %v = tt.load %at : tensor<128x!tt.ptr<i32>>
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<128xi32>) -> i32
    %after = arith.addi %before, %s : i32
    scf.yield %after : i32
  }
  dsa.distributed_barrier
  %place = tt.addptr %out, %id : !tt.ptr<i32>, i32
  tt.store %place, %total : !tt.ptr<i32>
  tt.return
}
"""


def numbers(path, letter):
    """The values of a .npy file."""
    with open(path, "rb") as file:
        data = file.read()
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    count = (len(data) - start) // struct.calcsize(letter)
    return list(struct.unpack(f"<{count}{letter}", data[start:]))


class RawTest(support.CommandTest):
    def run_kernel(self, text, *args, grid="1", device="cpu"):
        return self.tritonrt("run", self.write("k.ttir", text), "--device", device, "--grid", grid, *args)

    def test_a_region_changes_a_tensor_and_gives_a_number(self):
        for language in ('region_dialect = "llvm"', 'output_operand_indices = array<i32: 0, -1>'):
            out, count = os.path.join(self.folder, "x.npy"), os.path.join(self.folder, "n.npy")
            done = self.run_kernel(REGION.replace("LANGUAGE", language), "--arg", f"*f32:64:iota:out={out}", "--arg", f"*i64:1:zero:out={count}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(numbers(out, "f"), [3.0 * i + 1 for i in range(64)])
            self.assertEqual(numbers(count, "q"), [64])

    def test_a_region_reaches_memory_through_a_pointer(self):
        out = os.path.join(self.folder, "x.npy")
        done = self.run_kernel(POINTER, "--arg", f"*i32:8:iota:out={out}", "--arg", "i32:100", grid="8")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(numbers(out, "i"), [i + 100 for i in range(8)])

    def test_a_region_fills_a_local_buffer(self):
        out = os.path.join(self.folder, "x.npy")
        done = self.run_kernel(BUFFER, "--arg", f"*i32:16:zero:out={out}", "--arg", "i32:7")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(numbers(out, "i"), [i + 7 for i in range(16)])

    def test_other_languages_are_refused_by_name(self):
        done = self.run_kernel(POINTER.replace('region_dialect = "llvm"', 'region_dialect = "cuda"'), "--arg", "*i32:8:iota", "--arg", "i32:1")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"k\.ttir:5:3: error: 'tle\.dsl_region' op is written in 'cuda'")

    def test_unknown_functions_are_refused_by_name(self):
        text = "module {\nllvm.func @nobody(i32) -> i32\n" + POINTER.replace("%sum = llvm.add %old, %by : i32", "%sum = llvm.call @nobody(%by) : (i32) -> i32") + "}\n"
        done = self.run_kernel(text, "--arg", "*i32:8:iota", "--arg", "i32:1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("calls 'nobody'", done.stderr)

    @unittest.skipUnless(support.with_opencl(), "built without OpenCL")
    def test_opencl_refuses_regions_by_name(self):
        done = self.run_kernel(POINTER, "--arg", "*i32:8:iota", "--arg", "i32:1", device=support.OPENCL)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"k\.ttir:5:3: error: .*tle\.dsl_region")


class BufferTest(support.CommandTest):
    def test_copies_come_into_parts_of_a_buffer(self):
        out = os.path.join(self.folder, "out.npy")
        text = self.write("k.ttir", PARTS)
        for options in ([], ["--device", support.OPENCL], ["--device", support.OPENCL, "--mapping", "simt"]):
            if options and not support.with_opencl():
                continue
            self.succeeds("run", text, *options, "--grid", "1", "--arg", "*i32:16:iota", "--arg", f"*i32:32:zero:out={out}")
            self.assertEqual(numbers(out, "i"), [*range(5), *[77] * 11, *range(16)])


class MeshTest(support.CommandTest):
    @unittest.skipUnless(support.with_opencl(), "built without OpenCL")
    def test_programs_share_a_group_only_where_all_reach_each_barrier(self):
        out = os.path.join(self.folder, "out.npy")
        call = ["run", self.write("k.ttir", UNEQUAL), "--device", support.OPENCL, "--grid", "4", "--mesh", "4", "--mesh-mapping", "group", "--arg",
                "*i32:128:iota", "--arg", f"*i32:4:zero:out={out}"]
        self.fails(1, *call, "--mapping", "simt", says=["must reach each barrier equally often, and this kernel's do not"])
        # One work-item a program sums without barriers.
        self.succeeds(*call, "--mapping", "vector")
        self.assertEqual(numbers(out, "i"), [(p + 1) * sum(range(128)) for p in range(4)])

    def test_programs_wait_for_each_other_in_loops(self):
        out = os.path.join(self.folder, "out.npy")
        text = self.write("k.ttir", CHAIN)
        for device in ["cpu"] + ([support.OPENCL] if support.with_opencl() else []):
            self.succeeds("run", text, "--device", device, "--grid", "2", "--mesh", "2", "--arg", f"*i32:2:zero:out={out}")
            self.assertEqual(numbers(out, "i"), [0, 1])
        if support.with_opencl():
            self.fails(1, "run", text, "--device", support.OPENCL, "--mapping", "vector", "--grid", "4", "--mesh", "4", "--mesh-mapping", "group", "--arg", "*i32:4:zero",
                       says=["must reach each barrier"])

    def test_the_example_multiplies_from_a_bundle(self):
        example = os.path.join(support.BUILD, "bin", "shift_gemm")
        if not os.path.exists(example):
            self.skipTest("the examples are not built")
        bundle = os.path.join(self.folder, "k.trtb")
        targets = ["cpu"] + ([support.OPENCL] if support.with_opencl() else [])
        options = [word for target in targets for word in ("--target", target)]
        self.succeeds("bundle", "create", "-o", bundle, *options, os.path.join(ROOT, "examples", "shift_gemm", "shift_gemm.ttir"))
        devices = ["cpu"] + ([support.OPENCL, support.OPENCL + "=split"] if support.with_opencl() else [])
        done = subprocess.run([example, bundle, *devices], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("as fibres", done.stdout)
        if support.with_opencl():
            self.assertIn("as group", done.stdout)
            self.assertIn("as split", done.stdout)


if __name__ == "__main__":
    support.main()
