#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This program is a slow, independent reference for RFC 9380's map of field elements to points of a group.

  map.py OUTDIR SEED [N]     for each group that has a map, write elements and their points to OUTDIR/CURVE_GROUP.json:
                             first the special elements, for which a formula may be wrong, and then N (40) random ones

It follows the RFC's steps (6.6.2, 6.6.3): inverses, square roots by a general method, the isogeny's four polynomials, and a
product with h_eff. The suites' constants come from src/curves/*.json. The RFC's own vectors show whether they are right.
The program needs Python 3.8+ and ref.py beside it.
"""
import json, os, random, sys

from ref import Group

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "curves")


class Map(Group):
    def __init__(self, curve, group):
        super().__init__(curve, group)
        with open(os.path.join(DATA, "%s_%s.json" % (curve.replace("-", "_"), group))) as f:
            m = json.load(f)["map"]
        element = lambda v: tuple(int(t, 16) for t in v) if self.ext else int(v, 16)
        self.zero, self.one = ((0, 0), (1, 0)) if self.ext else (0, 1)
        self.z, self.a, self.b1 = element(m["z"]), element(m["a"]), element(m["b"])
        self.polynomials = [[element(v) for v in m[name]] for name in ("x_num", "x_den", "y_num", "y_den")]
        for i in (1, 3):
            self.polynomials[i].append(self.one)
        self.h_eff = int(m["h_eff"], 16)
        self.q = self.p**2 if self.ext else self.p

    def fneg(self, a):
        return self.fsub(self.zero, a)

    def fpow(self, a, e):
        r = self.one
        for bit in bin(e)[2:]:
            r = self.fmul(r, r)
            if bit == "1":
                r = self.fmul(r, a)
        return r

    def fsqrt(self, a):
        """Return (x + w)^((q + 1)/2) (Cipolla), where w^2 = x^2 - a is not a square, or None if a is not a square."""
        if self.fzero(a):
            return a
        if self.fpow(a, (self.q - 1) // 2) != self.one:
            return None
        x, rng = self.zero, random.Random(1)
        while True:
            x = tuple(rng.randrange(self.p) for _ in range(2)) if self.ext else rng.randrange(self.p)
            w = self.fsub(self.fmul(x, x), a)
            if not self.fzero(w) and self.fpow(w, (self.q - 1) // 2) != self.one:
                break
        times = lambda s, t: (self.fadd(self.fmul(s[0], t[0]), self.fmul(w, self.fmul(s[1], t[1]))),
                              self.fadd(self.fmul(s[0], t[1]), self.fmul(s[1], t[0])))
        r, base, e = (self.one, self.zero), (x, self.one), (self.q + 1) // 2
        while e:
            if e & 1:
                r = times(r, base)
            base, e = times(base, base), e >> 1
        assert self.fmul(r[0], r[0]) == a and self.fzero(r[1])
        return r[0]

    def sgn0(self, a):
        """Compute the sign of an element (4.1)."""
        sign, zero = 0, 1
        for c in (a if self.ext else (a,)):
            sign |= zero & (c % 2)
            zero &= int(c == 0)
        return sign

    def right_side(self, x):
        return self.fadd(self.fmul(self.fadd(self.fmul(x, x), self.a), x), self.b1)

    def simple_swu(self, u):
        """Map u to a point of the isogenous curve (6.6.2)."""
        zu2 = self.fmul(self.z, self.fmul(u, u))
        t = self.fadd(self.fmul(zu2, zu2), zu2)
        if self.fzero(t):
            x1 = self.fmul(self.b1, self.finv(self.fmul(self.z, self.a)))
        else:
            x1 = self.fmul(self.fmul(self.fneg(self.b1), self.finv(self.a)), self.fadd(self.one, self.finv(t)))
        x = x1
        y = self.fsqrt(self.right_side(x))
        if y is None:
            x = self.fmul(zu2, x1)
            y = self.fsqrt(self.right_side(x))
        return x, (y if self.sgn0(u) == self.sgn0(y) else self.fneg(y))

    def value(self, polynomial, x):
        r, power = self.zero, self.one
        for c in polynomial:
            r, power = self.fadd(r, self.fmul(c, power)), self.fmul(power, x)
        return r

    def to_curve(self, u):
        """Map u to a point of the curve (6.6.3). If a denominator is 0, the point is infinity, which is None."""
        x, y = self.simple_swu(u)
        x_num, x_den, y_num, y_den = (self.value(polynomial, x) for polynomial in self.polynomials)
        if self.fzero(x_den) or self.fzero(y_den):
            return None
        P = self.fmul(x_num, self.finv(x_den)), self.fmul(y, self.fmul(y_num, self.finv(y_den)))
        assert self.on_curve(P)
        return P

    def to_group(self, u):
        return self.mul(self.h_eff, self.to_curve(u))

    # elements at which formulas have special cases

    def roots(self, b, c):
        """Return all x with x^2 + b*x + c = 0."""
        four = self.fadd(self.fadd(self.one, self.one), self.fadd(self.one, self.one))
        root = self.fsqrt(self.fsub(self.fmul(b, b), self.fmul(four, c)))
        half = self.finv(self.fadd(self.one, self.one))
        return [] if root is None else [self.fmul(half, self.fsub(s, b)) for s in (root, self.fneg(root))]

    def elements_to(self, x):
        """Return the u that simple_swu maps to this x. With t = z*u^2 and k = -x*a/b - 1, either x = x1 and t^2 + t = 1/k, or
        x = t*x1."""
        k = self.fsub(self.fneg(self.fmul(self.fmul(x, self.a), self.finv(self.b1))), self.one)
        ts = [] if self.fzero(k) else self.roots(self.one, self.fneg(self.finv(k)))
        ts += self.roots(self.fneg(k), self.fneg(k))
        us = [self.fsqrt(self.fmul(t, self.finv(self.z))) for t in ts]
        return [u for u in us if u is not None and self.simple_swu(u)[0] == x]

    def kernel_abscissas(self):
        """Return the x that the isogeny maps to infinity. They are the roots of gcd(x_den, X^q - X), and are found by random
        splitting."""
        def remainder(a, m):
            a = list(a)
            while len(a) >= len(m):
                c = self.fmul(a[-1], self.finv(m[-1]))
                for i, v in enumerate(m):
                    a[len(a) - len(m) + i] = self.fsub(a[len(a) - len(m) + i], self.fmul(c, v))
                a.pop()
            while a and self.fzero(a[-1]):
                a.pop()
            return a

        def gcd(a, b):
            while b:
                a, b = b, remainder(a, b)
            return a

        def product(a, b, m):
            r = [self.zero] * max(len(a) + len(b) - 1, 0)
            for i, v in enumerate(a):
                for j, w in enumerate(b):
                    r[i + j] = self.fadd(r[i + j], self.fmul(v, w))
            return remainder(r, m)

        def power(a, e, m):
            r = [self.one]
            for bit in bin(e)[2:]:
                r = product(r, r, m)
                if bit == "1":
                    r = product(r, a, m)
            return r

        def minus(a, c):
            a = list(a) + [self.zero] * (len(c) - len(a))
            for i, v in enumerate(c):
                a[i] = self.fsub(a[i], v)
            while a and self.fzero(a[-1]):
                a.pop()
            return a

        rng = random.Random(3)

        def split(m):
            if len(m) <= 2:
                return [] if len(m) < 2 else [self.fmul(self.fneg(m[0]), self.finv(m[1]))]
            while True:
                shift = tuple(rng.randrange(self.p) for _ in range(2)) if self.ext else rng.randrange(self.p)
                w = power([shift, self.one], (self.q - 1) // 2, m)
                parts = [gcd(m, minus(w, [c])) for c in (self.one, self.fneg(self.one))]
                if all(1 < len(part) < len(m) for part in parts):
                    return split(parts[0]) + split(parts[1])

        # x_den is a square, so that x_den / gcd(x_den, x_den') has the same roots without multiplicity.
        x_den = self.polynomials[1]
        derivative = [self.fmul(c, (i, 0) if self.ext else i) for i, c in enumerate(x_den)][1:]
        whole, common, quotient = list(x_den), gcd(x_den, derivative), []
        while len(whole) >= len(common):
            c = self.fmul(whole[-1], self.finv(common[-1]))
            quotient.append(c)
            for i, v in enumerate(common):
                whole[len(whole) - len(common) + i] = self.fsub(whole[len(whole) - len(common) + i], self.fmul(c, v))
            whole.pop()
        m = quotient[::-1]
        return split(m if len(m) == 2 else gcd(m, minus(power([self.zero, self.one], self.q, m), [self.zero, self.one])))

    def special(self):
        element = lambda c0, c1: (c0 % self.p, c1 % self.p) if self.ext else c0 % self.p
        us = [element(c, 0) for c in (0, 1, -1, 2, -2)]
        if self.ext:
            us += [element(0, c) for c in (1, -1, 2, -2)] + [element(1, -1), element(-1, -1)]
        # If z*u^2 = -1, the denominator (z*u^2)^2 + z*u^2 is 0 and has no inverse.
        minus = self.fsqrt(self.fneg(self.finv(self.z)))
        if minus is not None:
            us += [minus, self.fneg(minus)]
        for x in self.kernel_abscissas():
            if self.fsqrt(self.right_side(x)) is not None:
                for u in self.elements_to(x):
                    us += [u, self.fneg(u)]
        return us


def write(outdir, curve, group, seed, n):
    m, rng = Map(curve, group), random.Random(seed)
    us = m.special()
    for _ in range(n):
        us.append(tuple(rng.randrange(m.p) for _ in range(2)) if m.ext else rng.randrange(m.p))
    vectors = [{"u": m.fhex(u), "point": m.phex(m.to_group(u))} for u in us]
    print(curve, group, len(vectors), "elements,", sum(v["point"] is None for v in vectors), "to infinity")
    with open(os.path.join(outdir, "%s_%s.json" % (curve, group)), "w") as f:
        json.dump(vectors, f, indent=1)


if __name__ == "__main__":
    out, seed = sys.argv[1], int(sys.argv[2])
    os.makedirs(out, exist_ok=True)
    for group in ("g1", "g2"):
        write(out, "bls12-381", group, seed, int(sys.argv[3]) if len(sys.argv) > 3 else 40)
