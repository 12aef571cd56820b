# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tritonrt inspect`: each stage prints, and the cache serves the second run of a kernel."""
import os

import support


def kernel(name):
    return os.path.join(support.case(name), "kernel.ttir")


class Stages(support.CommandTest):
    def test_each_stage_prints(self):
        expected = dict(tt="tt.load", tile="tile.load", nests="nests.nest", linalg="linalg.generic", opencl="__kernel", llvm="define", asm="trt_entry")
        for stage, text in expected.items():
            device = support.OPENCL if stage == "opencl" else "cpu"
            if stage == "opencl" and not support.with_opencl():
                continue
            with self.subTest(stage):
                self.assertIn(text, self.succeeds("inspect", kernel("reduce_twice_2d"), "--stage", stage, "--device", device))

    def test_mapped_ends_with_figures(self):
        last = self.succeeds("inspect", kernel("add_masked_tail"), "--stage", "mapped").splitlines()[-1]
        self.assertRegex(last, r"work_items=\d+ local_bytes=\d+ barriers=\d+ converts=\d+")

    def test_second_run_is_cached(self):
        for device in ["cpu"] + ([support.OPENCL] if support.with_opencl() else []):
            call = ["run", kernel("programs_3d"), "--grid", "3,4,2", "--arg", "*i32:24", "--device", device]
            self.assertIn("compile compiled", self.succeeds(*call))
            self.assertIn("compile cached", self.succeeds(*call))


if __name__ == "__main__":
    support.main()
