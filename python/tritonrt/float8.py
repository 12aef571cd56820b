# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fp8e4b15, a type that only Triton's Python knows; it is a byte in the IR. Sign, four bits of exponent with bias 15, three of
mantissa: the upper bits of an fp16 without its highest exponent bit. No infinity and no NaN; 1.75 is the largest value."""
from triton.language import core

_LARGEST = 0x3F00  # 1.75 as fp16


def _typed(value, dtype):
    """`dtype` in the shape of `value`."""
    return value.type.with_element_ty(dtype) if value.type.is_block() else dtype


def _to_float16(value, semantic):
    bits = core.tensor(value.handle, _typed(value, core.uint8)).to(core.uint16, _semantic=semantic)
    sign = bits.__and__(0x80, _semantic=semantic).__lshift__(8, _semantic=semantic)
    rest = bits.__and__(0x7F, _semantic=semantic).__lshift__(7, _semantic=semantic)
    return sign.__or__(rest, _semantic=semantic).to(core.float16, bitcast=True, _semantic=semantic)


def _from_float16(value, semantic):
    bits = value.to(core.uint16, bitcast=True, _semantic=semantic)
    sign = bits.__and__(0x8000, _semantic=semantic).__rshift__(8, _semantic=semantic)
    rest = core.minimum(bits.__and__(0x7FFF, _semantic=semantic), _LARGEST, _semantic=semantic)
    rest = rest.__add__(0x40, _semantic=semantic).__rshift__(7, _semantic=semantic)
    byte = sign.__or__(rest, _semantic=semantic).to(core.uint8, _semantic=semantic)
    return core.tensor(byte.handle, _typed(value, core.float8e4b15))


@core.builtin
def convert_custom_types(value, target, fp_downcast_rounding=None, _semantic=None):
    if value.type.scalar.is_fp8e4b15():
        return _to_float16(value, _semantic).to(target.scalar, _semantic=_semantic)
    if not value.type.scalar.is_fp16():
        # Rounded once: fp16 keeps the bits that the next step looks at.
        narrower = value.type.scalar.primitive_bitwidth > 16
        value = value.to(core.float16, fp_downcast_rounding="rtz" if narrower else None, _semantic=_semantic)
    return _from_float16(value, _semantic)
