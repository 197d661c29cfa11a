# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has vectors of scalars and of points, transforms, and MSMs whose scalars or results are vectors."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Tuple, Union

from ._buffers import DeviceMemory, array_over, host_array, integer_bytes, memory_of, numbers_of, records_of, writable
from ._interface import (BasesOptions, ByteOrder, LayoutOptions, MsmOptions, Scan, TransformOptions, VectorKind)
from ._library import Options, enum_of, ffi, instance_of, integer_of, lib, mapping_of, size_of, sized
from .bases import Bases, _MsmOptions, _divided, _measure, _require_all, _result, _synchronize
from .contexts import Context, Made, as_context, context_of
from .curves import Curve, as_curve, curve_of
from .errors import BadArgument, BadLength

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Slice(NamedTuple):
    """A part of a vector: `runs` runs of `length` elements. Run k begins at element first + k*stride. If stride is 0, it is
    length."""

    first: int
    length: int
    runs: int = 1
    stride: int = 0


def _slice(given: Optional[Slice], vector: Vector) -> Any:
    first, length, runs, stride = Slice(0, len(vector)) if given is None else instance_of(Slice, given, "the slice")
    filled = sized("sumac_slice")
    filled.first, filled.length = size_of(first, "first"), size_of(length, "length")
    filled.runs, filled.stride = size_of(runs, "runs"), size_of(stride or length, "stride")
    return filled


def _scalar(curve: Curve, value: Any, what: str) -> Any:
    """Convert bytes or an integer to one raw scalar, and None to null. The returned pointer keeps the bytes."""
    if value is None:
        return ffi.NULL
    if hasattr(value, "__index__"):
        value = integer_bytes([value], curve.scalar_bytes, what)
    memory, _ = records_of(value, curve.scalar_bytes, what, count=1)
    return ffi.new("unsigned char[]", bytes(ffi.buffer(memory.pointer, curve.scalar_bytes)))


def _layout(elements: Any, layout: Any, integers: Any, size: int) -> Tuple[Options, int]:
    """Return the options of elements that are written, and the size of one element in bytes. If the caller passes an array of
    integers, its type determines the size."""
    given = dict(layout)
    if integer_of("uint32_t", integers, "integers") and not isinstance(elements, (list, tuple)):
        column = memory_of(elements, "elements")
        given = {"scalar_bytes": column.itemsize, "scalar_signed": int(column.kind == "i"), **given}
    options = Options("sumac_element_layout", given)
    return options, (int(options.pointer.scalar_bytes) if options.pointer != ffi.NULL else 0) or size


class Vector(Made):
    """Elements of one kind in the memory where a context computes: integers modulo r ("scalars"), or points ("points"). The
    elements of a new vector are zeros, or points at infinity.

    Methods that change the vector return it. Any number of calls may read a vector at once, or one call may write it.

    >>> values = sumac.Vector.of(sumac.Context(threads=1), "bn254", [1, 2, 3, 4])
    >>> values.ntt().ntt(inverse=True).integers()
    [1, 2, 3, 4]
    """

    _what = "vector"

    def __init__(self, context: Context, curve: Union[Curve, str], count: int, kind: Union[VectorKind, str] = VectorKind.SCALARS):
        context = as_context(context)
        self._adopt(context, context._make("sumac_vector", lib.sumac_vector_create, as_curve(curve)._pointer,
                                           enum_of(VectorKind, kind, "kind"), size_of(count, "count")), lib.sumac_vector_destroy)

    @classmethod
    def of(cls, context: Context, curve: Union[Curve, str], elements: Any, kind: Union[VectorKind, str] = VectorKind.SCALARS, *,
           integers: bool = False, **layout: Unpack[LayoutOptions]) -> Vector:
        """Make a vector of elements in the host's memory, in the forms that set() accepts."""
        curve = as_curve(curve)
        size = curve.scalar_bytes if enum_of(VectorKind, kind, "kind") == VectorKind.SCALARS else curve.point_bytes
        _, size = _layout(elements, layout, integers, size)
        count = len(elements) if isinstance(elements, (list, tuple)) else memory_of(elements, "elements").bytes // size
        return cls(context, curve, count, kind).set(elements, integers=integers, **layout)

    @classmethod
    def wrap(cls, context: Context, curve: Union[Curve, str], memory: Any) -> Vector:
        """Make a vector of scalars in the caller's memory, which is kept. The memory is neither copied nor checked. It must
        contain scalars in Montgomery form, little-endian and less than r. On the host it is a writable buffer, and on a GPU an
        object with __cuda_array_interface__ or DLPack. This waits for no stream, so the scalars must be complete."""
        context, given = as_context(context), writable(memory, None, "the scalars", as_context(context)._stream)
        if given.on_device != context._on_device:
            raise BadArgument(f"the scalars lie on {'a GPU' if given.on_device else 'the host'}, and the context computes elsewhere")
        curve = as_curve(curve)
        if given.bytes % curve.scalar_bytes:
            raise BadLength(f"the scalars take {given.bytes} bytes, which is no multiple of {curve.scalar_bytes}")
        _synchronize(context, given)
        return cls._over(context, context._make("sumac_vector", lib.sumac_vector_wrap, curve._pointer, given.pointer,
                                                given.bytes // curve.scalar_bytes), given)

    @classmethod
    def _over(cls, context: Context, pointer: Any, needed: Any) -> Vector:
        """Make a vector over memory that `needed` keeps."""
        self = cls.__new__(cls)
        self._adopt(context, pointer, lib.sumac_vector_destroy, needed)
        return self

    def view(self, first: int = 0, n: Optional[int] = None, *, context: Optional[Context] = None) -> Vector:
        """Return n elements, from index `first`, as a vector over the memory of this one. The memory lives as long as the
        view."""
        context, first, owned = context_of(context, self._context), size_of(first, "first"), self._take()
        n = max(len(self) - first, 0) if n is None else size_of(n, "n")
        return self._over(context, context._make("sumac_vector", lib.sumac_vector_view, owned, first, n), owned)

    @property
    def memory(self) -> Any:
        """Return the memory of the scalars, with a row of bytes for each scalar, in Montgomery form. It can be read and written
        between calls, and keeps the vector. On the host it is an array, and on a GPU an object with __cuda_array_interface__.
        For points it is None."""
        owned, shape = self._take(), (len(self), self.element_bytes)
        if self.kind != VectorKind.SCALARS:
            return None
        pointer = lib.sumac_vector_memory(owned.pointer)
        if owned.on_device:
            return DeviceMemory(pointer, shape, owned)
        return host_array(pointer, shape, owned) if shape[0] else array_over(bytearray(), shape)

    def __len__(self) -> int:
        return int(lib.sumac_vector_count(self._take().pointer))

    @property
    def curve(self) -> Curve:
        return curve_of(lib.sumac_vector_group(self._take().pointer))  # type: ignore[return-value]

    @property
    def kind(self) -> VectorKind:
        """Return the kind of the elements: scalars or points."""
        return VectorKind(lib.sumac_vector_kind_of(self._take().pointer))

    @property
    def element_bytes(self) -> int:
        """Return the size in bytes of one element in the host's memory."""
        return self.curve.scalar_bytes if self.kind == VectorKind.SCALARS else self.curve.point_bytes

    # ---- Reading and writing ----

    def set(self, elements: Any, first: int = 0, *, integers: bool = False, context: Optional[Context] = None,
            **layout: Unpack[LayoutOptions]) -> Vector:
        """Copy elements from the host's memory to the vector, from index `first`. Scalars may also be a list of integers. With
        integers=True they may be an array of integers of 1 to 8 bytes, signed or not, which become scalars. The options are
        fields of sumac_element_layout: byte_order="big_endian", form="montgomery", check="subgroup".

        If an element is bad, this raises BadEncoding, NotOnCurve or NotInSubgroup, whose sentence names the first bad element.
        It then changes nothing."""
        options, size = _layout(elements, layout, integers, self.element_bytes)
        if isinstance(elements, (list, tuple)) and self.kind == VectorKind.SCALARS and \
                all(hasattr(e, "__index__") for e in elements):
            big_endian = options.pointer != ffi.NULL and options.pointer.byte_order == ByteOrder.BIG_ENDIAN
            elements = integer_bytes(elements[::-1] if big_endian else elements, size, "scalars")
            if big_endian:
                elements = elements[::-1]
        memory, n = records_of(elements, size, "elements")
        return self._do(context, lib.sumac_vector_set, memory.pointer, memory.bytes, size_of(first, "first"), n, options.pointer)

    def get(self, first: int = 0, n: Optional[int] = None, *, out: Any = None, context: Optional[Context] = None,
            **layout: Unpack[LayoutOptions]) -> Any:
        """Copy n elements, from index `first`, to the host's memory. Return an array with a row for each element, or `out`.
        Points are converted to affine coordinates."""
        options, first = Options("sumac_element_layout", dict(layout)), size_of(first, "first")
        n = max(len(self) - first, 0) if n is None else size_of(n, "n")
        array, pointer = _result(out, (n, self.element_bytes))
        self._do(context, lib.sumac_vector_get, first, n, options.pointer, pointer, n * self.element_bytes)
        return array

    def integers(self, first: int = 0, n: Optional[int] = None, *, context: Optional[Context] = None) -> Any:
        """Return the scalars as a list of Python's integers."""
        if self.kind != VectorKind.SCALARS:
            raise TypeError("these are points: get() returns them")
        elements, size = self.get(first, n, context=context).tobytes(), self.curve.scalar_bytes
        return [int.from_bytes(elements[i:i + size], "little") for i in range(0, len(elements), size)]

    def copy_from(self, other: Vector, from_slice: Optional[Slice] = None, to_slice: Optional[Slice] = None, *,
                  context: Optional[Context] = None) -> Vector:
        """Copy a Slice of another vector to a Slice of this one. None means the whole vector."""
        other = instance_of(Vector, other, "the other vector")
        context_of(context, self._context)._call(lib.sumac_vector_copy, other._take(), _slice(from_slice, other), self._take(),
                                                 _slice(to_slice, self))
        return self

    def gather(self, other: Vector, rows: Sequence[int], length: int = 1, *, context: Optional[Context] = None) -> Vector:
        """Copy row rows[i] of another vector to row i of this one. Each row has `length` elements."""
        other = instance_of(Vector, other, "the other vector")
        pointer, n = numbers_of(rows, "rows")
        context_of(context, self._context)._call(lib.sumac_vector_gather, other._take(), size_of(length, "length"), pointer, n,
                                                 self._take())
        return self

    # ---- Operations on single elements ----

    def fill(self, scalar: Any, *, context: Optional[Context] = None) -> Vector:
        """Set all elements to one scalar, which is an integer less than r, or raw."""
        return self._do(context, lib.sumac_vector_fill, _scalar(self.curve, scalar, "the scalar"), self.curve.scalar_bytes)

    def _two(self, function: Any, other: Vector, each: int, out: Optional[Vector], context: Optional[Context], *more: Vector) -> Vector:
        context, other = context_of(context, self._context), instance_of(Vector, other, "the other vector")
        result = Vector(context, self.curve, len(self), self.kind) if out is None else instance_of(Vector, out, "out")
        context._call(function, self._take(), other._take(), size_of(each, "each"), *(one._take() for one in more), result._take())
        return result

    def add(self, other: Vector, each: int = 1, *, out: Optional[Vector] = None, context: Optional[Context] = None) -> Vector:
        """Compute self[i] + other[(i / each) mod len(other)]. Return a new vector or `out`. If `other` is shorter, it is
        repeated. If `each` is the length of a row, `other` has one element for each row."""
        return self._two(lib.sumac_vector_add, other, each, out, context)

    def subtract(self, other: Vector, each: int = 1, *, out: Optional[Vector] = None,
                 context: Optional[Context] = None) -> Vector:
        """Compute the difference, with the indices of add()."""
        return self._two(lib.sumac_vector_subtract, other, each, out, context)

    def multiply(self, other: Vector, each: int = 1, *, out: Optional[Vector] = None,
                 context: Optional[Context] = None) -> Vector:
        """Compute the product of scalars, with the indices of add()."""
        return self._two(lib.sumac_vector_multiply, other, each, out, context)

    def multiply_add(self, other: Vector, addend: Vector, each: int = 1, *, out: Optional[Vector] = None,
                     context: Optional[Context] = None) -> Vector:
        """Compute self[i] * other[(i / each) mod len(other)] + addend[i]. The addend is as long as this vector. `out` may be
        either."""
        return self._two(lib.sumac_vector_multiply_add, other, each, out, context, instance_of(Vector, addend, "the addend"))

    def invert(self, *, context: Optional[Context] = None) -> Vector:
        """Invert each scalar in place, and leave 0 unchanged."""
        return self._do(context, lib.sumac_vector_invert)

    def scale_powers(self, ratio: Any, factor: Any = None, length: int = 0, *, context: Optional[Context] = None) -> Vector:
        """Multiply element i by factor * ratio^(i mod length), in place. None means 1. Length 0 means one row."""
        curve = self.curve
        return self._do(context, lib.sumac_vector_scale_powers, _scalar(curve, factor, "the factor"), curve.scalar_bytes,
                        _scalar(curve, ratio, "the ratio"), curve.scalar_bytes, size_of(length, "length") or len(self))

    def sum(self, length: int = 0, *, context: Optional[Context] = None) -> Vector:
        """Add the elements of each row of `length` elements. Return a new vector of the sums. Length 0 means one row."""
        context, length = context_of(context, self._context), size_of(length, "length") or len(self)
        if length == 0 or len(self) % length:
            raise BadLength(f"the vector has {len(self)} elements, which are no rows of {length}")
        result = Vector(context, self.curve, len(self) // length, self.kind)
        context._call(lib.sumac_vector_sum, self._take(), length, result._take())
        return result

    def scan(self, operation: Union[Scan, str] = Scan.SUM, length: int = 0, *, exclusive: bool = False,
             context: Optional[Context] = None) -> Vector:
        """Replace each element by the sum, or with operation="product" by the product, of the elements of its row up to and
        including itself. Each row has `length` scalars. Length 0 means one row. With `exclusive` the element itself is left
        out, and the first element of a row becomes 0, or 1 for products."""
        return self._do(context, lib.sumac_vector_scan, size_of(length, "length") or len(self), enum_of(Scan, operation, "operation"),
                        integer_of("uint32_t", exclusive, "exclusive"))

    def transpose(self, rows: int, columns: int, *, context: Optional[Context] = None) -> Vector:
        """Transpose matrices of rows*columns elements each. Return a new vector."""
        context = context_of(context, self._context)
        result = Vector(context, self.curve, len(self), self.kind)
        context._call(lib.sumac_vector_transpose, self._take(), size_of(rows, "rows"), size_of(columns, "columns"),
                      result._take())
        return result

    def bit_reverse(self, length: int = 0, *, context: Optional[Context] = None) -> Vector:
        """Exchange elements i and rev(i) of each row of `length` elements. The length is a power of two. Length 0 means one
        row."""
        return self._do(context, lib.sumac_vector_bit_reverse, size_of(length, "length") or len(self))

    # ---- Transforms ----

    def ntt(self, *, context: Optional[Context] = None, **options: Unpack[TransformOptions]) -> Vector:
        """Compute the number-theoretic transform of each row in place: coefficients become values. Points must lie in the
        subgroup. The options are fields of sumac_transform_config: length=, inverse=True, shift= (an integer),
        value_order="bit_reversed", coefficients=."""
        filled, owned, context = self._transform(options), self._take(), context_of(context, self._context)
        context._queue(owned)
        context._call(lib.sumac_vector_ntt, owned.pointer, filled.pointer)
        return self

    def divide_by_vanishing(self, n: int, *, context: Optional[Context] = None, **options: Unpack[TransformOptions]) -> Vector:
        """Divide the value at each x of a coset by x^n - 1, in place. The options are those of the transform that computed the
        values. The shift must not be a root of unity of order n."""
        filled = self._transform(options)
        return self._do(context, lib.sumac_vector_divide_by_vanishing, size_of(n, "n"), filled.pointer)

    def _transform(self, options: Any) -> Options:
        given = dict(options)
        scalars = {name: given.pop(name, None) for name in ("shift", "root")}
        filled = Options("sumac_transform_config", given, always=any(value is not None for value in scalars.values()))
        for name, value in scalars.items():
            if value is not None:
                filled.set(name, _scalar(self.curve, value, f"the {name}"))
                setattr(filled.pointer, f"{name}_bytes", self.curve.scalar_bytes)
        return filled

    def __repr__(self) -> str:
        if self._owned is None:
            return "<sumac.Vector, closed>"
        return f"<sumac.Vector {len(self)} {self.kind.name.lower()} of {self.curve.name} {self.curve.group}>"


def bases_of(context: Context, points: Vector, first: int = 0, n: Optional[int] = None, **options: Unpack[BasesOptions]) -> Bases:
    """Make bases of the points [first, first + n) of a vector."""
    context, points = as_context(context), instance_of(Vector, points, "the vector of points")
    filled, first = Options("sumac_bases_config", dict(options)), size_of(first, "first")
    n = max(len(points) - first, 0) if n is None else size_of(n, "n")
    return Bases._of(context, lib.sumac_bases_create_from_vector, points._take(), first, n, filled.pointer)


def msm_vectors(bases: Bases, scalars: Vector, n: Optional[int] = None, *, first: int = 0, results: Optional[Vector] = None,
                result_first: int = 0, context: Optional[Context] = None, msm: Optional[MsmOptions] = None) -> Vector:
    """Compute Bases.msm() of the scalars [first, first + batch*n) of a vector. The results are written to `results`, a vector
    of points, from index `result_first`. Without `results` they are a new vector. Without n all bases and all scalars from
    index `first` are used."""
    bases, scalars = instance_of(Bases, bases, "what the scalars are for"), instance_of(Vector, scalars, "the vector of scalars")
    context, curve = context_of(context, bases._context), bases.curve
    filled = _MsmOptions(mapping_of(msm, "msm"))
    first = size_of(first, "first")
    if n is None:
        n = _divided(max(len(scalars) - first, 0), _measure(curve, 1, filled).scalars, "the scalars")
        _require_all(bases, _measure(curve, n, filled))
    n = size_of(n, "n")
    if results is None:
        results = Vector(context, curve, _measure(curve, 0, filled).batch, VectorKind.POINTS)
    results = instance_of(Vector, results, "the vector of results")
    context._call(lib.sumac_msm_vectors, bases._take(), scalars._take(), first, n, filled.pointer, results._take(),
                  size_of(result_first, "result_first"))
    return results
