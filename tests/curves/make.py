#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This program writes the test curves' data files to its own folder. These curves have the numbers of limbs that no curve of
the registry has, and sizes of p that are difficult for some code.

    make.py

Each curve is y^2 = x^3 + b of prime order r, found by complex multiplication. If 4p = t^2 + 3v^2, there are six such curves up
to isomorphism, whose orders are p + 1 - s for the six traces s in {+-t, +-(t +- 3v)/2}. Over Fp2, replace t by t^2 - 2p, v by t*v
and p by p^2. If one of these orders is a prime r, the curve with a point P such that r*P = O has that order, by Hasse's bounds.
Random choices follow from the file's name. The program needs Python 3.8 and gen_curves.py.
"""
import json
import math
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))

from gen_curves import Field, Group, is_prime  # noqa: E402

# The columns are the group, limbs of p, bits of p, u^2 of Fp2 or None, and why the curve is difficult.
SPECIFICATIONS = [
    ("g1", 1, 61, None, "one limb, two digits of 52 bits with few bits of p in the last"),
    ("g1", 2, 128, None, "no spare bit"),
    ("g1", 3, 190, None, "two spare bits"),
    ("g1", 5, 290, None, "R is larger than the 6 digits that p needs"),
    ("g1", 7, 420, None, "four bits of p in the last digit"),
    ("g1", 8, 511, None, "one spare bit"),
    ("g1", 9, 576, None, "no spare bit"),
    ("g1", 10, 577, None, "the last digit has nothing of p"),
    ("g1", 11, 700, None, "an odd count of limbs, many digits"),
    ("g1", 12, 767, None, "one spare bit, the most limbs"),
    ("g2", 3, 187, -5, "Fp2 of an odd count of limbs, u^2 = -5"),
    ("g2", 5, 318, -1, "Fp2 of an odd count of limbs, two spare bits"),
]


def prime_with_traces(rng, bits, nonresidue):
    """Return p of `bits` bits, t and v with 4p = t^2 + 3v^2. If a nonresidue is given, it is not a square modulo p."""
    while True:
        p = rng.getrandbits(bits) | 1 << (bits - 1)
        v = 2 * rng.getrandbits(bits // 2) + 1
        if 3 * v * v >= 4 * p:
            continue
        t = math.isqrt(4 * p - 3 * v * v) | 1
        p = (t * t + 3 * v * v) // 4
        if p.bit_length() != bits or not is_prime(p):
            continue
        if nonresidue is None or pow(nonresidue % p, (p - 1) // 2, p) == p - 1:
            return p, t, v


def orders(q, t, v):
    return [q + 1 - s for s in (t, -t, (t + 3 * v) // 2, -(t + 3 * v) // 2, (t - 3 * v) // 2, -(t - 3 * v) // 2)]


def square_root(field, a):
    """Return a square root of a, or None, by Cipolla's algorithm in Fp[z]/(z^2 - w), or in the same extension of Fp2."""
    q = field.p**field.degree
    if a == field.zero or field.pow(a, (q - 1) // 2) != field.one:
        return None
    rng = random.Random(1)
    while True:
        c = tuple(rng.randrange(field.p) for _ in range(field.degree))
        w = field.sub(field.mul(c, c), a)
        if w != field.zero and field.pow(w, (q - 1) // 2) != field.one:
            break
    multiply = lambda x, y: (
        field.add(field.mul(x[0], y[0]), field.mul(w, field.mul(x[1], y[1]))),
        field.add(field.mul(x[0], y[1]), field.mul(x[1], y[0])),
    )
    result, power, e = (field.one, field.zero), (c, field.one), (q + 1) // 2
    while e:
        if e & 1:
            result = multiply(result, power)
        power, e = multiply(power, power), e >> 1
    return result[0]


def elements(degree):
    """Yield (1), (2), ... or, for degree 2, (1, 1), (2, 1), ..."""
    i = 1
    while True:
        yield (i,) if degree == 1 else (i, 1)
        i += 1


def first_point(group):
    for x in elements(group.f.degree):
        y = square_root(group.f, group.f.add(group.f.mul(x, group.f.mul(x, x)), group.b))
        if y is not None:
            return x, y


def find(name, bits, nonresidue):
    rng = random.Random(name)
    degree = 1 if nonresidue is None else 2
    while True:
        p, t, v = prime_with_traces(rng, bits, nonresidue)
        q = p**degree
        if degree == 2:
            t, v = t * t - 2 * p, t * v
        primes = [n for n in orders(q, t, v) if n.bit_length() <= 64 * -(-bits // 64) * degree and is_prime(n)]
        if not primes:
            continue
        r = primes[0]
        for b in elements(degree):
            group = Group(Field(p, degree, nonresidue or 0), b)
            point = first_point(group)
            if group.mul(r, point) is None:
                return p, r, b, point


def main():
    for group, limbs, bits, nonresidue, about in SPECIFICATIONS:
        name = "limbs-%d" % limbs
        p, r, b, point = find(name + group, bits, nonresidue)
        number = lambda e: hex(e[0]) if len(e) == 1 else [hex(c) for c in e]
        data = {"curve": name, "group": group, "source": "tests/curves/make.py: " + about, "p": hex(p), "r": hex(r)}
        if nonresidue is not None:
            data["nr"] = nonresidue
        data.update(b=number(b), generator={"x": number(point[0]), "y": number(point[1])}, cofactor="0x1")
        path = os.path.join(HERE, "%s_%s.json" % (name.replace("-", "_"), group))
        with open(path, "w", encoding="ascii") as file:
            file.write(json.dumps(data, indent=2) + "\n")


if __name__ == "__main__":
    main()
