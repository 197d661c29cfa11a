# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has the functions of c-kzg-4844's Python package ckzg 2.1.8, over sumac. Arguments and results are bytes.

If an argument is of the wrong type or size, a function raises a ValueError. If the library refuses an argument, it raises a
RuntimeError.
"""
from __future__ import annotations

from typing import Any, Callable, List, Tuple

import sumac_msm as _sumac

_ELEMENT, _POINT = 32, 48
_BLOB, _CELL = _sumac.KZG_BLOB_BYTES, _sumac.KZG_CELL_BYTES
# The tables for proofs of cells have 2^(precompute - 1) multiples of 8192 points, as those of c-kzg-4844, but here a window has at
# most _LARGEST_WINDOW bits.
_MOST_PRECOMPUTE, _LARGEST_WINDOW, _COLUMNS_BYTES = 15, 8, 8192 * 96


class _Settings:
    """A loaded trusted setup, which any number of threads may use. Each call computes only on its caller's thread."""

    def __init__(self, path: str, precompute: int):
        window = min(precompute, _LARGEST_WINDOW)
        self.contexts = _sumac.Pool(16, backend="cpu", threads=1)
        with self.contexts.take() as context:
            self.setup = _sumac.KzgSetup.open(context, path, cells=1, table_bytes=_COLUMNS_BYTES << window >> 1 if window else 1)


def _call(settings: Any, name: str, *arguments: Any, **options: Any) -> Any:
    """Call a method of the setup with a separate context."""
    if not isinstance(settings, _Settings):
        raise ValueError("expected a trusted setup")
    try:
        with settings.contexts.take() as context:
            return getattr(settings.setup, name)(*arguments, context=context, **options)
    except _sumac.Error as error:
        raise RuntimeError(str(error)) from None


def _bytes(value: Any, size: int, what: str) -> bytes:
    if not isinstance(value, bytes):
        raise ValueError(f"expected {what} to be bytes")
    if len(value) != size:
        raise ValueError(f"expected {what} to be {size} bytes")
    return value


def _batch(value: Any, size: int, what: str) -> bytes:
    """Check concatenated values."""
    if not isinstance(value, bytes):
        raise ValueError(f"expected {what} to be bytes")
    if len(value) % size:
        raise ValueError(f"expected {what} to be a multiple of {size} bytes")
    return value


def _list(values: Any, count: int, what: str, check: Callable[[Any], Any]) -> List[Any]:
    if not isinstance(values, list):
        raise ValueError(f"expected {what} to be a list")
    if len(values) != count:
        raise ValueError(f"expected as many {what} as cells")
    return [check(value) for value in values]


def _index(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value < 2**64:
        raise ValueError("expected a cell index to be an integer of 64 bits")
    return value


def _cells(values: Any) -> List[bytes]:
    return _list(values, len(values) if isinstance(values, list) else 0, "cells", lambda cell: _bytes(cell, _CELL, "a cell"))


def _rows(array: Any) -> List[bytes]:
    """Return the rows of a result for one blob."""
    data = bytes(array)
    size = len(data) // _sumac.KZG_CELLS
    return [data[i:i + size] for i in range(0, len(data), size)]


def load_trusted_setup(path: str, precompute: int, /) -> _Settings:
    """Load a trusted setup from a text file. `precompute`, from 0 to 15, limits the size of the tables for proofs of cells."""
    if not isinstance(path, str) or not isinstance(precompute, int):
        raise ValueError("expected string and int")
    if not 0 <= precompute <= _MOST_PRECOMPUTE:
        raise RuntimeError(f"precompute is {precompute}, and may be 0 to {_MOST_PRECOMPUTE}")
    try:
        return _Settings(path, precompute)
    except _sumac.Error as error:
        raise RuntimeError(str(error)) from None


def blob_to_kzg_commitment(blob: bytes, settings: _Settings, /) -> bytes:
    """Commit to a blob."""
    return bytes(_call(settings, "commit", _bytes(blob, _BLOB, "a blob")))


def compute_kzg_proof(blob: bytes, z: bytes, settings: _Settings, /) -> Tuple[bytes, bytes]:
    """Evaluate a blob's polynomial at z. Return the proof, and the value y."""
    proof, y = _call(settings, "compute_proof", _bytes(blob, _BLOB, "a blob"), _bytes(z, _ELEMENT, "z"))
    return bytes(proof), bytes(y)


def compute_blob_kzg_proof(blob: bytes, commitment: bytes, settings: _Settings, /) -> bytes:
    """Compute the proof that a commitment belongs to a blob."""
    return bytes(_call(settings, "compute_blob_proof", _bytes(blob, _BLOB, "a blob"), _bytes(commitment, _POINT, "a commitment")))


def verify_kzg_proof(commitment: bytes, z: bytes, y: bytes, proof: bytes, settings: _Settings, /) -> bool:
    """Verify the proof of an evaluation."""
    return bool(_call(settings, "verify_proof", _bytes(commitment, _POINT, "a commitment"), _bytes(z, _ELEMENT, "z"),
                      _bytes(y, _ELEMENT, "y"), _bytes(proof, _POINT, "a proof")))


def verify_blob_kzg_proof(blob: bytes, commitment: bytes, proof: bytes, settings: _Settings, /) -> bool:
    """Verify that a commitment belongs to a blob."""
    return bool(_call(settings, "verify_blob_proof", _bytes(blob, _BLOB, "a blob"), _bytes(commitment, _POINT, "a commitment"),
                      _bytes(proof, _POINT, "a proof")))


def verify_blob_kzg_proof_batch(blobs: bytes, commitments: bytes, proofs: bytes, settings: _Settings, /) -> bool:
    """Verify that several commitments belong to their blobs. Each argument has its values concatenated."""
    count = len(_batch(blobs, _BLOB, "blobs")) // _BLOB
    if not len(_batch(commitments, _POINT, "commitments")) == len(_batch(proofs, _POINT, "proofs")) == count * _POINT:
        raise ValueError("expected same number of blobs/commitments/proofs")
    return bool(_call(settings, "verify_blob_proof", blobs, commitments, proofs))


def compute_cells(blob: bytes, settings: _Settings, /) -> List[bytes]:
    """Extend a blob to its 128 cells."""
    return _rows(_call(settings, "compute_cells", _bytes(blob, _BLOB, "a blob")))


def compute_cells_and_kzg_proofs(blob: bytes, settings: _Settings, /) -> Tuple[List[bytes], List[bytes]]:
    """Extend a blob to its 128 cells, and compute the proof of each cell."""
    cells, proofs = _call(settings, "compute_cells_and_proofs", _bytes(blob, _BLOB, "a blob"))
    return _rows(cells), _rows(proofs)


def recover_cells_and_kzg_proofs(cell_indices: List[int], cells: List[bytes], settings: _Settings, /) -> Tuple[List[bytes], List[bytes]]:
    """Recover all cells of a blob from at least half of them, and compute the proof of each cell."""
    given = _cells(cells)
    indices = _list(cell_indices, len(given), "cell indices", _index)
    recovered, proofs = _call(settings, "recover_cells_and_proofs", indices, given, checked=False)
    return _rows(recovered), _rows(proofs)


def verify_cell_kzg_proof_batch(commitments: List[bytes], cell_indices: List[int], cells: List[bytes], proofs: List[bytes],
                                settings: _Settings, /) -> bool:
    """Verify that each cell belongs to its commitment."""
    given = _cells(cells)
    known, proved = (_list(values, len(given), what, lambda point: _bytes(point, _POINT, "a point"))
                     for values, what in ((commitments, "commitments"), (proofs, "proofs")))
    return bool(_call(settings, "verify_cell_proofs", known, _list(cell_indices, len(given), "cell indices", _index), given, proved))
