# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has the registry of curves and groups, and of the formats of points."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Union

from ._buffers import array_over, host_memory, integer_bytes, result_array
from ._library import ffi, integer_of, lib, name_of, text
from .errors import BadArgument, BadLength, Mismatch, error_of

if TYPE_CHECKING:
    import numpy

Coordinate = Union[int, Tuple[int, int]]


class Curve:
    """One of the two groups of a curve, which `curve("bls12-381", "g1")` finds. It is a constant: it is never closed, and there
    is one object for each group.

    A raw point is x followed by y. A coordinate has `field_bytes` bytes, little-endian; over Fp2 it is c0 followed by c1.
    Infinity is all zero bytes. A raw scalar has `scalar_bytes` bytes, little-endian.
    """

    name: str
    group: str
    #: The number of bits of p, and the number of bytes of one element of Fp.
    field_bits: int
    field_bytes: int
    #: 1 if coordinates lie in Fp, and 2 if they lie in Fp2.
    degree: int
    #: The number of bits of r, and the number of bytes of a raw scalar.
    scalar_bits: int
    scalar_bytes: int
    #: The number of bytes of a raw point.
    point_bytes: int
    #: True if every point of the curve lies in the subgroup.
    cofactor_is_one: bool
    #: The primes p and r.
    modulus: int
    order: int

    def __init__(self, pointer: Any):
        if not isinstance(pointer, ffi.CData):
            raise TypeError("a Curve is found by curve(), and not made by its caller")
        self._pointer = pointer
        self.name, self.group = text(pointer.curve), text(pointer.name)
        for name in ("field_bits", "field_bytes", "degree", "scalar_bits", "scalar_bytes", "point_bytes"):
            setattr(self, name, getattr(pointer, name))
        self.cofactor_is_one = bool(pointer.cofactor_is_one)
        self.modulus = int.from_bytes(ffi.buffer(pointer.modulus, self.field_bytes), "little")
        self.order = int.from_bytes(ffi.buffer(pointer.order, self.scalar_bytes), "little")

    def generator(self) -> Point:
        """Return the generator of the subgroup.

        >>> curve("bn254").generator()
        Point(bn254 g1, 0x1, 0x2)
        """
        point, pointer = result_array((self.point_bytes,))
        status = lib.sumac_group_generator(self._pointer, pointer, self.point_bytes)
        assert status == 0, status
        return Point(self, point)

    def infinity(self) -> Point:
        """Return the point at infinity, which is the sum of no points."""
        return Point(self, bytes(self.point_bytes))

    def point(self, x: Coordinate, y: Coordinate) -> Point:
        """Make a point from two coordinates. It may lie off the curve, which is checked when bases are made of it.

        >>> curve("bn254").point(1, 2) == curve("bn254").generator()
        True
        """
        parts = [x, y]
        if self.degree == 2:
            if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in (x, y)):
                raise TypeError(f"coordinates of {self.name} {self.group} are pairs of integers")
            parts = [*x, *y]  # type: ignore[misc]
        packed = integer_bytes(parts, self.field_bytes, "coordinates")
        size = self.field_bytes
        if any(int.from_bytes(packed[i:i + size], "little") >= self.modulus for i in range(0, len(packed), size)):
            raise BadArgument("a coordinate is not less than p")
        return Point(self, packed)

    def _packed(self, points: Any) -> Any:
        """Convert a list to raw points, and return anything else unchanged. The list has points, pairs of coordinates, and None
        for infinity."""
        if isinstance(points, Point):
            points = [points]
        if not isinstance(points, (list, tuple)):
            return points
        return b"".join(self._point_of(point) for point in points)

    def _point_of(self, given: Any) -> Point:
        if isinstance(given, Point) and given.curve is not self:
            raise Mismatch(f"a point is one of {given.curve.name} {given.curve.group}, and not of {self.name} {self.group}")
        if given is None:
            return self.infinity()
        if isinstance(given, (list, tuple)):
            if len(given) != 2:
                raise BadLength(f"a point has 2 coordinates, and this has {len(given)}")
            return self.point(*given)
        return Point(self, given)

    def scalars(self, values: Any) -> numpy.ndarray:
        """Convert Python's integers to raw scalars. Return an array of len(values) rows of scalar_bytes bytes.

        >>> len(curve("bn254").scalars([1, 2])), bytes(curve("bn254").scalars([258])).hex()[:8]
        (2, '02010000')
        """
        packed = integer_bytes(values, self.scalar_bytes, "scalars")
        return array_over(bytearray(packed), (len(packed) // self.scalar_bytes, self.scalar_bytes))

    def root_of_unity(self, log2: int) -> int:
        """Return the root of unity of order 2^log2 that transforms use.

        Raises NotSupported if the scalar field has no such root.

        >>> bn254 = curve("bn254")
        >>> bn254.root_of_unity(1) == bn254.order - 1
        True
        """
        root, pointer = result_array((self.scalar_bytes,))
        status = lib.sumac_root_of_unity(self._pointer, integer_of("uint32_t", log2, "log2"), pointer, self.scalar_bytes)
        if status:
            raise error_of(status, f"there is no root of unity of order 2^{log2} in the scalar field of {self.name}")
        return int.from_bytes(root.tobytes(), "little")

    def __repr__(self) -> str:
        return f"<sumac.Curve {self.name} {self.group}>"

    def __reduce__(self) -> Any:
        return curve, (self.name, self.group)


class Point(bytes):
    """A point of a curve's group. It consists of the bytes of the raw point, which all calls accept, and also has the
    coordinates.

    >>> point = curve("bn254").point(1, 2)
    >>> point.x, point.y, point.curve.group
    (1, 2, 'g1')
    >>> point == Point(curve("bn254"), bytes(point)), point == curve("bn254").infinity()
    (True, False)
    >>> curve("bn254").infinity()
    Point(bn254 g1, infinity)
    """

    curve: Curve

    def __new__(cls, curve: Curve, raw: Any) -> Point:
        """Make a point from a raw canonical point, which may lie off the curve."""
        memory = host_memory(raw, "the bytes of a point")
        if memory.bytes != curve.point_bytes:
            raise BadLength(f"a point of {curve.name} {curve.group} has {curve.point_bytes} bytes, and this has {memory.bytes}")
        point = super().__new__(cls, ffi.buffer(memory.pointer, memory.bytes))
        point.curve = curve
        return point

    @property
    def is_infinity(self) -> bool:
        """Say whether this is the point at infinity, which has no coordinates."""
        return not any(self)

    @property
    def x(self) -> Optional[Coordinate]:
        """Return the first coordinate. Over Fp2 it is a pair. For infinity it is None."""
        return self._coordinate(0)

    @property
    def y(self) -> Optional[Coordinate]:
        """Return the second coordinate. Over Fp2 it is a pair. For infinity it is None."""
        return self._coordinate(len(self) // 2)

    def _coordinate(self, start: int) -> Optional[Coordinate]:
        if self.is_infinity:
            return None
        size = self.curve.field_bytes
        parts = [int.from_bytes(self[i:i + size], "little") for i in range(start, start + len(self) // 2, size)]
        return parts[0] if self.curve.degree == 1 else (parts[0], parts[1])

    def __eq__(self, other: object) -> bool:
        """Compare with a point or with bytes. Equal points have the same group. Bytes are compared with the raw point."""
        return bytes.__eq__(self, other) and (not isinstance(other, Point) or self.curve is other.curve)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = bytes.__hash__

    def __repr__(self) -> str:
        def text_of(c: Any) -> str:
            return f"({c[0]:#x}, {c[1]:#x})" if isinstance(c, tuple) else f"{c:#x}"

        where = "infinity" if self.is_infinity else f"{text_of(self.x)}, {text_of(self.y)}"
        return f"Point({self.curve.name} {self.curve.group}, {where})"

    __str__ = __repr__

    def __reduce__(self) -> Any:
        return Point, (self.curve, bytes(self))


_curves: Dict[int, Curve] = {}


def curve_of(pointer: Any) -> Optional[Curve]:
    """Return the only object that stands for a curve of the library."""
    if pointer == ffi.NULL:
        return None
    key = int(ffi.cast("uintptr_t", pointer))
    return _curves.setdefault(key, _curves.get(key) or Curve(pointer))


def curves() -> List[Curve]:
    """Return all curves and groups of the library."""
    return [curve_of(lib.sumac_group_at(i)) for i in range(lib.sumac_group_count())]  # type: ignore[misc]


def curve(name: str, group: str = "g1") -> Curve:
    """Find a curve by its name and group. Case, hyphens and underscores do not matter.

    Raises UnknownCurve, whose sentence lists the curves of the library. A library may be built with only some of them.

    >>> curve("BN254", "g1")
    <sumac.Curve bn254 g1>
    """
    found = ffi.new("const sumac_group **")
    status = lib.sumac_group_find(name_of(name, "the curve"), name_of(group, "the group"), found)
    if status:
        raise error_of(status, f"this build of the library has no curve {name} {group}; it has "
                       f"{', '.join(f'{c.name} {c.group}' for c in curves())}")
    return curve_of(found[0])  # type: ignore[return-value]


def as_curve(given: Any) -> Curve:
    """Return the given curve. If it is a name, find the first group of the curve."""
    if isinstance(given, Curve):
        return given
    if isinstance(given, str):
        return curve(given)
    raise TypeError(f"the curve is of type {type(given).__name__}, and must be a Curve or a name")


class Format(NamedTuple):
    """A format of points, in files and in memory."""

    name: str
    description: str
    can_read: bool
    can_write: bool


def formats() -> List[Format]:
    """Return all formats in which bases can be read or saved."""
    rows = (lib.sumac_format_at(i) for i in range(lib.sumac_format_count()))
    return [Format(text(r.name), text(r.description), bool(r.can_read), bool(r.can_write)) for r in rows]
