# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Claims on src/lanes/ and src/math/x86_64/lanes.S, for the p of each field that is compiled, in the words of fpv.h,
fpv_mul.h, fev.h and fp2_*.h. S = 2^(52*FPV_DIGITS). Each claim holds for all operands within its bounds."""
import glob
import os
import random
import re
from fractions import Fraction

from algebra import Reject, add, const, mul, scale, substitute
from machines import vectors
from machines.lane_source import SOURCE, Cell, Number, Pointer, Program, Run, declarations, preprocessed
from machines.vectors import DIGIT, MASK, ROUND_TOWARDS_ZERO, Double, Lane

MACHINES = ("avx512", "avx2")
ASSEMBLY = os.path.join(SOURCE, "math/x86_64/lanes.S")


def curves():
    return sorted(os.path.basename(f)[:-2] for f in glob.glob(os.path.join(SOURCE, "curves/generated/*_g?.h")))


def fields():
    """Return one curve for each field of coordinates, because lanes depend on nothing else of a curve."""
    found = {}
    for curve in curves():
        text = open(os.path.join(SOURCE, "curves/generated", curve + ".h"), encoding="utf-8").read()
        lines = re.findall(r"#define (?:FP_MODULUS|FE_DEGREE|FP2_NONRESIDUE|FP_DIGIT_INVERSE|FP_LANE_DIGITS).*", text)
        found.setdefault(tuple(lines), curve)
    return sorted(found.values())


def scalar_fields():
    """One group of each scalar field: {FR_ID: curve}."""
    found = {}
    for curve in curves():
        text = open(os.path.join(SOURCE, "curves/generated", curve + ".h"), encoding="utf-8").read()
        found.setdefault(re.search(r"#define FR_ID (\w+)", text).group(1), curve)
    return sorted(found.values())


class Case:
    """One run of one function: operands in, a result out. `alias` makes the result the first operand."""

    def __init__(self, program, seed=1, alias=False, choices=(), leaves=None, begin=True):
        self.program, self.rng, self.alias = program, random.Random(seed), alias
        self.lane = Lane()
        self.run = Run(program, self.lane, choices, {**routines(program), **(leaves or {})})
        self.p, self.digits = program.p, program.FPV_DIGITS
        self.S = 1 << (52 * self.digits)
        self.wholes = {}
        if begin:
            self.run.call("vec_begin", [])  # so that the lane rounds as its source sets it

    def array(self, words):
        array = [Cell("vec") for _ in words]
        for cell, word in zip(array, words):
            cell.write(word)
        return array

    def number(self, name, most, least=0, ranges=None, spare_bits=0):
        """The digits of a number from least to most; below 2^52 each if no ranges are said."""
        ranges = ranges or self.lane.digits_below(self.digits, most)
        words, whole = self.lane.operand(name, self.digits, least, most, ranges, self.rng, spare_bits)
        self.wholes[name] = {(whole,): 1}
        return self.array(words)

    def fpv(self, name, *arguments, **named):
        """An element, of as many vectors as the program has; vector v is the number name.v."""
        rows = [self.number("%s.%d" % (name, v), *arguments, **named) for v in range(self.program.FPV_VECTORS)]
        return {"d": rows}

    def empty(self):
        return {"d": [[Cell("vec") for _ in range(self.digits)] for _ in range(self.program.FPV_VECTORS)]}

    def fev(self, name, *arguments, **named):
        return {"c": [self.fpv("%s%d" % (name, part), *arguments, **named) for part in range(self.program.FE_DEGREE)]}

    def empty_fev(self):
        return {"c": [self.empty() for _ in range(self.program.FE_DEGREE)]}

    def whole(self, name):
        return self.wholes[name]

    # ---- results ----

    def words(self, array):
        """Return the contents of a result's cells as signed words."""
        return [self.lane.window(self.lane.bits(cell.read()), -(1 << 63)) for cell in array]

    def value(self, array, operand=False):
        """The number that the digits are, of an operand that their low 52 bits are."""
        total = {}
        words = [self.lane.cut(c.read(), 52)[0] for c in array] if operand else self.words(array)
        for i, word in enumerate(words):
            total = add(total, word.poly, 1 << (52 * i))
        return self.lane.folded(total)

    def require_digits(self, array):
        for i, word in enumerate(self.words(array)):
            if i == self.digits - 1:
                word = self.lane.tightened(word)
            if word.low < 0 or word.high > MASK:
                raise Reject("digit %d may be outside of [0, 2^52)" % i)

    def require_range(self, poly, low, high):
        """low <= poly < high"""
        least, most = self.lane.bound(poly, False), self.lane.bound(poly, True)
        if least < low or most >= high:
            bounds = tuple(x / Fraction(self.p) for x in (least, most, low, high))
            raise Reject("in [%.6f, %.6f] p, not in [%.6f, %.6f) p" % bounds)

    def require_congruent(self, x, y, modulus=None):
        """x = y (mod p), as all coefficients of their difference are multiples of p."""
        for monomial, c in self.lane.folded(add(x, y, -1)).items():
            if c % (modulus or self.p):
                raise Reject("not the same modulo p: " + ".".join(self.lane.names[a] for a in monomial))

    def require_reduced(self, value, whole):
        """value = whole + (c - q)*p in [0, 2p), where q is the upper half of some product and c is known. Where the
        product of the ranges is not enough, by cases: q = k says 2^52*k <= product < 2^52*(k + 1)."""
        lane, p = self.lane, self.p
        difference = lane.folded(add(value, whole, -1))
        for low, q in lane.products.values():
            rest = add(difference, lane.folded(q.poly), p)
            if set(rest) <= {()} and rest.get((), 0) % p == 0:
                break
        else:
            raise Reject("not the same modulo p")
        if lane.bound(value, False) >= 0 and lane.bound(value, True) < 2 * p:
            return
        product = add(low.poly, q.poly, DIGIT)
        for k in range(q.low, q.high + 1):
            lane.facts = [(product, DIGIT * (k + 1) - 1), (scale(product, -1), -DIGIT * k)]
            if lane.bound(product, False) < DIGIT * (k + 1) and lane.bound(product, True) >= DIGIT * k:
                self.require_range(add(whole, add(rest, const(-k * p))), 0, 2 * p)
        lane.facts = []

    def require_equal(self, x, y):
        if self.lane.folded(add(x, y, -1)):
            raise Reject("not equal")


def routines(program):
    """The functions of lanes.S as leaves: they are run, on this claim's operands."""
    if program.machine != "avx2":
        return {}
    constants, functions = assembly()

    def leaf(code):
        def call(run, t, a, b, field):
            memory = {}
            digits = program.FPV_DIGITS
            for base, pointer in (("A", a), ("B", b)):
                rows = [cell for factor in pointer.array[pointer.index:] for cell in factor["d"]]
                for i, cell in enumerate(rows):
                    if cell.value is not None:
                        memory[(base, 32 * i)] = cell.read()
            for i, row in enumerate(field.array):
                memory[("F", 32 * i)] = Double(run.lane.number(_same([cell.read().value for cell in row])))
            routine = vectors.Routine(run.lane, constants, {"rdi": ("R", 0), "rsi": ("A", 0), "rdx": ("B", 0),
                                                            "rcx": ("F", 0)}, memory)
            routine.run(code)
            if routine.written != {("R", 32 * i) for i in range(digits)}:
                raise Reject("the stores are not those of the result")
            for i in range(digits):
                t.target(i).write(memory[("R", 32 * i)])
        return call
    return {name: leaf(code) for name, code in functions.items()}


_ASSEMBLY = []


def assembly():
    if not _ASSEMBLY:
        _ASSEMBLY.extend(vectors.assembly(ASSEMBLY))
    return _ASSEMBLY


def _same(values):
    if len(set(values)) != 1:
        raise Reject("lanes with different constants")
    return values[0]


# ---- products ----


def columns_of(case, parts):
    """A leaf for fpv_columns_end: keeps the columns that it is given, by component."""
    def keep(run, r, v, t, ending):
        part = next(i for i, fpv in enumerate(parts) if r.target() is fpv)
        case.columns[(part, v.value)] = case.array([t.target(j).read() for j in range(case.digits)])
        case.endings[(part, v.value)] = ending
    case.columns, case.endings = {}, {}
    return {"fpv_columns_end": keep}


def ending():
    return {"add": Cell("unsigned", Number(0, "unsigned")), "less": Cell("pointer"), "offset": Cell("int", Number(0))}


def require_quotient(case, columns, wanted, low, high, form=None, meanings=()):
    """The columns are wanted/S modulo p, S times their value is in [wanted, wanted + 2*p*S) and in [low*p*S, high*p*S),
    and the columns are such that fpv_columns_end may subtract digits up to 3*2^52 before fpv_reduce. `form` is what is
    wanted, written with atoms of which `meanings` are the polynomials: its bounds are better."""
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
    """An atom for a polynomial, with the range that it has: form and meaning of require_quotient."""
    if case.lane.bound(meaning, False) < low or case.lane.bound(meaning, True) > high:
        raise Reject("a name with a wrong range")
    return case.lane.atom(name, low, high, case.lane.evaluate(meaning))


def product(program, square=False, alias=False, seed=1, most_a=None, most_b=None, begin=True, high=None):
    """fpv_mul_ending, fpv_sqr_ending: r = a*b/S in [0, w + 2) times p, with w*p*S = a*b at most. If nothing else is said,
    a and b are below 4*2^SLOPE_SHIFT and 4, a square's a below 4."""
    case = Case(program, seed, begin=begin)
    p, S = case.p, case.S
    most_b = most_b or 4 * p - 1
    most_a = most_a or (most_b if square else (4 * p << program.SLOPE_SHIFT) - 1)
    a = case.fpv("A", most_a, spare_bits=11)
    b = a if square else case.fpv("B", most_b, spare_bits=11)
    r = a if alias else case.empty()
    case.run.leaves.update(columns_of(case, [r]))
    arguments = [Pointer([r]), Pointer([a])] + ([] if square else [Pointer([b])]) + [ending()]
    case.run.call("fpv_sqr_ending" if square else "fpv_mul_ending", arguments)
    reached = 0
    for v in range(program.FPV_VECTORS):
        x = case.whole("A.%d" % v)
        y = x if square else case.whole("B.%d" % v)
        high = high or Fraction((most_a + 1) * (most_b + 1), p * S) + 2
        reached = max(reached, require_quotient(case, case.columns[(0, v)], mul(x, y), 0, high))
    return reached


def product_difference(program, square=False, alias=False, seed=1, high=5):
    """fev_mul_sub_mul: (a*b - c*d)/S in (-1, 5) times p, with a*b <= 48*p^2 and c*d <= 16*p^2; fev_mul_sub_sqr: c = d."""
    case = Case(program, seed)
    p = case.p
    a, b, c = case.fev("A", 12 * p), case.fev("B", 4 * p), case.fev("C", 4 * p)
    d = c if square else case.fev("D", 4 * p)
    r = a if alias else case.empty_fev()
    found = []

    def keep(run, t, offset):
        if offset.value != 2:
            raise Reject("another offset than that of the bounds")
        found.append(case.array([t.target(j).read() for j in range(case.digits)]))
    case.run.leaves["fpv_reduce"] = keep
    case.run.call("fev_mul_sub_sqr" if square else "fev_mul_sub_mul",
                  [Pointer([x]) for x in ([r, a, b, c] if square else [r, a, b, c, d])])
    reached = 0
    for v, columns in enumerate(found):
        x = {n: case.whole("%s0.%d" % (n, v)) for n in ("ABC" if square else "ABCD")}
        wanted = add(mul(x["A"], x["B"]), mul(x["C"], x["C" if square else "D"]), -1)
        reached = max(reached, require_quotient(case, columns, wanted, -1, high))
    return reached


def fp2_product(program, square=False, alias=False, seed=1, k=4, l=4, begin=True):
    """fev_mul_ending, fev_sqr_ending over Fp2, of a below k and b below l. With w = k*l*p/S, for AVX-512
    c0 in (-FP2_BETA*w, w + 2), c1 in [0, 2*w + 2) times p; for AVX2 c0 in [0, w + FP2_BETA*4*k*p/S + 2). Squares of a
    below 4: c0 for FP2_BETA = 1 is (a0 + a1)*(a0 - a1 + 4p)/S, both below 8."""
    case = Case(program, seed, begin=begin)
    p, S, beta = case.p, case.S, program.FP2_BETA
    a = case.fev("A", k * p - 1)
    b = a if square else case.fev("B", l * p - 1)
    r = a if alias else case.empty_fev()
    case.run.leaves.update(columns_of(case, r["c"]))
    endings = Pointer([ending(), ending()])
    arguments = [Pointer([r]), Pointer([a])] + ([] if square else [Pointer([b])]) + [endings]
    case.run.call("fev_sqr_ending" if square else "fev_mul_ending", arguments)
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
    """fpv_reduce: |t[i]| <= FPV_HALVES*2^52 and p*(1 - 2^-20) <= value + offset*p < 8p; out: below 2."""
    case = Case(program, seed)
    p, n = case.p, case.digits
    most_digit = (halves or program.FPV_HALVES) * DIGIT
    least, most = p - (p >> 20) - offset * p if low is None else low, (high - offset) * p - 1
    rest = sum(most_digit << (52 * i) for i in range(n - 1))
    # The value's bounds bound the last digit.
    last = max(-most_digit, (least - rest) >> (52 * (n - 1))), min(most_digit, -((-most - rest) >> (52 * (n - 1))))
    t = case.number("T", most, least, ranges=[(-most_digit, most_digit)] * (n - 1) + [last])
    case.run.call("fpv_reduce", [Pointer(t), Number(offset)])
    case.require_digits(t)
    case.require_reduced(case.value(t), case.whole("T"))


def settle(program, seed=1, name="fpv_settle", below=7, alias=False):
    """fpv_settle: r = a modulo p. In: an operand below 7. Out: below 2. fpv_settle_wide: below 16."""
    case = Case(program, seed)
    a = case.fpv("A", below * case.p - 1, spare_bits=0 if name.endswith("wide") else 11)
    r = a if alias else case.empty()
    case.run.call(name, [Pointer([r]), Pointer([a])])
    for v in range(program.FPV_VECTORS):
        case.require_digits(r["d"][v])
        case.require_reduced(case.value(r["d"][v]), case.whole("A.%d" % v))


def loose(case, name):
    """|d[i]| <= 2^52 and 0 <= value < 2*p; the last digit is what that leaves."""
    most, n = 2 * case.p - 1, case.digits
    rest = sum(DIGIT << (52 * i) for i in range(n - 1))
    last = max(-DIGIT, -rest >> (52 * (n - 1))), min(DIGIT, -((-most - rest) >> (52 * (n - 1))))
    return case.fpv(name, most, ranges=[(-DIGIT, DIGIT)] * (n - 1) + [last])


def difference(program, seed=1, alias=False, high=4, k=2):
    """fpv_sub: r = a - b + 2p. In: loose. Out: below 4."""
    case = Case(program, seed)
    a, b = loose(case, "A"), loose(case, "B")
    r = a if alias else case.empty()
    case.run.call("fpv_sub", [Pointer([r]), Pointer([a]), Pointer([b])])
    for v in range(program.FPV_VECTORS):
        case.require_digits(r["d"][v])
        value = case.value(r["d"][v])
        case.require_equal(value, add(add(case.whole("A.%d" % v), case.whole("B.%d" % v), -1), const(k * case.p)))
        case.require_range(value, 0, high * case.p)


def difference_operand(program, seed=1, alias=False):
    """fpv_sub_operand: r = a - b + k*p, an operand. Here k = 4 and a, b are below 4, as squares over Fp2 have it."""
    case = Case(program, seed)
    a, b = case.fpv("A", 4 * case.p - 1), case.fpv("B", 4 * case.p - 1)
    r = a if alias else case.empty()
    case.run.call("fpv_sub_operand", [Pointer([r]), Pointer([a]), Pointer([b]), Number(4, "unsigned")])
    for v in range(program.FPV_VECTORS):
        case.require_equal(case.value(r["d"][v], operand=True),
                           add(add(case.whole("A.%d" % v), case.whole("B.%d" % v), -1), const(4 * case.p)))


def sum_operand(program, seed=1, alias=False, k=4):
    """fpv_add_operand: r = a + b, an operand. In: below S together."""
    case = Case(program, seed)
    a, b = case.fpv("A", k * case.p - 1), case.fpv("B", case.S - k * case.p)
    r = a if alias else case.empty()
    case.run.call("fpv_add_operand", [Pointer([r]), Pointer([a]), Pointer([b])])
    for v in range(program.FPV_VECTORS):
        case.require_equal(case.value(r["d"][v], operand=True), add(case.whole("A.%d" % v), case.whole("B.%d" % v)))


def difference_shifted(program, seed=1, alias=False, k=2):
    """fpv_sub_shift: r = 2^SLOPE_SHIFT * (a - b + 2p), an operand below 4*2^SLOPE_SHIFT. In: a and b below 2."""
    case = Case(program, seed)
    a, b = case.fpv("A", 2 * case.p - 1), case.fpv("B", 2 * case.p - 1)
    r = a if alias else case.empty()
    case.run.call("fpv_sub_shift", [Pointer([r]), Pointer([a]), Pointer([b])])
    shift = program.SLOPE_SHIFT
    for v in range(program.FPV_VECTORS):
        value = case.value(r["d"][v], operand=True)
        wanted = add(add(case.whole("A.%d" % v), case.whole("B.%d" % v), -1), const(k * case.p))
        case.require_equal(value, scale(wanted, 1 << shift))
        case.require_range(value, 0, 4 * case.p << shift)


def shifted(program, shift, seed=1, alias=False, most=None):
    """fpv_shift_left: r = 2^shift * a. In: 2^shift*a < S."""
    case = Case(program, seed)
    a = case.fpv("A", ((case.S - 1) >> shift) if most is None else most)
    r = a if alias else case.empty()
    case.run.call("fpv_shift_left", [Pointer([r]), Pointer([a]), Number(shift)])
    for v in range(program.FPV_VECTORS):
        case.require_digits(r["d"][v])
        case.require_equal(case.value(r["d"][v]), scale(case.whole("A.%d" % v), 1 << shift))


def linear(program, factor, offset, most, seed=1, alias=False):
    """fpv_linear: r = factor*a + offset*p. In: digits below 2^52, 0 <= r < S. Out: digits below 2^52."""
    case = Case(program, seed)
    a = case.fpv("A", most * case.p - 1)
    r = a if alias else case.empty()
    case.run.call("fpv_linear", [Pointer([r]), Pointer([a]), Number(factor), Number(offset, "unsigned")])
    for v in range(program.FPV_VECTORS):
        case.require_digits(r["d"][v])
        case.require_equal(case.value(r["d"][v]), add(scale(case.whole("A.%d" % v), factor), const(offset * case.p)))


def canonical(program, seed=1, alias=False, high=1):
    """fpv_canonical: r = a mod p. In: loose. Out: below 1. Both ways for the sign of each vector."""
    ways = [()]
    while ways:
        choices = ways.pop()
        case = Case(program, seed, choices=choices)
        a = loose(case, "A")
        r = a if alias else case.empty()
        case.run.call("fpv_canonical", [Pointer([r]), Pointer([a])])
        for k in range(len(choices), len(case.run.asked)):
            ways.append(tuple(answer for _, answer in case.run.asked[:k]) + (False,))
        for v in range(program.FPV_VECTORS):
            case.require_digits(r["d"][v])
            value = case.value(r["d"][v])
            case.require_congruent(value, case.whole("A.%d" % v))
            case.require_range(value, 0, high * case.p)


def ended(program, alias=False, seed=1, columns=None):
    """fpv_columns_end of columns up to (FPV_HALVES - 3)*2^52, as require_quotient leaves them: with `less`, digits up to
    3*2^52, subtracted and reduced, where the difference is in [p*(1 - 2^-20) - 3p, 5p); and with `add`*p added."""
    widest = columns or (program.FPV_HALVES - 3) * DIGIT
    for subtracts in (True, False):
        case = Case(program, seed)
        p, n = case.p, case.digits
        least, most = (p - (p >> 20) - 3 * p + 6 * p, 5 * p - 1) if subtracts else (-p, 3 * p - 1)
        rest = sum(widest << (52 * i) for i in range(n - 1))
        last = max(-widest, (least - rest) >> (52 * (n - 1))), min(widest, -((-most - rest) >> (52 * (n - 1))))
        t = case.number("T", most, least, ranges=[(-widest, widest)] * (n - 1) + [last])
        how, r = ending(), case.empty()
        wanted = case.whole("T")
        if subtracts:
            less = {"d": [case.number("L", 6 * p - 1, ranges=[(0, 3 * DIGIT)] * (n - 1) + [(0, 6 * p >> (52 * (n - 1)))])]}
            how["less"].write(Pointer([less]))
            how["offset"].write(Number(3))
            wanted = add(wanted, case.whole("L"), -1)
        else:
            how["add"].write(Number(1, "unsigned"))
            wanted = add(wanted, const(p))
        case.run.call("fpv_columns_end", [Pointer([r]), Number(0), Pointer(t), how])
        if subtracts:
            case.require_digits(r["d"][0])
            case.require_reduced(case.value(r["d"][0]), wanted)
        else:
            case.require_equal(case.value(r["d"][0], operand=True), wanted)


# ---- lanes.S by itself ----


def assembly_product(name, curve, seed=1, high=2, code=None, details=False):
    """t = a*b/S, or with `pair` in the name (a*b + c*d)/S, of any digits below 2^52: S*t is that modulo p and at least
    that, by less than 2*p*S. FP_LANE_DIGITS, the function's last argument, is what it should be."""
    constants, functions = assembly()
    p, field = field_of(curve)
    digits = int(name[-1])
    lane, S, rng = Lane(ROUND_TOWARDS_ZERO), 1 << (52 * digits), random.Random(seed)
    inverse = pow(1 << 52, -1, p)
    wanted_field = [x >> (52 * i) & MASK for x in (inverse, p) for i in range(digits)] + [-pow(p, -1, DIGIT) % DIGIT]
    if field != wanted_field:
        raise Reject("FP_LANE_DIGITS is wrong")
    memory, sums = {("F", 32 * i): Double(lane.number(d)) for i, d in enumerate(field)}, {}
    for k in range(2 if "pair" in name else 1):
        wholes = []
        for base in "AB":
            words, whole = lane.operand(base + str(k), digits, 0, S - 1, lane.digits_below(digits, S - 1), rng)
            for i, w in enumerate(words):
                memory[(base, 32 * (digits * k + i))] = Double(w)
            wholes.append({(whole,): 1})
        sums = add(sums, mul(*wholes))
    registers = {"rdi": ("R", 0), "rsi": ("A", 0), "rdx": ("B", 0), "rcx": ("F", 0)}
    routine = vectors.Routine(lane, constants, registers, memory)
    routine.run(code or functions[name])
    if routine.written != {("R", 32 * i) for i in range(digits)}:
        raise Reject("the stores are not those of the result")
    total = {}
    for i in range(digits):
        word = lane.window(lane.bits(memory[("R", 32 * i)]), -(1 << 63))
        total = add(total, word.poly, S << (52 * i))
    error = lane.folded(add(total, sums, -1))
    if any(c % p for c in error.values()):
        raise Reject("not the same modulo p")
    if lane.bound(error, False) < 0 or lane.bound(error, True) >= high * p * S:
        raise Reject("out of its bounds")
    return memory if details else None


def field_of(curve):
    """p and FP_LANE_DIGITS of a generated header."""
    text = open(os.path.join(SOURCE, "curves/generated", curve + ".h"), encoding="utf-8").read()
    numbers = [[int(x, 16) for x in re.findall(r"UINT64_C\((0x[0-9a-f]+)\)", re.search(pattern, text).group(1))]
               for pattern in (r"#define FP_MODULUS \{([^}]*)\}", r"#define FP_LANE_DIGITS\(X\)(.*)")]
    return sum(x << (64 * i) for i, x in enumerate(numbers[0])), numbers[1]


# ---- where the processor rounds towards zero ----


def rounding_is_restored(program, state):
    """vec_begin sets rounding towards zero without traps, whatever the state was, and vec_end restores that."""
    lane = Lane(state)
    run = Run(program, lane)
    saved = run.call("vec_begin", [])
    if lane.rounding != ROUND_TOWARDS_ZERO:
        raise Reject("vec_begin does not round towards zero")
    run.call("vec_end", [saved])
    if lane.rounding != state:
        raise Reject("vec_end does not restore the state")


def unguarded(unit, curve, machine="avx2"):
    """The functions of a file of src/ that may compute with doubles before a call of vec_begin. One whose first call is
    vec_begin and whose last one is vec_end guards what lies between. Names only: a function that is mentioned counts as
    called, of which more can be unguarded than are."""
    texts = declarations(preprocessed('#include "%s"\n' % unit, curve, machine, r"/src/"))
    calls = {name: re.findall(r"\b[A-Za-z_]\w+\b", text[text.find("{"):]) for name, text in texts.items()}
    found = {name for name in calls if any(c in DOUBLES or c.startswith("sumac_x86_64_lanes_mul_") for c in calls[name])}
    guards = {name for name, words in calls.items() if "vec_begin" in words and _guards(texts[name], set(texts))}
    while True:
        more = {name for name, words in calls.items() if name not in guards and found.intersection(words)} - found
        if not more:
            return found - guards, guards, texts
        found |= more


DOUBLES = {"_mm256_fmadd_pd", "_mm256_sub_pd"}


def _guards(text, names):
    called = [w for w in re.findall(r"\b(\w+)\s*\(", text[text.find("{"):]) if w in names]
    return called[0] == "vec_begin" and called[-1] == "vec_end" and called.count("vec_begin") == 1


# ---- all claims ----


NAMES = ("fpv_mul_ending", "fpv_sqr_ending", "fpv_reduce", "fpv_settle", "fpv_sub", "fpv_sub_operand", "fpv_sub_shift",
         "fpv_add_operand", "fpv_shift_left", "fpv_linear", "fpv_canonical", "fpv_columns_end")
OFFSETS = range(1, 8)  # of fpv_reduce: all that callers may say


def program_of(curve, machine, vectors=1, source=SOURCE):
    """Compile the program for the claims on coordinates. With 0 vectors, bundles have as many as in the source."""
    probe = Program(curve, machine, (), vectors=vectors, source=source)
    names = list(NAMES)
    if probe.FE_DEGREE == 2:
        names += ["fev_mul_ending", "fev_sqr_ending"]
    elif machine == "avx512":
        names += ["fev_mul_sub_mul", "fev_mul_sub_sqr"]
    return Program(curve, machine, names, vectors=vectors, source=source)


def scalars_of(curve, vectors=1):
    names = ("fpv_mul_ending", "fpv_settle_wide", "fpv_canonical", "fpv_shift_left")
    return Program(curve, "avx512", names, scalars=True, vectors=vectors)


def coordinates(program, alias=False, seed=1, offsets=OFFSETS):
    """All claims on coordinates; returns the greatest column of a product, in units of 2^52."""
    shift, how = program.SLOPE_SHIFT, {"alias": alias, "seed": seed}
    if program.FE_DEGREE == 2:
        reached = [fp2_product(program, **how), fp2_product(program, k=4 << shift, **how),
                   fp2_product(program, square=True, **how)]
    else:
        reached = [product(program, **how), product(program, square=True, **how)]
        if program.machine == "avx512":
            reached += [product_difference(program, **how), product_difference(program, square=True, **how)]
    ended(program, **how)
    for offset in offsets:
        reduce(program, offset, seed)
    for claim in (settle, difference, difference_operand, sum_operand, difference_shifted, canonical):
        claim(program, **how)
    for factor, offset, most in ((1, 2, 1), (2, 0, 2), (3, 0, 2), (-1, 2, 2)):
        linear(program, factor, offset, most, **how)
    shifted(program, shift, **how)
    return max(reached)


def scalars(program, alias=False, seed=1):
    """All claims on scalars, which AVX-512 alone has in lanes: see scalars.h."""
    p, S, how = program.p, 1 << (52 * program.FPV_DIGITS), {"alias": alias, "seed": seed}
    product(program, most_a=p - 1, most_b=S - 1, high=3, **how)
    product(program, most_a=16 * p - 1, most_b=p - 1, high=3, **how)
    if p >> 16:  # else P of fpv_reduce, and so the quotient, has too few bits: of the curve for tests alone
        settle(program, name="fpv_settle_wide", below=16, **how)
    canonical(program, **how)
    shifted(program, program.FACTOR_SHIFT, most=p - 1, **how)
