# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TRITONRT_TRACE and TRITONRT_CAPTURE, from outside: what the files hold, and that a captured
launch replays."""

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop(1)
TRITONRT = os.path.join(BUILD, "bin", "tritonrt")
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
KERNEL = os.path.join(SOURCE, "examples", "vector_add", "vector_add.ttir")
CASES = os.path.join(SOURCE, "tests", "kernels")
DEVICES = ["cpu"] + (["opencl"] if os.environ.get("TRITONRT_WITH_OPENCL") == "1" else [])
ADD = ["--grid", "3", "--arg", "*f32:3000:rand", "--arg", "*f32:3000:rand", "--arg", "*f32:3000:zero",
       "--arg", "i32:3000"]


def tritonrt(*arguments, **environment):
    return subprocess.run([TRITONRT, *arguments], env={**os.environ, **environment}, text=True,
                          capture_output=True, timeout=600)


def npy(path):
    with open(path, "rb") as file:
        data = file.read()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    return data[start:]


class Trace(unittest.TestCase):
    def test_holds_compilation_copies_and_the_kernel(self):
        for device in DEVICES:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "trace.json")
                for expected in ("compile", "cache hit"):
                    result = tritonrt("run", KERNEL, "--device", device, *ADD,
                                      TRITONRT_TRACE=path, TRITONRT_CACHE_DIR=folder + "/cache")
                    self.assertEqual(result.returncode, 0, result.stderr)
                    with open(path) as file:
                        events = json.load(file)["traceEvents"]
                    spans = {}
                    for event in events:
                        if event["ph"] == "X":
                            self.assertGreaterEqual(event["dur"], 0)
                            spans.setdefault(event["cat"], []).append(event)
                    self.assertEqual([e["name"] for e in spans["kernel"]], ["vector_add"])
                    self.assertEqual([e["name"] for e in spans[expected]], ["vector_add"])
                    copies = [e["name"] for e in spans["copy"]]
                    self.assertEqual(copies, ["copy from host"] * 3)
                    self.assertGreater(spans["kernel"][0]["ts"], spans[expected][0]["ts"])
                    named = [e["args"]["name"] for e in events if e["name"] == "thread_name"]
                    self.assertTrue(any(device in name for name in named), named)

    def test_a_file_that_cannot_be_written_is_an_error(self):
        result = tritonrt("run", KERNEL, *ADD, TRITONRT_TRACE="/no/such/folder/trace.json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write TRITONRT_TRACE='/no/such/folder/trace.json'", result.stderr)


class Capture(unittest.TestCase):
    def test_a_run_is_saved_as_a_launch_that_passes_everywhere(self):
        for device in DEVICES:
            with tempfile.TemporaryDirectory() as folder:
                result = tritonrt("run", KERNEL, "--device", device, *ADD, TRITONRT_CAPTURE=folder)
                self.assertEqual(result.returncode, 0, result.stderr)
                with open(os.path.join(folder, "index.json")) as file:
                    (entry,) = json.load(file)["cases"]
                with open(os.path.join(folder, entry["dir"], "case.json")) as file:
                    case = json.load(file)
                self.assertEqual(case["reference"], "captured")
                self.assertEqual(case["grid"], [3, 1, 1])
                x, y, out = case["buffers"]
                self.assertNotIn("expected", x)
                self.assertEqual((out["rtol"], out["atol"]), (1e-5, 1e-5))
                values = [struct.unpack("<3000f", npy(os.path.join(folder, entry["dir"], name)))
                          for name in (x["file"], y["file"], out["expected"])]
                for a, b, c in zip(*values):
                    self.assertEqual(struct.unpack("<f", struct.pack("<f", a + b))[0], c)
                for path in (folder, os.path.join(folder, entry["dir"])):
                    replay = tritonrt("replay", path, *[f"--device={d}" for d in DEVICES])
                    self.assertEqual(replay.returncode, 0, replay.stdout + replay.stderr)

    def test_a_changed_expectation_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            tritonrt("run", KERNEL, *ADD, TRITONRT_CAPTURE=folder)
            (name,) = [n for n in os.listdir(folder) if n.startswith("vector_add")]
            path = os.path.join(folder, name, "b2.out.npy")
            with open(path, "r+b") as file:
                file.seek(-4, os.SEEK_END)
                file.write(struct.pack("<f", 77.0))
            self.assertIn("FAIL", tritonrt("replay", folder).stdout)

    def test_recorded_launches_survive_being_captured_again(self):
        with tempfile.TemporaryDirectory() as folder:
            first = tritonrt("replay", CASES, "--jobs", "2", TRITONRT_CAPTURE=folder)
            again = tritonrt("replay", folder, "--jobs", "2")
            bad = [line for line in again.stdout.splitlines() if not line.startswith("PASS")]
            self.assertEqual(again.returncode, 0, "\n".join(bad[:5]))
            self.assertGreater(first.stdout.count("PASS"), 10)


if __name__ == "__main__":
    unittest.main()
