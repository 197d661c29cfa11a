# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has pairing checks, which say whether a product of pairings is one, and the value of such a product."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from ._buffers import Memory, records_of, result_array
from ._interface import Check
from ._library import enum_of, ffi, lib, name_of
from .contexts import Context, Made, as_context
from .curves import Curve, as_curve, curve_of
from .errors import BadLength

if TYPE_CHECKING:
    import numpy


def groups_of(given: Union[Curve, str]) -> Tuple[Curve, Curve]:
    """Return both groups of a curve. If the library lacks one of them, return the given group in its place, which the library
    then refuses."""
    first = as_curve(given)
    found = ffi.new("const sumac_group **")
    name = name_of(first.name, "the curve")
    g1 = curve_of(found[0]) if lib.sumac_group_find(name, b"g1", found) == 0 else first
    g2 = curve_of(found[0]) if lib.sumac_group_find(name, b"g2", found) == 0 else first
    return g1 or first, g2 or first


def _pairs(g1: Curve, g1_points: Any, g2: Curve, g2_points: Any, prepared: int = 0) -> Tuple[Memory, Memory, int]:
    first, n = records_of(g1._packed(g1_points), g1.point_bytes, "points of the first group")
    second, others = records_of(g2._packed(g2_points), g2.point_bytes, "points of the second group")
    if others + prepared != n:
        raise BadLength(f"there are {n} points of the first group, and {others + prepared} of the second")
    return first, second, n


def pairing_check(context: Context, curve: Union[Curve, str], g1_points: Any, g2_points: Any,
                  check: Union[Check, str] = Check.SUBGROUP) -> bool:
    """Check that e(P_0, Q_0) * e(P_1, Q_1) * .. = 1, for points of the curve's two groups. If the check is less than "subgroup"
    and a point lies outside its subgroup, the answer has no meaning.

    >>> G, H = sumac.curve("bn254").generator(), sumac.curve("bn254", "g2").generator()
    >>> minus = sumac.msm("bn254", [G], [G.curve.order - 1])
    >>> sumac.pairing_check(sumac.Context(), "bn254", [G, minus], [H, H])
    True
    """
    context = as_context(context)
    g1, g2 = groups_of(curve)
    first, second, n = _pairs(g1, g1_points, g2, g2_points)
    ok = ffi.new("int *")
    context._call(lib.sumac_pairing_check, g1._pointer, first.pointer, first.bytes, second.pointer, second.bytes, n,
                  enum_of(Check, check, "check"), ok)
    return bool(ok[0])


def pairing_value(context: Context, curve: Union[Curve, str], g1_points: Any, g2_points: Any,
                  check: Union[Check, str] = Check.SUBGROUP) -> numpy.ndarray:
    """Return the bytes of e(P_0, Q_0) * e(P_1, Q_1) * .., of which pairing_check() says only whether it is one. The value has twelve
    integers of `field_bytes` bytes, and six for bw6-761. The function sumac_pairing_value() of sumac/experimental.h says which
    they are. If there are no points, the value is one.

    >>> G, H = sumac.curve("bn254").generator(), sumac.curve("bn254", "g2").generator()
    >>> minus = sumac.msm("bn254", [G], [G.curve.order - 1])
    >>> value = sumac.pairing_value(sumac.Context(), "bn254", [G, minus], [H, H])
    >>> int.from_bytes(value.tobytes(), "little")
    1
    """
    context = as_context(context)
    g1, g2 = groups_of(curve)
    first, second, n = _pairs(g1, g1_points, g2, g2_points)
    value, pointer = result_array(((6 if g1.point_bytes == g2.point_bytes else 12) * g1.field_bytes,))
    context._call(lib.sumac_pairing_value, g1._pointer, first.pointer, first.bytes, second.pointer, second.bytes, n,
                  enum_of(Check, check, "check"), pointer, value.nbytes)
    return value


class PairingPoints(Made):
    """Points of the second group, prepared for use in many pairing checks."""

    _what = "prepared points"

    def __init__(self, context: Context, curve: Union[Curve, str], g2_points: Any, check: Union[Check, str] = Check.SUBGROUP):
        context = as_context(context)
        self._g1, self._g2 = groups_of(curve)
        memory, self._n = records_of(self._g2._packed(g2_points), self._g2.point_bytes, "points of the second group")
        self._adopt(context, context._make("sumac_pairing_points", lib.sumac_pairing_points_create, self._g2._pointer, memory.pointer,
                                           memory.bytes, self._n, enum_of(Check, check, "check")), lib.sumac_pairing_points_destroy)

    def __len__(self) -> int:
        return self._n

    def check(self, g1_points: Any, g2_points: Any = b"", check: Union[Check, str] = Check.SUBGROUP, *,
              context: Optional[Context] = None) -> bool:
        """Run pairing_check() with the prepared points in the first pairs. `g2_points` are those of the other pairs."""
        first, second, n = _pairs(self._g1, g1_points, self._g2, g2_points, self._n)
        return self._ask(context, lib.sumac_pairing_check_prepared, first.pointer, first.bytes, second.pointer, second.bytes, n,
                         enum_of(Check, check, "check"))
