# SPDX-License-Identifier: Apache-2.0 OR MIT
"""add.h of both processors, as compiled: the sums and differences of every prime field of 4, 5 and 6 limbs."""
import random

import pytest

import instructions
import toolchain
from algebra import Reject
from claims import additions
from claims.routine import prove
from curves import ALL, prime
from machines.machine import Section, disassemble


def limbs_of(p):
    return -(-p.bit_length() // 64)


def curves_of_primes():
    """{prime: a curve over it}, where add.h is used: four limbs, or five and six with a spare bit."""
    found = {}
    for curve in ALL:
        p = prime(curve)
        limbs = limbs_of(p)
        if limbs == 4 or limbs in (5, 6) and p.bit_length() < 64 * limbs:
            found.setdefault(p, curve)
    return found


CURVES = curves_of_primes()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A function: the routines and the constants of an architecture for a prime."""
    known = {}

    def build(architecture, modulus):
        key = architecture.name, modulus
        if key not in known:
            target = tmp_path_factory.mktemp("additions") / "add.so"
            toolchain.compile_library(architecture.name, additions.SOURCE % CURVES[modulus], target)
            objdump = toolchain.objdump(architecture.name)
            known[key] = disassemble(target, objdump, architecture.module.parse_operand), Section(target, objdump)
        return known[key]

    return build


@pytest.mark.parametrize("modulus", CURVES, ids=CURVES.values())
def test_sum_and_difference(architecture, compiled, modulus):
    routines, section = compiled(architecture, modulus)
    for claim in additions.claims(modulus, limbs_of(modulus)):
        prove(claim, routines[claim.routine], architecture, random.Random(1), section)


def test_false_claims_are_refused(architecture, compiled):
    modulus = next(p for p, curve in CURVES.items() if curve.startswith("bn254"))
    routines, section = compiled(architecture, modulus)
    for claim in additions.claims(modulus, 4):
        other = claim.but(terms=((1, "A"), (-claim.terms[1][0], "B")))
        wider = claim.but(operands=tuple((name, limbs, {1: 1, 0: 1}) for name, limbs, _ in claim.operands))
        for false in (other, wider, claim.but(modulus=modulus - 2), claim.but(modulus=modulus + 2)):
            with pytest.raises(Reject):
                prove(false, routines[claim.routine], architecture, random.Random(1), section)


def test_instructions(architecture, compiled, tmp_path):
    """Those that field.S has no use for, among others."""
    routines = {}
    for modulus, curve in CURVES.items():
        code, _ = compiled(architecture, modulus)
        routines.update({(curve, name): code[name] for name in ("sum", "difference")})
    instructions.compare(architecture, routines, tmp_path)
