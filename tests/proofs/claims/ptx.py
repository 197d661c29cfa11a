# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the claims of field.h for the device code (mul_cuda.h, mul_rows.h). They are about the PTX that nvcc makes of
device_field.cu.

They hold for all operands below p, for each field of src/curves. The result is below p, and r may be an operand. With
R = 2^(64 * limbs) the results are

    sum              r = a + b            product          r * R = a * b             (mod p)
    difference       r = a - b            square           r * R = a * a             (mod p)
    negation         r = -a               pair             r * R = a * b + c * d     (mod p)
    doubling         r = 2 * a            to_montgomery    r = a * R,   from_montgomery  r * R = a   (mod p)

The pair is also proved for every c <= k * p with (k + 1) * p <= R, because Fp2 uses such c. Then a * b + c * d < p * R.
p and R^2 come from the curve's data file, not from the generated header with which the code is compiled.
"""
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from algebra import Reject, World, scale
from claims.field_assembly import MUL, PAIR, SQR
from claims.routine import Claim
from curves import ALL, prime
from machines.ptx import Machine, Pointer

FOLDER = Path(__file__).resolve().parent.parent
ROOT = FOLDER.parent.parent


class Field(NamedTuple):
    name: str
    curve: str
    scalars: bool
    p: int
    limbs: int

    @property
    def radix(self):
        return 1 << (64 * self.limbs)

    @property
    def most_multiple(self):
        """This is the greatest k with (k + 1) * p <= R."""
        return self.radix // self.p - 1


def fields():
    """Return the fields of coordinates and scalars, with each modulus once."""
    found = {}
    for curve in ALL:
        for scalars in (False, True):
            p, name = prime(curve, "FR" if scalars else "FP"), "%s.%s" % (curve, "scalars" if scalars else "coordinates")
            found.setdefault(p, Field(name, curve, scalars, p, -(-p.bit_length() // 64)))
    return list(found.values())


# ---- compiling ----


def nvcc():
    """Return the path of nvcc, or None."""
    return shutil.which("nvcc") or shutil.which("nvcc", path=os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin")


def compile_field(field, output, options=("-ptx", "-arch=compute_90"), source=FOLDER / "device_field.cu", header=None):
    """Compile the field's kernels, with the options of the engine's build."""
    header = header or "curves/generated/%s.h" % field.curve
    command = [nvcc(), *options, "-O3", "-I", str(ROOT / "src"), "-I", str(ROOT / "include"),
               '-DSUMAC_CURVE_HEADER="%s"' % header, str(source), "-o", str(output)]
    if field.scalars:
        command.append("-DSUMAC_PROOFS_OF_SCALARS")
    subprocess.run(command, check=True)
    return Path(output).read_text(encoding="utf-8") if options[0] == "-ptx" else None


# ---- claims ----

TERMS = {  # {routine: the result, or if the kind is "montgomery", the result times R}
    "sum": ("residue", ((1, "A"), (1, "B"))), "difference": ("residue", ((1, "A"), (-1, "B"))),
    "negation": ("residue", ((-1, "A"),)), "doubling": ("residue", ((2, "A"),)),
    "product": ("montgomery", MUL), "square": ("montgomery", SQR), "pair": ("montgomery", PAIR),
    "to_montgomery": ("montgomery", (("R^2", "A"),)), "from_montgomery": ("montgomery", ((1, "A"),)),
}


def claim_of(field, routine, most=None, **changes):
    """Return the claim on a routine. Tests make other claims by `most`, {operand: its greatest value}, or by parts of a
    Claim."""
    kind, terms = TERMS[routine]
    terms = tuple((field.radix**2 if factor == "R^2" else factor, *operands) for factor, *operands in terms)
    most = {"C": field.most_multiple * field.p, **(most or {})}
    operands = tuple((x, field.limbs, {0: most.get(x, field.p - 1)}) for x in sorted({x for _, *names in terms for x in names}))
    return Claim(routine, "", field.limbs, kind, operands, terms, field.limbs, modulus=field.p).but(**changes)


def prove(claim, code, seed=1, make=Machine):
    """Prove a claim of a routine's instructions, or raise Reject."""
    world = World(64 if any(i.name.startswith("mul.hi") for i in code.instructions) else 32)
    claim.enter(world, random.Random(seed))
    machine = make(world, code)
    for name, array in world.arrays.items():
        for i in range(64 * claim.limbs // world.bits):
            word = world.of_atom(array.limbs[i]) if i < len(array.limbs) else world.number(0)
            machine.memory[Pointer(name, world.bits // 8 * i)] = word
    ends, todo = [], machine.run()
    while todo:
        end = todo.pop()
        words = result_of(end, claim)
        carry = left_over(end.world, end.world.join(words), claim.modulus)
        add_difference_facts(end, claim)
        if end.world.infeasible():
            continue
        if carry is None:
            claim.conclude(end.world, words)
            ends.append(end)
        else:
            todo += end.cases_of(carry)
    return ends


def result_of(end, claim):
    step, size = end.world.bits // 8, 8 * claim.limbs
    if end.stored != set(range(0, size, step)):
        raise Reject("not every word of the result is stored")
    return [end.memory[Pointer("R", at)] for at in range(0, size, step)]


def left_over(world, result, p):
    """Return a carry that is left in the result modulo p, because the current case may decide it. The carry above the limbs of
    a modulus without a spare bit is an example."""
    for monomial, c in result.items():
        if len(monomial) == 1 and world.kinds[monomial[0]] == "cut" and world.highs[monomial[0]] == 1 and c == int(c) and c % p:
            return monomial[0]
    return None


def add_difference_facts(end, claim):
    """Any words in a row make an integer from 0 to base^count - 1. If they are the limbs of t - p + R * borrow, it follows that
    t < p if there is a borrow, and else t >= p."""
    count = 64 * claim.limbs // end.world.bits
    number = end.world.join(end.differences[-count:])
    end.world.facts += [(number, end.world.base**count - 1), (scale(number, -1), 0)]
