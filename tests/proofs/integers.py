# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the domain of exact integers for c_source.py. It has shifts, masks and signed numbers, where algebra.py has
words and carries.

A value is a polynomial with integer coefficients over unknown integers, each of which has a range, and equals the C value. If
the result of a C operation may not fit its type, the value is reduced modulo 2^bits if the type is unsigned, and refused if it
is signed. Everything rests on one function, floor(f, k) = floor(f / 2^k):

    f >> k = floor(f, k)      f mod 2^k = f - 2^k * floor(f, k)

floor splits f = 2^k * A + rest, coefficient by coefficient. As A is an integer, floor(f, k) = A + floor(rest, k). If rest lies
in [j * 2^k, (j + 1) * 2^k), this is A + j. Otherwise floor(rest, k) is a new unknown, which is the same one for the same rest
and k.

To find equal floors, rest and k are first brought to one form. If rest = 2^j * upper + lower with 0 <= lower < 2^j, they become
upper and k - j. If rest lies in [-2^k, 2^k), its floor is -1 if rest is negative, and else 0. This is so for each such k, so
that the least one is used. If rest lies in [-1, 0], it is its own floor.

Every unknown also has a trial value, on which every value's polynomial is evaluated, so that a wrong rule is likely to be
noticed. Nothing is concluded from these values. A way through the code that the trial's values do not follow is `dead`, and the
values are ignored there.
"""
from algebra import Reject, Unsound, add, const, mul, scale, substitute
from c_source import ARITHMETIC, Impossible, wrap


class Number:
    """`poly` is the value, with low <= value <= high. `trial` is the value in the trial."""

    __slots__ = ("poly", "low", "high", "trial")

    def __init__(self, poly, low, high, trial):
        self.poly, self.low, self.high, self.trial = poly, low, high, trial


class Integers:
    def __init__(self):
        self.names, self.ranges, self.trials = [], [], []
        self.rules = []  # (atom, polynomial that it equals), in the order in which they became known
        self.hints = []  # (polynomial, low, high), which are known in addition to the ranges
        self.floors, self.floor_of = {}, {}
        self.zero_where = {}  # {unknown: polynomials, which are all 0 iff the unknown is}
        self.dead, self.run, self.narrow = False, None, None

    # ---- unknowns and ranges ----

    def atom(self, name, low, high, trial):
        if not self.dead and not low <= trial <= high:
            raise Unsound("%s: %d is not in its range" % (name, trial))
        self.names.append(name)
        self.ranges.append((low, high))
        self.trials.append(trial)
        return len(self.names) - 1

    def unknown(self, name, low, high, trial):
        a = self.atom(name, low, high, trial)
        return Number({(a,): 1}, low, high, trial)

    def number(self, poly):
        """Return the value of a polynomial."""
        poly = self.settle(poly)
        low, high = self.bounds(poly)
        if low > high:
            raise Impossible
        trial = self.evaluate(poly)
        if not self.dead and not low <= trial <= high:
            raise Unsound("a range that the trial is not in")
        return Number(poly, low, high, trial)

    def poly(self, x):
        return const(x) if isinstance(x, int) else self.settle(x.poly)

    def evaluate(self, poly):
        total = 0
        for m, c in poly.items():
            for a in m:
                c *= self.trials[a]
            total += c
        return total

    def settle(self, poly):
        """Apply the known rules for unknowns to the polynomial."""
        for a, value in self.rules:
            if any(a in m for m in poly):
                poly = substitute(poly, a, value)
        return poly

    def plain_bounds(self, poly):
        """Bound poly only by the ranges, as the sum of the terms' extreme values. A product takes its extreme values at ends of
        its factors' ranges."""
        total_low = total_high = 0
        for m, c in poly.items():
            low = high = c
            for a in m:
                ends = [x * y for x in (low, high) for y in self.ranges[a]]
                low, high = min(ends), max(ends)
            total_low, total_high = total_low + low, total_high + high
        return total_low, total_high

    def bounds(self, poly):
        """Bound poly as plain_bounds() does, or better with one hint: poly = (poly - c * f) + c * f."""
        low, high = self.plain_bounds(poly)
        for f, least, most in self.hints:
            m = next((m for m in f if m in poly and m), None)
            if m is None or poly[m] % f[m]:
                continue
            c = poly[m] // f[m]
            rest = self.plain_bounds(add(poly, f, -c))
            ends = sorted((c * least, c * most))
            low, high = max(low, rest[0] + ends[0]), min(high, rest[1] + ends[1])
        return low, high

    # ---- learned facts ----

    def assume(self, poly, low=None, high=None):
        """Assume that low <= poly <= high on this way."""
        poly = self.settle(poly)
        least, most = self.bounds(poly)
        low = least if low is None else max(low, least)
        high = most if high is None else min(high, most)
        if low > high:
            raise Impossible
        if not self.dead and not low <= self.evaluate(poly) <= high:
            self.dead = True
        if low == high:
            self.assume_zero(add(poly, const(-low)))
            return
        monomials = [m for m in poly if m]
        if len(monomials) == 1 and len(monomials[0]) == 1 and abs(poly[monomials[0]]) == 1:
            (a,), c, k = monomials[0], poly[monomials[0]], poly.get((), 0)
            ends = sorted((c * (low - k), c * (high - k)))
            self.ranges[a] = max(ends[0], self.ranges[a][0]), min(ends[1], self.ranges[a][1])
            self.learn_floor(a)
        self.hints.append((poly, low, high))

    def learn_floor(self, a):
        """Let a = floor(rest / 2^k). From the range of a, learn that 2^k * low <= rest <= 2^k * high + 2^k - 1."""
        if a in self.floor_of:
            rest, k = self.floor_of[a]
            low, high = self.ranges[a]
            self.assume(rest, low << k, (high << k) + (1 << k) - 1)

    def assume_zero(self, poly):
        """Assume that poly = 0 on this way. If 0 is the least (greatest) value that poly can have, each of its terms has its
        least (greatest) value. Otherwise one unknown with coefficient 1 or -1 is replaced by what follows for it from the
        others."""
        poly = self.settle(poly)
        if set(poly) <= {()}:
            if poly:
                raise Impossible
            return
        if not self.dead and self.evaluate(poly):
            self.dead = True
        low, high = self.plain_bounds(poly)
        if not low <= 0 <= high:
            raise Impossible
        if 0 in (low, high) and all(len(m) < 2 for m in poly):
            for m, c in poly.items():
                if m:
                    self.equate(m[0], const(self.ranges[m[0]][0 if (c > 0) == (low == 0) else 1]))
            return
        for m, c in poly.items():
            if len(m) == 1 and abs(c) == 1 and sum(m[0] in n for n in poly) == 1:
                self.equate(m[0], scale(add(poly, {m: c}, -1), -c))
                return
        raise Reject("a condition that is not understood")

    def equate(self, a, value):
        rest = [(b, substitute(f, a, value)) for b, f in self.rules]
        self.rules = rest + [(a, value)]
        self.hints = [(substitute(f, a, value), low, high) for f, low, high in self.hints]
        if set(value) <= {()}:
            self.ranges[a] = (value.get((), 0),) * 2
            self.learn_floor(a)

    # ---- the one rule ----

    def floor(self, poly, k):
        """Return floor(poly / 2^k) as a polynomial."""
        poly, base = self.settle(poly), 1 << k
        exact = {m: c // base for m, c in poly.items() if c % base == 0}
        rest = {m: c for m, c in poly.items() if c % base}
        for m, c in rest.items():
            if abs(c) >= base:
                exact[m], rest[m] = c // base, c % base
        low, high = self.bounds(rest)
        if low >> k == high >> k:
            return add(exact, const(low >> k))
        rest, k, low, high = self.shorten(rest, k, low, high)
        if low < 0 and low >= -1 << k and high < 1 << k:
            k = max((-low - 1).bit_length(), high.bit_length())
        if k == 0:
            return add(exact, rest)
        key = frozenset(rest.items()), k
        if key not in self.floors:
            a = self.atom("floor", low >> k, high >> k, self.evaluate(rest) >> k)
            self.floors[key], self.floor_of[a] = a, (rest, k)
        return self.settle(add(exact, {(self.floors[key],): 1}))

    def shorten(self, rest, k, low, high):
        """If rest = 2^j * upper + lower with 0 <= lower < 2^j, floor(rest, k) = floor(upper, k - j). Return upper and k - j for
        the greatest such j, or rest and k, and the range of the returned polynomial."""
        for j in sorted({(c & -c).bit_length() - 1 for m, c in rest.items() if m}, reverse=True):
            j = min(j, k)
            lower = {m: c for m, c in rest.items() if m and c % (1 << j)}
            number = rest.get((), 0)
            lower = add(lower, const(number % (1 << j)))
            least, most = self.bounds(lower)
            if j and 0 <= least and most < 1 << j:
                upper = add({m: c >> j for m, c in rest.items() if m and not c % (1 << j)}, const(number >> j))
                return (upper, k - j, *self.bounds(upper))
        return rest, k, low, high

    def fit(self, poly, type_, low=None, high=None):
        """Return the value of a C expression of this type that is the integer poly. If `low` and `high` are given, they are
        known bounds of it."""
        poly = self.settle(poly)
        least, most = self.bounds(poly)
        low, high = max(least, least if low is None else low), min(most, most if high is None else high)
        least, most = (-1 << (type_.bits - 1), (1 << (type_.bits - 1)) - 1) if type_.signed else (0, (1 << type_.bits) - 1)
        if least <= low and high <= most:
            return self.simplest(poly, low, high)
        if type_.signed:
            raise Reject("a signed value that may overflow: [%d, %d]" % (low, high))
        places = type_.bits
        if low < 0:  # If the value is in [-2^j, 2^j), its floor by 2^j is -1 or 0, and equals that by 2^bits.
            places = min(places, max((-low - 1).bit_length(), high.bit_length(), 1))
        multiple = self.floor(poly, places)
        if places < type_.bits:
            multiple = self.name_sign(multiple)
        return self.simplest(add(poly, multiple, -(1 << type_.bits)), 0, most)

    def name_sign(self, poly):
        """Return an unknown for poly, which must be -1 or 0. From here on, the newest unknown in poly is written as a
        polynomial in it."""
        newest = max((m[0] for m, c in poly.items() if len(m) == 1 and c == 1 and m[0] in self.floor_of), default=None)
        if len(poly) == 1 and newest is not None:
            self.ranges[newest] = max(-1, self.ranges[newest][0]), min(0, self.ranges[newest][1])
            return poly
        if not poly or newest is None or sum(newest in m for m in poly) > 1:
            return poly
        sign = self.atom("sign", -1, 0, 0 if self.dead else self.evaluate(poly))
        self.equate(newest, add({(sign,): 1}, add(poly, {(newest,): 1}, -1), -1))
        return {(sign,): 1}

    def simplest(self, poly, low=None, high=None):
        """Return a value, or an int if it is known. If `low` and `high` are given, they are known bounds of it. A multiple of
        2^k is at most the greatest multiple below a bound, and at least the least multiple above one."""
        x = self.number(poly)
        if low is not None and x.poly:
            unit = min(c & -c for c in x.poly.values())
            low, high = -(-low // unit) * unit, high // unit * unit
            if x.low < low or x.high > high:
                x = Number(x.poly, max(low, x.low), min(high, x.high), x.trial)
                self.hints.append((x.poly, x.low, x.high))
        return x.low if x.low == x.high else x

    # ---- what C asks for ----

    def known(self, x):
        x = self.simplest(self.poly(x))
        if not isinstance(x, int):
            raise Reject("an integer that has to be known")
        return x

    def decide(self, x):
        """Return a value that can be at most two numbers, by asking a question if it can be two."""
        poly = self.poly(x)
        low, high = self.bounds(poly)
        if high - low > 1:
            raise Reject("a mask that is not 0 or 1")
        value = low if low == high else high if self.run.ask() else low
        self.assume_zero(add(poly, const(-value)))
        return value

    def convert(self, x, from_, to):
        if not to.signed:
            return self.fit(self.poly(x), to, *((x.low, x.high) if isinstance(x, Number) else ()))
        poly, half = self.poly(x), 1 << (to.bits - 1)
        low, high = self.bounds(poly)
        low, high = max(low, x.low), min(high, x.high)
        if low < -half or high >= half:
            known = self.narrow(poly) if self.narrow else None  # The range is one that the claim proves, before or after this.
            if known is None:
                wrapped = add(poly, self.floor(add(poly, const(half)), to.bits), -(1 << to.bits))
                return self.simplest(wrapped, -half, half - 1)
            low, high = known
        return self.simplest(poly, low, high)

    def binary(self, op, x, y, type_):
        if op == "-" and isinstance(x, int) and x == 0 and not type_.signed:
            low, high = self.bounds(self.poly(y))
            if 0 <= low and high <= 1:  # The result is a mask made of a bit.
                return -self.decide(y) % (1 << type_.bits)
        f, g = self.poly(x), self.poly(y)
        if set(f) <= {()} and set(g) <= {()} and op in "&|^":
            return wrap(ARITHMETIC[op](f.get((), 0), g.get((), 0)), type_)
        if op == "/" and isinstance(y, int) and y > 0 and y & (y - 1) == 0 and self.bounds(f)[0] >= 0:
            op, y = ">>", y.bit_length() - 1
        if op in "+-*":
            (a, b), (c, d) = ((v.low, v.high) if isinstance(v, Number) else (v, v) for v in (x, y))
            ends = {"+": (a + c, b + d), "-": (a - d, b - c), "*": (a * c, a * d, b * c, b * d)}[op]
            return self.fit(mul(f, g) if op == "*" else add(f, g, 1 if op == "+" else -1), type_, min(ends), max(ends))
        if op == "<<":
            return self.fit(scale(f, 1 << y), type_)
        if op == ">>":
            low, high = (x.low, x.high) if isinstance(x, Number) else (x, x)
            return self.simplest(self.floor(f, y), low >> y, high >> y)
        return getattr(self, {"&": "bit_and", "|": "bit_or", "^": "bit_xor"}.get(op, "unknown_operator"))(f, g, type_)

    def unknown_operator(self, f, g, type_):
        raise Reject("an operator that is not known here")

    def masks(self, f, g, type_):
        """Return one of the two as a known number, and the other one."""
        for a, b in ((f, g), (g, f)):
            if set(a) <= {()}:
                return a.get((), 0) % (1 << type_.bits), b
        for a, b in ((f, g), (g, f)):
            low, high = self.bounds(a)
            if type_.signed and -1 <= low and high <= 0:
                return self.decide(self.number(a)) % (1 << type_.bits), self.settle(b)
        return None, None

    def bit_and(self, f, g, type_):
        mask, other = self.masks(f, g, type_)
        if mask is None:
            raise Reject("& of two unknown values")
        if mask == (1 << type_.bits) - 1:
            return self.simplest(other)
        if mask & (mask + 1):
            raise Reject("a mask that is not 2^k - 1")
        k = mask.bit_length()
        return self.simplest(add(other, self.floor(other, k), -(1 << k)), 0, mask)

    def bit_or(self, f, g, type_):
        """Return f | g, which is f + g if f is a multiple of 2^k and 0 <= g < 2^k."""
        for a, b in ((f, g), (g, f)):
            low, high = self.bounds(b)
            if low >= 0 and all(c % (1 << high.bit_length()) == 0 for c in a.values()):
                ends = self.simplest(a, *self.bounds(a))
                a_low, a_high = (ends.low, ends.high) if isinstance(ends, Number) else (ends, ends)
                return self.fit(add(a, b), type_, a_low + low, a_high + high)
        return self.zero_test([f, g], type_)

    def bit_xor(self, f, g, type_):
        mask, other = self.masks(f, g, type_)
        if mask == 0:
            return self.simplest(other)
        if mask == (1 << type_.bits) - 1:
            return self.fit(add(const(-1 if type_.signed else mask), other, -1), type_)
        return self.zero_test([add(f, g, -1)], type_)

    def zero_test(self, polys, type_):
        """Return an unknown that is 0 iff all polynomials are: f ^ g is 0 iff f = g, and f | g is 0 iff f = g = 0."""
        flat = []
        for f in polys:
            a = next(iter(f))[0] if len(f) == 1 and next(iter(f)) else None
            flat += self.zero_where[a] if a in self.zero_where and f == {(a,): 1} else [f]
        if not self.dead:
            trial = 1 if any(self.evaluate(f) for f in flat) else 0
        else:
            trial = 0
        low = -1 << (type_.bits - 1) if type_.signed else 0
        a = self.atom("bits", low, (1 << (type_.bits - type_.signed)) - 1, trial)
        self.zero_where[a] = flat
        return Number({(a,): 1}, *self.ranges[a], trial)

    def compare(self, run, op, x, y):
        d = self.settle(add(self.poly(x), self.poly(y), -1))
        if op in (">", "<="):
            return self.compare_below(run, scale(d, -1)) == (op == ">")
        if op in ("<", ">="):
            return self.compare_below(run, d) == (op == "<")
        answer = self.is_zero(run, d)
        return answer if op == "==" else 1 - answer

    def compare_below(self, run, d):
        """Return the answer to d < 0."""
        low, high = self.bounds(d)
        if high < 0 or low >= 0:
            return int(high < 0)
        answer = run.ask()
        self.assume(d, *((None, -1) if answer else (0, None)))
        return answer

    def is_zero(self, run, d):
        low, high = self.bounds(d)
        if low > 0 or high < 0 or low == high == 0:
            return int(low == 0 == high)
        answer = run.ask()
        if len(d) == 1 and next(iter(d)) and next(iter(d))[0] in self.zero_where:
            self.answer_zero_test(next(iter(d))[0], answer)
        elif answer:
            self.assume_zero(d)
        elif low == 0:
            self.assume(d, 1, None)
        elif high == 0:
            self.assume(d, None, -1)
        elif not self.dead and self.evaluate(d) == 0:
            self.dead = True
        return answer

    def answer_zero_test(self, a, answer):
        self.run.__dict__.setdefault("zero_tests", []).append((self.zero_where[a], answer))
        if not self.dead and (self.trials[a] == 0) != bool(answer):
            self.dead = True

    # ---- what claims end with ----

    def require_equal(self, x, y, what="a value"):
        if self.settle(add(x, y, -1)):
            raise Reject("%s is not what is claimed" % what)

    def require_within(self, x, low, high, what="a value"):
        least, most = self.bounds(self.settle(x))
        if least < low or most > high:
            raise Reject("%s may leave its range" % what)


def join(domain, values, bits=64):
    """Return as a polynomial the integer of these limbs, or digits, the least significant one first."""
    total = {}
    for i, x in enumerate(values):
        total = add(total, domain.poly(x), 1 << (bits * i))
    return total


def cut(domain, name, limbs, positions, trial, bits=64, most=None):
    """Make the limbs of an unknown number below 2^(bits * limbs). The number is the sum of unknown pieces between the
    positions, so that shifts and masks at these positions split no piece. Return the limbs, and the number as a polynomial."""
    size = bits * limbs
    places = sorted({p for p in positions if 0 < p < size} | {bits * i for i in range(limbs + 1)})
    values, whole = [{} for _ in range(limbs)], {}
    for start, end in zip(places, places[1:]):
        a = domain.atom("%s[%d..%d)" % (name, start, end), 0, (1 << (end - start)) - 1, trial >> start & ((1 << (end - start)) - 1))
        values[start // bits] = add(values[start // bits], {(a,): 1 << (start % bits)})
        whole = add(whole, {(a,): 1 << start})
    return [domain.number(f) for f in values], whole
