# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with tiles smaller than a group of work-items, and with values that work-items share; as in kernels.py."""
import triton
import triton.language as tl


@triton.jit
def increment_then_branch(x, out, limit, BLOCK: tl.constexpr):
    """Reads, writes over what was read, and branches on a sum of what was read: all work-items must see the old values."""
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(x + i, v + 100)
    if tl.sum(v, axis=0) < limit:
        tl.store(out + i, v * tl.max(v, axis=0))
    else:
        tl.store(out + i, -v)


@triton.jit
def sum_then_increment(x, out, BLOCK: tl.constexpr, WIDE: tl.constexpr):
    """The same with the sum first: one pass could read, sum and write. A wider tile shows what each work-item took for the sum."""
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    s = tl.sum(v, axis=0)
    tl.store(x + i, v + 100)
    tl.store(out + tl.arange(0, WIDE), tl.arange(0, WIDE) + s)


@triton.jit
def scan_then_overwrite(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(x + i, v + 1)
    tl.store(out + i, tl.cumsum(v, axis=0))


@triton.jit
def old_values(x, out, BLOCK: tl.constexpr, WIDE: tl.constexpr):
    """A sum of what atomics gave back, for more work-items than there are atomics."""
    i = tl.arange(0, BLOCK)
    old = tl.atomic_add(x + i, i + 1)
    tl.store(out + tl.arange(0, WIDE), tl.arange(0, WIDE) + tl.sum(old, axis=0))


@triton.jit
def carried_and_turned(x, turned, sums, steps, R: tl.constexpr, C: tl.constexpr, WIDE: tl.constexpr):
    """A tile that a loop carries is read transposed, then updated and summed."""
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    back = tl.arange(0, C)[:, None] * R + tl.arange(0, R)[None, :]
    v = tl.load(x + at)
    for step in range(0, steps):
        tl.store(turned + step * R * C + back, tl.trans(v))
        v = v * 2 + 1
        tl.store(sums + step * WIDE + tl.arange(0, WIDE), tl.arange(0, WIDE) + tl.sum(tl.sum(v, axis=1), axis=0))


@triton.jit
def written_and_read_across(x, y, out, R: tl.constexpr, C: tl.constexpr):
    """What is written down the columns is read from there: blocks that are turned must not read first."""
    rows = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    down = tl.arange(0, R)[:, None] + tl.arange(0, C)[None, :] * R
    tl.store(y + down, -tl.load(x + rows))
    tl.store(out + rows, tl.load(y + down) + 1)


@triton.jit
def count_atomically(counts, bins, BLOCK: tl.constexpr):
    """Each element adds one, many of them to the same place."""
    tl.atomic_add(counts + tl.arange(0, BLOCK) % bins, 1)


@triton.jit
def running_total(x, total, n):
    """All work-items load a scalar that one of them stores."""
    for i in range(0, n):
        tl.store(total, tl.load(total) + tl.load(x + i))


@triton.jit
def _greater(a, b):
    return tl.where(a > b, a, b)


@triton.jit
def branch_on_nan(x, out, n, BLOCK: tl.constexpr):
    """A reduction that gives another value where its operands are swapped, as the condition of a branch with a reduction."""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i)
    if tl.reduce(v, 0, _greater) > 0:
        tl.store(out + row * n + i, v * tl.max(v, axis=0))
    else:
        tl.store(out + row * n + i, v - tl.max(v, axis=0))


@triton.jit
def arg_extrema_rows(x, top_at, low_at, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)
    v = tl.load(x + r[:, None] * C + tl.arange(0, C)[None, :])
    tl.store(top_at + r, tl.argmax(v, axis=1))
    tl.store(low_at + r, tl.argmin(v, axis=1))


@triton.jit
def turn_twice(x, N: tl.constexpr):
    """Two transpositions of a large tile in place, one after the other, the second with rows and columns in turned roles."""
    at = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    turned = tl.arange(0, N)[:, None] + tl.arange(0, N)[None, :] * N
    tl.store(x + at, tl.trans(tl.load(x + at)) + 1)
    tl.store(x + turned, tl.trans(tl.load(x + turned)) * 2)


@triton.jit
def softmax_of_rows(x, out, rows, n, BLOCK: tl.constexpr):
    """A program takes one row after the other."""
    i = tl.arange(0, BLOCK)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
        e = tl.exp(v - tl.max(v, axis=0))
        tl.store(out + row * n + i, e / tl.sum(e, axis=0), mask=i < n)


@triton.jit
def count_under_lock(lock, count, rounds):
    for _ in range(0, rounds):
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
        tl.store(count, tl.load(count) + 1)
        tl.debug_barrier()
        tl.atomic_xchg(lock, 0)


@triton.jit
def add_under_lock(lock, x, sums, BLOCK: tl.constexpr):
    """A tile of sums that one program at a time adds to."""
    i = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * BLOCK + i)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(sums + i, tl.load(sums + i) + v)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def histogram_of(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(out + tl.arange(0, BINS), tl.histogram(v, BINS, mask=i < n))


@triton.jit
def divide_by_one(x, z, out, BLOCK: tl.constexpr):
    """Many quotients with one divisor: correctly rounded ones, not products with its reciprocal."""
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) / tl.load(z))


@triton.jit
def product_left_masked(a, b, c, k, N: tl.constexpr, K: tl.constexpr):
    """Only the left operand ends at k: what lies beyond in the right one is multiplied by zero, and is not all finite."""
    i = tl.arange(0, N)
    t = tl.arange(0, K)
    left = tl.load(a + i[:, None] * K + t[None, :], mask=t[None, :] < k, other=0.0)
    right = tl.load(b + t[:, None] * N + i[None, :])
    tl.store(c + i[:, None] * N + i[None, :], tl.dot(left, right, input_precision="ieee"))


@triton.jit
def product_into_operand(a, b, c, K: tl.constexpr, N: tl.constexpr, STEP: tl.constexpr):
    """c lies in the memory of a, so later columns of a hold what a product before has left."""
    i = tl.arange(0, N)
    acc = tl.zeros((N, N), dtype=tl.int32)
    for k in range(0, K, STEP):
        t = k + tl.arange(0, STEP)
        left = tl.load(a + i[:, None] * K + t[None, :])
        right = tl.load(b + t[:, None] * N + i[None, :])
        acc = tl.dot(left, right, acc, out_dtype=tl.int32)
        tl.store(c + i[:, None] * K + i[None, :], acc.to(tl.int8))


@triton.jit
def row_extremum(x, out, cols, LEAST: tl.constexpr, BLOCK: tl.constexpr):
    """Of the numbers of a row; a row of NaN alone has none."""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + i, mask=i < cols, other=float("nan"))
    if LEAST:
        tl.store(out + row, tl.min(v, axis=0))
    else:
        tl.store(out + row, tl.max(v, axis=0))
