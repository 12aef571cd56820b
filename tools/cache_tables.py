# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cache_tables.py [BUILD]: runs the tests of the cache's faults and races in a build folder and prints what they tried, as tables."""
import json
import os
import subprocess
import sys
import tempfile

HEADS = {
    "Launches with a failing file operation": ("launch", "file operations", "faults injected", "right results", "by operation"),
    "Processes killed with `kill -9`": ("when", "killed", "nothing but that entry lost"),
    "Processes on slow and network file systems": ("file system", "processes", "launches, all right", "kernels", "compiled"),
    "Binaries of an OpenCL driver": ("what the cache had", "steps asked of the driver", "ms", "ms from source"),
    "Races for the same kernels": ("processes", "threads each", "launches", "kernels", "compiled"),
}


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else "build"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tables")
        done = subprocess.run(["ctest", "--test-dir", build, "--output-on-failure", "-R", "^integration.cache"], env=dict(os.environ, TRITONRT_TABLES=path),
                              stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout)
        with open(path) as file:
            rows = [json.loads(line) for line in file]
    for title, head in HEADS.items():
        print(f"\n**{title}**\n")
        for row in (head, ("---",) * len(head), *(row for name, row in rows if name == title)):
            print("| " + " | ".join(str(cell) for cell in row) + " |")


if __name__ == "__main__":
    main()
