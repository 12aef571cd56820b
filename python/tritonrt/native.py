# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native module, loaded on first use: importing Triton must work without it."""
import functools
import os


@functools.lru_cache(maxsize=None)
def core():
    try:
        from . import _core
    except ImportError as error:
        raise ImportError(f"tritonrt's native library cannot be loaded: {error}") from error
    return _core


def device_name():
    return os.environ.get("TRITONRT_DEVICE") or "cpu"
