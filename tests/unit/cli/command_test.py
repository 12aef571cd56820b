# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""command_test.py TRITONRT: drives the command from the outside; exit codes, messages, files."""
import array
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TRITONRT = sys.argv.pop(1)
REPOSITORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
KERNELS = os.path.join(REPOSITORY, "tests", "kernels")
VECTOR_ADD = os.path.join(REPOSITORY, "bench", "kernels", "ttir", "3.9", "vector_add.ttir")
WILD_STORE = """module {
  tt.func public @wild_store(%out: !tt.ptr<i32>, %n: i32) {
    %address = tt.addptr %out, %n : !tt.ptr<i32>, i32
    tt.store %address, %n : !tt.ptr<i32>
    tt.return
  }
}
"""


def call(*arguments, **keywords):
    return subprocess.run([TRITONRT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, **keywords)


def write_npy(path, typecode, descr, values, shape=None):
    """A .npy file as numpy writes it."""
    shape = (len(values), ) if shape is None else shape
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        file.write(array.array(typecode, values).tobytes())


def read_npy(path, typecode):
    """(shape, values)"""
    with open(path, "rb") as file:
        data = file.read()
    size = int.from_bytes(data[8:10], "little")
    shape = eval(data[10:10 + size])["shape"]  # a literal that this test's command wrote
    values = array.array(typecode)
    values.frombytes(data[10 + size:])
    return shape, list(values)


class CommandTest(unittest.TestCase):

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def check(self, result, code, stderr=None):
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        if stderr is not None:
            self.assertIn(stderr, result.stderr.splitlines()[0] if result.stderr else "")

    def add(self, *options, x="*f32:1000:iota", y="*f32:1000:iota", out="*f32:1000", n="i32:1000"):
        return call("run", VECTOR_ADD, "--grid", "1", *options, "--arg", x, "--arg", y, "--arg", out, "--arg", n)


class Calls(CommandTest):

    def test_help(self):
        for command in ([], ["run"], ["replay"], ["inspect"], ["devices"]):
            result = call(*command, "--help")
            self.check(result, 0)
            self.assertIn("Usage:", result.stdout)

    def test_wrong_calls(self):
        for arguments in ([], ["fly"], ["run"], ["run", VECTOR_ADD], ["devices", "--yaml"], ["replay"], ["inspect", VECTOR_ADD],
                          ["inspect", VECTOR_ADD, "--stage", "soup"], ["inspect", VECTOR_ADD, "--stage", "tt", "--device", "toaster"],
                          ["run", VECTOR_ADD, "--grid", "1,2,3,4"], ["run", VECTOR_ADD, "--grid", "x"],
                          ["run", VECTOR_ADD, "--grid", "1", "--arg", "f33:1"], ["run", VECTOR_ADD, "--grid", "1", "--arg", "@0"],
                          ["run", VECTOR_ADD, "--grid", "1", "--num-warps", "0"], ["replay", KERNELS, "--filter", "no_such_*"],
                          ["replay", KERNELS, "--timeout", "-1"], ["replay", KERNELS, "--mapping", "diagonal"]):
            result = call(*arguments)
            self.check(result, 2)
            self.assertNotEqual(result.stderr, "", arguments)

    def test_the_cpu_has_no_simt_mapping(self):
        for arguments in (["run", VECTOR_ADD, "--grid", "1"], ["inspect", VECTOR_ADD, "--stage", "tt"], ["replay", KERNELS]):
            self.check(call(*arguments, "--device", "cpu", "--mapping", "simt"), 2, "simt")

    def test_devices(self):
        result = call("devices", "--json")
        self.check(result, 0)
        devices = json.loads(result.stdout)
        self.assertEqual(devices[0]["name"], "cpu")
        for device in devices:
            self.assertEqual(set(device), {"name", "platform", "device", "type", "driver", "compute_units", "local_bytes", "global_bytes", "sub_groups",
                                           "fp16", "fp64", "mapping"})
        self.assertIn("cpu", call("devices").stdout)

    def test_a_closed_pipe_is_an_error(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        try:
            result = subprocess.run([TRITONRT, "devices"], stdout=write_end, stderr=subprocess.PIPE, text=True, timeout=60)
        finally:
            os.close(write_end)
        self.assertEqual(result.returncode, 1)
        self.assertIn("Broken pipe", result.stderr)


class Run(CommandTest):

    def test_adds(self):
        out = self.path("out.npy")
        result = self.add(out="*f32:1000:out=" + out)
        self.check(result, 0)
        lines = result.stdout.splitlines()
        self.assertRegex(lines[0], r"^compile (compiled|cached) [0-9.]+ ms$")
        self.assertRegex(lines[1], r"^run [0-9.]+ ms$")
        self.assertEqual(read_npy(out, "f"), ((1000, ), [2.0 * i for i in range(1000)]))

    def test_files_offsets_and_aliases(self):
        write_npy(self.path("x.npy"), "f", "<f4", [1.5 * i for i in range(64)], (16, 4))
        out = self.path("out.npy")
        # y is x from its third element on; the output replaces x from its second row on.
        self.check(self.add(x="*f32:" + self.path("x.npy") + ":out=" + out, y="@0+8", out="@0+16", n="i32:4"), 0)
        expected = [1.5 * i for i in range(64)]
        expected[4:8] = [1.5 * i + 1.5 * (i + 2) for i in range(4)]
        self.assertEqual(read_npy(out, "f"), ((16, 4), expected))

    def test_what_does_not_fit_is_named(self):
        self.check(call("run", VECTOR_ADD, "--grid", "1", "--arg", "*f32:8"), 1, "argument")
        self.check(self.add(n="f32:1"), 1, "3")
        self.check(self.add(x="*f64:1000"), 1, "0")
        self.check(self.add(x="*f32:4+100"), 1, "argument 0")
        self.check(self.add("--kernel", "nobody"), 1, "nobody")
        for grid in ("0", "65536,65536", "4294967295"):
            self.check(call("run", VECTOR_ADD, "--grid", grid, "--arg", "*f32:8", "--arg", "*f32:8", "--arg", "*f32:8", "--arg", "i32:0"), 1, "grid")

    def test_files_that_cannot_be_read(self):
        self.check(self.add(x="*f32:" + self.path("absent.npy")), 1, "absent.npy")
        self.check(self.add(x="*f32:" + self.scratch.name), 1, "directory")
        for content in (b"", b"module {", b"\x93NUMPY\x01\x00"):
            with open(self.path("bad"), "wb") as file:
                file.write(content)
            self.check(self.add(x="*f32:" + self.path("bad")), 1, "bad")
            self.check(call("run", self.path("bad"), "--grid", "1"), 1, "bad")
        self.check(call("run", self.path("absent.ttir"), "--grid", "1"), 1, "absent.ttir")
        self.check(call("run", self.scratch.name, "--grid", "1"), 1, self.scratch.name)
        self.check(self.add(out="*f32:1000:out=" + self.path("no/folder.npy")), 1, "folder.npy")

    def test_errors_have_a_position(self):
        with open(VECTOR_ADD) as file:
            text = file.read()
        with open(self.path("bad.ttir"), "w") as file:
            file.write(text.replace("arith.addf", "arith.addg"))
        line = 1 + text[:text.index("arith.addf")].count("\n")
        result = call("run", self.path("bad.ttir"), "--grid", "1")
        self.check(result, 1)
        self.assertRegex(result.stderr.splitlines()[0], r"^.*bad\.ttir:%d:\d+: error: .*addg" % line)

    def test_no_such_opencl_device(self):
        self.check(self.add("--device", "opencl:no such thing"), 1, "no such thing")
        self.check(self.add("--device", "opencl:99"), 1, "99")


class Inspect(CommandTest):

    def test_tt_comes_back(self):
        first = call("inspect", VECTOR_ADD, "--stage", "tt")
        self.check(first, 0)
        with open(self.path("again.ttir"), "w") as file:
            file.write(first.stdout)
        again = call("inspect", self.path("again.ttir"), "--stage", "tt")
        self.check(again, 0)
        self.assertEqual(again.stdout, first.stdout)

    def test_mapped_ends_with_a_summary(self):
        result = call("inspect", VECTOR_ADD, "--stage", "mapped")
        self.check(result, 0)
        self.assertEqual(result.stdout.splitlines()[-1], "work_items=1 local_bytes=0 barriers=0 converts=0")


class Replay(CommandTest):

    def copy_case(self, name, change=None):
        folder = self.path(name)
        shutil.copytree(os.path.join(KERNELS, "cases", name), folder)
        if change is not None:
            with open(os.path.join(folder, "case.json")) as file:
                case = json.load(file)
            change(case)
            with open(os.path.join(folder, "case.json"), "w") as file:
                json.dump(case, file)
        return folder

    def make_case(self, name, text, args, buffers):
        folder = self.path(name)
        os.mkdir(folder)
        with open(os.path.join(folder, "kernel.ttir"), "w") as file:
            file.write(text)
        case = {"schema": 1, "name": name, "ttir": "kernel.ttir", "entry": name, "grid": [1, 1, 1], "args": args, "buffers": buffers}
        with open(os.path.join(folder, "case.json"), "w") as file:
            json.dump(case, file)
        return folder

    def wild_store(self):
        folder = self.make_case("wild_store", WILD_STORE,
                                [{"name": "out", "kind": "pointer", "dtype": "*i32", "buffer": "t", "offset_bytes": 0},
                                 {"name": "n", "kind": "scalar", "dtype": "i32", "value": 2000000000}],
                                [{"id": "t", "dtype": "i32", "npy_dtype": "i4", "numel": 1, "file": "t.in.npy"}])
        write_npy(os.path.join(folder, "t.in.npy"), "i", "<i4", [0])
        return folder

    def test_passes(self):
        report = self.path("report.json")
        for options in ([], ["--isolate"], ["--isolate", "--jobs", "2"], ["--jobs", "2"]):
            result = call("replay", "--filter", "add_n_*", "--json", report, *options, KERNELS)
            self.check(result, 0)
            lines = result.stdout.splitlines()
            self.assertTrue(all(line.startswith("PASS add_n_") and line.endswith(" cpu") for line in lines[:-1]), result.stdout)
            self.assertEqual(lines[-1], f"{len(lines) - 1} passed, 0 failed")
            with open(report) as file:
                document = json.load(file)
            self.assertEqual(document["schema"], 1)
            self.assertEqual(len(document["results"]), len(lines) - 1)
            for entry in document["results"]:
                self.assertEqual(set(entry), {"name", "device", "mapping", "status", "message", "compile", "compile_ms", "run_ms"})
                self.assertEqual((entry["status"], entry["mapping"], entry["message"]), ("PASS", "vector", ""))
                self.assertIn(entry["compile"], ("compiled", "cached"))

    def test_a_wrong_value_is_found(self):
        folder = self.copy_case("add_n_31")
        shutil.copy(os.path.join(folder, "out.in.npy"), os.path.join(folder, "out.out.npy"))
        for options in ([], ["--isolate"]):
            result = call("replay", *options, folder)
            self.check(result, 1)
            self.assertRegex(result.stdout, r"^FAIL add_n_31 cpu buffer out\[0\]: got \S+, expected \S+ \(31 of ")
            self.assertEqual(result.stdout.splitlines()[-1], "0 passed, 1 failed")

    def test_a_changed_input_is_found(self):

        def forget_expected(case):
            for buffer in case["buffers"]:
                buffer.pop("expected", None)

        self.assertIn("FAIL add_n_31 cpu buffer out[0]", call("replay", self.copy_case("add_n_31", forget_expected)).stdout)

    def test_a_store_outside_a_buffer_is_found(self):

        def shift(case):
            for argument in case["args"]:
                if argument["name"] == "out":
                    buffer = next(b for b in case["buffers"] if b["id"] == argument["buffer"])
                    argument["offset_bytes"] = 4 * buffer["numel"]
            for buffer in case["buffers"]:
                buffer["check"] = False

        result = call("replay", self.copy_case("add_n_1", shift))
        self.check(result, 1)
        self.assertIn("outside", result.stdout)

    def test_what_must_be_refused(self):

        def must_refuse(case):
            case["must_refuse"] = True

        def refused(case):
            case["must_refuse"] = True
            case["entry"] = "add"
            case["grid"] = [0, 1, 1]

        self.assertIn("FAIL add_n_1 cpu it ran", call("replay", self.copy_case("add_n_1", must_refuse)).stdout)
        result = call("replay", self.copy_case("add_n_31", refused))
        self.check(result, 0)
        self.assertRegex(result.stdout, r"^PASS add_n_31 cpu \S.*grid")
        # A device that is not there refuses nothing.
        self.check(call("replay", self.path("add_n_31"), "--device", "opencl:no such thing"), 1)

    def test_malformed_cases_are_errors(self):
        folder = self.copy_case("add_n_1", lambda case: case["buffers"][0].update(file="../../secret.npy"))
        result = call("replay", folder)
        self.check(result, 1)
        self.assertRegex(result.stdout, r"^ERROR add_n_1 cpu .*secret\.npy")

    def test_a_case_may_have_no_buffer(self):
        text = "module {\n  tt.func public @nothing(%n: i32) {\n    tt.return\n  }\n}\n"
        folder = self.make_case("nothing", text, [{"name": "n", "kind": "scalar", "dtype": "i32", "value": 1}], [])
        self.check(call("replay", folder), 0)

    def test_no_cases(self):
        self.check(call("replay", self.path("absent")), 2, "absent")
        self.check(call("replay", KERNELS, self.scratch.name), 2, self.scratch.name)
        with open(self.path("index.json"), "w") as file:
            file.write('{"cases": []}')
        self.check(call("replay", self.scratch.name), 2, "no cases")
        with open(self.path("index.json"), "w") as file:
            file.write('{"cases": [')
        self.check(call("replay", self.scratch.name), 1, "index.json")

    def test_a_crash_is_an_error(self):
        result = call("replay", "--isolate", "--jobs", "2", self.wild_store(), self.copy_case("add_n_1"))
        self.check(result, 1)
        lines = result.stdout.splitlines()
        self.assertRegex(lines[0], r"^ERROR wild_store cpu crashed: Segmentation fault")
        self.assertEqual(lines[1:], ["PASS add_n_1 cpu", "1 passed, 1 failed"])


if __name__ == "__main__":
    unittest.main()
