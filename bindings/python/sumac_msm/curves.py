# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The registry of curves and groups, and of the formats of points."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Union

from ._buffers import array_over, host_memory, integer_bytes, result_array
from ._library import ffi, integer_of, lib, name_of, text
from .errors import BadArgument, BadLength, error_of

if TYPE_CHECKING:
    import numpy

Coordinate = Union[int, Tuple[int, int]]


class Curve:
    """A curve and group of the registry, which `curve("bls12-381", "g1")` finds. It is a constant: never closed, equal to itself.

    A raw point is x then y, `field_bytes` each, little-endian; over Fp2 c0 then c1; infinity is all zero bytes. A raw scalar
    is `scalar_bytes`, little-endian.
    """

    name: str
    group: str
    #: Bits of p, and bytes of one element of Fp.
    field_bits: int
    field_bytes: int
    #: Coordinates lie in Fp (1) or Fp2 (2).
    degree: int
    #: Bits of r, and bytes of a raw scalar.
    scalar_bits: int
    scalar_bytes: int
    #: Bytes of a raw point.
    point_bytes: int
    #: True if every point of the curve lies in the subgroup.
    cofactor_is_one: bool
    #: p and r.
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

    def generator(self) -> numpy.ndarray:
        """The generator of the subgroup, a raw point."""
        point, pointer = result_array((self.point_bytes,))
        status = lib.sumac_group_generator(self._pointer, pointer, self.point_bytes)
        assert status == 0, status
        return point

    def coordinates(self, point: Any) -> Optional[Tuple[Coordinate, Coordinate]]:
        """Return x and y of a raw canonical point; None for infinity. Over Fp2 each is a pair."""
        memory = host_memory(point, "the bytes of a point")
        if memory.bytes != self.point_bytes:
            raise BadLength(f"a point of {self.name} {self.group} has {self.point_bytes} bytes, and this has {memory.bytes}")
        data, size = bytes(ffi.buffer(memory.pointer, memory.bytes)), self.field_bytes
        if not any(data):
            return None
        parts = [int.from_bytes(data[i:i + size], "little") for i in range(0, len(data), size)]
        if self.degree == 1:
            return parts[0], parts[1]
        return (parts[0], parts[1]), (parts[2], parts[3])

    def point(self, x: Coordinate, y: Coordinate) -> bytes:
        """Make a raw point of two coordinates. It may lie off the curve, which is checked when bases are made of it."""
        parts = [x, y]
        if self.degree == 2:
            if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in (x, y)):
                raise TypeError(f"coordinates of {self.name} {self.group} are pairs of integers")
            parts = [*x, *y]  # type: ignore[misc]
        packed = integer_bytes(parts, self.field_bytes, "coordinates")
        size = self.field_bytes
        if any(int.from_bytes(packed[i:i + size], "little") >= self.modulus for i in range(0, len(packed), size)):
            raise BadArgument("a coordinate is not less than p")
        return packed

    def scalars(self, values: Any) -> numpy.ndarray:
        """Convert Python's integers to raw scalars: an array of len(values) rows of scalar_bytes."""
        packed = integer_bytes(values, self.scalar_bytes, "scalars")
        return array_over(bytearray(packed), (len(packed) // self.scalar_bytes, self.scalar_bytes))

    def root_of_unity(self, log2: int) -> int:
        """Return the root of unity of order 2^log2 that transforms use.

        Raises NotSupported if the scalar field has no such root."""
        root, pointer = result_array((self.scalar_bytes,))
        status = lib.sumac_root_of_unity(self._pointer, integer_of("uint32_t", log2, "log2"), pointer, self.scalar_bytes)
        if status:
            raise error_of(status, f"there is no root of unity of order 2^{log2} in the scalar field of {self.name}")
        return int.from_bytes(root.tobytes(), "little")

    def __repr__(self) -> str:
        return f"<sumac.Curve {self.name} {self.group}>"

    def __reduce__(self) -> Any:
        return curve, (self.name, self.group)


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
    """Find a curve by name and group, for example ("bls12-381", "g2"). Case, hyphens and underscores do not matter.

    Raises UnknownCurve."""
    found = ffi.new("const sumac_group **")
    status = lib.sumac_group_find(name_of(name, "the curve"), name_of(group, "the group"), found)
    if status:
        raise error_of(status, f"there is no curve {name} {group}; there are {', '.join(f'{c.name} {c.group}' for c in curves())}")
    return curve_of(found[0])  # type: ignore[return-value]


def as_curve(given: Any) -> Curve:
    """Return the given curve, or find a name's first group."""
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
    """Return all formats that bases are read from and saved in."""
    rows = (lib.sumac_format_at(i) for i in range(lib.sumac_format_count()))
    return [Format(text(r.name), text(r.description), bool(r.can_read), bool(r.can_write)) for r in rows]
