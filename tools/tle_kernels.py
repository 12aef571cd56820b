#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose programs talk, written as TLE IR, and launches of them with values from float64.

tle_kernels.py cases FOLDER            writes launches that `tritonrt replay` runs (index.json, case.json, .npy)
tle_kernels.py text KERNEL KEY=VALUE…  prints one kernel: shift_gemm, cannon_gemm, all_gather, reduce_scatter
"""
import contextlib
import json
import os
import sys


class Builder:
    """Writes one kernel, a line an op. Values are their names; types are texts."""

    def __init__(self, name, parameters):
        self.lines = []
        self.count = 0
        self.depth = 2
        signature = ", ".join(f"%{n}: {t}" + (" {tt.divisibility = 16 : i32}" if "ptr" in t else "") for n, t in parameters)
        self.head = f"module {{\n  tt.func public @{name}({signature}) attributes {{noinline = false}} {{"

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def op(self, text):
        self.count += 1
        name = f"%v{self.count}"
        self.line(f"{name} = {text}")
        return name

    def text(self):
        return "\n".join([self.head, *self.lines, "    tt.return", "  }", "}"]) + "\n"

    # Scalars, all i32.
    def const(self, value):
        return self.op(f"arith.constant {value} : i32")

    def scalar(self, kind, a, b):
        b = self.const(b) if isinstance(b, int) else b
        return self.op(f"arith.{kind} {a}, {b} : i32")

    def program(self):
        return self.op("tt.get_program_id x : i32")

    # Tensors.
    def dense(self, value, shape, element):
        return self.op(f"arith.constant dense<{value}> : tensor<{shape}x{element}>")

    def range(self, size):
        return self.op(f"tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>")

    def along(self, axis, rows, cols):
        """The index along an axis of a tile of two dimensions, broadcast to all of it."""
        size = (rows, cols)[axis]
        one = f"{rows}x1" if axis == 0 else f"1x{cols}"
        line = self.range(size)
        wide = self.op(f"tt.expand_dims {line} {{axis = {1 - axis} : i32}} : tensor<{size}xi32> -> tensor<{one}xi32>")
        return self.op(f"tt.broadcast {wide} : tensor<{one}xi32> -> tensor<{rows}x{cols}xi32>")

    def splat(self, value, shape, element="i32"):
        return self.op(f"tt.splat {value} : {element} -> tensor<{shape}x{element}>")

    def tensor(self, kind, a, b, shape):
        return self.op(f"arith.{kind} {a}, {b} : tensor<{shape}xi32>")

    def moved(self, tensor, by, shape):
        return self.tensor("addi", tensor, self.splat(by, shape), shape)

    # Memory.
    def global_tile(self, pointer, element, rows, cols, row, col, stride):
        """Pointers to a tile of a row-major matrix in global memory; row and col are its first element."""
        shape = f"{rows}x{cols}"
        r = self.moved(self.along(0, rows, cols), row, shape)
        c = self.moved(self.along(1, rows, cols), col, shape)
        at = self.tensor("addi", self.tensor("muli", r, self.dense(stride, shape, "i32"), shape), c, shape)
        base = self.op(f"tt.splat {pointer} : !tt.ptr<{element}> -> tensor<{shape}x!tt.ptr<{element}>>")
        return self.op(f"tt.addptr {base}, {at} : tensor<{shape}x!tt.ptr<{element}>>, tensor<{shape}xi32>")

    def local_tile(self, buffer, buffer_type, element, rows, cols, row, col):
        shape = f"{rows}x{cols}"
        r = self.moved(self.along(0, rows, cols), row, shape)
        c = self.moved(self.along(1, rows, cols), col, shape)
        return self.op(f'"dsa.local_pointers"({buffer}, {r}, {c}) : ({buffer_type}, tensor<{shape}xi32>, tensor<{shape}xi32>)'
                       f" -> tensor<{shape}x!tt.ptr<{element}>>")

    def remote(self, pointers, rank, shape, element):
        return self.op(f'"dsa.remote_pointers"({pointers}, {rank}) : (tensor<{shape}x!tt.ptr<{element}>>, i32)'
                       f" -> tensor<{shape}x!tt.ptr<{element}>>")

    def alloc(self, rows, cols, element):
        kind = f"memref<{rows}x{cols}x{element}>"
        return self.op(f"dsa.alloc [{rows}, {cols}] : {kind}"), kind

    def load(self, pointers, shape, element):
        return self.op(f"tt.load {pointers} : tensor<{shape}x!tt.ptr<{element}>>")

    def store(self, pointers, value, shape, element):
        self.line(f"tt.store {pointers}, {value} : tensor<{shape}x!tt.ptr<{element}>>")

    def barrier(self):
        self.line("dsa.distributed_barrier")

    # Control.
    @contextlib.contextmanager
    def loop(self, end, step=1):
        low, high, by = self.const(0), self.const(end), self.const(step)
        self.count += 1
        name = f"%i{self.count}"
        self.line(f"scf.for {name} = {low} to {high} step {by}  : i32 {{")
        self.depth += 1
        yield name
        self.depth -= 1
        self.line("}")

    @contextlib.contextmanager
    def when(self, kind, a, b):
        condition = self.op(f"arith.cmpi {kind}, {a}, {self.const(b)} : i32")
        self.line(f"scf.if {condition} {{")
        self.depth += 1
        yield
        self.depth -= 1
        self.line("}")

    def summed(self, end, step, first, kind, body):
        """A loop that carries one tensor, which `body` makes of the index and itself."""
        low, high, by = self.const(0), self.const(end) if isinstance(end, int) else end, self.const(step)
        self.count += 1
        result, index, carried = f"%s{self.count}", f"%i{self.count}", f"%c{self.count}"
        self.line(f"{result} = scf.for {index} = {low} to {high} step {by} iter_args({carried} = {first}) -> ({kind})  : i32 {{")
        self.depth += 1
        self.line(f"scf.yield {body(index, carried)} : {kind}")
        self.depth -= 1
        self.line("}")
        return result


def product(b, element, a_tile, b_tile, depth, rows, cols, inner, hand_on=None):
    """A tile of C: over `depth`, the sum of what a_tile(k) and b_tile(k) load. What the latter loads is also stored to hand_on(k)."""
    kind = f"tensor<{rows}x{cols}xf32>"

    def step(k, acc):
        left = b.load(a_tile(k), f"{rows}x{inner}", element)
        right = b.load(b_tile(k), f"{inner}x{cols}", element)
        if hand_on:
            b.store(hand_on(k), right, f"{inner}x{cols}", element)
        return b.op(f"tt.dot {left}, {right}, {acc} : tensor<{rows}x{inner}x{element}> * tensor<{inner}x{cols}x{element}> -> {kind}")

    return b.summed(depth, inner, b.dense("0.000000e+00", f"{rows}x{cols}", "f32"), kind, step)


def copy_tiles(b, element, rows, cols, inner, source, target):
    """Moves rows x cols elements, `inner` rows at a time."""
    with b.loop(rows, inner) as k:
        b.store(target(k), b.load(source(k), f"{inner}x{cols}", element), f"{inner}x{cols}", element)


def shift_gemm(m, n, k, tiles, element="f32", rows=64, cols=64, inner=32, meshes=1, fused=0):
    """C = A B. Program p makes rows p of C; the columns of B go round the ring of `tiles` programs, one part at each of them.

    Two buffers take turns: while one is read, the predecessor may fill the other, so that a hop takes one barrier. With several meshes each has a ring of its own, which
    all of B goes round. `fused`: a part is handed on as it is multiplied, where its program needs it for one tile of rows alone.
    """
    part_m, part_n = m // (tiles * meshes), n // tiles
    rows, cols, inner = min(rows, part_m), min(cols, part_n), min(inner, k)
    fused = fused and rows == part_m
    b = Builder("shift_gemm", [("a", f"!tt.ptr<{element}>"), ("b", f"!tt.ptr<{element}>"), ("c", "!tt.ptr<f32>")])
    zero = b.const(0)
    own = b.program()
    rank = b.scalar("remsi", own, tiles) if meshes > 1 else own
    following = b.scalar("remsi", b.scalar("addi", rank, 1), tiles)
    buffers = [b.alloc(k, part_n, element) for _ in range(min(2, tiles))]
    first_row, first_col = b.scalar("muli", own, part_m), b.scalar("muli", rank, part_n)

    def part(buffer, at, col, width):
        return b.local_tile(*buffer, element, inner, width, at, col)

    def beyond(buffer, at, col, width):
        return b.remote(part(buffer, at, col, width), following, f"{inner}x{width}", element)

    def multiply(step, here, there=None):
        # What is here after `step` hops began `step` programs before.
        turn = b.scalar("remsi", b.scalar("addi", b.scalar("subi", rank, step), tiles), tiles)
        column = b.scalar("muli", turn, part_n)
        with b.loop(part_m, rows) as i, b.loop(part_n, cols) as j:
            row = b.scalar("addi", first_row, i)
            hand_on = (lambda at: beyond(there, at, j, cols)) if there and fused else None
            acc = product(b, element, lambda at: b.global_tile("%a", element, rows, inner, row, at, k), lambda at: part(here, at, j, cols), k, rows, cols, inner, hand_on)
            b.store(b.global_tile("%c", "f32", rows, cols, row, b.scalar("addi", column, j), n), acc, f"{rows}x{cols}", "f32")
        if there:
            if not fused:
                copy_tiles(b, element, k, part_n, inner, lambda at: part(here, at, zero, part_n), lambda at: beyond(there, at, zero, part_n))
            b.barrier()

    copy_tiles(b, element, k, part_n, inner, lambda at: b.global_tile("%b", element, inner, part_n, at, first_col, n), lambda at: part(buffers[0], at, zero, part_n))
    # Two steps a turn; the last part has no further to go.
    last = tiles - 1 - (tiles - 1) % 2
    if last:
        with b.loop(last, 2) as step:
            multiply(step, buffers[0], buffers[1])
            multiply(b.scalar("addi", step, 1), buffers[1], buffers[0])
    if last < tiles - 1:
        multiply(b.const(last), buffers[0], buffers[1])
        multiply(b.const(last + 1), buffers[1])
    else:
        multiply(b.const(last), buffers[0])
    return b.text()


def cannon_gemm(size, side, element="f32"):
    """C = A B on a mesh of side x side: blocks of A move along rows, blocks of B along columns."""
    block = size // side
    shape = f"{block}x{block}"
    b = Builder("cannon_gemm", [("a", f"!tt.ptr<{element}>"), ("b", f"!tt.ptr<{element}>"), ("c", "!tt.ptr<f32>")])
    zero = b.const(0)
    own = b.program()
    row, col = b.scalar("divsi", own, side), b.scalar("remsi", own, side)
    buffers = [b.alloc(block, block, element) for _ in range(4)]
    whole = [b.local_tile(name, kind, element, block, block, zero, zero) for name, kind in buffers]
    # Skewed to begin with: A by its row, B by its column.
    skew = b.scalar("remsi", b.scalar("addi", row, col), side)
    b_row, b_col = b.scalar("muli", row, block), b.scalar("muli", col, block)
    shifted = b.scalar("muli", skew, block)
    b.store(whole[0], b.load(b.global_tile("%a", element, block, block, b_row, shifted, size), shape, element), shape, element)
    b.store(whole[1], b.load(b.global_tile("%b", element, block, block, shifted, b_col, size), shape, element), shape, element)
    left = b.scalar("addi", b.scalar("muli", row, side), b.scalar("remsi", b.scalar("addi", col, side - 1), side))
    up = b.scalar("addi", b.scalar("muli", b.scalar("remsi", b.scalar("addi", row, side - 1), side), side), col)
    to_left, to_up = b.remote(whole[2], left, shape, element), b.remote(whole[3], up, shape, element)

    def step(_, acc):
        x, y = b.load(whole[0], shape, element), b.load(whole[1], shape, element)
        sum_ = b.op(f"tt.dot {x}, {y}, {acc} : tensor<{shape}x{element}> * tensor<{shape}x{element}> -> tensor<{shape}xf32>")
        b.store(to_left, x, shape, element)
        b.store(to_up, y, shape, element)
        b.barrier()
        for target, source in ((0, 2), (1, 3)):
            b.line(f"dsa.copy {buffers[source][0]}, {buffers[target][0]} : {buffers[source][1]}, {buffers[target][1]}")
        b.barrier()
        return sum_

    total = b.summed(side, 1, b.dense("0.000000e+00", shape, "f32"), f"tensor<{shape}xf32>", step)
    b.store(b.global_tile("%c", "f32", block, block, b_row, b_col, size), total, shape, "f32")
    return b.text()


def all_gather(length, tiles, element="f32"):
    """Every program ends with what each of them began with: o[p] = x[0] … x[tiles - 1]."""
    b = Builder("all_gather", [("x", f"!tt.ptr<{element}>"), ("o", f"!tt.ptr<{element}>")])
    zero = b.const(0)
    own = b.program()
    buffer, kind = b.alloc(tiles, length, element)
    shape = f"1x{length}"
    mine = b.load(b.global_tile("%x", element, 1, length, own, zero, length), shape, element)
    place = b.local_tile(buffer, kind, element, 1, length, own, zero)
    with b.loop(tiles) as rank:
        b.store(b.remote(place, rank, shape, element), mine, shape, element)
    b.barrier()
    whole = b.local_tile(buffer, kind, element, tiles, length, zero, zero)
    first = b.scalar("muli", own, tiles)
    b.store(b.global_tile("%o", element, tiles, length, first, zero, length), b.load(whole, f"{tiles}x{length}", element), f"{tiles}x{length}", element)
    return b.text()


def reduce_scatter(length, tiles, element="f32"):
    """Program p ends with the sum of part p of all programs: o[p] = x[0][p] + … + x[tiles - 1][p]."""
    b = Builder("reduce_scatter", [("x", f"!tt.ptr<{element}>"), ("o", f"!tt.ptr<{element}>")])
    zero = b.const(0)
    own = b.program()
    buffer, kind = b.alloc(tiles, length, element)
    shape = f"1x{length}"
    whole = b.local_tile(buffer, kind, element, tiles, length, zero, zero)
    first = b.scalar("muli", own, tiles)
    b.store(whole, b.load(b.global_tile("%x", element, tiles, length, first, zero, length), f"{tiles}x{length}", element), f"{tiles}x{length}", element)
    b.barrier()
    place = b.local_tile(buffer, kind, element, 1, length, own, zero)

    def add(turn, acc):
        rank = b.scalar("remsi", b.scalar("addi", own, turn), tiles)
        part = b.load(b.remote(place, rank, shape, element), shape, element)
        if element != "f32":
            part = b.op(f"arith.extf {part} : tensor<{shape}x{element}> to tensor<{shape}xf32>")
        return b.op(f"arith.addf {acc}, {part} : tensor<{shape}xf32>")

    total = b.summed(tiles, 1, b.dense("0.000000e+00", shape, "f32"), f"tensor<{shape}xf32>", add)
    b.barrier()
    if element != "f32":
        total = b.op(f"arith.truncf {total} : tensor<{shape}xf32> to tensor<{shape}x{element}>")
    b.store(b.global_tile("%o", element, 1, length, own, zero, length), total, shape, element)
    return b.text()


KERNELS = {f.__name__: f for f in (shift_gemm, cannon_gemm, all_gather, reduce_scatter)}


DTYPES = {"float16": "fp16", "float32": "fp32", "float64": "fp64", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64"}


class Cases:
    """Launches in the form that `tritonrt replay` reads."""

    def __init__(self, folder):
        import numpy
        self.np = numpy
        self.folder = folder
        self.index = []
        self.random = numpy.random.default_rng(7)

    def values(self, shape, element):
        values = self.random.uniform(-1, 1, shape)
        return values.astype(self.np.float16 if element == "f16" else self.np.float32)

    def add(self, name, text, entry, mesh, inputs, output, expected, rtol, atol, grid=None, scalars=()):
        """The buffers are the kernel's parameters in order, `output` is the last one's content before; i32 scalars follow."""
        np = self.np
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        with open(os.path.join(folder, "kernel.ttir"), "w", encoding="utf-8") as file:
            file.write(text)
        buffers, args = [], []
        for i, array in enumerate([*inputs, output]):
            kind = DTYPES[array.dtype.name]
            buffer = {"id": f"b{i}", "dtype": kind, "npy_dtype": array.dtype.str[1:], "numel": int(array.size), "file": f"b{i}.in.npy"}
            np.save(os.path.join(folder, buffer["file"]), array.ravel())
            if i == len(inputs):
                buffer |= {"expected": f"b{i}.out.npy", "rtol": rtol, "atol": atol, "reference": "numpy"}
                np.save(os.path.join(folder, buffer["expected"]), expected.astype(array.dtype).ravel())
            buffers.append(buffer)
            args.append({"name": f"b{i}", "kind": "pointer", "dtype": "*" + kind, "buffer": f"b{i}", "offset_bytes": 0})
        args += [{"name": f"s{i}", "kind": "scalar", "dtype": "i32", "value": value} for i, value in enumerate(scalars)]
        case = {"schema": 1, "name": name, "group": "mesh", "ttir": "kernel.ttir", "entry": entry, "grid": grid or [int(np.prod(mesh)), 1, 1], "cooperative": True,
                "mesh": mesh, "args": args, "buffers": buffers, "num_warps": 4, "num_stages": 1}
        with open(os.path.join(folder, "case.json"), "w", encoding="utf-8") as file:
            json.dump(case, file, indent=1)
        self.index.append({"name": name, "dir": name})

    def finish(self):
        with open(os.path.join(self.folder, "index.json"), "w", encoding="utf-8") as file:
            json.dump({"schema": 1, "count": len(self.index), "cases": self.index}, file, indent=1)


def write_cases(folder):
    cases = Cases(folder)
    np = cases.np
    for m, n, k, tiles, element in ((64, 64, 32, 4, "f32"), (128, 64, 64, 2, "f32"), (64, 128, 64, 8, "f32"), (64, 64, 64, 4, "f16"), (256, 256, 32, 16, "f16"),
                                  (96, 192, 64, 3, "f32"), (160, 80, 32, 5, "f16"), (32, 32, 16, 1, "f32")):
        a, b = cases.values((m, k), element), cases.values((k, n), element)
        exact = a.astype(np.float64) @ b.astype(np.float64)
        cases.add(f"shift_gemm_{m}x{n}x{k}_{tiles}_{element}", shift_gemm(m, n, k, tiles, element), "shift_gemm", [tiles], [a, b],
                  np.full((m, n), np.nan, np.float32), exact, 1e-5, 2e-5)
    for m, n, k, tiles, meshes, fused, element in ((64, 64, 32, 4, 2, 0, "f32"), (64, 64, 64, 4, 1, 1, "f32"), (96, 32, 32, 2, 3, 1, "f16"), (48, 96, 64, 3, 2, 1, "f32")):
        a, b = cases.values((m, k), element), cases.values((k, n), element)
        exact = a.astype(np.float64) @ b.astype(np.float64)
        cases.add(f"shift_gemm_{m}x{n}x{k}_{tiles}x{meshes}{'_fused' if fused else ''}_{element}", shift_gemm(m, n, k, tiles, element, meshes=meshes, fused=fused), "shift_gemm",
                  [tiles], [a, b], np.full((m, n), np.nan, np.float32), exact, 1e-5, 2e-5, grid=[tiles * meshes, 1, 1])
    for size, side, element in ((32, 2, "f32"), (64, 4, "f32"), (64, 2, "f16"), (48, 3, "f32"), (96, 3, "f16")):
        a, b = cases.values((size, size), element), cases.values((size, size), element)
        exact = a.astype(np.float64) @ b.astype(np.float64)
        cases.add(f"cannon_gemm_{size}_{side}_{element}", cannon_gemm(size, side, element), "cannon_gemm", [side, side], [a, b],
                  np.full((size, size), np.nan, np.float32), exact, 1e-5, 2e-5)
    for length, tiles, element in ((64, 4, "f32"), (128, 8, "f16"), (32, 2, "f16"), (256, 16, "f32")):
        x = cases.values((tiles, length), element)
        cases.add(f"all_gather_{length}_{tiles}_{element}", all_gather(length, tiles, element), "all_gather", [tiles], [x],
                  np.full((tiles, tiles, length), np.nan, x.dtype), np.broadcast_to(x, (tiles, tiles, length)), 0, 0)
        y = cases.values((tiles, tiles, length), element)
        # A sum of few numbers of size 1, rounded once to its type.
        tolerance = 1e-6 if element == "f32" else 1e-3
        cases.add(f"reduce_scatter_{length}_{tiles}_{element}", reduce_scatter(length, tiles, element), "reduce_scatter", [tiles], [y],
                  np.full((tiles, length), np.nan, y.dtype), y.astype(np.float64).sum(axis=0), tolerance, tolerance)
    cases.finish()


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "cases":
        write_cases(arguments[1])
    elif len(arguments) >= 2 and arguments[0] == "text" and arguments[1] in KERNELS:
        options = dict(argument.split("=", 1) for argument in arguments[2:])
        sys.stdout.write(KERNELS[arguments[1]](**{key: int(value) if value.isdigit() else value for key, value in options.items()}))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
