# SPDX-License-Identifier: Apache-2.0 OR MIT
"""These tests read callers' objects, also through the interfaces of arrays on a GPU. They do not touch a GPU's memory."""
import numpy
import pytest

import sumac_msm as sumac
from sumac_msm._buffers import memory_of
from sumac_msm._library import ffi


class Dlpack:
    """An array that has only DLPack, and may claim to lie on a device of another kind."""

    def __init__(self, array, device=None):
        self.array, self.device = array, device

    def __dlpack__(self, stream=None, **options):
        assert stream == (1 if self.device == 2 else None)
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return (self.device, 0) if self.device else self.array.__dlpack_device__()


class Cuda:
    def __init__(self, array, **changed):
        interface = array.__array_interface__
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "data": interface["data"],
                                         "strides": interface["strides"], "version": 3, **changed}


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int64", "uint64"])
@pytest.mark.parametrize("shape", [(24,), (4, 6), (2, 3, 4), (0,), (0, 8)])
def test_memory(dtype, shape):
    array = numpy.zeros(shape, dtype)
    for given, on_device in ((array, False), (array.data, False), (Dlpack(array), False), (Dlpack(array, 2), True), (Cuda(array), True)):
        memory = memory_of(given, "numbers")
        assert (memory.bytes, memory.itemsize, memory.kind) == (array.nbytes, array.itemsize, array.dtype.kind)
        assert (memory.shape, memory.on_device) == (shape, on_device)
        assert array.nbytes == 0 or int(ffi.cast("uintptr_t", memory.pointer)) == array.ctypes.data


def test_order():
    square = numpy.zeros((4, 4), numpy.uint8)
    for view in (square.T, square[:, :2], square[::2], square[::-1]):
        for given in (view, Dlpack(view), Dlpack(view, 2), Cuda(view)):
            with pytest.raises(sumac.errors.BadArgument, match="C's order"):
                memory_of(given, "numbers")
    # An array of one row is contiguous, whatever its strides are.
    assert memory_of(Cuda(numpy.zeros((4, 4), numpy.uint8)[:1]), "numbers").bytes == 4
    for kind in ("float32", "float64", "complex64"):
        for given in (Dlpack(numpy.zeros(4, kind), 2), Cuda(numpy.zeros(4, kind))):
            with pytest.raises(TypeError, match="must be integers"):
                memory_of(given, "numbers")


def test_streams():
    """Elements that a stream of the GPU produces are refused, unless calls follow that stream."""
    from sumac_msm.bases import _synchronize

    class OnStream:
        def __init__(self, stream):
            self._stream = stream

    array = numpy.zeros(4, numpy.uint8)
    for followed in (1, 77):
        for stream in (None, 1, 77, 78):
            memory = memory_of(Cuda(array, stream=stream), "numbers")
            if stream in (None, followed):
                _synchronize(OnStream(followed), memory)
            else:
                with pytest.raises(sumac.errors.BadArgument, match=f"stream {stream}"):
                    _synchronize(OnStream(followed), memory)


def test_set_stream(context):
    """Without a GPU there are no streams."""
    context.set_stream(None)
    with pytest.raises(sumac.errors.NotSupported, match="no streams"):
        context.set_stream(77)
    with pytest.raises(TypeError):
        context.set_stream("77")
    context.wait()


def test_cpu_tensors(context):
    """Arrays in the host's memory that have only DLPack are accepted."""
    bases, scalars = sumac.Bases.known(context, sumac.curves()[0], 4, 1), sumac.known_logarithms(context, sumac.curves()[0], 4, 2)
    assert (bases.msm(Dlpack(scalars)) == bases.msm(scalars)).all()
    with pytest.raises(sumac.errors.BadArgument, match="on a GPU"):
        bases.msm(Dlpack(scalars, 2))
