# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""own_oclgrind.py TRITONRT FOLDER MAPPING [--jobs N] [--timeout S] [NAME...]

Runs the launches of FOLDER, each in a process of its own, on oclgrind's simulated device, and requires right results, no
access outside of memory objects, no barrier that only some work-items reach, and no race: two accesses of which one writes and
which neither a barrier nor the end of the launch orders. Exit 77 where oclgrind is absent."""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Programs of these launches take turns by a lock. Oclgrind does not know the order that a lock makes, so it takes their accesses
# of global memory for races; those in local memory and bad accesses count here too. That the lock orders them is what the launch
# of many programs, named behind, shows by its values on every device.
LOCKED = {
    "count_under_lock_6": "count_under_lock_4096",
    "add_under_lock_6": "add_under_lock_1024",
    "locked_counter": "count_under_lock_4096",
}

# Too many programs for a simulator, and run with few of them.
LARGE = {"count_under_lock_4096": "count_under_lock_6", "add_under_lock_1024": "add_under_lock_6"}

HEAD = re.compile(r"^[A-Z].*", re.MULTILINE)
GLOBAL_RACE = re.compile(r"^(Read-write|Write-write) data race at global memory")
IGNORED = re.compile(r"^Oclgrind: \d+ errors generated")


def findings(log, locked):
    """The first lines of what oclgrind reports; each kind once."""
    kinds = {}
    for line in HEAD.findall(log):
        if IGNORED.match(line) or (locked and GLOBAL_RACE.match(line)):
            continue
        kinds.setdefault(re.sub(r"0x[0-9a-f]+", "...", line), line)
    return list(kinds.values())


def run(options, name):
    """What is wrong with the launch `name`; empty if nothing is."""
    with tempfile.TemporaryDirectory() as scratch:
        log = os.path.join(scratch, "log")
        # Where results race there may be thousands of reports, and another kind behind them.
        # As written: of what clang makes of it with optimisation, oclgrind 21.10 gets some vectors of bits and of sums wrong.
        command = ["oclgrind", "--build-options", "-cl-opt-disable", "--data-races", "--max-errors", "100000", "--log", log, options.tritonrt, "replay", "--exact-memory", "--timeout",
                   str(options.timeout), "--device", "opencl", "--mapping", options.mapping, os.path.join(options.folder, "cases", name)]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=options.timeout + 30)
        except subprocess.TimeoutExpired:
            return [f"it took more than {options.timeout} s"]
        text = ""
        if os.path.exists(log):
            with open(log, errors="replace") as file:
                text = file.read()
    wrong = findings(text, name in LOCKED)
    if done.returncode != 0:
        wrong += done.stdout.strip().splitlines()[-3:] or [f"exit {done.returncode}"]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tritonrt")
    parser.add_argument("folder")
    parser.add_argument("mapping", choices=("vector", "simt"))
    parser.add_argument("names", nargs="*", help="launches (default: all)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=120, help="seconds a launch may take")
    options = parser.parse_intermixed_args()
    if not shutil.which("oclgrind"):
        print("skipped: no oclgrind")
        return 77
    with open(os.path.join(options.folder, "index.json")) as file:
        names = [entry["name"] for entry in json.load(file)["cases"]]
    unknown = {*LOCKED, *LOCKED.values(), *LARGE, *LARGE.values(), *options.names} - set(names)
    if unknown:
        print("no such launches:", ", ".join(sorted(unknown)))
        return 1
    names = options.names or [name for name in names if name not in LARGE]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = dict(zip(names, pool.map(lambda name: run(options, name), names)))
    for name, wrong in results.items():
        for line in wrong:
            print(f"{name}: {line}")
    bad = sum(bool(wrong) for wrong in results.values())
    print(f"{options.mapping}: {len(results) - bad} of {len(results)} launches are clean")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
