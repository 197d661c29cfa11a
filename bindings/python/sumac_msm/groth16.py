# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has Groth16 proofs with the keys and witnesses of snarkjs and gnark.

A proof consists of the raw points A, B and C. A proof of gnark with commitments also has their points and that of their proof
of knowledge. Public inputs are raw scalars, or Python's integers. sumac/groth16.h describes the layout of proofs and of raw
public inputs. A file is given by its path or its bytes.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Tuple

from ._buffers import host_memory, integer_bytes, records_of, result_array
from ._interface import Groth16KeyOptions, Groth16ProveOptions
from ._library import Options, Owned, ffi, instance_of, integer_of, lib, name_of, path_of, sized
from ._proofs import Verifier, contents, exactly, is_path
from .bases import Path, _result, take_memory
from .contexts import Context, Made, as_context
from .curves import Curve, curve_of
from .errors import BadLength
from .vectors import Vector

if TYPE_CHECKING:
    import numpy
    from typing_extensions import Unpack


class Groth16Info(NamedTuple):
    """A description of a key. In the description of a verifying key, the fields wires, domain, coefficients, witness_bytes and
    key_bytes are 0."""

    g1: Curve
    g2: Curve
    wires: int
    publics: int
    domain: int
    coefficients: int
    witness_bytes: int
    publics_bytes: int
    proof_bytes: int
    key_bytes: int
    has_verifying_key: bool
    commitments: int


def _describe(function: Any, owned: Owned) -> Groth16Info:
    info = sized("sumac_groth16_info")
    status = function(owned.pointer, info)
    assert status == 0, status
    numbers = (int(getattr(info, name)) for name in Groth16Info._fields[2:-2])
    return Groth16Info(curve_of(info.g1), curve_of(info.g2), *numbers, bool(info.has_verifying_key),  # type: ignore[arg-type, call-arg]
                       int(info.commitments))


class Groth16VerifyingKey(Verifier):
    """A key that verifies proofs of one circuit. It is immutable, so that threads may share it, each with its own context."""

    _what = "verifying key"

    def __init__(self, context: Context, file: Any, *, commitment_hash: Optional[str] = None):
        """Open a verifying key, which is given by its path or its bytes. It is a verification_key.json or .zkey of snarkjs, a
        prepared key, or a key of gnark. gnark's commitments have the hash "xmd-sha256" unless commitment_hash is
        "sha256" or "keccak256"."""
        context, kind = as_context(context), "sumac_groth16_verifying_key"
        if commitment_hash is not None:
            memory = host_memory(contents(file), "the bytes of a verifying key")
            pointer = context._make(kind, lib.sumac_groth16_verifying_key_create_hashing, memory.pointer, memory.bytes,
                                    name_of(commitment_hash, "the hash"))
        elif is_path(file):
            pointer = context._make(kind, lib.sumac_groth16_verifying_key_open, path_of(file))
        else:
            memory = host_memory(file, "the bytes of a verifying key")
            pointer = context._make(kind, lib.sumac_groth16_verifying_key_create, memory.pointer, memory.bytes)
        self._hold(context, context._own(pointer, lib.sumac_groth16_verifying_key_destroy))

    def _hold(self, context: Context, owned: Owned) -> None:
        self._context, self._owned = context, owned
        self.info = _describe(lib.sumac_groth16_verifying_key_describe, owned)

    def verify(self, publics: Any, proofs: Any, *, context: Optional[Context] = None) -> bool:
        """Verify one or more proofs for their public inputs, and say whether all of them are valid. Verifying many proofs in
        one call is several times as fast as verifying them one by one."""
        return self._verify(context, lib.sumac_groth16_verify, publics, proofs)

    def proof_encode(self, proof: Any, format: str = "snarkjs", *, context: Optional[Context] = None) -> bytes:
        """Encode a proof in the format "snarkjs" (the text of proof.json), "gnark" or "gnark-raw"."""
        return self._encode(context, lib.sumac_groth16_proof_encode, exactly(proof, self.info.proof_bytes, "the bytes of a proof"),
                            format)

    def publics_encode(self, publics: Any, format: str = "snarkjs", *, context: Optional[Context] = None) -> bytes:
        """Encode public inputs as the text of public.json, or as gnark's public witness."""
        return self._encode(context, lib.sumac_groth16_publics_encode, self._publics(publics), format)

    def proof_decode(self, data: Any, format: str = "snarkjs", name: str = "proof", *, context: Optional[Context] = None) -> bytes:
        """Decode a proof. Error messages refer to the bytes by `name`."""
        return self._decode(context, lib.sumac_groth16_proof_decode, data, format, name, self.info.proof_bytes)

    def publics_decode(self, data: Any, format: str = "snarkjs", name: str = "public", *,
                       context: Optional[Context] = None) -> bytes:
        """Decode public inputs. Error messages refer to the bytes by `name`."""
        return self._decode(context, lib.sumac_groth16_publics_decode, data, format, name, self.info.publics_bytes)


class Groth16Key(Made):
    """A proving key in the memory where the context computes, with its verifying key `verifying`. It is immutable, so that
    threads may share it, each with its own context."""

    _what = "proving key"

    def __init__(self, context: Context, file: Any, *, verifying: Optional[Groth16VerifyingKey] = None,
                 **options: Unpack[Groth16KeyOptions]):
        """Open a proving key, which is given by its path or its bytes. It is a key of snarkjs (.zkey) or gnark, or a prepared
        key that save() wrote. The proofs of a key of gnark are verified only with the key `verifying`. A key of gnark whose
        circuit has commitments needs `commitment_wires`, a list of integers. The options are fields of
        sumac_groth16_key_config."""
        context = as_context(context)
        given = dict(options)
        wires = given.pop("commitment_wires", None)
        filled = Options("sumac_groth16_key_config", given, always=verifying is not None or wires is not None)
        if wires is not None:
            listed = host_memory(integer_bytes(wires, 4, "commitment_wires"), "commitment_wires")
            filled.keep.append(listed)
            filled.set("commitment_wires", ffi.cast("void *", listed.pointer))
            filled.pointer.commitment_wires_bytes = listed.bytes
        needs: Tuple[Any, ...] = ()
        if verifying is not None:
            needs = (instance_of(Groth16VerifyingKey, verifying, "the verifying key")._take(),)
            filled.set("verifying", needs[0].pointer)
        if is_path(file):
            pointer = context._make("sumac_groth16_key", lib.sumac_groth16_key_open, path_of(file), filled.pointer)
        else:
            memory = host_memory(file, "the bytes of a proving key")
            pointer = context._make("sumac_groth16_key", lib.sumac_groth16_key_create, memory.pointer, memory.bytes,
                                    filled.pointer)
        self._adopt(context, pointer, lib.sumac_groth16_key_destroy, *needs)
        self.info = _describe(lib.sumac_groth16_key_describe, self._take())
        # If the caller gave a verifying key, this is that key. Otherwise it is a part of the proving key, and lives as long as
        # it.
        self.verifying = verifying or _part_of(context, self._take())

    def save(self, path: Path, *, context: Optional[Context] = None) -> None:
        """Save the prepared key to a file. With check="none", opening the file takes no longer than copying it."""
        self._do(context, lib.sumac_groth16_key_save, path_of(path))

    def witness(self, file: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """Read a witness from a .wtns file or a solution of gnark, which is given by its path or its bytes."""
        made, size = ffi.new("void **"), ffi.new("size_t *")
        if is_path(file):
            self._do(context, lib.sumac_groth16_witness_open, path_of(file), made, size)
        else:
            memory = host_memory(file, "the bytes of a witness")
            self._do(context, lib.sumac_groth16_witness_create, memory.pointer, memory.bytes, made, size)
        return take_memory(made[0], size[0])

    def publics(self, witness: Any, *, context: Optional[Context] = None) -> bytes:
        """Return the public inputs of a witness."""
        memory = host_memory(witness, "the bytes of a witness")
        array, pointer = result_array((self.info.publics_bytes,))
        self._do(context, lib.sumac_groth16_witness_publics, memory.pointer, memory.bytes, pointer, self.info.publics_bytes)
        return array.tobytes()

    def check_witness(self, witness: Any, r1cs_path: Path, *, context: Optional[Context] = None) -> None:
        """Check a witness against the circuit's constraints. If it does not satisfy one of them, raise NotSatisfied, which
        names the first such constraint."""
        memory = exactly(witness, self.info.witness_bytes, "the bytes of a witness")
        self._do(context, lib.sumac_groth16_witness_check, memory.pointer, memory.bytes, path_of(r1cs_path))

    def commit(self, which: int, values: Any, *, context: Optional[Context] = None) -> Tuple[bytes, bytes]:
        """Compute the answer to gnark's hint for a commitment, while the circuit is being solved. Return the commitment's point
        and its value. `which`, the hint's first input, is the commitment's index. `values` are its remaining inputs: first the
        values that are only hashed, then those of the committed private wires."""
        if isinstance(values, (list, tuple)):
            values = integer_bytes(values, self.info.g1.scalar_bytes, "values")
        memory = host_memory(values, "the bytes of values")
        sizes = self.info.g1.point_bytes, self.info.g1.scalar_bytes
        (point, point_at), (value, value_at) = result_array(sizes[:1]), result_array(sizes[1:])
        self._do(context, lib.sumac_groth16_commit, integer_of("size_t", which, "which"), memory.pointer, memory.bytes, point_at,
                 sizes[0], value_at, sizes[1])
        return point.tobytes(), value.tobytes()

    def prove(self, witnesses: Any, *, out: Any = None, context: Optional[Context] = None,
              **options: Unpack[Groth16ProveOptions]) -> Any:
        """Compute and verify a proof for each witness. Return an array with a row for each proof, or `out`. `witnesses` are
        bytes, or a Vector of wires in the memory where the context computes. The options are fields of
        sumac_groth16_prove_config."""
        if isinstance(witnesses, Vector):
            count = len(witnesses) // (self.info.wires or 1)
            if count * self.info.wires != len(witnesses):
                raise BadLength(f"the vector has {len(witnesses)} scalars, which are no witnesses of {self.info.wires} wires")
            given: Any = (witnesses._take(),)
        else:
            memory, count = records_of(witnesses, self.info.witness_bytes, "witnesses")
            given = (memory.pointer, memory.bytes)
        filled = self._prove_options(options, count)
        proofs, pointer = _result(out, (count, self.info.proof_bytes))
        function = lib.sumac_groth16_prove_vector if isinstance(witnesses, Vector) else lib.sumac_groth16_prove
        self._do(context, function, *given, count, filled.pointer, pointer, count * self.info.proof_bytes)
        return proofs

    def _prove_options(self, options: Any, count: int) -> Options:
        given = dict(options)
        randomness = given.pop("randomness", None)
        filled = Options("sumac_groth16_prove_config", given, always=randomness is not None)
        if randomness is not None:
            if isinstance(randomness, (list, tuple)):
                randomness = integer_bytes(randomness, self.info.g1.scalar_bytes, "random numbers")
            memory = exactly(randomness, 2 * count * self.info.g1.scalar_bytes, "random numbers")
            filled.keep.append(memory)
            filled.set("randomness", ffi.cast("void *", memory.pointer))
            filled.pointer.randomness_bytes = memory.bytes
        return filled


def _part_of(context: Context, key: Owned) -> Groth16VerifyingKey:
    """Return the verifying key that is a part of a proving key. It keeps the proving key alive."""
    verifying = Groth16VerifyingKey.__new__(Groth16VerifyingKey)
    pointer = lib.sumac_groth16_key_verifying(key.pointer)
    verifying._hold(context, Owned(pointer, lambda _: None, (key,)))
    return verifying


__all__: Sequence[str] = ["Groth16Info", "Groth16Key", "Groth16VerifyingKey"]
