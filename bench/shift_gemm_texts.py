# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shift_gemm_texts.py FILE: writes the C++ table of the products by programs that talk, for bench/kernel_texts.h."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools"))
import tle_kernels  # noqa: E402  (the folder is on the path only now)

SIZES = (256, 512, 1024, 2048, 4096)
PROGRAMS = (4, 16, 64)
SMALLEST_PART = 16  # rows and columns of a program
LARGEST_BUFFER = 1 << 20  # elements
# For devices with more units than a ring has programs: programs of a ring, and rings beside each other.
RINGS = ((8, 8), (16, 4))
FEWEST_ROWS = 4  # of a program


def row(size, programs, meshes=1):
    text = tle_kernels.shift_gemm(size, size, size, programs, meshes=meshes)
    return f'    {{{size}, {programs}, {meshes}, R"TTIR({text})TTIR"}},\n'


def fits(size, programs):
    return size // programs >= SMALLEST_PART and size * size // programs <= LARGEST_BUFFER


def main(path):
    rows = [row(size, programs) for size in SIZES for programs in PROGRAMS if fits(size, programs)]
    rows += [row(size, programs, meshes) for size in SIZES for programs, meshes in RINGS
             if fits(size, programs) and size // (programs * meshes) >= FEWEST_ROWS]
    with open(path, "w", encoding="utf-8") as file:
        file.write('#include "bench/kernel_texts.h"\n\nnamespace tritonrt::bench {\n\nconst std::vector<ShiftGemmText> kShiftGemmTexts = {\n'
                   + "".join(rows) + "};\n\n}  // namespace tritonrt::bench\n")


if __name__ == "__main__":
    main(sys.argv[1])
