# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file models one lane of a vector. A lane has words of 64 bits, or doubles, that hold digits of 52 bits.

Apart from loads of a constant, no instruction here moves a word to another lane, so that one lane stands for all.

Terms
    word        A `Word` is an integer that is congruent to the lane's 64 bits modulo 2^64: a polynomial over atoms
                (algebra.py), with a range. `scaled` is the polynomial times ONE, so that all coefficients are
                integers. Sums, differences and shifts to the left keep the congruence whatever the range is. An
                instruction that reads bits from above asks `window` for the only integer of the congruence class in
                [0, 2^64) or [-2^63, 2^63), which exists if the range lies within 2^64 consecutive integers that end
                there.
    unit        This is a power of 2 that divides the word.
    residue     This is a polynomial that is congruent to the word modulo 2^52, or None.
    parts       These are two words that add up to the word, or None. The second one is at least 0, and below the unit
                of the first.
    double      A `Double` is the integer that the lane's bits represent as a double. The integer is exact, because rules
                refuse results that a double cannot hold.
    number      An operand is the sum of its digits times 2^(52*i). The atom `whole` equals that sum.
    fact        A fact (polynomial, bound) says that polynomial <= bound in the current case.
"""
import re
from fractions import Fraction

from algebra import Reject, Unsound, add, const, mul, plain, scale, substitute

DIGIT = 1 << 52
MASK = DIGIT - 1
PLACES = 52 * 64
ONE = 1 << PLACES
LOW, HIGH = 0x433 << 52, 0x467 << 52  # the bits of the doubles 2^52 and 2^104
ROUND_TO_NEAREST, ROUND_TOWARDS_ZERO = 0x1F80, 0x7F80  # MXCSR without traps


class Word:
    __slots__ = ("scaled", "low", "high", "value", "unit", "residue", "parts", "_key")

    def __init__(self, scaled, low, high, value, unit=1, residue=None):
        self.scaled, self.low, self.high, self.value, self.unit, self.residue = scaled, low, high, value, unit, residue
        self.parts = self._key = None

    def constant(self):
        return self.low if self.low == self.high else None

    def key(self):
        if self._key is None:
            self._key = frozenset(self.scaled.items())
        return self._key


class Double:
    """This is a lane whose bits represent, as a double, the integer `word`."""

    def __init__(self, word):
        self.word = word


class Sign:
    """This is a mask that is set in the lanes where the word is negative."""

    def __init__(self, word):
        self.word, self.answer = word, None


def reduced(poly):
    """Reduce the coefficients of an integer polynomial modulo 2^52."""
    result = {m: c % DIGIT for m, c in poly.items()}
    return {m: c for m, c in result.items() if c}


def divided(scaled, bits):
    """Divide the coefficients of a polynomial by 2^bits, which must divide them."""
    if any(c & ((1 << bits) - 1) for c in scaled.values()):
        raise Reject("a fraction of too many bits")
    return {m: c >> bits for m, c in scaled.items()}


class Lane:
    """This is the state of a lane. It is also a domain of c_source.py, in which C's operators are refused for vectors."""

    def __init__(self, rounding=ROUND_TO_NEAREST):
        self.names, self.lows, self.highs, self.values = [], [], [], []
        self.folds = []  # (atom of an operand's last digit, polynomial in the whole number that it equals)
        self.facts = []
        self.dead = False  # set if the trial's values do not belong to the current case
        self.cuts, self.products, self.named = {}, {}, {}
        self.rounding = rounding

    def binary(self, op, x, y, type_):
        raise Reject("C: %s of vectors" % op)

    def convert(self, x, from_, to):
        return x  # Only a Sign is converted, and it is not a number.

    def compare(self, run, op, x, y):
        raise Reject("a condition of vectors")

    known = compare

    # ---- atoms, words, ranges ----

    def atom(self, name, low, high, value):
        if not self.dead and not low <= value <= high:
            raise Unsound("%s: %d is not in its range" % (name, value))
        self.names.append(name)
        self.lows.append(low)
        self.highs.append(high)
        self.values.append(value)
        return len(self.names) - 1

    def evaluate(self, poly):
        total = 0
        for monomial, c in poly.items():
            for a in monomial:
                c *= self.values[a]
            total += c
        return total

    def word(self, scaled, low, high, value, unit=1, residue=None):
        """Create a word, and check it by the trial's values. All words but constants are made here, so that a wrong rule
        is noticed."""
        if not self.dead:
            wrong = self.evaluate(scaled) != value << PLACES or not low <= value <= high or value % unit
            if wrong or residue is not None and (self.evaluate(residue) - value) % DIGIT:
                raise Unsound("a word's polynomial disagrees with its value")
        return Word(scaled, low, high, value, unit, residue)

    def poly(self, word):
        """Return the polynomial that equals the word."""
        return scale(word.scaled, Fraction(1, ONE))

    def of_atom(self, a):
        return self.word({(a,): ONE}, self.lows[a], self.highs[a], self.values[a], 1, {(a,): 1})

    def number(self, c):
        """Return a constant, whose unit is the greatest power of 2 that divides it."""
        return Word(const(c << PLACES), c, c, c, (c & -c) if c else 1 << 200, reduced(const(c)))

    def extreme(self, poly, upper):
        """Return a bound from the atoms' ranges. A monomial takes its extreme values where each atom is at an end of its
        range."""
        total = 0
        for monomial, c in poly.items():
            low = high = 1
            for a in monomial:
                ends = [x * y for x in (low, high) for y in (self.lows[a], self.highs[a])]
                low, high = min(ends), max(ends)
            total += c * (high if (c > 0) == upper else low)
        return total

    def folded(self, poly):
        """Replace each atom of an operand's last digit by its polynomial in the atom of the whole number."""
        for a, value in self.folds:
            if any(a in monomial for monomial in poly):
                poly = substitute(poly, a, value)
        return poly

    def bound(self, poly, upper):
        """Return the best of the bounds that the polynomial has, its folded form, and its folded form with one fact. If
        fact <= limit, then poly <= poly - factor*fact + factor*limit for each factor >= 0."""
        if not upper:
            return -self.bound(scale(poly, -1), True)
        folded = self.folded(poly)
        candidates = [self.extreme(poly, True), self.extreme(folded, True)]
        for fact, limit in self.facts:
            fact = self.folded(fact)
            for monomial in fact:
                factor = plain(Fraction(folded.get(monomial, 0)) / fact[monomial])
                if monomial and factor > 0:
                    candidates.append(self.extreme(add(folded, fact, -factor), True) + factor * limit)
        return min(candidates)

    # ---- operands ----

    def operand(self, name, digits, low, high, ranges, rng, spare_bits=0):
        """Return the words and the atom of a number in [low, high] whose digit i is in ranges[i]. If `spare_bits` is not 0,
        each word has above its digit an unknown signed number of so many bits."""
        value = rng.choice([low, high, rng.randint(low, high)])
        values, left = [], value
        for i, (least, most) in enumerate(ranges[:-1]):
            least += (left - least) % DIGIT  # because the digit must be congruent to `left`
            most = min(most, left) if least >= 0 else most
            values.append(least + DIGIT * rng.randint(0, (most - least) // DIGIT))
            left = (left - values[-1]) >> 52
        values.append(left)
        words = [self.number(v) if ranges[i][0] == ranges[i][1] else
                 self.of_atom(self.atom("%s%d" % (name, i), *ranges[i], v)) for i, v in enumerate(values)]
        whole = self.atom(name, low, high, value)
        last = max(i for i, w in enumerate(words) if w.constant() is None)
        rest = {(whole,): 1}
        for i, w in enumerate(words):
            rest = add(rest, self.poly(w), -(1 << (52 * i)) if i != last else 0)
        self.folds.append((next(iter(words[last].scaled))[0], scale(rest, Fraction(1, 1 << (52 * last)))))
        if spare_bits:
            words = [self._with_high_bits(w, spare_bits, rng) for w in words]
        return words, whole

    def _with_high_bits(self, digit, bits, rng):
        u = self.atom("u", -(1 << (bits - 1)), (1 << (bits - 1)) - 1, rng.randrange(1 << (bits - 1)))
        up = self.of_atom(u)
        w = self.sum(digit, self.shift_left(up, 52))
        w = self.word(w.scaled, w.low, w.high, w.value, 1, digit.residue)
        self.cuts[(w.key(), 52)] = (digit, up)
        return w

    def digits_below(self, digits, most):
        """Return the ranges of a number's digits, if the number is from 0 to `most` and its digits are below 2^52. Then digit i
        is at most floor(most/2^(52*i))."""
        return [(0, min(MASK, most >> (52 * i))) for i in range(digits)]

    # ---- integers ----

    def sum(self, x, y, sign=1):
        low, high = (x.low + y.low, x.high + y.high) if sign > 0 else (x.low - y.high, x.high - y.low)
        residue = None
        if x.residue is not None and y.residue is not None:
            residue = reduced(add(x.residue, y.residue, sign))
        return self.word(add(x.scaled, y.scaled, sign), low, high, x.value + sign * y.value, min(x.unit, y.unit), residue)

    def times(self, x, factor):
        low, high = sorted([x.low * factor, x.high * factor])
        residue = reduced(scale(x.residue, factor)) if x.residue is not None else None
        if not factor:
            return self.number(0)
        return self.word(scale(x.scaled, factor), low, high, x.value * factor, x.unit * (factor & -factor), residue)

    def shift_left(self, x, bits):
        return self.times(x, 1 << bits)

    def divided(self, x, bits):
        """Return x/2^bits, where 2^bits must divide x."""
        part = 1 << bits
        unit = max(x.unit >> bits, 1)
        return self.word(divided(x.scaled, bits), -(-x.low // part), x.high // part, x.value // part, unit)

    def window(self, x, bottom, size=1 << 64):
        """Return the integer that is congruent to x modulo 2^64 and lies in [bottom, bottom + size). If no multiple of 2^64
        moves the whole range of x there, x is refused."""
        for again in (False, True):
            move = -((x.low - bottom) >> 64) << 64
            if x.high + move < bottom + size:
                if not move:
                    return x
                return self.word(add(x.scaled, const(move << PLACES)), x.low + move, x.high + move, x.value + move,
                                 min(x.unit, 1 << 64), x.residue)
            if not again:
                x = self.tightened(x)
        raise Reject("a word may be outside of its %s range" % ("signed" if bottom < 0 else "unsigned"))

    def tightened(self, x):
        """Return x with a range that the bounds of its polynomial make as small as they can."""
        low, high = -(-self.bound(x.scaled, False) // ONE), self.bound(x.scaled, True) // ONE
        low, high = max(low, x.low), min(high, x.high)
        return self.word(x.scaled, low, high, x.value, x.unit, x.residue)

    def cut(self, x, bits):
        """Return (low, up) such that x = low + 2^bits * up and 0 <= low < 2^bits. Both are unique.

        An x in [0, 2^bits) is its own low part. If the constant term has a multiple of 2^bits, that goes to `up` alone.
        If bits < 52, the low 52 bits are cut off first, and `low` from those, so that each way gives the same atom. If
        the unit or the residue shows that 2^bits divides x, `low` is 0. If x = a + b and b is below the unit of a, `low`
        is b plus the low part of a, because that part is a multiple of the unit, and so at most 2^bits - unit. Otherwise
        `low` is a new atom. Equal polynomials are equal integers, and so get the same atom."""
        part = 1 << bits
        if x.constant() is not None:
            return self.number(x.low % part), self.number(x.low >> bits)
        if x.low >= 0 and x.high < part:
            if bits == 52 and x.residue is None:
                x.residue = self.name_of(x)
            return x, self.number(0)
        if x.unit >= part or bits == 52 and x.residue == {}:
            return self.number(0), self.divided(x, bits)
        if x.parts and x.parts[0].unit <= part:
            return self.split(x, self.sum(self.low_bits(x.parts[0], bits), x.parts[1]), bits)
        if x.unit > 1:
            return self.split(x, self.low_bits(x, bits), bits)
        key = (x.key(), bits)
        if key not in self.cuts:
            y = self.tightened(x) if -4 * part <= x.low and x.high < 4 * part else x
            multiples = x.scaled.get((), 0) // (part << PLACES)
            if y.low >= 0 and y.high < part:
                self.cuts[key] = y, self.number(0)
            elif bits < 52 and not (x.low >= 0 and x.high <= MASK):
                self.cuts[key] = self.split(x, self.cut(self.cut(x, 52)[0], bits)[0], bits)
            elif multiples:
                low, up = self.cut(self.sum(x, self.number(multiples * part), -1), bits)
                self.cuts[key] = low, self.sum(up, self.number(multiples))
            else:
                low = self.of_atom(self.atom("l%d" % len(self.names), 0, part - 1, x.value % part))
                self.cuts[key] = self.split(x, low, bits)
        low, up = self.cuts[key]
        if bits == 52 and x.residue is None:
            x.residue = low.residue  # x = low (mod 2^52)
        return low, up

    def name_of(self, x):
        """Return, as a residue, an atom that equals the word. Words with equal polynomials get the same atom."""
        if x.key() not in self.named:
            self.named[x.key()] = {(self.atom("n%d" % len(self.names), x.low, x.high, x.value),): 1}
        return self.named[x.key()]

    def split(self, x, low, bits):
        """Return both parts of x, whose low part is known."""
        up = divided(add(x.scaled, low.scaled, -1), bits)
        return low, self.word(up, x.low >> bits, x.high >> bits, x.value >> bits)

    def halves(self, x, y):
        """Let a and b be the low 52 bits of x and y. Return a*b mod 2^52 and floor(a*b/2^52). The low half is a new atom l, and
        the upper half is (a*b - l)/2^52. If a factor is constant, the residue of the product is that constant times the residue
        of the other factor."""
        a, b = self.cut(x, 52)[0], self.cut(y, 52)[0]
        key = frozenset([a.key(), b.key()])
        if key not in self.products:
            product, value, most = divided(mul(a.scaled, b.scaled), PLACES), a.value * b.value, a.high * b.high
            residue = None
            for c, other in ((a.constant(), b), (b.constant(), a)):
                if c is not None and other.residue is not None:
                    residue = reduced(scale(other.residue, c))
            if a.constant() is not None and b.constant() is not None:
                self.products[key] = self.number(value & MASK), self.number(value >> 52)
            elif most < DIGIT:
                self.products[key] = self.word(product, 0, most, value, 1, residue), self.number(0)
            else:
                l = self.atom("l%d" % len(self.names), 0, MASK, value & MASK)
                low = self.word({(l,): ONE}, 0, MASK, value & MASK, 1, {(l,): 1} if residue is None else residue)
                high = self.word(divided(add(product, low.scaled, -1), 52), 0, most >> 52, value >> 52)
                self.products[key] = low, high
        return self.products[key]

    def assume(self, sign, negative):
        """Add the fact that a word is negative, or that it is not: its integer in [-2^63, 2^63) is <= -1, or >= 0."""
        x = self.window(sign.word, -(1 << 63))
        poly = self.poly(x)
        self.facts.append((poly, -1) if negative else (scale(poly, -1), 0))
        if (x.value < 0) != negative:
            self.dead = True

    # ---- bits and doubles ----

    def bits(self, x):
        """Return a lane's bits as an integer modulo 2^64. A double in [2^52, 2^53) has the unit 1 and the exponent's bits
        0x433 above its fraction of 52 bits; in [2^104, 2^105) it has the unit 2^52 and the exponent's bits 0x467."""
        if not isinstance(x, Double):
            return x
        d = x.word
        if DIGIT <= d.low and d.high < 2 * DIGIT:
            return self.sum(d, self.number(LOW - DIGIT))
        if 1 << 104 <= d.low and d.high < 1 << 105:
            return self.sum(self.divided(self.sum(d, self.number(1 << 104), -1), 52), self.number(HIGH))
        raise Reject("the bits of a double of unknown exponent")

    def double(self, x):
        """Return the integer that these bits represent as a double, whose exponent must be known. bits() is the inverse."""
        if isinstance(x, Double):
            return x.word
        c = x.constant()
        if c is not None:
            c %= 1 << 64
            exponent, fraction = c >> 52, c & MASK | DIGIT
            if c == 0:
                return self.number(0)
            if 1075 <= exponent < 2047:
                return self.number(fraction << (exponent - 1075))
            if 1075 - 52 <= exponent < 1075 and fraction % (1 << (1075 - exponent)) == 0:
                return self.number(fraction >> (1075 - exponent))
            raise Reject("a constant that is no integer of 53 bits")
        x = self.window(x, 0)
        if x.low >= LOW and x.high < LOW + DIGIT:
            return self.sum(x, self.number(LOW - DIGIT), -1)
        raise Reject("a word that is not known to be a double")

    def _exact(self, x):
        """Return a Double for x. A double holds every multiple of the unit up to 2^53 units; any other x is refused."""
        if max(abs(x.low), abs(x.high)) > x.unit << 53:
            raise Reject("a double may be rounded")
        return Double(x)

    def double_difference(self, x, y):
        return self._exact(self.sum(self.double(x), self.double(y), -1))

    def fused(self, a, b, c):
        """Return a*b + c, rounded once, for digits a and b. If c = 2^104, the sum is in [2^104, 2^105), where doubles are
        the multiples of 2^52. Rounding towards zero then gives 2^104 + 2^52*floor(a*b/2^52). For any other c the sum must
        be exact, which it can be if c cancels the upper half of the product."""
        a, b, c = self.double(a), self.double(b), self.double(c)
        if a.low < 0 or a.high > MASK or b.low < 0 or b.high > MASK:
            raise Reject("a factor is no digit")
        low, high = self.halves(a, b)
        if c.constant() == 1 << 104:
            if self.rounding != ROUND_TOWARDS_ZERO:
                raise Reject("the processor does not round towards zero")
            return Double(self.sum(self.shift_left(high, 52), c))
        rest = self.sum(self.shift_left(high, 52), c)
        if set(rest.scaled) <= {()}:
            rest = self.number(rest.scaled.get((), 0) >> PLACES)
        return self._exact(self.sum(rest, low))

    # ---- bitwise ----

    def both(self, x, y):
        """Return x & y, where one of them is a constant 2^k - 1, so that the result is the low k bits of the other."""
        x, y = self.bits(x), self.bits(y)
        for word, mask in ((x, y.constant()), (y, x.constant())):
            if mask is not None and mask > 0 and mask & (mask + 1) == 0:
                return self.low_bits(word, mask.bit_length())
        raise Reject("and of words")

    def low_bits(self, x, bits):
        free = min(x.unit.bit_length() - 1, bits)
        if free == 0 or x.constant() is not None:
            return self.cut(x, bits)[0]
        return self.shift_left(self.cut(self.divided(x, free), bits - free)[0], free)

    def either(self, x, y):
        """Return x | y. One of them must be at least 0 and below the unit of the other, so that no bit is set in both, and
        the result is their sum."""
        x, y = self.bits(x), self.bits(y)
        for a, b in ((x, y), (y, x)):
            if b.low >= 0 and b.high < min(a.unit, 1 << 64):
                return self.joined(a, b)
        raise Reject("or of words that may share bits")

    def joined(self, a, b):
        total = self.sum(a, b)
        total.parts = a, b
        return total

    def exclusive(self, x, y):
        """Return x ^ 2^63, which is x + 2^63 modulo 2^64, because only the top bit changes and its carry is dropped."""
        x, y = self.bits(x), self.bits(y)
        if x.constant() is not None:
            x, y = y, x
        if y.constant() is None or y.constant() % (1 << 64) != 1 << 63:
            raise Reject("xor of words")
        return self.sum(x, self.number(1 << 63))

    def shift_right(self, x, bits):
        """Return floor(x/2^bits) of the unsigned word. If x = 2^f*y with f <= bits, the unsigned word is
        2^f*(y mod 2^(64 - f)) whatever the range of y, so that the result is floor((y mod 2^(64 - f))/2^(bits - f))."""
        x = self.bits(x)
        free = min(x.unit.bit_length() - 1, bits)
        if x.constant() is not None or free == 0:
            return self.cut(self.window(x, 0), bits)[1]
        low = self.cut(self.divided(x, free), 64 - free)[0]
        return self.cut(low, bits - free)[1] if bits > free else low

    def shift_right_signed(self, x, bits):
        y = self.window(self.bits(x), -(1 << 63))
        up = self.cut(y, bits)[1]
        if bits == 52 and x.residue is None:
            x.residue = y.residue
        return up

    def funnel_left(self, high, low, bits):
        """Shift the 128 bits high:low to the left, and return the upper word: high*2^bits + floor(low/2^(64 - bits))."""
        return self.joined(self.shift_left(high, bits), self.shift_right(low, 64 - bits))

    def pick(self, index, table):
        """Return table[index], where the table must be first + step*index modulo 2^64."""
        q = self.window(index, 0, len(table))
        step = table[1] - table[0]
        if any((table[0] + k * step - t) % (1 << 64) for k, t in enumerate(table)):
            raise Reject("a table that is not first + step*index")
        return self.sum(self.times(q, step), self.number(table[0]))


# ---- the intrinsics of the C source: what each does to a lane ----

VECTORS = ("vec", "__m512i", "__m256i", "__m256d")
CONSTANTS = {"_MM_MASK_MASK": 0x1F80, "_MM_ROUND_TOWARD_ZERO": 0x6000}  # of MXCSR


def _load_doubles(run, pointer):
    """Load a vector that the source casts to an array of doubles, or a constant that is the same in all lanes."""
    if isinstance(pointer, Double):
        return pointer
    same = {cell.value for cell in pointer.block[pointer.index:pointer.index + 4]}
    if len(same) != 1:
        raise Reject("lanes with different constants")
    return Double(run.domain.number(same.pop()))


def _multiply_even(lane, x, y):
    """Return the product of the low 32 bits of x and y, one of which must be constant there."""
    low = [lane.cut(lane.window(w, 0), 32)[0] for w in (x, y)]
    for a, b in (low, low[::-1]):
        if a.constant() is not None:
            return lane.times(b, a.constant())
    raise Reject("a product of unknown words")


def _select(run, unset, sign, set_):
    """Ask which case is run, that the word is negative or that it is not, and add the answer to the facts."""
    if sign.answer is None:
        sign.answer = run.ask()
        run.domain.assume(sign, sign.answer)
    return set_ if sign.answer else unset


def _set_rounding(run, state):
    run.domain.rounding = state


def _bits(f):
    """Return a leaf that applies f to words. If an operand is a Double, f gets the double's bits."""
    return lambda run, *words: f(run.domain, *(run.domain.bits(w) if isinstance(w, Double) else w for w in words))


def _number(run, n=0):
    return run.domain.number(n)


_SHARED = {  # {a name without _mm512_ or _mm256_ and without the size of si: leaf}
    "add_epi64": _bits(Lane.sum), "sub_epi64": _bits(lambda lane, x, y: lane.sum(x, y, -1)), "and_si": _bits(Lane.both),
    "or_si": _bits(Lane.either), "xor_si": _bits(Lane.exclusive), "slli_epi64": _bits(Lane.shift_left),
    "srli_epi64": _bits(Lane.shift_right), "setzero_si": _number,
}
LEAVES = {"_mm%d_%s%s" % (bits, name, bits if name.endswith("si") else ""): leaf
          for bits in (512, 256) for name, leaf in _SHARED.items()}
LEAVES.update({
    "_mm512_set1_epi64": _number, "_mm256_set1_epi64x": _number,
    "_mm512_srai_epi64": _bits(Lane.shift_right_signed),
    "_mm512_shldi_epi64": _bits(Lane.funnel_left),
    "_mm512_madd52lo_epu64": _bits(lambda lane, x, a, b: lane.sum(x, lane.halves(a, b)[0])),
    "_mm512_madd52hi_epu64": _bits(lambda lane, x, a, b: lane.sum(x, lane.halves(a, b)[1])),
    "_mm512_setr_epi64": lambda run, *numbers: numbers,  # a table with a number for each lane
    "_mm512_permutexvar_epi64": lambda run, q, table: run.domain.pick(q, table),
    "_mm512_permutex2var_epi64": lambda run, few, q, many: run.domain.pick(q, few + many),
    "_mm256_set1_pd": lambda run, n: Double(run.domain.number(n)),
    "_mm256_mul_epu32": _bits(_multiply_even),
    "_mm256_castsi256_pd": lambda run, x: x, "_mm256_castpd_si256": lambda run, x: x,
    "_mm256_load_pd": _load_doubles,
    "_mm256_fmadd_pd": lambda run, a, b, c: run.domain.fused(a, b, c),
    "_mm256_sub_pd": lambda run, x, y: run.domain.double_difference(x, y),
    "vec_negative_lanes": lambda run, x: Sign(x),
    "vec_select": _select,
    "_mm_getcsr": lambda run: run.domain.rounding,
    "_mm_setcsr": _set_rounding,
})


# ---- the instructions of lanes.S ----


def assembly(path):
    """Return the constants {label: 64-bit words} and the functions {name: [(mnemonic, operands)]} of a file like lanes.S.
    It must have AT&T syntax, where the target is last, and local labels of data. An operand is ("y", register),
    ("m", base, offset), ("d", label, offset) or ("i", number)."""
    constants, functions, exported = {}, {}, []
    label = function = None
    repeat = 1
    text = re.sub(r"/\*.*?\*/", "", open(path, encoding="utf-8").read(), flags=re.S)
    for line in filter(None, map(str.strip, text.splitlines())):
        mnemonic, _, rest = line.partition(" ")
        if line.endswith(":"):
            label = line[:-1]
            function = None if label.startswith(".L") else functions.setdefault(label, [])
            constants.setdefault(label, [])
        elif mnemonic == ".rept":
            repeat = int(rest)
        elif mnemonic == ".endr":
            repeat = 1
        elif mnemonic == ".quad":
            constants[label] += [int(rest, 0)] * repeat
        elif mnemonic == ".globl":
            exported.append(rest)
        elif mnemonic.startswith("."):
            if mnemonic not in IGNORED:
                raise Reject("directive " + mnemonic)
        else:
            function.append((mnemonic, [_operand(part) for part in re.split(r",\s*(?![^(]*\))", rest) if part]))
    if sorted(exported) != sorted(functions):
        raise Reject("functions that are not exported, or the other way round")
    return constants, functions


IGNORED = {".section", ".balign", ".text", ".hidden", ".type", ".p2align", ".size", ".cfi_startproc", ".cfi_endproc",
           ".cfi_remember_state", ".cfi_restore_state"}


def _operand(text):
    for kind, pattern in (("y", r"%ymm(\d+)"), ("i", r"\$(\d+)"), ("d", r"(?:(\d+)\+)?(\.L\w+)\(%rip\)"),
                          ("m", r"(\d*)\(%(\w+)\)")):
        match = re.fullmatch(pattern, text)
        if match and kind in "yi":
            return kind, int(match.group(1))
        if match and kind == "d":
            return kind, match.group(2), int(match.group(1) or 0)
        if match:
            return kind, match.group(2), int(match.group(1) or 0)
    raise Reject("operand " + text)


class Routine:
    """A routine runs a function of lanes.S. `memory` is {(base, offset): word or double}, each of 32 bytes. Only memory at
    the register `result` may be written."""

    def __init__(self, lane, constants, registers, memory, result="rdi"):
        self.lane, self.constants, self.memory, self.result = lane, constants, memory, result
        self.pointers, self.y, self.written = registers, {}, set()

    def place(self, op):
        base, start = self.pointers[op[1]]
        return base, start + op[2]

    def get(self, op):
        if op[0] == "y":
            if op[1] not in self.y:
                raise Reject("reads ymm%d, which is undefined" % op[1])
            return self.y[op[1]]
        if op[0] == "d":
            words = self.constants[op[1]][op[2] // 8:][:4]
            if op[2] % 8 or op[2] < 0 or len(words) != 4 or len(set(words)) != 1:
                raise Reject("a constant that lanes do not share")
            return self.lane.number(words[0])
        if op[0] != "m" or self.place(op) not in self.memory:
            raise Reject("reads %s" % (op,))
        return self.memory[self.place(op)]

    def put(self, op, word):
        if op[0] == "y":
            self.y[op[1]] = word
        elif op[0] == "m" and op[1] == self.result:
            self.memory[self.place(op)] = word
            self.written.add(self.place(op))
        else:
            raise Reject("writes %s" % (op,))

    def run(self, code):
        for mnemonic, ops in code:
            if mnemonic == "ret":
                return
            self.step(mnemonic, ops)
        raise Reject("there is no return")

    def step(self, mnemonic, ops):
        lane = self.lane
        if mnemonic in ("vbroadcastsd", "vpbroadcastq"):
            kind, label, offset = ops[0]
            if kind != "d" or offset % 8 or not 0 <= offset // 8 < len(self.constants[label]):
                raise Reject("a broadcast from elsewhere")
            value = lane.number(self.constants[label][offset // 8])
        elif mnemonic in ("vmovapd", "vmovdqu"):
            value = self.get(ops[0])
        elif mnemonic == "vfmadd231pd":
            value = lane.fused(self.get(ops[0]), self.get(ops[1]), self.get(ops[2]))
        elif mnemonic == "vsubpd":
            value = lane.double_difference(self.get(ops[1]), self.get(ops[0]))
        elif mnemonic == "vpaddq":
            value = lane.sum(lane.bits(self.get(ops[0])), lane.bits(self.get(ops[1])))
        elif mnemonic == "vpand":
            value = lane.both(self.get(ops[0]), self.get(ops[1]))
        elif mnemonic == "vpor":
            value = lane.either(self.get(ops[0]), self.get(ops[1]))
        elif mnemonic == "vpsrlq" and ops[0][0] == "i":
            value = lane.shift_right(self.get(ops[1]), ops[0][1])
        else:
            raise Reject("instruction %s %s" % (mnemonic, ops))
        self.put(ops[-1], value)
