# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has KZG for Ethereum's blobs and cells (EIP-4844, EIP-7594), as the consensus specification defines it.

Blobs, cells, commitments, proofs and elements are bytes or arrays of bytes, in which any number of them are concatenated. They
can also be lists of bytes, which are joined into a copy. Results are arrays with a row for each item.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Tuple

from . import _interface
from ._buffers import cast, numbers_of, records_of, result_array
from ._interface import KzgOptions
from ._library import Options, ffi, lib, path_of
from .bases import Path
from .contexts import Context, Made, as_context
from .errors import BadLength, Mismatch

if TYPE_CHECKING:
    import numpy
    from typing_extensions import Unpack

_BLOB, _CELL, _CELLS = _interface.KZG_BLOB_BYTES, _interface.KZG_CELL_BYTES, _interface.KZG_CELLS
# Each kind of record has a name for messages, a type of the library, and a size in bytes.
_BLOBS, _CELLS_OF = ("blobs", "sumac_blob", _BLOB), ("cells", "sumac_cell", _CELL)
_COMMITMENTS, _PROOFS = ("commitments", "sumac_bytes48", 48), ("proofs", "sumac_bytes48", 48)
_ZS, _YS = ("places", "sumac_bytes32", 32), ("values", "sumac_bytes32", 32)


class _Input:
    """A caller's records of one of these kinds."""

    def __init__(self, value: Any, kind: Tuple[str, str, int], count: Optional[int] = None):
        what, type_name, size = kind
        self.memory, self.count = records_of(value, size, what)
        if count is not None and self.count != count:
            raise BadLength(f"there are {self.count} {what}, and must be {count}")
        self.pointer = cast(self.memory, type_name)


def _output(kind: Tuple[str, str, int], *shape: int) -> Tuple[numpy.ndarray, Any]:
    array, pointer = result_array((*shape, kind[2]))
    return array, ffi.cast(kind[1] + " *", pointer)


def _wanted(kind: Tuple[str, str, int], count: int, is_wanted: bool) -> Tuple[Any, Any]:
    """Make an output of `count` rows, each of which has a record for each cell of a blob. If it is not wanted, return None and
    null."""
    return _output(kind, count, _CELLS) if is_wanted else (None, ffi.NULL)


class KzgSetup(Made):
    """A trusted setup with its derived tables. It is immutable. Threads can share it, but each thread needs its own context."""

    _what = "setup"

    def __init__(self, context: Context, g1_monomial: Any, g1_lagrange: Any, g2_monomial: Any, **options: Unpack[KzgOptions]):
        """Make a setup of 4096, 4096 and 65 compressed points, in the order of trusted_setup.txt. The options are fields of
        sumac_kzg_config: `cells=1` derives the tables for proofs of cells."""
        context = as_context(context)
        monomial = _Input(g1_monomial, ("points", "sumac_bytes48", 48))
        lagrange = _Input(g1_lagrange, ("points", "sumac_bytes48", 48))
        second = _Input(g2_monomial, ("points", "sumac_bytes96", 96))
        self._adopt(context, context._make(
            "sumac_kzg_setup", lib.sumac_kzg_create, monomial.pointer, monomial.count, lagrange.pointer, lagrange.count,
            second.pointer, second.count, Options("sumac_kzg_config", dict(options)).pointer), lib.sumac_kzg_destroy)

    @classmethod
    def open(cls, context: Context, path: Path, **options: Unpack[KzgOptions]) -> KzgSetup:
        """Open trusted_setup.txt, or a file that save() wrote, whose tables are also read. The options are those of
        KzgSetup()."""
        context = as_context(context)
        setup = cls.__new__(cls)
        setup._adopt(context, context._make("sumac_kzg_setup", lib.sumac_kzg_open, path_of(path),
                                            Options("sumac_kzg_config", dict(options)).pointer), lib.sumac_kzg_destroy)
        return setup

    def save(self, path: Path, *, context: Optional[Context] = None) -> None:
        """Save the setup to a file, with its tables."""
        self._do(context, lib.sumac_kzg_save, path_of(path))

    @property
    def table_bytes(self) -> int:
        """Return the size in bytes of the tables for proofs of cells, on one device. If the setup has no tables, return 0."""
        return int(lib.sumac_kzg_table_bytes(self._take().pointer))

    # ---- Blobs ----

    def commit(self, blobs: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """Run blob_to_kzg_commitment for each blob."""
        given = _Input(blobs, _BLOBS)
        array, pointer = _output(_COMMITMENTS, given.count)
        self._do(context, lib.sumac_kzg_commit, given.pointer, given.count, pointer)
        return array

    def compute_proof(self, blobs: Any, zs: Any, *, context: Optional[Context] = None) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """Run compute_kzg_proof for each blob at its evaluation point. Return the proofs and the values."""
        given = _Input(blobs, _BLOBS)
        places = _Input(zs, _ZS, given.count)
        proofs, proofs_pointer = _output(_PROOFS, given.count)
        ys, ys_pointer = _output(_YS, given.count)
        self._do(context, lib.sumac_kzg_compute_proof, given.pointer, places.pointer, given.count, proofs_pointer, ys_pointer)
        return proofs, ys

    def compute_blob_proof(self, blobs: Any, commitments: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """Run compute_blob_kzg_proof for each blob."""
        given = _Input(blobs, _BLOBS)
        known = _Input(commitments, _COMMITMENTS, given.count)
        proofs, pointer = _output(_PROOFS, given.count)
        self._do(context, lib.sumac_kzg_compute_blob_proof, given.pointer, known.pointer, given.count, pointer)
        return proofs

    def verify_proof(self, commitments: Any, zs: Any, ys: Any, proofs: Any, *, context: Optional[Context] = None) -> bool:
        """Run verify_kzg_proof for one or more proofs. Return whether all of them are valid."""
        known = _Input(commitments, _COMMITMENTS)
        places, values, given = (_Input(v, k, known.count) for v, k in ((zs, _ZS), (ys, _YS), (proofs, _PROOFS)))
        return self._ask(context, lib.sumac_kzg_verify_proof, known.pointer, places.pointer, values.pointer, given.pointer,
                         known.count)

    def verify_blob_proof(self, blobs: Any, commitments: Any, proofs: Any, *, context: Optional[Context] = None) -> bool:
        """Run verify_blob_kzg_proof for one or more blobs. Return whether all of them belong to their commitments."""
        given = _Input(blobs, _BLOBS)
        known, proved = _Input(commitments, _COMMITMENTS, given.count), _Input(proofs, _PROOFS, given.count)
        return self._ask(context, lib.sumac_kzg_verify_blob_proof, given.pointer, known.pointer, proved.pointer, given.count)

    # ---- Cells ----

    def compute_cells(self, blobs: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """Run compute_cells for each blob. Return an array of shape (blobs, 128, 2048)."""
        return self._compute(context, blobs, True, False)[0]

    def compute_cells_and_proofs(self, blobs: Any, *, context: Optional[Context] = None) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """Run compute_cells_and_kzg_proofs for each blob. The setup needs its tables."""
        return self._compute(context, blobs, True, True)

    def compute_cell_proofs(self, blobs: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """Compute the same proofs as compute_cells_and_proofs(), without the cells."""
        return self._compute(context, blobs, False, True)[1]

    def _compute(self, context: Optional[Context], blobs: Any, cells: bool, proofs: bool) -> Tuple[Any, Any]:
        given = _Input(blobs, _BLOBS)
        made, made_pointer = _wanted(_CELLS_OF, given.count, cells)
        proved, proved_pointer = _wanted(_PROOFS, given.count, proofs)
        self._do(context, lib.sumac_kzg_cells, given.pointer, given.count, made_pointer, proved_pointer)
        return made, proved

    def recover_cells_and_proofs(self, cell_indices: Any, cells: Any, *, proofs: bool = True, checked: bool = True,
                                 context: Optional[Context] = None) -> Tuple[numpy.ndarray, Optional[numpy.ndarray]]:
        """Run recover_cells_and_kzg_proofs for blobs whose given cells all have the same indices. At least half of the cells
        must be given. Return all cells and, with `proofs`, their proofs, for which the setup needs its tables.

        With `checked` the recovered cells are compared with the given ones, which the specification does not do. If they
        differ, this raises Mismatch, and the error has a `blob` and a `cell`."""
        indices, indices_count = numbers_of(cell_indices, "cell_indices")
        given = _Input(cells, _CELLS_OF)
        if indices_count == 0 or given.count % indices_count:
            raise BadLength(f"there are {given.count} cells, which are no multiple of the {indices_count} indices")
        count = given.count // indices_count
        recovered, recovered_pointer = _output(_CELLS_OF, count, _CELLS)
        proved, proved_pointer = _wanted(_PROOFS, count, proofs)
        wrong = ffi.new("sumac_kzg_wrong *") if checked else ffi.NULL
        try:
            self._do(context, lib.sumac_kzg_recover, indices, indices_count, given.pointer, count, recovered_pointer,
                     proved_pointer, wrong)
        except Mismatch as error:
            error.blob, error.cell = int(wrong.blob), int(wrong.cell) if wrong.cell < _CELLS else None
            raise
        return recovered, proved

    def verify_cell_proofs(self, commitments: Any, cell_indices: Any, cells: Any, proofs: Any, *,
                           context: Optional[Context] = None) -> bool:
        """Run verify_cell_kzg_proof_batch. There is one commitment for each cell. Return whether all cells belong to their
        commitments."""
        given = _Input(cells, _CELLS_OF)
        known, proved = _Input(commitments, _COMMITMENTS, given.count), _Input(proofs, _PROOFS, given.count)
        indices = _indices(cell_indices, given.count, "cell_indices")
        return self._ask(context, lib.sumac_kzg_verify_cells, known.pointer, indices, given.pointer, proved.pointer, given.count)


def _indices(values: Any, count: int, what: str) -> Any:
    pointer, given = numbers_of(values, what)
    if given != count:
        raise BadLength(f"there are {given} {what}, and must be {count}")
    return pointer


def blob_challenge(context: Context, blob: Any, commitment: Any) -> bytes:
    """Run compute_challenge. Return the evaluation point that compute_blob_proof() uses."""
    context = as_context(context)
    given, known = _Input(blob, _BLOBS, 1), _Input(commitment, _COMMITMENTS, 1)
    array, pointer = _output(_ZS, 1)
    context._call(lib.sumac_kzg_blob_challenge, given.pointer, known.pointer, pointer)
    return array.tobytes()


def cell_challenge(context: Context, commitments: Any, commitment_indices: Any, cell_indices: Any, cells: Any,
                         proofs: Any) -> bytes:
    """Run compute_verify_cell_kzg_proof_batch_challenge. The commitments are distinct, and each cell has the index of its
    commitment."""
    context = as_context(context)
    known, given = _Input(commitments, _COMMITMENTS), _Input(cells, _CELLS_OF)
    proved = _Input(proofs, _PROOFS, given.count)
    array, pointer = _output(_ZS, 1)
    context._call(lib.sumac_kzg_cell_challenge, known.pointer, known.count,
                  _indices(commitment_indices, given.count, "commitment_indices"),
                  _indices(cell_indices, given.count, "cell_indices"), given.pointer, proved.pointer, given.count, pointer)
    return array.tobytes()


