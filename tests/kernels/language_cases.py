# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The launches of language.py; as in cases.py."""
import math

import numpy as np
import triton.language as tl

import language as k
from cases import case, floats, full, ints, rng

SPECIAL = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0, 2.5], np.float32)
LEFT = np.concatenate([np.repeat(SPECIAL, 8), floats(64, 51)])
RIGHT = np.concatenate([np.tile(SPECIAL, 8), floats(64, 52)])


def keeps_nan(f, *values):
    return np.where(np.logical_or.reduce([np.isnan(v) for v in values]), np.nan, f)


def _clamped(m, p):
    x, low, high = m["x"], m["low"], m["high"]
    m["out"][:] = np.fmin(np.fmax(x, low), high)
    m["kept"][:] = np.where(np.isnan(x), np.nan, m["out"])


case("clamp", k.clamped, dict(x=("fp32", LEFT), low=("fp32", full(128, -1.5)), high=("fp32", full(128, 1.25)), out=("fp32", full(128, 9.0)), kept=("fp32", full(128, 9.0))),
     dict(x="x", low="low", high="high", out="out", kept="kept"), _clamped, constexprs=dict(BLOCK=128))


def _extrema(m, p):
    a, b = m["x"], m["y"]
    m["most"][:], m["least"][:] = np.fmax(a, b), np.fmin(a, b)
    m["most_kept"][:], m["least_kept"][:] = keeps_nan(np.fmax(a, b), a, b), keeps_nan(np.fmin(a, b), a, b)


for dtype in ("fp32", "fp16", "fp64", "bf16"):
    case(f"extrema_{dtype}", k.extrema, dict(x=(dtype, LEFT), y=(dtype, RIGHT), **{n: (dtype, full(128, 9.0)) for n in ("most", "least", "most_kept", "least_kept")}),
         {n: n for n in ("x", "y", "most", "least", "most_kept", "least_kept")}, _extrema, constexprs=dict(BLOCK=128))


def _comparisons(m, p):
    a, b = m["x"], m["y"]
    m["out"][:] = sum(bit * f(a, b) for bit, f in zip((1, 2, 4, 8, 16, 32), (np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal)))


for dtype, x, y in (("fp32", LEFT, RIGHT), ("fp64", LEFT, RIGHT), ("i8", ints(128, 1, -4, 4), ints(128, 2, -4, 4)),
                    ("u32", ints(128, 3, 0, 2**32) >> 30 << 30, ints(128, 4, 0, 2**32) >> 30 << 30)):
    case(f"compare_{dtype}", k.comparisons, dict(x=(dtype, x), y=(dtype, y), out=("i32", full(128, -1))), dict(x="x", y="y", out="out"), _comparisons,
         constexprs=dict(BLOCK=128))


def _quotients(m, p):
    a, b = m["x"], m["y"]
    with np.errstate(all="ignore"):
        m["precise"][:] = m["quick"][:] = m["near"][:] = a / b
        m["root"][:] = np.sqrt(np.abs(a))
        m["rest"][:] = np.fmod(a, b)


case("rounded_quotients", k.rounded_quotients, dict(x=("fp32", LEFT), y=("fp32", RIGHT), **{n: ("fp32", full(128, 9.0)) for n in ("precise", "quick", "near", "root", "rest")}),
     {n: n for n in ("x", "y", "precise", "quick", "near", "root", "rest")}, _quotients, constexprs=dict(BLOCK=128),
     tolerance=dict(precise=(6e-8, 0.0), root=(6e-8, 0.0), quick=(3e-7, 0.0), near=(3e-7, 0.0), rest=(0.0, 0.0)))


def _signs(m, p):
    v = m["x"].astype(np.float32)
    results = [-v, v + np.float32(0), np.float32(0) - v, v * np.float32(-1), np.abs(v)]
    m["out"][:] = np.concatenate(results).view(np.int32)


case("signs_of_zeros", k.signs_of_zeros, dict(x=("fp32", np.tile(np.array([0.0, -0.0, 1.0, -2.0], np.float32), 8)), out=("i32", full(160, 7))), dict(x="x", out="out"), _signs,
     constexprs=dict(BLOCK=32))


def _library(m, p):
    a, b = m["x"], m["y"]
    m["out"][:] = np.concatenate([np.arctan2(a, b), np.abs(a)**b, np.tanh(a), np.log1p(np.abs(a)), np.hypot(a, b)])


for dtype in ("fp32", "fp64"):
    tolerance = (1e-6, 1e-7) if dtype == "fp32" else (1e-14, 1e-15)
    case(f"library_calls_{dtype}", k.library_calls, dict(x=(dtype, floats(64, 53)), y=(dtype, floats(64, 54)), out=(dtype, full(320, 9.0))), dict(x="x", y="y", out="out"), _library,
         constexprs=dict(BLOCK=64), tolerance=dict(out=tolerance))

# ---------------------------------------------------------------------------------- conversions
# Of each format: bits of the exponent and of the mantissa, bias, the code of its largest number, has it infinities?
FORMATS = {"float8e4nv": (4, 3, 7, 0x7E, False), "float8e5": (5, 2, 15, 0x7B, True), "float16": (5, 10, 15, 0x7BFF, True), "bfloat16": (8, 7, 127, 0x7F7F, True)}


def numbers_of(name):
    """The numbers of a format from 0 up, by their codes."""
    exponent, mantissa, bias, most, _ = FORMATS[name]
    codes = np.arange(most + 1)
    e, f = codes >> mantissa, codes & ((1 << mantissa) - 1)
    return np.where(e == 0, np.ldexp(f.astype(float), 1 - bias - mantissa), np.ldexp(((1 << mantissa) + f).astype(float), e - bias - mantissa))


def encoded(name, values, rounding):
    """Codes of the nearest numbers, ties to even codes, or of those next towards zero."""
    exponent, mantissa, bias, most, has_infinity = FORMATS[name]
    table, sign = numbers_of(name), 1 << (exponent + mantissa)
    size = np.abs(values)
    below = np.clip(np.searchsorted(table, size, "right") - 1, 0, most)
    above = np.minimum(below + 1, most)
    middle = (table[below] + table[above]) / 2
    codes = np.where((size > middle) | ((size == middle) & (below % 2 == 1)), above, below) if rounding == "rtne" else below
    byte = name.startswith("float8")
    if not byte and has_infinity:
        over = table[most] + (table[most] - table[most - 1]) / 2
        codes = np.where((size >= over) if rounding == "rtne" else np.isinf(size), most + 1, codes)
    if byte and has_infinity and rounding == "rtz":
        codes = np.where(np.isinf(size), most + 1, codes)
    codes = np.where(values < 0, codes | sign, np.where(np.signbit(values), codes | sign, codes))
    return codes


def around(name):
    """Numbers of a format, those between neighbours, and what is out of its range."""
    table = numbers_of(name)
    picked = table if len(table) < 300 else table[rng(9).integers(0, len(table) - 1, 120)]
    picked = picked[picked < 1e38]
    after = table[np.searchsorted(table, picked) + (picked < table[-1])]
    values = np.concatenate([picked, (picked + after) / 2, picked * 0.75 + after * 0.25, table[-1] * np.array([1.0, 1.03, 1.07, 1.5, 4.0]), [0.0]])
    values = np.append(values[values < 3.4e38], np.inf).astype(np.float32)
    values = np.concatenate([values, -values])
    size = 1 << (len(values) - 1).bit_length()
    return np.concatenate([values, np.zeros(size - len(values), np.float32)])


for name in ("float8e4nv", "float8e5"):
    for rounding in ("rtne", "rtz"):
        if name == "float8e4nv" and rounding == "rtz":
            continue  # Triton has it for float8e5 alone
        values = around(name)

        def _to_byte(m, p, name=name, rounding=rounding):
            m["out"][:] = encoded(name, m["x"], rounding)

        case(f"convert_fp32_{name}_{rounding}", k.float_to_byte, dict(x=("fp32", values), out=("u8", full(len(values), 255))), dict(x="x", out="out"), _to_byte,
             constexprs=dict(TYPE=getattr(tl, name), ROUNDING=rounding, BLOCK=len(values)))
    for dtype in ("fp32", "fp16", "bf16"):
        def _from_byte(m, p, name=name):
            codes = m["x"].astype(int)
            table, sign = numbers_of(name), 128
            size = codes & 127
            infinity = FORMATS[name][3] + 1 if FORMATS[name][4] else 999
            value = np.where(size > FORMATS[name][3], np.where(size == infinity, np.inf, np.nan), table[np.minimum(size, len(table) - 1)])
            m["out"][:] = np.where(codes & sign, -value, value)

        case(f"convert_{name}_{dtype}", k.byte_to_float, dict(x=("u8", np.arange(256)), out=(dtype, full(256, 1.0))), dict(x="x", out="out"), _from_byte,
             constexprs=dict(TYPE=getattr(tl, name), BLOCK=256), tolerance=dict(out=(0.0, 0.0)))

for name in ("float16", "bfloat16"):
    for rounding in ("rtne", "rtz"):
        values = around(name)

        def _to_half(m, p, name=name, rounding=rounding):
            m["out"][:] = encoded(name, m["x"], rounding).astype(np.uint16).view(np.int16)

        case(f"convert_fp32_{name}_{rounding}", k.float_to_half, dict(x=("fp32", values), out=("i16", full(len(values), 77))), dict(x="x", out="out"), _to_half,
             constexprs=dict(TYPE=getattr(tl, name), ROUNDING=rounding, BLOCK=len(values)))


# ---------------------------------------------------------------------------------- integers
def _shifts(m, p):
    for i, (v, s) in enumerate(zip(m["x"].tolist(), m["by"].tolist())):
        m["left"][i] = np.int64(v << s if s < 32 else 0).astype(np.int32)
        m["right"][i] = v >> min(s, 31)
        m["logical"][i] = (v % 2**32) >> s if s < 32 else 0


case("shifts", k.shifts, dict(x=("i32", ints(64, 61, -2**31, 2**31)), by=("i32", np.concatenate([np.arange(32), np.arange(32, 60), [63, 64, 100, 2**31 - 1]])),
                              left=("i32", full(64, 7)), right=("i32", full(64, 7)), logical=("u32", full(64, 7))),
     {n: n for n in ("x", "by", "left", "right", "logical")}, _shifts, constexprs=dict(BLOCK=64))

for dtype, bits in (("u32", 32), ("u64", 64)):
    def _high(m, p, bits=bits):
        m["out"][:] = [a * b >> bits for a, b in zip(m["x"].tolist(), m["y"].tolist())]

    x, y = (rng(n).integers(0, 2**bits, 64, dtype=np.uint64) for n in (62, 63))
    case(f"high_products_{dtype}", k.high_products, dict(x=(dtype, x), y=(dtype, y), out=(dtype, full(64, 7))), dict(x="x", y="y", out="out"), _high, constexprs=dict(BLOCK=64))


def _booleans(m, p):
    a, b = m["x"] != 0, m["y"] != 0
    m["out"][:] = (a & b) + 2 * (a | b) + 4 * (a ^ b) + 8 * ~a


case("booleans", k.booleans, dict(x=("i8", ints(64, 64, 0, 2)), y=("i8", ints(64, 65, 0, 2)), out=("i8", full(64, -1))), dict(x="x", y="y", out="out"), _booleans,
     constexprs=dict(BLOCK=64))


def _unsigned(m, p):
    m["most"][:], m["whole"][:] = np.maximum(m["x"], m["y"]), np.trunc(m["z"])
    m["size"][:] = np.abs(m["x"].astype(np.uint32).view(np.int32))


case("unsigned_numbers", k.unsigned_numbers,
     dict(x=("u32", rng(44).integers(0, 2**32, 64)), y=("u32", rng(45).integers(0, 2**32, 64)), z=("fp32", (rng(46).uniform(0, 2**32 - 512, 64)).astype(np.float32)),
          most=("u32", full(64, 7)), whole=("u32", full(64, 7)), size=("i32", full(64, 7))), {n: n for n in ("x", "y", "z", "most", "whole", "size")}, _unsigned,
     constexprs=dict(BLOCK=64))


def _within(m, p):
    i, n = p[0], 20
    if i < n:
        m["out"][i] = -1 if m["x"][i] < 0 else 11
    elif m["x"][i] <= 20:
        m["out"][i] += 10


case("returns_from_within", k.returns_from_within, dict(x=("i32", ints(32, 47)), out=("i32", full(32, 0))), dict(x="x", out="out", n=20), _within, (32, ))


# ---------------------------------------------------------------------------------- shapes
def _ends(m, p):
    v = np.concatenate([m["x"], m["y"]])
    m["out"][:2] = v.sum(), (v * v).sum()


case("cat", k.joined_ends, dict(x=("i32", ints(32, 1)), y=("i32", ints(32, 2)), out=("i32", full(4, -7))), dict(x="x", y="y", out="out"), _ends, constexprs=dict(BLOCK=32))

for axis, rows, columns, picked in ((0, 16, 8, 4), (1, 8, 16, 32)):
    def _gathered(m, p, axis=axis, rows=rows, columns=columns, picked=picked):
        at = m["at"].reshape((picked, columns) if axis == 0 else (rows, picked))
        m["out"][:] = np.take_along_axis(m["x"].reshape(rows, columns), at, axis).ravel()

    n = picked * (columns if axis == 0 else rows)
    case(f"gather_axis{axis}", k.gathered, dict(x=("fp32", floats(rows * columns)), at=("i32", ints(n, 3, 0, rows if axis == 0 else columns)), out=("fp32", full(n, 9.0))),
         dict(x="x", at="at", out="out"), _gathered, constexprs=dict(AXIS=axis, ROWS=rows, COLUMNS=columns, PICKED=picked))


def _sorted(m, p):
    v = -np.sort(-m["x"].reshape(4, 32), 1)
    m["out"][:], m["top"][:] = v.ravel(), v[:, :8].ravel()


for dtype, x in (("i32", ints(128, 66)), ("fp32", floats(128, 67))):
    case(f"sort_{dtype}", k.sorted_rows, dict(x=(dtype, x), out=(dtype, full(128, 9)), top=(dtype, full(32, 9))), dict(x="x", out="out", top="top"), _sorted,
         constexprs=dict(ROWS=4, COLUMNS=32, K=8))


def _scaled_in_columns(m, p):
    m["x"][p[0]] *= 0.5
    m["y"][p[0]] = np.trunc(m["x"][p[0]] * 64)


for dtype, whole in (("bf16", "i8"), ("fp16", "i16"), ("fp32", "i8")):
    case(f"one_lane_{dtype}_{whole}", k.scaled_in_columns, dict(x=(dtype, floats(8, 70)), y=(whole, full(8, 9))), dict(x="x", y="y", scale=0.5),
         _scaled_in_columns, grid=(8, ), constexprs=dict(N=1, BLOCK=8))


def _sorted_wide(m, p):
    v = np.sort(m["x"])
    m["out"][:], m["top"][:] = v, v[::-1][:16]


for dtype, x in (("i64", ints(256, 68, -2**62, 2**62)), ("fp32", floats(256, 69))):
    case(f"sort_wide_{dtype}", k.sorted_wide, dict(x=(dtype, x), out=(dtype, full(256, 9)), top=(dtype, full(16, 9))), dict(x="x", out="out", top="top"), _sorted_wide,
         constexprs=dict(N=256, K=16))


def _counted(m, p):
    x = m["x"]
    m["out"][:] = np.bincount(x[x % 3 != 0], minlength=16)


case("histogram_masked", k.counted, dict(x=("i32", ints(256, 68, 0, 16)), out=("i32", full(16, -1))), dict(x="x", out="out"), _counted, constexprs=dict(BLOCK=256, BINS=16))


def _one(m, p):
    m["out"][:] = 2 * m["x"][0]


case("one_element", k.one_element, dict(x=("i32", ints(4, 69)), out=("i32", full(16, -1))), dict(x="x", out="out"), _one, constexprs=dict(BLOCK=16))


# ---------------------------------------------------------------------------------- pointers
def _reversed(m, p):
    m["out"][:20], m["out"][20:] = m["x"][::-1][:20], -1


case("pointers_as_integers", k.pointers_as_integers, dict(x=("i32", ints(32, 70)), out=("i32", full(32, 7))), dict(x="x", out="out", n=20), _reversed, constexprs=dict(BLOCK=32))


def _bytes(m, p):
    m["out"][:] = m["x"].astype(np.float32).view(np.uint8)[:64]


case("pointers_of_other_types", k.pointers_of_other_types, dict(x=("fp32", floats(16, 71)), out=("i32", full(64, -1))), dict(x="x", out="out"), _bytes, constexprs=dict(BLOCK=64))


def _chosen(m, p):
    for i in range(32):
        source, at, total = ("x", i, 0) if i % 3 == 0 else ("y", 31 - i, 0)
        for step in range(3):
            total += m[source][at]
            if i % 2 == step % 2:
                source, at = "x", i
        m["out"][i] = total


case("chosen_pointers", k.chosen_pointers, dict(x=("i32", ints(32, 72)), y=("i32", ints(32, 73)), out=("i32", full(32, 7))), dict(x="x", y="y", out="out", n=3), _chosen,
     constexprs=dict(BLOCK=32))

# ---------------------------------------------------------------------------------- atomics
KINDS = {"add": lambda a, b: a + b, "max": max, "min": min, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "exch": lambda a, b: b}
for kind, dtypes in (("add", ("i32", "i64", "fp16", "bf16", "fp32", "fp64")), ("max", ("i32", "u32", "i64", "fp32")), ("min", ("i32", "u64", "fp32")), ("and", ("i32", "i64")),
                     ("or", ("i32", )), ("xor", ("i32", "i64")), ("exch", ("i32", "fp32", "i64"))):
    for dtype in dtypes:
        def _atomic(m, p, kind=kind):
            for i in range(64):
                if i % 5:
                    m["old"][i] = m["x"][i]
                    m["x"][i] = KINDS[kind](m["x"][i], m["values"][i])

        low = 0 if dtype[0] == "u" else -50
        case(f"atomic_{kind}_{dtype}", k.atomics_of_one_program, dict(x=(dtype, ints(64, 74, low)), values=(dtype, ints(64, 75, low)), old=(dtype, full(64, 7))),
             dict(x="x", values="values", old="old"), _atomic, constexprs=dict(KIND=kind, BLOCK=64), tolerance=dict(x=(0.0, 0.0), old=(0.0, 0.0)))

for dtype in ("i32", "i64", "fp16", "bf16", "fp32", "fp64"):
    def _many(m, p):
        for i in range(32):
            m["x"][i % 3] += m["values"][p[0] * 32 + i]

    case(f"atomic_add_many_{dtype}", k.atomics_of_many_programs, dict(x=(dtype, full(4, 0)), values=(dtype, ints(256, 76, -1, 2))), dict(x="x", values="values"), _many, (8, ),
         dict(BLOCK=32), tolerance=dict(x=(0.0, 0.0)))

for dtype in ("i16", "i32", "i64"):
    def _swapped(m, p):
        m["old"][:] = m["x"]
        m["x"][:] = np.where(m["x"] == m["wanted"], m["values"], m["x"])

    case(f"compare_and_swap_{dtype}", k.compare_and_swap, dict(x=(dtype, ints(32, 77, 0, 3)), wanted=(dtype, ints(32, 78, 0, 3)), values=(dtype, ints(32, 79)), old=(dtype, full(32, 9))),
         dict(x="x", wanted="wanted", values="values", old="old"), _swapped, constexprs=dict(BLOCK=32))


def _locked(m, p):
    m["count"][0] += 1 + p[0]


case("locked_counter", k.locked_counter, dict(lock=("i32", full(1, 0)), count=("i32", full(1, 5))), dict(lock="lock", count="count"), _locked, (6, ))


def _copied(m, p):
    m["out"][::2] = m["x"][::2] + 1


case("atomic_copies", k.atomic_copies, dict(x=("i32", ints(32, 80)), out=("i32", full(32, 9))), dict(x="x", out="out"), _copied, constexprs=dict(BLOCK=32))


# ---------------------------------------------------------------------------------- calls
def _calls(m, p):
    a, b = m["x"][p[0]], m["y"][p[0]]
    m["out"][p[0]], m["out"][32 + p[0]] = a + b + a * b, (a + b) * (a * b)


case("calls", k.calls, dict(x=("i32", ints(32, 81)), y=("i32", ints(32, 82)), out=("i32", full(64, 9))), dict(x="x", y="y", out="out"), _calls, (32, ), constexprs=dict(BLOCK=32))

# ---------------------------------------------------------------------------------- products
for dtype, to, precision in (("fp32", "fp32", "ieee"), ("fp32", "fp32", "tf32"), ("fp32", "fp32", "tf32x3"), ("fp32", "fp32", "bf16x3"), ("fp32", "fp32", "bf16x6"), ("fp16", "fp32", "ieee"),
                             ("fp16", "fp16", "ieee"), ("bf16", "fp32", "ieee"), ("fp64", "fp64", "ieee"), ("i8", "i32", "ieee")):
    def _product(m, p):
        a, b = m["a"].reshape(16, 32), m["b"].reshape(32, 16)
        if m["a"].dtype.kind == "i":
            a, b = a.astype(np.int32), b.astype(np.int32)
        m["out"][:] = (a @ b).ravel() + m["c"]

    make = (lambda n, s: ints(n, s, -128, 128)) if dtype == "i8" else floats
    case(f"product_{dtype}_{to}_{precision}", k.product, dict(a=(dtype, make(512, 83)), b=(dtype, make(512, 84)), c=(to, ints(256, 85)), out=(to, full(256, 9))),
         dict(a="a", b="b", c="c", out="out"), _product, constexprs=dict(PRECISION=precision, M=16, N=16, K=32),
         tolerance=dict(out={"fp32": (1e-5, 1e-4), "fp16": (2e-3, 3e-2), "fp64": (1e-13, 1e-12)}.get(to, (0.0, 0.0))))


def decoded(name, codes):
    codes = codes.astype(int)
    size = numbers_of(name)[np.minimum(codes & 127, FORMATS[name][3])]
    return np.where(codes & 128, -size, size)


for name in ("float8e4nv", "float8e5"):
    def _bytes_product(m, p, name=name):
        m["out"][:] = (decoded(name, m["a"]).reshape(16, 32) @ decoded(name, m["b"]).reshape(32, 16)).ravel()

    case(f"product_{name}", k.product_of_bytes, dict(a=("u8", ints(512, 86, 0x30, 0x40)), b=("u8", ints(512, 87, 0xB0, 0xC0)), out=("fp32", full(256, 9.0))), dict(a="a", b="b", out="out"),
         _bytes_product, constexprs=dict(TYPE=getattr(tl, name), M=16, N=16, K=32), tolerance=dict(out=(1e-5, 1e-5)))


def _batches(m, p):
    m["out"][:] = (m["a"].reshape(2, 16, 16) @ m["b"].reshape(2, 16, 16)).ravel()


case("product_batches", k.products_of_batches, dict(a=("fp32", floats(512, 88)), b=("fp32", floats(512, 89)), out=("fp32", full(512, 9.0))), dict(a="a", b="b", out="out"), _batches,
     constexprs=dict(B=2, M=16, N=16, K=16), tolerance=dict(out=(1e-5, 1e-5)))

NIBBLES = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
SCALED = {"e4m3": "float8e4nv", "e5m2": "float8e5"}


def operand_of(kind, values, shape, axis):
    """What an operand of a scaled product holds; two nibbles a byte go along K, the lower first."""
    if kind in SCALED:
        return decoded(SCALED[kind], values).reshape(shape)
    if kind != "e2m1":
        return values.reshape(shape)
    packed = list(shape)
    packed[axis] //= 2
    pair = np.stack([NIBBLES[values.astype(int) & 15], NIBBLES[values.astype(int) >> 4]], -1).reshape(*packed, 2)
    return np.moveaxis(pair, -1, axis + 1).reshape(shape)


for left, right in (("e4m3", "e4m3"), ("e5m2", "e4m3"), ("e2m1", "e2m1"), ("e2m1", "e5m2"), ("bf16", "e2m1"), ("fp16", "e4m3")):
    def _scaled(m, p, left=left, right=right):
        a, b = operand_of(left, m["a"], (32, 64), 1), operand_of(right, m["b"], (64, 32), 0)
        if left in ("e4m3", "e5m2", "e2m1"):
            a = a * np.repeat(np.exp2(m["sa"].reshape(32, 2) - 127.0), 32, 1)
        b = b * np.repeat(np.exp2(m["sb"].reshape(32, 2) - 127.0), 32, 1).T
        m["out"][:] = (a @ b).ravel()

    def made(kind, seed):
        if kind in ("bf16", "fp16"):
            return kind, floats(2048, seed)
        return "u8", ints(1024, seed, 0, 256) if kind == "e2m1" else ints(2048, seed, 0x30, 0x40) + 128 * ints(2048, seed + 1, 0, 2)

    case(f"scaled_product_{left}_{right}", k.scaled_product, dict(a=made(left, 90), b=made(right, 92), sa=("u8", ints(64, 94, 125, 130)), sb=("u8", ints(64, 95, 125, 130)),
                                                                  out=("fp32", full(1024, 9.0))),
         dict(a="a", b="b", sa="sa", sb="sb", out="out"), _scaled, constexprs=dict(LEFT=left, RIGHT=right, M=32, N=32, K=64),
         tolerance=dict(out=(1e-5, 1e-3) if left not in ("bf16", "fp16") else (1e-2, 1e-1)))


# ---------------------------------------------------------------------------------- descriptors
def _described(m, p):
    x, out = m["x"].reshape(37, 40), m["out"].reshape(37, 40)
    r, s = slice(p[0] * 16, p[0] * 16 + 16), slice(p[1] * 32, p[1] * 32 + 32)
    out[r, s] = x[r, s] + p[0] * 1600 + p[1] * 32


case("described_copy", k.described_copy, dict(x=("i32", ints(37 * 40, 96)), out=("i32", full(37 * 40, -9))), dict(x="x", out="out", rows=37, columns=40), _described, (3, 2),
     dict(BM=16, BN=32))


def _rows(m, p):
    picked = m["x"].reshape(64, 64)[m["at"]][:, 16:32]
    m["out"][:] = picked.ravel()
    m["back"].reshape(64, 64)[m["at"], :16] = picked * 2


case("described_rows", k.described_rows, dict(x=("fp32", floats(4096, 97)), at=("i32", rng(98).permutation(64)[:8]), out=("fp32", full(128, 9.0)), back=("fp32", full(4096, 7.0))),
     dict(x="x", at="at", out="out", back="back"), _rows, constexprs=dict(ROWS=64, COLUMNS=64, PICKED=8))


def _reduced(m, p):
    v = m["x"].reshape(4, 256)[p[0]]
    for name, f in (("sums", np.add), ("lows", np.minimum), ("highs", np.maximum), ("ands", np.bitwise_and), ("ors", np.bitwise_or), ("xors", np.bitwise_xor)):
        m[name][:] = f(m[name], v)


for dtype, low in (("i32", -50), ("u32", 0)):
    case(f"described_reductions_{dtype}", k.described_reductions,
         dict(x=(dtype, ints(1024, 99, low) * 2**25 % 2**32 if low == 0 else ints(1024, 99)), **{n: (dtype, ints(256, 100, low)) for n in ("sums", "lows", "highs", "ands", "ors", "xors")}),
         {n: n for n in ("x", "sums", "lows", "highs", "ands", "ors", "xors")}, _reduced, (4, ), dict(N=16))
