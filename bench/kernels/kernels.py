# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that are measured. Nothing here depends on sizes: sizes are in items.py."""
import triton
import triton.language as tl


@triton.jit
def launch_store(out, a, b, c):
    """What a launch itself costs: four arguments, one i32 stored a program."""
    tl.store(out + tl.program_id(0), a + b + c)


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    tl.store(out + at, tl.load(x + at, mask=live) + tl.load(y + at, mask=live), mask=live)


@triton.jit
def softmax_block(x, out, x_row, out_row, cols, BLOCK: tl.constexpr):
    """A program holds its whole row."""
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    live = col < cols
    v = tl.load(x + row * x_row + col, mask=live, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * out_row + col, e / tl.sum(e, axis=0), mask=live)


@triton.jit
def layer_norm(x, weight, bias, out, mean_out, rstd_out, x_row, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    live = col < cols
    v = tl.load(x + row * x_row + col, mask=live, other=0.0).to(tl.float32)
    mean = tl.sum(v, axis=0) / cols
    d = tl.where(live, v - mean, 0.0)
    rstd = 1.0 / tl.sqrt(tl.sum(d * d, axis=0) / cols + eps)
    w = tl.load(weight + col, mask=live).to(tl.float32)
    b = tl.load(bias + col, mask=live).to(tl.float32)
    tl.store(out + row * x_row + col, d * rstd * w + b, mask=live)
    tl.store(mean_out + row, mean)
    tl.store(rstd_out + row, rstd)


@triton.jit
def _grouped(pid, tiles_m, tiles_n, GROUP: tl.constexpr):
    """Tile coordinates of a program: GROUP tile rows are walked column by column, so that B is reused."""
    in_group = GROUP * tiles_n
    first = (pid // in_group) * GROUP
    height = tl.minimum(tiles_m - first, GROUP)
    rest = pid % in_group
    return first + rest % height, rest // height


@triton.jit
def matmul_masked(a, b, c, M, N, K, a_m, a_k, b_k, b_n, c_m, c_n, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    """Pointers that advance along K; all three dimensions masked."""
    tm, tn = _grouped(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP)
    rm = tm * BM + tl.arange(0, BM)
    rn = tn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * a_m + rk[None, :] * a_k
    pb = b + rk[:, None] * b_k + rn[None, :] * b_n
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for begin in range(0, K, BK):
        left = K - begin
        ta = tl.load(pa, mask=(rm[:, None] < M) & (rk[None, :] < left), other=0.0)
        tb = tl.load(pb, mask=(rk[:, None] < left) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(ta, tb, acc, input_precision="ieee")
        pa += BK * a_k
        pb += BK * b_k
    inside = (rm[:, None] < M) & (rn[None, :] < N)
    tl.store(c + rm[:, None] * c_m + rn[None, :] * c_n, acc.to(c.dtype.element_ty), mask=inside)
