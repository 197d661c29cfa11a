# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the claims on mul_host.h and mul_rows.h, which are the portable C of Fp. They hold for every odd p of each
length, and are proved with and without a spare bit if that makes a difference.

fp_reduce_once is part of each proof. p and -1/p are unknown, and replace the numbers with which the code is compiled.
"""
import functools
import random

from algebra import Reject
from c_source import UNSIGNED_LONG, Cell, Run, address, every_way, program
from claims.field_assembly import K_OF_FP2, MUL, PAIR, SQR
from claims.routine import BELOW_P, Claim
from curves import ALL, header, modulus
from words import LEAVES, Words

FILES = ("math/field.h", "math/mul_host.h", "math/mul_rows.h")
BEFORE = """#undef __x86_64__
#include SUMAC_CURVE_HEADER
#undef F%s_INV
#define F%s_INV any_inverse
static const uint64_t any_inverse;
"""


@functools.lru_cache(maxsize=None)
def fields():
    """Return {p: (header, prefix)} with each modulus of the registry, of coordinates or of scalars, once."""
    found = {}
    for name in ALL:
        for prefix in ("FP", "FR"):
            found.setdefault(modulus(name, prefix), (name, prefix))
    return found


def most_limbs(name, prefix):
    return header(name)[prefix + "_LIMBS"]


def shapes():
    """Return {(limbs, whether there is a spare bit): (header, prefix)}. The code depends on nothing else of p."""
    found = {}
    for name, prefix in fields().values():
        limbs = most_limbs(name, prefix)
        found.setdefault((limbs, 64 * limbs > header(name)[prefix + "_BITS"]), (name, prefix))
    return found


OPERATIONS = {  # {function: kind, terms}
    "fp_add_limbs": ("residue", ((1, "A"), (1, "B"))), "fp_sub_limbs": ("residue", ((1, "A"), (-1, "B"))),
    "fp_mul_limbs": ("montgomery", MUL), "fp_sqr_limbs": ("montgomery", SQR), "fp_mul_pair_limbs": ("montgomery", PAIR),
}


def prove_routine(shape, function, alias=None, replaced=(), share=None, bounds=None, seed=1):
    """Prove that r = a + b, a - b, a * b / R, a * a / R or (a * b + c * d) / R modulo p, and r < p. The operands are below p,
    or within `bounds`, and p is any odd number below R/share. Return how many ways there were."""
    (limbs, spare), (name, prefix) = shape, shapes()[shape]
    code = program(name, FILES, ("math/field.h",) if prefix == "FP" else ("math/fr.h",), before=BEFORE % (prefix[1], prefix[1]),
                   replaced=replaced)
    kind, terms = OPERATIONS[function]
    letters = sorted({x for _, *factors in terms for x in factors})
    operands = tuple((x, limbs, (bounds or {}).get(x, BELOW_P)) for x in letters)
    claim, count = Claim(function, "", limbs, kind, operands, terms, limbs, share or 1 + spare), 0

    def start(choices):
        domain = Words()
        inverse = claim.enter(domain.world, random.Random(seed))
        cells = {x: [Cell(UNSIGNED_LONG, domain.world.of_atom(a)) for a in array.limbs] for x, array in domain.world.arrays.items()}
        run = Run(code, domain, LEAVES, {"fp_modulus": cells["P"], "any_inverse": Cell(UNSIGNED_LONG, inverse)}, choices)
        domain.run, r = run, cells[alias] if alias else [Cell(UNSIGNED_LONG) for _ in range(limbs)]

        def go():
            run.call(function, address(r), *(address(cells[x]) for x in letters))
            return r
        return run, go
    for run, r in every_way(start):
        if not run.domain.world.infeasible():
            claim.conclude(run.domain.world, [run.domain.word(c.value) for c in r])
            count += 1
    if not count:
        raise Reject("no way through")
    return count


def prove_sums(replaced=(), only=None):
    """The claims on fp_add_limbs and fp_sub_limbs are "r = a + b mod p", "r = a - b mod p"; "r may alias the operands"."""
    return sum(prove_routine(shape, function, alias, replaced)
               for shape in shapes() if shape == (only or shape) for function in ("fp_add_limbs", "fp_sub_limbs") for alias in (None, "A", "B"))


ALIASED = ((4, True), (1, True))  # For these, r is a separate object or each operand in turn; for others, r is one operand.


def prove_products(replaced=(), only=None):
    """The claim on fp_mul_limbs and fp_sqr_limbs is "r = a * b / R mod p", by Montgomery multiplication by rows, with and
    without a spare bit."""
    count = 0
    for shape in shapes():
        if shape[0] == (only or shape[0]):
            for alias in ("B", "A", None) if shape in ALIASED else ("B",):
                count += prove_routine(shape, "fp_mul_limbs", alias, replaced)
            if shape in ALIASED:
                count += prove_routine(shape, "fp_sqr_limbs", "A", replaced)
    return count


def prove_pairs(replaced=(), only=None):
    """The claim is fp_mul_pair_limbs: "r = (a * b + c * d) / R mod p, where FP_SPARE_BITS >= 2". For the fields below Fp2 it is
    also proved for the c <= beta*p that fp2_minus_beta_times leaves: a + c + p <= R and a*b + c*d < p*R."""
    count = 0
    for shape in shapes():
        if shape[1] and shape[0] == (only or shape[0]):
            for alias in ("C", "A", "D", None) if shape in ALIASED else ("C",):
                count += prove_routine(shape, "fp_mul_pair_limbs", alias, replaced, 3, {"C": {1: 1}})
            if 4 <= shape[0] <= 6:
                count += sum(prove_routine(shape, "fp_mul_pair_limbs", None, replaced, k + 2, {"C": {1: k}}) for k in K_OF_FP2 if k > 1)
    return count


def refused(*arguments, **named):
    return lambda: prove_routine((4, True), *arguments, **named)


PROVE = (prove_sums, prove_products, prove_pairs)
FALSE = (
    ("a product of operands up to 4p", refused("fp_mul_limbs", bounds={"A": {1: 4}, "B": {1: 4}})),
    ("a product for any p", refused("fp_mul_limbs", share=1)),
    ("a sum of operands up to p", refused("fp_add_limbs", bounds={"A": {1: 1}, "B": {1: 1}})),
    ("a difference of operands up to 2p", refused("fp_sub_limbs", bounds={"A": {1: 2}, "B": {1: 2}})),
    ("a pair with c up to 2p where p < R/3, so that a + c + p > R", refused("fp_mul_pair_limbs", share=3, bounds={"C": {1: 2}})),
)
MUTANTS = (
    (prove_sums, "fp_modulus[i] & negative", "fp_modulus[i] & 0"),
    (lambda replaced: prove_sums(replaced, (4, False)), "borrow & ~top", "borrow"),
    (prove_sums, "(t[i] & keep) | (reduced[i] & ~keep)", "(reduced[i] & keep) | (t[i] & ~keep)"),
    (lambda replaced: prove_products(replaced, 4), "top = carry_out + last_carry", "top = last_carry"),
    (lambda replaced: prove_products(replaced, 4), "t[j - 1] = limb_multiply_add", "t[j] = limb_multiply_add"),
    (lambda replaced: prove_products(replaced, 4), "limb_add_carry(high, carry, &last_carry)", "limb_add_carry(high, 0, &last_carry)"),
    (lambda replaced: prove_pairs(replaced, 4), "high += carry;", "high = carry;"),
    (lambda replaced: prove_pairs(replaced, 4), "high + carry", "high"),
)
