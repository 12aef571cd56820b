# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile time grows about linearly with the length of a kernel and does not explode with the width of its tiles."""
import os
import re
import sys

import support


def chain(length, width=1024):
    """Loads a tile, passes it through `length` dependent operations, stores it."""
    tile = f"tensor<{width}xf32>"
    pointers = f"tensor<{width}x!tt.ptr<f32>>"
    lines = [
        "module {", "  tt.func public @chain(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {",
        f"    %i = tt.make_range {{end = {width} : i32, start = 0 : i32}} : tensor<{width}xi32>",
        f"    %px0 = tt.splat %x : !tt.ptr<f32> -> {pointers}",
        f"    %px = tt.addptr %px0, %i : {pointers}, tensor<{width}xi32>",
        f"    %py0 = tt.splat %y : !tt.ptr<f32> -> {pointers}",
        f"    %py = tt.addptr %py0, %i : {pointers}, tensor<{width}xi32>",
        f"    %v0 = tt.load %px : {pointers}",
    ]
    for k in range(length):
        operation = ("arith.mulf", "arith.addf", "arith.subf", "arith.maxnumf")[k % 4]
        other = "%v0" if k % 3 else f"%v{max(k - 1, 0)}"
        lines.append(f"    %v{k + 1} = {operation} %v{k}, {other} : {tile}")
    return "\n".join(lines + [f"    tt.store %py, %v{length} : {pointers}", "    tt.return", "  }", "}", ""])


class CompileTime(support.CommandTest):
    def compile_ms(self, text, width):
        path = self.write("chain.ttir", text)
        best = None
        for _ in range(2):
            said = self.succeeds("run", path, "--grid", "1", "--arg", f"*f32:{width}:rand", "--arg", f"*f32:{width}", TRITONRT_CACHE_SIZE="0")
            took = float(re.search(r"compile compiled ([\d.e+-]+) ms", said).group(1))
            best = took if best is None else min(best, took)
        return best

    def test_chains(self):
        times = {length: self.compile_ms(chain(length), 1024) for length in (100, 1000, 10000)}
        print("chains, ms:", times, file=sys.stderr)
        self.assertLess(times[10000], 20 * times[1000])
        self.assertLess(times[1000], 20 * times[100])

    def test_chains_of_emulated_halves(self):
        """Each operation of f16 becomes some thirty where a device has none."""
        if not support.with_opencl():
            self.skipTest("no OpenCL device")
        times = {}
        for length in (200, 2000):
            path = self.write("halves.ttir", chain(length).replace("f32", "f16"))
            before = os.times().children_user
            self.succeeds("inspect", path, "--stage", "opencl", "--device", support.OPENCL, "--mapping", "simt")
            times[length] = os.times().children_user - before
        print("chains of f16, s:", times, file=sys.stderr)
        self.assertLess(times[2000], 20 * times[200])

    def test_wide_tiles(self):
        times = {width: self.compile_ms(chain(100, width), width) for width in (1024, 32768)}
        print("widths, ms:", times, file=sys.stderr)
        self.assertLess(times[32768], 3 * times[1024])


if __name__ == "__main__":
    support.main()
