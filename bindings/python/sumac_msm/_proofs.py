# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module has what keys of Groth16 and of PLONK have in common."""
from __future__ import annotations

import os
from typing import Any, Optional

from ._buffers import host_memory, integer_bytes, records_of, result_array
from ._library import encoded, ffi, name_of
from .bases import take_memory
from .contexts import Context, Made
from .errors import BadLength


def is_path(file: Any) -> bool:
    return isinstance(file, (str, os.PathLike))


def contents(file: Any) -> Any:
    """Return the bytes of a file that is given by its path or its bytes."""
    if not is_path(file):
        return file
    with open(file, "rb") as opened:
        return opened.read()


def exactly(value: Any, size: int, what: str) -> Any:
    memory = host_memory(value, what)
    if memory.bytes != size:
        raise BadLength(f"{what} take {memory.bytes} bytes, and must take {size}")
    return memory


class Verifier(Made):
    """A verifying key. Its `info` has the lengths of proofs and of public inputs."""

    info: Any

    def _publics(self, publics: Any, count: int = 1) -> Any:
        if isinstance(publics, (list, tuple)) and all(hasattr(x, "__index__") for x in publics):
            publics = integer_bytes(publics, self.info.g1.scalar_bytes, "public inputs")
        return exactly(publics, count * self.info.publics_bytes, "public inputs")

    def _verify(self, context: Optional[Context], function: Any, publics: Any, proofs: Any) -> bool:
        given, count = records_of(proofs, self.info.proof_bytes, "proofs")
        if count == 0:
            raise BadLength("there is no proof to verify")
        if isinstance(publics, (list, tuple)) and publics and not hasattr(publics[0], "__index__"):
            publics = b"".join(bytes(ffi.buffer(m.pointer, m.bytes)) for m in map(self._publics, publics))
        inputs = self._publics(publics, count)
        return self._ask(context, function, inputs.pointer, inputs.bytes, given.pointer, given.bytes, count)

    def _encode(self, context: Optional[Context], function: Any, memory: Any, format: str) -> bytes:
        made, count = ffi.new("void **"), ffi.new("size_t *")
        self._do(context, function, memory.pointer, memory.bytes, name_of(format, "the format"), made, count)
        return take_memory(made[0], count[0]).tobytes()

    def _decode(self, context: Optional[Context], function: Any, data: Any, format: str, name: str, size: int) -> bytes:
        memory = host_memory(encoded(data, name) if isinstance(data, str) else data, f"the bytes of {name}")
        array, pointer = result_array((size,))
        self._do(context, function, memory.pointer, memory.bytes, name_of(format, "the format"), name_of(name, "the name"), pointer,
                 size)
        return array.tobytes()
