#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests math/subgroup.h's equation for BN curves, x*(P + psi(P) + psi^2(P) - 2*psi^3(P)) = -P, on all points of small
curves. If tools/gen_curves.py says that the equation decides, it must hold exactly for the points of order r.

  test_bn_subgroup.py
"""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import gen_curves  # noqa: E402

# For these x, p and r are primes, and the group is cyclic.
SMALL = (1, -2)


def parameters(x):
    t = 6 * x * x + 1
    p = 36 * x**4 + 36 * x**3 + 24 * x**2 + 6 * x + 1
    return p, p + 1 - t, t


def roots_of_squares(field):
    roots = {}
    for a in range(field.p):
        for b in range(field.p):
            roots.setdefault(field.mul((a, b), (a, b)), []).append((a, b))
    return roots


def find_points(field, p, r, h2):
    """Return the first group y^2 = x^3 + b of order r*h2, and all its points except O."""
    roots = roots_of_squares(field)
    cubes = [((a, c), field.mul(field.mul((a, c), (a, c)), (a, c))) for a in range(p) for c in range(p)]
    for b in ((a, 1) for a in range(p)):
        points = [(x, y) for x, cube in cubes for y in roots.get(field.add(cube, b), ())]
        if len(points) + 1 == r * h2:
            return gen_curves.Group(field, b), points
    raise AssertionError("no b for p = %d" % p)


def walk(group, points, order):
    """Return all points as the multiples 0*P = O, P, 2*P, ... of one of them."""
    primes = [q for q in range(2, order + 1) if order % q == 0 and gen_curves.is_prime(q)]
    for start in points[:50]:
        if all(group.mul(order // q, start) is not None for q in primes):
            multiples = [None]
            while len(multiples) < order:
                multiples.append(group.add(multiples[-1], start))
            return multiples
    raise AssertionError("the group of %d points is not cyclic" % order)


def check_curve(x):
    p, r, t = parameters(x)
    h2 = 2 * p - r
    field = gen_curves.Field(p, 2, next(n for n in range(-1, -p, -1) if pow(n, (p - 1) // 2, p) == p - 1))
    group, points = find_points(field, p, r, h2)
    multiples = walk(group, points, r * h2)
    index = {point: i for i, point in enumerate(multiples)}
    cx, cy = gen_curves.psi_constants(group, multiples[h2], p, p % r, "x = %d" % x)

    def psi(i):
        if i == 0:
            return 0
        a, b = multiples[i]
        return index[(field.mul(field.conjugate(a), cx), field.mul(field.conjugate(b), cy))]

    order = r * h2
    decides = gen_curves.bn_sum_decides(x, p, t, r, h2)
    passing = 0
    for i in range(order):
        first = psi(i)
        second, third = psi(first), psi(psi(first))
        assert (second - t * first + p * i) % order == 0, "psi^2 - t*psi + p is not 0"
        passes = (x * (i + first + second - 2 * third) + i) % order == 0
        passing += passes
        if decides:
            assert passes == (r * i % order == 0), "x = %d: the test is wrong for point %d" % (x, i)
    assert decides == (passing == r), "x = %d: %d points pass, where the condition says %s" % (x, passing, decides)
    return "x = %d: p = %d, all %d points, %d of which pass; r = %d" % (x, p, order, passing, r)


def main():
    for x in SMALL:
        print(check_curve(x))


if __name__ == "__main__":
    main()
