# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This is the engine of the proofs. Machine words are polynomials in integer unknowns, each of which has a range.

This is the file to review. docs/internals/proofs.md says what else is trusted. A comment at each rule below proves it. The
soundness rests on `decide_carry`, `case`, `equate` and `extreme`, and on one lemma that is proved by hand, `montgomery`.
`telescope` only chooses what to try, which cannot make a proof wrong.

Terms
    atom        An atom is an integer unknown in lows[atom] .. highs[atom]. Its kind is "in" for an operand's limb or a
                multiplier, and "cut" for a carry or the upper half of a product, which cancel in a correct result.
    polynomial  This is {monomial: coefficient}, where a monomial is a sorted tuple of atoms, and a coefficient an int or
                a Fraction. It stands for an integer, never for a residue.
    word        A word is the contents of a register or a cell. Its `poly` equals it for all operands within the claim,
                and low <= word <= high. `near` is a second such polynomial, in terms of what registers held when
                `abbreviate` was last called. It is short where `poly` is long.
    fact        A fact (polynomial, bound) says that polynomial <= bound in the current case.
    case        A case is a copy of the world in which a carry is assumed to be 0, or 1. A claim holds if it holds in both.
    trial       The trial is one run on numbers, in which every atom and word has a `value`. Polynomials are evaluated on
                these values, so that a wrong rule is likely to be noticed, but nothing is concluded from them. If the
                trial's values do not belong to a case, it is `dead`: it is proved like the others, and the values are
                ignored.

How a machine uses it
    world = World(bits)                            bits of a word: 64, or 32 on a GPU
    p, inverse = world.any_modulus(limbs, least, greatest)    for every p of the range; or world.one_modulus(p)
    a = world.array("A", limbs, {1: 1, 0: -1})     an operand of limbs with these trial values, which is <= p - 1
    x = world.of_atom(a.limbs[0])                  its lowest word
    s, carry = world.add_carry(x, y, world.number(0))         s + 2^bits * carry = x + y + 0
    d, borrow = world.sub_borrow(x, y, borrow)                d - 2^bits * borrow = x - y - borrow
    low, high = world.multiply(x, y)               low + 2^bits * high = x * y
    m = world.quotient(t, inverse)                 m = t * inverse mod 2^bits, a multiplier of Montgomery's reduction
    z = world.nonzero(t)                           z = [t != 0]
    world.abbreviate(words)                        at a row's start, with all words that are still in use
    world.decide_carry(atom)                       where a carry is dropped: proves that it is always 0 (or 1)
    world.case_of(word)                            the atom that a condition depends on; a machine copies its state with
                                                   twin = world.copy() and twin.counterpart(each value), for 0 and for
                                                   1, and calls twin.case(atom, 0 or 1)
How a claim ends, with `whole(name)` for an operand as one unknown and `join(words)` for the integer that words make:
    world.require_equal(x, y), require_congruent(x, y) (mod p), require_below(x, y); they raise Reject without a proof.
"""
from collections import namedtuple
from fractions import Fraction
from math import prod


class Reject(Exception):
    """This is raised if there is no proof, because the routine, or the claim, may be wrong."""


class Unsound(Exception):
    """This is raised if the trial refutes what was proved, because a rule of the engine or of a machine is wrong."""


# ---- polynomials ----


def add(x, y, factor=1):
    """Return x + factor * y."""
    result = dict(x)
    for monomial, coefficient in y.items():
        _accumulate(result, monomial, coefficient * factor)
    return result


def _accumulate(result, monomial, coefficient):
    total = result.get(monomial, 0) + coefficient
    if total:
        result[monomial] = total if type(total) is int else plain(total)
    else:
        result.pop(monomial, None)


def plain(number):  # Return an integer as an int, with which Python computes faster than with a Fraction.
    return number.numerator if number.denominator == 1 else number


def scale(x, factor):
    return {monomial: plain(coefficient * factor) for monomial, coefficient in x.items()} if factor else {}


def mul(x, y):
    result = {}
    for m, c in x.items():
        for n, d in y.items():
            _accumulate(result, tuple(sorted(m + n)), c * d)
    return result


def const(c):
    return {(): c} if c else {}


def substitute(x, atom, value):
    """Return x with the polynomial `value` in place of an atom."""
    if not any(atom in monomial for monomial in x):
        return x
    result, powers = {}, [const(1)]
    for monomial, coefficient in x.items():
        degree = monomial.count(atom)
        if degree == 0:
            _accumulate(result, monomial, coefficient)
            continue
        while len(powers) <= degree:
            powers.append(mul(powers[-1], value))
        rest = tuple(a for a in monomial if a != atom)
        result = add(result, mul({rest: coefficient}, powers[degree]))
    return result


class Word:
    """`poly` and `near` are the word as polynomials (see the head of this file), low <= word <= high, and `value` is the
    word's value in the trial."""

    __slots__ = ("poly", "near", "low", "high", "value", "sizes")

    def __init__(self, poly, low, high, value, near=None):
        self.low, self.high, self.value = low, high, value
        self.set_forms(poly, poly if near is None else near)

    def set_forms(self, poly, near):
        self.poly, self.near, self.sizes = poly, near, [None, None]  # sizes: see telescope

    def form(self, near):
        return self.near if near else self.poly

    def constant(self):  # Return the word if it is known, else None.
        return self.low if self.low == self.high else None

    def key(self):  # Words with equal keys are equal, because their polynomials are.
        return frozenset(self.poly.items())


# A number has an atom for each limb, the least significant one first, and an atom for the whole. If `most` is not None, it is a
# polynomial in p, {degree: coefficient}, and whole <= most.
Array = namedtuple("Array", "limbs whole most")


class World:
    """A world has all that is known in one case, which are atoms, words and facts."""

    def __init__(self, bits=64):
        self.bits, self.base = bits, 1 << bits
        self.names, self.lows, self.highs, self.kinds, self.values, self.words = [], [], [], [], [], []
        self.index = {}  # {cut atom: numbers of the words whose poly or near has the atom alone in a monomial}
        self.arrays = {}
        self.p = None  # the atom of an unknown modulus
        self.p_range = None  # the least and the greatest modulus
        self.inverse_atom = self.p0 = None  # If p is unknown, these are -1/p mod base and the lowest limb of p.
        self.products = {}  # {keys of the factors: halves of the product}
        self.quotients = {}  # {multiplier's atom: (t, factor)}, where the atom is the low half of t * factor
        self.nonzeros = {}  # {key of t: [t != 0]}
        self.origin = {}  # {carry's atom: two forms of a polynomial}, where the carry is 1 iff the polynomial is >= base
        self.borrows = set()  # carries that are borrows, whose origin is base - 1 - difference
        self.facts = []
        self.dead = False

    def copy(self):
        twin = World(self.bits)
        twin.copies = {id(w): Word(w.poly, w.low, w.high, w.value, w.near) for w in self.words}
        for name in ("names", "lows", "highs", "kinds", "values", "facts", "origin", "borrows"):
            setattr(twin, name, type(getattr(self, name))(getattr(self, name)))
        twin.words = [twin.counterpart(w) for w in self.words]
        twin.index = {atom: list(numbers) for atom, numbers in self.index.items()}
        for name in ("arrays", "p", "p_range", "inverse_atom", "p0", "dead"):
            setattr(twin, name, getattr(self, name))
        for name in ("products", "quotients", "nonzeros"):
            setattr(twin, name, {key: twin.counterpart(value) for key, value in getattr(self, name).items()})
        return twin

    def counterpart(self, value):
        """Return the copy's word for a word of the original, which must still exist. Words in tuples are replaced, too, and
        other values are returned as they are."""
        if type(value) is tuple:
            return tuple(self.counterpart(v) for v in value)
        return self.copies.get(id(value), value)

    # ---- atoms and words ----

    def atom(self, name, low, high, kind, value):
        if not self.dead and not low <= value <= high:
            raise Unsound("%s: %d is not in its range" % (name, value))
        for column, entry in zip((self.names, self.lows, self.highs, self.kinds, self.values), (name, low, high, kind, value)):
            column.append(entry)
        return len(self.names) - 1

    def word(self, poly, low, high, value, near=None):
        w = Word(poly, low, high, value, near)
        self.words.append(w)
        for monomial in set(poly) | set(w.near):
            if len(monomial) == 1 and self.kinds[monomial[0]] == "cut":
                self.index.setdefault(monomial[0], []).append(len(self.words) - 1)
        self._check(w)
        return w

    def of_atom(self, atom):
        return self.word({(atom,): 1}, self.lows[atom], self.highs[atom], self.values[atom])

    def number(self, c):  # Return the word c.
        return Word(const(c), c, c, c)

    def unknown(self, name, value):  # Return a word of which nothing is known.
        return self.of_atom(self.atom(name, 0, self.base - 1, "in", value))

    def abbreviate(self, words):
        """Make for each word an atom that equals it. Near forms of later words are polynomials in these atoms."""
        for w in words:
            if len(w.near) > 1:
                w.set_forms(w.poly, {(self.atom("v", w.low, w.high, "in", w.value),): 1})

    def evaluate(self, poly):
        return sum(c * prod(self.values[a] for a in monomial) for monomial, c in poly.items())

    def _check(self, w):
        """Check that the word holds in the trial, so that wrong rules here or in the machines' files are noticed."""
        if not (self.dead or w.low <= w.value <= w.high and self.evaluate(w.poly) == self.evaluate(w.near) == w.value):
            raise Unsound("a word's polynomial disagrees with its value")

    def set_atom(self, atom, value, proved=False):
        """Replace the atom by the integer `value` everywhere. The caller must have proved or assumed that they are equal."""
        if proved and not self.dead and self.values[atom] != value:
            raise Unsound("%s is proved to be %d and is not" % (self.names[atom], value))
        known = const(value)
        self.lows[atom] = self.highs[atom] = value
        self.dead = self.dead or self.values[atom] != value
        for number in self.index.pop(atom, []):
            w = self.words[number]
            w.set_forms(substitute(w.poly, atom, known), substitute(w.near, atom, known))
            if set(w.poly) <= {()}:
                w.low = w.high = int(w.poly.get((), 0))
        self._substitute_everywhere(atom, known, known)

    def _substitute_everywhere(self, atom, value, near_value):
        self.origin.pop(atom, None)
        for a, (f, g) in self.origin.items():
            self.origin[a] = substitute(f, atom, value), substitute(g, atom, near_value)
        self.facts = [(substitute(f, atom, value), bound) for f, bound in self.facts]

    # ---- numbers in limbs ----

    def array(self, name, values, most=None):
        """Make an operand whose limbs have these values in the trial. If `most` is given, a polynomial in p, the operand is
        <= most."""
        count = len(values)
        highest = self.base ** count - 1
        if most:
            # `extreme` relies on `most` being >= 0 and growing with p, as it does if only its constant term is negative.
            if any(c < 0 for degree, c in most.items() if degree) or self._in_p(most, self.p_range[0]) < 0:
                raise ValueError("a bound that does not grow with p")
            highest = min(highest, self._in_p(most, self.p_range[1]))
        limbs = [self.atom("%s%d" % (name, i), 0, self.base - 1, "in", v) for i, v in enumerate(values)]
        self.highs[limbs[-1]] = min(self.base - 1, highest >> (self.bits * (count - 1)))
        total = sum(v << (self.bits * i) for i, v in enumerate(values))
        self.arrays[name] = Array(limbs, self.atom(name, 0, highest, "in", total), most)
        return self.arrays[name]

    def any_modulus(self, values, least, greatest):
        """Make an unknown p, which stands for every odd p of the range, and has these limbs in the trial. Return its array
        and the word -1/p mod base."""
        self.p_range = (least, greatest)
        array = self.array("P", values, {1: 1})
        self.p, self.p0, self.lows[array.whole] = array.whole, array.limbs[0], least
        self.inverse_atom = self.atom("inverse", 0, self.base - 1, "in", -pow(values[0], -1, self.base) % self.base)
        return array, self.of_atom(self.inverse_atom)

    def one_modulus(self, p):  # The modulus is p alone, whose limbs are numbers.
        self.p_range = (p, p)

    def whole(self, name):
        return {(self.arrays[name].whole,): 1}

    def join(self, words):
        """Return, as a polynomial, the integer whose limbs are these words, the least significant one first."""
        total = {}
        for i, w in enumerate(words):
            total = add(total, w.poly, 1 << (self.bits * i))
        return total

    def limbs_of(self, name):  # Return the number as a polynomial in its limbs, which is bounded by their ranges.
        return {(a,): 1 << (self.bits * i) for i, a in enumerate(self.arrays[name].limbs)}

    def fold(self, poly, array):
        """Return an equal polynomial in which the whole number replaces its limbs. Limb 0 is replaced by whole - (the other
        limbs with their weights), in each group of terms that have the same other atoms. If a limb is left in a group,
        that group stays as it was."""
        lowest, inside, groups = {(array.whole,): 1}, set(array.limbs), {}
        for i, limb in enumerate(array.limbs[1:], 1):
            lowest[(limb,)] = -(1 << (self.bits * i))
        for monomial, coefficient in poly.items():
            rest = tuple(a for a in monomial if a not in inside)
            groups.setdefault((rest, len(monomial) - len(rest)), {})[monomial] = coefficient
        result = {}
        for (_, degree), group in groups.items():
            folded = substitute(group, array.limbs[0], lowest) if degree and len(group) >= len(array.limbs) else group
            group = group if any(a in inside for monomial in folded for a in monomial) else folded
            for monomial, coefficient in group.items():
                _accumulate(result, monomial, coefficient)
        return result

    def fold_all(self, poly):
        for _ in range(2):
            for array in self.arrays.values():
                poly = self.fold(poly, array)
        return poly

    # ---- bounds ----

    @staticmethod
    def _in_p(poly, p):  # Return the value of {degree: coefficient} at p.
        return sum(c * p ** degree for degree, c in poly.items())

    def extreme(self, poly, upper):
        """Return an upper (lower) bound of poly.

        Each term is bounded by itself. If it has several atoms, they are >= 0, so that c * x * y is greatest at the greatest
        x and y if c > 0, and at the least ones otherwise. p remains p, and a number that is <= most(p) is replaced by the
        polynomial most, which is >= 0, so that the sum of the bounds is a polynomial f in p. f is split into the terms of
        degree >= 2 whose coefficients are negative (positive, for a lower bound), and the rest g. g is convex (concave) on
        p >= 0, so that its extreme is at an end of the range of p. The terms that were split off are greatest (least) at the
        least p."""
        whole_bounds = {array.whole: array.most for array in self.arrays.values() if array.most is not None}
        f = {}
        for monomial, c in poly.items():
            if len(monomial) > 1 and any(self.lows[a] < 0 for a in monomial):
                raise Reject("a product of signed unknowns has no bound here")
            at_most = (c > 0) == upper
            term = {0: c}
            for a in monomial:
                factor = {0: self.highs[a] if at_most else self.lows[a]}
                if a == self.p or at_most and a in whole_bounds:
                    factor = {1: 1} if a == self.p else whole_bounds[a]
                product = {}
                for d, x in term.items():
                    for e, y in factor.items():
                        _accumulate(product, d + e, x * y)
                term = product
            f = add(f, term)
        if set(f) <= {0}:
            return f.get(0, 0)
        split = {d: x for d, x in f.items() if d >= 2 and (x > 0) != upper}
        g = {d: x for d, x in f.items() if d not in split}
        return (max if upper else min)(self._in_p(g, p) for p in self.p_range) + self._in_p(split, self.p_range[0])

    def bound(self, poly, upper):
        """Return the better one of the bounds of poly in limbs and in whole numbers, which are equal polynomials."""
        folded = self.fold_all(poly)
        candidates = [self.extreme(poly, upper)] + ([self.extreme(folded, upper)] if folded != poly else [])
        return (min if upper else max)(candidates)

    def _cuts(self, poly):
        return [m[0] for m in poly if len(m) == 1 and self.kinds[m[0]] == "cut"]

    def telescope(self, poly, negative_too=False, near=False):
        """Return (v, least, most, k) such that k * poly = v - S and k > 0, where S is a sum of words times integers, and
        least <= S <= most.

        The bounds hold whichever words are added, because each word equals its polynomial (poly, or near) and its range is
        known. The choice of words only determines how good the bounds are. The unknowns that cancel are tried from the one
        with the largest coefficient on, and a word is added if this makes the sum of their coefficients smaller. Floating
        point is exact enough for this choice."""
        v, least, most, k = poly, 0, 0, 1
        for _ in range(1000):
            sizes, best = {a: float(v[(a,)] / k) for a in self._cuts(v)}, None
            for atom in sorted(sizes, key=lambda a: -abs(sizes[a])):
                if sizes[atom] < 0 and not negative_too:
                    continue
                for number in reversed(self.index.get(atom, ())):
                    w = self.words[number]
                    coefficient = w.form(near).get((atom,), 0)
                    if abs(coefficient) < self.base:
                        continue
                    factor, change = -sizes[atom] / float(coefficient), 0
                    for a, c in self._sizes(w, near):
                        change += abs(sizes.get(a, 0.0) + c * factor) - abs(sizes.get(a, 0.0))
                    if change < -1e-9 * abs(sizes[atom]) and (best is None or change < best[0]):
                        best = (change, atom, w)
                if best:
                    break
            if best is None:
                break
            _, atom, w = best
            # With f/n the atom cancels: n * k * poly = (n * v + f * w) - (n * S + f * w).
            ratio = -Fraction(v[(atom,)]) / w.form(near)[(atom,)]
            n, f = ratio.denominator, ratio.numerator
            v, k = add(scale(v, n), w.form(near), f), k * n
            ends = sorted((f * w.low, f * w.high))
            least, most = n * least + ends[0], n * most + ends[1]
        return v, least, most, k

    def _sizes(self, w, near):
        if w.sizes[near] is None:
            w.sizes[near] = [(a, float(w.form(near)[(a,)])) for a in self._cuts(w.form(near))]
        return w.sizes[near]

    # ---- carries and cases ----

    def decide_carry(self, atom):
        """Prove that a carry is always 0, or always 1, and return it. If neither can be proved, return None.

        The carry is 1 iff the integer n = origin is >= base. k*n = v - S with S in [least, most] (telescope), so that
        k*n <= upper(v) - least and k*n >= lower(v) - most. As n is an integer, n > base - 1 means n >= base."""
        if atom not in self.origin:
            return None
        for near, negative_too in ((True, False), (False, False), (True, True), (False, True)):
            v, least, most, k = self.telescope(self.origin[atom][near], negative_too, near)
            never, always = self.bound(v, True) - least < self.base * k, self.bound(v, False) - most > (self.base - 1) * k
            if never or always:
                self.set_atom(atom, int(always), proved=True)
                return int(always)
        return None

    def case_of(self, word):
        """Return the carry's atom, if the condition is an unknown carry or its complement. Refuse any other condition."""
        monomials = [m for m in word.poly if m]
        if word.constant() is not None or len(monomials) != 1 or len(monomials[0]) != 1:
            raise Reject("a condition that is not a carry")
        return monomials[0][0]

    def case(self, atom, value):
        """Assume that a carry is 0, or that it is 1. The caller must prove its claim in both cases.

        Let n = origin and k*n = v - S, where S is in [least, most]. If the carry is 0, then n <= base - 1, so that
        v <= k*(base - 1) + most. If it is 1, then n >= base, so that -v <= -k*base - least. Both are facts. For a borrow,
        n = base - 1 - d with the difference d, where d < 0 if the borrow is 1, and d >= 0 if it is 0. `_negative_difference`
        and `_no_borrow` use that."""
        if atom not in self.origin:  # The atom is [t != 0].
            self.set_atom(atom, value)
            return
        poly, near = self.origin[atom]
        v, least, most, k = self.telescope(poly, True)
        self.facts.append((v, k * (self.base - 1) + most) if value == 0 else (scale(v, -1), -k * self.base - least))
        self.set_atom(atom, value)
        difference, near_difference = (add(const(self.base - 1), f, -1) for f in (poly, near))
        if atom in self.borrows and value == 1:
            self._negative_difference(difference)
        elif atom in self.borrows:
            self._no_borrow(difference, near_difference)

    def _negative_difference(self, difference):
        """Use that an integer d is below 0. If the least value of d is -1, then d = -1, and each of its terms has its least
        value. This is used only if each term is a multiple of a single atom other than p, whose range does not depend on p,
        because each term must be able to take its least value whatever the others are."""
        tied = {self.p} | {array.whole for array in self.arrays.values()}
        if any(len(m) > 1 or m and m[0] in tied for m in difference) or self.extreme(difference, False) != -1:
            return
        for m, c in difference.items():
            if m:
                least = self.lows[m[0]] if c > 0 else self.highs[m[0]]
                self.set_atom(m[0], least, proved=True)

    def _no_borrow(self, difference, near_difference):
        """Use that d >= 0. With k*d = v - S, this gives the fact -v <= -least. If k*d <= upper(v) - least < k, the integer d
        is 0."""
        v, least, _, k = self.telescope(difference, True)
        self.facts.append((scale(v, -1), -least))
        if self.bound(v, True) - least < k:
            self.equate(difference, near_difference)

    def equate(self, poly, near):
        """Use that poly = near = 0. If poly = c * x + rest for an atom x and c = 1 or -1, then x = -c * rest, and x is
        replaced everywhere. In near forms it is replaced by what follows from near = 0. Ranges of words remain valid,
        because they do not depend on x."""
        for monomial, c in poly.items():
            if len(monomial) != 1 or self.kinds[monomial[0]] != "cut" or abs(c) != 1 or monomial not in near:
                continue
            atom = monomial[0]
            value = scale(add(poly, {monomial: c}, -1), -c)
            near_value = scale(add(near, {monomial: near[monomial]}, -1), Fraction(-1) / near[monomial])
            for number in self.index.pop(atom, []):
                w = self.words[number]
                w.set_forms(substitute(w.poly, atom, value), substitute(w.near, atom, near_value))
                for other in self._cuts(value) + self._cuts(near_value):
                    if number not in self.index.setdefault(other, []):
                        self.index[other].append(number)
            self._substitute_everywhere(atom, value, near_value)
            return

    # ---- what claims end with ----

    def infeasible(self):
        """Return whether a fact cannot hold, because its polynomial is always above its bound. Then no operands lead to this
        case, and nothing needs a proof."""
        self._check_facts()
        return any(self.bound(f, False) > bound for f, bound in self.facts)

    def require_equal(self, x, y):
        if self.fold_all(add(x, y, -1)):
            raise Reject("not equal as integers")

    def require_congruent(self, x, y):
        """Check that x = y (mod p): each term of x - y must be an integer multiple of p for all values of the unknowns."""
        for monomial, c in self.fold_all(add(x, y, -1)).items():
            multiple = self.p in monomial if self.p is not None else c % self.p_range[0] == 0
            if not multiple or c != int(c):
                raise Reject("not the same modulo p: %s is left" % " ".join(self.names[a] for a in monomial))

    def require_below(self, x, y):
        """Check that x < y. It follows if upper(x - y) < 0. It also follows if there are a fact f <= k and a factor > 0 such
        that upper(d - factor * f) + factor * k < 0 for d = x - y, because d = (d - factor * f) + factor * f."""
        self._check_facts()
        difference = add(x, y, -1)
        if self.bound(difference, True) < 0:
            return
        for f, k in self.facts:
            for m in sorted((m for m in f if m in difference), key=len, reverse=True)[:3]:
                factor = Fraction(difference[m]) / f[m]
                if factor > 0 and self.bound(add(difference, f, -factor), True) + factor * k < 0:
                    return
        raise Reject("not proved to be below its bound")

    def _check_facts(self):
        if not self.dead and any(self.evaluate(f) > bound for f, bound in self.facts):
            raise Unsound("a fact does not hold in the trial")

    # ---- the machine's arithmetic ----

    def _need_words(self, x, y, carry=None):
        if any(w.low < 0 or w.high >= self.base for w in (x, y)) or carry and not 0 <= carry.low <= carry.high <= 1:
            raise Reject("an operand that is not known to be a word, or a carry that is not 0 or 1")

    def add_carry(self, x, y, carry):
        """Return (sum, carry out) such that x + y + carry = sum + base * carry out. As x and y are words, the left side is
        below 2 * base."""
        self._need_words(x, y, carry)
        poly, near = (add(add(x.form(k), y.form(k)), carry.form(k)) for k in (False, True))
        low, high = x.low + y.low + carry.low, x.high + y.high + carry.high
        value = x.value + y.value + carry.value
        if high < self.base:
            return self.word(poly, low, high, value, near), self.number(0)
        if poly and all(c % self.base == 0 for c in poly.values()):
            # Atoms are integers, so that this is a multiple of the base: 0 or the base. The sum is 0.
            return self.number(0), self.word(scale(poly, Fraction(1, self.base)), 0, 1, value >> self.bits)
        c = self.atom("c", 0, 1, "cut", value >> self.bits)
        self.origin[c] = (poly, near)
        minus = {(c,): -self.base}
        total = self.word(add(poly, minus), 0, self.base - 1, value % self.base, add(near, minus))
        return total, self.of_atom(c)

    def sub_borrow(self, x, y, borrow):
        """Return (difference, borrow out) such that x - y - borrow = difference - base * borrow out. The left side is
        >= -base."""
        self._need_words(x, y, borrow)
        poly, near = (add(add(x.form(k), y.form(k), -1), borrow.form(k), -1) for k in (False, True))
        low, high = x.low - y.high - borrow.high, x.high - y.low - borrow.low
        value = x.value - y.value - borrow.value
        if low >= 0:
            return self.word(poly, low, high, value, near), self.number(0)
        b = self.atom("b", 0, 1, "cut", 1 if value < 0 else 0)
        self.borrows.add(b)
        self.origin[b] = tuple(add(const(self.base - 1), f, -1) for f in (poly, near))  # The origin is >= base iff poly < 0.
        plus = {(b,): self.base}
        difference = self.word(add(poly, plus), 0, self.base - 1, value % self.base, add(near, plus))
        return difference, self.of_atom(b)

    def multiply(self, x, y):
        """Return (low, high) such that x * y = low + base * high. If the factors' keys were multiplied before, return the
        same words again."""
        key = frozenset([x.key(), y.key()])
        if key in self.products:
            return self.products[key]
        self._need_words(x, y)
        poly, near = mul(x.poly, y.poly), mul(x.near, y.near)
        value, greatest = x.value * y.value, x.high * y.high
        if greatest < self.base:
            pair = self.word(poly, 0, greatest, value, near), self.number(0)
        else:
            forms = self.montgomery(x, y) or self.montgomery(y, x)
            if forms is None:
                high = self.of_atom(self.atom("h", 0, greatest >> self.bits, "cut", value >> self.bits))
            else:
                high = self.word(forms[0], 0, greatest >> self.bits, value >> self.bits, forms[1])
            low_poly, low_near = (add(f, high.form(k), -self.base) for k, f in ((False, poly), (True, near)))
            pair = self.word(low_poly, 0, self.base - 1, value % self.base, low_near), high
        self.products[key] = pair
        return pair

    def quotient(self, t, factor):
        """Return the low half of t * factor as a new unknown, and note t and factor for `montgomery`."""
        self._need_words(t, factor)
        m = self.atom("m", 0, self.base - 1, "in", t.value * factor.value % self.base)
        self.quotients[m] = (t, factor)
        return self.of_atom(m)

    def may_be_inverse(self, factor):
        """Return whether a multiplication by this word should be done by `quotient`. A wrong answer cannot make a proof wrong,
        but may prevent one."""
        if self.inverse_atom is not None:
            return factor.poly == {(self.inverse_atom,): 1}
        modulus = self.p_range[0] if self.p_range else 0
        return factor.constant() is not None and (factor.constant() * modulus + 1) % self.base == 0

    def _is_inverse(self, factor, p0):
        """Return whether p0 * factor = -1 (mod base) is known, for two numbers or for the unknown p's inverse and lowest
        limb."""
        if factor.constant() is not None and p0.constant() is not None:
            return (factor.constant() * p0.constant() + 1) % self.base == 0
        unknown = self.inverse_atom is not None
        return unknown and factor.poly == {(self.inverse_atom,): 1} and p0.poly == {(self.p0,): 1}

    def nonzero(self, t):
        """Return the word [t != 0], which is 1 if t is not 0, and else 0."""
        key = t.key()
        if key not in self.nonzeros:
            self.nonzeros[key] = self.of_atom(self.atom("z", 0, 1, "cut", 1 if t.value else 0))
        return self.nonzeros[key]

    def montgomery(self, m, p0):
        """If m = t * inverse mod base, return the two forms of the upper half of m * p0. Otherwise return None.

        The forms follow from a lemma. Let low = m * p0 mod base. As p0 * inverse = -1 (mod base),
        t + low = t + t * inverse * p0 = 0 (mod base). As 0 <= t + low < 2 * base, t + low is 0 or base. If t = 0, then
        m = 0 and low = 0, so that t + low = 0. If t > 0, then t + low > 0, so that t + low = base. In both cases
        t + low = base * [t != 0], and the upper half is (m * p0 - low) / base = (m * p0 + t) / base - [t != 0]."""
        atom = next((monomial[0] for monomial in m.poly if len(monomial) == 1), None)
        t, factor = self.quotients.get(atom, (None, None))
        if t is None or m.poly != {(atom,): 1} or not self._is_inverse(factor, p0):
            return None
        z = self.nonzero(t).poly
        return [add(scale(add(mul(m.poly, p0.poly), t.form(k)), Fraction(1, self.base)), z, -1) for k in (False, True)]
