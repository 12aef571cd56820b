# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of torch as arguments."""
import pytest

torch = pytest.importorskip("torch")

import kernels


def test_tensors():
    x, y = torch.randn(1000), torch.randn(1000)
    out = torch.empty(1000)
    kernels.add[(4,)](x, y, out, 1000, BLOCK=256)
    torch.testing.assert_close(out, x + y, rtol=0, atol=0)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.int64])
def test_types(dtype):
    x = torch.arange(-50, 50).to(dtype)
    out = torch.empty_like(x)
    kernels.add[(1,)](x, x, out, 100, BLOCK=128)
    torch.testing.assert_close(out, x + x, rtol=0, atol=0)


def test_views_of_one_storage():
    memory = torch.arange(256, dtype=torch.float32)
    expected = memory.clone()
    expected[1:201] = memory[:200]
    kernels.shift[(1,)](memory[:200], memory[1:201], 200, BLOCK=256)
    torch.testing.assert_close(memory, expected, rtol=0, atol=0)


def test_parameters_and_empty_tensors():
    x = torch.nn.Parameter(torch.randn(100))
    out = torch.empty(100)
    kernels.add[(1,)](x, x, out, 100, BLOCK=128)
    torch.testing.assert_close(out, (x + x).detach(), rtol=0, atol=0)
    kernels.add[(1,)](torch.empty(0), torch.empty(0), torch.empty(0), 0, BLOCK=16)
