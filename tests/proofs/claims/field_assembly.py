# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file says what the routines of src/math/x86_64/field.S and src/math/aarch64/field.S compute, in the words of their
comments.

One list serves both files. `text` is the beginning of the comment above the routine, and a test compares the two."""
from claims.routine import BELOW_P, Claim

MUL = ((1, "A", "B"),)
SQR = ((1, "A", "A"),)
PAIR = ((1, "A", "B"), (1, "C", "D"))


def _below_p(names, limbs):
    return tuple((name, limbs, BELOW_P) for name in names)


def _products(limbs):
    bound = "%d limbs, p < R/2" % limbs
    yield Claim("mul_%d" % limbs, "r = a * b / R mod p, " + bound, limbs, "montgomery", _below_p("AB", limbs), MUL, limbs, 2)
    yield Claim("sqr_%d" % limbs, "r = a * a / R mod p, " + bound, limbs, "montgomery", _below_p("A", limbs), SQR, limbs, 2)
    yield pair(limbs, 1)


def pair(limbs, k):
    """Return the claim for c <= k * p, which fp2.h needs, and which costs more spare bits: (k + 2) * p < R."""
    operands = tuple((name, limbs, {1: k} if name == "C" else BELOW_P) for name in "ABCD")
    text = "r = (a * b + c * d) / R mod p, %d limbs, c <= k * p where p < R/(k + 2)" % limbs
    return Claim("mul_pair_%d" % limbs, text, limbs, "montgomery", operands, PAIR, limbs, k + 2)


def _products_of_any_p(limbs):
    bound = "%d limbs, any p < R" % limbs
    yield Claim("mul_%d_full" % limbs, "r = a * b / R mod p, " + bound, limbs, "montgomery", _below_p("AB", limbs), MUL,
                limbs, 1)
    yield Claim("sqr_%d_full" % limbs, "r = a * a / R mod p, " + bound, limbs, "montgomery", _below_p("A", limbs), SQR,
                limbs, 1)


def _halves(half):
    """Yield the claims on routines for elements of 2 * half limbs."""
    limbs, any_a, any_b = 2 * half, ("A", half, None), ("B", half, None)
    lengths = "%d limbs to %d" % (half, limbs)
    wide = {"limbs": half, "kind": "integer", "result_limbs": limbs, "may_alias": False}
    yield Claim("mul_wide_%d" % half, "r = a * b, %s; r overlaps neither" % lengths, operands=(any_a, any_b), terms=MUL, **wide)
    yield Claim("mul_wide_add_%d" % half, "r += a * b, %s, returns the carry; r overlaps neither" % lengths,
                operands=(any_a, any_b), terms=MUL, accumulates=True, **wide)
    yield Claim("sqr_wide_%d" % half, "r = a * a, %s" % lengths, operands=(any_a,), terms=SQR, **wide)
    text = "r = t / R + a multiple of p, below 2p, %d limbs to %d, t < p * R, p < R/2" % (2 * limbs, limbs)
    yield Claim("redc_%d_below_2p" % limbs, text, limbs, "montgomery", (("A", 2 * limbs, {1: 1 << (64 * limbs), 0: -1}),),
                ((1, "A"),), limbs, 2, below=2, may_alias=False)
    for name, sign in (("add", 1), ("sub", -1)):
        text = "r = a %s b mod p, %d limbs, p < R/2" % ("+" if sign > 0 else "-", limbs)
        yield Claim("%s_%d" % (name, limbs), text, limbs, "residue", _below_p("AB", limbs), ((1, "A"), (sign, "B")), limbs, 2)


CLAIMS = [claim for limbs in (4, 5, 6) for claim in _products(limbs)] + [*_products_of_any_p(4), *_halves(5), *_halves(6)]

# If u^2 = -k, fp2.h multiplies by some c <= k * p. These are the k of the curves.
K_OF_FP2 = (1, 5)
PAIRS_OF_FP2 = [pair(limbs, k) for limbs in (4, 5, 6) for k in K_OF_FP2 if k > 1]
