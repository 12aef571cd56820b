# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What users of the package call."""
import contextlib
import os

from .native import core

Error = core().Error


def devices():
    """Names of the devices of this machine, for TRITONRT_DEVICE."""
    return core().devices()


def activate():
    """Makes Triton launch through this package on a machine where a GPU's backend is active as well."""
    import triton
    from .driver import TritonrtDriver
    triton.runtime.driver.set_active(TritonrtDriver())


@contextlib.contextmanager
def record(folder):
    """Saves every launch within it under `folder`, inputs and outputs, for `tritonrt replay FOLDER`."""
    core().set_capture(os.fspath(folder))
    try:
        yield
    finally:
        core().set_capture(None)


def array(values, dtype=None):
    """An array of numpy that kernels take as an argument; shares memory with `values` where it is an array of that type."""
    from .ndarray import Array
    import numpy
    return numpy.asarray(values, dtype=dtype).view(Array)
