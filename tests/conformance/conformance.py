# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""conformance.py TRITONRT DEVICE FOLDER [--mapping M] [--jobs N] [--mesh-mapping M] [--num-warps N]
    [--target KEY=VALUE[,...]] [--exact-memory]

Replays every launch of FOLDER (index.json, case.json) on DEVICE, each in a process of its own. All are required but those
named below, of which it tells how many pass. Exit 77 where FOLDER or DEVICE is absent."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

# Recorded with expected values that contradict the text, and why. They are reported among the others.
CONTRADICTORY = {
    # x % y is floor(x / y) in the text of these versions; the values are those of a later version's fmod.
    "own_math_float32__t30", "own_math_float32__t32",
    # Made by an interpreter that loses the carry from mantissa to exponent: -31.05 is nearest to -32 in f8E4M3FN, the value says -16.
    "conch_fp8_quant",
}

def listed(folder):
    """The names of the launches that index.json lists."""
    with open(os.path.join(folder, "index.json")) as file:
        return {entry["name"] for entry in json.load(file)["cases"]}


def with_warps(folder, count, copy):
    """The launches of `folder` for `count` warps a program, in `copy`."""
    with open(os.path.join(folder, "index.json")) as file:
        index = json.load(file)
    for entry in index["cases"]:
        source, made = os.path.join(folder, entry["dir"]), os.path.join(copy, entry["dir"])
        shutil.copytree(source, made)
        with open(os.path.join(source, "case.json")) as file:
            case = json.load(file)
        with open(os.path.join(made, "case.json"), "w") as file:
            json.dump(dict(case, num_warps=count), file)
    with open(os.path.join(copy, "index.json"), "w") as file:
        json.dump(index, file)
    return copy


def present(tritonrt, device):
    """Is DEVICE here? Only one asked for by name may be absent."""
    driver, _, name = device.partition(":")
    if driver != "opencl" or not name or name == "portable":
        return True
    listing = subprocess.run([tritonrt, "devices", "--json"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return any(d["name"] != "cpu" and name.lower() in (d["platform"] + d["device"]).lower() for d in json.loads(listing))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tritonrt")
    parser.add_argument("device")
    parser.add_argument("folder")
    parser.add_argument("--mapping", help="in place of the device's own")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--mesh-mapping")
    parser.add_argument("--num-warps", type=int, help="in place of the launches' own")
    parser.add_argument("--target", help="as of `tritonrt replay`")
    parser.add_argument("--exact-memory", action="store_true", help="as of `tritonrt replay`")
    options = parser.parse_args()
    if not os.path.exists(os.path.join(options.folder, "index.json")):
        print(f"skipped: no recorded launches in {options.folder}")
        return 77
    if not present(options.tritonrt, options.device):
        print(f"skipped: no device {options.device}")
        return 77
    launches = listed(options.folder)
    others = launches & CONTRADICTORY
    needed = launches - others

    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report.json")
        folder = with_warps(os.path.abspath(options.folder), options.num_warps, os.path.join(scratch, "launches")) if options.num_warps else options.folder
        command = [options.tritonrt, "replay", "--isolate", "--jobs", options.jobs, "--device", options.device, "--json", report, folder]
        if options.mesh_mapping:
            command += ["--mesh-mapping", options.mesh_mapping]
        if options.exact_memory:
            command.insert(2, "--exact-memory")
        if options.target:
            command[2:2] = ["--target", options.target]
        if options.mapping:
            command[2:2] = ["--mapping", options.mapping]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if not os.path.exists(report):
            print(done.stdout[-4000:])
            print(f"replay wrote no report and exited with {done.returncode}")
            return 1
        with open(report) as file:
            results = {r["name"]: r for r in json.load(file)["results"]}

    missing = sorted(launches - set(results))
    passed = {name for name, result in results.items() if result["status"] == "PASS"}
    for name in sorted(needed - passed):
        result = results.get(name, {"status": "MISSING", "message": ""})
        print(f"{result['status']} {name} {result.get('message', '')}")
    print(f"{options.device}: required {len(needed & passed)} of {len(needed)}, others {len(others & passed)} of {len(others)}")
    if missing:
        print(f"{len(missing)} launches are not in the report")
    return 0 if needed and needed <= passed and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
