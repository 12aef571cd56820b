# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels on CPUs and OpenCL devices.

Installed beside Triton, this package is its backend `cpu`: `kernel[grid](...)` runs on tensors in host memory.
TRITONRT_DEVICE names the device (`cpu`, `opencl`, `opencl:1`, ...).
"""

# Triton asks for this package's modules while it is imported itself, and then they have to be ones that see all of Triton.
try:
    import triton  # noqa: F401
except ImportError:
    pass

__version__ = "0.1.0"
__all__ = ["Error", "activate", "array", "devices", "record"]


def __getattr__(name):
    # Nothing of the native library is loaded before somebody needs it.
    if name in __all__:
        from . import api
        return getattr(api, name)
    raise AttributeError(f"module 'tritonrt' has no attribute {name!r}")
