# SPDX-License-Identifier: Apache-2.0 OR MIT
"""mul_host.h and mul_rows.h: the portable C of Fp, for the p and the r of every curve, which it is compiled for.

fp_reduce_once is part of each proof.
"""
import functools
import random

from algebra import Reject, add, const, mul, scale
from c_source import UNSIGNED_LONG as U64_TYPE, Cell, Run, address, every_way, program
from curves import ALL, header, modulus
from words import FULL, LEAVES, Words

FILES = ("math/mul_host.h", "math/mul_rows.h")


@functools.lru_cache(maxsize=None)
def fields():
    """{p: (header, prefix)}: one for each modulus of the registry, the coordinates' or the scalars'."""
    found = {}
    for name in ALL:
        for prefix in ("FP", "FR"):
            found.setdefault(modulus(name, prefix), (name, prefix))
    return found


def source(name, prefix, replaced=()):
    """Read field.h as it is compiled without assembly."""
    before = '#undef __x86_64__\n#include SUMAC_CURVE_HEADER\n'
    return program(name, FILES, ("math/field.h",) if prefix == "FP" else ("math/fr.h",), before=before, replaced=replaced)


def limbs_of(value, count):
    return [value >> (64 * i) & FULL for i in range(count)]


OPERATIONS = {  # the contract in field.h: products that are summed and divided by R, or a sum
    "fp_add_limbs": ("A", "B"), "fp_sub_limbs": ("A", "B"), "fp_mul_limbs": ("A", "B"), "fp_sqr_limbs": ("A",),
    "fp_mul_pair_limbs": ("A", "B", "C", "D"),
}


def prove_routine(name, prefix, function, alias=None, replaced=(), c_most=1, p=None, alter=None, seed=1):
    """r = a + b, a - b, a * b / R, a * a / R or (a * b + c * d) / R modulo p, and r < p, for operands below p; c may be as large as
    c_most * p. Returns how many ways there were."""
    code, p = source(name, prefix, replaced), p or modulus(name, prefix)
    n, letters = header(name)[prefix + "_LIMBS"], OPERATIONS[function]
    count = 0

    def start(choices):
        domain = Words(p)
        run = Run(code, domain, LEAVES, {"fp_modulus": [Cell(U64_TYPE, x) for x in limbs_of(p, n)]}, choices)
        domain.run, world, rng = run, domain.world, random.Random(seed)
        operands = {}
        for letter in letters:
            most = c_most * p if letter == "C" and c_most > 1 else p - 1 if alter is None else alter(letter, p)
            array = world.array(letter, limbs_of(rng.choice([most, 0, most // 3, rng.randrange(most)]), n), {0: most})
            operands[letter] = [Cell(U64_TYPE, world.of_atom(a)) for a in array.limbs]
        r = operands[alias] if alias else [Cell(U64_TYPE) for _ in range(n)]

        def go():
            run.call(function, address(r), *(address(operands[x]) for x in letters))
            return r
        return run, go
    for run, r in every_way(start):
        world = run.domain.world
        if world.infeasible():
            continue
        result = world.join([run.domain.word(c.value) for c in r])
        number = {x: world.limbs_of(x) for x in letters}
        if function == "fp_add_limbs":
            wanted, factor = add(number["A"], number["B"]), 1
        elif function == "fp_sub_limbs":
            wanted, factor = add(number["A"], number["B"], -1), 1
        else:
            pairs = zip(letters[::2], letters[1::2]) if len(letters) > 1 else [("A", "A")]
            wanted, factor = {}, 1 << (64 * n)
            for x, y in pairs:
                wanted = add(wanted, mul(number[x], number[y]))
        world.require_congruent(scale(result, factor), wanted)
        world.require_below(result, const(p))
        count += 1
    if not count:
        raise Reject("no way through")
    return count


def most_limbs(name, prefix):
    return header(name)[prefix + "_LIMBS"]


def spare_bits(name, prefix):
    return 64 * most_limbs(name, prefix) - header(name)[prefix + "_BITS"]


def prove_sums(replaced=()):
    """fp_add_limbs, fp_sub_limbs: "r = a + b mod p", "r = a - b mod p"; "r may alias the operands". """
    count = 0
    for name, prefix in fields().values():
        for function in ("fp_add_limbs", "fp_sub_limbs"):
            for alias in (None, "A", "B"):
                count += prove_routine(name, prefix, function, alias, replaced)
    return count


# For these fields r is apart, and each operand in turn; for others r is one operand, because only the count of limbs differs.
ALIASED = (("bn254_g1", "FP"), ("tiny_11_g1", "FP"))


def prove_products(replaced=(), only=None):
    """fp_mul_limbs, fp_sqr_limbs: "r = a * b / R mod p"; Montgomery multiplication by rows, with and without a spare bit."""
    count = 0
    for name, prefix in fields().values():
        if only and name not in only:
            continue
        few = (name, prefix) in ALIASED
        for alias in ("A", "B", None) if few else ("B",):
            count += prove_routine(name, prefix, "fp_mul_limbs", alias, replaced)
        if few:
            count += prove_routine(name, prefix, "fp_sqr_limbs", "A", replaced)
    return count


def prove_pairs(replaced=(), only=None):
    """fp_mul_pair_limbs: "r = (a * b + c * d) / R mod p, where FP_SPARE_BITS >= 2"; for the fields below Fp2 also with c <= beta*p,
    as fp2_minus_beta_times leaves it: a + c + p <= R and a*b + c*d < p*R."""
    count = 0
    for name, prefix in fields().values():
        if spare_bits(name, prefix) < 2 or only and name not in only:
            continue
        beta = -header(name.replace("_g1", "_g2")).get("FP2_NONRESIDUE", 0) if prefix == "FP" and name.replace("_g1", "_g2") in ALL else 0
        few = (name, prefix) in ALIASED
        for alias in ("A", "D", None) if few else ("C",):
            count += prove_routine(name, prefix, "fp_mul_pair_limbs", alias, replaced)
        if beta > 1 or few and beta:
            count += prove_routine(name, prefix, "fp_mul_pair_limbs", None, replaced, c_most=beta)
    return count


def refused(**k):
    return lambda: prove_routine(**k)


PROVE = (prove_sums, prove_products, prove_pairs)
FALSE = (
    ("a product of operands up to 4p", refused(name="bn254_g1", prefix="FP", function="fp_mul_limbs", alter=lambda x, p: 4 * p)),
    ("a sum of operands up to p", refused(name="bn254_g1", prefix="FP", function="fp_add_limbs", alter=lambda x, p: p)),
    ("a difference of operands up to 2p", refused(name="bn254_g1", prefix="FP", function="fp_sub_limbs", alter=lambda x, p: 2 * p)),
    ("a pair with c up to 5p, where a + c + p > R", refused(name="bn254_g1", prefix="FP", function="fp_mul_pair_limbs", c_most=5)),
)
MUTANTS = (
    (prove_sums, "fp_modulus[i] & negative", "fp_modulus[i] & 0"),
    (prove_sums, "borrow & ~top", "borrow"),
    (prove_sums, "(t[i] & keep) | (reduced[i] & ~keep)", "(reduced[i] & keep) | (t[i] & ~keep)"),
    (lambda replaced: prove_products(replaced, ("secp256k1_g1",)), "top = carry_out + last_carry", "top = last_carry"),
    (lambda replaced: prove_products(replaced, ("bn254_g1",)), "t[j - 1] = limb_multiply_add", "t[j] = limb_multiply_add"),
    (lambda replaced: prove_products(replaced, ("bn254_g1",)), "limb_add_carry(high, carry, &last_carry)", "limb_add_carry(high, 0, &last_carry)"),
    (lambda replaced: prove_pairs(replaced, ("bn254_g1",)), "high += carry;", "high = carry;"),
    (lambda replaced: prove_pairs(replaced, ("bn254_g1",)), "high + carry", "high"),
)
