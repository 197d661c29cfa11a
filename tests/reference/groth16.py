#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This program is a slow, independent Groth16 prover, which computed expected.bin in tests/data/groth16.tar.xz.

  groth16.py KEY.zkey WITNESS.wtns R S OUT
        writes the proof's points A, B, C, raw (ref.py), for the random numbers R and S

It uses plain integers and affine points, and evaluates the transform term by term. h is found without a transform of a coset:
the polynomials of A w and B w are evaluated at the odd powers of the root w_2n by the Lagrange formula
P(x) = (x^n - 1)/n * sum_i P(w^i) w^i/(x - w^i).
"""
import struct
import sys

from ref import Group


def sections(path, magic):
    data = open(path, "rb").read()
    assert data[:4] == magic
    at, found = 12, {}
    while at < len(data):
        kind, size = struct.unpack_from("<IQ", data, at)
        found[kind] = data[at + 12:at + 12 + size]
        at += 12 + size
    return found


def integers(data, size):
    return [int.from_bytes(data[i:i + size], "little") for i in range(0, len(data), size)]


def points(group, data):
    """Read points in Montgomery form, with R = 2^(8*bytes)."""
    n, p = group.fbytes, group.p
    inverse = pow(1 << (8 * n), -1, p)
    values = [v * inverse % p for v in integers(data, n)]
    if not group.ext:
        pairs = zip(values[::2], values[1::2])
    else:
        pairs = (((a, b), (c, d)) for a, b, c, d in zip(*[iter(values)] * 4))
    zero = (0, 0) if group.ext else 0
    return [None if x == zero and y == zero else (x, y) for x, y in pairs]


def msm(group, bases, scalars):
    """Compute an MSM bit by bit, from the highest bit down."""
    total = None
    for bit in range(group.r.bit_length() - 1, -1, -1):
        total = group.add(total, total)
        for base, scalar in zip(bases, scalars):
            if scalar >> bit & 1:
                total = group.add(total, base)
    return total


def evaluations(r, n, w, values, places):
    """Return the values at other points of the polynomial that has these values on the powers of w."""
    roots = [pow(w, i, r) for i in range(n)]
    weighted = [v * x % r for v, x in zip(values, roots)]
    return [(pow(x, n, r) - 1) * pow(n, -1, r) *
            sum(v * pow(x - root, -1, r) for v, root in zip(weighted, roots) if v) % r for x in places]


def prove(key, witness, random_r, random_s):
    header = key[2]
    bytes_q = struct.unpack_from("<I", header)[0]
    bytes_r = struct.unpack_from("<I", header, 4 + bytes_q)[0]
    p = int.from_bytes(header[4:4 + bytes_q], "little")
    curve = next(name for name in ("bn254", "bls12-381") if Group(name, "g1").p == p)
    g1, g2 = Group(curve, "g1"), Group(curve, "g2")
    r = g1.r
    wires, publics, n = struct.unpack_from("<III", header, 8 + bytes_q + bytes_r)
    rest = header[20 + bytes_q + bytes_r:]
    cuts = [0]
    for size in (2, 2, 4, 4, 2, 4):
        cuts.append(cuts[-1] + size * bytes_q)
    alpha1, beta1, beta2, _, delta1, delta2 = (
        points(g, rest[a:b])[0] for g, a, b in zip((g1, g1, g2, g2, g1, g2), cuts, cuts[1:]))
    w = integers(witness[2], bytes_r)
    assert len(w) == wires and w[0] == 1

    unscale = pow(1 << (16 * bytes_r), -1, r)
    rows = [[0] * n, [0] * n]
    step = 12 + bytes_r
    for at in range(4, len(key[4]), step):
        matrix, row, wire = struct.unpack_from("<III", key[4], at)
        value = int.from_bytes(key[4][at + 12:at + step], "little") * unscale
        rows[matrix][row] = (rows[matrix][row] + value * w[wire]) % r

    # snarkjs' root of unity is a power of the least number that is not a square.
    nonresidue = next(x for x in range(2, 100) if pow(x, (r - 1) // 2, r) != 1)
    root_2n = pow(nonresidue, (r - 1) // (2 * n), r)
    places = [pow(root_2n, 2 * i + 1, r) for i in range(n)]
    root_n = root_2n * root_2n % r
    a, b = (evaluations(r, n, root_n, values, places) for values in rows)
    c = evaluations(r, n, root_n, [x * y % r for x, y in zip(*rows)], places)
    h = [(x * y - z) % r for x, y, z in zip(a, b, c)]

    proof_a = msm(g1, [alpha1, delta1] + points(g1, key[5]), [1, random_r] + w)
    proof_b1 = msm(g1, [beta1, delta1] + points(g1, key[6]), [1, random_s] + w)
    proof_b = msm(g2, [beta2, delta2] + points(g2, key[7]), [1, random_s] + w)
    proof_c = msm(g1, [delta1, proof_a, proof_b1] + points(g1, key[8]) + points(g1, key[9]),
                  [-random_r * random_s % r, random_s, random_r] + w[publics + 1:] + h)
    return g1.praw(proof_a) + g2.praw(proof_b) + g1.praw(proof_c)


def main():
    zkey, wtns, random_r, random_s, out = sys.argv[1:]
    proof = prove(sections(zkey, b"zkey"), sections(wtns, b"wtns"), int(random_r, 0), int(random_s, 0))
    with open(out, "wb") as file:
        file.write(proof)


if __name__ == "__main__":
    main()
