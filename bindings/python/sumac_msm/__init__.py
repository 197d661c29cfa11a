# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Multi-scalar multiplication on elliptic curves, and its applications: KZG, FK20, Groth16.

    import sumac_msm as sumac
    context = sumac.Context()
    bases = sumac.Bases(context, "bls12-381", points)
    result = bases.msm(scalars)

Objects are closed by close(), at the end of a `with`, or when nothing refers to them. Calls use the context that made an object,
or that of `context=`: threads share bases, keys and setups, but each needs its own context (Pool). Errors are Error and its
subclasses. Calls release the interpreter's lock, and Ctrl-C ends them.
"""
from __future__ import annotations

from . import errors
from ._interface import (KZG_BLOB_BYTES, KZG_CELL_BYTES, KZG_CELLS, MAX_POOL, BasesOptions, ByteOrder,
                         Check, ContextOptions, FilesOptions, Form, Groth16KeyOptions,
                         Groth16ProveOptions, Infinity, LayoutOptions, Location, MsmOptions, Order, Scan, Status, Tables,
                         TransformOptions, VectorKind)
from ._library import version
from .bases import (Bases, FilesReport, MsmNeeds, PreparedMsm, bases_file_count, known_answer, known_logarithms, map_to_group,
                    msm_files, partial_combine, plan, points_decode, points_encode, scalars_read)
from .contexts import Context, Pool, PooledContext, TraceEvent
from .curves import Curve, Format, curve, curves, formats
from .errors import Error
from .groth16 import Groth16Info, Groth16Key, Groth16VerifyingKey
from .kzg import KzgSetup, blob_challenge, cell_challenge
from .pairings import PairingPoints, pairing_check
from .srs import Fk20, srs_commit, srs_open, srs_verify
from .vectors import Slice, Vector, bases_of, msm_vectors

__version__ = version
__all__ = [name for name in dir() if not name.startswith("_") and name not in ("annotations", "bases", "contexts",
                                                                                "groth16", "kzg", "pairings", "srs", "vectors")]
