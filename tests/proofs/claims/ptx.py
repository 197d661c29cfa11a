# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The claims of field.h for the device code (mul_cuda.h, mul_rows.h), of the PTX that nvcc makes of device_field.cu.

For all operands below p, of each field of src/curves: the result is below p, r may be an operand, and with R = 2^(64 * limbs)

    sum              r = a + b            product          r * R = a * b             (mod p)
    difference       r = a - b            square           r * R = a * a             (mod p)
    negation         r = -a               pair             r * R = a * b + c * d     (mod p)
    doubling         r = 2 * a            to_montgomery    r = a * R,   from_montgomery  r * R = a   (mod p)

The pair is proved for every c <= k * p with (k + 1) * p <= R as well, which Fp2 uses: then a * b + c * d < p * R.
p and R^2 come from the curve's data file, not from the generated header that the code is compiled with.
"""
import json
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from algebra import Reject, World, add, const, mul, scale
from machines.ptx import Machine, Pointer, Program

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
        """The greatest k with (k + 1) * p <= R."""
        return self.radix // self.p - 1


def fields():
    """The fields of coordinates and scalars, each modulus once."""
    found = {}
    for path in sorted((ROOT / "src" / "curves").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        for scalars, key in ((False, "p"), (True, "r")):
            p = int(data[key], 16)
            name = "%s.%s" % (path.stem, "scalars" if scalars else "coordinates")
            found.setdefault(p, Field(name, path.stem, scalars, p, -(-p.bit_length() // 64)))
    return list(found.values())


# ---- compiling ----


def nvcc():
    """The path of nvcc, or None."""
    return shutil.which("nvcc") or shutil.which("nvcc", path=os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin")


def compile_field(field, output, options=("-ptx", "-arch=compute_90"), source=FOLDER / "device_field.cu", header=None):
    """Compiles the field's kernels, with the options of the engine's build."""
    header = header or "curves/generated/%s.h" % field.curve
    command = [nvcc(), *options, "-O3", "-I", str(ROOT / "src"), "-I", str(ROOT / "include"),
               '-DSUMAC_CURVE_HEADER="%s"' % header, str(source), "-o", str(output)]
    if field.scalars:
        command.append("-DSUMAC_PROOFS_OF_SCALARS")
    subprocess.run(command, check=True)
    return Path(output).read_text(encoding="utf-8") if options[0] == "-ptx" else None


# ---- claims ----


class Claim(NamedTuple):
    operands: str  # their names
    factor: str  # what the result is multiplied with: "1" or "R"
    wanted: object  # function of the operands' polynomials and of R


CLAIMS = {
    "sum": Claim("AB", "1", lambda n, R: add(n["A"], n["B"])),
    "difference": Claim("AB", "1", lambda n, R: add(n["A"], n["B"], -1)),
    "negation": Claim("A", "1", lambda n, R: scale(n["A"], -1)),
    "doubling": Claim("A", "1", lambda n, R: scale(n["A"], 2)),
    "product": Claim("AB", "R", lambda n, R: mul(n["A"], n["B"])),
    "square": Claim("A", "R", lambda n, R: mul(n["A"], n["A"])),
    "pair": Claim("ABCD", "R", lambda n, R: add(mul(n["A"], n["B"]), mul(n["C"], n["D"]))),
    "to_montgomery": Claim("A", "R", lambda n, R: scale(n["A"], R * R)),
    "from_montgomery": Claim("A", "R", lambda n, R: n["A"]),
}


def greatest_operands(field, routine):
    """{operand: the greatest that it may be}"""
    most = {name: field.p - 1 for name in CLAIMS[routine].operands}
    if routine == "pair":
        most["C"] = field.most_multiple * field.p
    return most


def trial(field, most, seed):
    """Operands for the trial: extreme ones among them."""
    rng = random.Random("%s %s" % (field.name, seed))
    return {name: rng.choice([greatest, 0, field.p - 1, rng.randrange(greatest + 1), rng.randrange(greatest + 1)])
            for name, greatest in most.items()}


def prove(field, routine, code, seed=1, most=None, below=None, claim=None, make=Machine):
    """Proves a claim of a routine's instructions; raises Reject where it cannot. Tests make other claims: `most`, the
    greatest operands, `below`, which the result is less than, `claim`."""
    claim = claim or CLAIMS[routine]
    most = most or greatest_operands(field, routine)
    wide = any(i.name.startswith("mul.hi") for i in code.instructions)
    world = World(64 if wide else 32)
    world.one_modulus(field.p)
    machine = make(world, code)
    step, numbers = world.bits // 8, trial(field, most, seed)
    for name in claim.operands:
        count = max(1, -(-most[name].bit_length() // world.bits))
        values = [numbers[name] >> (world.bits * i) & (world.base - 1) for i in range(count)]
        array = world.array(name, values, {0: most[name]})
        for i in range(8 * field.limbs // step):
            word = world.of_atom(array.limbs[i]) if i < count else world.number(0)
            machine.memory[Pointer(name, step * i)] = word
    ends, todo = [], machine.run()
    while todo:
        end = todo.pop()
        carry = left_over(end, field)
        add_difference_facts(end, field)
        if end.world.infeasible():
            continue
        if carry is None:
            conclude(end, claim, field, field.p if below is None else below)
            ends.append(end)
        else:
            todo += end.cases_of(carry)
    return ends


def result_of(end, field):
    world, step = end.world, end.world.bits // 8
    if end.stored != set(range(0, 8 * field.limbs, step)):
        raise Reject("not every word of the result is stored")
    return world.join([end.memory[Pointer("R", at)] for at in range(0, 8 * field.limbs, step)])


def left_over(end, field):
    """A carry that the result depends on modulo p, which the cases at hand may decide: as the one above the limbs of a
    modulus without a spare bit."""
    for monomial, c in result_of(end, field).items():
        if len(monomial) == 1 and end.world.kinds[monomial[0]] == "cut" and end.world.highs[monomial[0]] == 1 \
                and c == int(c) and c % field.p:
            return monomial[0]
    return None


def conclude(end, claim, field, below):
    world, result = end.world, result_of(end, field)
    numbers = {name: world.whole(name) for name in claim.operands}
    scaled = scale(result, field.radix) if claim.factor == "R" else result
    world.require_congruent(scaled, claim.wanted(numbers, field.radix))
    world.require_below(result, const(below))


def add_difference_facts(end, field):
    """Words in a row make an integer from 0 to base^count - 1, whichever they are. Where they are the limbs of
    t - p + R * borrow, it follows that t < p if there is a borrow, and else t >= p."""
    count = 64 * field.limbs // end.world.bits
    number = end.world.join(end.differences[-count:])
    end.world.facts += [(number, end.world.base**count - 1), (scale(number, -1), 0)]
