#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This program is a slow, independent reference for the optimal ate pairing.

  pairing.py OUTDIR SEED [N]     write N random pairs (4) of each curve with a pairing, after the pair of generators, and
                                 their pairings, as OUTDIR/CURVE.json

It computes on the curve over Fp12 = Fp[w]/(w^12 - 2c*w^6 + c^2 + beta), where w^6 = c + u is the twist's xi, with textbook affine
addition, lines with their verticals, and one plain power at the end. As in the library, a value is written as coefficients
[c0, c1] of w^0 .. w^5 over Fp2, where u^2 = -beta. The exponent is (p^12 - 1)/r times "multiple", which is the library's choice:
3 for BLS12-381 and BLS12-377, 2x(6x^2 + 3x + 1) for BN254.
The program needs Python 3.8+ and ref.py beside it.
"""
import json, os, random, sys

from ref import Group

X = {"bls12-381": -0xd201000000010000, "bls12-377": 0x8508c00000000001, "bn254": 0x44e992b44a6909f1}
XI = {"bls12-381": 1, "bls12-377": 0, "bn254": 9}
BETA = {"bls12-381": 1, "bls12-377": 5, "bn254": 1}
MULTIPLE = {"bls12-381": lambda x: 3, "bls12-377": lambda x: 3, "bn254": lambda x: 2 * x * (6 * x * x + 3 * x + 1)}


class Fp12:
    """An element is a list of 12 integers, which are the coefficients of w^0 to w^11."""

    def __init__(self, p, c, beta):
        self.p, self.c, self.beta, self.one = p, c, beta, [1] + [0] * 11

    def reduce(self, t):
        """Reduce a polynomial of any length by w^12 = 2c*w^6 - (c^2 + beta)."""
        t = list(t) + [0] * max(0, 12 - len(t))
        for i in range(len(t) - 1, 11, -1):
            t[i - 6] += 2 * self.c * t[i]
            t[i - 12] -= (self.c * self.c + self.beta) * t[i]
        return [v % self.p for v in t[:12]]

    def mul(self, a, b):
        t = [0] * 23
        for i, x in enumerate(a):
            if x:
                for j, y in enumerate(b):
                    t[i + j] += x * y
        return self.reduce(t)

    def sub(self, a, b):
        return [(x - y) % self.p for x, y in zip(a, b)]

    def scale(self, a, k):
        return [x * k % self.p for x in a]

    def inv(self, a):
        """Solve a*b = 1, which is twelve linear equations over Fp."""
        columns = [self.reduce([0] * i + a) for i in range(12)]
        rows = [[columns[j][i] for j in range(12)] + [int(i == 0)] for i in range(12)]
        for k in range(12):
            pivot = next(i for i in range(k, 12) if rows[i][k])
            rows[k], rows[pivot] = rows[pivot], rows[k]
            inverse = pow(rows[k][k], -1, self.p)
            rows[k] = [v * inverse % self.p for v in rows[k]]
            for i in range(12):
                if i != k and rows[i][k]:
                    factor = rows[i][k]
                    rows[i] = [(v - factor * w) % self.p for v, w in zip(rows[i], rows[k])]
        return [row[12] for row in rows]

    def pow(self, a, e):
        r = self.one
        for bit in bin(e)[2:]:
            r = self.mul(r, r)
            if bit == "1":
                r = self.mul(r, a)
        return r

    def from_fp2(self, a, power=0):
        """Return (a0 + a1*u) * w^power, where u = w^6 - c."""
        return self.reduce([0] * power + [a[0] - self.c * a[1]] + [0] * 5 + [a[1]])

    def to_fp2(self, a):
        return [((a[i] + self.c * a[i + 6]) % self.p, a[i + 6]) for i in range(6)]


class Pairing:
    def __init__(self, curve):
        self.g1, self.g2 = Group(curve, "g1"), Group(curve, "g2")
        self.p, self.r, self.x = self.g1.p, self.g1.r, X[curve]
        self.f = Fp12(self.p, XI[curve], BETA[curve])
        self.is_bn = curve == "bn254"
        self.multiple = MULTIPLE[curve](self.x)
        self.w_inverse = self.f.inv([0, 1] + [0] * 10)

    def on_curve(self, P):
        f = self.f
        return f.sub(f.mul(P[1], P[1]), f.mul(P[0], f.mul(P[0], P[0]))) == f.scale(f.one, self.g1.b)

    def untwist(self, Q):
        """Map a point to y^2 = x^3 + b, by w^2 and w^3 or by their inverses, whichever gives a point of the curve."""
        f = self.f
        image = (f.from_fp2(Q[0], 2), f.from_fp2(Q[1], 3))
        if not self.on_curve(image):
            w2 = f.mul(self.w_inverse, self.w_inverse)
            image = (f.mul(f.from_fp2(Q[0]), w2), f.mul(f.from_fp2(Q[1]), f.mul(w2, self.w_inverse)))
        assert self.on_curve(image)
        return image

    def step(self, A, B, P):
        """Return A + B and a quotient at P in E(Fp). The quotient is the line through A and B divided by the vertical through
        A + B."""
        f = self.f
        if A == B:
            slope = f.mul(f.scale(f.mul(A[0], A[0]), 3), f.inv(f.scale(A[1], 2)))
        else:
            slope = f.mul(f.sub(B[1], A[1]), f.inv(f.sub(B[0], A[0])))
        x = f.sub(f.sub(f.mul(slope, slope), A[0]), B[0])
        y = f.sub(f.mul(slope, f.sub(A[0], x)), A[1])
        px, py = f.scale(f.one, P[0]), f.scale(f.one, P[1])
        line = f.sub(f.sub(py, A[1]), f.mul(slope, f.sub(px, A[0])))
        return (x, y), f.mul(line, f.inv(f.sub(px, x)))

    def miller(self, n, Q, P):
        """Return n*Q and f_(n,Q)(P) for n > 0."""
        f, T, value = self.f, Q, self.f.one
        for bit in bin(n)[3:]:
            T, line = self.step(T, T, P)
            value = f.mul(f.mul(value, value), line)
            if bit == "1":
                T, line = self.step(T, Q, P)
                value = f.mul(value, line)
        return T, value

    def frobenius(self, Q):
        return tuple(self.f.pow(c, self.p) for c in Q)

    def pair(self, P, Q):
        f, Q = self.f, self.untwist(Q)
        if self.is_bn:
            T, value = self.miller(6 * self.x + 2, Q, P)
            Q1 = self.frobenius(Q)
            Q2 = self.frobenius(Q1)
            T, line = self.step(T, Q1, P)
            value = f.mul(value, line)
            T, line = self.step(T, (Q2[0], f.sub([0] * 12, Q2[1])), P)
            value = f.mul(value, line)
        elif self.x > 0:
            T, value = self.miller(self.x, Q, P)
        else:
            T, value = self.miller(-self.x, Q, P)  # f_(-n) = 1/(f_n * the vertical through n*Q)
            value = f.inv(f.mul(value, f.sub(f.scale(f.one, P[0]), T[0])))
        return f.pow(value, self.multiple * ((self.p**12 - 1) // self.r))


def write_pairings(outdir, seed, n):
    os.makedirs(outdir, exist_ok=True)
    for curve in X:
        rng, pairing = random.Random(curve + seed), Pairing(curve)
        g1, g2 = pairing.g1, pairing.g2
        cases = []
        for i in range(n + 1):
            a, b = (1, 1) if i == 0 else (rng.randrange(1, g1.r), rng.randrange(1, g1.r))
            P, Q = g1.mul(a, g1.G), g2.mul(b, g2.G)
            value = pairing.f.to_fp2(pairing.pair(P, Q))
            cases.append({"g1": g1.phex(P), "g2": g2.phex(Q), "value": [[hex(c) for c in part] for part in value]})
        with open(os.path.join(outdir, curve + ".json"), "w") as out:
            json.dump({"curve": curve, "multiple": hex(pairing.multiple), "cases": cases}, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    write_pairings(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 4)
