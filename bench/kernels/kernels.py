# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that are measured. Nothing here depends on sizes: sizes are in items.py."""
import triton
import triton.language as tl
from triton.language.extra import libdevice


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


@triton.jit
def exp_map(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    tl.store(out + at, tl.exp(tl.load(x + at, mask=live)), mask=live)


@triton.jit
def gelu_tanh(x, out, n, BLOCK: tl.constexpr):
    """0.5 v (1 + tanh(u)) with 0.5 (1 + tanh(u)) = 1 / (1 + exp(-2u)): core Triton only."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    v = tl.load(x + at, mask=live)
    u = 0.7978845608028654 * (v + 0.044715 * v * v * v)
    tl.store(out + at, v / (1.0 + tl.exp(-2.0 * u)), mask=live)


@triton.jit
def dropout_rand(x, out, n, p, seed, BLOCK: tl.constexpr):
    """One Philox call per element."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    v = tl.load(x + at, mask=live)
    keep = tl.rand(seed, at) >= p
    tl.store(out + at, tl.where(keep, v / (1.0 - p), 0.0), mask=live)


@triton.jit
def rms_norm(x, weight, out, x_row, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    live = col < cols
    v = tl.load(x + row * x_row + col, mask=live, other=0.0).to(tl.float32)
    rstd = tl.rsqrt(tl.sum(v * v, axis=0) / cols + eps)
    w = tl.load(weight + col, mask=live).to(tl.float32)
    tl.store(out + row * x_row + col, v * rstd * w, mask=live)


@triton.jit
def row_sum(x, out, x_row, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    v = tl.load(x + row * x_row + col, mask=col < cols, other=0.0)
    tl.store(out + row, tl.sum(v, axis=0))


@triton.jit
def row_argmax(x, out, x_row, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    v = tl.load(x + row * x_row + col, mask=col < cols, other=-float("inf"))
    tl.store(out + row, tl.argmax(v, axis=0))


@triton.jit
def cumsum_rows(x, out, x_row, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    live = col < cols
    v = tl.load(x + row * x_row + col, mask=live, other=0.0)
    tl.store(out + row * x_row + col, tl.cumsum(v, axis=0), mask=live)


@triton.jit
def embedding(index, table, out, count, width, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """out[i, :] = table[index[i], :], ROWS rows per program; 64-bit indices."""
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.arange(0, BLOCK)
    which = tl.load(index + r, mask=r < count, other=0)
    inside = (r[:, None] < count) & (c[None, :] < width)
    v = tl.load(table + which[:, None] * width + c[None, :], mask=inside)
    tl.store(out + r[:, None] * width + c[None, :], v, mask=inside)


@triton.jit
def transpose(x, out, rows, cols, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    r = tl.program_id(0) * BLOCK_R + tl.arange(0, BLOCK_R)
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    tile = tl.load(x + r[:, None] * cols + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < cols))
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(tile), mask=(c[:, None] < cols) & (r[None, :] < rows))


@triton.jit
def histogram_atomic(x, counts, n, BLOCK: tl.constexpr):
    """One global atomic per element: heavy contention."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    tl.atomic_add(counts + tl.load(x + at, mask=live, other=0), 1, mask=live)


@triton.jit
def histogram_block(x, counts, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    """A histogram per block (tt.histogram), then one atomic per bin."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    part = tl.histogram(tl.load(x + at, mask=live, other=0), BINS, mask=live)
    tl.atomic_add(counts + tl.arange(0, BINS), part)


@triton.jit
def _online_step(score, top, total, acc, v):
    """Folds one block of scores (base-2 logarithms) and values into the running softmax."""
    new_top = tl.maximum(top, tl.max(score, axis=1))
    p = tl.exp2(score - new_top[:, None])
    fade = tl.exp2(top - new_top)
    total = total * fade + tl.sum(p, axis=1)
    acc = tl.dot(p.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
    return new_top, total, acc


@triton.jit
def attention_pointers(q, k, v, out, lse, scale, q_z, q_h, q_s, k_z, k_h, k_s, v_z, v_h, v_s, o_z, o_h, o_s, H, S,
                       D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    """Axis 0 of the grid: blocks of BM queries; axis 1: batch * heads. Blocks of keys that need no mask first."""
    z = tl.program_id(1) // H
    h = tl.program_id(1) % H
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    tq = tl.load(q + z * q_z + h * q_h + rm[:, None] * q_s + rd[None, :], mask=rm[:, None] < S, other=0.0)
    pk = k + z * k_z + h * k_h + rn[None, :] * k_s + rd[:, None]
    pv = v + z * v_z + h * v_h + rn[:, None] * v_s + rd[None, :]
    to_log2 = scale * 1.4426950408889634
    top = tl.full((BM, ), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM, ), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    if CAUSAL:
        whole = tl.program_id(0) * BM // BN * BN
        end = tl.minimum(tl.program_id(0) * BM + BM, S)
    else:
        whole = S // BN * BN
        end = S
    for begin in range(0, whole, BN):
        tk = tl.load(pk + begin * k_s)
        tv = tl.load(pv + begin * v_s)
        score = tl.dot(tq, tk, input_precision="ieee") * to_log2
        top, total, acc = _online_step(score, top, total, acc, tv)
    for begin in range(whole, end, BN):
        n = begin + rn
        tk = tl.load(pk + begin * k_s, mask=n[None, :] < S, other=0.0)
        tv = tl.load(pv + begin * v_s, mask=n[:, None] < S, other=0.0)
        seen = n[None, :] < S
        if CAUSAL:
            seen = seen & (n[None, :] <= rm[:, None])
        score = tl.where(seen, tl.dot(tq, tk, input_precision="ieee") * to_log2, -float("inf"))
        top, total, acc = _online_step(score, top, total, acc, tv)
    acc = acc / total[:, None]
    po = out + z * o_z + h * o_h + rm[:, None] * o_s + rd[None, :]
    tl.store(po, acc.to(out.dtype.element_ty), mask=rm[:, None] < S)
    tl.store(lse + tl.program_id(1) * S + rm, (top + tl.log2(total)) * 0.6931471805599453, mask=rm < S)


@triton.jit
def gelu_tanh_libdevice(x, out, n, BLOCK: tl.constexpr):
    """The same function through the external tanh (tt.extern_elementwise)."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    v = tl.load(x + at, mask=live)
    u = 0.7978845608028654 * (v + 0.044715 * v * v * v)
    tl.store(out + at, 0.5 * v * (1.0 + libdevice.tanh(u)), mask=live)


@triton.jit
def dropout_rand4x(x, out, n, p, seed, BLOCK: tl.constexpr):
    """One Philox call per four elements; a program covers 4 * BLOCK of them."""
    pid = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    r0, r1, r2, r3 = tl.rand4x(seed, pid * BLOCK + lane)
    at = pid * (4 * BLOCK) + lane
    inv = 1.0 / (1.0 - p)
    v0 = tl.load(x + at, mask=at < n)
    tl.store(out + at, tl.where(r0 >= p, v0 * inv, 0.0), mask=at < n)
    at += BLOCK
    v1 = tl.load(x + at, mask=at < n)
    tl.store(out + at, tl.where(r1 >= p, v1 * inv, 0.0), mask=at < n)
    at += BLOCK
    v2 = tl.load(x + at, mask=at < n)
    tl.store(out + at, tl.where(r2 >= p, v2 * inv, 0.0), mask=at < n)
    at += BLOCK
    v3 = tl.load(x + at, mask=at < n)
    tl.store(out + at, tl.where(r3 >= p, v3 * inv, 0.0), mask=at < n)


@triton.jit
def softmax_online(x, out, x_row, out_row, cols, BLOCK: tl.constexpr):
    """Pass one: running maximum and running sum over pieces of the row; pass two writes."""
    row = tl.program_id(0)
    src = x + row * x_row
    dst = out + row * out_row
    top = -float("inf")
    total = 0.0
    for begin in range(0, cols, BLOCK):
        col = begin + tl.arange(0, BLOCK)
        v = tl.load(src + col, mask=col < cols, other=-float("inf")).to(tl.float32)
        new_top = tl.maximum(top, tl.max(v, axis=0))
        total = total * tl.exp(top - new_top) + tl.sum(tl.exp(v - new_top), axis=0)
        top = new_top
    for begin in range(0, cols, BLOCK):
        col = begin + tl.arange(0, BLOCK)
        v = tl.load(src + col, mask=col < cols, other=-float("inf")).to(tl.float32)
        tl.store(dst + col, tl.exp(v - top) / total, mask=col < cols)


@triton.jit
def row_sum_tile(x, out, x_row, rows, cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """ROWS rows per program, a loop over the columns, one reduction at the end (a 2-D accumulator)."""
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    acc = tl.zeros((ROWS, BLOCK), dtype=tl.float32)
    for begin in range(0, cols, BLOCK):
        c = begin + tl.arange(0, BLOCK)
        inside = (r[:, None] < rows) & (c[None, :] < cols)
        acc += tl.load(x + r[:, None] * x_row + c[None, :], mask=inside, other=0.0)
    tl.store(out + r, tl.sum(acc, axis=1), mask=r < rows)


@triton.jit
def matmul_typed(a, b, c, M, N, K, a_m, a_k, b_k, b_n, c_m, c_n, BM: tl.constexpr, BN: tl.constexpr,
                  BK: tl.constexpr, GROUP: tl.constexpr, ACC: tl.constexpr):
    """matmul_masked with sums of a type that is given."""
    tm, tn = _grouped(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP)
    rm = tm * BM + tl.arange(0, BM)
    rn = tn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * a_m + rk[None, :] * a_k
    pb = b + rk[:, None] * b_k + rn[None, :] * b_n
    acc = tl.zeros((BM, BN), dtype=ACC)
    for begin in range(0, K, BK):
        left = K - begin
        ta = tl.load(pa, mask=(rm[:, None] < M) & (rk[None, :] < left), other=0.0)
        tb = tl.load(pb, mask=(rk[:, None] < left) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(ta, tb, acc, out_dtype=ACC)
        pa += BK * a_k
        pb += BK * b_k
    inside = (rm[:, None] < M) & (rn[None, :] < N)
    tl.store(c + rm[:, None] * c_m + rn[None, :] * c_n, acc.to(c.dtype.element_ty), mask=inside)


@triton.jit
def matmul_wrapped(a, b, c, M, N, K, a_m, a_k, b_k, b_n, c_m, c_n, BM: tl.constexpr, BN: tl.constexpr,
                   BK: tl.constexpr, GROUP: tl.constexpr):
    """Rows and columns beyond the edge wrap around (modulo), so that only K is masked in the loop."""
    tm, tn = _grouped(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP)
    rm = tm * BM + tl.arange(0, BM)
    rn = tn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + (rm % M)[:, None] * a_m + rk[None, :] * a_k
    pb = b + rk[:, None] * b_k + (rn % N)[None, :] * b_n
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        left = K - step * BK
        ta = tl.load(pa, mask=rk[None, :] < left, other=0.0)
        tb = tl.load(pb, mask=rk[:, None] < left, other=0.0)
        acc = tl.dot(ta, tb, acc, input_precision="ieee", out_dtype=tl.float32)
        pa += BK * a_k
        pb += BK * b_k
    inside = (rm[:, None] < M) & (rn[None, :] < N)
    tl.store(c + rm[:, None] * c_m + rn[None, :] * c_n, acc.to(c.dtype.element_ty), mask=inside)


@triton.jit
def matmul_batched(a, b, c, M, N, K, a_z, a_m, b_z, b_k, c_z, c_m, BM: tl.constexpr, BN: tl.constexpr,
                   BK: tl.constexpr):
    """Axis 0 of the grid: tiles; axis 1: the batch. Innermost strides are 1."""
    tiles_n = tl.cdiv(N, BN)
    z = tl.program_id(1)
    rm = (tl.program_id(0) // tiles_n) * BM + tl.arange(0, BM)
    rn = (tl.program_id(0) % tiles_n) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for begin in range(0, K, BK):
        rk = begin + tl.arange(0, BK)
        ta = tl.load(a + z * a_z + rm[:, None] * a_m + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        tb = tl.load(b + z * b_z + rk[:, None] * b_k + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(ta, tb, acc, input_precision="ieee")
    inside = (rm[:, None] < M) & (rn[None, :] < N)
    tl.store(c + z * c_z + rm[:, None] * c_m + rn[None, :], acc.to(c.dtype.element_ty), mask=inside)


@triton.jit
def matmul_split_k(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
                   SPLIT: tl.constexpr):
    """Axis 1 of the grid takes every SPLIT-th piece of K; partial tiles meet in c by atomic adds (c starts at 0)."""
    tm, tn = _grouped(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP)
    rm = tm * BM + tl.arange(0, BM)
    rn = tn * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for begin in range(tl.program_id(1) * BK, K, SPLIT * BK):
        rk = begin + tl.arange(0, BK)
        ta = tl.load(a + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        tb = tl.load(b + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(ta, tb, acc, input_precision="ieee")
    inside = (rm[:, None] < M) & (rn[None, :] < N)
    tl.atomic_add(c + rm[:, None] * N + rn[None, :], acc, mask=inside)


@triton.jit
def matmul_persistent_device_desc(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                                  GROUP: tl.constexpr):
    """A fixed number of programs walks over all tiles; tensor descriptors are made in the kernel."""
    da = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    db = tl.make_tensor_descriptor(b, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    dc = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0), flatten=True):
        tm, tn = _grouped(tile, tiles_m, tiles_n, GROUP)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for begin in range(0, K, BK):
            acc = tl.dot(da.load([tm * BM, begin]), db.load([begin, tn * BN]), acc, input_precision="ieee")
        dc.store([tm * BM, tn * BN], acc.to(c.dtype.element_ty))


@triton.jit
def matmul_persistent_host_desc(da, db, dc, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                                GROUP: tl.constexpr):
    """The same with descriptors that the host made (kernel arguments)."""
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0), flatten=True):
        tm, tn = _grouped(tile, tiles_m, tiles_n, GROUP)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for begin in range(0, K, BK):
            acc = tl.dot(da.load([tm * BM, begin]), db.load([begin, tn * BN]), acc, input_precision="ieee")
        dc.store([tm * BM, tn * BN], acc.to(dc.dtype))


@triton.jit
def attention_device_desc(q, k, v, out, lse, scale, S, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                          CAUSAL: tl.constexpr):
    """Contiguous [heads, S, D] operands; the kernel makes one descriptor per head and operand."""
    head = tl.program_id(1) * S * D
    dq = tl.make_tensor_descriptor(q + head, shape=[S, D], strides=[D, 1], block_shape=[BM, D])
    dk = tl.make_tensor_descriptor(k + head, shape=[S, D], strides=[D, 1], block_shape=[BN, D])
    dv = tl.make_tensor_descriptor(v + head, shape=[S, D], strides=[D, 1], block_shape=[BN, D])
    do = tl.make_tensor_descriptor(out + head, shape=[S, D], strides=[D, 1], block_shape=[BM, D])
    first = tl.program_id(0) * BM
    rm = first + tl.arange(0, BM)
    to_log2 = scale * 1.4426950408889634
    tq = dq.load([first, 0])
    top = tl.full((BM, ), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM, ), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    if CAUSAL:
        whole = first // BN * BN
        end = tl.minimum(first + BM, S)
    else:
        whole = S // BN * BN
        end = S
    for begin in range(0, whole, BN):
        score = tl.dot(tq, dk.load([begin, 0]).T, input_precision="ieee") * to_log2
        top, total, acc = _online_step(score, top, total, acc, dv.load([begin, 0]))
    for begin in range(whole, end, BN):
        n = begin + tl.arange(0, BN)
        seen = n[None, :] < S
        if CAUSAL:
            seen = seen & (n[None, :] <= rm[:, None])
        score = tl.dot(tq, dk.load([begin, 0]).T, input_precision="ieee") * to_log2
        score = tl.where(seen, score, -float("inf"))
        top, total, acc = _online_step(score, top, total, acc, dv.load([begin, 0]))
    do.store([first, 0], (acc / total[:, None]).to(out.dtype.element_ty))
    tl.store(lse + tl.program_id(1) * S + rm, (top + tl.log2(total)) * 0.6931471805599453, mask=rm < S)


@triton.jit
def attention_host_desc(dq, dk, dv, do, lse, scale, S, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                        CAUSAL: tl.constexpr):
    """Host-made descriptors over [heads * S, D]; S must be a multiple of BM and BN (no masks but the causal one)."""
    base = tl.program_id(1) * S
    first = tl.program_id(0) * BM
    rm = first + tl.arange(0, BM)
    to_log2 = scale * 1.4426950408889634
    tq = dq.load([base + first, 0])
    top = tl.full((BM, ), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM, ), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    if CAUSAL:
        whole = first // BN * BN
    else:
        whole = S
    for begin in range(0, whole, BN):
        score = tl.dot(tq, dk.load([base + begin, 0]).T, input_precision="ieee") * to_log2
        top, total, acc = _online_step(score, top, total, acc, dv.load([base + begin, 0]))
    if CAUSAL:
        for begin in range(whole, first + BM, BN):
            n = begin + tl.arange(0, BN)
            score = tl.dot(tq, dk.load([base + begin, 0]).T, input_precision="ieee") * to_log2
            score = tl.where(n[None, :] <= rm[:, None], score, -float("inf"))
            top, total, acc = _online_step(score, top, total, acc, dv.load([base + begin, 0]))
    do.store([base + first, 0], (acc / total[:, None]).to(do.dtype))
    tl.store(lse + base + rm, (top + tl.log2(total)) * 0.6931471805599453)
