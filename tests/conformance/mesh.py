# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mesh.py TRITONRT DEVICE TOOLS [OPTION…]: programs that talk give the right values: products, gathers and scatters, and kernels made at random.

With --check-races among the options those that race, and no others, are found to.
"""
import os
import subprocess
import sys
import tempfile

import mesh_programs

PROGRAMS = 40


def write_random(tle_kernels, folder, races):
    os.makedirs(folder)
    cases = tle_kernels.Cases(folder)
    seed = 0
    while len(cases.index) < PROGRAMS:
        program = mesh_programs.Program(tle_kernels.Builder, seed, races)
        if program.has_race == races:
            output = mesh_programs.np.full(program.expected.shape, 77, program.expected.dtype)
            cases.add(f"talk_{seed}", program.text, "talk", program.mesh, [program.input], output, program.expected, 0, 0, grid=program.grid, scalars=[program.steps])
        seed += 1
    cases.finish()


def main():
    tritonrt, device, tools, *options = sys.argv[1:]
    sys.path.insert(0, tools)
    import tle_kernels
    with tempfile.TemporaryDirectory() as scratch:
        ordered, racing, products = (os.path.join(scratch, name) for name in ("ordered", "racing", "products"))
        replay = [tritonrt, "replay", "--isolate", "--device", device, *options]
        write_random(tle_kernels, ordered, races=False)
        tle_kernels.write_cases(products)
        failed = subprocess.run([*replay, products, ordered]).returncode
        if "--check-races" in options:
            write_random(tle_kernels, racing, races=True)
            output = subprocess.run([*replay, racing], stdout=subprocess.PIPE, text=True).stdout
            print(output)
            found = sum(line.startswith("FAIL") and " race: " in line for line in output.splitlines())
            failed = failed or found != PROGRAMS
        return failed


if __name__ == "__main__":
    sys.exit(main())
