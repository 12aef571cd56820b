# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The launches of kernels.py: inputs and, in numpy, what memory holds afterwards.

Each `expect(m, p)` is one program with whole-tile semantics: m maps a buffer's name to its content as a flat array (float64
for floating-point buffers, the exact integers otherwise) and p is the program's place in the grid. Programs run in
increasing order; a right-hand side is evaluated whole before anything is stored, as numpy does by itself."""
import math

import numpy as np

import triton.language as tl

import kernels as k

CASES = []
FLOAT_TOLERANCE = {"fp64": (1e-12, 1e-12), "fp32": (1e-5, 1e-6), "fp16": (1e-3, 1e-3), "bf16": (8e-3, 8e-3)}


class At:
    """A pointer argument: `elements` of the buffer's type behind the start of `buffer`."""

    def __init__(self, buffer, elements=0):
        self.buffer, self.elements = buffer, elements


def case(name, kernel, buffers, args, expect, grid=(1, ), constexprs=None, tolerance=None, note=None, unchecked=(), num_warps=4):
    """buffers: {name: (dtype, content)}; args: {parameter: buffer name, At or scalar}; tolerance: {buffer: (rtol, atol)}."""
    assert all(c["name"] != name for c in CASES), name
    grid = tuple(grid) + (1, ) * (3 - len(grid))
    CASES.append(dict(name=name, kernel=kernel, buffers=buffers, args=args, expect=expect, grid=grid, constexprs=constexprs or {},
                      tolerance=tolerance or {}, note=note, unchecked=unchecked, num_warps=num_warps))


def rng(seed):
    return np.random.default_rng(seed)


def ints(n, seed=1, lo=-50, hi=50):
    return rng(seed).integers(lo, hi, n)


def floats(n, seed=1):
    return rng(seed).uniform(-2.0, 2.0, n).astype(np.float32)


def full(n, value):
    return np.full(n, value)


def tail(n, length, fill=-77):
    """`n` live elements of ints and a tail that must stay as it is."""
    return np.concatenate([ints(n), full(length - n, fill)])


# ---------------------------------------------------------------------------------- loads against stores: one tile
def _add(m, p):
    s = slice(p[0] * 32, min(p[0] * 32 + 32, 75))
    m["out"][s] = m["x"][s] + m["y"][s]


case("add_masked_tail", k.add, dict(x=("fp32", floats(75, 1)), y=("fp32", floats(75, 2)), out=("fp32", full(96, -7.0))),
     dict(x="x", y="y", out="out", n=75), _add, (3, ), dict(BLOCK=32))


def _add_in_place(m, p):
    s = slice(p[0] * 32, min(p[0] * 32 + 32, 75))
    m["x"][s] = m["x"][s] + m["x"][s]


case("add_in_place", k.add, dict(x=("fp32", floats(96, 1))), dict(x="x", y="x", out="x", n=75), _add_in_place, (3, ), dict(BLOCK=32),
     note="all three arguments are one buffer")

def _name(n):
    return "min" if n == -2**31 else "max" if n == 2**31 - 1 else str(n).replace("-", "minus")


# Buffers end where the live elements do.
for n in (0, -5, -2**31, 1, 31, 32, 75):
    def _edge(m, p, n=n):
        s = slice(p[0] * 32, max(0, min(n, p[0] * 32 + 32)))
        m["out"][s] = m["x"][s] + m["y"][s]

    case(f"add_n_{_name(n)}", k.add, dict(x=("i32", ints(max(n, 1), 1)), y=("i32", ints(max(n, 1), 2)), out=("i32", full(max(n, 1), -7))),
         dict(x="x", y="y", out="out", n=n), _edge, (4, ), dict(BLOCK=32))

for start, n in ((2**31 - 32, -2**31), (2**31 - 32, 2**31 - 1), (-2**31, 2**31 - 1), (-2**31, -2**31 + 9)):
    live = max(0, min(n - start, 32))

    def _edge(m, p, live=live):
        m["out"][:live] = m["x"][:live] + m["y"][:live]

    case(f"add_from_{'top' if start > 0 else 'bottom'}_{_name(n) if abs(n) + 1 >= 2**31 else 'near'}", k.add_from,
         dict(x=("i32", ints(max(live, 1), 1)), y=("i32", ints(max(live, 1), 2)), out=("i32", full(max(live, 1), -7))),
         dict(x="x", y="y", out="out", start=start, n=n), _edge, constexprs=dict(BLOCK=32))

for by in (1, 3, 16):
    def _up(m, p, by=by):
        m["x"][by:49 + by] = m["x"][:49].copy()

    def _down(m, p, by=by):
        m["x"][:49] = m["x"][by:49 + by].copy()

    case(f"shift_up_{by}", k.shift_up, dict(x=("i32", ints(80))), dict(x="x", n=49), _up, constexprs=dict(BY=by, BLOCK=64))
    case(f"shift_down_{by}", k.shift_down, dict(x=("i32", ints(80))), dict(x="x", n=49), _down, constexprs=dict(BY=by, BLOCK=64))


def _shift_loop(m, p):
    for step in range(5):
        m["x"][1:51] = m["x"][:50] + step


case("shift_in_loop", k.shift_in_loop, dict(x=("i32", ints(70))), dict(x="x", n=50, steps=5), _shift_loop, constexprs=dict(BLOCK=64))


def _flip(m, p):
    m["x"][:n_flip] = m["x"][:n_flip][::-1].copy()


n_flip = 61
case("flip_in_place", k.flip, dict(x=("fp32", floats(70))), dict(x="x", n=n_flip), _flip, constexprs=dict(BLOCK=64))


def _transpose(m, p):
    m["x"][:] = m["x"].reshape(16, 16).T.copy().reshape(-1)


case("transpose_in_place_by_address", k.transpose_by_address, dict(x=("i32", ints(256))), dict(x="x"), _transpose, constexprs=dict(N=16))
case("transpose_in_place_by_op", k.transpose_by_op, dict(x=("fp32", floats(256))), dict(x="x"), _transpose, constexprs=dict(N=16))


def _once(index):
    def expect(m, p):
        at = np.unique(index)
        m["x"][at] = m["x"][at] + 1
    return expect


case("increment_halves", k.increment_halves, dict(x=("i32", ints(40))), dict(x="x"), _once(np.arange(64) // 2), constexprs=dict(BLOCK=64))
case("increment_wrapped", k.increment_wrapped, dict(x=("i32", ints(40))), dict(x="x", m=24), _once(np.arange(64) % 24), constexprs=dict(BLOCK=64))
case("increment_overlapping_rows", k.increment_overlapping_rows, dict(x=("i32", ints(80))), dict(x="x", stride=5),
     _once((np.arange(8)[:, None] * 5 + np.arange(16)).reshape(-1)), constexprs=dict(R=8, C=16))
case("increment_one_element", k.increment_overlapping_rows, dict(x=("i32", ints(80))), dict(x="x", stride=0),
     _once(np.arange(16)), constexprs=dict(R=8, C=16), note="a stride of zero")


def _narrow(m, p):
    low = (m["x"] + 1).astype(np.int16)
    m["x"].view(np.int16)[:64] = low


case("narrow_in_place", k.narrow_in_place, dict(x=("i32", ints(64, lo=-30000, hi=30000))), dict(x="x"), _narrow, constexprs=dict(BLOCK=64))

for src, dst in ((0, 0), (0, 3), (3, 0), (0, 16), (16, 0), (0, 64)):
    def _double(m, p, src=src, dst=dst):
        m["x"][dst:dst + 50] = m["x"][src:src + 50] * 2

    case(f"one_buffer_{src}_to_{dst}", k.double_into, dict(x=("i32", ints(128))), dict(src=At("x", src), dst=At("x", dst), n=50), _double,
         constexprs=dict(BLOCK=64), note="both arguments point into one buffer")


def _store_both(m, p):
    m["x"][:50] = np.arange(50) + 100
    m["x"][11:61] = np.arange(50) + 200


case("second_store_wins", k.store_both, dict(x=("i32", full(80, -1))), dict(a="x", b=At("x", 11), n=50), _store_both, constexprs=dict(BLOCK=64))

for shift in (0, 5, 64):
    def _lsl(m, p, shift=shift):
        a = m["x"][:50].copy()
        m["x"][shift:shift + 50] = a * 3 + 1
        m["before"][:50] = a
        m["after"][:50] = m["x"][:50]

    case(f"load_store_load_{shift}", k.load_store_load, dict(x=("i32", ints(128)), before=("i32", full(64, -1)), after=("i32", full(64, -1))),
         dict(x="x", y=At("x", shift), before="before", after="after", n=50), _lsl, constexprs=dict(BLOCK=64))

for shift in (0, 7):
    def _lal(m, p, shift=shift):
        m["before"][:50] = m["x"][:50]
        m["old"][:50] = m["x"][shift:shift + 50]
        m["x"][shift:shift + 50] = m["x"][shift:shift + 50] + np.arange(1, 51)
        m["after"][:50] = m["x"][:50]

    case(f"load_atomic_load_{shift}", k.load_atomic_load,
         dict(x=("i32", ints(128)), before=("i32", full(64, -1)), old=("i32", full(64, -1)), after=("i32", full(64, -1))),
         dict(x="x", y=At("x", shift), before="before", old="old", after="after", n=50), _lal, constexprs=dict(BLOCK=64))

for flag, shift in ((0, 0), (4, 0), (4, 9), (-3, 9)):
    def _branch(m, p, flag=flag, shift=shift):
        a = m["x"][:50].copy()
        if flag > 0:
            m["x"][shift:shift + 50] = a + flag
        m["out"][:50] = a + m["x"][:50]

    case(f"store_behind_branch_{str(flag).replace('-', 'minus')}_{shift}", k.store_behind_branch,
         dict(x=("i32", ints(128)), out=("i32", full(64, -1))), dict(x="x", y=At("x", shift), out="out", flag=flag, n=50), _branch,
         constexprs=dict(BLOCK=64))


def _read_between(m, p):
    first = m["x"][:50].copy()
    for step in range(4):
        m["x"][:50] = m["x"][:50] + step + 1
    m["out"][:50] = first * 1000 + m["x"][:50]


case("read_before_loop_used_after", k.read_between_loops, dict(x=("i32", ints(70)), out=("i32", full(70, -1))), dict(x="x", out="out", n=50, steps=4),
     _read_between, constexprs=dict(BLOCK=64))


def _overwrite(m, p):
    v = m["x"][:50].copy()
    m["x"][:50] = v.sum() - v


case("reduce_then_overwrite", k.reduce_then_overwrite, dict(x=("i32", tail(50, 64))), dict(x="x", n=50), _overwrite, constexprs=dict(BLOCK=64))

for steps in (0, 1, 5):
    def _swap(m, p, steps=steps):
        a, b = "p", "q"
        for _ in range(steps):
            m[b][:] = m[a] + 1
            a, b = b, a

    case(f"swap_pointers_{steps}", k.swap_pointers, dict(p=("i32", ints(32, 1)), q=("i32", ints(32, 2))), dict(p="p", q="q", steps=steps), _swap,
         constexprs=dict(BLOCK=32))


# ------------------------------------------------------------------------------------------------- control flow
def _early(m, p):
    i = np.arange(p[0] * 16, p[0] * 16 + 16)
    i = i[i < 43]
    if p[0] * 16 >= 43:
        return
    m["out"][i] = -1 if m["flags"][p[0]] == 0 else m["x"][i] + 1


case("return_early", k.return_early, dict(x=("i32", ints(64)), flags=("i32", np.array([1, 0, 5, 1])), out=("i32", full(64, -50))),
     dict(x="x", flags="flags", out="out", n=43), _early, (4, ), dict(BLOCK=16))


def _collatz(m, p):
    v, steps = int(m["x"][p[0]]), 0
    while v != 1:
        v, steps = (v // 2 if v % 2 == 0 else 3 * v + 1), steps + 1
    m["out"][p[0]] = steps


case("while_collatz", k.collatz, dict(x=("i32", np.array([1, 2, 3, 7, 27, 97])), out=("i32", full(6, -1))), dict(x="x", out="out"), _collatz, (6, ))


def _halve(m, p):
    v, count = m["x"].copy(), 0
    while v.sum() > 0.75:
        v, count = v * 0.5, count + 1
    m["out"][:], m["rounds"][0] = v, count


case("while_on_a_reduction", k.halve_until_small, dict(x=("fp32", np.abs(floats(32))), out=("fp32", full(32, -1.0)), rounds=("i32", full(1, -1))),
     dict(x="x", out="out", rounds="rounds", limit=0.75), _halve, constexprs=dict(BLOCK=32))

for n in (0, -3, 1, 64, 100):
    def _down(m, p, n=n):
        m["out"][0] = m["x"][:max(n, 0)].sum()

    case(f"while_counts_down_{str(n).replace('-', 'minus')}", k.count_down, dict(x=("fp32", floats(128)), out=("fp32", full(1, -1.0))),
         dict(x="x", out="out", n=n), _down, constexprs=dict(BLOCK=32), tolerance=dict(out=(1e-5, 1e-5)))

for trips in (0, 3):
    def _trips(m, p, trips=trips):
        m["out"][:] = 7 + trips * m["x"][:32]

    case(f"loop_runs_{trips}_times", k.loop_may_not_run, dict(x=("i32", ints(32)), out=("i32", full(32, -1))),
         dict(bad="x" if trips else At("x", 32), out="out", trips=trips), _trips, constexprs=dict(BLOCK=32))


def _not_taken(m, p):
    m["out"][:] = 2 * np.arange(32)


case("load_behind_branch", k.load_behind_branch, dict(x=("i32", ints(32)), out=("i32", full(32, -1))), dict(bad=At("x", 32), out="out", flag=0), _not_taken,
     constexprs=dict(BLOCK=32), note="the pointer is behind its buffer")


def _on_reduction(m, p):
    s = slice(p[0] * 20, p[0] * 20 + 20)
    v = m["x"][s]
    m["out"][s] = v + 1 if v.sum() > 0 else v - 1


_rows = floats(80).reshape(4, 20)
_rows[0] = np.abs(_rows[0])
_rows[1] = -np.abs(_rows[1])
_rows[2, 7] = np.nan
case("branch_on_reduction", k.branch_on_reduction, dict(x=("fp32", _rows.reshape(-1)), out=("fp32", full(80, -1.0))), dict(x="x", out="out", n=20), _on_reduction,
     (4, ), dict(BLOCK=32), note="one row holds a NaN: the comparison is false")


def _carried(m, p):
    top, s = np.full(32, -1000.0), np.zeros(32)
    for step in range(6):
        v = m["x"][step * 32:step * 32 + 32]
        new = np.maximum(top, v)
        s = (s + (new - v)) * 0.5 + (new - top) * np.float64(np.float32(0.001))
        top = new
    m["out"][:] = s


case("carried_old_and_new", k.carried_old_and_new, dict(x=("fp32", floats(192)), out=("fp32", full(32, -1.0))), dict(x="x", out="out", steps=6), _carried,
     constexprs=dict(BLOCK=32), tolerance=dict(out=(1e-5, 1e-5)))


def _nested(m, p):
    x, total = m["x"].reshape(5, 50), np.zeros(32, np.int64)
    for r in range(5):
        part = np.zeros(32, np.int64)
        part += x[r, :32]
        part[:18] += x[r, 32:50]
        total += part * (r + 1)
    m["out"][:] = total


case("nested_loops", k.nested_loops, dict(x=("i32", ints(250)), out=("i32", full(32, -1))), dict(x="x", out="out", rows=5, cols=50), _nested,
     constexprs=dict(BLOCK=32))


def _step_down(m, p):
    acc = np.zeros(16, np.int64)
    for at in range(64 - 16, -1, -16):
        acc = acc * 3 + m["x"][at:at + 16]
    m["out"][:] = acc


case("loop_steps_down", k.step_down, dict(x=("i32", ints(64)), out=("i32", full(16, -1))), dict(x="x", out="out", n=64), _step_down, constexprs=dict(BLOCK=16))


# -------------------------------------------------------------------------------------------- masks and addresses
for lo, hi in ((0, 64), (5, 40), (40, 5), (-10, 7), (60, 1000), (63, 64)):
    def _window(m, p, lo=lo, hi=hi):
        i = np.arange(64)
        m["out"][:] = np.where((i >= lo) & (i < hi), m["x"][:64], 42)

    case(f"mask_window_{lo}_{hi}".replace("-", "minus"), k.mask_window, dict(x=("i32", ints(64)), out=("i32", full(64, -1))),
         dict(x="x", out="out", lo=lo, hi=hi, fill=42), _window, constexprs=dict(BLOCK=64))


def _no_other(m, p):
    m["out"][0] = m["x"][:37].sum()


case("mask_without_other", k.mask_without_other, dict(x=("i32", tail(37, 64, 9999)), out=("i32", full(1, -1))), dict(x="x", out="out", n=37), _no_other,
     constexprs=dict(BLOCK=64), note="a masked-off lane reads 0")


def _loaded_mask(m, p):
    i, keep = np.arange(64), m["keep"] != 0
    v = np.where(keep, m["x"], -5)
    live = (i % 3 != 0) | keep
    m["out"][live] = v[live]


case("mask_from_memory", k.mask_loaded, dict(x=("i32", ints(64)), keep=("i32", ints(64, 5, 0, 2)), out=("i32", full(64, -1))),
     dict(x="x", keep="keep", out="out"), _loaded_mask, constexprs=dict(BLOCK=64))


def _mask_2d(m, p):
    r, c = np.meshgrid(np.arange(p[0] * 4, min(p[0] * 4 + 4, 7)), np.arange(p[1] * 16, min(p[1] * 16 + 16, 21)), indexing="ij")
    at = r * 21 + c
    m["out"][at] = m["x"][at] + r * 10 + c


case("mask_2d", k.mask_2d, dict(x=("i32", ints(147)), out=("i32", full(160, -1))), dict(x="x", out="out", rows=7, cols=21), _mask_2d, (2, 2), dict(R=4, C=16))


for dtype, source, kept in (("i16", "i32", 1), ("i8", "i32", 1), ("bf16", "fp32", 1), ("i32", "i64", 1), ("i8", "i64", 17), ("i16", "i64", 9)):
    def _columns(m, p, kept=kept):
        m["out"].reshape(16, -1)[:, :kept] = m["x"].reshape(16, -1)[:, :kept]

    width = 4 if kept == 1 else 32
    case(f"mask_columns_{dtype}_{kept}", k.mask_columns, dict(x=(source, ints(16 * width, 8, -100, 100)), out=(dtype, full(16 * width, 77))), dict(x="x", out="out"), _columns,
         constexprs=dict(TYPE={"i8": tl.int8, "i16": tl.int16, "i32": tl.int32, "bf16": tl.bfloat16}[dtype], KEPT=kept, R=16, C=width))


def _triangle(m, p):
    r, c = np.arange(16)[:, None], np.arange(16)[None, :]
    v = np.where(c <= r, m["x"].reshape(16, 16), -1)
    m["out"][:] = np.where(r + c < 29, v, m["out"].reshape(16, 16)).reshape(-1)


case("mask_triangle", k.mask_triangle, dict(x=("i32", ints(256)), out=("i32", full(256, -77))), dict(x="x", out="out"), _triangle, constexprs=dict(N=16))


def _unsigned_mask(m, p):
    i = np.arange(32) - 1
    live = (i >= 0) & (i < 20)
    m["out"][:] = np.where(live, m["x"][np.clip(i, 0, 31)], -9)


case("mask_unsigned", k.mask_unsigned, dict(x=("i32", ints(32)), out=("i32", full(32, -1))), dict(x="x", out="out", start=-1, n=20), _unsigned_mask,
     constexprs=dict(BLOCK=32))


def _wrapped(m, p):
    i = np.arange(p[0] * 32, p[0] * 32 + 32)
    m["out"][i] = m["x"][i % 24]


case("wrapped_load", k.wrapped_rows, dict(x=("fp32", floats(24)), out=("fp32", full(96, -1.0))), dict(x="x", out="out", m=24), _wrapped, (3, ), dict(BLOCK=32))


def _negative(m, p):
    i = np.arange(32) - 3
    m["out"][:] = m["x"][8 + np.fmod(i, 11)]


case("negative_remainder", k.negative_remainder, dict(x=("i32", ints(32)), out=("i32", full(32, -1))), dict(x=At("x", 8), out="out", m=11), _negative,
     constexprs=dict(BLOCK=32))


def _gather(m, p):
    m["out"][:50] = m["x"][m["index"][:50]]


def _scatter(m, p):
    m["out"][m["index"][:50]] = m["x"][:50]


_perm = rng(9).permutation(64)
case("gather", k.gather, dict(x=("fp32", floats(40)), index=("i32", ints(64, 3, 0, 40)), out=("fp32", full(64, -1.0))),
     dict(x="x", index="index", out="out", n=50), _gather, constexprs=dict(BLOCK=64))
case("gather_i64_index", k.gather, dict(x=("fp32", floats(40)), index=("i64", ints(64, 3, 0, 40)), out=("fp32", full(64, -1.0))),
     dict(x="x", index="index", out="out", n=50), _gather, constexprs=dict(BLOCK=64))
case("scatter", k.scatter, dict(x=("fp32", floats(64)), index=("i32", _perm), out=("fp32", full(64, -1.0))),
     dict(x="x", index="index", out="out", n=50), _scatter, constexprs=dict(BLOCK=64))


def _gather_in_place(m, p):
    m["x"][:50] = m["x"][m["index"][:50]]


case("gather_in_place", k.gather, dict(x=("i32", ints(64)), index=("i32", _perm)), dict(x="x", index="index", out="x", n=50), _gather_in_place,
     constexprs=dict(BLOCK=64), note="a permutation applied to its own buffer")


def _gather_rows(m, p):
    m["out"][:6 * 21] = m["x"].reshape(10, 21)[m["index"][:6]].reshape(-1)


case("gather_rows", k.gather_rows, dict(x=("fp32", floats(210)), index=("i64", ints(8, 3, 0, 10)), out=("fp32", full(140, -1.0))),
     dict(x="x", index="index", out="out", rows=6, cols=21), _gather_rows, constexprs=dict(R=8, C=32))

for name, (s, t) in dict(columns=((1, 8), (16, 1)), spread=((40, 2), (17, 1)), backwards=((-16, -1), (16, 1))).items():
    def _strided(m, p, s=s, t=t, base=127 if name == "backwards" else 0):
        r, c = np.arange(8)[:, None], np.arange(16)[None, :]
        m["out"][(r * t[0] + c * t[1]).reshape(-1)] = m["x"][(base + r * s[0] + c * s[1]).reshape(-1)]

    case(f"strided_{name}", k.strided, dict(x=("fp32", floats(320)), out=("fp32", full(160, -1.0))),
         dict(x=At("x", 127 if name == "backwards" else 0), out="out", s0=s[0], s1=s[1], t0=t[0], t1=t[1]), _strided, constexprs=dict(R=8, C=16))


def _as_data(m, p):
    at = np.arange(65520, 65520 + 32, dtype=np.int64)
    m["out"][:] = (at * at).astype(np.uint32).view(np.int32)


case("offsets_as_data", k.offsets_as_data, dict(out=("i32", full(32, -1))), dict(out="out", start=65520), _as_data, constexprs=dict(BLOCK=32))


def _programs(m, p):
    m["out"][p[0] + 3 * (p[1] + 4 * p[2])] = p[0] * 10000 + p[1] * 100 + p[2]


case("programs_3d", k.programs_3d, dict(out=("i32", full(25, -1))), dict(out="out"), _programs, (3, 4, 2))


# ----------------------------------------------------------------------------------------- reductions and scans
def _softmax(m, p):
    s = slice(p[0] * 37, p[0] * 37 + 37)
    v = m["x"][s]
    with np.errstate(invalid="ignore"):
        e = np.exp(v - np.fmax.reduce(v))
        m["out"][s] = e / e.sum()


_rows = floats(37 * 5).reshape(5, 37)
_rows[1] = np.nan
_rows[2] = -np.inf
_rows[3, 5] = np.nan
_rows[4, :30] = -np.inf
case("softmax_odd_rows", k.row_softmax, dict(x=("fp32", _rows.reshape(-1)), out=("fp32", full(37 * 5 + 7, -1.0))), dict(x="x", out="out", n=37), _softmax,
     (5, ), dict(BLOCK=64), note="rows of NaN, of -inf, and mixed")


def _fills(m, p):
    v = [int(a) for a in m["x"][:13]]
    m["total"][0], m["product"][0] = sum(v) + 2 * 3, math.prod(v) * 3**3
    m["lowest"][0], m["highest"][0] = min(v + [-7]), max(v + [-7])


case("reduce_masked_fill", k.reduce_fills, dict(x=("i32", np.array([1, 2, -1, 3, 1, 2, 1, -2, 1, 1, 3, 1, 2, 9, 9, 9])), total=("i32", full(1, 0)),
     product=("i32", full(1, 0)), lowest=("i32", full(1, 0)), highest=("i32", full(1, 0))),
     dict(x="x", total="total", product="product", lowest="lowest", highest="highest", n=13), _fills, constexprs=dict(BLOCK=16))


def _bits(m, p):
    m["out"][0], m["out"][1] = np.bitwise_xor.reduce(m["x"]), np.bitwise_and.reduce(m["x"])


case("reduce_bits", k.reduce_bits, dict(x=("i32", ints(32, 4, 2**20, 2**30) | 6), out=("i32", full(3, -1))), dict(x="x", out="out"), _bits,
     constexprs=dict(BLOCK=32))


def _axes(m, p):
    x = m["x"].reshape(4, 8, 16)
    m["a0"][:], m["a1"][:], m["a2"][:] = x.sum(0).reshape(-1), x.max(1).reshape(-1), x.min(2).reshape(-1)


case("reduce_each_axis_3d", k.reduce_axes, dict(x=("fp32", floats(512)), a0=("fp32", full(128, -1.0)), a1=("fp32", full(64, -1.0)), a2=("fp32", full(32, -1.0))),
     dict(x="x", a0="a0", a1="a1", a2="a2"), _axes, constexprs=dict(A=4, B=8, C=16))


def _twice(m, p):
    x = m["x"].reshape(8, 16)
    m["rows"][:], m["whole"][0] = x.sum(1), (x * x.sum(1, keepdims=True)).sum()


case("reduce_twice_2d", k.reduce_twice_2d, dict(x=("fp32", floats(128)), rows=("fp32", full(8, -1.0)), whole=("fp32", full(1, -1.0))),
     dict(x="x", rows="rows", whole="whole"), _twice, constexprs=dict(R=8, C=16), tolerance=dict(rows=(1e-5, 1e-5), whole=(1e-5, 1e-4)))


def _arg(m, p):
    v = m["x"].reshape(3, 17)[p[0]]
    m["top"][p[0]], m["top_at"][p[0]], m["low"][p[0]], m["low_at"][p[0]] = v.max(), v.argmax(), v.min(), v.argmin()


_ties = np.round(floats(51) * 2) / 2
_ties.reshape(3, 17)[2] = 1.5
case("arg_extrema_ties", k.arg_extrema, dict(x=("fp32", _ties), top=("fp32", full(3, 0.0)), top_at=("i32", full(3, -1)), low=("fp32", full(3, 0.0)),
     low_at=("i32", full(3, -1))), dict(x="x", top="top", top_at="top_at", low="low", low_at="low_at", n=17), _arg, (3, ), dict(BLOCK=32))


def _welford(m, p):
    v = m["x"].reshape(3, 50)[p[0]]
    m["mean"][p[0]], m["var"][p[0]] = v.mean(), v.var()


case("reduce_welford", k.welford, dict(x=("fp32", floats(150)), mean=("fp32", full(3, 0.0)), var=("fp32", full(3, 0.0))),
     dict(x="x", mean_out="mean", var_out="var", n=50), _welford, (3, ), dict(BLOCK=64), tolerance=dict(mean=(1e-5, 1e-5), var=(1e-5, 1e-5)))

for axis in (0, 1):
    for reverse in (False, True):
        def _scan(m, p, axis=axis, reverse=reverse):
            x = m["x"].reshape(8, 16)
            m["out"][:] = (np.flip(np.cumsum(np.flip(x, axis), axis), axis) if reverse else np.cumsum(x, axis)).reshape(-1)

        case(f"scan_sum_axis{axis}{'_reverse' if reverse else ''}", k.scan_sum, dict(x=("i32", ints(128)), out=("i32", full(128, -1))),
             dict(x="x", out="out"), _scan, constexprs=dict(R=8, C=16, AXIS=axis, REVERSE=reverse))


def _scan_max(m, p):
    m["out"][:33] = np.maximum.accumulate(m["x"][:33])


case("scan_max_masked", k.scan_max_masked, dict(x=("i32", tail(33, 64, 999)), out=("i32", full(64, -1))), dict(x="x", out="out", n=33), _scan_max,
     constexprs=dict(BLOCK=64))

for reverse in (False, True):
    def _affine(m, p, reverse=reverse):
        h, order = 0.0, range(32, -1, -1) if reverse else range(33)
        for i in order:
            h = m["a"][i] * h + m["b"][i]
            m["out"][i] = h

    case(f"scan_affine{'_reverse' if reverse else ''}", k.scan_affine,
         dict(a=("fp32", floats(64, 1) * np.float32(0.4)), b=("fp32", floats(64, 2)), out=("fp32", full(64, -1.0))),
         dict(a="a", b="b", out="out", n=33), _affine, constexprs=dict(BLOCK=64, REVERSE=reverse), tolerance=dict(out=(1e-5, 1e-5)))


for dtype, low, high in (("u8", 0, 256), ("i8", -128, 128), ("u16", 0, 2**16)):
    def _scan_extremes(m, p):
        x = m["x"].reshape(32, 2)[:, ::-1]
        m["least"][:] = np.minimum.accumulate(x, 1)[:, ::-1].ravel()
        m["most"][:] = np.maximum.accumulate(x, 1)[:, ::-1].ravel()

    case(f"scan_extremes_{dtype}", k.scan_extremes, dict(x=(dtype, ints(64, 9, low, high)), least=(dtype, full(64, 7)), most=(dtype, full(64, 7))), dict(x="x", least="least", most="most"),
         _scan_extremes, constexprs=dict(R=32, C=2))


def _sums(m, p):
    m["out"][:], m["total"][0] = np.cumsum(m["x"]), np.sum(m["x"])


case("sums_bf16", k.sums_bf16, dict(x=("bf16", np.abs(floats(1024))), out=("fp32", full(1024, 0.0)), total=("fp32", full(1, 0.0))),
     dict(x="x", out="out", total="total"), _sums, constexprs=dict(BLOCK=1024), tolerance=dict(out=(2**-8, 0), total=(2**-8, 0)))


def _compact(m, p):
    v = m["x"][:50]
    kept = v[v > 0]
    m["out"][:len(kept)], m["count"][0] = kept, len(kept)


case("compact", k.compact, dict(x=("i32", tail(50, 64, 5)), out=("i32", full(64, -1)), count=("i32", full(1, -1))),
     dict(x="x", out="out", count="count", n=50), _compact, constexprs=dict(BLOCK=64))


# -------------------------------------------------------------------------------------------- element types, shapes
def _divide(m, p):
    a, b = m["x"].astype(np.int64), m["y"].astype(np.int64)
    q = np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))
    m["q"][:], m["r"][:] = q, a - q * b


for dtype, lo in (("i32", -100), ("i64", -100), ("i16", -100), ("u32", 0)):
    _by = ints(64, 2, lo // 10, 12)
    _by[_by == 0] = 3
    case(f"divide_{dtype}", k.integer_division, dict(x=(dtype, ints(64, 1, lo, 100)), y=(dtype, _by), q=(dtype, full(64, 0)), r=(dtype, full(64, 0))),
         dict(x="x", y="y", q="q", r="r"), _divide, constexprs=dict(BLOCK=64))


def _convert(m, p):
    m["out"][:50] = np.trunc(m["x"][:50]) if m["out"].dtype.kind in "iu" else m["x"][:50]


_exact = np.round(floats(64) * 16) / 8
for a, b in (("fp32", "fp16"), ("fp16", "fp32"), ("fp32", "bf16"), ("bf16", "fp32"), ("fp32", "fp64"), ("fp64", "fp32"), ("fp32", "i32"), ("i32", "fp32"),
             ("i8", "i32"), ("u8", "fp32"), ("i64", "i8"), ("i16", "fp64")):
    values = _exact if a[0] in "fb" else ints(64, 6, 0 if a[0] == "u" else -100, 100)
    case(f"convert_{a}_{b}", k.convert, dict(x=(a, values), out=(b, full(64, 9))), dict(x="x", out="out", n=50), _convert, constexprs=dict(BLOCK=64))


def _scale(m, p):
    s = slice(p[0] * 64, min(p[0] * 64 + 64, 100))
    m["out"][s] = m["x"][s] * 1.5 - 0.25


for dtype in ("fp16", "bf16", "fp32"):
    case(f"scale_shift_{dtype}", k.scale_shift, dict(x=(dtype, _exact.repeat(2)), out=(dtype, full(128, 9))), dict(x="x", out="out", a=1.5, b=-0.25, n=100), _scale,
         (2, ), dict(BLOCK=64))


def _unsigned(m, p):
    m["out"][:] = np.minimum(m["x"], m["y"]) + (m["x"] >> m["x"].dtype.type(1))


for dtype, top in (("u32", 2**32), ("u8", 2**8), ("u64", 2**63)):
    case(f"unsigned_{dtype}", k.unsigned_compare, dict(x=(dtype, ints(64, 1, 0, top)), y=(dtype, ints(64, 2, 0, top)), out=(dtype, full(64, 0))),
         dict(x="x", y="y", out="out"), _unsigned, constexprs=dict(BLOCK=64))


def _reshape(m, p):
    x = m["x"]
    m["out"][:], m["lows"][:], m["highs"][:] = x.reshape(4, 16).T.reshape(-1), x[0::2], x[1::2]


case("reshape_trans_split", k.reshape_and_split, dict(x=("i32", ints(64)), out=("i32", full(64, -1)), lows=("i32", full(32, -1)), highs=("i32", full(32, -1))),
     dict(x="x", out="out", lows="lows", highs="highs"), _reshape, constexprs=dict(N=64))


def _join(m, p):
    m["out"][0::2], m["out"][1::2] = m["x"], m["y"]


case("join_pairs", k.join_pairs, dict(x=("fp32", floats(32, 1)), y=("fp32", floats(32, 2)), out=("fp32", full(64, -1.0))), dict(x="x", y="y", out="out"), _join,
     constexprs=dict(N=32))


def _functions(m, p):
    v = m["x"][:50]
    f = [np.exp, np.log, np.sqrt, lambda a: 1 / np.sqrt(a), np.sin, np.cos, np.exp2, np.log2, np.floor, np.ceil, np.vectorize(math.erf), lambda a: a * a + a]
    for row, function in enumerate(f):
        m["out"][row * 50:row * 50 + 50] = function(v)


case("math_functions", k.math_functions, dict(x=("fp32", np.linspace(0.03, 9.7, 64).astype(np.float32)), out=("fp32", full(620, -1.0))),
     dict(x="x", out="out", n=50), _functions, constexprs=dict(BLOCK=64), tolerance=dict(out=(2e-6, 5e-7)))


def _matmul(m, p):
    c = m["c"].reshape(37, 41)
    r, s = slice(p[0] * 16, p[0] * 16 + 16), slice(p[1] * 16, p[1] * 16 + 16)
    c[r, s] = m["a"].reshape(37, 29)[r] @ m["b"].reshape(29, 41)[:, s]


case("matmul_ragged", k.matmul_small, dict(a=("fp32", floats(37 * 29, 1)), b=("fp32", floats(29 * 41, 2)), c=("fp32", full(37 * 41, -1.0))),
     dict(a="a", b="b", c="c", m=37, n=41, k=29), _matmul, (3, 3), dict(BM=16, BN=16, BK=16), tolerance=dict(c=(1e-5, 3e-5)))


def _typed_matmul(m, p):
    a, b, c = m["a"].reshape(77, 141), m["b"].reshape(141, 83), m["c"].reshape(77, 83)
    r, s = slice(p[0] * 64, p[0] * 64 + 64), slice(p[1] * 64, p[1] * 64 + 64)
    c[r, s] = a[r].astype(c.dtype) @ b[:, s].astype(c.dtype)


# Tiles that are split into strips, with an odd number of products a sum.
for dtype, sums in (("fp16", "fp32"), ("bf16", "fp32"), ("i8", "i32")):
    a, b = (ints(77 * 141, 1, -128, 128), ints(141 * 83, 2, -128, 128)) if dtype == "i8" else (floats(77 * 141, 1), floats(141 * 83, 2))
    case(f"matmul_strips_{dtype}", k.matmul_typed, dict(a=(dtype, a), b=(dtype, b), c=(sums, full(77 * 83, -1))),
         dict(a="a", b="b", c="c", m=77, n=83, k=141), _typed_matmul, (2, 2), dict(BM=64, BN=64, BK=32, ACC=tl.int32 if dtype == "i8" else tl.float32),
         tolerance=dict(c=(0.0, 0.0) if dtype == "i8" else (1e-5, 1e-4)))


# ---------------------------------------------------------------------------------- code of elements, prints and waits
def _steps(m, p):
    for i, v in enumerate(m["x"].tolist()):
        steps = 0
        while v != 1:
            v = 3 * v + 1 if v % 2 else v // 2
            steps += 1
        m["out"][i] = steps


case("map_loop", k.steps_of_elements, dict(x=("i32", np.arange(1, 65)), out=("i32", full(64, -1))), dict(x="x", out="out"), _steps,
     constexprs=dict(BLOCK=64))


def _picked(m, p):
    x = np.where(np.arange(64) < 45, m["x"][:64], 1)
    steps = dict(x=x, out=np.zeros(64, int))
    _steps(steps, p)
    m["out"][:45] = steps["out"][m["at"]][:45]


case("map_picked", k.steps_picked, dict(x=("i32", np.arange(1, 65)), at=("i32", ints(64, 5, 0, 64)), out=("i32", full(64, -1))), dict(x="x", at="at", out="out", n=45), _picked,
     constexprs=dict(BLOCK=64))


def _pairs(m, p):
    m["out"][0::2], m["out"][1::2] = m["x"][0::2] + m["y"][1::2], m["x"][1::2] - m["y"][0::2]


case("map_pairs", k.pairs_of_elements, dict(x=("i32", ints(64, 1)), y=("i32", ints(64, 2)), out=("i32", full(64, -99))), dict(x="x", y="y", out="out"),
     _pairs, constexprs=dict(BLOCK=64), note="which elements go together is the compiler's choice: neighbours here")


def _nearer(m, p):
    x = m["x"].reshape(8, 32)
    m["out"][:] = np.take_along_axis(x, np.abs(x).argmin(1)[:, None], 1)[:, 0]


case("reduce_branch", k.reduce_with_branch, dict(x=("fp32", floats(256, 5)), out=("fp32", full(8, 9.0))), dict(x="x", out="out"), _nearer,
     constexprs=dict(ROWS=8, COLUMNS=32))


def _turned(m, p):
    wide = (m["x"].astype(np.int64) * 5 + 3).astype(np.uint32)
    m["out"][:] = wide.byteswap().view(np.int32)


case("asm_integers", k.assembly, dict(x=("i32", ints(64, 3, -2**31, 2**31)), out=("i32", full(64, 0))), dict(x="x", out="out"), _turned,
     constexprs=dict(BLOCK=64))


def _nibbles(m, p):
    m["out"][:] = m["x"] & 15


case("asm_bytes", k.assembly_of_bytes, dict(x=("i8", ints(128, 4, -128, 128)), out=("i8", full(128, -1))), dict(x="x", out="out"), _nibbles,
     constexprs=dict(BLOCK=128))


def _checked(m, p):
    s = slice(p[0] * 16, min(p[0] * 16 + 16, 41))
    m["out"][s] = m["x"][s] + 1


case("print_assert", k.prints_and_asserts, dict(x=("i32", tail(41, 48)), out=("i32", full(48, -7))), dict(x="x", out="out", n=41), _checked, (3, ),
     dict(BLOCK=16))


def _polled(m, p):
    m["out"][:] = m["flags"] == 3


case("poll_timeout", k.poll_with_timeout, dict(flags=("i32", ints(32, 6, 2, 5)), out=("i32", full(32, -1))), dict(flags="flags", out="out"), _polled,
     constexprs=dict(BLOCK=32))


def _two_products(m, p):
    a, b, c = m["a"].reshape(64, 96), m["b"].reshape(96, 32), m["c"].reshape(96, 64)
    m["left"][:] = (a @ b).ravel()
    m["right"][:] = np.tril(a @ c).ravel()


case("two_products", k.two_products, dict(a=("fp16", floats(64 * 96, 31)), b=("fp16", floats(96 * 32, 32)), c=("fp16", floats(96 * 64, 33)),
                                         left=("fp32", full(64 * 32, 7.0)), right=("fp32", full(64 * 64, 7.0))),
     dict(a="a", b="b", c="c", left="left", right="right"), _two_products, constexprs=dict(K=96, BM=64, BN=32, BK=32),
     tolerance=dict(left=(1e-4, 1e-4), right=(1e-4, 1e-4)))


def _transpose_tiles(rows, cols, R, C):
    def expect(m, p):
        r, c = slice(p[0] * R, min(p[0] * R + R, rows)), slice(p[1] * C, min(p[1] * C + C, cols))
        out = m["out"].reshape(cols, rows)
        out[c, r] = 2 * m["x"].reshape(rows, cols)[r, c].T
    return expect


for name, dtype, content, rows, cols, R, C in (("fp32", "fp32", floats(70 * 100, 41), 70, 100, 32, 64), ("fp16", "fp16", floats(48 * 33, 42), 48, 33, 16, 16),
                                               ("i8", "i8", ints(130 * 40, 43), 130, 40, 64, 32), ("i64", "i64", ints(24 * 40, 44), 24, 40, 8, 16)):
    case(f"transpose_tiles_{name}", k.transpose_tiles, dict(x=(dtype, content), out=(dtype, full(rows * cols, -7))), dict(x="x", out="out", rows=rows, cols=cols),
         _transpose_tiles(rows, cols, R, C), (-(-rows // R), -(-cols // C)), dict(R=R, C=C))


def _count_numbers(bins, block, n):
    def expect(m, p):
        x = m["x"][p[0] * block:min(p[0] * block + block, n)]
        for name in ("out", "same"):
            m[name][p[0] * bins:(p[0] + 1) * bins] = [np.sum(x == b) for b in range(bins)]
    return expect


for dtype, bins in (("i32", 64), ("i8", 128), ("i64", 4)):
    case(f"count_numbers_{dtype}", k.count_numbers, dict(x=(dtype, ints(300, 45, -5, min(bins + 9, 128))), out=("i32", full(3 * bins, -7)),
                                                         same=("i32", full(3 * bins, -7))),
         dict(x="x", out="out", same="same", n=300), _count_numbers(bins, 128, 300), (3, ), dict(BINS=bins, BLOCK=128))


def _attend_to_picked(m, p):
    rows = m["kv"].reshape(50, 64)[m["at"][m["at"] >= 0]]
    s = m["q"].reshape(16, 64) @ rows.T * 0.125
    w = np.exp(s - s.max(axis=1, keepdims=True))
    m["out"][:] = (w @ rows / w.sum(axis=1, keepdims=True)).ravel()


case("attend_to_picked", k.attend_to_picked, dict(q=("fp16", floats(16 * 64, 46)), kv=("fp16", floats(50 * 64, 47)), at=("i32", ints(37, 48, -5, 50)),
                                                 out=("fp32", full(16 * 64, 7.0))),
     dict(q="q", kv="kv", at="at", out="out", scale=0.125, n=37), _attend_to_picked, constexprs=dict(H=16, D=64, BLOCK=16), tolerance=dict(out=(2e-3, 2e-3)))


def _count_in_turns(m, p):
    counts = np.array([np.sum(m["x"] == b) for b in range(64)])
    m["out"][:], m["by_hand"][:] = 3 + counts, np.arange(64) + counts


case("count_in_turns", k.count_in_turns, dict(x=("i32", ints(100, 49, 0, 64)), out=("i32", full(64, -7)), by_hand=("i32", full(64, -7))),
     dict(x="x", out="out", by_hand="by_hand", n=100), _count_in_turns, constexprs=dict(BINS=64, BLOCK=32))


def _walsh_hadamard(m, p):
    matrix = np.ones((1, 1), np.int64)
    for _ in range(10):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    m["out"][:] = matrix @ m["x"]


case("walsh_hadamard", k.walsh_hadamard, dict(x=("i32", ints(1024, 50)), out=("i32", full(1024, -7))), dict(x="x", out="out"), _walsh_hadamard,
     constexprs=dict(LOG=10), note="written into each other, the steps take 1024 loads an element")


def _most_alike(m, p):
    count = m["counts"][p[0]]
    products = m["q"].reshape(128, 32) @ m["keys"].reshape(256, 32)[:count].T
    m["out"].reshape(3, 128)[p[0]] = np.max(products, axis=1, initial=-9)


case("most_alike", k.most_alike, dict(q=("fp16", floats(128 * 32, 51)), keys=("fp16", floats(256 * 32, 52)), counts=("i32", np.array([256, 0, 128], np.int32)),
                                      out=("fp32", full(3 * 128, 7.0))),
     dict(q="q", keys="keys", counts="counts", out="out"), _most_alike, (3, ), dict(M=128, D=32, BLOCK=128), tolerance=dict(out=(2e-3, 2e-3)), num_warps=8,
     note="the loop that does not run holds another, of a reduction")

import sharing_cases  # noqa: E402,F401 these add to CASES
import language_cases  # noqa: E402,F401
