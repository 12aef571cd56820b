# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a cached kernel depends on, end to end: each part of it changes in turn. And drivers that refuse what they made before."""
import os
import re
import shutil
import subprocess
import sys
import unittest

import support

CHILD, COMPILER, SHIM = "", "", ""
ADD = ["--grid", "3", "--arg", "*f32:75:iota", "--arg", "*f32:75:iota"]


class LaunchTest(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.ttir = os.path.join(support.case("add_masked_tail"), "kernel.ttir")
        self.env["POCL_CACHE_DIR"] = os.path.join(self.folder, "pocl")
        self.out = os.path.join(self.folder, "out.npy")

    def launch(self, *args, **env):
        """Runs the kernel, checks its result, and gives "compiled" or "cached" and the milliseconds that took."""
        said = self.succeeds("run", self.ttir, *ADD, "--arg", f"*f32:75:out={self.out}", "--arg", "i32:75", *args, **env)
        self.assertEqual(support.floats(self.out), tuple(2.0 * i for i in range(75)))
        how, time = re.search(r"compile (\w+) ([0-9.]+) ms", said).groups()
        return how, float(time)

    def differs(self, *args, **env):
        """Such a launch is compiled, once; and what was there before it still is."""
        self.assertEqual(self.launch(*args, **env)[0], "compiled", (args, env))
        self.assertEqual(self.launch(*args, **env)[0], "cached", (args, env))
        self.assertEqual(self.launch()[0], "cached", (args, env))


class Parts(LaunchTest):
    def test_every_option(self):
        self.assertEqual(self.launch()[0], "compiled")
        for args in (["--num-warps", "8"], ["--num-warps", "1"], ["--num-stages", "2"], ["--reference"], ["--target", "math_mode=other"],
                     ["--toolchain", "clang"]):
            if "clang" not in args or shutil.which("clang-22"):
                self.differs(*args)

    def test_the_kernel_of_a_file(self):
        with open(self.ttir) as file:
            text = file.read()
        function = text[text.index("tt.func"):text.rindex("}")]
        self.assertIn("@add(", function)
        self.ttir = self.write("two.ttir", text.replace(function, function + function.replace("@add(", "@also(")))
        self.assertEqual(self.launch("--kernel", "add")[0], "compiled")
        self.assertEqual(self.launch("--kernel", "also")[0], "compiled")

    def test_the_version_of_clang(self):
        """The toolchain that is a program of its own: another one in its place is another toolchain."""
        clang = shutil.which("clang-22")
        if clang is None:
            self.skipTest("no clang-22")
        os.mkdir(os.path.join(self.folder, "bin"))
        there = self.write("bin/clang-22", f"#!/bin/sh\nexec {clang} \"$@\"\n")
        os.chmod(there, 0o755)
        path = os.path.dirname(there) + ":" + os.environ["PATH"]
        self.assertEqual(self.launch("--toolchain", "clang")[0], "compiled")
        self.assertEqual(self.launch("--toolchain", "clang", PATH=path)[0], "compiled")
        self.assertEqual(self.launch("--toolchain", "clang", PATH=path)[0], "cached")
        self.assertEqual(self.launch("--toolchain", "clang")[0], "cached")

    def test_what_the_arguments_promise(self):
        self.assertEqual(self.launch()[0], "compiled")
        for last in (["--arg", "@0", "--arg", "i32:75"], ["--arg", "*f32:76:zero+4", "--arg", "i32:75"]):
            self.assertIn("compile compiled", self.succeeds("run", self.ttir, *ADD, *last))
            self.assertIn("compile cached", self.succeeds("run", self.ttir, *ADD, *last))

    @unittest.skipUnless(support.with_opencl(), "built without OpenCL")
    def test_the_device_its_mapping_and_its_drivers_version(self):
        self.assertEqual(self.launch()[0], "compiled")
        device = ["--device", support.OPENCL]
        self.differs(*device)
        self.differs(*device, "--mapping", "simt")
        if SHIM:
            self.differs(*device, LD_PRELOAD=SHIM, SHIM_DRIVER=" update 1")
            self.differs(*device, LD_PRELOAD=SHIM, SHIM_DRIVER=" update 2")
            self.assertEqual(self.launch(*device)[0], "cached")

    def child(self, *before, compiler=None):
        """How many of one kernel a process compiles that has the compiler without LLVM."""
        done = subprocess.run([*before, CHILD, compiler or COMPILER, "1", "1"], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(done.stdout)

    def test_every_feature_of_the_processor(self):
        emulator = shutil.which("qemu-x86_64")
        if emulator is None:
            self.skipTest("no qemu-x86_64")
        processors = ["Nehalem", "Nehalem,-popcnt", "Nehalem,-sse4.2", "Nehalem,+aes", "Nehalem,+avx", "Nehalem,+avx2", "Nehalem,+fma", "Nehalem,+bmi1",
                      "Nehalem,+bmi2", "Nehalem,+movbe", "Nehalem,+abm", "Nehalem,model=30", "Nehalem,vendor=AuthenticAMD"]
        for processor in processors:
            self.assertEqual(self.child(emulator, "-cpu", processor), 1, processor)
        for processor in processors:
            self.assertEqual(self.child(emulator, "-cpu", processor), 0, processor)

    def test_the_build_of_the_compiler(self):
        """The library and the file beside it, which names its build."""
        self.assertEqual((self.child(), self.child()), (1, 0))
        folder = os.path.join(self.folder, "other")
        shutil.copytree(os.path.dirname(COMPILER), folder)
        other = os.path.join(folder, os.path.basename(COMPILER))
        with open(other, "rb") as file:
            library = file.read()
        self.assertEqual(library.count(b"fake-1\0"), 1)
        with open(other, "wb") as file:
            file.write(library.replace(b"fake-1\0", b"fake-2\0"))
        with open(other.replace(".so", ".build-id"), "w") as file:
            file.write("fake-2\n")
        self.assertEqual((self.child(compiler=other), self.child(compiler=other)), (1, 0))
        self.assertEqual(self.child(), 0)


class Spellings(LaunchTest):
    """With the real compiler: what is the same program."""

    def entries(self):
        return sum(len(files) for _, _, files in os.walk(self.env["TRITONRT_CACHE_DIR"]))

    def test_of_one_program_share_an_artifact(self):
        self.assertEqual(self.launch()[0], "compiled")
        with open(self.ttir) as file:
            text = file.read()
        spellings = {
            "names": re.sub(r"%(\w+)", r"%a_\1", text),
            "space": text.replace("\n", "\n\n   ").replace(" : ", "   :   "),
            "comments": text.replace("\n", "\n\n  // a comment\n"),
            "locations": re.sub(r"%n: i32", '%n: i32 loc("a.py":3:1)', text),
            "line ends": text.replace("\n", "\r\n"),
        }
        for name, spelling in spellings.items():
            self.assertNotEqual(spelling, text, name)
            self.ttir = self.write(name + ".ttir", spelling)
            self.assertEqual(self.launch()[0], "cached", name)
        # Attributes in another order, beside one that is there for it.
        order = ["tt.divisibility = 16 : i32", "tt.pointer_range = 32 : i32"]
        for attributes, expected in ((order, "compiled"), (order[::-1], "cached")):
            self.ttir = self.write("order.ttir", text.replace("{tt.divisibility = 16 : i32}", "{" + ", ".join(attributes) + "}"))
            self.assertEqual(self.launch()[0], expected)

    def test_of_other_programs_do_not(self):
        self.assertEqual(self.launch()[0], "compiled")
        with open(self.ttir) as file:
            text = file.read()
        self.ttir = self.write("other.ttir", text.replace("arith.addf", "arith.maximumf"))
        said = self.succeeds("run", self.ttir, *ADD, "--arg", "*f32:75:zero", "--arg", "i32:75")
        self.assertIn("compile compiled", said)


@unittest.skipUnless(support.with_opencl(), "built without OpenCL")
class Drivers(LaunchTest):
    """Binaries that the driver made once, and may refuse now. The driver has no cache of its own here."""

    def setUp(self):
        super().setUp()
        if not SHIM:
            self.skipTest("nothing can be preloaded")
        self.report = os.path.join(self.folder, "report")

    def launch_there(self, **env):
        """launch() on the device, and the steps that the driver was asked for."""
        shutil.rmtree(self.env["POCL_CACHE_DIR"], ignore_errors=True)
        open(self.report, "w").close()
        how, time = self.launch("--device", support.OPENCL, LD_PRELOAD=SHIM, SHIM_REPORT=self.report, **env)
        with open(self.report) as file:
            return how, file.read().split(), time

    def test_a_binary_spares_building(self):
        how, steps, built = self.launch_there()
        self.assertEqual((how, steps), ("compiled", ["source", "build"]))
        how, steps, loaded = self.launch_there()
        self.assertEqual((how, steps), ("cached", ["binary", "build"]))
        support.table("Binaries of an OpenCL driver", ["found", "binary, build", f"{loaded:.1f}", f"{built:.1f}"])

    def test_one_that_is_refused_is_made_anew_once(self):
        self.launch_there()
        for step in ("create", "build", "kernel"):
            how, steps, time = self.launch_there(SHIM_REFUSE=step)
            tried = ["binary"] if step == "create" else ["binary", "build"]
            self.assertEqual((how, steps), ("cached", tried + ["source", "build"]), step)
            support.table("Binaries of an OpenCL driver", [f"refused at '{step}'", ", ".join(steps), f"{time:.1f}", ""])
            # What was made then is as good as any.
            self.assertEqual(self.launch_there()[:2], ("cached", ["binary", "build"]), step)

    def test_one_that_is_damaged_is_dropped_and_replaced(self):
        """The entry in the cache is sound, what it holds of the driver is not."""
        for damage in ("junk", "head", "empty"):
            self.env["TRITONRT_CACHE_DIR"] = os.path.join(self.folder, damage)
            self.assertEqual(self.launch_there(SHIM_BINARY=damage)[:2], ("compiled", ["source", "build"]))
            self.assertIn(" 0 damaged", self.succeeds("cache", "verify"))
            how, steps, time = self.launch_there()
            self.assertEqual((how, steps[-2:], steps.count("source")), ("cached", ["source", "build"], 1), damage)
            support.table("Binaries of an OpenCL driver", [f"kept {damage}", ", ".join(steps), f"{time:.1f}", ""])
            self.assertEqual(self.launch_there()[:2], ("cached", ["binary", "build"]), damage)


if __name__ == "__main__":
    CHILD, COMPILER = sys.argv.pop(2), sys.argv.pop(2)
    SHIM = sys.argv.pop(2) if len(sys.argv) > 2 and sys.argv[2].endswith(".so") else ""
    support.main()
