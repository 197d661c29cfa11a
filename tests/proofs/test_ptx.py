# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file proves claims on the device's field arithmetic, which claims/ptx.py has. The proofs need nvcc, but no GPU."""
import os
import random
from fractions import Fraction

import pytest

from algebra import Reject
from claims import ptx
from machines.ptx import HANDLERS, Instruction, Program
from machines.ptx_numbers import MEANINGS, Stuck, execute
from mutants import in_time

FIELDS = {field.name: field for field in ptx.fields()}
MUTANTS = int(os.environ.get("SUMAC_PROOFS_MUTANTS", "6"))  # of each routine below
PATIENCE = 1  # seconds of processor time after which a mutant counts as not proved
MUTATED = [("bn254_g1.coordinates", "sum"), ("bn254_g1.coordinates", "difference"), ("bn254_g1.coordinates", "product"),
           ("secp256k1_g1.scalars", "sum")]

pytestmark = pytest.mark.skipif(ptx.nvcc() is None, reason="there is no nvcc (tools/install-deps.sh cuda)")


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """Return a function that gives the PTX of a field."""
    folder, compiled = tmp_path_factory.mktemp("ptx"), {}

    def program(name):
        if name not in compiled:
            compiled[name] = Program(ptx.compile_field(FIELDS[name], folder / (name + ".ptx")))
        return compiled[name]

    return program


@pytest.mark.parametrize("name", FIELDS)
def test_every_routine_is_proved(programs, name):
    field, entries = FIELDS[name], programs(name).entries
    spare_bits = 64 * field.limbs - field.p.bit_length()
    routines = set(ptx.TERMS) - ({"pair"} if spare_bits < 2 else set()) - ({"to_montgomery"} if spare_bits == 0 else set())
    assert set(entries) == routines
    for routine, code in entries.items():
        claim = ptx.claim_of(field, routine)
        try:
            ptx.prove(claim, code)
        except Reject as reason:
            pytest.fail("%s of %s: %s" % (routine, name, reason))
        assert computes(claim, code, 1, random.Random(1))  # The interpreter shares no code with the engine.


def computes(claim, code, trials, rng):
    """Return whether the interpreter's result meets the claim for each of `trials` draws of operands."""
    for _ in range(trials):
        numbers = claim.trial(rng)
        try:
            if not claim.is_met(numbers, execute(code, numbers, 8 * claim.limbs), 0):
                return False
        except (Stuck, KeyError):
            return False
    return True


def test_every_meaning_is_compared():
    """Check that ptx_meanings.py, which compares MEANINGS with a GPU, has all instructions of the machine but moves."""
    assert {name for name in HANDLERS if not name.startswith(("mov", "cvta", "ld.", "st."))} <= set(MEANINGS)


def test_false_claims_are_refused(programs):
    field = FIELDS["bn254_g1.coordinates"]
    entries, p = programs(field.name).entries, field.p
    other = {"difference": ((1, "B"), (-1, "A")), "sum": ((1, "A"), (2, "B")), "product": ((1, "A", "B"), (1, "A")),
             "pair": ((1, "A", "B"), (-1, "C", "D"))}
    false = [ptx.claim_of(field, routine, below=Fraction(p - 1, p)) for routine in ("sum", "difference", "product", "square", "pair")]
    false += [ptx.claim_of(field, routine, {"A": p, "B": p}) for routine in ("sum", "difference")]
    # 2p - 1 + (p - 1) - p is not below p. The pair needs (k + 1) * p <= R, of which k is the greatest.
    false += [ptx.claim_of(field, "sum", {"A": 2 * p - 1}), ptx.claim_of(field, "pair", {"C": (field.most_multiple + 1) * p})]
    false += [ptx.claim_of(field, routine, terms=terms) for routine, terms in other.items()] + [ptx.claim_of(field, "square", kind="residue")]
    # This modulus is not the code's.
    false += [ptx.claim_of(field._replace(p=p + 2**96), routine) for routine in ("sum", "difference", "product")]
    for claim in false:
        with pytest.raises(Reject):
            ptx.prove(claim, entries[claim.routine])


def test_a_spare_bit_that_is_not_there_is_refused(tmp_path):
    """The code is for moduli with spare bits, and is compiled for a modulus without one."""
    header = tmp_path / "false_bits.h"
    header.write_text('#include "curves/generated/secp256k1_g1.h"\n#undef FP_BITS\n#define FP_BITS 254\n', encoding="utf-8")
    field = FIELDS["secp256k1_g1.coordinates"]
    entries = Program(ptx.compile_field(field, tmp_path / "false_bits.ptx", header=str(header))).entries
    for routine in ("sum", "product"):
        assert not is_proved(ptx.claim_of(field, routine), entries[routine])


# ---- mutants ----

OTHER = {
    "add.cc.u32": ["addc.cc.u32", "sub.cc.u32"], "addc.cc.u32": ["add.cc.u32", "subc.cc.u32"], "addc.u32": ["addc.cc.u32"],
    "sub.cc.u32": ["add.cc.u32"], "subc.cc.u32": ["sub.cc.u32", "addc.cc.u32"], "setp.eq.s32": ["setp.ne.s32"],
    "mad.lo.cc.u32": ["madc.lo.cc.u32", "madc.hi.cc.u32"], "madc.lo.cc.u32": ["mad.lo.cc.u32", "madc.hi.cc.u32"],
    "madc.hi.cc.u32": ["madc.lo.cc.u32"], "add.cc.s64": ["addc.cc.s64", "sub.cc.s64"],
    "addc.cc.s64": ["add.cc.s64", "subc.cc.s64"], "sub.cc.s64": ["add.cc.s64"], "subc.cc.s64": ["sub.cc.s64"],
    "mul.hi.u64": ["mul.lo.s64"], "mul.lo.s64": ["mul.hi.u64"], "and.b64": ["or.b64"], "or.b64": ["and.b64"],
}


def damage(code, rng):
    """Return the code with one instruction changed in its opcode, a register, a number or an offset, or left out."""
    names = [o for i in code.instructions for o in i.operands if o.startswith("%r")]
    while True:
        at, kind = rng.randrange(len(code.instructions) - 1), rng.choice(["opcode", "register", "number", "deletion"])
        old = code.instructions[at]
        if kind == "deletion":
            return code._replace(instructions=code.instructions[:at] + code.instructions[at + 1:])
        new = old
        if kind == "opcode" and old.name in OTHER:
            new = old._replace(name=rng.choice(OTHER[old.name]))
        elif old.operands:
            place = rng.randrange(len(old.operands))
            operand = old.operands[place]
            if kind == "register" and operand.startswith("%r"):
                same_width = [n for n in names if n.startswith("%rd") == operand.startswith("%rd")]
                operand = rng.choice(same_width)
            elif kind == "number" and operand.lstrip("-").isdigit():
                operand = str(int(operand) + rng.choice([1, -1]))
            elif kind == "number" and operand.startswith("[%"):
                operand = operand.replace("]", "+8]") if "+" not in operand else operand.split("+")[0] + "]"
            new = Instruction(old.guard, old.name, old.operands[:place] + (operand,) + old.operands[place + 1:])
        if new != old:
            return code._replace(instructions=code.instructions[:at] + [new] + code.instructions[at + 1:])


def is_proved(claim, code):
    """Return whether the claim is proved. With operands that no assembler would accept, the machine fails by other exceptions
    than Reject."""
    try:
        return in_time(PATIENCE, ptx.prove, claim, code) is not None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return False


@pytest.mark.parametrize("name,routine", MUTATED)
def test_mutants_are_killed(programs, name, routine):
    """Check that a mutant that is still proved computes the same results."""
    claim, code, rng = ptx.claim_of(FIELDS[name], routine), programs(name).entries[routine], random.Random(42)
    survivors = []
    for number in range(MUTANTS):
        mutant = damage(code, rng)
        if is_proved(claim, mutant):
            survivors.append(number)
            assert computes(claim, mutant, 100, rng), (number, set(mutant.instructions) - set(code.instructions))
    assert len(survivors) <= MUTANTS // 5, survivors
