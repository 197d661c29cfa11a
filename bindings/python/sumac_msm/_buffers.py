# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module reads the memory of callers' objects without a copy. It reads the host's memory through the buffer protocol or
DLPack, and a GPU's memory through __cuda_array_interface__ or DLPack. It also makes the arrays for results, which are numpy's
arrays or, without numpy, memoryviews."""
from __future__ import annotations

import ctypes
import operator
from typing import Any, List, Optional, Sequence, Tuple

from ._library import ffi
from .errors import BadArgument, BadLength, OutOfMemory

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

_DLPACK_CPU, _DLPACK_CUDA, _DLPACK_CUDA_HOST = 1, 2, 3
_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = ctypes.c_void_p
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


# This is the number of a GPU's default stream in DLPack and __cuda_array_interface__. Calls without a stream follow this one.
DEFAULT_STREAM = 1


class Memory:
    """A contiguous block of memory: its address, its number of bytes, and the type of its elements."""

    __slots__ = ("pointer", "bytes", "on_device", "kind", "itemsize", "shape", "stream", "_keep")

    def __init__(self, pointer: Any, count: int, on_device: bool, kind: str, itemsize: int, shape: Tuple[int, ...],
                 stream: Optional[int], keep: Any):
        self.pointer = pointer
        self.bytes = count
        self.on_device = on_device
        self.kind = kind  # "u" for unsigned integers, "i" for signed ones
        self.itemsize = itemsize
        self.shape = shape
        self.stream = stream  # the GPU's stream that produces the elements, if any
        self._keep = keep


def product(shape: Sequence[int]) -> int:
    count = 1
    for extent in shape:
        count *= extent
    return count


def _require_order(shape: Sequence[int], strides: Optional[Sequence[int]], itemsize: int, what: str) -> None:
    expected = itemsize
    if 0 in shape:
        return
    for extent, stride in reversed(list(zip(shape, strides or ()))):
        if extent > 1 and stride != expected:
            raise BadArgument(f"{what} are not contiguous in C's order; numpy.ascontiguousarray() makes a copy that is")
        expected *= extent


def _require_integers(kind: str, what: str, given: str) -> str:
    if kind not in "ui":
        raise TypeError(f"{what} are of type {given}, and must be integers")
    return kind


def _from_view(view: memoryview, what: str) -> Memory:
    code = view.format.lstrip("@=<")
    if view.format[:1] in ">!" and view.itemsize > 1:
        raise TypeError(f"{what} are big-endian integers, and must be little-endian")
    kind = "u" if code in ("B", "H", "I", "L", "Q", "N", "c") else "i" if code in ("b", "h", "i", "l", "q", "n") else "?"
    _require_integers(kind, what, f"'{view.format}'")
    if not view.c_contiguous:
        raise BadArgument(f"{what} are not contiguous in C's order; numpy.ascontiguousarray() makes a copy that is")
    # The view keeps the memory. The export is released, because Python's collector fails on a view that has one.
    exported = ffi.from_buffer(view)
    pointer = ffi.cast("void *", exported)
    ffi.release(exported)
    return Memory(pointer, view.nbytes, False, kind, view.itemsize, view.shape or (1,), None, view)


def _from_cuda_array(interface: Any, keep: Any, what: str) -> Memory:
    try:
        kind = interface["typestr"]
        shape = tuple(int(extent) for extent in interface["shape"])
        address = int(interface["data"][0] or 0)
        itemsize = int(kind[2:])
        strides = interface.get("strides")
        if itemsize <= 0 or any(extent < 0 for extent in shape) or not 0 <= address < 2**64:
            raise ValueError
        strides = None if strides is None else tuple(int(stride) for stride in strides)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise TypeError(f"{what} have a __cuda_array_interface__ that is not as NVIDIA describes it") from None
    if kind[0] == ">" and itemsize > 1:
        raise TypeError(f"{what} are big-endian integers, and must be little-endian")
    _require_integers(kind[1], what, f"'{kind}'")
    _require_order(shape, strides, itemsize, what)
    stream = interface.get("stream")
    if stream == 0:
        raise BadArgument(f"{what} have a __cuda_array_interface__ of stream 0, which has no meaning")
    return Memory(ffi.cast("void *", address), product(shape) * itemsize, True, kind[1], itemsize, shape, stream, keep)


def _from_dlpack(value: Any, what: str, stream: int) -> Memory:
    failures = (AttributeError, BufferError, IndexError, RuntimeError, TypeError, ValueError)
    try:
        device = int(value.__dlpack_device__()[0])
    except failures as error:
        raise TypeError(f"{what} are handed over by DLPack, and do not say on which device: {error}") from None
    if device in (_DLPACK_CPU, _DLPACK_CUDA_HOST):
        if numpy is None:
            raise TypeError(f"{what} are handed over by DLPack on the host, which takes numpy, and numpy is not installed")
        try:
            array = numpy.from_dlpack(value)
        except failures as error:
            raise TypeError(f"{what} are handed over by DLPack, and numpy can't take them: {error}") from None
        return _from_view(array.data, what)
    if device != _DLPACK_CUDA:
        raise TypeError(f"{what} are on a device of DLPack's kind {device}, and must be on the host or an NVIDIA GPU")
    # The data become ready for work on the stream. The capsule keeps the tensor until the capsule is freed.
    try:
        capsule = value.__dlpack__(stream=stream)
        pointer = _get_pointer(capsule, b"dltensor")
    except failures as error:
        raise TypeError(f"{what} are handed over by DLPack, and give no tensor: {error}") from None
    tensor = ffi.cast("sumac_python_dlpack *", pointer)
    kind = {0: "i", 1: "u"}.get(tensor.code, "?")
    _require_integers(kind, what, f"{tensor.code}:{tensor.bits}")
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    itemsize = tensor.bits * tensor.lanes // 8
    if tensor.strides != ffi.NULL:
        _require_order(shape, [tensor.strides[i] * itemsize for i in range(tensor.ndim)], itemsize, what)
    address = int(ffi.cast("uintptr_t", tensor.data)) + tensor.byte_offset
    return Memory(ffi.cast("void *", address), product(shape) * itemsize, True, kind, itemsize, shape, None, (capsule, value))


def memory_of(value: Any, what: str, stream: int = DEFAULT_STREAM) -> Memory:
    """Return the memory of a caller's object, for a call that follows the GPU's stream. In messages `what` names the elements,
    in the plural."""
    try:
        view = memoryview(value)
    except (TypeError, ValueError, BufferError):  # numpy raises a ValueError for types without a buffer, such as datetime64
        pass
    else:
        return _from_view(view, what)
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is not None:
        return _from_cuda_array(interface, value, what)
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__") and \
            (numpy is None or not isinstance(value, numpy.ndarray)):
        return _from_dlpack(value, what, stream)
    raise TypeError(f"{what} are of type {type(value).__name__}, and must be bytes, a numpy array, or another buffer of integers")


def host_memory(value: Any, what: str) -> Memory:
    memory = memory_of(value, what)
    if memory.on_device:
        raise BadArgument(f"{what} lie on a GPU, and this call takes them from the host's memory")
    return memory


def records_of(value: Any, size: int, what: str, *, count: Optional[int] = None) -> Tuple[Memory, int]:
    """Return records of `size` bytes in the host's memory, and their number. A list of bytes is joined into a copy."""
    if isinstance(value, (list, tuple)):
        for record in value:
            if host_memory(record, what).bytes != size:
                raise BadLength(f"one of {what} has {host_memory(record, what).bytes} bytes, and must have {size}")
        value = b"".join(bytes(record) for record in value)
    memory = host_memory(value, what)
    if memory.bytes % size:
        raise BadLength(f"{what} take {memory.bytes} bytes, which is no multiple of {size}")
    if count is not None and memory.bytes != count * size:
        raise BadLength(f"{what} take {memory.bytes} bytes, and must take {count * size}")
    return memory, memory.bytes // size


def cast(memory: Memory, type_name: str) -> Any:
    """Return the block as an array of one of the library's types."""
    return ffi.cast(type_name + " *", memory.pointer)


def array_over(buffer: Any, shape: Tuple[int, ...]) -> Any:
    """Return a buffer's bytes as an array, which keeps the buffer."""
    if numpy is not None:
        return numpy.frombuffer(buffer, numpy.uint8).reshape(shape)
    view = memoryview(buffer)
    return view.cast("B", shape) if view.nbytes else view  # an empty view can't have a shape


def result_array(shape: Tuple[int, ...]) -> Tuple[Any, Any]:
    """Return a new array and its address."""
    try:
        if numpy is not None:
            array = numpy.empty(shape, numpy.uint8)
            return array, ffi.cast("void *", array.ctypes.data)
        array = array_over(bytearray(product(shape)), shape)
    except (MemoryError, OverflowError, ValueError):  # numpy raises a ValueError for too large a dimension
        raise OutOfMemory(f"there is no memory of {product(shape)} bytes for the results") from None
    return array, _from_view(array, "results").pointer


class DeviceMemory:
    """Memory of a GPU that other packages can use through __cuda_array_interface__. It keeps its owner."""

    __slots__ = ("__cuda_array_interface__", "_keep")

    def __init__(self, pointer: Any, shape: Tuple[int, ...], keep: Any):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": "|u1", "data": (int(ffi.cast("uintptr_t", pointer)), False),
                                         "strides": None, "version": 3}
        self._keep = keep


def host_array(pointer: Any, shape: Tuple[int, ...], keep: Any) -> Any:
    """Return memory of the library as an array, which keeps the owner of the memory."""
    block = (ctypes.c_uint8 * product(shape)).from_address(int(ffi.cast("uintptr_t", pointer)))
    block.keep = keep  # type: ignore[attr-defined]
    return array_over(block, shape)


def writable(value: Any, size: Optional[int], what: str, stream: int = DEFAULT_STREAM) -> Memory:
    """Return the caller's memory for the library to write. If a size is given, the memory must have exactly `size` bytes."""
    memory = memory_of(value, what, stream)
    if memory._keep.__cuda_array_interface__["data"][1] if hasattr(memory._keep, "__cuda_array_interface__") else \
            getattr(memory._keep, "readonly", False):
        raise BadArgument(f"{what} may not be written")
    if size is not None and memory.bytes != size:
        raise BadLength(f"{what} take {memory.bytes} bytes, and must take {size}")
    return memory


def _listed(values: Any) -> List[Any]:
    """Return the caller's values as a list. Refuse a range that is too long for a list, because a loop over it would not
    end."""
    try:
        return list(values)
    except (OverflowError, MemoryError):
        raise TypeError from None


def numbers_of(values: Any, what: str) -> Tuple[Any, int]:
    """Return numbers of 64 bits and their count. An array of uint64 is not copied, but a list is."""
    try:
        view = memoryview(values)
    except (TypeError, ValueError):
        pass
    else:
        if view.format in ("L", "Q") and view.itemsize == 8 and view.ndim == 1 and view.c_contiguous:
            return ffi.from_buffer("uint64_t[]", values), len(view)
    try:
        numbers: List[int] = [operator.index(value) for value in _listed(values)]
    except TypeError:
        raise TypeError(f"{what} must be a list of integers") from None
    for number in numbers:
        if not 0 <= number < 2**64:
            raise BadArgument(f"one of {what} is {number}, and may be 0 to {2**64 - 1}")
    return ffi.new("uint64_t[]", numbers), len(numbers)


def integer_bytes(values: Sequence[Any], size: int, what: str) -> bytes:
    """Return Python's integers as little-endian integers of `size` bytes."""
    out = bytearray()
    try:
        values = _listed(values)
    except TypeError:
        raise TypeError(f"{what} are of type {type(values).__name__}, and must be a list of integers") from None
    for value in values:
        try:
            out += operator.index(value).to_bytes(size, "little")
        except TypeError:
            raise TypeError(f"one of {what} is of type {type(value).__name__}, and must be an integer") from None
        except OverflowError:
            raise BadArgument(f"one of {what} is {value}, and must be 0 or more, and less than 2^{8 * size}") from None
    return bytes(out)
