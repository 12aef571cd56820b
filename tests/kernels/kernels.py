# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small Triton kernels for the conformance suite. What they mean: a load reads its whole tile, a store writes its whole
tile, in program order. cases.py lists the launches and states the expected memory in numpy."""
import triton
import triton.language as tl


# ---------------------------------------------------------------------------------- loads against stores: one tile
@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    tl.store(out + at, tl.load(x + at, mask=live) + tl.load(y + at, mask=live), mask=live)


@triton.jit
def add_from(x, y, out, start, n, BLOCK: tl.constexpr):
    """Numbers near both ends of 32 bits: how many lanes live does not fit them."""
    i = tl.arange(0, BLOCK)
    live = start + i < n
    tl.store(out + i, tl.load(x + i, mask=live) + tl.load(y + i, mask=live), mask=live)


@triton.jit
def shift_up(x, n, BY: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i + BY, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def shift_down(x, n, BY: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i + BY, mask=i < n), mask=i < n)


@triton.jit
def shift_in_loop(x, n, steps, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for step in range(0, steps):
        tl.store(x + i + 1, tl.load(x + i, mask=i < n) + step, mask=i < n)


@triton.jit
def flip(x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + (n - 1 - i), tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def transpose_by_address(x, N: tl.constexpr):
    r = tl.arange(0, N)[:, None]
    c = tl.arange(0, N)[None, :]
    tl.store(x + c * N + r, tl.load(x + r * N + c))


@triton.jit
def transpose_by_op(x, N: tl.constexpr):
    r = tl.arange(0, N)[:, None]
    c = tl.arange(0, N)[None, :]
    tl.store(x + r * N + c, tl.trans(tl.load(x + r * N + c)))


@triton.jit
def increment_halves(x, BLOCK: tl.constexpr):
    """Two lanes share an element: both read the old value, so it grows by one."""
    p = x + tl.arange(0, BLOCK) // 2
    tl.store(p, tl.load(p) + 1)


@triton.jit
def increment_wrapped(x, m, BLOCK: tl.constexpr):
    p = x + tl.arange(0, BLOCK) % m
    tl.store(p, tl.load(p) + 1)


@triton.jit
def increment_overlapping_rows(x, stride, R: tl.constexpr, C: tl.constexpr):
    """stride < C: rows overlap."""
    p = x + tl.arange(0, R)[:, None] * stride + tl.arange(0, C)[None, :]
    tl.store(p, tl.load(p) + 1)


@triton.jit
def narrow_in_place(x, BLOCK: tl.constexpr):
    """Reads 32-bit elements and writes 16-bit ones through the same base."""
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(x.to(tl.pointer_type(tl.int16)) + i, (v + 1).to(tl.int16))


@triton.jit
def double_into(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n) * 2, mask=i < n)


@triton.jit
def store_both(a, b, n, BLOCK: tl.constexpr):
    """Where a and b overlap the second store wins."""
    i = tl.arange(0, BLOCK)
    tl.store(a + i, i + 100, mask=i < n)
    tl.store(b + i, i + 200, mask=i < n)


@triton.jit
def load_store_load(x, y, before, after, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n, other=0)
    tl.store(y + i, a * 3 + 1, mask=i < n)
    b = tl.load(x + i, mask=i < n, other=0)
    tl.store(before + i, a, mask=i < n)
    tl.store(after + i, b, mask=i < n)


@triton.jit
def load_atomic_load(x, y, before, old, after, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n, other=0)
    o = tl.atomic_add(y + i, i + 1, mask=i < n)
    b = tl.load(x + i, mask=i < n, other=0)
    tl.store(before + i, a, mask=i < n)
    tl.store(old + i, o, mask=i < n)
    tl.store(after + i, b, mask=i < n)


@triton.jit
def store_behind_branch(x, y, out, flag, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n, other=0)
    if flag > 0:
        tl.store(y + i, a + flag, mask=i < n)
    tl.store(out + i, a + tl.load(x + i, mask=i < n, other=0), mask=i < n)


@triton.jit
def read_between_loops(x, out, n, steps, BLOCK: tl.constexpr):
    """The tile read before the loop is used after it, although the loop writes over it."""
    i = tl.arange(0, BLOCK)
    first = tl.load(x + i, mask=i < n, other=0)
    for step in range(0, steps):
        tl.store(x + i, tl.load(x + i, mask=i < n, other=0) + step + 1, mask=i < n)
    tl.store(out + i, first * 1000 + tl.load(x + i, mask=i < n, other=0), mask=i < n)


@triton.jit
def reduce_then_overwrite(x, n, BLOCK: tl.constexpr):
    """Every element becomes the sum of all of them, minus itself."""
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.store(x + i, tl.sum(v, axis=0) - v, mask=i < n)


@triton.jit
def swap_pointers(p, q, steps, BLOCK: tl.constexpr):
    """Double buffering by swapped pointers."""
    i = tl.arange(0, BLOCK)
    for _ in range(0, steps):
        tl.store(q + i, tl.load(p + i) + 1)
        t = p
        p = q
        q = t


# ------------------------------------------------------------------------------------------------- control flow
@triton.jit
def return_early(x, flags, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    if pid * BLOCK >= n:
        return
    if tl.load(flags + pid) == 0:
        tl.store(out + i, -1, mask=i < n)
        return
    tl.store(out + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


@triton.jit
def collatz(x, out):
    """Steps to one: a loop without a count."""
    pid = tl.program_id(0)
    v = tl.load(x + pid)
    steps = 0
    while v != 1:
        if v % 2 == 0:
            v = v // 2
        else:
            v = 3 * v + 1
        steps += 1
    tl.store(out + pid, steps)


@triton.jit
def halve_until_small(x, out, rounds, limit, BLOCK: tl.constexpr):
    """A tile carried by a loop whose condition is a reduction of it."""
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    count = 0
    while tl.sum(v, axis=0) > limit:
        v = v * 0.5
        count += 1
    tl.store(out + i, v)
    tl.store(rounds, count)


@triton.jit
def count_down(x, out, n, BLOCK: tl.constexpr):
    """`while left > 0; left -= BLOCK` with pointers that advance."""
    i = tl.arange(0, BLOCK)
    p = x + i
    acc = tl.zeros((BLOCK, ), dtype=tl.float32)
    left = n
    while left > 0:
        acc += tl.load(p, mask=i < left, other=0.0)
        p += BLOCK
        left -= BLOCK
    tl.store(out, tl.sum(acc, axis=0))


@triton.jit
def loop_may_not_run(bad, out, trips, BLOCK: tl.constexpr):
    """`bad` must not be read when trips is 0."""
    i = tl.arange(0, BLOCK)
    acc = tl.full((BLOCK, ), 7, dtype=tl.int32)
    for _ in range(0, trips):
        acc += tl.load(bad + i)
    tl.store(out + i, acc)


@triton.jit
def load_behind_branch(bad, out, flag, BLOCK: tl.constexpr):
    """`bad` must not be read when flag is 0."""
    i = tl.arange(0, BLOCK)
    v = i
    if flag != 0:
        v = tl.load(bad + i)
    tl.store(out + i, v * 2)


@triton.jit
def branch_on_reduction(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=0.0)
    if tl.sum(v, axis=0) > 0:
        tl.store(out + row * n + i, v + 1.0, mask=i < n)
    else:
        tl.store(out + row * n + i, v - 1.0, mask=i < n)


@triton.jit
def carried_old_and_new(x, out, steps, BLOCK: tl.constexpr):
    """The old maximum is used after the new one was made."""
    i = tl.arange(0, BLOCK)
    m = tl.full((BLOCK, ), -1000.0, dtype=tl.float32)
    s = tl.zeros((BLOCK, ), dtype=tl.float32)
    for step in range(0, steps):
        v = tl.load(x + step * BLOCK + i)
        new = tl.maximum(m, v)
        s = s + (new - v)
        s = s * 0.5 + (new - m) * 0.001
        m = new
    tl.store(out + i, s)


@triton.jit
def nested_loops(x, out, rows, cols, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, ), dtype=tl.int32)
    for r in range(0, rows):
        part = tl.zeros((BLOCK, ), dtype=tl.int32)
        for c in range(0, cols, BLOCK):
            at = c + i
            part += tl.load(x + r * cols + at, mask=at < cols, other=0)
        total += part * (r + 1)
    tl.store(out + i, total)


@triton.jit
def step_down(x, out, n, BLOCK: tl.constexpr):
    """A range with a negative step."""
    i = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, ), dtype=tl.int32)
    for at in range(n - BLOCK, -1, -BLOCK):
        acc = acc * 3 + tl.load(x + at + i)
    tl.store(out + i, acc)


# -------------------------------------------------------------------------------------------- masks and addresses
@triton.jit
def mask_window(x, out, lo, hi, fill, BLOCK: tl.constexpr):
    """Two-sided mask; lanes outside read `fill`."""
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=(i >= lo) & (i < hi), other=fill))


@triton.jit
def mask_without_other(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out, tl.sum(tl.load(x + i, mask=i < n), axis=0))


@triton.jit
def mask_loaded(x, keep, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    m = tl.load(keep + i) != 0
    tl.store(out + i, tl.load(x + i, mask=m, other=-5), mask=(i % 3 != 0) | m)


@triton.jit
def mask_2d(x, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)[:, None]
    c = tl.program_id(1) * C + tl.arange(0, C)[None, :]
    live = (r < rows) & (c < cols)
    tl.store(out + r * cols + c, tl.load(x + r * cols + c, mask=live) + r * 10 + c, mask=live)


@triton.jit
def mask_columns(x, out, TYPE: tl.constexpr, KEPT: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    tl.store(out + r * C + c, tl.load(x + r * C + c).to(TYPE), mask=c < KEPT)


@triton.jit
def mask_triangle(x, out, N: tl.constexpr):
    r = tl.arange(0, N)[:, None]
    c = tl.arange(0, N)[None, :]
    tl.store(out + r * N + c, tl.load(x + r * N + c, mask=c <= r, other=-1), mask=r + c < 2 * N - 3)


@triton.jit
def mask_unsigned(x, out, start, n, BLOCK: tl.constexpr):
    """start = -1: as an unsigned number that lane lies far beyond n."""
    i = start + tl.arange(0, BLOCK)
    live = i.to(tl.uint32) < n.to(tl.uint32)
    tl.store(out + tl.arange(0, BLOCK), tl.load(x + i, mask=live, other=-9))


@triton.jit
def wrapped_rows(x, out, m, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i % m))


@triton.jit
def negative_remainder(x, out, m, BLOCK: tl.constexpr):
    """C's remainder: below zero it is negative or zero."""
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + (i - 3) % m))


@triton.jit
def gather(x, index, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.load(index + i, mask=i < n, other=0)
    tl.store(out + i, tl.load(x + at, mask=i < n), mask=i < n)


@triton.jit
def gather_rows(x, index, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, C)[None, :]
    which = tl.load(index + r, mask=r < rows, other=0)[:, None]
    live = (r[:, None] < rows) & (c < cols)
    tl.store(out + r[:, None] * cols + c, tl.load(x + which * cols + c, mask=live), mask=live)


@triton.jit
def scatter(x, index, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.load(index + i, mask=i < n, other=0)
    tl.store(out + at, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def strided(x, out, s0, s1, t0, t1, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    tl.store(out + r * t0 + c * t1, tl.load(x + r * s0 + c * s1))


@triton.jit
def offsets_as_data(out, start, BLOCK: tl.constexpr):
    """The same numbers as an address, and as 32-bit data that wraps around."""
    i = tl.arange(0, BLOCK)
    at = start + i
    tl.store(out + (at - start), at * at)


@triton.jit
def programs_3d(out):
    x = tl.program_id(0)
    y = tl.program_id(1)
    z = tl.program_id(2)
    gx = tl.num_programs(0)
    gy = tl.num_programs(1)
    tl.store(out + x + gx * (y + gy * z), x * 10000 + y * 100 + z)


# ----------------------------------------------------------------------------------------- reductions and scans
@triton.jit
def row_softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * n + i, e / tl.sum(e, axis=0), mask=i < n)


@triton.jit
def reduce_fills(x, total, product, lowest, highest, n, BLOCK: tl.constexpr):
    """Lanes beyond n take part with the value of `other`."""
    i = tl.arange(0, BLOCK)
    live = i < n
    tl.store(total, tl.sum(tl.load(x + i, mask=live, other=2), axis=0))
    tl.store(product, tl.reduce(tl.load(x + i, mask=live, other=3), 0, _mul))
    tl.store(lowest, tl.min(tl.load(x + i, mask=live, other=-7), axis=0))
    tl.store(highest, tl.max(tl.load(x + i, mask=live, other=-7), axis=0))


@triton.jit
def _mul(a, b):
    return a * b


@triton.jit
def _xor(a, b):
    return a ^ b


@triton.jit
def _and(a, b):
    return a & b


@triton.jit
def reduce_bits(x, out, BLOCK: tl.constexpr):
    v = tl.load(x + tl.arange(0, BLOCK))
    tl.store(out, tl.reduce(v, 0, _xor))
    tl.store(out + 1, tl.reduce(v, 0, _and))


@triton.jit
def reduce_axes(x, a0, a1, a2, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a = tl.arange(0, A)
    b = tl.arange(0, B)
    c = tl.arange(0, C)
    v = tl.load(x + (a[:, None, None] * B + b[None, :, None]) * C + c[None, None, :])
    tl.store(a0 + b[:, None] * C + c[None, :], tl.sum(v, axis=0))
    tl.store(a1 + a[:, None] * C + c[None, :], tl.max(v, axis=1))
    tl.store(a2 + a[:, None] * B + b[None, :], tl.min(v, axis=2))


@triton.jit
def reduce_twice_2d(x, rows, whole, R: tl.constexpr, C: tl.constexpr):
    """A tile and its row sums are both used; then everything is reduced."""
    r = tl.arange(0, R)
    c = tl.arange(0, C)
    v = tl.load(x + r[:, None] * C + c[None, :])
    s = tl.sum(v, axis=1)
    tl.store(rows + r, s)
    tl.store(whole, tl.sum(tl.sum(v * s[:, None], axis=1), axis=0))


@triton.jit
def arg_extrema(x, top, top_at, low, low_at, n, BLOCK: tl.constexpr):
    """The lowest index wins a tie."""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    hv, hi = tl.max(v, axis=0, return_indices=True)
    w = tl.load(x + row * n + i, mask=i < n, other=float("inf"))
    lv, li = tl.min(w, axis=0, return_indices=True)
    tl.store(top + row, hv)
    tl.store(top_at + row, hi)
    tl.store(low + row, lv)
    tl.store(low_at + row, li)


@triton.jit
def _welford(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    delta = mean_b - mean_a
    count = count_a + count_b
    share = tl.where(count == 0.0, 0.0, count_b / count)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * count_a * share, count


@triton.jit
def welford(x, mean_out, var_out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=0.0)
    count = tl.where(i < n, 1.0, 0.0)
    mean, m2, total = tl.reduce((v, tl.zeros_like(v), count), 0, _welford)
    tl.store(mean_out + row, mean)
    tl.store(var_out + row, m2 / total)


@triton.jit
def scan_sum(x, out, R: tl.constexpr, C: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(out + at, tl.cumsum(tl.load(x + at), axis=AXIS, reverse=REVERSE))


@triton.jit
def _larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def scan_max_masked(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=-100)
    tl.store(out + i, tl.associative_scan(v, 0, _larger), mask=i < n)


@triton.jit
def _extremes(least_a, most_a, least_b, most_b):
    return tl.minimum(least_a, least_b), tl.maximum(most_a, most_b)


@triton.jit
def scan_extremes(x, least, most, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    v = tl.load(x + at)
    low, high = tl.associative_scan((v, v), 1, _extremes, reverse=True)
    tl.store(least + at, low)
    tl.store(most + at, high)


@triton.jit
def _affine(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2


@triton.jit
def scan_affine(a, b, out, n, BLOCK: tl.constexpr, REVERSE: tl.constexpr):
    """h[i] = a[i] h[i-1] + b[i]: a combine whose order matters."""
    i = tl.arange(0, BLOCK)
    va = tl.load(a + i, mask=i < n, other=1.0)
    vb = tl.load(b + i, mask=i < n, other=0.0)
    _, h = tl.associative_scan((va, vb), 0, _affine, reverse=REVERSE)
    tl.store(out + i, h, mask=i < n)


@triton.jit
def _sum(a, b):
    return a + b


@triton.jit
def sums_bf16(x, out, total, BLOCK: tl.constexpr):
    """More elements than a sum in steps of bf16 gets through."""
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(out + i, tl.associative_scan(v, 0, _sum).to(tl.float32))
    tl.store(total, tl.reduce(v, 0, _sum).to(tl.float32))


@triton.jit
def compact(x, out, count, n, BLOCK: tl.constexpr):
    """Keeps the positive elements: a scan gives the places of a scattered store."""
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    keep = (v > 0).to(tl.int32)
    tl.store(out + tl.cumsum(keep, axis=0) - 1, v, mask=v > 0)
    tl.store(count, tl.sum(keep, axis=0))


# -------------------------------------------------------------------------------------------- element types, shapes
@triton.jit
def integer_division(x, y, q, r, BLOCK: tl.constexpr):
    """Truncates towards zero where signed."""
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(q + i, a // b)
    tl.store(r + i, a % b)


@triton.jit
def convert(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n).to(out.dtype.element_ty), mask=i < n)


@triton.jit
def scale_shift(x, out, a, b, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n).to(tl.float32)
    tl.store(out + i, (v * a + b).to(out.dtype.element_ty), mask=i < n)


@triton.jit
def unsigned_compare(x, y, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, tl.where(a < b, a, b) + (a >> 1))


@triton.jit
def reshape_and_split(x, out, lows, highs, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    square = tl.trans(tl.reshape(v, (4, N // 4)))
    tl.store(out + i, tl.reshape(square, (N, )))
    a, b = tl.split(tl.reshape(v, (N // 2, 2)))
    h = tl.arange(0, N // 2)
    tl.store(lows + h, a)
    tl.store(highs + h, b)


@triton.jit
def join_pairs(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + tl.arange(0, 2 * N), tl.reshape(tl.join(tl.load(x + i), tl.load(y + i)), (2 * N, )))


@triton.jit
def math_functions(x, out, n, BLOCK: tl.constexpr):
    """Row k of out is function k of x."""
    i = tl.arange(0, BLOCK)
    live = i < n
    v = tl.load(x + i, mask=live, other=1.0)
    tl.store(out + i, tl.exp(v), mask=live)
    tl.store(out + n + i, tl.log(v), mask=live)
    tl.store(out + 2 * n + i, tl.sqrt(v), mask=live)
    tl.store(out + 3 * n + i, tl.rsqrt(v), mask=live)
    tl.store(out + 4 * n + i, tl.sin(v), mask=live)
    tl.store(out + 5 * n + i, tl.cos(v), mask=live)
    tl.store(out + 6 * n + i, tl.exp2(v), mask=live)
    tl.store(out + 7 * n + i, tl.log2(v), mask=live)
    tl.store(out + 8 * n + i, tl.floor(v), mask=live)
    tl.store(out + 9 * n + i, tl.ceil(v), mask=live)
    tl.store(out + 10 * n + i, tl.erf(v), mask=live)
    tl.store(out + 11 * n + i, tl.fma(v, v, v), mask=live)


@triton.jit
def matmul_small(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        ta = tl.load(a + rm[:, None] * k + rk[None, :], mask=(rm[:, None] < m) & (rk[None, :] < k), other=0.0)
        tb = tl.load(b + rk[:, None] * n + rn[None, :], mask=(rk[:, None] < k) & (rn[None, :] < n), other=0.0)
        acc = tl.dot(ta, tb, acc, input_precision="ieee")
    tl.store(c + rm[:, None] * n + rn[None, :], acc, mask=(rm[:, None] < m) & (rn[None, :] < n))


@triton.jit
def matmul_typed(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=ACC)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        ta = tl.load(a + rm[:, None] * k + rk[None, :], mask=(rm[:, None] < m) & (rk[None, :] < k), other=0.0)
        tb = tl.load(b + rk[:, None] * n + rn[None, :], mask=(rk[:, None] < k) & (rn[None, :] < n), other=0.0)
        acc = tl.dot(ta, tb, acc, out_dtype=ACC)
    tl.store(c + rm[:, None] * n + rn[None, :], acc, mask=(rm[:, None] < m) & (rn[None, :] < n))


# ---------------------------------------------------------------------------------- code of elements, prints and waits
@triton.jit
def _steps_to_one(v):
    steps = 0
    while v != 1:
        if v % 2 == 1:
            v = 3 * v + 1
        else:
            v = v // 2
        steps += 1
    return steps


@triton.jit
def steps_of_elements(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.map_elementwise(_steps_to_one, tl.load(x + i)))


@triton.jit
def steps_picked(x, at, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    steps = tl.map_elementwise(_steps_to_one, tl.load(x + i, mask=i < n, other=1))
    tl.store(out + i, tl.gather(steps, tl.load(at + i), 0), mask=i < n)


@triton.jit
def _sum_and_difference(a, b, c, d):
    return a + d, b - c


@triton.jit
def pairs_of_elements(x, y, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.map_elementwise(_sum_and_difference, tl.load(x + i), tl.load(y + i), pack=2)[0])


@triton.jit
def _nearer_zero(a, b):
    if tl.abs(a) < tl.abs(b):
        nearer = a
    else:
        nearer = b
    return nearer


@triton.jit
def reduce_with_branch(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out + tl.arange(0, ROWS), tl.reduce(tl.load(x + at), 1, _nearer_zero))


@triton.jit
def assembly(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    turned = tl.inline_asm_elementwise(
        """
        {
            .reg .b32 t;
            mad.lo.u32 t, $1, 5, 3;   // any number
            prmt.b32 $0, t, 0, 0x0123;
        }
        """, "=r,r", [v], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(out + i, turned)


@triton.jit
def assembly_of_bytes(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    low = tl.inline_asm_elementwise("and.b32 $0, $1, 0x0F0F0F0F;", "=r,r", [v], dtype=tl.int8, is_pure=True, pack=4)
    tl.store(out + i, low)


@triton.jit(debug=True)
def prints_and_asserts(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.device_print("block", v, n)
    tl.device_assert(v < 1000, "values stay below a thousand")
    tl.store(out + i, v + 1, mask=i < n)


@triton.jit
def poll_with_timeout(flags, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    seen = tl.atomic_poll(flags + i, 3, timeout_ns=20000)
    tl.store(out + i, seen.to(tl.int32))


@triton.jit
def two_products(a, b, c, left, right, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i, j, t = tl.arange(0, BM)[:, None], tl.arange(0, BN), tl.arange(0, BM)
    first, second = tl.zeros((BM, BN), tl.float32), tl.zeros((BM, BM), tl.float32)
    for k in range(0, K, BK):
        kk = k + tl.arange(0, BK)
        x = tl.load(a + i * K + kk[None, :])
        first += tl.dot(x, tl.load(b + kk[:, None] * BN + j[None, :]), input_precision="ieee")
        second += tl.dot(x, tl.load(c + kk[:, None] * BM + t[None, :]), input_precision="ieee")
    tl.store(left + i * BN + j[None, :], first)
    if tl.program_id(0) == 0:
        tl.store(right + i * BM + t[None, :], tl.where(i >= t[None, :], second, 0.0))


@triton.jit
def transpose_tiles(x, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    """Whole tiles and cut ones."""
    r = tl.program_id(0) * R + tl.arange(0, R)[:, None]
    c = tl.program_id(1) * C + tl.arange(0, C)[None, :]
    inside = (r < rows) & (c < cols)
    v = tl.load(x + r * cols + c, mask=inside)
    tl.store(out + c * rows + r, v + v, mask=inside)


@triton.jit
def count_numbers(x, out, same, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    """A histogram by the op and by hand; numbers outside of the bins count nowhere."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bin = tl.arange(0, BINS)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.store(out + tl.program_id(0) * BINS + bin, tl.histogram(v.to(tl.int32), BINS, mask=i < n))
    hits = (v[None, :] == bin[:, None]) & (i < n)[None, :]
    tl.store(same + tl.program_id(0) * BINS + bin, tl.sum(hits.to(tl.int32), axis=1))


@triton.jit
def attend_to_picked(q, kv, at, out, scale, n, H: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr):
    """Rows that an index picks are keys, turned, and values, as they are: one operand is made of the other."""
    h, d, t = tl.arange(0, H), tl.arange(0, D), tl.arange(0, BLOCK)
    query = tl.load(q + h[:, None] * D + d[None, :])
    acc, best, total = tl.zeros((H, D), tl.float32), tl.full((H, ), -1e30, tl.float32), tl.zeros((H, ), tl.float32)
    for k in range(0, n, BLOCK):
        row = tl.load(at + k + t, mask=k + t < n, other=-1)
        picked = tl.load(kv + row[:, None] * D + d[None, :], mask=(row >= 0)[:, None], other=0.0)
        s = tl.dot(query, tl.trans(picked)) * scale + tl.where(row >= 0, 0.0, float("-inf"))[None, :]
        most = tl.maximum(best, tl.max(s, axis=1))
        p = tl.exp(s - most[:, None])
        acc = tl.dot(p.to(picked.dtype), picked, acc * tl.exp(best - most)[:, None])
        total = total * tl.exp(best - most) + tl.sum(p, axis=1)
        best = most
    tl.store(out + h[:, None] * D + d[None, :], acc / total[:, None])


@triton.jit
def count_in_turns(x, out, by_hand, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    """Histograms of blocks, by the op and by hand, added up by a loop."""
    bin = tl.arange(0, BINS)
    total, other = tl.full((BINS, ), 3, tl.int32), bin
    for k in range(0, n, BLOCK):
        i = k + tl.arange(0, BLOCK)
        v = tl.load(x + i, mask=i < n, other=-1)
        total += tl.histogram(v, BINS, mask=i < n)
        other += tl.sum((v[None, :] == bin[:, None]).to(tl.int32), axis=1)
    tl.store(out + bin, total)
    tl.store(by_hand + bin, other)


@triton.jit
def walsh_hadamard(x, out, LOG: tl.constexpr):
    """Steps of a butterfly, each of which joins sums and differences of what the last one left."""
    N: tl.constexpr = 1 << LOG
    i = tl.arange(0, N)
    v = tl.load(x + i)
    for step in tl.static_range(LOG):
        pairs = tl.permute(tl.reshape(v, (N >> (step + 1), 2, 1 << step)), (0, 2, 1))
        a, b = tl.split(pairs)
        v = tl.reshape(tl.permute(tl.join(a + b, a - b), (0, 2, 1)), (N, ))
    tl.store(out + i, v)


@triton.jit
def most_alike(q, keys, counts, out, M: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr):
    """A program's loop runs as often as its count says, and may not run at all."""
    m, d, t = tl.arange(0, M), tl.arange(0, D), tl.arange(0, BLOCK)
    query = tl.load(q + m[:, None] * D + d[None, :])
    best = tl.full((M, ), -9.0, tl.float32)
    for k in range(0, tl.load(counts + tl.program_id(0)), BLOCK):
        key = tl.load(keys + (k + t)[:, None] * D + d[None, :])
        best = tl.maximum(best, tl.max(tl.dot(query, tl.trans(key)), axis=1))
    tl.store(out + tl.program_id(0) * M + m, best)
