# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests claims on fp_add_limbs and fp_sub_limbs of src/math/x86_64/add.h and src/math/aarch64/add.h, as the compiler
inlines them. As the modulus is a number in the code, the claims are for the primes of the curves of 4, 5 and 6 limbs."""
import random

import pytest

import instructions
import toolchain
from algebra import Reject
from claims.routine import BELOW_P, Claim, prove
from curves import ALL, prime
from machines.machine import Section, disassemble


SOURCE = """
#include "curves/generated/%s.h"
#include "math/field.h"
void sum(uint64_t *r, const uint64_t *a, const uint64_t *b) { fp_add_limbs(r, a, b); }
void difference(uint64_t *r, const uint64_t *a, const uint64_t *b) { fp_sub_limbs(r, a, b); }
"""


def claims_of(p, limbs):
    operands = tuple((name, limbs, BELOW_P) for name in "AB")
    for routine, sign in (("sum", 1), ("difference", -1)):
        text = "r = a %s b mod p" % ("+" if sign > 0 else "-")
        yield Claim(routine, text, limbs, "residue", operands, ((1, "A"), (sign, "B")), limbs, modulus=p)


def limbs_of(p):
    return -(-p.bit_length() // 64)


def curves_of_primes():
    """Return {prime: a curve over it} for the primes with which add.h is used. They have four limbs, or five or six with a
    spare bit."""
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
    """Return a function that gives the routines and the constants of an architecture for a prime."""
    known = {}

    def build(architecture, modulus):
        key = architecture.name, modulus
        if key not in known:
            target = tmp_path_factory.mktemp("additions") / "add.so"
            toolchain.compile_library(architecture.name, SOURCE % CURVES[modulus], target)
            objdump = toolchain.objdump(architecture.name)
            known[key] = disassemble(target, objdump, architecture.module.parse_operand), Section(target, objdump)
        return known[key]

    return build


@pytest.mark.parametrize("modulus", CURVES, ids=CURVES.values())
def test_sum_and_difference(architecture, compiled, modulus):
    routines, section = compiled(architecture, modulus)
    for claim in claims_of(modulus, limbs_of(modulus)):
        prove(claim, routines[claim.routine], architecture, random.Random(1), section)


def test_false_claims_are_refused(architecture, compiled):
    modulus = next(p for p, curve in CURVES.items() if curve.startswith("bn254"))
    routines, section = compiled(architecture, modulus)
    for claim in claims_of(modulus, 4):
        other = claim.but(terms=((1, "A"), (-claim.terms[1][0], "B")))
        wider = claim.but(operands=tuple((name, limbs, {1: 1, 0: 1}) for name, limbs, _ in claim.operands))
        for false in (other, wider, claim.but(modulus=modulus - 2), claim.but(modulus=modulus + 2)):
            with pytest.raises(Reject):
                prove(false, routines[claim.routine], architecture, random.Random(1), section)


def test_instructions(architecture, compiled, tmp_path):
    """The instructions are compared with the processor. Some of them do not occur in field.S."""
    routines = {}
    for modulus, curve in CURVES.items():
        code, _ = compiled(architecture, modulus)
        routines.update({(curve, name): code[name] for name in ("sum", "difference")})
    instructions.compare(architecture, routines, tmp_path)
