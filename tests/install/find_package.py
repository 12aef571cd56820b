# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""find_package.py CMAKE BUILD EXAMPLE CXX: installs BUILD into a fresh prefix and uses it from outside."""
import os
import shutil
import subprocess
import sys
import tempfile


def run(*command, **options):
    print("+", " ".join(command), flush=True)
    subprocess.run(command, check=True, **options)


def main():
    cmake, build, example, compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        # Another name than at installation: what is installed must not depend on where it lies.
        first, prefix, out = (os.path.join(scratch, name) for name in ("first", "prefix", "out"))
        run(cmake, "--install", build, "--prefix", first, stdout=subprocess.DEVNULL)
        os.rename(first, prefix)
        source = os.path.join(scratch, "source")
        shutil.copytree(example, source)
        run(cmake, "-S", source, "-B", out, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_PREFIX_PATH={prefix}",
            stdout=subprocess.DEVNULL)
        run(cmake, "--build", out, stdout=subprocess.DEVNULL)
        clean = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
        run(os.path.join(out, "vector_add"), "cpu", env=clean)
        run(os.path.join(prefix, "bin", "tritonrt"), "devices", env=clean)


if __name__ == "__main__":
    main()
