# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""races.py TRITONRT FOLDER: of the launches in FOLDER exactly those that are marked `race` fail with --check-races, with both ops and their lines."""
import json
import os
import re
import subprocess
import sys

SKIPPED = 77


def main():
    tritonrt, folder = sys.argv[1:]
    index = os.path.join(folder, "index.json")
    if not os.path.exists(index):
        print(f"{folder} is not there")
        return SKIPPED
    with open(index, encoding="utf-8") as file:
        racing = {case["name"] for case in json.load(file)["cases"] if case.get("race")}
    output = subprocess.run([tritonrt, "replay", "--isolate", "--check-races", folder], stdout=subprocess.PIPE, text=True).stdout
    print(output)
    failed = {line.split()[1]: line for line in output.splitlines() if re.match(r"FAIL|ERROR", line)}
    named = all(re.search(r"^FAIL .* race: [\w.]+ at \d+, [\w.]+ at \d+$", line) for line in failed.values())
    return 0 if racing and failed.keys() == racing and named else 1


if __name__ == "__main__":
    sys.exit(main())
