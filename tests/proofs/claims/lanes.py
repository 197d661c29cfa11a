# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the claims on src/lanes/ and src/math/x86_64/lanes.S, which are proved for the p of each field that is
compiled. Its terms are those of fpv.h, fpv_mul.h, fev.h and fp2_*.h, and S = 2^(52*FPV_DIGITS). Each claim holds for all
operands within its bounds. "a is below 4" means 0 <= a < 4*p, and other bounds "times p" are such multiples, too."""
import functools
import random
import re
from fractions import Fraction

from algebra import Reject, add, const, mul, scale, substitute
from c_source import ROOT, Cell, Program, Run, address, every_way, expand
from curves import ALL, header, modulus
from machines import vectors
from machines.vectors import CONSTANTS, DIGIT, LEAVES, MASK, ROUND_TOWARDS_ZERO, VECTORS, Double, Lane

MACHINES = ("avx512", "avx2")
ASSEMBLY = ROOT / "src/math/x86_64/lanes.S"
VARIABLES = ("VEC_LANES", "FPV_DIGITS", "FPV_HALVES", "SLOPE_SHIFT", "FPV_VECTORS", "FE_DEGREE")


def fields():
    """Return one curve for each field of coordinates, because lanes depend on nothing else of a curve."""
    keys = ("FP_MODULUS", "FE_DEGREE", "FP2_NONRESIDUE")
    return sorted({str([header(c).get(k) for k in keys]): c for c in reversed(ALL)}.values())


def scalar_fields():
    """Return one curve for each field of scalars."""
    return sorted({header(c)["FR_ID"]: c for c in reversed(ALL)}.values())


class LaneProgram(Program):
    """This is the code of src/lanes/ for one field and one processor. The macros of VARIABLES are its attributes."""

    def __init__(self, texts, curve, machine, scalars):
        super().__init__(texts, VECTORS)
        self.curve, self.machine, self.p = curve, machine, modulus(curve, "FR" if scalars else "FP")
        for name, number in self.constants.items():
            if name.startswith("value_of_"):
                setattr(self, name[9:], number)
        if self.VEC_LANES != {"avx512": 8, "avx2": 4}[machine]:
            raise Reject("VEC_LANES is not the number of lanes of the processor")
        if 2 * self.SLOPE_SHIFT != 52 * self.FPV_DIGITS - 64 * header(curve)[("FR" if scalars else "FP") + "_LIMBS"]:
            raise Reject("2^SLOPE_SHIFT is not the root of S/R")


@functools.lru_cache(maxsize=None)
def program_of(curve, machine, vectors=1, scalars=False, folder=ROOT / "src"):
    """Return the program for the claims, in which a bundle has `vectors` vectors."""
    text = '#include "math/%s.h"\n#include "lanes/vec.h"\n#undef FPV_VECTORS\n' % ("fr" if scalars else "curve")
    text += "#define FPV_VECTORS %d\n" % vectors
    text += '#include "lanes/%s.h"\n' % ("fpv_mul" if scalars else "fev")
    if scalars or machine == "avx512":
        text += '#include "lanes/%s.h"\n' % ("scalars" if scalars else "fev_formulas")
    names = VARIABLES + (("FACTOR_SHIFT",) if scalars else ("FP2_BETA",) if header(curve)["FE_DEGREE"] == 2 else ())
    text += "enum { %s };\n" % ", ".join("value_of_%s = %s" % (name, name) for name in names)
    return LaneProgram(expand(text, flags_of(curve, machine), r"/lanes/|/math/field\.h|<stdin>", folder), curve, machine, scalars)


def flags_of(curve, machine):
    """Return the compiler's flags. They define the guard of gcc's immintrin.h, so that intrinsics stay names."""
    return ("-D_IMMINTRIN_H_INCLUDED", "-D__IMMINTRIN_H", *("-D%s=%d" % c for c in CONSTANTS.items()),
            '-DSUMAC_CURVE_HEADER="curves/generated/%s.h"' % curve, "-DSUMAC_VARIANT_" + machine.upper())


class Case:
    """A case runs one function on symbolic operands, and checks its result."""

    def __init__(self, program, seed=1, choices=(), begin=True):
        self.program, self.rng = program, random.Random(seed)
        self.lane = Lane()
        self.run = Run(program, self.lane, {**LEAVES, **routines(program)}, choices=choices)
        self.p, self.digits = program.p, program.FPV_DIGITS
        self.S = 1 << (52 * self.digits)
        self.wholes = {}
        if begin:
            self.run.call("vec_begin")  # because the source sets in it how the lane rounds

    def number(self, name, most, least=0, ranges=None, spare_bits=0):
        """Return the digits of a number from least to most. If no ranges are given, each digit is below 2^52."""
        ranges = ranges or self.lane.digits_below(self.digits, most)
        words, whole = self.lane.operand(name, self.digits, least, most, ranges, self.rng, spare_bits)
        self.wholes[name] = {(whole,): 1}
        return [Cell(None, word) for word in words]

    def signed(self, name, widest, least, most):
        """Return the digits of a number from least to most, where |digit| <= widest. The last digit's range is narrowed to what
        the number's range and the other digits allow."""
        rest = sum(widest << (52 * i) for i in range(self.digits - 1))
        top = 52 * (self.digits - 1)
        last = max(-widest, (least - rest) >> top), min(widest, -((-most - rest) >> top))
        return self.number(name, most, least, [(-widest, widest)] * (self.digits - 1) + [last])

    def fpv(self, name, *arguments, **named):
        """Return an element that has as many vectors as the program's bundles. Vector v has the digits of number name.v."""
        return self.bundle(name, lambda row: self.number(row, *arguments, **named))

    def loose(self, name):
        """Return an element whose digits satisfy |d[i]| <= 2^52, and whose value is in [0, 2*p)."""
        return self.bundle(name, lambda row: self.signed(row, DIGIT, 0, 2 * self.p - 1))

    def bundle(self, name, row):
        element = self.program.new("fpv")
        element["d"][:] = [row("%s.%d" % (name, v)) for v in range(self.program.FPV_VECTORS)]
        return element

    def fev(self, name, *arguments, **named):
        return {"c": [self.fpv("%s%d" % (name, part), *arguments, **named) for part in range(self.program.FE_DEGREE)]}

    def ending(self, **values):
        """Return an fpv_ending with these fields. If all are 0, fpv_columns_end neither adds nor subtracts anything."""
        ending = self.program.new("fpv_ending")
        for name, cell in ending.items():
            cell.value = values.get(name, 0)
        return ending

    def whole(self, name):
        return self.wholes[name]

    # ---- results ----

    def words(self, array):
        """Return the contents of a result's cells as signed words."""
        return [self.lane.window(self.lane.bits(cell.value), -(1 << 63)) for cell in array]

    def value(self, array, operand=False):
        """Return the number of these digits. The digits of an operand are the low 52 bits of its words."""
        total = {}
        words = [self.lane.cut(c.value, 52)[0] for c in array] if operand else self.words(array)
        for i, word in enumerate(words):
            total = add(total, word.scaled, 1 << (52 * i))
        return self.lane.folded(scale(total, Fraction(1, vectors.ONE)))

    def require_digits(self, array):
        for i, word in enumerate(self.words(array)):
            if i == self.digits - 1:
                word = self.lane.tightened(word)
            if word.low < 0 or word.high > MASK:
                raise Reject("digit %d may be outside of [0, 2^52)" % i)

    def require_range(self, poly, low, high):
        """Check that low <= poly < high."""
        least, most = self.lane.bound(poly, False), self.lane.bound(poly, True)
        if least < low or most >= high:
            bounds = tuple(x / Fraction(self.p) for x in (least, most, low, high))
            raise Reject("in [%.6f, %.6f] p, not in [%.6f, %.6f) p" % bounds)

    def require_congruent(self, x, y, modulus=None):
        """Check that x = y modulo p: all coefficients of x - y must be multiples of p."""
        for monomial, c in self.lane.folded(add(x, y, -1)).items():
            if c % (modulus or self.p):
                raise Reject("not the same modulo p: " + ".".join(self.lane.names[a] for a in monomial))

    def require_reduced(self, value, whole):
        """Check that value = whole + (c - q)*p for a constant c and the upper half q of some product, and that the value
        is in [0, 2p). If the ranges of the factors are too wide to show this, each case q = k is checked with the fact
        2^52*k <= product < 2^52*(k + 1)."""
        lane, p = self.lane, self.p
        difference = lane.folded(add(value, whole, -1))
        for low, q in lane.products.values():
            rest = add(difference, lane.folded(lane.poly(q)), p)
            if set(rest) <= {()} and rest.get((), 0) % p == 0:
                break
        else:
            raise Reject("not the same modulo p")
        if lane.bound(value, False) >= 0 and lane.bound(value, True) < 2 * p:
            return
        product = add(lane.poly(low), lane.poly(q), DIGIT)
        for k in range(q.low, q.high + 1):
            lane.facts = [(product, DIGIT * (k + 1) - 1), (scale(product, -1), -DIGIT * k)]
            if lane.bound(product, False) < DIGIT * (k + 1) and lane.bound(product, True) >= DIGIT * k:
                self.require_range(add(whole, add(rest, const(-k * p))), 0, 2 * p)
        lane.facts = []

    def require_equal(self, x, y):
        if self.lane.folded(add(x, y, -1)):
            raise Reject("not equal")


@functools.lru_cache(maxsize=None)
def assembly():
    return vectors.assembly(ASSEMBLY)


def routines(program):
    """Return the functions of lanes.S as leaves, which run the functions' instructions on the claim's operands."""
    constants, functions = assembly() if program.machine == "avx2" else ({}, {})

    def leaf(code):
        def call(run, t, a, b, field):
            memory = {}
            for base, pointer in (("A", a), ("B", b)):
                cells = [cell for factor in pointer.block[pointer.index:] for cell in factor["d"]]
                memory.update({(base, 32 * i): cell.value for i, cell in enumerate(cells) if cell.value is not None})
            for i, row in enumerate(field.block):
                memory[("F", 32 * i)] = LEAVES["_mm256_load_pd"](run, address(row))
            for i, word in enumerate(run_routine(run.domain, constants, memory, code, program.FPV_DIGITS)):
                t.target(i).value = word
        return call
    return {name: leaf(code) for name, code in functions.items()}


def run_routine(lane, constants, memory, code, digits):
    """Run a function of lanes.S, and return the words that it stores."""
    registers = {"rdi": ("R", 0), "rsi": ("A", 0), "rdx": ("B", 0), "rcx": ("F", 0)}
    routine = vectors.Routine(lane, constants, registers, memory)
    routine.run(code)
    if routine.written != {("R", 32 * i) for i in range(digits)}:
        raise Reject("the stores are not those of the result")
    return [memory[("R", 32 * i)] for i in range(digits)]


# ---- products ----


def columns_of(case, parts):
    """Replace fpv_columns_end by a leaf that keeps its columns in case.columns, by component and vector."""
    def keep(run, r, v, t, ending):
        part = next(i for i, fpv in enumerate(parts) if r.target() is fpv)
        case.columns[(part, v)] = [Cell(None, t.target(j).value) for j in range(case.digits)]
    case.columns = {}
    case.run.leaves["fpv_columns_end"] = keep


def require_quotient(case, columns, wanted, low, high, form=None, meanings=()):
    """Check that the columns are wanted/S modulo p, that S times their value is in [wanted, wanted + 2*p*S) and in
    [low*p*S, high*p*S), and that fpv_columns_end may subtract digits up to 3*2^52 from them before fpv_reduce. `form`
    equals `wanted`, but has atoms in place of the polynomials that `meanings` lists, which gives better bounds."""
    p, S, lane = case.p, case.S, case.lane
    total, wanted = scale(case.value(columns), S), lane.folded(wanted)
    case.require_congruent(total, wanted)
    error = add(total, wanted, -1)
    case.require_range(error, 0, 2 * p * S)
    if form is not None:
        expanded = form
        for atom, meaning in meanings:
            expanded = substitute(expanded, atom, meaning)
        case.require_equal(expanded, wanted)
        wanted = form
    least = lane.bound(wanted, False) + lane.bound(error, False)
    most = lane.bound(wanted, True) + lane.bound(error, True)
    if least < low * p * S or most >= high * p * S:
        raise Reject("in [%.6f, %.6f] p" % (least / p / S, most / p / S))
    reached = max(max(abs(w.low), abs(w.high)) for w in case.words(columns))
    if reached + 3 * DIGIT > case.program.FPV_HALVES * DIGIT:
        raise Reject("columns up to %.2f * 2^52" % (reached / DIGIT))
    return reached / DIGIT


def named(case, name, low, high, meaning):
    """Return an atom that stands for the polynomial `meaning` in a form of require_quotient, and check its range."""
    if case.lane.bound(meaning, False) < low or case.lane.bound(meaning, True) > high:
        raise Reject("a name with a wrong range")
    return case.lane.atom(name, low, high, case.lane.evaluate(meaning))


def product(program, square=False, alias=False, seed=1, most_a=None, most_b=None, begin=True, high=None):
    """fpv_mul_ending and fpv_sqr_ending return r = a*b/S, which is in [0, w + 2) times p, where w*p*S is the greatest a*b.
    By default a is below 4*2^SLOPE_SHIFT and b below 4, and the a of a square is below 4."""
    case = Case(program, seed, begin=begin)
    p, S = case.p, case.S
    most_b = most_b or 4 * p - 1
    most_a = most_a or (most_b if square else (4 * p << program.SLOPE_SHIFT) - 1)
    a = case.fpv("A", most_a, spare_bits=11)
    factors = [a] if square else [a, case.fpv("B", most_b, spare_bits=11)]
    r = a if alias else program.new("fpv")
    columns_of(case, [r])
    case.run.call("fpv_sqr_ending" if square else "fpv_mul_ending", *map(address, (r, *factors)), case.ending())
    high = high or Fraction((most_a + 1) * (most_b + 1), p * S) + 2
    return max(require_quotient(case, case.columns[(0, v)], mul(case.whole("A.%d" % v), case.whole("%s.%d" % ("A" if square else "B", v))),
                                0, high) for v in range(program.FPV_VECTORS))


def product_difference(program, square=False, alias=False, seed=1, high=5):
    """If a*b <= 48*p^2 and c*d <= 16*p^2, fev_mul_sub_mul gives (a*b - c*d)/S in (-1, 5) times p. fev_mul_sub_sqr does it
    for c = d."""
    case = Case(program, seed)
    p, letters = case.p, "ABC" if square else "ABCD"
    operands = [case.fev(x, (12 if x == "A" else 4) * p) for x in letters]
    r = operands[0] if alias else {"c": [program.new("fpv")]}
    found = []

    def keep(run, t, offset):
        if offset != 2:
            raise Reject("another offset than that of the bounds")
        found.append([Cell(None, t.target(j).value) for j in range(case.digits)])
    case.run.leaves["fpv_reduce"] = keep
    case.run.call("fev_mul_sub_sqr" if square else "fev_mul_sub_mul", *map(address, (r, *operands)))
    reached = 0
    for v, columns in enumerate(found):
        a, b, c, d = (case.whole("%s0.%d" % (x, v)) for x in letters.ljust(4, "C"))
        reached = max(reached, require_quotient(case, columns, add(mul(a, b), mul(c, d), -1), -1, high))
    return reached


def fp2_product(program, square=False, alias=False, seed=1, k=4, l=4, begin=True):
    """fev_mul_ending and fev_sqr_ending multiply elements of Fp2, where a is below k, and b below l. Let w = k*l*p/S. Then
    c1 is in [0, 2*w + 2) times p. c0 is in (-FP2_BETA*w, w + 2) with AVX-512, and in [0, w + FP2_BETA*4*k*p/S + 2) with
    AVX2. If FP2_BETA = 1, a square of an a below 4 has c0 = (a0 + a1)*(a0 - a1 + 4p)/S, where both factors are below 8."""
    case = Case(program, seed, begin=begin)
    p, S, beta = case.p, case.S, program.FP2_BETA
    a = case.fev("A", k * p - 1)
    b = a if square else case.fev("B", l * p - 1)
    r = a if alias else {"c": [program.new("fpv") for _ in range(2)]}
    columns_of(case, r["c"])
    case.run.call("fev_sqr_ending" if square else "fev_mul_ending", *map(address, (r, a) if square else (r, a, b)),
                  address([case.ending(), case.ending()]))
    reached = 0
    w = Fraction(k * l * p, S)
    for v in range(program.FPV_VECTORS):
        a0, a1 = case.whole("A0.%d" % v), case.whole("A1.%d" % v)
        b0, b1 = (a0, a1) if square else (case.whole("B0.%d" % v), case.whole("B1.%d" % v))
        c1 = add(mul(a0, b1), mul(a1, b0))
        form, meanings = None, []
        if square and beta == 1:
            meanings = [add(a0, a1), add(add(a0, a1, -1), const(4 * p))]
            c0 = mul(*meanings)
            x, y = named(case, "x", 0, 8 * p - 2, meanings[0]), named(case, "y", 1, 8 * p - 1, meanings[1])
            form, meanings = {(x, y): 1}, [(x, meanings[0]), (y, meanings[1])]
            low, high = 0, Fraction(64 * p, S) + 2
        elif program.machine == "avx512":
            c0 = add(mul(a0, b0), mul(a1, b1), -beta)
            low, high = -beta * w, w + 2
        else:
            negated = add(const(4 * p), b1, -1)
            c0 = add(mul(a0, b0), mul(a1, negated), beta)
            y = named(case, "y", 1, 4 * p, negated)
            form, meanings = add(mul(a0, b0), mul(a1, {(y,): 1}), beta), [(y, negated)]
            low, high = 0, w + Fraction(beta * 4 * k * p, S) + 2
        reached = max(reached, require_quotient(case, case.columns[(0, v)], c0, low, high, form, meanings),
                      require_quotient(case, case.columns[(1, v)], c1, 0, 2 * w + 2))
    return reached


# ---- linear operations ----


def reduce(program, offset, seed=1, halves=None, low=None, high=8):
    """If |t[i]| <= FPV_HALVES*2^52 and p*(1 - 2^-20) <= value + offset*p < 8p, fpv_reduce leaves a value below 2."""
    case = Case(program, seed)
    p = case.p
    t = case.signed("T", (halves or program.FPV_HALVES) * DIGIT, p - (p >> 20) - offset * p if low is None else low, (high - offset) * p - 1)
    case.run.call("fpv_reduce", address(t), offset)
    case.require_digits(t)
    case.require_reduced(case.value(t), case.whole("T"))


def settle(program, seed=1, name="fpv_settle", below=7, alias=False):
    """fpv_settle reduces an operand below 7, and fpv_settle_wide one below 16, to an r = a modulo p that is below 2."""
    case = Case(program, seed)
    a = case.fpv("A", below * case.p - 1, spare_bits=0 if name.endswith("wide") else 11)
    r = a if alias else program.new("fpv")
    case.run.call(name, address(r), address(a))
    for v in range(program.FPV_VECTORS):
        case.require_digits(r["d"][v])
        case.require_reduced(case.value(r["d"][v]), case.whole("A.%d" % v))


def linear(program, name, operands, wanted, extra=(), high=None, operand=False, seed=1, alias=False):
    """Check that the function `name` gives r = wanted(a, b, p), an equation of integers, and r < high. The digits of r must be
    below 2^52, unless r is an operand. `operands` has for each operand its greatest value, or "loose"."""
    case = Case(program, seed)
    made = [case.loose(x) if most == "loose" else case.fpv(x, most) for x, most in zip("AB", operands)]
    r = made[0] if alias else program.new("fpv")
    case.run.call(name, *map(address, (r, *made)), *extra)
    for v in range(program.FPV_VECTORS):
        if not operand:
            case.require_digits(r["d"][v])
        value = case.value(r["d"][v], operand)
        case.require_equal(value, wanted(*(case.whole("%s.%d" % (x, v)) for x in "AB"[:len(made)]), const(case.p)))
        if high is not None:
            case.require_range(value, 0, high)


def combination(a=1, b=0, p=0):
    """Return the function that maps polynomials A, B and P to a*A + b*B + p*P."""
    return lambda *x: add(add(scale(x[0], a), scale(x[1], b)), x[-1], p)


def difference(program, high=4, k=2, **how):
    """If a and b are loose, fpv_sub gives r = a - b + 2p below 4."""
    linear(program, "fpv_sub", ["loose"] * 2, combination(1, -1, k), high=high * program.p, **how)


def difference_operand(program, **how):
    """fpv_sub_operand gives an operand r = a - b + k*p. Here k = 4, and a and b are below 4, as in squares over Fp2."""
    linear(program, "fpv_sub_operand", [4 * program.p - 1] * 2, combination(1, -1, 4), (4,), operand=True, **how)


def sum_operand(program, **how):
    """If a + b < S, fpv_add_operand gives an operand r = a + b."""
    S = 1 << (52 * program.FPV_DIGITS)
    linear(program, "fpv_add_operand", [4 * program.p - 1, S - 4 * program.p], combination(1, 1), operand=True, **how)


def difference_shifted(program, k=2, **how):
    """If a and b are below 2, fpv_sub_shift gives an operand r = 2^SLOPE_SHIFT * (a - b + 2p) below 4*2^SLOPE_SHIFT."""
    shift, p = 1 << program.SLOPE_SHIFT, program.p
    linear(program, "fpv_sub_shift", [2 * p - 1] * 2, combination(shift, -shift, k * shift), high=4 * p * shift, operand=True, **how)


def shifted(program, shift, most=None, **how):
    """If 2^shift * a < S, fpv_shift_left gives r = 2^shift * a."""
    most = ((1 << (52 * program.FPV_DIGITS)) - 1) >> shift if most is None else most
    linear(program, "fpv_shift_left", [most], combination(1 << shift), (shift,), **how)


def multiple(program, factor, offset, most, **how):
    """If 0 <= r < S and the digits of a are below 2^52, fpv_linear gives r = factor*a + offset*p in such digits."""
    linear(program, "fpv_linear", [most * program.p - 1], combination(factor, 0, offset), (factor, offset), **how)


def canonical(program, seed=1, alias=False, high=1):
    """If a is loose, fpv_canonical gives r = a mod p below 1. Both signs of each vector's difference are followed."""
    def start(choices):
        case = Case(program, seed, choices)
        a = case.loose("A")
        case.run.case, r = case, a if alias else program.new("fpv")

        def go():
            case.run.call("fpv_canonical", address(r), address(a))
            return r
        return case.run, go
    for run, r in every_way(start):
        for v in range(program.FPV_VECTORS):
            run.case.require_digits(r["d"][v])
            value = run.case.value(r["d"][v])
            run.case.require_congruent(value, run.case.whole("A.%d" % v))
            run.case.require_range(value, 0, high * run.case.p)


def ended(program, alias=False, seed=1):
    """fpv_columns_end takes columns up to (FPV_HALVES - 3)*2^52, as require_quotient leaves them. If `less` is given, whose
    digits are at most 3*2^52, it subtracts them and reduces the difference, which must be in [p*(1 - 2^-20) - 3p, 5p).
    Else it adds `add`*p."""
    for subtracts in (True, False):
        case = Case(program, seed)
        p, n, r = case.p, case.digits, program.new("fpv")
        t = case.signed("T", (program.FPV_HALVES - 3) * DIGIT, *((4 * p - (p >> 20), 5 * p - 1) if subtracts else (-p, 3 * p - 1)))
        if subtracts:
            less = {"d": [case.number("L", 6 * p - 1, ranges=[(0, 3 * DIGIT)] * (n - 1) + [(0, 6 * p >> (52 * (n - 1)))])]}
            case.run.call("fpv_columns_end", address(r), 0, address(t), case.ending(less=address(less), offset=3))
            case.require_digits(r["d"][0])
            case.require_reduced(case.value(r["d"][0]), add(case.whole("T"), case.whole("L"), -1))
        else:
            case.run.call("fpv_columns_end", address(r), 0, address(t), case.ending(add=1))
            case.require_equal(case.value(r["d"][0], operand=True), add(case.whole("T"), const(p)))


# ---- lanes.S by itself ----


def assembly_product(name, curve, seed=1, high=2, code=None, details=False):
    """The function gives t = a*b/S, or (a*b + c*d)/S if `pair` is in its name, for any digits below 2^52. Let x be a*b, or
    a*b + c*d. Then S*t = x modulo p, and x <= S*t < x + 2*p*S. test_constants.py checks FP_LANE_DIGITS, which is the
    function's last argument."""
    constants, functions = assembly()
    p, field, digits = modulus(curve), lane_digits(curve), int(name[-1])
    lane, S, rng = Lane(ROUND_TOWARDS_ZERO), 1 << (52 * digits), random.Random(seed)
    memory, sums = {("F", 32 * i): Double(lane.number(d)) for i, d in enumerate(field)}, {}
    for k in range(2 if "pair" in name else 1):
        wholes = []
        for base in "AB":
            words, whole = lane.operand(base + str(k), digits, 0, S - 1, lane.digits_below(digits, S - 1), rng)
            memory.update({(base, 32 * (digits * k + i)): Double(w) for i, w in enumerate(words)})
            wholes.append({(whole,): 1})
        sums = add(sums, mul(*wholes))
    total = {}
    for i, word in enumerate(run_routine(lane, constants, memory, code or functions[name], digits)):
        total = add(total, lane.poly(lane.window(lane.bits(word), -(1 << 63))), S << (52 * i))
    error = lane.folded(add(total, sums, -1))
    if any(c % p for c in error.values()):
        raise Reject("not the same modulo p")
    if lane.bound(error, False) < 0 or lane.bound(error, True) >= high * p * S:
        raise Reject("out of its bounds")
    return memory if details else None


def lane_digits(curve, field="FP"):
    """Return the numbers of FP_LANE_DIGITS, or FR_LANE_DIGITS, in a generated header."""
    text = (ROOT / ("src/curves/generated/%s.h" % curve)).read_text()
    found = re.search(r"#define %s_LANE_DIGITS\(X\)(.*)" % field, text)
    return [int(x, 16) for x in re.findall(r"UINT64_C\((0x[0-9a-f]+)\)", found[1])] if found else []


# ---- where the processor rounds towards zero ----


def rounding_is_restored(program, state):
    """vec_begin sets rounding towards zero without traps, whatever the state was, and vec_end restores that."""
    run = Run(program, Lane(state), LEAVES)
    saved = run.call("vec_begin")
    if run.domain.rounding != ROUND_TOWARDS_ZERO:
        raise Reject("vec_begin does not round towards zero")
    run.call("vec_end", saved)
    if run.domain.rounding != state:
        raise Reject("vec_end does not restore the state")


DOUBLES = {"_mm256_fmadd_pd", "_mm256_sub_pd"}


def unguarded(unit, curve, machine="avx2"):
    """Return the functions of a file of src/ that may compute with doubles before a call of vec_begin, then the functions
    that guard, and the texts of all. A function guards its calls if its first call is vec_begin and its last one vec_end.
    A function that is only mentioned counts as called, so that too many functions may be returned, but not too few. But
    lanes_ranges and lanes_for of cpu/vector_scalars.h call the task that they are given from functions that guard."""
    texts = expand('#include "%s"\n' % unit, flags_of(curve, machine))
    bodies = {name: re.sub(r"\blanes_(ranges|for)\([^;]*;", "", text[text.find("{"):]) for name, text in texts.items()}
    calls = {name: re.findall(r"\b[A-Za-z_]\w+\b", body) for name, body in bodies.items()}
    found = {name for name in calls if any(c in DOUBLES or c.startswith("sumac_x86_64_lanes_mul_") for c in calls[name])}
    guards = {name for name, words in calls.items() if "vec_begin" in words and _guards(texts[name], set(texts))}
    while True:
        more = {name for name, words in calls.items() if name not in guards and found.intersection(words)} - found
        if not more:
            return found - guards, guards, texts
        found |= more


def _guards(text, names):
    called = [w for w in re.findall(r"\b(\w+)\s*\(", text[text.find("{"):]) if w in names]
    return called[0] == "vec_begin" and called[-1] == "vec_end" and called.count("vec_begin") == 1


# ---- all claims ----

OFFSETS = range(1, 8)  # callers of fpv_reduce may pass each of these offsets


def coordinates(program, alias=False, seed=1, offsets=OFFSETS):
    """Check all claims on coordinates, and return the greatest column of a product, in units of 2^52."""
    shift, how = program.SLOPE_SHIFT, {"alias": alias, "seed": seed}
    if program.FE_DEGREE == 2:
        reached = [fp2_product(program, **how), fp2_product(program, k=4 << shift, **how),
                   fp2_product(program, square=True, **how)]
    else:
        reached = [product(program, **how), product(program, square=True, **how)]
        if program.machine == "avx512":
            reached += [product_difference(program, **how), product_difference(program, square=True, **how)]
    for offset in offsets:
        reduce(program, offset, seed)
    for claim in (ended, settle, difference, difference_operand, sum_operand, difference_shifted, canonical):
        claim(program, **how)
    for factor, offset, most in ((1, 2, 1), (2, 0, 2), (3, 0, 2), (-1, 2, 2), (7, 0, 2)):
        multiple(program, factor, offset, most, **how)
    shifted(program, shift, **how)
    return max(reached)


def scalars(program, alias=False, seed=1):
    """Check all claims on scalars, which lanes/scalars.h computes."""
    p, S, how = program.p, 1 << (52 * program.FPV_DIGITS), {"alias": alias, "seed": seed}
    product(program, most_a=p - 1, most_b=S - 1, high=3, **how)
    product(program, most_a=16 * p - 1, most_b=p - 1, high=3, **how)
    if p >> 16:  # only a curve for tests has a smaller p, of which fpv_reduce's P, and so the quotient, has too few bits
        settle(program, name="fpv_settle_wide", below=16, **how)
    canonical(program, **how)
    shifted(program, program.FACTOR_SHIFT, most=p - 1, **how)
