# SPDX-License-Identifier: Apache-2.0 OR MIT
"""KZG for Ethereum's blobs and cells (EIP-4844, EIP-7594), as the consensus specification defines it.

Blobs, cells, commitments, proofs and elements are bytes or arrays of bytes with any number of them concatenated, or lists of
bytes, which are joined into a copy; results are arrays with a row for each.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Tuple, Union

from . import _interface
from ._buffers import cast, numbers_of, records_of, result_array
from ._interface import Check
from ._library import enum_of, ffi, integer_of, lib, path_of
from .bases import Path
from .contexts import Context, Made, as_context
from .errors import BadLength, Mismatch

if TYPE_CHECKING:
    import numpy

_BLOB, _CELL, _CELLS = _interface.KZG_BLOB_BYTES, _interface.KZG_CELL_BYTES, _interface.KZG_CELLS
# Each has a name for messages, a type of the library, and a size in bytes.
_BLOBS, _CELLS_OF = ("blobs", "sumac_blob", _BLOB), ("cells", "sumac_cell", _CELL)
_COMMITMENTS, _PROOFS = ("commitments", "sumac_bytes48", 48), ("proofs", "sumac_bytes48", 48)
_ZS, _YS = ("places", "sumac_bytes32", 32), ("values", "sumac_bytes32", 32)


class _Input:
    """A caller's records of one of these types."""

    def __init__(self, value: Any, kind: Tuple[str, str, int], count: Optional[int] = None):
        what, type_name, size = kind
        self.memory, self.count = records_of(value, size, what)
        if count is not None and self.count != count:
            raise BadLength(f"there are {self.count} {what}, and must be {count}")
        self.pointer = cast(self.memory, type_name)


def _output(kind: Tuple[str, str, int], *shape: int) -> Tuple[numpy.ndarray, Any]:
    array, pointer = result_array((*shape, kind[2]))
    return array, ffi.cast(kind[1] + " *", pointer)


class KzgSetup(Made):
    """A trusted setup with its derived tables. It is shared by threads, which need a context each."""

    _what = "setup"

    def __init__(self, context: Context, g1_monomial: Any, g1_lagrange: Any, g2_monomial: Any,
                 check: Union[Check, str] = Check.SUBGROUP):
        """Make a setup of compressed points, in the order of trusted_setup.txt: 4096, 4096 and 65."""
        context = as_context(context)
        monomial = _Input(g1_monomial, ("points", "sumac_bytes48", 48))
        lagrange = _Input(g1_lagrange, ("points", "sumac_bytes48", 48))
        second = _Input(g2_monomial, ("points", "sumac_bytes96", 96))
        self._adopt(context, context._make(
            "sumac_kzg_setup", lib.sumac_kzg_setup_create, monomial.pointer, monomial.count, lagrange.pointer, lagrange.count,
            second.pointer, second.count, enum_of(Check, check, "check")), lib.sumac_kzg_setup_destroy)

    @classmethod
    def open(cls, context: Context, path: Path, check: Union[Check, str] = Check.SUBGROUP) -> KzgSetup:
        """Open trusted_setup.txt, or a file of save()."""
        context = as_context(context)
        setup = cls.__new__(cls)
        setup._adopt(context, context._make("sumac_kzg_setup", lib.sumac_kzg_setup_open, path_of(path),
                                            enum_of(Check, check, "check")), lib.sumac_kzg_setup_destroy)
        return setup

    def save(self, path: Path, *, context: Optional[Context] = None) -> None:
        """Save the setup to a file, with its tables."""
        self._do(context, lib.sumac_kzg_setup_save, path_of(path))

    def make_tables(self, table_bytes: int = 0, *, context: Optional[Context] = None) -> KzgSetup:
        """Derive the tables for proofs of cells, in at most `table_bytes` (0: 64 MiB). No other call may use the setup meanwhile."""
        self._do(context, lib.sumac_kzg_setup_make_tables, integer_of("uint64_t", table_bytes, "table_bytes"))
        return self

    @property
    def has_tables(self) -> bool:
        """True if the setup has the tables for proofs of cells."""
        return bool(lib.sumac_kzg_setup_has_tables(self._take().pointer))

    @property
    def table_bytes(self) -> int:
        """The bytes of its tables on one device."""
        return int(lib.sumac_kzg_setup_table_bytes(self._take().pointer))

    # ---- Blobs ----

    def commit(self, blobs: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """blob_to_kzg_commitment, for each blob."""
        given = _Input(blobs, _BLOBS)
        array, pointer = _output(_COMMITMENTS, given.count)
        self._do(context, lib.sumac_kzg_commit_batch, given.pointer, given.count, pointer)
        return array

    def compute_proof(self, blobs: Any, zs: Any, *, context: Optional[Context] = None) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """compute_kzg_proof, for each blob and its evaluation point: returns proofs and values."""
        given = _Input(blobs, _BLOBS)
        places = _Input(zs, _ZS, given.count)
        proofs, proofs_pointer = _output(_PROOFS, given.count)
        ys, ys_pointer = _output(_YS, given.count)
        self._do(context, lib.sumac_kzg_compute_proof_batch, given.pointer, places.pointer, given.count, proofs_pointer,
                 ys_pointer)
        return proofs, ys

    def compute_blob_proof(self, blobs: Any, commitments: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """compute_blob_kzg_proof, for each blob."""
        given = _Input(blobs, _BLOBS)
        known = _Input(commitments, _COMMITMENTS, given.count)
        proofs, pointer = _output(_PROOFS, given.count)
        self._do(context, lib.sumac_kzg_compute_blob_proof_batch, given.pointer, known.pointer, given.count, pointer)
        return proofs

    def verify_proof(self, commitments: Any, zs: Any, ys: Any, proofs: Any, *, context: Optional[Context] = None) -> bool:
        """verify_kzg_proof for one or several proofs: true if all hold."""
        known = _Input(commitments, _COMMITMENTS)
        places, values, given = (_Input(v, k, known.count) for v, k in ((zs, _ZS), (ys, _YS), (proofs, _PROOFS)))
        return self._ask(context, lib.sumac_kzg_verify_proof_batch, known.pointer, places.pointer, values.pointer,
                         given.pointer, known.count)

    def verify_blob_proof(self, blobs: Any, commitments: Any, proofs: Any, *, context: Optional[Context] = None) -> bool:
        """verify_blob_kzg_proof_batch, or for one blob verify_blob_kzg_proof: true if all blobs belong to their commitments."""
        given = _Input(blobs, _BLOBS)
        known, proved = _Input(commitments, _COMMITMENTS, given.count), _Input(proofs, _PROOFS, given.count)
        if given.count == 1:
            return self._ask(context, lib.sumac_kzg_verify_blob_proof, given.pointer, known.pointer, proved.pointer)
        return self._ask(context, lib.sumac_kzg_verify_blob_proof_batch, given.pointer, known.pointer, proved.pointer,
                         given.count)

    # ---- Cells ----

    def compute_cells(self, blobs: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """compute_cells, for each blob: returns an array of shape (blobs, 128, 2048)."""
        given = _Input(blobs, _BLOBS)
        cells, pointer = _output(_CELLS_OF, given.count, _CELLS)
        self._do(context, lib.sumac_kzg_compute_cells_batch, given.pointer, given.count, pointer)
        return cells

    def compute_cells_and_proofs(self, blobs: Any, *, context: Optional[Context] = None) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """compute_cells_and_kzg_proofs, after make_tables()."""
        given = _Input(blobs, _BLOBS)
        cells, cells_pointer = _output(_CELLS_OF, given.count, _CELLS)
        proofs, proofs_pointer = _output(_PROOFS, given.count, _CELLS)
        self._do(context, lib.sumac_kzg_compute_cells_and_proofs_batch, given.pointer, given.count, cells_pointer,
                 proofs_pointer)
        return cells, proofs

    def compute_cell_proofs(self, blobs: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """Compute only the proofs of compute_cells_and_proofs(), after make_tables()."""
        given = _Input(blobs, _BLOBS)
        proofs, pointer = _output(_PROOFS, given.count, _CELLS)
        self._do(context, lib.sumac_kzg_compute_cell_proofs_batch, given.pointer, given.count, pointer)
        return proofs

    def recover_cells_and_proofs(self, cell_indices: Any, cells: Any, *, proofs: bool = True, checked: bool = True,
                                 context: Optional[Context] = None) -> Tuple[numpy.ndarray, Optional[numpy.ndarray]]:
        """recover_cells_and_kzg_proofs, for blobs that all have the same cells, at least half: returns all cells and, with
        `proofs` and after make_tables(), their proofs.

        `checked` compares the recovered cells with the given ones, which the specification does not: if they differ it raises
        Mismatch, with the error's `blob` and `cell`."""
        indices, indices_count = numbers_of(cell_indices, "cell_indices")
        given = _Input(cells, _CELLS_OF)
        if indices_count == 0 or given.count % indices_count:
            raise BadLength(f"there are {given.count} cells, which are no multiple of the {indices_count} indices")
        count = given.count // indices_count
        recovered, recovered_pointer = _output(_CELLS_OF, count, _CELLS)
        proved, proved_pointer = _output(_PROOFS, count, _CELLS) if proofs else (None, ffi.NULL)
        arguments: List[Any] = [indices, indices_count, given.pointer, count, recovered_pointer, proved_pointer]
        if not checked:
            self._do(context, lib.sumac_kzg_recover_cells_and_proofs_batch, *arguments)
            return recovered, proved
        blob, cell = ffi.new("size_t *"), ffi.new("uint64_t *")
        try:
            self._do(context, lib.sumac_kzg_recover_cells_and_proofs_batch_checked, *arguments, blob, cell)
        except Mismatch as error:
            error.blob, error.cell = int(blob[0]), int(cell[0]) if cell[0] < _CELLS else None
            raise
        return recovered, proved

    def verify_cell_proofs(self, commitments: Any, cell_indices: Any, cells: Any, proofs: Any, *,
                           context: Optional[Context] = None) -> bool:
        """verify_cell_kzg_proof_batch: true if all cells belong to their commitments, one for each cell."""
        given = _Input(cells, _CELLS_OF)
        known, proved = _Input(commitments, _COMMITMENTS, given.count), _Input(proofs, _PROOFS, given.count)
        indices = _indices(cell_indices, given.count, "cell_indices")
        return self._ask(context, lib.sumac_kzg_verify_cell_proof_batch, known.pointer, indices, given.pointer, proved.pointer,
                         given.count)


def _indices(values: Any, count: int, what: str) -> Any:
    pointer, given = numbers_of(values, what)
    if given != count:
        raise BadLength(f"there are {given} {what}, and must be {count}")
    return pointer


def blob_challenge(context: Context, blob: Any, commitment: Any) -> bytes:
    """compute_challenge: returns the evaluation point of compute_blob_proof()."""
    context = as_context(context)
    given, known = _Input(blob, _BLOBS, 1), _Input(commitment, _COMMITMENTS, 1)
    array, pointer = _output(_ZS, 1)
    context._call(lib.sumac_kzg_blob_challenge, given.pointer, known.pointer, pointer)
    return array.tobytes()


def cell_batch_challenge(context: Context, commitments: Any, commitment_indices: Any, cell_indices: Any, cells: Any,
                         proofs: Any) -> bytes:
    """compute_verify_cell_kzg_proof_batch_challenge, of distinct commitments and, for each cell, the index of its commitment."""
    context = as_context(context)
    known, given = _Input(commitments, _COMMITMENTS), _Input(cells, _CELLS_OF)
    proved = _Input(proofs, _PROOFS, given.count)
    array, pointer = _output(_ZS, 1)
    context._call(lib.sumac_kzg_cell_batch_challenge, known.pointer, known.count,
                  _indices(commitment_indices, given.count, "commitment_indices"),
                  _indices(cell_indices, given.count, "cell_indices"), given.pointer, proved.pointer, given.count, pointer)
    return array.tobytes()


