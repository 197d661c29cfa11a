# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has PLONK proofs with the keys and witnesses of snarkjs and of gnark, and FFLONK proofs with those of snarkjs
(experimental).

A proof consists of raw points and then raw scalars: for PLONK of snarkjs nine and six, for FFLONK four and sixteen. Public
inputs are raw scalars, or Python's integers. sumac/plonk.h
describes the layout of proofs and of raw public inputs. A file is given by its path or its bytes.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Tuple

from ._buffers import host_memory, integer_bytes, records_of, result_array
from ._interface import PlonkKeyOptions, PlonkProveOptions, PlonkSetupOptions
from ._library import Options, Owned, ffi, integer_of, lib, path_of, sized
from ._proofs import Verifier, exactly, is_path
from .bases import Path, _result, take_memory
from .contexts import Context, Made, as_context
from .curves import Curve, curve_of

if TYPE_CHECKING:
    import numpy
    from typing_extensions import Unpack


class PlonkInfo(NamedTuple):
    """A description of a key. In the description of a verifying key, the fields wires, gates, additions, witness_bytes, key_bytes
    and workspace_bytes are 0. workspace_bytes is what a proof takes besides the key."""

    g1: Curve
    g2: Curve
    wires: int
    publics: int
    gates: int
    additions: int
    domain: int
    witness_bytes: int
    publics_bytes: int
    proof_bytes: int
    blinding_bytes: int
    key_bytes: int
    workspace_bytes: int
    commitments: int
    format: str
    protocol: str


def _describe(function: Any, owned: Owned) -> PlonkInfo:
    info = sized("sumac_plonk_info")
    status = function(owned.pointer, info)
    assert status == 0, status
    numbers = (int(getattr(info, name)) for name in PlonkInfo._fields[2:-2])
    names = (ffi.string(getattr(info, name)).decode() for name in PlonkInfo._fields[-2:])
    return PlonkInfo(curve_of(info.g1), curve_of(info.g2), *numbers, *names)


class PlonkVerifyingKey(Verifier):
    """A key that verifies proofs of one circuit. It is immutable, so that threads may share it, each with its own context."""

    _what = "verifying key"

    def __init__(self, context: Context, file: Any):
        """Open a verification_key.json or a .zkey of snarkjs, or a key of gnark, which is given by its path or its bytes."""
        context, kind = as_context(context), "sumac_plonk_verifying_key"
        if is_path(file):
            pointer = context._make(kind, lib.sumac_plonk_verifying_key_open, path_of(file))
        else:
            memory = host_memory(file, "the bytes of a verifying key")
            pointer = context._make(kind, lib.sumac_plonk_verifying_key_create, memory.pointer, memory.bytes)
        self._hold(context, context._own(pointer, lib.sumac_plonk_verifying_key_destroy))

    def _hold(self, context: Context, owned: Owned) -> None:
        self._context, self._owned = context, owned
        self.info = _describe(lib.sumac_plonk_verifying_key_describe, owned)

    def verify(self, publics: Any, proofs: Any, *, context: Optional[Context] = None) -> bool:
        """Verify one or more proofs for their public inputs, and say whether all of them are valid."""
        return self._verify(context, lib.sumac_plonk_verify, publics, proofs)

    def proof_encode(self, proof: Any, format: str = "snarkjs", *, context: Optional[Context] = None) -> bytes:
        """Encode a proof as the text of proof.json."""
        return self._encode(context, lib.sumac_plonk_proof_encode, exactly(proof, self.info.proof_bytes, "the bytes of a proof"), format)

    def publics_encode(self, publics: Any, format: str = "snarkjs", *, context: Optional[Context] = None) -> bytes:
        """Encode public inputs as the text of public.json."""
        return self._encode(context, lib.sumac_plonk_publics_encode, self._publics(publics), format)

    def proof_decode(self, data: Any, format: str = "snarkjs", name: str = "proof", *, context: Optional[Context] = None) -> bytes:
        """Decode a proof. Error messages refer to the bytes by `name`."""
        return self._decode(context, lib.sumac_plonk_proof_decode, data, format, name, self.info.proof_bytes)

    def publics_decode(self, data: Any, format: str = "snarkjs", name: str = "public", *, context: Optional[Context] = None) -> bytes:
        """Decode public inputs. Error messages refer to the bytes by `name`."""
        return self._decode(context, lib.sumac_plonk_publics_decode, data, format, name, self.info.publics_bytes)


class PlonkKey(Made):
    """A proving key in the memory where the context computes, with its verifying key `verifying`. It is immutable, so that
    threads may share it, each with its own context."""

    _what = "proving key"

    def __init__(self, context: Context, file: Any, **options: Unpack[PlonkKeyOptions]):
        """Open a key of snarkjs (.zkey) or gnark, or a prepared key, which is given by its path or its bytes. The options are fields of sumac_plonk_key_config."""
        context = as_context(context)
        filled = Options("sumac_plonk_key_config", dict(options))
        if is_path(file):
            pointer = context._make("sumac_plonk_key", lib.sumac_plonk_key_open, path_of(file), filled.pointer)
        else:
            memory = host_memory(file, "the bytes of a proving key")
            pointer = context._make("sumac_plonk_key", lib.sumac_plonk_key_create, memory.pointer, memory.bytes, filled.pointer)
        self._adopt(context, pointer, lib.sumac_plonk_key_destroy)
        self.info = _describe(lib.sumac_plonk_key_describe, self._take())
        self.verifying = _part_of(context, self._take())

    def save(self, path: Path, *, context: Optional[Context] = None) -> None:
        """Save a prepared key, without its values on cosets."""
        self._do(context, lib.sumac_plonk_key_save, path_of(path))

    def witness(self, file: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """Read a witness from a .wtns file, which is given by its path or its bytes."""
        made, size = ffi.new("void **"), ffi.new("size_t *")
        if is_path(file):
            self._do(context, lib.sumac_plonk_witness_open, path_of(file), made, size)
        else:
            memory = host_memory(file, "the bytes of a witness")
            self._do(context, lib.sumac_plonk_witness_create, memory.pointer, memory.bytes, made, size)
        return take_memory(made[0], size[0])

    def publics(self, witness: Any, *, context: Optional[Context] = None) -> bytes:
        """Return the public inputs of a witness."""
        memory = host_memory(witness, "the bytes of a witness")
        array, pointer = result_array((self.info.publics_bytes,))
        self._do(context, lib.sumac_plonk_witness_publics, memory.pointer, memory.bytes, pointer, self.info.publics_bytes)
        return array.tobytes()

    def commit(self, which: int, values: Any, *, context: Optional[Context] = None) -> Tuple[bytes, bytes]:
        """Compute the answer to gnark's hint for a commitment, while the circuit is being solved. Return two raw random numbers, which
        belong to the witness, and the commitment's value. `which`, the hint's first input, is the commitment's index. `values`
        are its remaining inputs."""
        size = self.info.g1.scalar_bytes
        if isinstance(values, (list, tuple)):
            values = integer_bytes(values, size, "values")
        memory = host_memory(values, "the bytes of values")
        (numbers, numbers_at), (value, value_at) = result_array((2 * size,)), result_array((size,))
        self._do(context, lib.sumac_plonk_commit, integer_of("size_t", which, "which"), memory.pointer, memory.bytes, numbers_at,
                 2 * size, value_at, size)
        return numbers.tobytes(), value.tobytes()

    def prove(self, witnesses: Any, *, out: Any = None, context: Optional[Context] = None, **options: Unpack[PlonkProveOptions]) -> Any:
        """Compute and verify a proof for each witness. Return an array with a row for each proof, or `out`. The options are fields of
        sumac_plonk_prove_config."""
        memory, count = records_of(witnesses, self.info.witness_bytes, "witnesses")
        filled = self._prove_options(options, count)
        proofs, pointer = _result(out, (count, self.info.proof_bytes))
        self._do(context, lib.sumac_plonk_prove, memory.pointer, memory.bytes, count, filled.pointer, pointer,
                 count * self.info.proof_bytes)
        return proofs

    def _prove_options(self, options: Any, count: int) -> Options:
        given = dict(options)
        blinding = given.pop("blinding", None)
        filled = Options("sumac_plonk_prove_config", given, always=blinding is not None)
        if blinding is not None:
            if isinstance(blinding, (list, tuple)):
                blinding = integer_bytes(blinding, self.info.g1.scalar_bytes, "random numbers")
            memory = exactly(blinding, count * self.info.blinding_bytes, "random numbers")
            filled.keep.append(memory)
            filled.set("blinding", ffi.cast("void *", memory.pointer))
            filled.pointer.blinding_bytes = memory.bytes
        return filled


def _part_of(context: Context, key: Owned) -> PlonkVerifyingKey:
    """Return the verifying key that is a part of a proving key. It keeps the proving key alive."""
    verifying = PlonkVerifyingKey.__new__(PlonkVerifyingKey)
    pointer = lib.sumac_plonk_key_verifying(key.pointer)
    verifying._hold(context, Owned(pointer, lambda _: None, (key,)))
    return verifying


def plonk_setup(context: Context, r1cs_path: Path, ptau_path: Path, zkey_path: Path, **options: Unpack[PlonkSetupOptions]) -> None:
    """Make the proving key of a circuit from powers of tau, with the bytes that snarkjs makes. The options are fields of
    sumac_plonk_setup_config."""
    filled = Options("sumac_plonk_setup_config", dict(options))
    as_context(context)._call(lib.sumac_plonk_setup, path_of(r1cs_path), path_of(ptau_path), filled.pointer, path_of(zkey_path))


__all__: Sequence[str] = ["PlonkInfo", "PlonkKey", "PlonkVerifyingKey", "plonk_setup"]
