# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""find_package.py CMAKE BUILD EXAMPLE CXX COMPILES: installs BUILD into a fresh prefix and uses it from outside. COMPILES: 1 where the build has
the compiler; without it the example must say what is missing."""
import os
import shutil
import subprocess
import sys
import tempfile


def run(*command, **options):
    print("+", " ".join(command), flush=True)
    subprocess.run(command, check=True, **options)


def fails(*command, env, says):
    print("+", " ".join(command), flush=True)
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode != 1 or says not in done.stderr + done.stdout:
        sys.exit(f"exit 1 and a message with '{says}' expected, not exit {done.returncode}: {done.stdout}{done.stderr}")


def main():
    cmake, build, example, compiler, compiles = sys.argv[1:]
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
        if compiles == "1":
            run(os.path.join(out, "vector_add"), "cpu", env=clean)
        else:
            fails(os.path.join(out, "vector_add"), "cpu", env=dict(clean, TRITONRT_CACHE_DIR=scratch), says="libtritonrt-compiler.so")
        run(os.path.join(prefix, "bin", "tritonrt"), "devices", env=clean)


if __name__ == "__main__":
    main()
