# SPDX-License-Identifier: Apache-2.0 OR MIT
"""fp_add_limbs and fp_sub_limbs of src/math/x86_64/add.h and src/math/aarch64/add.h, as the compiler inlines them. The
modulus is a number in the code: the claims are for the primes of the curves of 4, 5 and 6 limbs."""
from claims.routine import BELOW_P, Claim

SOURCE = """
#include "curves/generated/%s.h"
#include "math/field.h"
void sum(uint64_t *r, const uint64_t *a, const uint64_t *b) { fp_add_limbs(r, a, b); }
void difference(uint64_t *r, const uint64_t *a, const uint64_t *b) { fp_sub_limbs(r, a, b); }
"""


def claims(p, limbs):
    operands = tuple((name, limbs, BELOW_P) for name in "AB")
    for routine, sign in (("sum", 1), ("difference", -1)):
        text = "r = a %s b mod p" % ("+" if sign > 0 else "-")
        yield Claim(routine, text, limbs, "residue", operands, ((1, "A"), (sign, "B")), limbs, modulus=p)
