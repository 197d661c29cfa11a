# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file proves the claims on every routine of both field.S, for every p within its bound and all operands."""
import random
import re

import pytest

import instructions
import mutants
import processor
import toolchain
from algebra import Reject
from claims.field_assembly import CLAIMS, PAIRS_OF_FP2
from claims.routine import prove


def source_of(architecture):
    return (toolchain.ROOT / "src" / "math" / architecture.name / "field.S").read_text()


def exported(architecture):
    """Return {routine: the comment above it}."""
    pattern = r"/\* ([^*]*(?:\*(?!/)[^*]*)*) \*/\n    \.globl (?:SYMBOL\()?%s(\w+)" % architecture.prefix
    return {match[2]: match[1] for match in re.finditer(pattern, source_of(architecture))}


def test_each_routine_has_a_claim_in_its_words(architecture):
    routines = exported(architecture)
    assert len(routines) == len(re.findall(r"\.globl", source_of(architecture)))
    claims = {claim.routine: claim.text for claim in CLAIMS}
    assert set(routines) == set(claims)
    for routine, text in routines.items():
        assert text.startswith(claims[routine]), routine


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.routine)
def test_claim(architecture, routines_of, claim):
    prove(claim, routines_of(architecture)[architecture.prefix + claim.routine], architecture, random.Random(1))


@pytest.mark.parametrize("claim", PAIRS_OF_FP2, ids=lambda c: "%s-%d" % (c.routine, c.share - 2))
def test_pair_with_a_factor_above_p(architecture, routines_of, claim):
    prove(claim, routines_of(architecture)[architecture.prefix + claim.routine], architecture, random.Random(1))


def by_name(name):
    return next(claim for claim in CLAIMS if claim.routine == name)


def with_bound(claim, operand, bound):
    return claim.but(operands=tuple((n, limbs, bound if n == operand else b) for n, limbs, b in claim.operands))


# These bounds are too generous by one spare bit, or by one.
FALSE = {
    "mul_4 of any p": by_name("mul_4").but(share=1),
    "mul_5 of any p": by_name("mul_5").but(share=1),
    "mul_6 of any p": by_name("mul_6").but(share=1),
    "sqr_4 of any p": by_name("sqr_4").but(share=1),
    "sqr_5 of any p": by_name("sqr_5").but(share=1),
    "sqr_6 of any p": by_name("sqr_6").but(share=1),
    "mul_4 of a < 2p": with_bound(by_name("mul_4"), "A", {1: 2, 0: -1}),
    "mul_4_full of any a and b": with_bound(with_bound(by_name("mul_4_full"), "A", None), "B", None),
    "mul_pair_4 of c <= 3p where p < R/3": with_bound(by_name("mul_pair_4"), "C", {1: 3}),
    "redc_10 below p": by_name("redc_10_below_2p").but(below=1),
    "redc_12 below p": by_name("redc_12_below_2p").but(below=1),
    "redc_10 of any p": by_name("redc_10_below_2p").but(share=1),
    "add_10 of any p": by_name("add_10").but(share=1),
    "add_12 of any p": by_name("add_12").but(share=1),
    "add_10 of a, b <= p": with_bound(with_bound(by_name("add_10"), "A", {1: 1}), "B", {1: 1}),
    "sub_10 of b <= p + 1": with_bound(by_name("sub_10"), "B", {1: 1, 0: 1}),
    "sub_10 of a <= p": with_bound(by_name("sub_10"), "A", {1: 1}),
    "mul_wide_5 whose result is an operand, too": by_name("mul_wide_5").but(may_alias=True),
    "mul_wide_add_6 without what was there": by_name("mul_wide_add_6").but(accumulates=False),
    "sqr_4 of a sum": by_name("sqr_4").but(terms=((1, "A", "A"), (1, "A"))),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_refused(architecture, routines_of, name):
    claim = FALSE[name]
    with pytest.raises(Reject):
        prove(claim, routines_of(architecture)[architecture.prefix + claim.routine], architecture, random.Random(1))


@pytest.mark.parametrize("name", [name for name in FALSE if not name.startswith("mul_wide")])
def test_false_claims_are_false(architecture, routines_of, tmp_path, name):
    """Check that the processor finds operands for which the claims do not hold."""
    claim, rng = FALSE[name], random.Random(2)
    code = routines_of(architecture)[architecture.prefix + claim.routine]
    results = processor.run_routine(architecture, claim, code, [claim.trial(rng) for _ in range(600)], tmp_path)
    assert not all(claim.is_met(numbers, result, returned) for numbers, result, returned, _ in results)


def test_claims_on_the_processor(architecture, routines_of, tmp_path):
    """Check on the processor that the routines meet the claims, so that the claims' check by numbers agrees with their text."""
    for claim in CLAIMS:
        rng = random.Random(3)
        code = routines_of(architecture)[architecture.prefix + claim.routine]
        results = processor.run_routine(architecture, claim, code, [claim.trial(rng) for _ in range(100)], tmp_path)
        for numbers, result, returned, missed in results:
            assert claim.is_met(numbers, result, returned) and not missed, claim.routine


def test_instructions(architecture, routines_of, tmp_path):
    """Check that the processor does what the machines define for each instruction of field.S."""
    compared = instructions.compare(architecture, routines_of(architecture), tmp_path)
    assert len({key.split()[0] for key in compared}) >= 16


def test_no_mutant_is_proved_wrongly(architecture, routines_of, tmp_path):
    """Check for a sample of damaged routines that none is proved which computes something else. mutants.py has longer runs."""
    count = len(CLAIMS) * 3 // 4
    found = mutants.survivors(architecture, routines_of(architecture), CLAIMS, count, 42, tmp_path)
    assert all(good for _, _, good in found), found
    assert len(found) <= count // 4
