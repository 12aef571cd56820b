# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_pytest.py BUILD_FOLDER: runs python/tests with the first Python that has Triton: TRITONRT_PYTHON, the one that
`./dev setup --with python` makes, or this one. Exits with 77, which is "skipped", where none has."""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def candidates():
    if os.environ.get("TRITONRT_PYTHON"):
        return [os.environ["TRITONRT_PYTHON"]]
    return [os.path.join(ROOT, ".venv", "python", "bin", "python"), sys.executable]


def has_triton(python):
    return os.path.exists(python) and subprocess.run([python, "-c", "import triton, numpy, pytest"],
                                                     capture_output=True).returncode == 0


def main():
    build = os.path.abspath(sys.argv[1])
    python = next(filter(has_triton, candidates()), None)
    if python is None:
        print("no Python with triton, numpy and pytest: ./dev setup --with python makes one")
        return 77
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, PYTHONPATH=os.path.join(build, "python"), TRITON_CACHE_DIR=cache,
                           TRITONRT_COMMAND=os.path.join(build, "bin", "tritonrt"), PYTHONDONTWRITEBYTECODE="1")
        environment.pop("TRITONRT_DEVICE", None)
        return subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", os.path.join(ROOT, "python", "tests")],
                              env=environment).returncode


sys.exit(main())
