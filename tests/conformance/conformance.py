# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""conformance.py TRITONRT DEVICE FOLDER [--jobs N] [--also OP,...]

Replays every launch of FOLDER (index.json, case.json) on DEVICE, each in a process of its own. A launch is required unless
its text holds something that is not claimed yet on OpenCL devices; the test fails where a required launch does, and tells how
many of the others pass. --also requires launches with these ops too. Exit 77 where FOLDER is absent."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

# What is not claimed yet on OpenCL devices, as the texts spell it.
UNCLAIMED = ["tt.dot_scaled", "tt.dot", "tt.histogram", "tt.gather", "tt.atomic_", "tt.call", "tt.print", "tt.assert", "tt.extern_elementwise",
             "tt.elementwise_inline_asm", "tt.map_elementwise", "tt.int_to_ptr", "tt.ptr_to_int", "tt.make_tensor_ptr", "tt.advance", "descriptor",
             "tensordesc", "grid_dependency", "gpu.barrier", "ttg.barrier"]

# Recorded with expected values that contradict the text, and why. They are reported among the others.
CONTRADICTORY = {
    # x % y is floor(x / y) in the text of these versions; the values are those of a later version's fmod.
    "own_math_float32__t30", "own_math_float32__t32",
    # Made by an interpreter that loses the carry from mantissa to exponent: -31.05 is nearest to -32 in f8E4M3FN, the value says -16.
    "conch_fp8_quant",
}

# What the OpenCL devices of the tests cannot run yet. They fail, and are reported among the others.
FAILING_ON_OPENCL = {
    # A mesh of two programs: PoCL ends the process on a work-group of two items with a barrier in a loop, so it is refused.
    "tle_t_ring_v3_bf16",
}


def unclaimed_in(text, claimed):
    """The first thing in a text that is not claimed, or None. A name that ends in a letter is matched whole."""
    for name in UNCLAIMED:
        if name not in claimed and re.search(re.escape(name) + (r"\b" if name[-1].isalpha() and "." in name else ""), text):
            return name
    return None


def read_cases(folder, claimed, excused):
    """{name: required?} of the launches that index.json lists."""
    with open(os.path.join(folder, "index.json")) as file:
        index = json.load(file)
    required = {}
    for entry in index["cases"]:
        with open(os.path.join(folder, entry["dir"], "kernel.ttir"), encoding="utf-8") as file:
            required[entry["name"]] = unclaimed_in(file.read(), claimed) is None and entry["name"] not in excused
    return required


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tritonrt")
    parser.add_argument("device")
    parser.add_argument("folder")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--also", default="")
    parser.add_argument("--list", action="store_true", help="print the required launches and stop")
    options = parser.parse_args()
    if not os.path.exists(os.path.join(options.folder, "index.json")):
        print(f"skipped: no recorded launches in {options.folder}")
        return 77
    if options.device == "cpu":
        required = read_cases(options.folder, UNCLAIMED, CONTRADICTORY)
    else:
        required = read_cases(options.folder, options.also.split(","), CONTRADICTORY | FAILING_ON_OPENCL)
    if options.list:
        print("\n".join(sorted(name for name, need in required.items() if need)))
        return 0

    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report.json")
        command = [options.tritonrt, "replay", "--isolate", "--jobs", options.jobs, "--device", options.device, "--json", report, options.folder]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if not os.path.exists(report):
            print(done.stdout[-4000:])
            print(f"replay wrote no report and exited with {done.returncode}")
            return 1
        with open(report) as file:
            results = {r["name"]: r for r in json.load(file)["results"]}

    missing = sorted(set(required) - set(results))
    passed = {name for name, result in results.items() if result["status"] == "PASS"}
    needed = {name for name, need in required.items() if need}
    others = set(required) - needed
    for name in sorted(needed - passed):
        result = results.get(name, {"status": "MISSING", "message": ""})
        print(f"{result['status']} {name} {result.get('message', '')}")
    print(f"{options.device}: required {len(needed & passed)} of {len(needed)}, others {len(others & passed)} of {len(others)}")
    if missing:
        print(f"{len(missing)} launches are not in the report")
    return 0 if needed and needed <= passed and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
