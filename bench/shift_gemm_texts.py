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


def main(path):
    rows = [f'    {{{size}, {programs}, R"TTIR({tle_kernels.shift_gemm(size, size, size, programs)})TTIR"}},\n'
            for size in SIZES for programs in PROGRAMS
            if size // programs >= SMALLEST_PART and size * size // programs <= LARGEST_BUFFER]
    with open(path, "w", encoding="utf-8") as file:
        file.write('#include "bench/kernel_texts.h"\n\nnamespace tritonrt::bench {\n\nconst std::vector<ShiftGemmText> kShiftGemmTexts = {\n'
                   + "".join(rows) + "};\n\n}  // namespace tritonrt::bench\n")


if __name__ == "__main__":
    main(sys.argv[1])
