# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The project's own kernels, broken at random from a fixed seed: no text crashes the compiler, none takes long or much memory, whatever is made of it."""
import glob
import os
import random

import mutations
import support

TEXTS = 60


class Mutated(support.CommandTest):
    def test_each(self):
        files = sorted(glob.glob(os.path.join(support.KERNELS, "cases", "*", "kernel.ttir")))
        texts = []
        for name in files:
            with open(name, encoding="utf-8") as file:
                texts.append(file.read())
        rng = random.Random(20)
        for i in range(TEXTS):
            text, names = mutations.mutated(rng, rng.choice(texts), texts)
            path = self.write("text.ttir", text.encode("utf-8", "surrogatepass"))
            for stage in mutations.STAGES if support.with_opencl() else ("cpu", ):
                with self.subTest(f"{i}: {'+'.join(names)}", stage=stage):
                    self.assertEqual(mutations.fault_of(self.binary, path, stage, self.env), "")


if __name__ == "__main__":
    support.main()
