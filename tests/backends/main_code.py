# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""main_code.py ROOT: the main code and its build files name no backend.

Backends live in folders named for them; what is outside of those, and is no interface for users, must not name one."""
import os
import re
import sys

# Users name devices, hand over objects of OpenCL and choose the host's threads, on which copies run; drivers and compiled code agree
# on a form.
INTERFACES = ("src/cli/", "src/c/", "runtime/opencl_objects.cc", "runtime/parallel_for.cc", "compiler/api/kernel_abi.h")
FOLDERS = ("compiler", "runtime", "cache", "src", "cmake")


def code(path):
    """The file's lines without comments."""
    with open(path) as file:
        text = file.read()
    if path.endswith((".txt", ".cmake", ".in")):
        text = re.sub(r"#[^\n]*", "", text)
    else:
        text = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", "", m[0]), text, flags=re.S)
    return text.splitlines()


def main():
    root = sys.argv[1]
    folders = [os.path.join("compiler", "backends"), "runtime", "backends"]
    own = {os.path.join(f, name) for f in folders for name in os.listdir(os.path.join(root, f))
           if os.path.exists(os.path.join(root, f, name, "CMakeLists.txt"))}
    names = {os.path.basename(folder) for folder in own}
    pattern = re.compile(r"(?<![a-z])(" + "|".join(sorted(names)) + r")(?![a-z])", re.I)
    files = [os.path.join(root, "CMakeLists.txt")]
    for folder in FOLDERS:
        for at, _, found in os.walk(os.path.join(root, folder)):
            files += [os.path.join(at, name) for name in found if name.endswith((".h", ".cc", ".cpp", ".txt", ".cmake", ".in"))]
    wrong = 0
    for path in sorted(files):
        name = os.path.relpath(path, root)
        if name.startswith(INTERFACES) or any(name.startswith(folder + os.sep) for folder in own):
            continue
        for number, line in enumerate(code(path), 1):
            line = line.replace("opencl_objects.cc", "")
            if pattern.search(line) and not line.startswith("project("):
                print(f"{name}:{number}: {line.strip()}")
                wrong += 1
    print(f"{len(files)} files, {wrong} lines name one of {', '.join(sorted(names))}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
