# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has KZG over any curve: commitments to polynomials, openings, and all openings at once by FK20. An SRS is
ordinary Bases."""
from __future__ import annotations

from typing import Any, Optional, Tuple, Union

from ._buffers import records_of
from ._interface import Order, VectorKind
from ._library import enum_of, ffi, instance_of, integer_of, lib, path_of, size_of, sized
from .bases import Bases, Path
from .contexts import Context, Made, as_context, context_of
from .curves import Curve
from .errors import BadLength
from .pairings import groups_of
from .vectors import Vector


def _count(polynomials: Vector, n: int) -> int:
    if n <= 0 or len(polynomials) % n:
        raise BadLength(f"the vector has {len(polynomials)} scalars, which are no polynomials of {n}")
    return len(polynomials) // n


def _polynomials(srs: Any, polynomials: Any) -> Tuple[Bases, Vector]:
    return instance_of(Bases, srs, "the SRS"), instance_of(Vector, polynomials, "the vector of polynomials")


def srs_commit(srs: Bases, polynomials: Vector, n: Optional[int] = None, *, context: Optional[Context] = None) -> Vector:
    """Commit to concatenated polynomials of n coefficients each. If n is None, there is one polynomial. Return a vector of
    points."""
    srs, polynomials = _polynomials(srs, polynomials)
    context, n = context_of(context, srs._context), len(polynomials) if n is None else size_of(n, "n")
    commitments = Vector(context, srs.curve, _count(polynomials, n), VectorKind.POINTS)
    context._call(lib.sumac_srs_commit, srs._take(), polynomials._take(), n, commitments._take())
    return commitments


def srs_open(srs: Bases, polynomials: Vector, evaluation_points: Vector, n: Optional[int] = None, *,
             context: Optional[Context] = None) -> Tuple[Vector, Vector]:
    """Open each polynomial at its evaluation point. Return the values, a vector of scalars, and the proofs, a vector of
    points."""
    srs, polynomials = _polynomials(srs, polynomials)
    evaluation_points = instance_of(Vector, evaluation_points, "the vector of evaluation points")
    context, n = context_of(context, srs._context), len(polynomials) if n is None else size_of(n, "n")
    count = _count(polynomials, n)
    values = Vector(context, polynomials.curve, count)
    proofs = Vector(context, srs.curve, count, VectorKind.POINTS)
    context._call(lib.sumac_srs_open, srs._take(), polynomials._take(), n, evaluation_points._take(), values._take(),
                  proofs._take())
    return values, proofs


def srs_verify(curve: Union[Curve, str], g1_point: Any, g2_points: Any, commitments: Vector, evaluation_points: Vector,
               values: Vector, proofs: Vector, *, context: Optional[Context] = None) -> bool:
    """Verify openings. Return whether the proofs show that each committed polynomial has its value at its evaluation point. The
    points of the SRS are raw and must come from a trusted source: `g1_point` is the generator of the SRS, and `g2_points` are
    the second group's generator and s times this generator."""
    g1, g2 = groups_of(curve)
    first, _ = records_of(g1._packed(g1_point), g1.point_bytes, "points of the first group", count=1)
    second, _ = records_of(g2._packed(g2_points), g2.point_bytes, "points of the second group", count=2)
    vectors = [instance_of(Vector, vector, f"the vector of {what}") for vector, what in (
        (commitments, "commitments"), (evaluation_points, "evaluation points"), (values, "values"), (proofs, "proofs"))]
    ok = ffi.new("int *")
    context_of(context, vectors[0]._context)._call(lib.sumac_srs_verify, g1._pointer, first.pointer, g1.point_bytes,
                                                   second.pointer, 2 * g2.point_bytes,
                                                   *(vector._take() for vector in vectors), ok)
    return bool(ok[0])


class Fk20(Made):
    """The tables for computing all openings of polynomials of n coefficients, in cells of cell_elements values. They are a
    transformed SRS with multiples."""

    _what = "FK20 tables"

    def __init__(self, context: Context, srs: Bases, n: int, cell_elements: int = 1, table_bytes: int = 0):
        context, srs = as_context(context), instance_of(Bases, srs, "the SRS")
        self._curve = srs.curve
        self._hold(context, context._make("sumac_fk20", lib.sumac_fk20_create, srs._take(), size_of(n, "n"),
                                          size_of(cell_elements, "cell_elements"),
                                          integer_of("uint64_t", table_bytes, "table_bytes")))

    def _hold(self, context: Context, pointer: Any) -> None:
        self._adopt(context, pointer, lib.sumac_fk20_destroy)
        self._info = sized("sumac_fk20_info")
        status = lib.sumac_fk20_describe(pointer, self._info)
        assert status == 0, status

    @classmethod
    def open(cls, context: Context, srs: Bases, n: int, cell_elements: int, path: Path) -> Fk20:
        """Open a file that save() wrote for this SRS. Its points are not checked, so the file must be trusted."""
        context, srs = as_context(context), instance_of(Bases, srs, "the SRS")
        fk20 = cls.__new__(cls)
        fk20._curve = srs.curve
        fk20._hold(context, context._make("sumac_fk20", lib.sumac_fk20_open, srs._take(), size_of(n, "n"),
                                          size_of(cell_elements, "cell_elements"), path_of(path)))
        return fk20

    @property
    def n(self) -> int:
        """Return the number of coefficients of a polynomial."""
        return int(self._info.n)

    @property
    def cell_elements(self) -> int:
        """Return the number of elements of a cell."""
        return int(self._info.cell_elements)

    @property
    def table_bytes(self) -> int:
        """Return the size in bytes of the points and multiples on a device."""
        return int(self._info.table_bytes)

    def prove(self, polynomials: Vector, rate: int = 1, order: Union[Order, str] = Order.NATURAL, *,
              context: Optional[Context] = None) -> Vector:
        """Compute the proofs of all cells of polynomials on a domain of rate*n evaluation points. Return rate*n/cell_elements
        points for each polynomial."""
        context, rate = context_of(context, self._context), size_of(rate, "rate")
        count = _count(instance_of(Vector, polynomials, "the vector of polynomials"), self.n)
        proofs = Vector(context, self._curve, count * (rate * self.n // self.cell_elements), VectorKind.POINTS)
        context._call(lib.sumac_fk20_prove, self._take(), polynomials._take(), rate, enum_of(Order, order, "order"),
                      proofs._take())
        return proofs

    def save(self, path: Path, *, context: Optional[Context] = None) -> None:
        """Save the tables to a file, with the multiples."""
        self._do(context, lib.sumac_fk20_save, path_of(path))


