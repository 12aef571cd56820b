# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds two vectors with a Triton kernel on the device of TRITONRT_DEVICE (cpu, opencl, ...)."""
import numpy as np
import triton
import triton.language as tl

import tritonrt


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, inside) + tl.load(y + i, inside), inside)


n = 1_000_000
x = tritonrt.array(np.random.rand(n), np.float32)
y = tritonrt.array(np.random.rand(n), np.float32)
out = tritonrt.array(np.zeros(n), np.float32)
add[(triton.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)
assert np.array_equal(out, x + y)
print(f"{n} sums are right")
