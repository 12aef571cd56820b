# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The launches of sharing.py; as in cases.py."""
import numpy as np

import sharing as k
from cases import At, case, floats, full, ints

for limit in (-10000, 10000):
    def _increment(m, p, limit=limit):
        v = m["x"].copy()
        m["x"][:] = v + 100
        m["out"][:] = v * v.max() if v.sum() < limit else -v

    case(f"increment_then_branch_{'high' if limit > 0 else 'low'}", k.increment_then_branch, dict(x=("i32", ints(32)), out=("i32", full(32, -1))),
         dict(x="x", out="out", limit=limit), _increment, constexprs=dict(BLOCK=32))

# The sum of the old values and that of the new ones lie on different sides of the limit.
_few = ints(32, 7)


def _increment_between(m, p):
    v = m["x"].copy()
    m["x"][:], m["out"][:] = v + 100, v * v.max()


case("increment_then_branch_between", k.increment_then_branch, dict(x=("i32", _few), out=("i32", full(32, -1))),
     dict(x="x", out="out", limit=int(_few.sum()) + 1600), _increment_between, constexprs=dict(BLOCK=32))


def _sum_first(m, p):
    m["out"][:] = np.arange(128) + m["x"].sum()
    m["x"][:] = m["x"] + 100


case("sum_then_increment", k.sum_then_increment, dict(x=("i32", _few), out=("i32", full(128, -1))), dict(x="x", out="out"), _sum_first,
     constexprs=dict(BLOCK=32, WIDE=128))


def _scan_over(m, p):
    m["out"][:] = np.cumsum(m["x"])
    m["x"][:] = m["x"] + 1


for size in (32, 512):
    case(f"scan_then_overwrite_{size}", k.scan_then_overwrite, dict(x=("i32", ints(size)), out=("i32", full(size, -1))), dict(x="x", out="out"), _scan_over,
         constexprs=dict(BLOCK=size))


def _old(m, p):
    m["out"][:] = np.arange(128) + m["x"].sum()
    m["x"][:] = m["x"] + np.arange(1, 33)


case("old_values_summed", k.old_values, dict(x=("i32", ints(32)), out=("i32", full(128, -1))), dict(x="x", out="out"), _old,
     constexprs=dict(BLOCK=32, WIDE=128))


def _carried_turned(m, p):
    v = m["x"].reshape(8, 4)
    for step in range(5):
        m["turned"][step * 32:step * 32 + 32] = v.T.reshape(-1)
        v = v * 2 + 1
        m["sums"][step * 128:step * 128 + 128] = np.arange(128) + v.sum()


case("carried_and_turned", k.carried_and_turned, dict(x=("i32", np.arange(20, 52)), turned=("i32", full(160, -1)), sums=("i32", full(640, -1))),
     dict(x="x", turned="turned", sums="sums", steps=5), _carried_turned, constexprs=dict(R=8, C=4, WIDE=128))


def _across(rows, columns):
    def expect(m, p):
        m["y"][:] = -m["x"].reshape(rows, columns).T.ravel()
        m["out"][:] = 1 - m["x"]

    return expect


for dtype, rows, columns in (("fp32", 32, 32), ("i16", 16, 64), ("fp16", 16, 32)):
    n = rows * columns
    case(f"written_and_read_across_{dtype}", k.written_and_read_across, dict(x=(dtype, np.arange(n)), y=(dtype, full(n, 9)), out=(dtype, full(n, 9))),
         dict(x="x", y="y", out="out"), _across(rows, columns), constexprs=dict(R=rows, C=columns))


def _counts(bins, block):
    def expect(m, p):
        m["counts"][:bins] = m["counts"][:bins] + np.bincount(np.arange(block) % bins, minlength=bins)
    return expect


case("count_each_once", k.count_atomically, dict(counts=("i32", full(40, 3))), dict(counts="counts", bins=32), _counts(32, 32), (3, ), dict(BLOCK=32))
case("count_512_in_3", k.count_atomically, dict(counts=("i32", full(8, 3))), dict(counts="counts", bins=3), _counts(3, 512), (2, ), dict(BLOCK=512))
case("count_512_in_3_fp32", k.count_atomically, dict(counts=("fp32", full(8, 3.0))), dict(counts="counts", bins=3), _counts(3, 512), (2, ), dict(BLOCK=512))


def _total(m, p):
    m["total"][0] = m["total"][0] + m["x"][:20].sum()


case("running_total", k.running_total, dict(x=("i32", ints(20)), total=("i32", full(1, 7))), dict(x="x", total="total", n=20), _total)


def _nan_branch(m, p):
    s = slice(p[0] * 64, p[0] * 64 + 64)
    v = m["x"][s]
    top = np.fmax.reduce(v)
    m["out"][s] = v - top if p[0] == 2 else v * top


# The work-item that holds the NaN must not go its own way.
_rows = np.abs(floats(192)).reshape(3, 64) + np.float32(0.5)
_rows[0, 37] = np.nan
_rows[1, 27] = np.nan
_rows[2, 5] = np.nan
_rows[2] = -_rows[2]
case("branch_on_nan", k.branch_on_nan, dict(x=("fp32", _rows.reshape(-1)), out=("fp32", full(192, -1.0))), dict(x="x", out="out", n=64), _nan_branch, (3, ),
     dict(BLOCK=64))


def _arg_rows(m, p):
    x = m["x"].reshape(4, 32)
    m["top_at"][:], m["low_at"][:] = np.nanargmax(x, 1), np.nanargmin(x, 1)


_rows = floats(128, 12).reshape(4, 32)
_rows[:, 31] = np.nan
_rows[2, 4:9] = 3.0
case("arg_extrema_nan_last", k.arg_extrema_rows, dict(x=("fp32", _rows.reshape(-1)), top_at=("i32", full(4, -1)), low_at=("i32", full(4, -1))),
     dict(x="x", top_at="top_at", low_at="low_at"), _arg_rows, constexprs=dict(R=4, C=32), note="a NaN never wins against what came before")


def _turn_twice(m, p):
    m["x"][:] = (m["x"] + 1) * 2


case("turn_twice", k.turn_twice, dict(x=("i32", ints(64 * 64))), dict(x="x"), _turn_twice, constexprs=dict(N=64))


def _softmax_of_rows(m, p):
    for row in range(p[0], 7, 2):
        s = slice(row * 50, row * 50 + 50)
        e = np.exp(m["x"][s] - m["x"][s].max())
        m["out"][s] = e / e.sum()


case("softmax_of_rows", k.softmax_of_rows, dict(x=("fp32", floats(350)), out=("fp32", full(360, -1.0))), dict(x="x", out="out", rows=7, n=50), _softmax_of_rows,
     (2, ), dict(BLOCK=64))

for programs, rounds in ((6, 3), (4096, 20)):
    def _locked(m, p, rounds=rounds):
        m["count"][0] = m["count"][0] + rounds

    case(f"count_under_lock_{programs}", k.count_under_lock, dict(lock=("i32", full(1, 0)), count=("i32", full(1, 5))),
         dict(lock="lock", count="count", rounds=rounds), _locked, (programs, ))

for programs in (6, 1024):
    def _locked_tile(m, p):
        m["sums"][:64] = m["sums"][:64] + m["x"][p[0] * 64:p[0] * 64 + 64]

    case(f"add_under_lock_{programs}", k.add_under_lock, dict(lock=("i32", full(1, 0)), x=("i32", ints(64 * programs)), sums=("i32", full(70, 9))),
         dict(lock="lock", x="x", sums="sums"), _locked_tile, (programs, ), dict(BLOCK=64))


def _histogram(m, p):
    v = m["x"][:200]
    m["out"][:16] = np.bincount(v[(v >= 0) & (v < 16)], minlength=16)


case("histogram_out_of_range", k.histogram_of, dict(x=("i32", np.concatenate([[-1, 16, -2**31, 2**31 - 1], ints(252, 8, -4, 20)])), out=("i32", full(24, -1))),
     dict(x="x", out="out", n=200), _histogram, constexprs=dict(BLOCK=256, BINS=16), note="elements outside of all bins are counted nowhere")


def _quotients(m, p):
    m["out"][:] = m["x"] / m["z"][0]


case("divide_by_one_fp32", k.divide_by_one, dict(x=("fp32", floats(256, 3)), z=("fp32", floats(1, 4)), out=("fp32", full(256, 9.0))),
     dict(x="x", z="z", out="out"), _quotients, constexprs=dict(BLOCK=256), tolerance=dict(out=(0.0, 0.0)), note="bit by bit")


def _left_masked(m, p):
    left = m["a"].reshape(16, 32).copy()
    left[:, 20:] = 0
    with np.errstate(invalid="ignore"):
        m["c"][:] = (left @ m["b"].reshape(32, 16)).reshape(-1)


_right = floats(32 * 16, 5).reshape(32, 16)
_right[25, 3] = np.inf
_right[31, 7] = np.nan
_right[20, 9] = -np.inf
case("product_left_masked", k.product_left_masked, dict(a=("fp32", floats(16 * 32, 6)), b=("fp32", _right.reshape(-1)), c=("fp32", full(256, -1.0))),
     dict(a="a", b="b", c="c", k=20), _left_masked, constexprs=dict(N=16, K=32), tolerance=dict(c=(1e-5, 1e-5)))


def _into_operand(m, p):
    a, b, acc = m["a"].reshape(32, 128), m["b"].reshape(128, 32).astype(np.int64), np.zeros((32, 32), np.int64)
    for at in range(0, 128, 32):
        acc = acc + a[:, at:at + 32].astype(np.int64) @ b[at:at + 32]
        a[:, 64:96] = acc.astype(np.int8)


case("product_into_operand", k.product_into_operand, dict(a=("i8", ints(32 * 128, 9, -20, 20)), b=("i8", ints(128 * 32, 10, -20, 20))),
     dict(a="a", b="b", c=At("a", 64)), _into_operand, constexprs=dict(K=128, N=32, STEP=32), note="columns 64 to 95 of a are where c goes")


def _extremum_rows():
    x = floats(8 * 200, 51).reshape(8, 200)
    inf, nan = np.float32(np.inf), np.float32(np.nan)
    x[1], x[2], x[3] = -inf, nan, inf
    x[4], x[5] = nan, nan
    x[4, 130], x[5, 7] = -inf, inf
    x[6, ::2] = nan
    x[7, 0] = nan
    return x.reshape(-1)


def _extremum(reduce):
    def expect(m, p):
        m["out"][p[0]] = reduce(m["x"].reshape(8, 200)[p[0]])
    return expect


for name, reduce in (("maximum", np.fmax.reduce), ("minimum", np.fmin.reduce)):
    case(f"row_{name}", k.row_extremum, dict(x=("fp32", _extremum_rows()), out=("fp32", full(8, -7.0))), dict(x="x", out="out", cols=200), _extremum(reduce), (8, ),
         dict(LEAST=name == "minimum", BLOCK=256))
