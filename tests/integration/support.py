# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the integration tests share: the built command, files to feed it, a fresh cache for each test."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(os.path.dirname(HERE), "kernels")
BUILD = ""
OPENCL = "opencl:portable"


def with_opencl():
    return os.environ.get("TRITONRT_WITH_OPENCL") == "1"


def case(name):
    return os.path.join(KERNELS, "cases", name)


def floats(path):
    """The float32 values of a .npy file."""
    with open(path, "rb") as file:
        data = file.read()
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    return struct.unpack(f"<{(len(data) - start) // 4}f", data[start:])


class CommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.env = dict(os.environ, TRITONRT_CACHE_DIR=os.path.join(self.folder, "cache"))
        self.binary = os.path.join(BUILD, "bin", "tritonrt")

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def tritonrt(self, *args, timeout=120, **env):
        return subprocess.run([self.binary, *args], env={**self.env, **env}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", timeout=timeout)

    def succeeds(self, *args, **env):
        done = self.tritonrt(*args, **env)
        self.assertEqual(done.returncode, 0, f"{args}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def fails(self, code, *args, says=(), **env):
        """Ends with `code` and one message on stderr that holds each text of `says`; nothing of a crash."""
        done = self.tritonrt(*args, **env)
        self.assertEqual(done.returncode, code, f"{args}\n{done.stdout}\n{done.stderr}")
        for text in says:
            self.assertIn(text.lower(), done.stderr.lower(), f"{args}")
        for trace in ("Stack dump", "PLEASE submit", "terminate called", "Assertion"):
            self.assertNotIn(trace, done.stderr)
        return done.stderr


def table(title, row):
    """Adds a row to a table of what was tried, where tools/cache_tables.py asks for them."""
    if path := os.environ.get("TRITONRT_TABLES"):
        with open(path, "a") as file:
            file.write(json.dumps([title, row]) + "\n")


def main():
    global BUILD
    BUILD = sys.argv.pop(1)
    unittest.main(verbosity=2)
