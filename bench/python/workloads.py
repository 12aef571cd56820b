# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compare.py times. Each workload makes (run, eager, out): run() fills out with the kernel, eager() is the same in torch."""
import torch
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, inside) + tl.load(y + i, inside), inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row + i, i < columns, -float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row + i, e / tl.sum(e, 0), i < columns)


@triton.jit
def layer_norm(x, weight, bias, out, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    i = tl.arange(0, BLOCK)
    inside = i < columns
    v = tl.load(x + row + i, inside, 0.0)
    mean = tl.sum(v, 0) / columns
    centred = tl.where(inside, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, 0) / columns + epsilon)
    tl.store(out + row + i, centred * scale * tl.load(weight + i, inside) + tl.load(bias + i, inside), inside)


@triton.jit
def matmul(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    n = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    k = tl.arange(0, BK)
    left, right = a + m * K + k[None, :], b + k[:, None] * N + n
    sums = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        sums = tl.dot(tl.load(left), tl.load(right), sums)
        left += BK
        right += BK * N
    tl.store(c + m * N + n, sums)


@triton.jit
def attention(q, k, v, out, scale, LENGTH: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1) * LENGTH * D
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    queries = tl.load(q + head + m[:, None] * D + d[None, :]) * scale
    largest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, D), tl.float32)
    for start in range(0, LENGTH, BN):
        n = start + tl.arange(0, BN)
        keys = tl.load(k + head + n[None, :] * D + d[:, None])
        scores = tl.dot(queries, keys)
        new = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp(scores - new[:, None])
        keep = tl.exp(largest - new)
        total = total * keep + tl.sum(weights, 1)
        values = tl.load(v + head + n[:, None] * D + d[None, :])
        sums = tl.dot(weights, values, sums * keep[:, None])
        largest = new
    tl.store(out + head + m[:, None] * D + d[None, :], sums / total[:, None])


def make_add(small):
    n = 1 << (16 if small else 24)
    x, y, out = torch.randn(n), torch.randn(n), torch.empty(n)
    return lambda: add[(triton.cdiv(n, 4096),)](x, y, out, n, BLOCK=4096), lambda: x + y, out


def make_softmax(small):
    rows, columns = 64 if small else 4096, 1024
    x = torch.randn(rows, columns)
    out = torch.empty_like(x)
    return lambda: softmax[(rows,)](x, out, columns, BLOCK=1024), lambda: torch.softmax(x, -1), out


def make_layer_norm(small):
    rows, columns = 64 if small else 4096, 1024
    x, weight, bias = torch.randn(rows, columns), torch.randn(columns), torch.randn(columns)
    out = torch.empty_like(x)
    return (lambda: layer_norm[(rows,)](x, weight, bias, out, columns, 1e-5, BLOCK=1024),
            lambda: torch.nn.functional.layer_norm(x, (columns,), weight, bias, 1e-5), out)


def make_matmul(small):
    size = 128 if small else 1024
    a, b, out = torch.randn(size, size), torch.randn(size, size), torch.empty(size, size)
    grid = (size // 64, size // 64)
    return lambda: matmul[grid](a, b, out, size, size, BM=64, BN=64, BK=32), lambda: a @ b, out


def make_attention(small):
    heads, length, d = 1 if small else 8, 256 if small else 1024, 64
    q, k, v = (torch.randn(heads, length, d) for _ in range(3))
    out = torch.empty_like(q)
    return (lambda: attention[(length // 64, heads)](q, k, v, out, d**-0.5, LENGTH=length, D=d, BM=64, BN=64),
            lambda: torch.softmax(q @ k.transpose(1, 2) * d**-0.5, -1) @ v, out)


WORKLOADS = {"vector add 16777216": make_add, "softmax 4096 x 1024": make_softmax, "layer norm 4096 x 1024": make_layer_norm,
             "matrix product 1024": make_matmul, "attention 8 x 1024 x 64": make_attention}
# How many times the small form fits into the whole.
SCALE = {"vector add 16777216": 256, "softmax 4096 x 1024": 64, "layer norm 4096 x 1024": 64, "matrix product 1024": 512,
         "attention 8 x 1024 x 64": 128}
