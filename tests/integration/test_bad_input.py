# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong input ends with one clear message and exit 1, a wrong call with exit 2; nothing is left half-written."""
import os

import support

ADD = os.path.join(support.KERNELS, "cases", "add_masked_tail", "kernel.ttir")
ARGS = ["*f32:75:rand", "*f32:75:rand", "*f32:75:zero", "i32:75"]

UNKNOWN_OP = """module {
  tt.func public @k(%p: !tt.ptr<f32>) {
    tt.no_such_op %p : !tt.ptr<f32>
    tt.return
  }
}
"""
WRONG_TYPE = """module {
  tt.func public @k(%p: !tt.ptr<f32>, %n: i32) {
    tt.store %p, %n : !tt.ptr<f32>
    tt.return
  }
}
"""


class BadInput(support.CommandTest):
    def run_add(self, code, says, file=ADD, grid="3", args=ARGS, device="cpu", more=(), **env):
        call = ["run", file, "--grid", grid, "--device", device, *more]
        for arg in args:
            call += ["--arg", arg]
        return self.fails(code, *call, says=says, **env)

    def test_missing_file(self):
        self.run_add(1, ["no-such.ttir"], file=os.path.join(self.folder, "no-such.ttir"))

    def test_empty_file(self):
        self.run_add(1, ["empty"], file=self.write("e.ttir", ""))

    def test_unknown_op_has_a_position(self):
        path = self.write("u.ttir", UNKNOWN_OP)
        error = self.run_add(1, ["no_such_op"], file=path, args=["*f32:4"])
        self.assertRegex(error.splitlines()[0], r"u\.ttir:3:\d+: error: ")

    def test_wrong_type_has_a_position(self):
        path = self.write("w.ttir", WRONG_TYPE)
        error = self.run_add(1, [], file=path, args=["*f32:4", "i32:1"])
        self.assertRegex(error.splitlines()[0], r"w\.ttir:3:\d+: error: ")

    def test_missing_kernel(self):
        self.run_add(1, ["nobody"], more=["--kernel", "nobody"])

    def test_argument_count(self):
        self.run_add(1, ["4", "3"], args=ARGS[:3])
        self.run_add(1, ["4", "5"], args=ARGS + ["i32:1"])

    def test_argument_type_names_the_argument(self):
        self.run_add(1, ["3", "n", "i32"], args=ARGS[:3] + ["f32:1.0"])
        self.run_add(1, ["0", "x"], args=["i32:1"] + ARGS[1:])

    def test_grid(self):
        self.run_add(1, ["grid"], grid="0")
        self.run_add(1, ["grid"], grid="65536,65536,2")

    def test_unknown_devices(self):
        self.run_add(1, ["opencl:no-such-vendor"], device="opencl:no-such-vendor")
        self.run_add(1, ["opencl:99"], device="opencl:99")

    def test_no_opencl_device(self):
        nowhere = os.path.join(self.folder, "vendors")
        os.mkdir(nowhere)
        self.run_add(1, ["opencl"], device="opencl", OCL_ICD_VENDORS=nowhere + "/")

    def test_wrong_calls(self):
        self.fails(2, "no-such-command")
        self.fails(2, "run", ADD, "--grid", "three")
        self.fails(2, "run", ADD, "--grid", "1", "--arg", "q77:1")
        self.fails(2, "run", ADD, "--grid", "1", "--device", "cpu", "--mapping", "simt")
        self.fails(2, "inspect", ADD, "--stage", "no-such-stage")
        self.fails(2, "replay", self.folder)

    def test_a_wrong_call_says_what_was_expected(self):
        run = ["run", ADD, "--grid", "1"]
        inspect = ["inspect", ADD, "--stage", "tt"]
        for call, says in ((run + ["--arg", "*f32"], "a buffer is written *TYPE:N or *TYPE:FILE.npy"),
                           (run + ["--arg", "*f32:4:ones"], "zero, iota, rand or rand=SEED expected"),
                           (run + ["--arg", "null+4"], "null takes no suffix"),
                           (run + ["--arg", "*f32:4:out="], "':out=' without a file name"),
                           (run + ["--arg", "hello"], "TYPE:VALUE, *TYPE:N, *TYPE:FILE.npy, @I or null expected"),
                           (run + ["--arg", "i8:300"], "'300' is not a value of type i8"),
                           (run + ["--arg", "@7"], "--arg 0: @7 names no argument with a buffer"),
                           (["run", ADD, "--grid", "1,2,3,4"], "X, X,Y or X,Y,Z expected"),
                           (run + ["--mesh", "0"], "each size is at least 1"),
                           (["run", ADD], "--grid is required"),
                           (run + ["--device", "q?"], "cpu, opencl, opencl:N or opencl:TEXT expected"),
                           (run + ["--key", "k"], "--key is for bundles"),
                           (inspect + ["--target", "cpu"], "KEY=VALUE expected"),
                           (["replay", self.folder], "there are no cases in"),
                           (["replay", support.KERNELS, "--filter", "no-such-case"], "no case's name matches 'no-such-case'"),
                           (["replay", support.KERNELS, "--check-races", "--device", "opencl"], "--check-races works on the device cpu")):
            with self.subTest(call=call[2:]):
                self.fails(2, *call, says=[says])

    def test_nothing_is_left_behind(self):
        self.run_add(1, [], file=self.write("u.ttir", UNKNOWN_OP), args=["*f32:4"])
        cache = self.env["TRITONRT_CACHE_DIR"]
        left = [name for _, _, names in os.walk(cache) for name in names if "tmp" in name or name.endswith(".so")]
        self.assertEqual(left, [])

    def test_output_of_a_failed_run_is_not_written(self):
        target = os.path.join(self.folder, "out.npy")
        self.run_add(1, [], args=ARGS[:2] + [f"*f32:75:zero:out={target}"])
        self.assertFalse(os.path.exists(target))


if __name__ == "__main__":
    support.main()
