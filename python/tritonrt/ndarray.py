# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""numpy's arrays with what Triton asks of an argument."""
import numpy


class Array(numpy.ndarray):

    def data_ptr(self):
        return self.__array_interface__["data"][0]

    def memory_range(self):
        """(address, bytes) of the block that the array lies in; other views of it share it."""
        block = self
        while isinstance(block.base, numpy.ndarray):
            block = block.base
        low, high = _byte_bounds(block)
        return low, high - low


def _byte_bounds(array):
    low = high = array.__array_interface__["data"][0]
    for extent, stride in zip(array.shape, array.strides):
        if extent == 0:
            return low, low
        if stride < 0:
            low += stride * (extent - 1)
        else:
            high += stride * (extent - 1)
    return low, high + array.itemsize
