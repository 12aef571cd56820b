# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""export_kernels.py tests|bench: writes the launches of tests/kernels, or the texts and manifest of bench/kernels, with
the installed Triton wheel (`pip install triton==3.9.0 numpy`, outside this repository). Same wheel, same bytes."""
import json
import os
import re
import shutil
import sys

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import triton_text

NPY = {"fp16": "f2", "bf16": "u2", "fp32": "f4", "fp64": "f8", "i1": "u1", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2",
       "u32": "u4", "u64": "u8"}


def to_storage(dtype, values):
    """Values as they lie in memory."""
    if dtype != "bf16":
        return np.asarray(values).astype("<" + NPY[dtype])
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")


def from_storage(dtype, stored):
    """What a reference computes with: float64, or the exact integers."""
    if dtype == "bf16":
        return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return stored.astype(np.float64) if dtype.startswith("fp") else stored.copy()


def write_list(path, key, head, entries):
    """A JSON object whose last member is a list with one line an entry."""
    with open(path, "w") as file:
        start = json.dumps(head)[:-1] + f', "{key}": [\n'
        file.write(start + ",\n".join(json.dumps(entry) for entry in entries) + "\n]}\n")


def same_bits(a, b):
    return a.tobytes() == b.tobytes()


class TestLaunch:
    def __init__(self, case, folder, tolerances):
        self.case, self.folder, self.tolerances = case, folder, tolerances
        self.stored = {name: to_storage(dtype, values) for name, (dtype, values) in case["buffers"].items()}

    def pointer(self, value):
        """(buffer, byte offset) of a pointer argument."""
        name, elements = (value, 0) if isinstance(value, str) else (value.buffer, value.elements)
        return name, elements * self.stored[name].itemsize

    def is_pointer(self, value):
        return isinstance(value, str) or hasattr(value, "buffer")

    def compile(self):
        args = {}
        for name, value in self.case["args"].items():
            if self.is_pointer(value):
                buffer, offset = self.pointer(value)
                value = triton_text.Pointer(self.case["buffers"][buffer][0], offset)
            args[name] = value
        return triton_text.compile_ttir(self.case["kernel"], args, self.case["constexprs"], self.case["num_warps"])

    def describe_args(self, compiled):
        out = []
        for name, ir_name, ir_type, dtype, attrs in compiled.params:
            value = self.case["args"][name]
            entry = dict(name=name, kind="scalar", dtype=dtype)
            if self.is_pointer(value):
                buffer, offset = self.pointer(value)
                entry.update(kind="pointer", buffer=buffer, offset_bytes=offset)
            else:
                entry.update(value=value)
            out.append(dict(entry, attrs=attrs, ir_name=ir_name, ir_type=ir_type))
        return out

    def expected(self):
        memory = {name: from_storage(self.case["buffers"][name][0], stored) for name, stored in self.stored.items()}
        gx, gy, gz = self.case["grid"]
        for linear in range(gx * gy * gz):
            self.case["expect"](memory, (linear % gx, linear // gx % gy, linear // (gx * gy)))
        return {name: to_storage(self.case["buffers"][name][0], values) for name, values in memory.items()}

    def write(self):
        os.makedirs(self.folder)
        compiled, expected = self.compile(), self.expected()
        with open(os.path.join(self.folder, "kernel.ttir"), "w") as file:
            file.write(compiled.text)
        buffers = []
        for name, stored in self.stored.items():
            dtype = self.case["buffers"][name][0]
            entry = dict(id=name, dtype=dtype, npy_dtype=NPY[dtype], numel=len(stored), file=f"{name}.in.npy")
            np.save(os.path.join(self.folder, entry["file"]), stored)
            if not same_bits(stored, expected[name]):
                exact = (0.0, 0.0)
                rtol, atol = self.case["tolerance"].get(name, self.tolerances.get(dtype, exact))
                entry.update(expected=f"{name}.out.npy", rtol=rtol, atol=atol, reference="numpy")
                np.save(os.path.join(self.folder, entry["expected"]), expected[name])
            buffers.append(entry)
        ops = {}
        for op in re.findall(r"(?<![%\w.#!\"])((?:tt|arith|math|scf|cf)\.\w+)", compiled.text):
            if op != "tt.divisibility" and op != "tt.ptr":
                ops[op] = ops.get(op, 0) + 1
        kernel = self.case["kernel"].fn.__name__
        entry = dict(schema=1, name=self.case["name"], group="tests", ttir="kernel.ttir", entry=kernel, grid=list(self.case["grid"]),
                     args=self.describe_args(compiled), buffers=buffers, reference="numpy", verified_by_interpreter=False,
                     triton_version=triton_text.VERSION, pipeline=triton_text.PIPELINE, num_warps=self.case["num_warps"], num_stages=3,
                     constexprs={**self.case["constexprs"], **compiled.folded}, ops=ops)
        if self.case["note"]:
            entry["note"] = self.case["note"]
        with open(os.path.join(self.folder, "case.json"), "w") as file:
            json.dump(entry, file, indent=1, default=str)
            file.write("\n")
        return dict(name=self.case["name"], dir="cases/" + self.case["name"], group="tests", kernel=kernel, triton_version=triton_text.VERSION,
                    reference="numpy", grid=list(self.case["grid"]), ops=sorted(ops))


def export_tests():
    home = os.path.join(ROOT, "tests", "kernels")
    sys.path.insert(0, home)
    import cases
    shutil.rmtree(os.path.join(home, "cases"), ignore_errors=True)
    entries = [TestLaunch(case, os.path.join(home, "cases", case["name"]), cases.FLOAT_TOLERANCE).write() for case in cases.CASES]
    entries.sort(key=lambda e: e["name"])
    write_list(os.path.join(home, "index.json"), "cases", dict(schema=1, count=len(entries)), entries)
    print(f"{len(entries)} launches")


def bench_argument(value):
    """What Triton specialises a kernel for."""
    if hasattr(value, "block"):
        return triton_text.Descriptor(value.dtype, value.shape, value.block)
    return triton_text.Pointer(value.dtype) if hasattr(value, "init") else value


def export_bench():
    home = os.path.join(ROOT, "bench", "kernels")
    sys.path.insert(0, home)
    import items
    version = ".".join(triton_text.VERSION.split(".")[:2])
    folder = os.path.join(home, "ttir", version)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    manifest = os.path.join(home, "manifest.json")
    old = {}
    if os.path.exists(manifest):
        with open(manifest) as file:
            old = {item["name"]: item["ttir"] for item in json.load(file)["items"]}
    entries = []
    for item in items.ITEMS:
        args = {n: bench_argument(v) for n, v in item["args"].items()}
        compiled = triton_text.compile_ttir(item["kernel"], args, item["constexprs"], item["num_warps"], item["num_stages"])
        path = f"ttir/{version}/{item['text']}.ttir"
        full = os.path.join(home, path)
        if os.path.exists(full):
            with open(full) as file:
                assert file.read() == compiled.text, f"{item['name']}: another specialisation than the earlier item of {path}"
        with open(full, "w") as file:
            file.write(compiled.text)
        described = []
        for name, _, _, dtype, attrs in compiled.params:
            value = item["args"][name]
            if hasattr(value, "block"):
                described.append(dict(name=name, kind="tensordesc", dtype=value.dtype, shape=value.shape, block=value.block, init=value.init))
            elif isinstance(value, items.Ptr):
                described.append(dict(name=name, kind="pointer", dtype=value.dtype, numel=value.numel, init=value.init))
            else:
                described.append(dict(name=name, kind="scalar", dtype=dtype, value=value))
        entries.append(dict(name=item["name"], kernel=item["kernel"].fn.__name__, grid=list(item["grid"]), num_warps=item["num_warps"],
                            num_stages=item["num_stages"], constexprs={**{n: v if isinstance(v, (int, bool)) else str(v) for n, v in item["constexprs"].items()}, **compiled.folded}, args=described,
                            ttir={**old.get(item["name"], {}), version: path}))
    write_list(manifest, "items", dict(schema=1), entries)
    print(f"Triton {triton_text.VERSION}: {len(entries)} items")


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) == 2 else ""
    if what == "tests":
        export_tests()
    elif what == "bench":
        export_bench()
    else:
        sys.exit(__doc__)
