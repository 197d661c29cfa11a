# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of the device's field arithmetic: claims/ptx.py has the claims. They need nvcc, and no GPU."""
import os
import random
import signal

import pytest

from algebra import Reject, add, mul, scale
from claims import ptx
from machines.ptx import HANDLERS, Instruction, Program
from machines.ptx_numbers import MEANINGS, Stuck, execute

FIELDS = {field.name: field for field in ptx.fields()}
MUTANTS = int(os.environ.get("SUMAC_PROOFS_MUTANTS", "6"))  # of each routine below
PATIENCE = 1  # seconds of processor time after which a mutant counts as not proved
MUTATED = [("bn254_g1.coordinates", "sum"), ("bn254_g1.coordinates", "difference"), ("bn254_g1.coordinates", "product"),
           ("secp256k1_g1.scalars", "sum")]

pytestmark = pytest.mark.skipif(ptx.nvcc() is None, reason="there is no nvcc (tools/install-deps.sh cuda)")


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """A function: the PTX of a field."""
    folder, compiled = tmp_path_factory.mktemp("ptx"), {}

    def program(name):
        if name not in compiled:
            compiled[name] = Program(ptx.compile_field(FIELDS[name], folder / (name + ".ptx")))
        return compiled[name]

    return program


def expected(field, routine, n):
    """The routine's result, by its definition."""
    p, radix = field.p, field.radix
    n = {name: n.get(name, 0) for name in "ABCD"}
    return {"sum": n["A"] + n["B"], "difference": n["A"] - n["B"], "negation": -n["A"], "doubling": 2 * n["A"],
            "product": n["A"] * n["B"] * pow(radix, -1, p), "square": n["A"] ** 2 * pow(radix, -1, p),
            "pair": (n["A"] * n["B"] + n["C"] * n["D"]) * pow(radix, -1, p),
            "to_montgomery": n["A"] * radix, "from_montgomery": n["A"] * pow(radix, -1, p)}[routine] % p


@pytest.mark.parametrize("name", FIELDS)
def test_every_routine_is_proved(programs, name):
    field, entries = FIELDS[name], programs(name).entries
    spare_bits = 64 * field.limbs - field.p.bit_length()
    routines = set(ptx.CLAIMS) - ({"pair"} if spare_bits < 2 else set()) - ({"to_montgomery"} if spare_bits == 0 else set())
    assert set(entries) == routines
    for routine, code in entries.items():
        try:
            ptx.prove(field, routine, code)
        except Reject as reason:
            pytest.fail("%s of %s: %s" % (routine, name, reason))
        # The interpreter knows nothing of the engine.
        operands = ptx.trial(field, ptx.greatest_operands(field, routine), 1)
        assert execute(code, operands, 8 * field.limbs) == expected(field, routine, operands), (routine, operands)


def test_every_meaning_is_compared():
    """ptx_meanings.py compares MEANINGS with a GPU: no instruction of the machine is missing but moves."""
    assert {name for name in HANDLERS if not name.startswith(("mov", "cvta", "ld.", "st."))} <= set(MEANINGS)


def refuse(field, routine, code, **changes):
    with pytest.raises(Reject):
        ptx.prove(field, routine, code, **changes)


def test_false_claims_are_refused(programs):
    field = FIELDS["bn254_g1.coordinates"]
    entries, p = programs(field.name).entries, field.p
    for routine in ("sum", "difference", "product", "square", "pair"):
        refuse(field, routine, entries[routine], below=p - 1)  # p - 1 is a result
    for routine in ("sum", "difference"):
        refuse(field, routine, entries[routine], most={"A": p, "B": p})
    # 2p - 1 + (p - 1) - p is not below p; and (k + 1) * p <= R is needed, of which k is the greatest.
    refuse(field, "sum", entries["sum"], most={"A": 2 * p - 1, "B": p - 1})
    refuse(field, "pair", entries["pair"], most={"A": p - 1, "B": p - 1, "C": (field.most_multiple + 1) * p, "D": p - 1})
    claims = {
        "difference": ptx.Claim("AB", "1", lambda n, R: add(n["B"], n["A"], -1)),
        "sum": ptx.Claim("AB", "1", lambda n, R: add(n["A"], scale(n["B"], 2))),
        "product": ptx.Claim("AB", "R", lambda n, R: add(mul(n["A"], n["B"]), n["A"])),
        "square": ptx.Claim("A", "1", lambda n, R: mul(n["A"], n["A"])),
        "pair": ptx.Claim("ABCD", "R", lambda n, R: add(mul(n["A"], n["B"]), mul(n["C"], n["D"]), -1)),
    }
    for routine, claim in claims.items():
        refuse(field, routine, entries[routine], claim=claim)
    for routine in ("sum", "difference", "product"):
        refuse(field._replace(p=p + 2**96), routine, entries[routine])  # another modulus than the code's


def test_a_spare_bit_that_is_not_there_is_refused(tmp_path):
    """The code for moduli with spare bits, compiled for one without them."""
    header = tmp_path / "false_bits.h"
    header.write_text('#include "curves/generated/secp256k1_g1.h"\n#undef FP_BITS\n#define FP_BITS 254\n', encoding="utf-8")
    field = FIELDS["secp256k1_g1.coordinates"]
    entries = Program(ptx.compile_field(field, tmp_path / "false_bits.ptx", header=str(header))).entries
    for routine in ("sum", "product"):
        assert not is_proved(field, routine, entries[routine])


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
    """The code with one instruction changed: its opcode, a register, a number or an offset; or it is left out."""
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


def is_proved(field, routine, code):
    def ring(*_):
        raise Reject("no proof in time")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        ptx.prove(field, routine, code)
        return True
    except (Reject, AttributeError, IndexError, KeyError, TypeError, ValueError):
        return False  # operands that no assembler would take make the machine fail otherwise
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def computes(field, routine, code, trials, rng):
    """True if the interpreter computes the routine's specified result for each of `trials` draws of operands."""
    most = ptx.greatest_operands(field, routine)
    for _ in range(trials):
        operands = ptx.trial(field, most, rng.random())
        try:
            if execute(code, operands, 8 * field.limbs) != expected(field, routine, operands):
                return False
        except (Stuck, KeyError):
            return False
    return True


@pytest.mark.parametrize("name,routine", MUTATED)
def test_mutants_are_killed(programs, name, routine):
    """A mutant that is still proved must compute the same results."""
    field, code, rng = FIELDS[name], programs(name).entries[routine], random.Random(42)
    survivors = []
    for number in range(MUTANTS):
        mutant = damage(code, rng)
        if is_proved(field, routine, mutant):
            survivors.append(number)
            assert computes(field, routine, mutant, 100, rng), (number, set(mutant.instructions) - set(code.instructions))
    assert len(survivors) <= MUTANTS // 5, survivors
