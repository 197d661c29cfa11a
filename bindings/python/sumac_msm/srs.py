# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has KZG over any curve: commitments to polynomials, openings, and all openings at once by FK20. An SRS is
ordinary Bases."""
from __future__ import annotations

from typing import Any, Optional, Tuple, Union

from ._buffers import host_memory, records_of
from ._interface import Order, VectorKind
from ._library import enum_of, ffi, instance_of, integer_of, lib, name_of, path_of, size_of, sized
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


def challenge(context: Context, curve: Union[Curve, str], transcript: Any, hash: str = "keccak256") -> int:
    """Return a challenge by Fiat and Shamir (experimental): the hash of a transcript, which is bytes, as a big-endian integer modulo the
    order of the curve's groups. The hash is "keccak256", which is Ethereum's, or "sha256".

    >>> hex(sumac.challenge(sumac.Context(), "bn254", b"abc", "sha256"))
    '0x294b2b66eb6cef6d18506fbad92a190c3767a8ca28eb28e8e86b1ea6220015aa'
    """
    context, (g1, _) = as_context(context), groups_of(curve)
    given = host_memory(transcript, "the transcript's bytes")
    raw = ffi.new("uint8_t[]", g1.scalar_bytes)
    context._call(lib.sumac_challenge, g1._pointer, name_of(hash, "the hash"), given.pointer, given.bytes, raw, g1.scalar_bytes)
    return int.from_bytes(ffi.buffer(raw), "little")


def _opened(opened: Any, polynomials: int, points: int) -> Tuple[Any, int]:
    """Return the address and the length of a row of bytes for each polynomial."""
    if opened is None:
        return ffi.NULL, 0
    try:
        flags = bytes(bool(flag) for row in opened for flag in row)
    except TypeError:
        raise TypeError("opened must have a list of flags for each polynomial, or be None") from None
    if len(flags) != polynomials * points:
        raise BadLength(f"opened has {len(flags)} flags, and must have {points} for each of {polynomials} polynomials")
    return ffi.from_buffer(flags), len(flags)


def shplonk_quotient(srs: Bases, polynomials: Vector, points: Vector, opened: Any, factors: Vector, n: Optional[int] = None, *,
                     context: Optional[Context] = None) -> Tuple[Vector, Vector]:
    """Open polynomials of n coefficients each at several points (experimental): this is the first of three calls, which
    sumac/experimental.h describes. `opened` has a list for each polynomial, which says at which of the points it is opened; None: at
    all. Return the quotient's coefficients, for shplonk_open(), and its commitment, the first point of the proof."""
    srs, polynomials = _polynomials(srs, polynomials)
    points, factors = instance_of(Vector, points, "the vector of points"), instance_of(Vector, factors, "the vector of factors")
    context, n = context_of(context, srs._context), len(polynomials) if n is None else size_of(n, "n")
    flags, count = _opened(opened, _count(polynomials, n), len(points))
    quotient, commitment = Vector(context, srs.curve, n), Vector(context, srs.curve, 1, VectorKind.POINTS)
    context._call(lib.sumac_shplonk_quotient, srs._take(), polynomials._take(), n, points._take(), flags, count, factors._take(),
                  quotient._take(), commitment._take())
    return quotient, commitment


def shplonk_open(srs: Bases, polynomials: Vector, points: Vector, opened: Any, factors: Vector, quotient: Vector,
                 evaluation_point: Vector, *, context: Optional[Context] = None) -> Vector:
    """Return the second point of the proof that shplonk_quotient() began (experimental). `evaluation_point` is a vector of one
    scalar."""
    srs, polynomials = _polynomials(srs, polynomials)
    points, factors, quotient, evaluation_point = (instance_of(Vector, vector, f"the vector of {what}") for vector, what in (
        (points, "points"), (factors, "factors"), (quotient, "the quotient"), (evaluation_point, "the evaluation point")))
    context, n = context_of(context, srs._context), len(quotient)
    flags, count = _opened(opened, _count(polynomials, n), len(points))
    proof = Vector(context, srs.curve, 1, VectorKind.POINTS)
    context._call(lib.sumac_shplonk_open, srs._take(), polynomials._take(), n, points._take(), flags, count, factors._take(),
                  quotient._take(), evaluation_point._take(), proof._take())
    return proof


def shplonk_verify(curve: Union[Curve, str], g1_point: Any, g2_points: Any, commitments: Vector, points: Vector, opened: Any,
                   values: Vector, factors: Vector, evaluation_point: Vector, proof: Vector, *,
                   context: Optional[Context] = None) -> bool:
    """Verify a proof of shplonk_quotient() and shplonk_open() (experimental): return whether each committed polynomial has its values
    at the points at which it is opened. `values` has a row of scalars for each polynomial, and `proof` two points. The points of the
    SRS are as for srs_verify()."""
    g1, g2 = groups_of(curve)
    first, _ = records_of(g1._packed(g1_point), g1.point_bytes, "points of the first group", count=1)
    second, _ = records_of(g2._packed(g2_points), g2.point_bytes, "points of the second group", count=2)
    commitments, points, *others = (instance_of(Vector, vector, f"the vector of {what}") for vector, what in (
        (commitments, "commitments"), (points, "points"), (values, "values"), (factors, "factors"),
        (evaluation_point, "the evaluation point"), (proof, "the proof")))
    flags, count = _opened(opened, len(commitments), len(points))
    ok = ffi.new("int *")
    context_of(context, commitments._context)._call(
        lib.sumac_shplonk_verify, g1._pointer, first.pointer, g1.point_bytes, second.pointer, 2 * g2.point_bytes, commitments._take(),
        points._take(), flags, count, *(vector._take() for vector in others), ok)
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


