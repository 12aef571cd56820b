# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kernel_costs.py TRITONRT [--write]: what the kernels of tests/kernels and bench/kernels cost a GPU besides arithmetic, under the
SIMT mapping: barriers, local memory, tiles that change work-items through it, and private memory of an item. Prints a table, or
writes it to docs/kernel-costs.md. Needs an OpenCL device, which one does not matter."""
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "kernel-costs.md")
# One that knows nothing but OpenCL 1.2, and one whose work-items read each other's registers.
TARGETS = {"any": "type=gpu,vendor=any,local_bytes=49152,fp16=1,fp64=1", "NVIDIA": "type=gpu,vendor=NVIDIA,local_bytes=49152,fp16=1,fp64=1"}
Costs = collections.namedtuple("Costs", "items barriers local converts private")

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
# What kernels cost besides arithmetic

Made by `tools/kernel_costs.py TRITONRT --write`: the kernels of `tests/kernels` and `bench/kernels` on OpenCL devices of type GPU, SIMT mapping, as compiled for arguments that
do not overlap. First on a device that knows nothing but OpenCL 1.2, then on NVIDIA's, whose work-items of a warp read each other's registers.
*Barriers* are counted in the text, once where a loop passes them often; *local* is a work-group's bytes of local memory; *converts* are tiles that go through it because other items read than make them (partial sums of
reductions go there as well and are none); *private* is an item's bytes of arrays, which drivers keep in registers where they can. Launches of one text are one line.

"""


def costs(tritonrt, file, target, options=()):
    """Of the kernel in `file`; None where the target cannot have it."""
    command = [tritonrt, "inspect", file, "--device", "opencl", "--mapping", "simt", "--stage", "mapped", "--target", target, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        return None
    figures = dict(part.split("=") for part in done.stdout.splitlines()[-1].split())
    private = sum(int(n) for n, rest in re.findall(r"mem\.alloc (\d+) \{([^}]*)\}", done.stdout) if re.search(r"\bown\b", rest))
    return Costs(int(figures["work_items"]), int(figures["barriers"]), int(figures["local_bytes"]), int(figures["converts"]), private)


def launches():
    """(name, file, options) of each text."""
    texts = {}
    with open(os.path.join(ROOT, "tests", "kernels", "index.json")) as file:
        names = [entry["name"] for entry in json.load(file)["cases"]]
    files = [(name, os.path.join(ROOT, "tests", "kernels", "cases", name, "kernel.ttir")) for name in names]
    newest = sorted(glob.glob(os.path.join(ROOT, "bench", "kernels", "ttir", "*")))[-1]
    files += [("bench: " + os.path.basename(f)[:-5], f) for f in sorted(glob.glob(os.path.join(newest, "*.ttir")))]
    for name, path in files:
        with open(path) as file:
            texts.setdefault(file.read(), (name, path))
    return list(texts.values())


def row(name, found):
    cells = [str(cell) for cost in found for cell in (cost[1:] if cost else ["–"] * 4)]
    return f"| {name} | {found[0].items if found[0] else '–'} | " + " | ".join(cells) + " |"


def table(tritonrt):
    def measure(text):
        return [costs(tritonrt, text[1], target) for target in TARGETS.values()]

    texts = launches()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = dict(zip([name for name, _ in texts], pool.map(measure, texts)))
    free = [name for name, both in found.items() if all(cost and not any(cost[1:]) for cost in both)]
    head = "| kernel | items | " + " | ".join(f"{what}, {name}" for name in TARGETS for what in ("barriers", "local", "converts", "private")) + " |"
    rows = [row(name, both) for name, both in found.items() if name not in free]
    lines = [head, "| --- |" + " ---: |" * (1 + 4 * len(TARGETS)), *rows, "", "Nothing of this: " + ", ".join(free) + "."]
    return "\n".join(lines) + "\n"


def main():
    text = table(sys.argv[1])
    if "--write" not in sys.argv:
        print(text, end="")
        return
    with open(PAGE, "w") as file:
        file.write(HEAD + text)


if __name__ == "__main__":
    main()
