# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns a Triton kernel into the text of Triton's own `ttir` stage. Needs the triton wheel and numpy; no GPU, no PyTorch."""
import os
import re

os.environ.pop("TRITON_INTERPRET", None)
import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend
from triton.runtime.jit import create_function_from_signature

TARGET = GPUTarget("cuda", 90, 32)
PIPELINE = "cuda:90 make_ttir"
VERSION = triton.__version__

# Triton's name of an element type -> (name of the torch type, bytes, MLIR type).
TYPES = {
    "fp16": ("float16", 2, "f16"), "bf16": ("bfloat16", 2, "bf16"), "fp32": ("float32", 4, "f32"), "fp64": ("float64", 8, "f64"),
    "i1": ("bool", 1, "i1"), "i8": ("int8", 1, "i8"), "i16": ("int16", 2, "i16"), "i32": ("int32", 4, "i32"),
    "i64": ("int64", 8, "i64"), "u8": ("uint8", 1, "i8"), "u16": ("uint16", 2, "i16"), "u32": ("uint32", 4, "i32"), "u64": ("uint64", 8, "i64"),
}


class _Dtype:
    """Looks like a torch dtype to Triton's specialisation."""

    def __init__(self, name):
        self.name, self.itemsize = name, TYPES[name][1]

    def __str__(self):
        return "torch." + TYPES[self.name][0]

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return str(self) == str(other)


_DTYPES = {name: _Dtype(name) for name in TYPES}


class Pointer:
    """Looks to Triton's specialisation like a tensor whose first element lies `offset` bytes behind a multiple of 64."""

    def __init__(self, dtype, offset=0):
        self.dtype, self.offset = _DTYPES[dtype], offset

    def data_ptr(self):
        return (1 << 20) + self.offset

    def stride(self):
        return [1]


class Descriptor(Pointer):
    """One that the host makes of a contiguous matrix of `shape`, read or written `block` at a time."""

    def __init__(self, dtype, shape, block):
        super().__init__(dtype)
        self.shape, self.block = shape, block

    def as_argument(self):
        from triton.tools.tensor_descriptor import TensorDescriptor
        return TensorDescriptor(self, self.shape, [self.shape[1], 1], self.block)


class Compiled:
    """text; params: one (python name, ir name, ir type, dtype, attributes) for each parameter of the function; folded:
    {python name: value} of the arguments that the specialisation made constants."""

    def __init__(self, text, params, folded):
        self.text, self.params, self.folded = text, params, folded


def strip_locations(text):
    text = "\n".join(line for line in text.split("\n") if not re.match(r"#loc\d*\s*=", line))
    out, at = [], 0
    while (found := text.find(" loc(", at)) >= 0:
        out.append(text[at:found])
        at, depth, quoted = found + 5, 1, False
        while depth:
            char = text[at]
            if char == '"':
                quoted = not quoted
            elif not quoted:
                depth += (char == "(") - (char == ")")
            at += 1
    return "".join(out) + text[at:]


def compile_ttir(kernel, args, constexprs, num_warps=4, num_stages=3):
    """args: {parameter: Pointer, int, float or bool} in the order of the kernel's parameters."""
    backend = make_backend(TARGET)
    binder = create_function_from_signature(kernel.signature, kernel.params, backend)
    given = {name: value.as_argument() if isinstance(value, Descriptor) else value for name, value in args.items()}
    bound, special, _ = binder(**given, **constexprs)
    wanted = dict(num_warps=num_warps, num_stages=num_stages, debug=bool(kernel.debug))
    options, signature, constants, attrs = kernel._pack_args(backend, wanted, bound, special, wanted)
    source = ASTSource(kernel, signature, constants, attrs)
    stages = {}
    backend.add_stages(stages, options, source.language)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(TARGET, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    text = strip_locations(str(stages["ttir"](module, {"target": TARGET})))
    assert "loc(" not in text and ".py" not in text, kernel

    head = re.search(r"tt\.func public @\w+\((.*)\) attributes", text).group(1)
    printed = re.findall(r"%([\w.]+): ([^{%]*?)(?: \{([^}]*)\})?(?:, (?=%)|$)", head)
    params, folded, at = [], {}, 0
    for pos, name in enumerate(args):
        if (pos, ) in constants:
            folded[name] = args[name]
            continue
        ir_name, ir_type, hints = printed[at]
        # A descriptor's sizes and strides are parameters of their own.
        at += 1 + 2 * len(args[name].shape) if isinstance(args[name], Descriptor) else 1
        wanted_hints = dict(attrs.get((pos, ), []))
        assert ("tt.divisibility = 16" in hints) == ("tt.divisibility" in wanted_hints), (name, hints)
        params.append((name, "%" + ir_name, ir_type, signature[name], wanted_hints))
    assert at == len(printed), (params, printed)
    return Compiled(text, params, folded)
