# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that the tests launch."""
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, inside) + tl.load(y + i, inside), inside)


@triton.jit
def scalars(out, a, b, c, d, flag):
    tl.store(out, a.to(tl.float64))
    tl.store(out + 1, b.to(tl.float64))
    tl.store(out + 2, c.to(tl.float64))
    tl.store(out + 3, d.to(tl.float64))
    tl.store(out + 4, tl.where(flag, 1.0, 0.0).to(tl.float64))


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    n = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    sums = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        left = tl.load(a + m * K + k[None, :], (m < M) & (k[None, :] < K), 0.0)
        right = tl.load(b + k[:, None] * N + n, (k[:, None] < K) & (n < N), 0.0)
        sums = tl.dot(left, right, sums)
    tl.store(c + m * N + n, sums, (m < M) & (n < N))


@triton.jit
def shift(x, y, n, BLOCK: tl.constexpr):
    # y may be x moved by one element: all is read before anything is written.
    i = tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, i < n), i < n)


@triton.jit
def add_pair(pair, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(pair[0] + i, i < n) * pair[1], i < n)


@triton.jit
def copy_block(source, target, row, column, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    i = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(target + i, source.load([row, column]))


@triton.jit
def divide_and_rest(a0, a1, b0, b1):
    return a0 // b0, a1 // b1, a0 % b0, a1 % b1


@triton.jit
def divide_pairs(x, y, quotients, rests, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    quotient, rest = tl.map_elementwise(divide_and_rest, tl.load(x + i), tl.load(y + i), pack=2)
    tl.store(quotients + i, quotient)
    tl.store(rests + i, rest)


@triton.jit
def float8_and_back(x, wide, back, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i).to(tl.float16)
    tl.store(wide + i, v)
    tl.store(back + i, v.to(tl.float8e4b15))


@triton.jit
def show(x, BLOCK: tl.constexpr):
    tl.device_print("x: ", tl.load(x + tl.arange(0, BLOCK)))


@triton.jit
def functions(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(out + i, libdevice.tanh(v) + libdevice.erf(v))
