# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is linked to what, and what a process opens: LLVM only for a compile, OpenCL only for an OpenCL device."""
import glob
import os
import re
import shutil
import subprocess
import unittest

import support


def needed(library):
    text = subprocess.run(["readelf", "-d", library], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def library(name):
    return os.path.join(support.BUILD, "lib", f"lib{name}.so")


class Linking(unittest.TestCase):
    def test_library_needs_no_llvm_and_no_opencl(self):
        for name in needed(library("tritonrt")):
            self.assertNotRegex(name, r"LLVM|MLIR|clang|lld|OpenCL|tritonrt-")

    def test_compiler_links_shared_llvm_and_never_clang(self):
        names = " ".join(needed(library("tritonrt-compiler")))
        self.assertIn("libMLIR.so", names)
        self.assertIn("libLLVM", names)
        self.assertNotIn("clang", names)
        self.assertNotIn("OpenCL", names)

    @unittest.skipUnless(support.with_opencl(), "built without OpenCL")
    def test_opencl_driver_links_the_loader_only(self):
        names = " ".join(needed(library("tritonrt-opencl")))
        self.assertIn("libOpenCL.so", names)
        self.assertNotRegex(names, r"LLVM|MLIR")

    def test_library_exports_its_own_names_only(self):
        text = subprocess.run(["nm", "-D", "-C", "--defined-only", library("tritonrt")], check=True, stdout=subprocess.PIPE, text=True).stdout
        names = [line.split(" ", 2)[2] for line in text.splitlines() if line.split(" ", 2)[1] in "TDBR"]
        self.assertTrue(names)
        self.assertEqual([n for n in names if "tritonrt" not in n and not n.startswith("trt_")], [])

    def test_build_id_lies_beside_the_compiler(self):
        with open(library("tritonrt-compiler")[:-3] + ".build-id") as file:
            self.assertRegex(file.read(), r"\A[0-9a-f]{32}\n\Z")


class Opening(support.CommandTest):
    def add(self, device="cpu", **env):
        return self.tritonrt("run", os.path.join(support.case("add_masked_tail"), "kernel.ttir"), "--device", device, "--grid", "3", "--arg", "*f32:75:rand",
                             "--arg", "*f32:75:rand", "--arg", "*f32:75:zero", "--arg", "i32:75", **env)

    def opened(self, **options):
        """The libraries that a run opened, and what it printed."""
        log = os.path.join(self.folder, "opened")
        done = self.add(LD_DEBUG="files", LD_DEBUG_OUTPUT=log, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = ""
        for path in glob.glob(log + ".*"):
            with open(path, errors="replace") as file:
                text += file.read()
            os.remove(path)
        return set(re.findall(r"calling init: (\S+)", text)), done.stdout

    def test_warm_process_opens_no_llvm(self):
        cold, said = self.opened()
        self.assertIn("compile compiled", said)
        self.assertTrue([l for l in cold if "libLLVM" in l])
        warm, said = self.opened()
        self.assertIn("compile cached", said)
        self.assertEqual([l for l in warm if re.search(r"LLVM|MLIR|tritonrt-compiler|OpenCL", l)], [])

    @unittest.skipUnless(support.with_opencl(), "built without OpenCL")
    def test_warm_opencl_process_leaves_the_compiler_shut(self):
        self.opened(device=support.OPENCL)
        warm, said = self.opened(device=support.OPENCL)
        self.assertIn("compile cached", said)
        self.assertEqual([l for l in warm if re.search(r"libMLIR|tritonrt-compiler", l)], [])

    def strip_installation(self):
        """A copy of the command and the library without compiler and OpenCL driver."""
        for folder in ("bin", "lib"):
            os.mkdir(os.path.join(self.folder, folder))
        shutil.copy2(self.binary, os.path.join(self.folder, "bin"))
        for path in glob.glob(library("tritonrt") + "*") + glob.glob(library("tritonrt-compiler")[:-3] + ".build-id"):
            shutil.copy2(path, os.path.join(self.folder, "lib"))
        self.binary = os.path.join(self.folder, "bin", "tritonrt")

    def test_without_compiler_and_opencl_the_cache_serves(self):
        self.assertEqual(self.add().returncode, 0)
        self.strip_installation()
        done = self.add()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("compile cached", done.stdout)
        self.assertIn("cpu", self.succeeds("devices"))

    def test_without_compiler_a_miss_is_a_clear_error(self):
        self.strip_installation()
        done = self.add()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("compiler", done.stderr)

    def test_without_the_driver_opencl_is_a_clear_error(self):
        self.strip_installation()
        done = self.add(device="opencl")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("opencl", done.stderr.lower())


if __name__ == "__main__":
    support.main()
