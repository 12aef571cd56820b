# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's view of the device: what is active, how binaries are loaded, and how kernels are launched and timed."""
import time

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

from .native import core

# Triton counts threads as it does on GPUs.
WARP_SIZE = 32
_CPP_TYPES = {"i1": "int8_t", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t", "u1": "uint8_t",
              "u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t", "fp16": "double",
              "bf16": "double", "fp32": "double", "f32": "double", "fp64": "double"}


class Event:
    """A point in time. Launches have ended when they return, so the clock tells it."""

    def __init__(self, enable_timing=True):
        self.time = None

    def record(self, stream=None):
        self.time = time.perf_counter_ns()

    def elapsed_time(self, end):
        """Milliseconds up to `end`. Not 0, by which callers divide."""
        return max(end.time - self.time, 1) * 1e-6

    def synchronize(self):
        pass

    wait = synchronize


class DeviceInterface:
    """The part of `torch.cuda` that Triton's benchmarking uses."""
    Event = Event

    @staticmethod
    def synchronize(device=None):
        pass

    @staticmethod
    def current_device():
        return 0


class Utils:

    @staticmethod
    def get_device_properties(device):
        # Nothing here limits a kernel's tiles, and nobody tunes by these.
        return {"max_shared_mem": 1 << 30, "multiprocessor_count": 1, "max_num_regs": 1 << 16, "warpSize": WARP_SIZE,
                "sm_clock_rate": 1, "mem_clock_rate": 1, "mem_bus_width": 64}

    @staticmethod
    def load_binary(name, binary, shared, device):
        from .compiler import load
        kernel = load(binary)
        return kernel, kernel, 0, 0, 1 << 20

    @staticmethod
    def unload_module(module):
        pass

    @staticmethod
    def set_printf_fifo_size(size):
        pass


def make_launcher(source, metadata):
    """The callable that runs launches of a compiled kernel."""
    return core().Launcher(tuple(source.signature.values()))


def do_bench(kernel_call, *, quantiles=(0.5, 0.2, 0.8), warmup=5, rep=20, **_):
    """Milliseconds of a call at each quantile, or their mean without quantiles. For the autotuner: short, since a kernel here
    runs for a while and hundreds of configurations are tried."""
    kernel_call()
    begin = time.perf_counter()
    kernel_call()
    estimate = max(time.perf_counter() - begin, 1e-7) * 1e3
    for _ in range(min(int(warmup / estimate), 1000)):
        kernel_call()
    times = []
    for _ in range(max(3, min(int(rep / estimate), 1000))):
        begin = time.perf_counter_ns()
        kernel_call()
        times.append((time.perf_counter_ns() - begin) * 1e-6)
    if quantiles is None:
        return sum(times) / len(times)
    times.sort()
    return [times[min(int(q * len(times)), len(times) - 1)] for q in quantiles]


class TritonrtDriver(DriverBase):
    utils = Utils
    launcher_cls = staticmethod(make_launcher)

    @classmethod
    def is_active(cls):
        """Whether kernels run here unless somebody says otherwise: not beside a GPU that Triton can use."""
        from triton.backends import backends
        return not any(_is_active(other.driver) for other in backends.values() if other.driver is not cls)

    def map_python_to_cpp_type(self, ty):
        return "void*" if ty[0] == "*" else _CPP_TYPES[ty]

    def get_current_target(self):
        return GPUTarget("cpu", "", WARP_SIZE)

    def get_active_torch_device(self):
        import torch
        return torch.device("cpu")

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device):
        return 0

    def get_device_interface(self):
        return DeviceInterface

    def get_device_capability(self, device=None):
        return ("cpu", 0)

    def get_benchmarker(self):
        return do_bench

    def get_empty_cache_for_benchmark(self):
        # Enough to push a kernel's data out of a CPU's caches.
        return bytearray(64 << 20)

    def clear_cache(self, cache):
        cache[:] = bytes(len(cache))

    def assemble_tensormap_to_arg(self, tensormaps_info, args):
        return args


def _is_active(driver):
    try:
        return bool(driver.is_active())
    except Exception:
        return False


# A newer Triton may ask for methods that this version does not know. Without this it could not even be imported.
TritonrtDriver.__abstractmethods__ = frozenset()
