# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package from outside: what works without the native library or torch, other devices, recordings."""
import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import tritonrt
import kernels

HERE = os.path.dirname(os.path.abspath(__file__))
ADD = """
import numpy as np, tritonrt, kernels
x = tritonrt.array(np.arange(1000), np.float32)
y, out = tritonrt.array(-2 * x), tritonrt.array(np.zeros(1000), np.float32)
kernels.add[(4,)](x, y, out, 1000, BLOCK=256)
assert np.array_equal(out, x + y)
half = tritonrt.array(np.arange(256), np.float32)
expected = half.copy(); expected[1:201] = half[:200]
kernels.shift[(1,)](half[:200], half[1:201], 200, BLOCK=256)
assert np.array_equal(half, expected)
"""


def python(code, path=(), **environment):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([*path, HERE, os.environ.get("PYTHONPATH", "")]),
                       **environment)
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)


def test_opencl(tmp_path):
    if not any(name.startswith("opencl") for name in tritonrt.devices()):
        pytest.skip("no OpenCL device")
    result = python(ADD, TRITONRT_DEVICE="opencl", TRITON_CACHE_DIR=str(tmp_path))
    assert result.returncode == 0, result.stderr


def test_import_survives_a_missing_library(tmp_path):
    package = os.path.dirname(tritonrt.__file__)
    shutil.copytree(package, tmp_path / "tritonrt", ignore=shutil.ignore_patterns("_core*", "lib", "__pycache__"))
    (tmp_path / "tritonrt-0.0.dist-info").mkdir()
    (tmp_path / "tritonrt-0.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: tritonrt\nVersion: 0\n")
    (tmp_path / "tritonrt-0.0.dist-info" / "entry_points.txt").write_text("[triton.backends]\ncpu = tritonrt\n")
    result = python("import triton\n" + ADD, path=[str(tmp_path)], TRITON_CACHE_DIR=str(tmp_path / "cache"))
    assert "native library cannot be loaded" in result.stderr
    result = python("import triton, tritonrt.compiler, tritonrt.driver", path=[str(tmp_path)])
    assert result.returncode == 0, result.stderr


def test_unknown_device(tmp_path):
    result = python(ADD, TRITONRT_DEVICE="nothing", TRITON_CACHE_DIR=str(tmp_path))
    assert result.returncode == 1 and "nothing" in result.stderr.splitlines()[-1]


def test_record(tmp_path):
    command = os.environ.get("TRITONRT_COMMAND")
    if not command:
        pytest.skip("TRITONRT_COMMAND does not name the command")
    memory = tritonrt.array(np.arange(256), np.float32)
    out = tritonrt.array(np.zeros(100), np.float32)
    with tritonrt.record(tmp_path):
        kernels.shift[(1,)](memory[:200], memory[1:201], 200, BLOCK=256)
        kernels.add[(1,)](memory[:100], memory[100:200], out, 100, BLOCK=128)
    kernels.add[(1,)](memory[:100], memory[100:200], out, 100, BLOCK=128)
    index = json.loads((tmp_path / "index.json").read_text())
    assert len(index["cases"]) == 2
    replayed = subprocess.run([command, "replay", str(tmp_path)], capture_output=True, text=True)
    assert replayed.stdout.splitlines()[-1] == "2 passed, 0 failed", replayed.stdout + replayed.stderr


RECORDED = """
import numpy as np, tritonrt, kernels
memory = tritonrt.array(np.arange(256), np.float32)
kernels.shift[(1,)](memory[:200], memory[1:201], 200, BLOCK=256)
out = tritonrt.array(np.zeros(100), np.float32)
for _ in range(2):
    kernels.add[(1,)](memory[:100], memory[100:200], out, 100, BLOCK=128)
"""


def test_record_of_a_whole_process(tmp_path):
    result = python(RECORDED, TRITONRT_CAPTURE=str(tmp_path / "launches"), TRITON_CACHE_DIR=str(tmp_path))
    assert result.returncode == 0, result.stderr
    folder = tmp_path / "launches"
    cases = [json.loads((folder / entry["dir"] / "case.json").read_text())
             for entry in json.loads((folder / "index.json").read_text())["cases"]]
    assert len(cases[0]["buffers"]) == 1
    # Written once more, the same values: still a result, to which tolerances apply.
    assert [["expected" in buffer for buffer in case["buffers"]] for case in cases] == [[True], [False, True], [False, True]]
    command = os.environ.get("TRITONRT_COMMAND")
    if command:
        replayed = subprocess.run([command, "replay", str(folder)], capture_output=True, text=True)
        assert replayed.stdout.splitlines()[-1] == "3 passed, 0 failed", replayed.stdout + replayed.stderr


def test_export(tmp_path):
    source = os.path.join(HERE, "kernels.py")

    def export(*arguments):
        return subprocess.run([sys.executable, "-m", "tritonrt", "export", *arguments], capture_output=True, text=True,
                              cwd=tmp_path)

    result = export(source + ":add", "--signature", "*fp32:16, *fp32:16, *fp32:16, i32", "--constexpr", "BLOCK=256",
                    "-o", "add.ttir")
    assert result.returncode == 0, result.stderr
    text = (tmp_path / "add.ttir").read_text()
    assert "tt.func public @add" in text and "loc(" not in text and "tt.divisibility = 16" in text
    assert json.loads((tmp_path / "add.json").read_text())["constexprs"] == {"BLOCK": 256}
    result = export(source + ":copy_block", "--signature", "tensordesc<fp32[8,16]>, *fp32, i32, 0", "--constexpr", "ROWS=8",
                    "--constexpr", "COLUMNS=16")
    assert result.returncode == 0 and "!tt.tensordesc" in (tmp_path / "copy_block.ttir").read_text(), result.stderr
    for arguments, message in ((["--signature", "i32"], "BLOCK=VALUE is missing"),
                               (["--constexpr", "BLOCK=4", "--signature", "i32"], "1 types, and 'add' 4 parameters"),
                               (["--constexpr", "SIZE=4"], "has the parameters x, y, out, n, BLOCK")):
        result = export(source + ":add", *arguments)
        assert result.returncode == 2 and message in result.stderr
    assert "it has add, " in export(source + ":nothing").stderr
    command = os.environ.get("TRITONRT_COMMAND")
    if command:
        arguments = ["--arg", "*f32:1000", "--arg", "*f32:1000:iota", "--arg", "*f32:1000", "--arg", "i32:1000"]
        ran = subprocess.run([command, "run", "add.ttir", "--grid", "4", *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        bundled = export(source + ":add", "--signature", "*fp32:16, *fp32:16, *fp32:16, i32", "--constexpr", "BLOCK=256",
                         "-o", "add.trtb")
        assert bundled.returncode == 0, bundled.stderr
        ran = subprocess.run([command, "run", "add.trtb", "--grid", "4", *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        environment = dict(os.environ, TRITONRT_PYTHON=sys.executable)
        through = subprocess.run([command, "export", source + ":add", "--help"], env=environment, capture_output=True, text=True)
        assert "--signature" in through.stdout
        missing = subprocess.run([command, "export", source + ":add"], env=dict(os.environ, TRITONRT_PYTHON="/nonexistent"),
                                 capture_output=True, text=True)
        assert missing.returncode == 1 and "cannot run '/nonexistent'" in missing.stderr
