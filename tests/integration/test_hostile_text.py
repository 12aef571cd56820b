# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Malformed and hostile texts end in bounded time with one message, or are accepted where that is right."""
import json
import os
import sys

import mutations
import support

CORPUS = os.environ.get("TRITONRT_CORPUS", "")
TABLE = os.path.join(CORPUS, "hostile", "hostile.json")


class Hostile(support.CommandTest):
    def test_each(self):
        with open(TABLE) as file:
            entries = json.load(file)
        for entry in entries:
            path = os.path.join(CORPUS, entry["file"])
            with self.subTest(entry["file"]):
                for stage in mutations.STAGES if support.with_opencl() else ("cpu", ):
                    self.assertEqual(mutations.fault_of(self.binary, path, stage, self.env), "", stage)
                done = self.tritonrt("inspect", path, "--stage", "llvm", timeout=20)
                self.assertIn(done.returncode, (0, 1), done.stderr[-500:])
                if entry["must"] != "either":
                    self.assertEqual(done.returncode, 0 if entry["must"] == "accept" else 1, done.stderr[-500:])
                if done.returncode == 1:
                    self.assertRegex(done.stderr.splitlines()[0], r"error: .")


if __name__ == "__main__":
    if not os.path.exists(TABLE):
        print(f"skipped: no {TABLE}")
        sys.exit(77)
    support.main()
