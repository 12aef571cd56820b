# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers, local memory and conversions of kernels that can be counted by hand, ops that must cost nothing, and what is said
where a kernel needs more than a device has."""
import os
import sys

import support

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(support.HERE)), "tools"))
import kernel_costs

ROOT = os.path.dirname(os.path.dirname(support.HERE))
# 128 work-items, 4 warps of 32.
ITEMS = 128


def bench(name):
    return os.path.join(ROOT, "bench", "kernels", "ttir", "3.9", name + ".ttir")


def own(name):
    return os.path.join(support.case(name), "kernel.ttir")


def pointers(name, pointer, offsets, shape):
    kind = f"tensor<{shape}x!tt.ptr<f32>>"
    return (f"    %{name}s = tt.splat %{pointer} : !tt.ptr<f32> -> {kind}\n"
            f"    %{name} = tt.addptr %{name}s, %{offsets} : {kind}, tensor<{shape}xi32>\n")


def offsets(name, rows, columns, row_step, column_step):
    """%NAME[r, c] = r row_step + c column_step."""
    text = ""
    for part, size, axis, step, shape in (("r", rows, 1, row_step, f"{rows}x1"), ("c", columns, 0, column_step, f"1x{columns}")):
        n = name + part
        text += (f"    %{n}0 = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>\n"
                 f"    %{n}1 = tt.expand_dims %{n}0 {{axis = {axis} : i32}} : tensor<{size}xi32> -> tensor<{shape}xi32>\n"
                 f"    %{n}2 = arith.constant dense<{step}> : tensor<{shape}xi32>\n"
                 f"    %{n}3 = arith.muli %{n}1, %{n}2 : tensor<{shape}xi32>\n"
                 f"    %{n}4 = tt.broadcast %{n}3 : tensor<{shape}xi32> -> tensor<{rows}x{columns}xi32>\n")
    return text + f"    %{name} = arith.addi %{name}r4, %{name}c4 : tensor<{rows}x{columns}xi32>\n"


def flat(name, size):
    return f"    %{name} = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>\n"


def load(name, at, shape):
    return f"    %{name} = tt.load %{at} : tensor<{shape}x!tt.ptr<f32>>\n"


def store(at, name, shape):
    return f"    tt.store %{at}, %{name} : tensor<{shape}x!tt.ptr<f32>>\n"


def kernel(body):
    return "module {\n  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {\n" + body + "    tt.return\n  }\n}\n"


F = "tensor<{}xf32>".format
SHAPES = {
    "reshape":
        flat("i", 1024) + offsets("j", 16, 64, 64, 1) + pointers("p", "x", "i", "1024") + pointers("q", "y", "j", "16x64") + load("a", "p", "1024") +
        f"    %b = tt.reshape %a : {F('1024')} -> {F('16x64')}\n" + store("q", "b", "16x64"),
    "trans":
        offsets("i", 16, 64, 64, 1) + offsets("j", 64, 16, 1, 64) + pointers("p", "x", "i", "16x64") + pointers("q", "y", "j", "64x16") +
        load("a", "p", "16x64") + f"    %b = tt.trans %a {{order = array<i32: 1, 0>}} : {F('16x64')} -> {F('64x16')}\n" + store("q", "b", "64x16"),
    "join":
        flat("i", 512) + offsets("j", 512, 2, 2, 1) + pointers("p", "x", "i", "512") + pointers("q", "y", "i", "512") + pointers("o", "z", "j", "512x2") +
        load("a", "p", "512") + load("b", "q", "512") + f"    %c = tt.join %a, %b : {F('512')} -> {F('512x2')}\n" + store("o", "c", "512x2"),
    "split":
        flat("i", 512) + offsets("j", 512, 2, 2, 1) + pointers("p", "x", "j", "512x2") + pointers("q", "y", "i", "512") + pointers("o", "z", "i", "512") +
        load("a", "p", "512x2") + f"    %b, %c = tt.split %a : {F('512x2')} -> {F('512')}\n" + store("q", "b", "512") + store("o", "c", "512"),
    "broadcast":
        offsets("i", 16, 1, 1, 1) + offsets("j", 16, 64, 64, 1) + pointers("p", "x", "i", "16x1") + pointers("q", "y", "j", "16x64") +
        load("a", "p", "16x1") + f"    %b = tt.broadcast %a : {F('16x1')} -> {F('16x64')}\n" + store("q", "b", "16x64"),
}


class Costs(support.CommandTest):
    def setUp(self):
        super().setUp()
        if not support.with_opencl():
            self.skipTest("no OpenCL")

    def costs(self, file, target="any", *options):
        os.environ["TRITONRT_CACHE_DIR"] = self.env["TRITONRT_CACHE_DIR"]
        found = kernel_costs.costs(self.binary, file, kernel_costs.TARGETS[target], options)
        self.assertIsNotNone(found, file)
        return found

    def test_counted_by_hand(self):
        """Items, barriers, local bytes and conversions. Buffers begin at multiples of 64 bytes."""
        # Of 128 partial sums 16 at a time are combined, then the 8 that are left: 128 and 8 floats. Each reduction passes a barrier in
        # each of its two rounds. In a warp items read each other's registers, so that the 4 warps' sums take one round.
        reduction, in_warps = 128 * 4 + 64, 64
        for file, target, expected in (
            (bench("vector_add"), "any", (ITEMS, 0, 0, 0)),
            (bench("softmax_1024"), "any", (ITEMS, 4, 2 * reduction, 0)),
            (bench("softmax_1024"), "NVIDIA", (ITEMS, 2, 2 * in_warps, 0)),
            # Of 64 elements each on one item, 8 and 8 neighbours at a time. A pair of operands has places for the items that do what others
            # do as well.
            (own("scan_affine"), "any", (ITEMS, 2, 2 * (128 * 4 + 64), 0)),
            (own("scan_affine"), "NVIDIA", (ITEMS, 1, 2 * 64, 0)),
            # The tile of 16 x 16 is written by rows and read by columns.
            (own("transpose_in_place_by_op"), "any", (ITEMS, 1, 16 * 16 * 4, 1)),
            # Two tiles of 64 x 64 with 16 bytes behind each row, one after the other in the same bytes: filled and read, filled again once all have read and what they
            # stored is seen, and read again.
            (own("turn_twice"), "any", (ITEMS, 3, 64 * 64 * 4 + 64 * 16, 2)),
        ):
            with self.subTest(os.path.relpath(file, ROOT), target=target):
                self.assertEqual(tuple(self.costs(file, target)[:4]), expected)

    def test_warps_are_asked_for(self):
        for warps in (1, 2, 8):
            # Partial sums go in rounds of 16 at most.
            found = self.costs(bench("softmax_1024"), "any", "--num-warps", str(warps))
            self.assertEqual(found.items, 32 * warps)
            rounds = -(-(5 + warps.bit_length() - 1) // 4)
            self.assertEqual(found.barriers, 2 * rounds)
            self.assertEqual(self.costs(bench("vector_add"), "any", "--num-warps", str(warps))[:4], (32 * warps, 0, 0, 0))

    def test_shapes_cost_nothing(self):
        for name, body in SHAPES.items():
            with self.subTest(name):
                file = self.write(name + ".ttir", kernel(body))
                self.assertEqual(tuple(self.costs(file)), (ITEMS, 0, 0, 0, 0))
                for device in ("cpu", support.OPENCL):
                    mapped = self.succeeds("inspect", file, "--device", device, "--mapping", "vector", "--stage", "mapped")
                    self.assertNotIn("mem.alloc", mapped)

    def refuses(self, text, says, *options, mapping="simt"):
        file = self.write("large.ttir", text)
        self.fails(1, "inspect", file, "--device", "opencl", "--mapping", mapping, "--stage", "opencl", *options, says=says)

    def spills(self, text, *options, mapping="simt"):
        file = self.write("large.ttir", text)
        written = self.succeeds("inspect", file, "--device", "opencl", "--mapping", mapping, "--stage", "opencl", *options)
        self.assertIn("mesh_own + 0", written)

    def test_too_large_lies_in_global_memory_or_says_what_would_fit(self):
        # Stored transposed to where it came from: 128 x 128 floats in local memory.
        body = (offsets("i", 128, 128, 128, 1) + pointers("p", "x", "i", "128x128") + load("a", "p", "128x128") +
                f"    %b = tt.trans %a {{order = array<i32: 1, 0>}} : {F('128x128')} -> {F('128x128')}\n" + store("p", "b", "128x128"))
        text = kernel(body)
        self.spills(text, "--target", "type=gpu,local_bytes=49152")
        self.refuses(text, ("large.ttir:2:", "work-groups of 1024 work-items (num_warps=32)", "at most 256", "num_warps=8 would fit"),
                     "--target", "type=gpu,local_bytes=98304,max_work_group=256", "--num-warps", "32")
        # One work-item a program has the tile for itself.
        wide = kernel(body.replace("128", "1024"))
        self.spills(wide, "--target", "type=cpu,local_bytes=49152", mapping="vector")


if __name__ == "__main__":
    support.main()
