# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This package computes multi-scalar multiplications on elliptic curves, and has their applications: KZG, FK20, Groth16, PLONK.

    >>> import sumac_msm as sumac
    >>> generator = sumac.curve("bn254").generator()
    >>> seven = sumac.msm("bn254", [generator, generator], [3, 4])
    >>> seven.x
    10415861484417082502655338383609494480414113902179649885744799961447382638712

Bases keep points that are used again. Contexts and bases have all options:

    >>> context = sumac.Context(threads=2)
    >>> with sumac.Bases(context, "bn254", [generator] * 4, check="subgroup") as bases:
    ...     result = bases.msm([1, 2, 4, 0])
    >>> bytes(result) == seven
    True

An object is closed by close(), at the end of a `with`, or when nothing refers to it. Calls use the context that made an object,
or the one that `context=` names. Threads can share bases, keys and setups, but each thread needs its own context (Pool). Errors
are instances of Error. Calls release the interpreter's lock, and Ctrl-C ends them.
"""
from __future__ import annotations

from . import errors
from ._interface import (KZG_BLOB_BYTES, KZG_CELL_BYTES, KZG_CELLS, MAX_POOL, BasesOptions, ByteOrder,
                         Check, ContextOptions, FilesOptions, Form, Groth16KeyOptions,
                         Groth16ProveOptions, Infinity, LayoutOptions, Location, MsmOptions, Order, PlonkKeyOptions, PlonkProveOptions, Scan,
                         Status, Tables, TransformOptions, VectorKind)
from ._library import version
from .bases import (Bases, FilesReport, MsmNeeds, PreparedMsm, bases_file_count, known_answer, known_logarithms, map_to_group, msm,
                    msm_files, partial_combine, plan, points_decode, points_encode, scalars_read)
from .contexts import Context, Pool, PooledContext, TraceEvent
from .curves import Curve, Format, Point, curve, curves, formats
from .errors import Error
from .groth16 import Groth16Info, Groth16Key, Groth16VerifyingKey
from .kzg import KzgSetup, blob_challenge, cell_challenge
from .pairings import PairingPoints, pairing_check, pairing_value
from .plonk import PlonkInfo, PlonkKey, PlonkVerifyingKey, plonk_setup
from .srs import Fk20, challenge, shplonk_open, shplonk_quotient, shplonk_verify, srs_commit, srs_open, srs_verify
from .vectors import Slice, Vector, bases_of, msm_vectors

__version__ = version
__all__ = [
    "Bases", "BasesOptions", "ByteOrder", "Check", "Context", "ContextOptions", "Curve", "Error", "FilesOptions",
    "FilesReport", "Fk20", "Form", "Format", "Groth16Info", "Groth16Key", "Groth16KeyOptions", "Groth16ProveOptions",
    "Groth16VerifyingKey", "Infinity", "KZG_BLOB_BYTES", "KZG_CELLS", "KZG_CELL_BYTES", "KzgSetup", "LayoutOptions",
    "Location", "MAX_POOL", "MsmNeeds", "MsmOptions", "Order", "PairingPoints", "PlonkInfo", "PlonkKey", "PlonkKeyOptions",
    "PlonkProveOptions", "PlonkVerifyingKey", "Point", "Pool", "PooledContext",
    "PreparedMsm", "Scan", "Slice", "Status", "Tables", "TraceEvent", "TransformOptions", "Vector", "VectorKind",
    "bases_file_count", "bases_of", "blob_challenge", "cell_challenge", "challenge", "curve", "curves", "errors", "formats",
    "known_answer", "known_logarithms", "map_to_group", "msm", "msm_files", "msm_vectors", "pairing_check", "pairing_value",
    "partial_combine", "plan", "plonk_setup", "points_decode", "points_encode", "scalars_read", "shplonk_open",
    "shplonk_quotient", "shplonk_verify", "srs_commit", "srs_open", "srs_verify", "version",
]
