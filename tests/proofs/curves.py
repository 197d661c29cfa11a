# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file reads the constants of src/curves/generated/ and of the data files as numbers, and has arithmetic to check them
with: integers modulo p, Fp2, and points by textbook formulas. Nothing here is fast, and nothing is shared with
tools/gen_curves.py."""
import functools
import json
import re

from c_source import ROOT

ALL = tuple(sorted(f.stem for f in (ROOT / "src/curves").glob("*.json")))


@functools.lru_cache(maxsize=None)
def header(name):
    """Return {macro: number or nested lists of numbers} of a generated header."""
    constants = {}
    for line in (ROOT / ("src/curves/generated/%s.h" % name)).read_text().splitlines():
        m = re.match(r"#define (\w+) ([^/]+)", line)
        if not m:
            continue
        text = re.sub(r"UINT64_C\((0x[0-9a-fA-F]+)\)", r"\1", m.group(2)).strip()
        text = text.replace("{", "[").replace("}", "]")
        if re.fullmatch(r"[-()\[\], 0-9a-fA-Fx]+", text):
            constants[m.group(1)] = eval(text, {"__builtins__": {}})
        else:
            constants[m.group(1)] = constants.get(text, text)
    return constants


@functools.lru_cache(maxsize=None)
def data(name):
    return json.loads((ROOT / ("src/curves/%s.json" % name)).read_text())


def prime(name, field="FP"):
    """Return a prime from the data file. If `field` is "FP", it is that of the coordinates. If `field` is "FR", it is that of
    the scalars."""
    return int(data(name)["p" if field == "FP" else "r"], 16)


def number(limbs):
    return sum(x << (64 * i) for i, x in enumerate(limbs))


def limbs_of(value, count):
    return [value >> (64 * i) & ((1 << 64) - 1) for i in range(count)]


def modulus(name, prefix="FP"):
    return number(header(name)[prefix + "_MODULUS"])


class Field:
    """This is Fp, or Fp2 = Fp[u]/(u^2 + beta). Elements are pairs, also those of Fp, whose second number is 0."""

    def __init__(self, name):
        constants = header(name)
        self.p, self.limbs = modulus(name), constants["FP_LIMBS"]
        self.beta = -constants.get("FP2_NONRESIDUE", -1)
        self.degree = constants["FE_DEGREE"]

    def element(self, value):
        """Convert a constant of the header, {{limbs}} or {{{limbs}}, {{limbs}}}, from Montgomery form."""
        while isinstance(value[0], list) and len(value) == 1:
            value = value[0]
        parts = value if isinstance(value[0], list) else [value]
        parts = [number(x[0] if isinstance(x[0], list) else x) for x in parts]
        factor = pow(pow(2, 64 * self.limbs, self.p), -1, self.p)
        return tuple(x * factor % self.p for x in parts + [0] * (2 - len(parts)))

    def add(self, a, b):
        return (a[0] + b[0]) % self.p, (a[1] + b[1]) % self.p

    def scale(self, a, k):
        return a[0] * k % self.p, a[1] * k % self.p

    def sub(self, a, b):
        return self.add(a, self.scale(b, -1))

    def mul(self, a, b):
        return (a[0] * b[0] - self.beta * a[1] * b[1]) % self.p, (a[0] * b[1] + a[1] * b[0]) % self.p

    def pow(self, a, n):
        result = (1, 0)
        for bit in bin(n)[2:]:
            result = self.mul(result, result)
            if bit == "1":
                result = self.mul(result, a)
        return result

    def conjugate(self, a):
        return a[0], -a[1] % self.p

    def inverse(self, a):
        norm = pow(a[0] * a[0] + self.beta * a[1] * a[1], -1, self.p)
        return a[0] * norm % self.p, -a[1] * norm % self.p


class Curve:
    """This is the curve y^2 = x^3 + b. A point is (x, y), or None for infinity."""

    def __init__(self, name):
        constants = header(name)
        self.field = Field(name)
        self.b = self.field.element(constants["CURVE_B"])
        self.r = modulus(name, "FR")
        self.generator = tuple(self.field.element(constants["CURVE_GENERATOR_" + c]) for c in "XY")

    def contains(self, point):
        f = self.field
        return f.mul(point[1], point[1]) == f.add(f.pow(point[0], 3), self.b)

    def add(self, a, b):
        f = self.field
        if a is None or b is None:
            return b if a is None else a
        if a[0] == b[0]:
            if f.add(a[1], b[1]) == (0, 0):
                return None
            slope = f.mul(f.scale(f.mul(a[0], a[0]), 3), f.inverse(f.scale(a[1], 2)))
        else:
            slope = f.mul(f.sub(b[1], a[1]), f.inverse(f.sub(b[0], a[0])))
        x = f.sub(f.sub(f.mul(slope, slope), a[0]), b[0])
        return x, f.sub(f.mul(slope, f.sub(a[0], x)), a[1])

    def multiply(self, k, point):
        if k < 0:
            return self.multiply(-k, (point[0], self.field.scale(point[1], -1)))
        result = None
        for bit in bin(k)[2:]:
            result = self.add(result, result)
            if bit == "1":
                result = self.add(result, point)
        return result
