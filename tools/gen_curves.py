#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Derive every constant of a curve from its data file.

  gen_curves.py [DIR [OUT]]          write OUT/*.h from DIR/*.json (src/curves; DIR/generated)
  gen_curves.py --check [DIR [OUT]]  exit 1 and name the files that writing would change

A data file describes one group y^2 = x^3 + b over Fp or over Fp2 = Fp[u]/(u^2 - nr):

  curve, group   the names of the curve and the group, as the program prints them
  p, r           the field's modulus, and the order of the prime-order subgroup
  b, generator   canonical integers; over Fp2 pairs [c0, c1]
  nr             only over Fp2: the non-residue
  beta, lambda   optional: (beta*x, y) = lambda*(x, y) on the subgroup
  cofactor       optional: number of points / r
  base_cofactor  optional, over Fp2: the cofactor of the same curve's group over Fp
  pairing        optional: {"family": "bls12" or "bn" over Fp2, or "bw6" over Fp, "x": the family's parameter}; with bw6 also
                 "xi", for which this curve is the twist y^2 = x^3 + b*xi of the curve over Fp
  map            optional: RFC 9380's map to the curve by an isogenous one (6.6.3), with the RFC's names; polynomials
                 begin with the coefficient of x^0, and denominators lack their leading 1
  source         the source of the numbers

The tool checks its input (primality, the curve equation, r*G = O, the endomorphism) before it writes anything, so
that a typing error in a data file cannot become a wrong point. It needs only Python 3.8.
"""
import json
import math
import os
import random
import sys

WORD = 64


def is_prime(n):
    """Test primality by Miller-Rabin. The seed is fixed, so that the tool's result is repeatable."""
    rng = random.Random(n)
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for _ in range(40):
        x = pow(rng.randrange(2, n - 1), d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


class Field:
    """The field Fp, of degree 1, or Fp2, of degree 2. An element is a tuple that has as many numbers as the degree."""

    def __init__(self, p, degree, nr):
        self.p, self.degree, self.nr = p, degree, nr
        self.zero = (0,) * degree
        self.one = (1,) + (0,) * (degree - 1)

    def add(self, a, b):
        return tuple((x + y) % self.p for x, y in zip(a, b))

    def sub(self, a, b):
        return tuple((x - y) % self.p for x, y in zip(a, b))

    def mul(self, a, b):
        if self.degree == 1:
            return (a[0] * b[0] % self.p,)
        return ((a[0] * b[0] + self.nr * a[1] * b[1]) % self.p, (a[0] * b[1] + a[1] * b[0]) % self.p)

    def inv(self, a):
        if self.degree == 1:
            return (pow(a[0], -1, self.p),)
        n = pow((a[0] * a[0] - self.nr * a[1] * a[1]) % self.p, -1, self.p)
        return (a[0] * n % self.p, -a[1] * n % self.p)

    def pow(self, a, e):
        if e < 0:
            return self.pow(self.inv(a), -e)
        r = self.one
        while e:
            if e & 1:
                r = self.mul(r, a)
            a, e = self.mul(a, a), e >> 1
        return r

    def sqrt(self, a):
        """Return a square root or None. The prime p must be 3 modulo 4. Over Fp2, u^2 must be -1."""
        power = self.pow(a, (self.p + 1) // 4 if self.degree == 1 else (self.p - 3) // 4)
        if self.degree == 2:
            x, order = self.mul(power, a), self.mul(self.mul(power, power), a)
            minus_one = self.sub(self.zero, self.one)
            factor = (0, 1) if order == minus_one else self.pow(self.add(order, self.one), (self.p - 1) // 2)
            power = self.mul(factor, x)
        return power if self.mul(power, power) == a else None

    def polynomial_mul(self, a, b):
        """Multiply polynomials, which are lists of coefficients. The coefficient of x^0 comes first."""
        r = [self.zero] * (len(a) + len(b) - 1)
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                r[i + j] = self.add(r[i + j], self.mul(x, y))
        return r

    def polynomial_root(self, a):
        """Return h with h^2 = a. Both polynomials have the leading coefficient 1, and a must be a square."""
        half, n = self.inv(self.add(self.one, self.one)), len(a) // 2
        h = [self.zero] * n + [self.one]
        for i in range(n - 1, -1, -1):
            h[i] = self.mul(half, self.sub(a[n + i], self.polynomial_mul(h, h)[n + i]))
        return h

    def conjugate(self, a):
        return a if self.degree == 1 else (a[0], -a[1] % self.p)


class Group:
    """A group of affine points. None is infinity."""

    def __init__(self, field, b):
        self.f, self.b = field, b

    def on_curve(self, P):
        f = self.f
        return f.mul(P[1], P[1]) == f.add(f.mul(P[0], f.mul(P[0], P[0])), self.b)

    def neg(self, P):
        return None if P is None else (P[0], self.f.sub(self.f.zero, P[1]))

    def add(self, P, Q):
        f = self.f
        if P is None:
            return Q
        if Q is None:
            return P
        if P[0] == Q[0]:
            if P[1] != Q[1] or P[1] == f.zero:
                return None
            xx = f.mul(P[0], P[0])
            slope = f.mul(f.add(f.add(xx, xx), xx), f.inv(f.add(P[1], P[1])))
        else:
            slope = f.mul(f.sub(Q[1], P[1]), f.inv(f.sub(Q[0], P[0])))
        x = f.sub(f.sub(f.mul(slope, slope), P[0]), Q[0])
        return (x, f.sub(f.mul(slope, f.sub(P[0], x)), P[1]))

    def mul(self, k, P):
        if k < 0:
            return self.mul(-k, self.neg(P))
        R = None
        while k:
            if k & 1:
                R = self.add(R, P)
            P = self.add(P, P)
            k >>= 1
        return R


def require(condition, message):
    if not condition:
        raise SystemExit("gen_curves.py: " + message)


def limbs(v, n):
    return "{" + ", ".join("UINT64_C(0x%016x)" % (v >> (WORD * i) & (2**WORD - 1)) for i in range(n)) + "}"


class Header:
    """The macros of one generated header, in the order in which they are defined."""

    def __init__(self, source):
        self.lines = ["/* SPDX-License-Identifier: Apache-2.0 OR MIT */",
                      "/* Generated by tools/gen_curves.py from src/curves/%s: do not edit. */" % source,
                      "/* clang-format off */", "#pragma once", ""]

    def define(self, name, value, comment=""):
        self.lines.append("#define %s %s%s" % (name, value, "  /* %s */" % comment if comment else ""))

    def text(self):
        return "\n".join(self.lines) + "\n"


def two_adicity(n):
    s = 0
    while n % 2 == 0:
        n, s = n // 2, s + 1
    return s, n


def define_modulus(h, prefix, m, title):
    """Define a modulus and its Montgomery constants, where R = 2^(64*limbs)."""
    n = (m.bit_length() + WORD - 1) // WORD
    R = 1 << (WORD * n)
    h.define(prefix + "_LIMBS", n, title)
    h.define(prefix + "_BITS", m.bit_length())
    h.define(prefix + "_MODULUS", limbs(m, n))
    h.define(prefix + "_INV", "UINT64_C(0x%016x)" % (-pow(m, -1, 2**WORD) % 2**WORD), "-1/modulus mod 2^64")
    h.define(prefix + "_ONE", limbs(R % m, n), "R mod modulus, R = 2^%d" % (WORD * n))
    h.define(prefix + "_R2", limbs(R * R % m, n), "R^2 mod modulus")
    h.define(prefix + "_DIGIT_INVERSE", limbs(pow(2, -52, m), n), "2^-52 mod modulus, for src/lanes/")
    return n


def define_lane_digits(h, prefix, p, n, spare):
    """Define the constant factors of products in lanes, in digits of 52 bits. src/lanes/fpv.h determines their number,
    FPV_DIGITS, and `spare`, which is its FPV_SPARE_BITS."""
    digits = max((p.bit_length() + spare + 51) // 52, WORD * n // 52 + 1)
    split = lambda v: [v >> (52 * i) & (2**52 - 1) for i in range(digits)]
    numbers = split(pow(2, -52, p)) + split(p) + [-pow(p, -1, 2**52) % 2**52]
    h.define(prefix + "_LANE_DIGITS(X)", " ".join("X(UINT64_C(0x%013x))" % number for number in numbers),
             "2^-52 mod p, p, -1/p mod 2^52")


def define_square_root(h, p, n):
    """Define constants for Tonelli-Shanks, where p - 1 = 2^s * t with t odd. If s = 1, the root is simply the power (p +
    1)/4."""
    s, t = two_adicity(p - 1)
    z = next(z for z in range(2, 1000) if pow(z, (p - 1) // 2, p) == p - 1)
    h.define("FP_TWO_ADICITY", s, "p - 1 = 2^s * t, t odd")
    h.define("FP_SQRT_EXPONENT", limbs((t - 1) // 2, n), "(t - 1)/2")
    h.define("FP_SQRT_ROOT", limbs((pow(z, t, p) << (WORD * n)) % p, n), "%d^t, Montgomery form" % z)


def define_roots_of_unity(h, r, n, generator, source):
    """Define g^((r - 1)/2^s), the root of unity of order 2^s for number-theoretic transforms, where s is the 2-adicity of r -
    1. The number g is given in the curve's data, or is the least number that is not a square."""
    s, t = two_adicity(r - 1)
    is_square = lambda g: pow(g, (r - 1) // 2, r) == 1
    g = generator or next(g for g in range(2, 1000) if not is_square(g))
    require(not is_square(g), "%s: scalar_generator is a square modulo r" % source)
    root = pow(g, t, r)
    require(pow(root, 1 << (s - 1), r) == r - 1, "%s: the root of unity has another order" % source)
    h.define("FR_TWO_ADICITY", s, "r - 1 = 2^s * t, t odd")
    h.define("FR_ROOT", limbs((root << (WORD * n)) % r, n), "%d^t, of order 2^s; Montgomery form" % g)


def curve_header(data, source):
    p, r = int(data["p"], 16), int(data["r"], 16)
    degree = 2 if "nr" in data else 1
    nr = data.get("nr", 0)
    element = lambda v: tuple(int(t, 16) for t in (v if degree == 2 else [v]))
    field = Field(p, degree, nr)
    b = element(data["b"])
    group = Group(field, b)
    G = (element(data["generator"]["x"]), element(data["generator"]["y"]))
    require(is_prime(p) and is_prime(r), "%s: p and r must be prime" % source)
    require(b != field.zero, "%s: b = 0 is not supported: (0, 0) must be off the curve, it encodes infinity" % source)
    require(group.on_curve(G), "%s: the generator is not on the curve" % source)
    require(group.mul(r, G) is None, "%s: the generator does not have order r" % source)
    require(degree == 1 or pow(nr % p, (p - 1) // 2, p) == p - 1, "%s: nr is a square" % source)

    h = Header(source)
    ident = (data["curve"] + "_" + data["group"]).replace("-", "_")
    h.define("CURVE_ID", ident)
    h.define("CURVE_NAME", '"%s"' % data["curve"])
    h.define("CURVE_GROUP", '"%s"' % data["group"])
    h.define("CURVE_FOR_TESTS", int(bool(data.get("for_tests"))), "1: not listed to users")
    h.lines.append("")
    n = define_modulus(h, "FP", p, "the coordinates' prime field")
    mont = lambda v: limbs((v << (WORD * n)) % p, n)
    define_square_root(h, p, n)
    h.define("FE_DEGREE", degree, "coordinates lie in Fp (1) or in Fp2 (2)")
    if degree == 2:
        h.define("FP2_NONRESIDUE", "(%d)" % nr, "u^2")
    define_lane_digits(h, "FP", p, n, 4 if degree == 1 else 6 if nr == -1 else 30)
    h.lines.append("")
    n_scalars = define_modulus(h, "FR", r, "the scalars")
    define_lane_digits(h, "FR", r, n_scalars, 4)
    # Both groups of a curve share the code of the field, and therefore its name. The name includes the top bits of r, because
    # the groups of a test curve have different orders.
    h.define("FR_ID", "%s_%x" % (data["curve"].replace("-", "_"), r >> max(r.bit_length() - 16, 0)))
    define_roots_of_unity(h, r, n_scalars, data.get("scalar_generator"), source)
    h.lines.append("")
    coordinate = lambda e: "{" + mont(e[0]) + "}" if degree == 1 else "{{" + mont(e[0]) + "}, {" + mont(e[1]) + "}}"
    h.define("CURVE_B", coordinate(b), "y^2 = x^3 + b; all coordinates here in Montgomery form")
    h.define("CURVE_GENERATOR_X", coordinate(G[0]))
    h.define("CURVE_GENERATOR_Y", coordinate(G[1]))
    h.lines.append("")
    define_endomorphism(h, data, source, group, G, r, coordinate)
    define_subgroup_check(h, data, source, group, G, p, r, coordinate)
    define_pairing(h, data, source, group, G, p, r, mont, coordinate)
    define_map(h, data, source, group, p, r, element, mont, coordinate)
    return ident, h.text()


def define_endomorphism(h, data, source, group, G, r, coordinate):
    """Define phi(x, y) = (beta*x, y), which multiplies by lambda. Either beta or beta^2 is used, whichever has the smaller
    lambda."""
    if "beta" not in data:
        h.define("CURVE_HAS_GLV", 0)
        return
    f = group.f
    beta, lam = (int(data["beta"], 16),) + (0,) * (f.degree - 1), int(data["lambda"], 16)
    require((lam * lam + lam + 1) % r == 0, "%s: lambda is not a cube root of unity" % source)
    other = (-1 - lam) % r
    if other < lam:
        beta, lam = f.mul(beta, beta), other
    require(group.mul(lam, G) == (f.mul(beta, G[0]), G[1]), "%s: beta and lambda do not belong together" % source)
    h.define("CURVE_HAS_GLV", 1)
    h.define("CURVE_BETA", coordinate(beta), "(beta*x, y) = lambda*(x, y)")
    h.define("CURVE_LAMBDA", limbs(lam, (r.bit_length() + WORD - 1) // WORD))
    define_split(h, r, lam)
    data["beta_chosen"], data["lambda_chosen"] = beta, lam


def shortest_basis(r, lam):
    """Return two short vectors of determinant r in the lattice of all (a, b) with a + b*lambda = 0 modulo r (Gauss)."""
    dot = lambda x, y: x[0] * y[0] + x[1] * y[1]
    u, v = (r, 0), (-lam, 1)
    while True:
        if dot(u, u) > dot(v, v):
            u, v = v, u
        m = (2 * dot(u, v) + dot(u, u)) // (2 * dot(u, u))
        if m == 0:
            break
        v = (v[0] - m * u[0], v[1] - m * u[1])
    return (u, v) if u[0] * v[1] - v[0] * u[1] == r else (v, u)


def define_split(h, r, lam):
    """Define constants for k = k1 + k2*lambda with short k1 and k2, which math/glv.h explains."""
    n = (r.bit_length() + WORD - 1) // WORD
    half, shift = n // 2 + 1, WORD * (n + 1)
    first, second = shortest_basis(r, lam)
    require(first[0] * second[1] - second[0] * first[1] == r, "the lattice's determinant is not r")
    # k = c1*first + c2*second in the rationals, for c1 = second[1]*k/r and c2 = -first[1]*k/r.
    factors = [second[1], -first[1]]
    most = max(abs(first[j]) + abs(second[j]) for j in (0, 1))
    bound = most // 2 + most // 2**30 + 2  # rounding c1 and c2 leaves at most half of each vector, and an error far below 2^-30
    require(bound < 2 ** (WORD * half - 24), "halves of scalars are too long")
    require(bound & (bound - 1) != 0, "the bound of halves is a power of two")
    signed = lambda v: limbs(v % 2 ** (WORD * half), half)
    h.define("CURVE_SPLIT_BOUND", limbs(bound, half), "|k1|, |k2| <= this")
    h.define("CURVE_SPLIT_BASIS", "{{%s, %s}, {%s, %s}}" % (*map(signed, first), *map(signed, second)),
             "modulo 2^%d" % (WORD * half))
    h.define("CURVE_SPLIT_QUOTIENTS", "{%s, %s}" % tuple(limbs((2 * abs(f) * 2**shift + r) // (2 * r), n + 1) for f in factors),
             "2^%d/r times the other vector's second coordinate" % shift)
    h.define("CURVE_SPLIT_NEGATIVE", "{%d, %d}" % tuple(int(f < 0) for f in factors))


def define_subgroup_check(h, data, source, group, G, p, r, coordinate):
    """Define the test by which the library decides whether a point of the curve has order r. From the cheapest on, the tests
    are:

    TRIVIAL  the cofactor is 1.
    PHI      phi(P) = lambda*P implies (lambda^2 + lambda + 1)*P = O. If this number is r itself, the test is exact.
             As phi^2 + phi + 1 = 0, an equivalent test is (lambda + 1)*P = -phi^2(P). lambda + 1 is the square of a
             sparse number, and two multiplications by this number take fewer additions than one by lambda. If psi exists,
             its test has half as many doublings, and is chosen.
    PSI      psi (the untwisted Frobenius) satisfies psi^2 - t*psi + p = 0, so psi(P) = (t-1)*P implies
             (p + 1 - t)*P = O. The curve over Fp has order p + 1 - t = h1*r, and this curve has order h2*r. If
             gcd(h1, h2) = 1, the test is exact. (Scott 2021; El Housni, Guillevic, Piellard 2022.)
    PSI_SUM  For BN curves, t - 1 = 6x^2 has twice as many bits as x. Therefore the test is
             (x + 1)*P + x*psi(P) + x*psi^2(P) - 2x*psi^3(P) = O, or g(psi)*P = O. Points of order r pass, because psi
             multiplies them by p, and r divides g(p). The norm N = g(psi)*g(t - psi) is an integer, and N*P = O for each
             P that passes. As h2*r*P = O for all points, the test is exact if gcd(N, h2) = 1. (Dai, Lin, Zhao, Zhou 2022,
             eprint 2022/348.) It is computed as x*R = -P with R = P + psi(P) + psi^2(P) - 2*psi^3(P).
    ORDER    r*P = O is computed. This test works for every curve.
    """
    kinds = {"TRIVIAL": 0, "PHI": 1, "PSI": 2, "PSI_SUM": 3, "ORDER": 4}
    for name, value in kinds.items():
        h.define("CURVE_SUBGROUP_" + name, value)
    cofactor = int(data["cofactor"], 16) if "cofactor" in data else None
    lam = data.get("lambda_chosen")
    if cofactor == 1:
        h.define("CURVE_SUBGROUP_CHECK", "CURVE_SUBGROUP_TRIVIAL")
    elif lam is not None and "base_cofactor" not in data and lam * lam + lam + 1 == r:
        h.define("CURVE_SUBGROUP_CHECK", "CURVE_SUBGROUP_PHI")
        h.define("CURVE_SUBGROUP_SCALAR", limbs(lam, 2), "lambda")
        require(lam < 2**128, "%s: lambda has more than 128 bits" % source)
        root = math.isqrt(lam + 1)
        require(root * root == lam + 1, "%s: lambda + 1 is no square" % source)
        h.define("CURVE_SUBGROUP_ROOT", limbs(root, 2), "its square is lambda + 1")
    elif "base_cofactor" in data:
        define_psi(h, data, source, group, G, p, r, coordinate)
    else:
        h.define("CURVE_SUBGROUP_CHECK", "CURVE_SUBGROUP_ORDER")


def twist_cofactor(p, t, r, source):
    """Return h2, which is found among the orders that a sextic twist over Fp2 can have."""
    t2 = t * t - 2 * p
    y = math.isqrt((4 * p * p - t2 * t2) // 3)
    require(3 * y * y == 4 * p * p - t2 * t2, "%s: the discriminant is not -3" % source)
    orders = [p * p + 1 + s * (t2 + e * 3 * y) // 2 for s in (1, -1) for e in (1, -1)]
    orders = [n for n in orders if n % r == 0 and (n // r) % r != 0]
    require(len(orders) == 1, "%s: the twist's order is ambiguous" % source)
    return orders[0] // r


def define_psi(h, data, source, group, G, p, r, coordinate):
    h1 = int(data["base_cofactor"], 16)
    t = p + 1 - h1 * r
    h2 = twist_cofactor(p, t, r, source)
    if data.get("pairing", {}).get("family") == "bn":
        kind, scalar = "PSI_SUM", int(data["pairing"]["x"], 16)
        require(scalar > 0, "%s: x must be positive" % source)
        require(bn_sum_decides(scalar, p, t, r, h2), "%s: the sum of psi's powers does not decide the subgroup" % source)
    else:
        kind, scalar = "PSI", t - 1
        require(math.gcd(h1, h2) == 1, "%s: psi does not decide the subgroup" % source)
    require(abs(scalar) < 2**128, "%s: the multiplier has more than 128 bits" % source)
    h.define("CURVE_SUBGROUP_CHECK", "CURVE_SUBGROUP_" + kind)
    h.define("CURVE_SUBGROUP_SCALAR", limbs(abs(scalar), 2), "x" if kind == "PSI_SUM" else "|t - 1|")
    h.define("CURVE_SUBGROUP_SCALAR_NEGATIVE", int(scalar < 0))
    cx, cy = psi_constants(group, G, p, (t - 1) % r, source)
    data["psi_chosen"] = cx, cy
    h.define("CURVE_PSI_X", coordinate(cx), "psi(x, y) = (PSI_X*conj(x), PSI_Y*conj(y))")
    h.define("CURVE_PSI_Y", coordinate(cy))


def bn_sum_decides(x, p, t, r, h2):
    """Say whether the test PSI_SUM is exact. As psi^2 = t*psi - p, g equals a + b*psi for integers a and b. Its norm is N."""
    g = (x + 1, x, x, -2 * x)
    a = g[0] - g[2] * p - g[3] * t * p
    b = g[1] + g[2] * t + g[3] * (t * t - p)
    norm = a * a + a * b * t + b * b * p
    return sum(k * p**i for i, k in enumerate(g)) % r == 0 and math.gcd(norm, h2) == 1 and h2 % r != 0


def psi_constants(group, G, p, eigenvalue, source):
    """Return the constants of the map (cx*conj(x), cy*conj(y)) from the curve to itself that multiplies G by `eigenvalue`."""
    f = group.f
    rng = random.Random(1)
    x0, y0 = f.pow(group.b, -((p - 1) // 3)), f.pow(group.b, -((p - 1) // 2))
    omega = next(w for w in (f.pow((rng.randrange(p), rng.randrange(p)), (p * p - 1) // 3) for _ in range(99)) if w != f.one)
    target = group.mul(eigenvalue, G)
    for k in range(3):
        for sign in (f.one, f.sub(f.zero, f.one)):
            cx, cy = f.mul(x0, f.pow(omega, k)), f.mul(y0, sign)
            if (f.mul(f.conjugate(G[0]), cx), f.mul(f.conjugate(G[1]), cy)) == target:
                return cx, cy
    require(False, "%s: no Frobenius constants found" % source)


def signed_digits(n):
    """Return the digits -1, 0, 1 of n > 0, the highest first. They are binary digits or, if it needs less work, the
    non-adjacent form."""
    binary = [int(d) for d in bin(n)[2:]]
    naf = []
    while n:
        digit = 2 - n % 4 if n % 2 else 0
        naf.append(digit)
        n = (n - digit) // 2
    naf.reverse()
    return min(binary, naf, key=lambda digits: len(digits) + sum(map(abs, digits)))


ODD_POWERS = 4  # FP12_ODD_POWERS of src/math/fp12.h


def power_digits(n):
    """Return the digits by which math/fp12.h raises to the n-th power, and the number of odd powers that it needs: those of
    signed_digits(), or 0 and odd ones below 2*ODD_POWERS in absolute value, of which one in five is not 0 on average, if
    they need less products for all their odd powers."""
    plain, odd, rest = signed_digits(n), [], n
    while rest:
        digit = rest % (4 * ODD_POWERS) if rest % 2 else 0
        digit -= 4 * ODD_POWERS if digit >= 2 * ODD_POWERS else 0
        odd.append(digit)
        rest = (rest - digit) // 2
    odd.reverse()
    plain_cost, odd_cost = (len(digits) + sum(map(bool, digits)) for digits in (plain, odd))
    return (plain, 1) if plain_cost <= odd_cost + ODD_POWERS else (odd, ODD_POWERS)


def compressed_powers(digits):
    """Return the number k for which a power in math/fp12.h costs least, if it squares compressed elements up to the k-th digit
    that is not 0. Digits are counted from the lowest one. The costs, in multiplications of Fp2, are 6 for a square, 4 for a
    compressed square, 9 for a decompression, and 25 for the inversion for all decompressions."""
    places = [i for i, digit in enumerate(reversed(digits)) if digit]
    costs = {0: 6 * (len(digits) - 1)}
    if min(digits) >= 0:
        for count in range(1, min(4, len(places)) + 1):
            last = places[count - 1]
            costs[count] = 4 * last + 6 * (len(digits) - 1 - last) + 9 * count + 25
    return min(costs, key=costs.get)


def twist_constant(group, p, source):
    """Return (type, xi, b) with xi = c + u for a small c >= 0. The curve over Fp is y^2 = x^3 + b. The curve of `group` is its
    twist y^2 = x^3 + b*xi (type M) or y^2 = x^3 + b/xi (type D), whichever has the smaller c or, for c = 0, the smaller b. The
    twist must be sextic, so xi must be neither a square nor a cube."""
    f = group.f
    ratio = group.b[0] * pow(group.b[1], -1, p) % p
    choices = []
    for kind, c in (("M", ratio), ("D", -ratio % p)):
        xi = (c, 1)
        b = f.mul(group.b, f.inv(xi) if kind == "M" else xi)
        require(b[1] == 0, "%s: the twist is not of xi" % source)
        choices.append((c, b[0], kind))
    c, b, kind = min(choices)
    xi = (c, 1)
    require(c == 0 or c < 64 and (c - 1) & (c - 2) == 0, "%s: xi = %d + u is not a factor that the code supports" % (source, c))
    for k in (2, 3):
        require(f.pow(xi, (p * p - 1) // k) != f.one, "%s: xi is a %d-th power" % (source, k))
    return kind, xi, b


def check_pairing_family(family, x, p, r, source):
    """Check the polynomials of the family, and the identities on which the Miller loop and the chains of math/pairing.h
    rely."""
    hard, rest = divmod(p**4 - p**2 + 1, r)
    require(rest == 0, "%s: the embedding degree is not 12" % source)
    if family == "bls12":
        require(r == x**4 - x**2 + 1 and 3 * (p - x) == (x - 1)**2 * r, "%s: x does not belong to p and r" % source)
        # As p = x modulo r, f_(x,Q) is the whole optimal ate pairing.
        require((p - x) % r == 0, "%s: p is not x modulo r" % source)
        exponent = (x - 1)**2 * (x + p) * (x * x + p * p - 1) + 3
        multiple = 3
    else:
        require(x > 0, "%s: x must be positive" % source)
        require(r == 36 * x**4 + 36 * x**3 + 18 * x**2 + 6 * x + 1 and p == r + 6 * x * x, "%s: x does not belong to p and r" % source)
        require((6 * x + 2 + p - p**2 + p**3) % r == 0, "%s: 6x + 2 is not the optimal ate loop" % source)
        a = 12 * x**3 + 6 * x**2 + 6 * x
        b = a - 2 * x
        exponent = (a + 6 * x * x + 1) + b * p + a * p**2 + (b - 1) * p**3
        multiple = 2 * x * (6 * x * x + 3 * x + 1)
    require(exponent == multiple * hard, "%s: the chain of the final exponentiation is wrong" % source)
    require(multiple % r != 0, "%s: the final exponentiation maps all to 1" % source)


def bw6_loops(x):
    """Return the digits of x + 1 and of x^3 - x^2 - x, with leading zeros so that they are equally many."""
    of_q, of_image = signed_digits(x + 1), signed_digits(x**3 - x**2 - x)
    return [0] * (len(of_image) - len(of_q)) + of_q, of_image


def check_bw6(x, p, r, source):
    """Check the identities on which math/pairing.h relies. The chain's numbers 11 and 103 belong to BW6-761. Multiples of Q are
    counted modulo r, where pi(Q) = p*Q: no step but the last one, which is left out, may add T and T or T and -T."""
    hard, rest = divmod(p**2 - p + 1, r)
    require(rest == 0, "%s: the embedding degree is not 6" % source)
    require(x > 0 and x % 3 == 1, "%s: x must be positive, and 1 modulo 3" % source)
    a = (x - 1)**2 + p
    b = a * (x + 1) - 1
    c = b * ((x - 1) // 3)
    d = c * (x - 1)
    e = d * (x - 1)**2 + d
    f = b - d
    g = e * (x + 1) + f
    i = (g - d) * (x + 1) - f
    j = 11 * (g + c) + e
    require(3 * a + 3 * j + b + 103 * i == (x + 1) * hard, "%s: the chain of the final exponentiation is wrong" % source)
    require((x + 1) % r != 0, "%s: the final exponentiation maps all to 1" % source)
    of_q, of_image = bw6_loops(x)
    require(of_q[0] == 0 and of_image[0] == 1 and of_image[-1] != 0, "%s: the loop's first or last step is another one" % source)
    require(sum(map(abs, of_q + of_image)) <= len(of_q), "%s: the loop has more steps than two for each digit" % source)
    steps = []
    for digits in zip(of_q[1:], of_image[1:]):
        steps += [None] + [digit * multiple for digit, multiple in zip(digits, (1, p)) if digit]
    t = p % r
    for k, added in enumerate(steps):
        require(t % r != 0, "%s: the loop meets infinity" % source)
        if added is not None and k + 1 < len(steps):
            require((t - added) % r != 0 and (t + added) % r != 0, "%s: the loop adds a point to itself" % source)
        t = 2 * t if added is None else t + added
    require(t % r == 0, "%s: x + 1 and x^3 - x^2 - x are not the optimal ate loop" % source)


def define_bw6(h, data, source, group, G, p, r, mont, coordinate):
    """Define the constants of math/pairing.h for a second group over Fp, whose code has Fp[w] with w^6 = xi."""
    x, xi = int(data["pairing"]["x"], 16), data["pairing"]["xi"]
    check_bw6(x, p, r, source)
    require((p - 1) % 6 == 0 and all(pow(xi, (p - 1) // k, p) != 1 for k in (2, 3)), "%s: xi is a square or a cube" % source)
    gamma = [pow(xi, i * (p - 1) // 6, p) for i in range(6)]
    image = tuple((c * pow(g, -1, p) % p,) for (c,), g in zip(G, (gamma[2], gamma[3])))
    require(image == group.mul(p % r, G), "%s: the Frobenius of the twist is wrong" % source)
    define_families(h, "bw6", data["pairing"]["x"])
    of_q, of_image = bw6_loops(x)
    define_digits(h, "X", power_digits(x)[0], "x")
    define_digits(h, "X_THIRD", signed_digits((x - 1) // 3), "(x - 1)/3")
    define_digits(h, "LOOP", of_q, "x + 1")
    define_digits(h, "IMAGE_LOOP", of_image, "x^3 - x^2 - x")
    h.define("CURVE_PAIRING_X_NEGATIVE", 0)
    define_powers(h, x)
    h.define("CURVE_PAIRING_XI", "(%d)" % xi, "xi")
    h.define("CURVE_TWIST_M", 1, "1: y^2 = x^3 + b*xi, 0: y^2 = x^3 + b/xi")
    h.define("CURVE_TWIST_3B", coordinate(tuple(3 * c % p for c in group.b)), "three times the twist's own")
    h.define("CURVE_FROBENIUS_Q", "{" + ", ".join("{" + mont(g) + "}" for g in gamma) + "}", "w^(i*(q - 1)), i = 0..5, where q = p")


def define_families(h, family, x):
    h.define("CURVE_HAS_PAIRING", 1)
    for number, name in enumerate(("BLS12", "BN", "BW6")):
        h.define("CURVE_PAIRING_" + name, number)
    h.define("CURVE_PAIRING_FAMILY", "CURVE_PAIRING_" + family.upper(), "x = %s" % x)


def define_powers(h, x):
    h.define("CURVE_PAIRING_X_POWERS", power_digits(x)[1], "the digits are less than twice this")
    h.define("CURVE_PAIRING_X_COMPRESSED", compressed_powers(power_digits(x)[0]), "of its digits, see fp12_sparse_pow")


def define_digits(h, name, digits, title):
    h.define("CURVE_PAIRING_%s_DIGITS" % name, len(digits))
    h.define("CURVE_PAIRING_%s" % name, "{" + ", ".join(map(str, digits)) + "}", title + ", the highest digit first")


def define_pairing(h, data, source, group, G, p, r, mont, coordinate):
    """Define the constants of math/pairing.h. With w^6 = xi, the twist is mapped to the curve over Fp, extended to Fp[w]."""
    h.lines.append("")
    if "pairing" not in data:
        h.define("CURVE_HAS_PAIRING", 0)
        return
    f = group.f
    family, x = data["pairing"]["family"], int(data["pairing"]["x"], 16)
    require(family in ("bls12", "bn", "bw6"), "%s: unknown family %s" % (source, family))
    require(f.degree == (1 if family == "bw6" else 2), "%s: the coordinates are not those of the family" % source)
    if family == "bw6":
        define_bw6(h, data, source, group, G, p, r, mont, coordinate)
        return
    check_pairing_family(family, x, p, r, source)
    kind, xi, b = twist_constant(group, p, source)
    gamma = [f.pow(xi, i * (p - 1) // 6) for i in range(6)]
    gamma2 = [f.pow(xi, i * (p * p - 1) // 6) for i in range(6)]
    require(all(g[1] == 0 for g in gamma2), "%s: w^(p^2 - 1) is not in Fp" % source)
    # On the subgroup, the Frobenius of the curve over Fp, transferred to the twist, multiplies by p.
    untwisted = [(g if kind == "D" else f.inv(g)) for g in (gamma[2], gamma[3])]
    require(tuple(f.mul(f.conjugate(c), g) for c, g in zip(G, untwisted)) == group.mul(p % r, G),
            "%s: the Frobenius of the twist is wrong" % source)
    define_families(h, family, data["pairing"]["x"])
    h.define("CURVE_PAIRING_X_NEGATIVE", int(x < 0))
    for name, n, title in (("X", abs(x), "|x|"), ("LOOP", abs(x) if family == "bls12" else 6 * x + 2,
                                                 "|x|" if family == "bls12" else "6x + 2")):
        define_digits(h, name, power_digits(n)[0] if name == "X" else signed_digits(n), title)
    define_powers(h, abs(x))
    h.define("CURVE_PAIRING_XI", xi[0], "xi = this + u")
    h.define("CURVE_TWIST_M", int(kind == "M"), "1: y^2 = x^3 + b*xi, 0: y^2 = x^3 + b/xi")
    h.define("CURVE_TWIST_B", b, "the b of the curve over Fp")
    h.define("CURVE_TWIST_3B", coordinate(tuple(3 * c % p for c in group.b)), "three times the twist's own")
    h.define("CURVE_FROBENIUS", "{" + ", ".join(coordinate(g) for g in gamma) + "}", "w^(i*(p - 1)), i = 0..5")
    h.define("CURVE_FROBENIUS_Q", "{" + ", ".join("{" + mont(g[0]) + "}" for g in gamma2) + "}", "w^(i*(q - 1)), i = 0..5, where q = p^2 is the size of Fp2")


def isogeny_kernel(f, b, a_prime, b_prime, x, y, source):
    """Return h of degree m such that h^2 and h^3 are the denominators of x and y. The map (x_num/h^2, y*y_num/h^3) is an
    isogeny of degree 2m + 1 if it maps infinity to infinity, and maps all points of y^2 = x^3 + a'*x + b' to the curve. The
    second condition is an identity of polynomials, which is checked."""
    x_num, x_den = x
    y_num, y_den = y
    square = lambda v: f.polynomial_mul(v, v)
    h = f.polynomial_root(x_den)
    require(square(h) == x_den and f.polynomial_mul(x_den, h) == y_den, "%s: the map's denominators have no kernel" % source)
    require(len(x_num) == len(x_den) + 1 and len(y_num) == len(y_den), "%s: the map's degrees do not match" % source)
    on_left = f.polynomial_mul([b_prime, a_prime, f.zero, f.one], square(y_num))
    on_right = f.polynomial_mul(square(x_num), x_num)
    for i, c in enumerate(f.polynomial_mul(square(x_den), x_den)):
        on_right[i] = f.add(on_right[i], f.mul(b, c))
    require(on_left == on_right, "%s: the map's isogeny does not lead to the curve" % source)
    return h


def some_points(group, count):
    """Yield random points of the curve. If the cofactor is large, it is very unlikely that one of them lies in the subgroup."""
    f, rng = group.f, random.Random(2)
    while count:
        x = tuple(rng.randrange(f.p) for _ in range(f.degree))
        y = f.sqrt(f.add(f.mul(x, f.mul(x, x)), group.b))
        if y is not None:
            count -= 1
            yield x, y


def clear_by_psi(group, P, x, psi):
    """Return (x^2 - x - 1)*P + (x - 1)*psi(P) + 2*psi^2(P), as math/map.h does (Budroni and Pintore 2017)."""
    add, neg = group.add, group.neg
    xP, image = group.mul(x, P), psi(P)
    sum = add(psi(psi(add(P, P))), neg(image))
    return add(add(add(sum, group.mul(x, add(xP, image))), neg(xP)), neg(P))


def define_map(h, data, source, group, p, r, element, mont, coordinate):
    """Define the constants of math/map.h, for RFC 9380's map to a curve with a*b = 0 (6.6.3) and for clearing the cofactor."""
    h.lines.append("")
    if "map" not in data:
        h.define("CURVE_HAS_MAP", 0)
        return
    f, given = group.f, data["map"]
    neg, cube = lambda v: f.sub(f.zero, v), lambda v: f.mul(v, f.mul(v, v))
    norm = lambda v: v[0] if f.degree == 1 else (v[0] * v[0] + v[1] * v[1]) % p
    z, a, b, h_eff = element(given["z"]), element(given["a"]), element(given["b"]), int(given["h_eff"], 16)
    x_num, x_den, y_num, y_den = ([element(v) for v in given[name]] for name in ("x_num", "x_den", "y_num", "y_den"))
    require(p % 4 == 3 and f.nr in (0, -1), "%s: the map's code takes roots modulo a p = 3 mod 4, with u^2 = -1" % source)
    require(f.sqrt(z) is None, "%s: the map's z is a square" % source)
    # If the denominator of the formula is 0, x is b/(z*a). Then x^3 + a*x + b must be a square.
    exception = f.mul(b, f.inv(f.mul(z, a)))
    require(f.sqrt(f.add(f.add(cube(exception), f.mul(a, exception)), b)) is not None, "%s: the map's z does not fit its a and b" % source)
    # Both curves have the same order, and no point with y = 0. Otherwise the code could divide 0 by 0.
    require(f.pow(neg(group.b), (p**f.degree - 1) // 3) != f.one, "%s: the curve has a point of order two" % source)
    kernel = isogeny_kernel(f, group.b, a, b, (x_num, x_den + [f.one]), (y_num, y_den + [f.one]), source)
    target = -pow(norm(z), 3, p) % p
    root = pow(target, (p + 1) // 4, p)
    require(root * root % p == target, "%s: -norm(z)^3 is no square" % source)
    by_psi = f.degree == 2
    x = int(data["pairing"]["x"], 16) if by_psi else 0
    require(not by_psi or data["pairing"]["family"] == "bls12", "%s: the cofactor is cleared by psi for bls12 alone" % source)
    require(by_psi or h_eff < 2**128, "%s: h_eff has more than 128 bits" % source)
    psi = lambda P: tuple(f.mul(f.conjugate(c), factor) for c, factor in zip(P, data["psi_chosen"]))
    for P in some_points(group, 2):
        cleared = group.mul(h_eff, P)
        require(cleared is not None and group.mul(r, cleared) is None, "%s: h_eff does not clear the cofactor" % source)
        require(not by_psi or clear_by_psi(group, P, x, psi) == cleared, "%s: psi does not clear the cofactor" % source)
    h.define("CURVE_HAS_MAP", 1, given["source"])
    h.define("CURVE_MAP_A", coordinate(a), "y^2 = x^3 + a*x + b, isogenous to the curve")
    h.define("CURVE_MAP_B", coordinate(b))
    h.define("CURVE_MAP_Z", coordinate(z))
    h.define("CURVE_MAP_X", coordinate(neg(f.mul(b, f.inv(a)))), "-b/a")
    h.define("CURVE_MAP_X_EXCEPTION", coordinate(exception), "b/(z*a)")
    h.define("CURVE_MAP_ROOT", "{" + mont(root) + "}", "its square is -norm(z)^3")
    for name, polynomial, title in (("KERNEL", kernel, "x = x_num/kernel^2, y = y*y_num/kernel^3, the coefficient of x^0 first"),
                                    ("X_NUM", x_num, ""), ("Y_NUM", y_num, "")):
        h.define("CURVE_MAP_" + name, "{" + ", ".join(map(coordinate, polynomial)) + "}", title)
    h.define("CURVE_MAP_CLEARS_BY_PSI", int(by_psi))
    if not by_psi:
        h.define("CURVE_MAP_COFACTOR", limbs(h_eff, 2), "by which it clears")


def main(argv):
    check = "--check" in argv
    rest = [a for a in argv if a != "--check"]
    root = rest[0] if rest else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "curves")
    out = rest[1] if len(rest) > 1 else os.path.join(root, "generated")
    os.makedirs(out, exist_ok=True)
    stale, wanted = [], set()
    for source in sorted(f for f in os.listdir(root) if f.endswith(".json")):
        with open(os.path.join(root, source)) as f:
            ident, text = curve_header(json.load(f), source)
        require(source == ident + ".json", "%s describes %s: rename it" % (source, ident))
        path = os.path.join(out, ident + ".h")
        wanted.add(ident + ".h")
        old = open(path).read() if os.path.exists(path) else None
        if old != text:
            stale.append(path)
            if not check:
                with open(path, "w") as f:
                    f.write(text)
    stale += [os.path.join(out, f) for f in os.listdir(out) if f not in wanted]
    if check and stale:
        raise SystemExit("gen_curves.py: regenerating changes " + ", ".join(stale))


if __name__ == "__main__":
    main(sys.argv[1:])
