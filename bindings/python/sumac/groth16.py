# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Groth16 proofs with the keys and witnesses of snarkjs and gnark.

Proofs are raw points A, B and C, public inputs raw scalars, both laid out as in sumac/groth16.h; public inputs may be Python's
integers. A file is given by its path or its bytes.
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Tuple, Union

from ._buffers import host_memory, integer_bytes, records_of, result_array
from ._interface import Groth16GnarkEncoding, Groth16KeyOptions, Groth16ProveOptions
from ._library import Options, Owned, encoded, enum_of, ffi, instance_of, lib, name_of, path_of, sized
from .bases import Path, _result, take_memory
from .contexts import Context, Made, as_context
from .curves import Curve, curve_of
from .errors import BadLength
from .vectors import Vector

if TYPE_CHECKING:
    import numpy
    from typing_extensions import Unpack


class Groth16Info(NamedTuple):
    """The circuit and the sizes of a key. For a verifying key wires, domain, coefficients, witness_bytes and key_bytes are 0."""

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


def _describe(function: Any, owned: Owned) -> Groth16Info:
    info = sized("sumac_groth16_info")
    status = function(owned.pointer, info)
    assert status == 0, status
    numbers = (int(getattr(info, name)) for name in Groth16Info._fields[2:-1])
    return Groth16Info(curve_of(info.g1), curve_of(info.g2), *numbers, bool(info.has_verifying_key))  # type: ignore[arg-type, call-arg]


def _is_path(file: Any) -> bool:
    return isinstance(file, (str, os.PathLike))


class Groth16VerifyingKey(Made):
    """A key that verifies proofs of one circuit. It is immutable, and shared by threads, which need a context each."""

    _what = "verifying key"

    def __init__(self, context: Context, file: Any):
        """Open a verification_key.json of snarkjs, a .zkey, a prepared key, or gnark's: a path, or the bytes of such a file."""
        context, kind = as_context(context), "sumac_groth16_verifying_key"
        if _is_path(file):
            pointer = context._make(kind, lib.sumac_groth16_verifying_key_open, path_of(file))
        else:
            memory = host_memory(file, "the bytes of a verifying key")
            pointer = context._make(kind, lib.sumac_groth16_verifying_key_create, memory.pointer, memory.bytes)
        self._hold(context, context._own(pointer, lib.sumac_groth16_verifying_key_destroy))

    def _hold(self, context: Context, owned: Owned) -> None:
        self._context, self._owned = context, owned
        self.info = _describe(lib.sumac_groth16_verifying_key_describe, owned)

    def _publics(self, publics: Any, count: int = 1) -> Any:
        if isinstance(publics, (list, tuple)) and all(hasattr(x, "__index__") for x in publics):
            publics = integer_bytes(publics, self.info.g1.scalar_bytes, "public inputs")
        return _exactly(publics, count * self.info.publics_bytes, "public inputs")

    def verify(self, publics: Any, proof: Any, *, context: Optional[Context] = None) -> bool:
        """Verify a proof for these public inputs."""
        inputs, given = self._publics(publics), _exactly(proof, self.info.proof_bytes, "the bytes of a proof")
        return self._ask(context, lib.sumac_groth16_verify, inputs.pointer, given.pointer)

    def verify_batch(self, publics: Any, proofs: Any, *, context: Optional[Context] = None) -> bool:
        """Verify several proofs at once: true if all hold. It is several times as fast as verify() for each."""
        given, count = records_of(proofs, self.info.proof_bytes, "proofs")
        if isinstance(publics, (list, tuple)) and publics and not hasattr(publics[0], "__index__"):
            publics = b"".join(bytes(ffi.buffer(m.pointer, m.bytes)) for m in map(self._publics, publics))
        inputs = self._publics(publics, count)
        return self._ask(context, lib.sumac_groth16_verify_batch, inputs.pointer, given.pointer, count)

    # ---- Other forms of proofs and public inputs ----

    def _to(self, context: Optional[Context], function: Any, memory: Any, *arguments: Any) -> bytes:
        made, count = ffi.new("void **"), ffi.new("size_t *")
        self._do(context, function, memory.pointer, *arguments, made, count)
        return take_memory(made[0], count[0]).tobytes()

    def _to_text(self, context: Optional[Context], function: Any, memory: Any) -> str:
        made = ffi.new("char **")
        self._do(context, function, memory.pointer, made)
        owned = ffi.gc(made[0], lib.sumac_free)
        return ffi.string(owned).decode()

    def _from(self, context: Optional[Context], function: Any, data: Any, name: str, size: int) -> bytes:
        called = name_of(name, "the name")
        memory = host_memory(encoded(data, name) if isinstance(data, str) else data, f"the bytes of {name}")
        array, pointer = result_array((size,))
        # Text is passed like bytes, because the library takes its length.
        start = ffi.cast("const char *", memory.pointer)
        self._do(context, function, start, memory.bytes, called, pointer)
        return array.tobytes()

    def proof_to_json(self, proof: Any, *, context: Optional[Context] = None) -> str:
        """Return the text of snarkjs' proof.json."""
        return self._to_text(context, lib.sumac_groth16_proof_to_json, _exactly(proof, self.info.proof_bytes,
                                                                                  "the bytes of a proof"))

    def publics_to_json(self, publics: Any, *, context: Optional[Context] = None) -> str:
        """Return the text of snarkjs' public.json."""
        return self._to_text(context, lib.sumac_groth16_publics_to_json, self._publics(publics))

    def proof_from_json(self, text: Any, name: str = "proof.json", *, context: Optional[Context] = None) -> bytes:
        """Parse the text of proof.json to a proof; errors call the text `name`."""
        return self._from(context, lib.sumac_groth16_proof_from_json, text, name, self.info.proof_bytes)

    def publics_from_json(self, text: Any, name: str = "public.json", *, context: Optional[Context] = None) -> bytes:
        """Parse the text of public.json to public inputs."""
        return self._from(context, lib.sumac_groth16_publics_from_json, text, name, self.info.publics_bytes)

    def proof_to_gnark(self, proof: Any, encoding: Union[Groth16GnarkEncoding, str] = "compressed", *,
                       context: Optional[Context] = None) -> bytes:
        """Encode a proof as gnark writes it: "compressed" is WriteTo(), "raw" WriteRawTo()."""
        return self._to(context, lib.sumac_groth16_proof_to_gnark, _exactly(proof, self.info.proof_bytes, "the bytes of a proof"),
                        enum_of(Groth16GnarkEncoding, encoding, "encoding"))

    def publics_to_gnark(self, publics: Any, *, context: Optional[Context] = None) -> bytes:
        """Encode public inputs as gnark's public witness."""
        return self._to(context, lib.sumac_groth16_publics_to_gnark, self._publics(publics))

    def proof_from_gnark(self, data: Any, name: str = "proof", *, context: Optional[Context] = None) -> bytes:
        """Decode a proof that gnark wrote in either encoding."""
        return self._from(context, lib.sumac_groth16_proof_from_gnark, data, name, self.info.proof_bytes)

    def publics_from_gnark(self, data: Any, name: str = "public", *, context: Optional[Context] = None) -> bytes:
        """Decode the public inputs of gnark's public witness."""
        return self._from(context, lib.sumac_groth16_publics_from_gnark, data, name, self.info.publics_bytes)


def _exactly(value: Any, size: int, what: str) -> Any:
    memory = host_memory(value, what)
    if memory.bytes != size:
        raise BadLength(f"{what} take {memory.bytes} bytes, and must take {size}")
    return memory


class Groth16Key(Made):
    """A proving key, resident where the context computes, with its verifying key `verifying`. It is immutable, and shared by
    threads, which need a context each."""

    _what = "proving key"

    def __init__(self, context: Context, file: Any, *, verifying: Optional[Groth16VerifyingKey] = None,
                 **options: Unpack[Groth16KeyOptions]):
        """Open a key of snarkjs (.zkey) or gnark, or a prepared key of save(): a path, or the bytes of such a file. Gnark's keys need
        `verifying`. The options are fields of sumac_groth16_key_config."""
        context = as_context(context)
        filled = Options("sumac_groth16_key_config", dict(options), always=verifying is not None)
        needs: Tuple[Any, ...] = ()
        if verifying is not None:
            needs = (instance_of(Groth16VerifyingKey, verifying, "the verifying key")._take(),)
            filled.set("verifying", needs[0].pointer)
        if _is_path(file):
            pointer = context._make("sumac_groth16_key", lib.sumac_groth16_key_open, path_of(file), filled.pointer)
        else:
            memory = host_memory(file, "the bytes of a proving key")
            pointer = context._make("sumac_groth16_key", lib.sumac_groth16_key_create, memory.pointer, memory.bytes,
                                    filled.pointer)
        self._adopt(context, pointer, lib.sumac_groth16_key_destroy, *needs)
        self.info = _describe(lib.sumac_groth16_key_describe, self._take())
        # It is the caller's verifying key if one was given; else it is a part of the proving key, and lives with it.
        self.verifying = verifying or _part_of(context, self._take())

    def save(self, path: Path, *, context: Optional[Context] = None) -> None:
        """Save the prepared key to a file, which check="none" opens in the time of a copy."""
        self._do(context, lib.sumac_groth16_key_save, path_of(path))

    def witness(self, file: Any, *, context: Optional[Context] = None) -> numpy.ndarray:
        """Read a witness from a .wtns file or gnark's solution: a path, or the bytes."""
        made = ffi.new("void **")
        if _is_path(file):
            self._do(context, lib.sumac_groth16_witness_open, path_of(file), made)
        else:
            memory = host_memory(file, "the bytes of a witness")
            self._do(context, lib.sumac_groth16_witness_create, memory.pointer, memory.bytes, made)
        return take_memory(made[0], self.info.witness_bytes)

    def check_witness(self, witness: Any, r1cs_path: Path, *, context: Optional[Context] = None) -> None:
        """Check a witness against the circuit's constraints: raises NotSatisfied, which names the first that does not hold."""
        memory = _exactly(witness, self.info.witness_bytes, "the bytes of a witness")
        self._do(context, lib.sumac_groth16_witness_check, memory.pointer, path_of(r1cs_path))

    def prove(self, witnesses: Any, *, out: Any = None, context: Optional[Context] = None,
              **options: Unpack[Groth16ProveOptions]) -> Any:
        """Make a proof for each witness, verified before it is returned: an array with a row for each, or `out`. `witnesses` are
        bytes, or a Vector of wires where the context computes. The options are fields of sumac_groth16_prove_config."""
        if isinstance(witnesses, Vector):
            count = len(witnesses) // (self.info.wires or 1)
            if count * self.info.wires != len(witnesses):
                raise BadLength(f"the vector has {len(witnesses)} scalars, which are no witnesses of {self.info.wires} wires")
            given: Any = witnesses._take()
        else:
            memory, count = records_of(witnesses, self.info.witness_bytes, "witnesses")
            given = memory.pointer
        filled = self._prove_options(options, count)
        proofs, pointer = _result(out, (count, self.info.proof_bytes))
        function = lib.sumac_groth16_prove_vector if isinstance(witnesses, Vector) else lib.sumac_groth16_prove
        self._do(context, function, given, count, filled.pointer, pointer)
        return proofs

    def _prove_options(self, options: Any, count: int) -> Options:
        given = dict(options)
        randomness = given.pop("randomness", None)
        filled = Options("sumac_groth16_prove_config", given, always=randomness is not None)
        if randomness is not None:
            if isinstance(randomness, (list, tuple)):
                randomness = integer_bytes(randomness, self.info.g1.scalar_bytes, "random numbers")
            memory = _exactly(randomness, 2 * count * self.info.g1.scalar_bytes, "random numbers")
            filled.keep.append(memory)
            filled.set("randomness", ffi.cast("void *", memory.pointer))
        return filled


def _part_of(context: Context, key: Owned) -> Groth16VerifyingKey:
    """Return the verifying key that is a part of a proving key, and keeps that alive."""
    verifying = Groth16VerifyingKey.__new__(Groth16VerifyingKey)
    pointer = lib.sumac_groth16_key_verifying(key.pointer)
    verifying._hold(context, Owned(pointer, lambda _: None, (key,)))
    return verifying


__all__: Sequence[str] = ["Groth16Info", "Groth16Key", "Groth16VerifyingKey"]
