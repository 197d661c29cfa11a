#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests `sumac srs commit`, `open` and `verify`, and bases from part of an SRS file. Answers come from
tests/reference/ref.py."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
sys.dont_write_bytecode = True
import cli_support  # noqa: E402
import ref  # noqa: E402
from cli_support import CommandTest, run  # noqa: E402


class Scene(CommandTest):
    """These are a polynomial, and the points of a small ceremony."""
    CURVE = ("--curve", "bn254")

    def setUp(self):
        super().setUp()
        self.ptau = os.path.join(cli_support.DATA, "formats", "ptau.bn254")
        self.srs = (*self.CURVE, "--bases", self.ptau, "--format", "ptau-tau")
        self.group = ref.Group("bn254", "g1")
        self.r = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001
        self.f = [5, self.r - 7, 0x1234567890abcdef1234567890abcdef, 1]
        self.write("f", b"".join(c.to_bytes(32, "little") for c in self.f))

    def points(self, name, format="ptau-tau"):
        self.ok("convert", *self.CURVE, self.ptau, "--format", format, name)
        raw = self.read(name)
        return [tuple(int.from_bytes(raw[i + j:i + j + 32], "little") for j in (0, 32)) for i in range(0, len(raw), 64)]

    def hex(self, points, coefficients):
        return "0x" + self.group.praw(ref.msm(self.group, points[:len(coefficients)], coefficients)).hex()

    def quotient(self, z):
        """Return f(z) and the coefficients of (f - f(z))/(X - z)."""
        value, found = 0, []
        for c in reversed(self.f):
            found.append(value)
            value = (value * z + c) % self.r
        return value, found[:0:-1]


class Srs(Scene):
    def test_commit_and_open(self):
        points = self.points("tau")
        commitment = self.hex(points, self.f)
        self.assertEqual(self.ok("srs", "commit", *self.srs, "f").decode(), commitment + "\n")
        self.assertEqual(json.loads(self.ok("srs", "commit", *self.srs, "--json", "f")), {"commitment": commitment})
        self.write("big", b"".join(c.to_bytes(32, "big") for c in self.f))
        self.assertEqual(self.ok("srs", "commit", *self.srs, "--scalar-order", "big", "big", "big").decode(), 2 * (commitment + "\n"))
        self.assertEqual(self.ok("srs", "commit", *self.CURVE, "--bases", "tau", "f").decode(), commitment + "\n")
        self.ok("convert", *self.CURVE, "tau", "g1.2", "-n", "1", "--format", "raw")
        self.ok("convert", "--curve", "bn254", "--group", "g2", self.ptau, "--format", "ptau-tau", "g2")
        for z in (0, 1, 42, self.r - 1):
            value, quotient = self.quotient(z)
            proof, y, z = self.hex(points, quotient), "0x%064x" % value, "0x%064x" % z
            self.assertEqual(self.ok("srs", "open", *self.srs, "-z", z, "f").decode(), "%s %s\n" % (proof, y))
            claim = ("--commitment", commitment, "-z", z, "-y", y, "--proof", proof)
            self.assertEqual(self.ok("srs", "verify", *self.srs, *claim), b"OK: the proof holds\n")
            self.assertEqual(self.ok("srs", "verify", *self.CURVE, "--bases", "tau", "--g2-bases", "g2", *claim), b"OK: the proof holds\n")
            for i, other in ((1, proof), (3, "0x%064x" % 43), (5, "0x%064x" % ((value + 1) % self.r)), (7, commitment)):
                self.check_refusal(run("srs", "verify", *self.srs, *claim[:i], other, *claim[i + 1:]), 1, "proof invalid")

    def test_refused(self):
        common = (*self.srs, "-z", "0x%064x" % 1)
        self.refused(2, "is not less than", "srs", "open", *self.srs, "-z", "0x%064x" % self.r, "f")
        self.refused(2, "hexadecimal", "srs", "open", *self.srs, "-z", "7", "f")
        self.write("cut", self.read("f")[:-1])
        self.refused(2, "cut: 127 bytes are not a polynomial", "srs", "open", *common, "cut")
        self.write("long", bytes(32 * 10000))
        self.refused(2, "", "srs", "commit", *self.srs, "long")
        self.refused(2, "needs -z", "srs", "open", *self.srs, "f")
        self.refused(2, "usage: sumac srs {commit,open,verify}", "srs")


class Parts(Scene):
    """--first-base chooses bases independently of scalars, such as one domain of a .ptau's Lagrange part. Scalars can be
    big-endian."""

    def test_a_domain_of_a_ptau(self):
        points = self.points("lagrange", "ptau-tau-lagrange")
        command = ("msm", *self.CURVE, "--bases", self.ptau, "--format", "ptau-tau-lagrange", "--scalars", "f", "--json")
        for first, n in ((3, 4), (1, 2), (0, 1)):  # the domain of n points begins at n - 1
            expected = self.group.phex(ref.msm(self.group, points[first:first + n], self.f[:n]))
            found = json.loads(self.ok(*command, "--first-base", str(first), "-n", str(n)))
            self.assertEqual((found["result"], found["n"]), (expected, n))
        expected = self.group.phex(ref.msm(self.group, points[3:6], self.f[1:4]))
        self.assertEqual(json.loads(self.ok(*command, "--first-base", "3", "--first", "1"))["result"], expected)
        piped = ("msm", *self.CURVE, "--bases", "-", "--format", "ptau-tau-lagrange", "--scalars", "f", "--json", "--first-base", "3", "-n", "3")
        found = json.loads(self.ok(*piped, input=self.read(self.ptau), stdin=None))
        self.assertEqual(found["result"], self.group.phex(ref.msm(self.group, points[3:6], self.f[:3])))
        with open(self.ptau, "rb") as file:  # counting the points must not move the position in the file
            found = json.loads(self.ok(*piped, stdin=file))
        self.assertEqual(found["result"], self.group.phex(ref.msm(self.group, points[3:6], self.f[:3])))
        raw = self.read("lagrange")
        with open("lagrange", "rb") as file:
            self.ok("convert", *self.CURVE, "-", "--first", "5", "rest_of_stdin", stdin=file)
        self.assertEqual(self.read("rest_of_stdin"), raw[5 * 64:])
        self.ok("convert", *self.CURVE, self.ptau, "--format", "ptau-tau-lagrange", "--first", "3", "-n", "4", "domain")
        self.assertEqual(self.read("domain"), raw[3 * 64:7 * 64])
        self.ok("convert", *self.CURVE, "lagrange", "--first", "5", "rest")
        self.assertEqual(self.read("rest"), raw[5 * 64:])
        self.refused(2, "--first-base 100000 and -n 4 go beyond", *command[:-1], "--first-base", "100000", "-n", "4")
        self.refused(2, "--first 100000 goes beyond", "convert", *self.CURVE, "lagrange", "--first", "100000", "x")
        self.refused(2, "--first-base does not go with --stream", *command[:-1], "--first-base", "3", "-n", "3", "--stream")

    def test_scalar_order(self):
        points = self.points("tau")
        expected = self.group.phex(ref.msm(self.group, points[:4], self.f))
        common = ("msm", *self.CURVE, "--bases", "tau", "-n", "4", "--json", "--scalars")
        self.write("big", b"".join(c.to_bytes(32, "big") for c in self.f))
        self.assertEqual(json.loads(self.ok(*common, "big", "--scalar-order", "big"))["result"], expected)
        self.assertEqual(json.loads(self.ok(*common, "f"))["result"], expected)
        values = [300, -5, 0, -32768]
        self.write("few", b"".join(v.to_bytes(2, "big", signed=True) for v in values))
        expected = self.group.phex(ref.msm(self.group, points[:4], [v % self.r for v in values]))
        few = ("few", "--scalar-bytes", "2", "--scalar-signed", "--scalar-order")
        self.assertEqual(json.loads(self.ok(*common, *few, "big"))["result"], expected)
        self.assertNotEqual(json.loads(self.ok(*common, *few, "little"))["result"], expected)


if __name__ == "__main__":
    cli_support.main()
