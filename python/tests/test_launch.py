# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels launched the way a user of Triton does."""
import types

import numpy as np
import pytest
import triton
import triton.language as tl

import tritonrt
import kernels

rng = np.random.default_rng(0)


def random(*shape):
    return tritonrt.array(rng.uniform(-1, 1, shape), np.float32)


def test_numpy():
    x, y, out = random(1000), random(1000), random(1000)
    kernels.add[(4,)](x, y, out, 1000, BLOCK=256)
    np.testing.assert_array_equal(out, np.asarray(x) + np.asarray(y))


def test_grid_may_be_a_function_and_empty():
    x, y, out = random(1000), random(1000), random(1000)
    kernels.add[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](x, y, out, 1000, BLOCK=512)
    np.testing.assert_array_equal(out, np.asarray(x) + np.asarray(y))
    before = out.copy()
    kernels.add[(0,)](x, x, out, 1000, BLOCK=512)
    np.testing.assert_array_equal(out, before)


def test_scalars():
    out = tritonrt.array(np.zeros(5))
    kernels.scalars[(1,)](out, 7, -(1 << 40), (1 << 64) - 2, 0.1, True)
    np.testing.assert_array_equal(out, [7, -(1 << 40), float((1 << 64) - 2), np.float32(0.1), 1])


def test_arguments_that_overlap():
    memory = tritonrt.array(np.arange(256), np.float32)
    expected = memory.copy()
    expected[1:201] = memory[:200]
    kernels.shift[(1,)](memory[:200], memory[1:201], 200, BLOCK=256)
    np.testing.assert_array_equal(memory, expected)


def test_tuples():
    x, out = random(100), random(100)
    kernels.add_pair[(1,)]((x, 3.0), out, 100, BLOCK=128)
    np.testing.assert_array_equal(out, np.asarray(x) * np.float32(3))


def test_descriptor():
    from triton.tools.tensor_descriptor import TensorDescriptor
    source, target = random(20, 32), random(8, 16)
    kernels.copy_block[(1,)](TensorDescriptor(source, [20, 32], [32, 1], [8, 16]), target, 16, 8, ROWS=8, COLUMNS=16)
    expected = np.zeros((8, 16), np.float32)
    expected[:4] = source[16:, 8:24]
    np.testing.assert_array_equal(target, expected)


def test_descriptor_that_reads_nan_outside():
    from dataclasses import fields

    from triton.tools.tensor_descriptor import TensorDescriptor
    if "padding" not in {field.name for field in fields(TensorDescriptor)}:
        pytest.skip("descriptors of this Triton read zero outside")
    torch = pytest.importorskip("torch")  # Triton itself asks for its types here
    source, target = torch.randn(20, 32), torch.randn(8, 16)
    descriptor = TensorDescriptor(source, [20, 32], [32, 1], [8, 16], padding="nan")
    kernels.copy_block[(1,)](descriptor, target, 16, 8, ROWS=8, COLUMNS=16)
    expected = np.full((8, 16), np.nan, np.float32)
    expected[:4] = source[16:, 8:24]
    np.testing.assert_array_equal(target, expected)


def test_libdevice():
    math = pytest.importorskip("scipy.special")
    x, out = random(64), random(64)
    kernels.functions[(1,)](x, out, BLOCK=64)
    wide = np.asarray(x, np.float64)
    np.testing.assert_allclose(out, np.tanh(wide) + math.erf(wide), rtol=1e-6, atol=1e-6)


def test_autotune_heuristics_and_warmup():
    configs = [triton.Config({"BM": m, "BN": 32, "BK": 16}, num_warps=w) for m, w in ((16, 1), (32, 4))]
    tuned = triton.autotune(configs, key=["M", "N", "K"])(kernels.matmul)
    a, b, c = random(48, 40), random(40, 56), random(48, 56)
    tuned[lambda meta: (triton.cdiv(48, meta["BM"]), triton.cdiv(56, meta["BN"]))](a, b, c, 48, 56, 40)
    np.testing.assert_allclose(c, np.asarray(a, np.float64) @ np.asarray(b, np.float64), rtol=1e-5, atol=1e-5)
    assert tuned.best_config in configs
    guessed = triton.heuristics({"BLOCK": lambda args: triton.next_power_of_2(args["n"])})(kernels.add)
    x, out = random(100), random(100)
    guessed[(1,)](x, x, out, 100)
    np.testing.assert_array_equal(out, 2 * np.asarray(x))
    compiled = kernels.add.warmup(x, x, out, 100, BLOCK=64, grid=(1,))
    assert "tt.func" in compiled.asm["ttir"]


def test_do_bench():
    x, out = random(100), random(100)
    assert triton.testing.do_bench(lambda: kernels.add[(1,)](x, x, out, 100, BLOCK=128), warmup=1, rep=2) > 0


def test_hooks():
    x, out = random(16), random(16)
    seen = []
    hooks = triton.knobs.runtime
    old = hooks.launch_enter_hook, hooks.launch_exit_hook
    hooks.launch_enter_hook = lambda metadata: seen.append(("enter", metadata.get()["name"]))
    hooks.launch_exit_hook = lambda metadata: seen.append(("exit", metadata.get()["name"]))
    try:
        kernels.add[(1,)](x, x, out, 16, BLOCK=16)
    finally:
        hooks.launch_enter_hook, hooks.launch_exit_hook = old
    assert seen == [("enter", "add"), ("exit", "add")]


def test_errors():
    @triton.jit
    def refused(x, BLOCK: tl.constexpr):
        tl.static_assert(BLOCK == 1, "BLOCK must be one")

    with pytest.raises(triton.CompilationError, match="BLOCK must be one"):
        refused[(1,)](random(4), BLOCK=2)
    with pytest.raises(ValueError, match="extent of -1"):
        kernels.add[(-1,)](random(4), random(4), random(4), 4, BLOCK=4)


def test_memory_of_another_device_is_refused():
    class Elsewhere:  # what a tensor of CUDA looks like; its address is none of this process's
        dtype = random(1).dtype

        def data_ptr(self):
            return 16

        def untyped_storage(self):
            return types.SimpleNamespace(device=types.SimpleNamespace(type="cuda"), data_ptr=self.data_ptr, nbytes=lambda: 16)

    with pytest.raises(ValueError, match="which kernels here cannot reach"):
        kernels.add[(1,)](Elsewhere(), random(4), random(4), 4, BLOCK=4)


def test_map_of_pairs():
    if not hasattr(tl, "map_elementwise"):
        pytest.skip("this Triton has no map_elementwise")
    x, y = (tritonrt.array(rng.integers(1, 1000, 64), np.int32) for _ in range(2))
    quotient, rest = (tritonrt.array(np.zeros(64), np.int32) for _ in range(2))
    kernels.divide_pairs[(1,)](x, y, quotient, rest, BLOCK=64)
    np.testing.assert_array_equal(quotient, np.asarray(x) // np.asarray(y))
    np.testing.assert_array_equal(rest, np.asarray(x) % np.asarray(y))


def test_device_print(capsys):
    kernels.show[(2,)](tritonrt.array([3, 5], np.int32), BLOCK=2)
    lines = capsys.readouterr().out.splitlines()
    assert sorted(lines) == sorted(f"pid ({p}, 0, 0) idx ({i}) x: {v}" for p in range(2) for i, v in ((0, 3), (1, 5)))


def test_float8_with_bias_15():
    torch = pytest.importorskip("torch")
    # Every byte is exact in fp16, and comes back.
    codes = torch.arange(256, dtype=torch.uint8)
    wide, back = torch.empty(256, dtype=torch.float16), torch.empty(256, dtype=torch.uint8)
    kernels.float8_and_back[(1,)](triton.reinterpret(codes, tl.float8e4b15), wide,
                                  triton.reinterpret(back, tl.float8e4b15), BLOCK=256)
    sign, exponent, mantissa = (codes >> 7).int(), (codes >> 3 & 15).int(), (codes & 7).int()
    value = torch.where(exponent == 0, mantissa / 8 * 2.0**-14, (1 + mantissa / 8) * 2.0**(exponent - 15))
    torch.testing.assert_close(wide.float(), torch.where(sign == 1, -value, value), rtol=0, atol=0)
    # 1.875 has a code and is taken for the largest value, 1.75.
    expected = torch.where(codes & 0x7F == 0x7F, codes & 0xFE, codes)
    torch.testing.assert_close(back, expected, rtol=0, atol=0)


def test_threads():
    from concurrent.futures import ThreadPoolExecutor

    def work(seed):
        x, out = random(5000), random(5000)
        for _ in range(20):
            kernels.add[(5,)](x, x, out, 5000, BLOCK=1024)
        return np.array_equal(out, 2 * np.asarray(x))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))
