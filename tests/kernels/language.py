# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small kernels, one for each part of Triton's language that kernels.py does not use."""
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait


# ---------------------------------------------------------------------------------- floats
@triton.jit
def clamped(x, low, high, out, kept, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v, a, b = tl.load(x + i), tl.load(low + i), tl.load(high + i)
    tl.store(out + i, tl.clamp(v, a, b))
    tl.store(kept + i, tl.clamp(v, a, b, propagate_nan=tl.PropagateNan.ALL))


@triton.jit
def extrema(x, y, most, least, most_kept, least_kept, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(most + i, tl.maximum(a, b))
    tl.store(least + i, tl.minimum(a, b))
    tl.store(most_kept + i, tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL))
    tl.store(least_kept + i, tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL))


@triton.jit
def comparisons(x, y, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a, b = tl.load(x + i), tl.load(y + i)
    bits = (a < b).to(tl.int32) + 2 * (a <= b).to(tl.int32) + 4 * (a > b).to(tl.int32) + 8 * (a >= b).to(tl.int32)
    tl.store(out + i, bits + 16 * (a == b).to(tl.int32) + 32 * (a != b).to(tl.int32))


@triton.jit
def rounded_quotients(x, y, precise, quick, near, root, rest, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(precise + i, tl.math.div_rn(a, b))
    tl.store(quick + i, a / b)
    tl.store(near + i, tl.math.fdiv(a, b, approx=True))
    tl.store(root + i, tl.math.sqrt_rn(tl.abs(a)))
    tl.store(rest + i, a % b)


@triton.jit
def signs_of_zeros(x, out, BLOCK: tl.constexpr):
    """The bits of results that are zeros."""
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(out + i, (-v).to(tl.int32, bitcast=True))
    tl.store(out + BLOCK + i, (v + 0.0).to(tl.int32, bitcast=True))
    tl.store(out + 2 * BLOCK + i, (0.0 - v).to(tl.int32, bitcast=True))
    tl.store(out + 3 * BLOCK + i, (v * -1.0).to(tl.int32, bitcast=True))
    tl.store(out + 4 * BLOCK + i, tl.abs(v).to(tl.int32, bitcast=True))


@triton.jit
def library_calls(x, y, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(out + i, libdevice.atan2(a, b))
    tl.store(out + BLOCK + i, libdevice.pow(tl.abs(a), b))
    tl.store(out + 2 * BLOCK + i, libdevice.tanh(a))
    tl.store(out + 3 * BLOCK + i, libdevice.log1p(tl.abs(a)))
    tl.store(out + 4 * BLOCK + i, libdevice.hypot(a, b))


# ---------------------------------------------------------------------------------- conversions
@triton.jit
def float_to_byte(x, out, TYPE: tl.constexpr, ROUNDING: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i).to(TYPE, fp_downcast_rounding=ROUNDING).to(tl.uint8, bitcast=True))


@triton.jit
def byte_to_float(x, out, TYPE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i).to(TYPE, bitcast=True).to(out.dtype.element_ty))


@triton.jit
def float_to_half(x, out, TYPE: tl.constexpr, ROUNDING: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i).to(TYPE, fp_downcast_rounding=ROUNDING).to(tl.int16, bitcast=True))


# ---------------------------------------------------------------------------------- integers
@triton.jit
def shifts(x, by, left, right, logical, BLOCK: tl.constexpr):
    """By less than the width and by as much and more."""
    i = tl.arange(0, BLOCK)
    v, s = tl.load(x + i), tl.load(by + i)
    tl.store(left + i, v << s)
    tl.store(right + i, v >> s)
    tl.store(logical + i, v.to(tl.uint32, bitcast=True) >> s.to(tl.uint32, bitcast=True))


@triton.jit
def high_products(x, y, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.umulhi(tl.load(x + i), tl.load(y + i)))


@triton.jit
def booleans(x, y, out, BLOCK: tl.constexpr):
    """Tensors of i1 in memory and in arithmetic."""
    i = tl.arange(0, BLOCK)
    a, b = tl.load(x + i) != 0, tl.load(y + i) != 0
    tl.store(out + i, (a & b).to(tl.int8) + 2 * (a | b).to(tl.int8) + 4 * (a ^ b).to(tl.int8) + 8 * (~a).to(tl.int8))


@triton.jit
def unsigned_numbers(x, y, z, most, whole, size, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(most + i, tl.maximum(a, b))
    tl.store(whole + i, tl.load(z + i).to(tl.uint32))
    tl.store(size + i, tl.abs(a.to(tl.int32, bitcast=True)))


@triton.jit
def returns_from_within(x, out, n):
    i = tl.program_id(0)
    if i < n:
        if tl.load(x + i) < 0:
            tl.store(out + i, -1)
            return
        tl.store(out + i, 1)
    else:
        if tl.load(x + i) > 20:
            return
    tl.atomic_add(out + i, 10)


# ---------------------------------------------------------------------------------- shapes
@triton.jit
def joined_ends(x, y, out, BLOCK: tl.constexpr):
    """The sum and the sum of squares: cat promises no order."""
    i = tl.arange(0, BLOCK)
    v = tl.cat(tl.load(x + i), tl.load(y + i), can_reorder=True)
    tl.store(out, tl.sum(v, 0))
    tl.store(out + 1, tl.sum(v * v, 0))


@triton.jit
def gathered(x, at, out, AXIS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, PICKED: tl.constexpr):
    i = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    rows: tl.constexpr = PICKED if AXIS == 0 else ROWS
    columns: tl.constexpr = COLUMNS if AXIS == 0 else PICKED
    j = tl.arange(0, rows)[:, None] * columns + tl.arange(0, columns)[None, :]
    tl.store(out + j, tl.gather(tl.load(x + i), tl.load(at + j), AXIS))


@triton.jit
def sorted_rows(x, out, top, ROWS: tl.constexpr, COLUMNS: tl.constexpr, K: tl.constexpr):
    i, j, t = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :], tl.arange(0, K)[None, :]
    v = tl.load(x + i * COLUMNS + j)
    tl.store(out + i * COLUMNS + j, tl.sort(v, descending=True))
    tl.store(top + i * K + t, tl.topk(v, K))


@triton.jit
def scaled_in_columns(x, y, scale, N: tl.constexpr, BLOCK: tl.constexpr):
    """One column a program for N = 1: the mask is a constant that lets one lane through."""
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * N + i
    v = tl.load(x + at, mask=i < N).to(tl.float32) * scale
    tl.store(x + at, v, mask=i < N)
    tl.store(y + at, v * 64, mask=i < N)


@triton.jit
def sorted_wide(x, out, top, N: tl.constexpr, K: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, tl.sort(v))
    tl.store(top + tl.arange(0, K), tl.topk(v, K))


@triton.jit
def counted(x, out, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(out + tl.arange(0, BINS), tl.histogram(v, BINS, mask=v % 3 != 0))


@triton.jit
def one_element(x, out, BLOCK: tl.constexpr):
    """A tensor of one element as a scalar."""
    i = tl.arange(0, 1)
    v = tl.load(x + i)
    tl.store(out + tl.arange(0, BLOCK), tl.broadcast_to(v.item(), (BLOCK, )) + tl.sum(v, 0))


# ---------------------------------------------------------------------------------- pointers
@triton.jit
def pointers_as_integers(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    address = x.to(tl.int64, bitcast=True) + 4 * (BLOCK - 1 - i).to(tl.int64)
    p = address.to(tl.pointer_type(tl.int32), bitcast=True)
    tl.store(out + i, tl.load(p, mask=i < n, other=-1))


@triton.jit
def pointers_of_other_types(x, out, BLOCK: tl.constexpr):
    """Reads floats as bytes."""
    i = tl.arange(0, BLOCK)
    p = x.to(tl.pointer_type(tl.uint8), bitcast=True)
    tl.store(out + i, tl.load(p + i).to(tl.int32))


@triton.jit
def chosen_pointers(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    p = tl.where(i % 3 == 0, x + i, y + (BLOCK - 1 - i))
    total = tl.zeros((BLOCK, ), tl.int32)
    for k in range(n):
        total += tl.load(p)
        p = tl.where(i % 2 == k % 2, x + i, p)
    tl.store(out + i, total)


# ---------------------------------------------------------------------------------- atomics
@triton.jit
def atomics_of_one_program(x, values, old, KIND: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(values + i)
    if KIND == "add":
        was = tl.atomic_add(x + i, v, mask=i % 5 != 0)
    elif KIND == "max":
        was = tl.atomic_max(x + i, v, mask=i % 5 != 0, sem="relaxed")
    elif KIND == "min":
        was = tl.atomic_min(x + i, v, mask=i % 5 != 0, scope="cta")
    elif KIND == "and":
        was = tl.atomic_and(x + i, v, mask=i % 5 != 0, scope="sys")
    elif KIND == "or":
        was = tl.atomic_or(x + i, v, mask=i % 5 != 0, sem="acquire")
    elif KIND == "xor":
        was = tl.atomic_xor(x + i, v, mask=i % 5 != 0, sem="release")
    else:
        was = tl.atomic_xchg(x + i, v, mask=i % 5 != 0)
    tl.store(old + i, was, mask=i % 5 != 0)


@triton.jit
def atomics_of_many_programs(x, values, BLOCK: tl.constexpr):
    """Several elements of several programs add to one place."""
    i = tl.arange(0, BLOCK)
    tl.atomic_add(x + i % 3, tl.load(values + tl.program_id(0) * BLOCK + i), sem="relaxed")


@triton.jit
def compare_and_swap(x, wanted, values, old, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(old + i, tl.atomic_cas(x + i, tl.load(wanted + i), tl.load(values + i)))


@triton.jit
def locked_counter(lock, count):
    """Programs take turns."""
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(count, tl.load(count, volatile=True) + 1 + tl.program_id(0))
    tl.atomic_xchg(lock, 0)


@triton.jit
def atomic_copies(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.atomic_store(out + i, tl.atomic_load(x + i, mask=i % 2 == 0, sem="acquire") + 1, mask=i % 2 == 0, sem="release")


# ---------------------------------------------------------------------------------- calls
@triton.jit(noinline=True)
def _both(a, b):
    return a + b, a * b


@triton.jit(noinline=True)
def _twice(a, b):
    s, p = _both(a, b)
    return _both(s, p)


@triton.jit
def calls(x, y, out, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    gdc_wait()
    s, p = _twice(tl.load(x + i), tl.load(y + i))
    tl.store(out + i, s)
    tl.store(out + BLOCK + i, p)
    gdc_launch_dependents()


# ---------------------------------------------------------------------------------- products
@triton.jit
def product(a, b, c, out, PRECISION: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i, j, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x, y = tl.load(a + i[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + j[None, :])
    z = tl.load(c + i[:, None] * N + j[None, :])
    tl.store(out + i[:, None] * N + j[None, :], tl.dot(x, y, z, input_precision=PRECISION, out_dtype=z.dtype))


@triton.jit
def product_of_bytes(a, b, out, TYPE: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i, j, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x, y = tl.load(a + i[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + j[None, :])
    z = tl.dot(x.to(TYPE, bitcast=True), y.to(TYPE, bitcast=True))
    tl.store(out + i[:, None] * N + j[None, :], z)


@triton.jit
def products_of_batches(a, b, out, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    n, i, j, k = tl.arange(0, B)[:, None, None], tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x = tl.load(a + n * M * K + i[None, :, None] * K + k[None, None, :])
    y = tl.load(b + n * K * N + k[None, :, None] * N + j[None, None, :])
    tl.store(out + n * M * N + i[None, :, None] * N + j[None, None, :], tl.dot(x, y, input_precision="ieee"))


@triton.jit
def scaled_product(a, b, sa, sb, out, LEFT: tl.constexpr, RIGHT: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i, j = tl.arange(0, M), tl.arange(0, N)
    packs_a: tl.constexpr = 2 if LEFT == "e2m1" else 1
    packs_b: tl.constexpr = 2 if RIGHT == "e2m1" else 1
    ka, kb, g = tl.arange(0, K // packs_a), tl.arange(0, K // packs_b), tl.arange(0, K // 32)
    x = tl.load(a + i[:, None] * (K // packs_a) + ka[None, :])
    y = tl.load(b + kb[:, None] * N + j[None, :])
    p = tl.load(sa + i[:, None] * (K // 32) + g[None, :])
    q = tl.load(sb + j[:, None] * (K // 32) + g[None, :])
    if LEFT == "bf16" or LEFT == "fp16":
        z = tl.dot_scaled(x, None, LEFT, y, q, RIGHT)
    else:
        z = tl.dot_scaled(x, p, LEFT, y, q, RIGHT)
    tl.store(out + i[:, None] * N + j[None, :], z)


# ---------------------------------------------------------------------------------- descriptors
@triton.jit
def described_copy(x, out, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    """A ragged tensor in blocks, each plus its place."""
    source = tl.make_tensor_descriptor(x, [rows, columns], [columns, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out, [rows, columns], [columns, 1], [BM, BN])
    i, j = tl.program_id(0) * BM, tl.program_id(1) * BN
    target.store([i, j], source.load([i, j]) + i * 100 + j)


@triton.jit
def described_rows(x, at, out, back, ROWS: tl.constexpr, COLUMNS: tl.constexpr, PICKED: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [ROWS, COLUMNS], [COLUMNS, 1], [1, 16])
    target = tl.make_tensor_descriptor(back, [ROWS, COLUMNS], [COLUMNS, 1], [1, 16])
    rows = tl.load(at + tl.arange(0, PICKED))
    v = source.gather(rows, 16)
    tl.store(out + tl.arange(0, PICKED)[:, None] * 16 + tl.arange(0, 16)[None, :], v)
    target.scatter(v * 2, rows, 0)


@triton.jit
def described_reductions(x, sums, lows, highs, ands, ors, xors, N: tl.constexpr):
    at = tl.program_id(0) * N
    source = tl.make_tensor_descriptor(x, [4 * N, N], [N, 1], [N, N])
    v = source.load([at, 0])
    tl.make_tensor_descriptor(sums, [N, N], [N, 1], [N, N]).atomic_add([0, 0], v)
    tl.make_tensor_descriptor(lows, [N, N], [N, 1], [N, N]).atomic_min([0, 0], v)
    tl.make_tensor_descriptor(highs, [N, N], [N, 1], [N, N]).atomic_max([0, 0], v)
    tl.make_tensor_descriptor(ands, [N, N], [N, 1], [N, N]).atomic_and([0, 0], v)
    tl.make_tensor_descriptor(ors, [N, N], [N, 1], [N, N]).atomic_or([0, 0], v)
    tl.make_tensor_descriptor(xors, [N, N], [N, 1], [N, N]).atomic_xor([0, 0], v)
