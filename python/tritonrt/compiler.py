# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's stages for this backend: its own passes up to .ttir, which is what libtritonrt takes."""
import hashlib
import re
from dataclasses import dataclass, fields
from typing import Optional, Tuple

from triton.backends.compiler import BaseBackend

from .native import core, device_name

BINARY = "tritonrt"


@dataclass(frozen=True)
class Options:
    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 3
    warp_size: int = 32
    cluster_dims: tuple = (1, 1, 1)
    maxnreg: Optional[int] = None
    ir_override: Optional[str] = None
    enable_fp_fusion: bool = True
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    supported_fp8_dtypes: Tuple[str, ...] = ("fp8e4b15", "fp8e4b8", "fp8e4nv", "fp8e5", "fp8e5b16")
    deprecated_fp8_dot_operand_dtypes: Tuple[str, ...] = ()
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: Tuple[str, ...] = ("ieee", "tf32", "tf32x3", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default: int = 0
    extern_libs: Optional[dict] = None
    debug: bool = False
    backend_name: str = "cpu"
    sanitize_overflow: bool = True
    arch: str = ""
    instrumentation_mode: str = ""
    fpsan_homomorphic_casts: bool = False

    def __post_init__(self):
        # An AssertionError, as Triton's own backends raise.
        assert self.num_warps > 0 and not self.num_warps & (self.num_warps - 1), "num_warps must be a power of 2"
        if self.num_ctas != 1:
            raise ValueError(f"num_ctas must be 1 on this backend, not {self.num_ctas}")

    def hash(self):
        text = "_".join(f"{name}-{value}" for name, value in sorted(self.__dict__.items()))
        return hashlib.sha256(text.encode()).hexdigest()


def load(binary):
    """The kernel behind the bytes of the last stage, for the device of the environment."""
    match = re.search(rb"// tritonrt num_warps=(\d+) num_stages=(\d+)\n$", binary)
    warps, stages = (int(value) for value in match.groups())
    return core().Kernel(binary, device_name(), warps, stages)


def make_ttir(module, metadata, options, keep_descriptors=False):
    from triton._C.libtriton import ir, passes
    manager = ir.pass_manager(module.context)
    manager.enable_debug()
    passes.common.add_inliner(manager)
    if hasattr(passes.ttir, "add_rewrite_tensor_pointer"):
        passes.ttir.add_rewrite_tensor_pointer(manager)
    if not keep_descriptors:
        # What is read outside of a tensor's descriptor can then be told to the kernel.
        passes.ttir.add_rewrite_tensor_descriptor_to_pointer(manager)
    passes.common.add_canonicalizer(manager)
    passes.ttir.add_combine(manager)
    passes.ttir.add_reorder_broadcast(manager)
    passes.common.add_cse(manager)
    passes.common.add_symbol_dce(manager)
    passes.ttir.add_loop_unroll(manager)
    try:
        manager.run(module, "make_ttir")
    except TypeError:  # Triton 3.4 has no names for pipelines
        manager.run(module)
    return module


def make_binary(module, metadata, options):
    """The text with its options. Compiled here, so that errors come at compile time and the cache is warm at the launch."""
    text = str(module)
    name = re.search(r'tt\.func public @("[^"]*"|[\w$.]+)', text).group(1)
    metadata["name"] = name.strip('"')
    metadata["shared"] = 0
    binary = f"{text}\n// tritonrt num_warps={options.num_warps} num_stages={options.num_stages}\n".encode()
    load(binary).prepare()
    return binary


class TritonrtBackend(BaseBackend):
    binary_ext = BINARY

    @staticmethod
    def supports_target(target):
        return target.backend == "cpu"

    def hash(self):
        # The library keeps what it compiles under keys of its own, which hold its build and the processor: Triton's
        # cache keeps only the text.
        from . import __version__
        return f"tritonrt-{__version__}-{device_name()}"

    def parse_options(self, options):
        known = {field.name for field in fields(Options)}
        return Options(**{key: value for key, value in options.items() if key in known and value is not None})

    def pack_metadata(self, metadata):
        return (metadata.num_warps, metadata.num_ctas, metadata.shared)

    def get_codegen_implementation(self, options):
        from .float8 import convert_custom_types
        return {"min_dot_size": lambda lhs, rhs: (1, 1, 1), "convert_custom_types": convert_custom_types}

    def get_module_map(self):
        # The names of NVIDIA's library; libtritonrt computes its functions itself.
        from triton.language.extra.cuda import libdevice
        return {"triton.language.extra.libdevice": libdevice}

    def load_dialects(self, context):
        pass

    def add_stages(self, stages, options, language=None):
        stages["ttir"] = lambda source, metadata: make_ttir(source, metadata, options)
        stages[BINARY] = lambda source, metadata: make_binary(source, metadata, options)


# As for the driver.
TritonrtBackend.__abstractmethods__ = frozenset()
