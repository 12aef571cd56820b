# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mesh.py TRITONRT DEVICE TOOL [OPTION…]: products, gathers and scatters by programs that talk, in several sizes and types, are right."""
import os
import subprocess
import sys
import tempfile


def main():
    tritonrt, device, tool, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "cases")
        subprocess.run([sys.executable, tool, "cases", folder], check=True)
        return subprocess.run([tritonrt, "replay", "--isolate", "--device", device, *options, folder]).returncode


if __name__ == "__main__":
    sys.exit(main())
