#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Write a circuit over BN254 whose constraints have all forms that a setup tells apart, and its witness.

  circuits.py PUBLICS CIRCUIT.r1cs WITNESS.wtns
"""
import struct
import sys

R = 21888242871839275222246405745257275088548364400416034343698204186575808495617


def number(value):
    return (value % R).to_bytes(32, "little")


def section(kind, data):
    return struct.pack("<IQ", kind, len(data)) + data


def main(publics, r1cs, wtns):
    w = [1, 3, 5, 7, 11]
    w.append(5 * (w[1] + 2 * w[2] + 3 * w[3] + w[4]))  # 5
    w.append(7 * (w[1] + w[2]))  # 6
    w.append(w[6])  # 7
    w.append((w[1] + 3) * (w[2] + w[3] + w[4] + w[5] + w[6] + 4))  # 8
    w.append(w[1] * w[2])  # 9
    w.append(12)  # 10
    constraints = [
        ([(0, 5)], [(1, 1), (2, 2), (3, 3), (4, 1)], [(5, 1)]),  # a constant times a sum of several levels
        ([(1, 1), (2, 1)], [(0, 7)], [(6, 1)]),  # the same on the other side
        ([], [(1, 1)], [(6, 1), (7, -1)]),  # no terms: the right side is 0
        ([(1, 1), (0, 3)], [(6, 1), (5, 1), (4, 1), (3, 1), (2, 1), (0, 4)], [(8, 1)]),  # not ordered
        ([(1, 0)], [(2, 1)], [(3, 0)]),  # terms with the factor 0
        ([(0, 0)], [(2, 1)], []),  # a constant 0
        ([(1, 5), (1, 1)], [(2, 1)], [(9, 1)]),  # a wire twice, of which the last term counts
        ([], [], []),  # nothing
        ([(10, 1)], [(0, 1)], [(0, 12)]),  # constants on both sides
        ([(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (9, 1)], [(0, 1)], [(0, sum(w[1:10]))]),
        ([(0, 2)], [(0, 3)], [(0, 6)]),  # only constants
    ]
    header = struct.pack("<I", 32) + number_of(R) + struct.pack("<IIIIQI", len(w), 0, publics, 0, len(w), len(constraints))
    body = b"".join(struct.pack("<I", len(terms)) + b"".join(struct.pack("<I", wire) + number(value) for wire, value in terms)
                    for constraint in constraints for terms in constraint)
    labels = b"".join(struct.pack("<Q", i) for i in range(len(w)))
    with open(r1cs, "wb") as file:
        file.write(b"r1cs" + struct.pack("<II", 1, 3) + section(1, header) + section(2, body) + section(3, labels))
    with open(wtns, "wb") as file:
        file.write(b"wtns" + struct.pack("<II", 2, 2) + section(1, struct.pack("<I", 32) + number_of(R) + struct.pack("<I", len(w))) +
                   section(2, b"".join(number(value) for value in w)))


def number_of(value):
    return value.to_bytes(32, "little")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
