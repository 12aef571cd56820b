# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_kernels.py [NAME...]: runs the launches of tests/kernels in Triton's interpreter (the triton wheel and numpy; no GPU, no
PyTorch) and compares memory with the expected values that lie there: a second opinion on cases.py. Notes in case.json whether
the two agree; run it after export_kernels.py."""
import json
import os
import sys

os.environ["TRITON_INTERPRET"] = "1"
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOME = os.path.join(ROOT, "tests", "kernels")
sys.path.insert(0, HOME)
import cases

TORCH = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
         "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64"}


class Dtype:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return "torch." + TORCH[self.name]


DTYPES = {name: Dtype(name) for name in TORCH}  # Triton tells types apart by identity


class Tensor:
    """Numpy memory that the interpreter takes for a tensor on the host: its copies are itself."""

    def __init__(self, array, dtype, offset):
        self.array, self.dtype, self.offset = array, DTYPES[dtype], offset

    def data_ptr(self):
        return self.array.ctypes.data + self.offset

    def cpu(self):
        return self

    untyped_storage = cpu

    def new_empty(self, *_, **__):
        return Tensor(self.array, self.dtype.name, self.offset)

    def set_(self, *_):
        pass

    copy_ = set_

    def storage_offset(self):
        return 0

    def size(self):
        return [len(self.array)]

    def stride(self):
        return [1]


def decode(buffer, array):
    if buffer["dtype"] == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64) if buffer["dtype"].startswith("fp") else array


def check(case, launch, folder):
    """The first difference as text, or None."""
    memory = {b["id"]: np.load(os.path.join(folder, b["file"])) for b in launch["buffers"]}
    dtypes = {b["id"]: b["dtype"] for b in launch["buffers"]}
    args = {}
    for name, value in case["args"].items():
        if isinstance(value, str) or hasattr(value, "buffer"):
            buffer, elements = (value, 0) if isinstance(value, str) else (value.buffer, value.elements)
            value = Tensor(memory[buffer], dtypes[buffer], elements * memory[buffer].itemsize)
        args[name] = value
    case["kernel"][case["grid"]](**args, **case["constexprs"])
    for buffer in launch["buffers"]:
        want = np.load(os.path.join(folder, buffer.get("expected", buffer["file"])))
        got, want = decode(buffer, memory[buffer["id"]]), decode(buffer, want)
        if want.dtype.kind == "f":
            same = np.isclose(got, want, rtol=buffer.get("rtol", 0), atol=buffer.get("atol", 0), equal_nan=True)
        else:
            same = got == want
        if not same.all():
            at = int(np.argmin(same))
            return f"{buffer['id']}[{at}]: interpreter {got[at]}, expected {want[at]}"
    return None


def main():
    bad = 0
    for case in cases.CASES:
        if sys.argv[1:] and case["name"] not in sys.argv[1:]:
            continue
        folder = os.path.join(HOME, "cases", case["name"])
        with open(os.path.join(folder, "case.json")) as file:
            launch = json.load(file)
        with np.errstate(all="ignore"):
            try:
                text = check(case, launch, folder)
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
        launch["verified_by_interpreter"] = text is None
        with open(os.path.join(folder, "case.json"), "w") as file:
            json.dump(launch, file, indent=1)
            file.write("\n")
        if text:
            bad += 1
            print(f"{case['name']}: {text}")
    print(f"{len(cases.CASES) - bad} agree, {bad} do not")
    return bad


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
