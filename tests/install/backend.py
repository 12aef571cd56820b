# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""backend.py CMAKE BUILD PROJECT CXX DEVICE KERNELS: installs BUILD into a fresh prefix, copies PROJECT, a backend, out of the tree, builds
it against the installation, runs its own tests, and then the conformance suite on DEVICE.

Exit code 77 where DEVICE is not there."""
import os
import shutil
import subprocess
import sys
import tempfile


def run(*command, **options):
    print("+", " ".join(command), flush=True)
    subprocess.run(command, check=True, **options)


def main():
    cmake, build, project, compiler, device, kernels = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as scratch:
        first, prefix, source, out = (os.path.join(scratch, name) for name in ("first", "prefix", "source", "out"))
        run(cmake, "--install", build, "--prefix", first, stdout=subprocess.DEVNULL)
        os.rename(first, prefix)
        # The installation's own must not stand in for what is built here.
        for name in os.listdir(os.path.join(prefix, "lib", "tritonrt-backends")):
            if name.endswith(".so"):
                os.remove(os.path.join(prefix, "lib", "tritonrt-backends", name))
        shutil.copytree(project, source)
        run(cmake, "-S", source, "-B", out, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_PREFIX_PATH={prefix}",
            "-DCMAKE_BUILD_TYPE=Release", stdout=subprocess.DEVNULL)
        run(cmake, "--build", out, stdout=subprocess.DEVNULL)
        os.environ["TRITONRT_BACKEND_PATH"] = os.path.join(out, "backends")
        tritonrt = os.path.join(prefix, "bin", "tritonrt")
        devices = subprocess.run([tritonrt, "devices"], check=True, stdout=subprocess.PIPE, text=True).stdout
        if not any(line.startswith(device + ":") for line in devices.splitlines()):
            print(f"skipped: no device '{device}' here\n{devices}")
            return 77
        run("ctest", "--test-dir", out, "--output-on-failure")
        run(sys.executable, os.path.join(here, "..", "conformance", "conformance.py"), tritonrt, device, kernels)
    return 0


if __name__ == "__main__":
    sys.exit(main())
