# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file proves claims on the code that ptxas makes of the device's field arithmetic for sm_90. The proofs need nvcc and
nvdisasm (of CUDA 13; PyPI has it as nvidia-cuda-nvdisasm), but no GPU."""
import random
import shutil
import subprocess
from fractions import Fraction

import pytest

from algebra import Reject
from claims import ptx
from machines.sass import Sass, parse

FIELDS = {field.name: field for field in ptx.fields()}
# These fields have 8 and 12 words of 32 bits, with two spare bits and with more. The code of secp256k1 is proved only as PTX.
CHOSEN = ["bn254_g1.coordinates", "bls12_381_g1.coordinates"]

pytestmark = pytest.mark.skipif(ptx.nvcc() is None or shutil.which("nvdisasm") is None, reason="there is no nvcc or no nvdisasm")


@pytest.fixture(scope="module", params=CHOSEN)
def compiled(request, tmp_path_factory):
    """Return a field and its kernels."""
    field = FIELDS[request.param]
    cubin = tmp_path_factory.mktemp("sass") / "field.cubin"
    ptx.compile_field(field, cubin, ("-cubin", "-arch=sm_90"))
    text = subprocess.run(["nvdisasm", "-c", str(cubin)], stdout=subprocess.PIPE, text=True, check=True).stdout
    inverse = -pow(field.p, -1, 2**32) % 2**32  # the value of fp_inv_word, which the PTX of the same source has as a table
    return field, parse(text, {"fp_inv_word": inverse.to_bytes(4, "little")})


def test_every_routine_is_proved(compiled):
    field, kernels = compiled
    assert set(kernels) == set(ptx.TERMS)
    for routine, code in kernels.items():
        ptx.prove(ptx.claim_of(field, routine), code, make=Sass)


def test_false_claims_are_refused(compiled):
    field, kernels = compiled
    below = Fraction(field.p - 1, field.p)
    false = [ptx.claim_of(field, routine, below=below) for routine in ("sum", "difference", "product", "square", "pair")]
    for claim in [*false, ptx.claim_of(field, "difference", terms=((1, "B"), (-1, "A")))]:
        with pytest.raises(Reject):
            ptx.prove(claim, kernels[claim.routine], make=Sass)


OTHER = {"IADD3.X": "IADD3", "IMAD.WIDE.U32.X": "IMAD.WIDE.U32", "UIMAD.WIDE.U32.X": "UIMAD.WIDE.U32", "UIADD3.X": "UIADD3"}


@pytest.mark.parametrize("routine", ["sum", "difference", "product", "square"])
def test_code_without_a_carry_or_an_instruction_is_refused(compiled, routine):
    field, kernels = compiled
    code, rng = kernels[routine], random.Random(routine)
    arithmetic = [i for i, (_, name, _) in enumerate(code.instructions) if name in OTHER]
    for number, at in enumerate(rng.sample(arithmetic, 4)):
        guard, name, operands = code.instructions[at]
        changed = [] if number % 2 else [code.instructions[at]._replace(name=OTHER[name])]
        with pytest.raises(Reject):
            mutant = code._replace(instructions=code.instructions[:at] + changed + code.instructions[at + 1:])
            ptx.prove(ptx.claim_of(field, routine), mutant, make=Sass)
