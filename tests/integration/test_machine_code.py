# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Properties of machine code that make kernels fast and that no value shows."""
import re

import support
from test_costs import bench, flat, kernel, load, offsets, own, pointers, store

REGION = """    %{result} = "tt.reduce"(%{operand}) <{{axis = {axis} : i32}}> ({{
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      tt.reduce.return %w : f32
    }}) : ({source}) -> {kind}
"""


class MachineCode(support.CommandTest):
    def instructions(self, file):
        """Mnemonics of the kernel on a processor with AVX-512."""
        text = self.succeeds("inspect", file, "--stage", "asm", "--target", "cpu=skylake-avx512")
        return re.findall(r"^\s+([a-z]\w+)\s", text, re.MULTILINE)

    def test_wide_tiles_stay_loops(self):
        """Sixteen times the tile, the same code."""
        with open(bench("softmax_1024")) as file:
            text = file.read()
        lengths = []
        for width in (1024, 16384):
            file = self.write(f"softmax_{width}.ttir", text.replace("1024", str(width)))
            lengths.append(len(self.instructions(file)))
        self.assertAlmostEqual(lengths[1] / lengths[0], 1, delta=0.1)

    def test_short_rows_sum_without_exchanges(self):
        """64 rows of 16: rows lie on lanes, so that lanes exchange nothing for each of them."""
        body = offsets("i", 64, 16, 16, 1) + pointers("p", "x", "i", "64x16") + load("a", "p", "64x16")
        body += REGION.format(result="s", operand="a", axis=1, source="tensor<64x16xf32>", kind="tensor<64xf32>")
        body += flat("j", 64) + pointers("q", "y", "j", "64") + store("q", "s", "64")
        names = self.instructions(self.write("rows.ttir", kernel(body)))
        self.assertIn("vaddps", names)
        exchanges = [n for n in names if re.match(r"v(shuf|perm|movhlps|movshdup|extractf|haddps|unpck)", n)]
        self.assertLess(len(exchanges), 8)

    def test_gathered_rows_load_wide(self):
        """Rows named by loaded numbers: elements of a row are loaded together, and only rows are looked up."""
        names = self.instructions(own("gather_rows"))
        self.assertFalse([n for n in names if "gather" in n])
        self.assertTrue([n for n in names if n.startswith("vmovup")])

    def test_quotients_are_divided(self):
        names = self.instructions(own("divide_by_one_fp32"))
        self.assertIn("vdivps", names)
        self.assertFalse([n for n in names if "rcp" in n])

    def test_indices_of_elements_have_32_bits(self):
        """argmax: the index that goes with an element shares its lanes' width."""
        body = (flat("i", 1024) + pointers("p", "x", "i", "1024") + load("a", "p", "1024") + """    %s:2 = "tt.reduce"(%a, %i) <{axis = 0 : i32}> ({
    ^bb0(%u: f32, %ui: i32, %v: f32, %vi: i32):
      %g = arith.cmpf ogt, %u, %v : f32
      %e = arith.cmpf oeq, %u, %v : f32
      %l = arith.cmpi slt, %ui, %vi : i32
      %el = arith.andi %e, %l : i1
      %t = arith.ori %g, %el : i1
      %w = arith.select %t, %u, %v : f32
      %wi = arith.select %t, %ui, %vi : i32
      tt.reduce.return %w, %wi : f32, i32
    }) : (tensor<1024xf32>, tensor<1024xi32>) -> (f32, i32)
    %f = arith.sitofp %s#1 : i32 to f32
    tt.store %y, %f : !tt.ptr<f32>
""")
        names = self.instructions(self.write("argmax.ttir", kernel(body)))
        self.assertIn("vcmpltps", names)
        self.assertNotIn("vpaddq", names)


if __name__ == "__main__":
    support.main()
