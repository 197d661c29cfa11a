# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests the engine's rules on words of few bits, where all operands can be tried.

A program of random steps is run once for each choice of the operands. As nothing is concluded from the trial's numbers, the
engine concludes the same each time, and this must hold for all choices. The engine raises Unsound if a conclusion is wrong in
the trial. Bounds and comparisons are checked here."""
import itertools
import pathlib
import random
import types

import pytest

import algebra
from algebra import add, const, scale

BITS = 3


def steps(rng, count):
    """Draw the steps of a program. Their numbers choose among the words or carries that exist at that step."""
    kinds = ["add", "add", "subtract", "subtract", "multiply", "quotient", "multiple", "decide", "decide", "case", "abbreviate",
             "nonzero", "compare", "compare"]
    return [(rng.choice(kinds), *(rng.randrange(1000) for _ in range(4))) for _ in range(count)]


class Run:
    """This is the program with one choice of operands, for every odd p of two limbs up to `greatest`, or for one p."""

    def __init__(self, engine, p, operand, known_p, greatest):
        self.engine, self.world = engine, engine.World(BITS)
        world = self.world
        limbs = [p & 7, p >> BITS]
        if known_p:
            world.one_modulus(p)
            self.inverse, self.p0 = world.number(-pow(p, -1, 8) % 8), world.number(p & 7)
            words = [world.number(limb) for limb in limbs]
        else:
            array, self.inverse = world.any_modulus(limbs, 3, greatest)
            words = [world.of_atom(limb) for limb in array.limbs]
            self.p0 = words[0]
        a = world.array("A", [operand & 7, operand >> BITS], {1: 1, 0: -1})
        self.words = words + [world.of_atom(limb) for limb in a.limbs] + [world.number(0), world.number(7)]
        self.bits, self.multipliers, self.log = [world.number(0), world.number(1)], [], []

    def step(self, kind, i, j, k, choice):
        world = self.world
        # The numbers are from 0 to 999. Their square makes recent words more likely, and a tenth of the words are 0 or bits.
        pick = lambda words, n: words[-1 - n * n * len(words) // 1000000]
        any_word = lambda n: pick([*self.bits, world.number(0), world.number(0)], n * 10) if n < 100 else pick(self.words, n)
        x, y, bit = any_word(i), any_word(j), pick(self.bits, k)
        if kind in ("add", "subtract"):
            total, out = (world.add_carry if kind == "add" else world.sub_borrow)(x, y, bit)
            self.words.append(total)
            self.bits.append(out)
        elif kind == "multiply":
            self.words.extend(world.multiply(x, y))
        elif kind == "quotient":
            self.multipliers.append(world.quotient(x, self.inverse))
        elif kind == "multiple" and self.multipliers:
            self.words.extend(world.multiply(pick(self.multipliers, i), self.p0))
        elif kind == "nonzero":
            self.bits.append(world.nonzero(x))
        elif kind == "abbreviate":
            world.abbreviate(self.words + self.bits)
        elif kind == "decide" and bit.constant() is None:
            for monomial in list(bit.poly):
                if len(monomial) == 1:
                    self.log.append(world.decide_carry(monomial[0]))
        elif kind == "case" and bit.constant() is None and len([m for m in bit.poly if m]) == 1:
            world.case(world.case_of(bit), choice % 2)
        elif kind == "compare":
            combination = add(scale(x.poly, 1 + i % 9), scale(y.poly, 1 + j % 3), -1)
            self.compare(combination, const(k % 40 - 8))

    def compare(self, left, right):
        """Check in the trial the conclusions on left < right, and on the bounds of their difference."""
        world = self.world
        for upper in (True, False):
            bound, value = world.bound(left, upper), world.evaluate(left)
            assert world.dead or (value <= bound if upper else value >= bound)
        v, least, most, factor = world.telescope(left, True)
        assert world.dead or least <= world.evaluate(v) - factor * world.evaluate(left) <= most
        try:
            world.require_below(left, right)
        except self.engine.Reject:
            self.log.append(False)
            return
        assert world.dead or world.evaluate(left) < world.evaluate(right)
        self.log.append(True)


def run(engine, program, p, operand, known_p, greatest):
    machine = Run(engine, p, operand, known_p, greatest)
    for step in program:
        try:
            machine.step(*step)
        except engine.Reject:
            machine.log.append("reject")
    return machine.log


def check_programs(engine, seeds, known_p):
    for rng in map(random.Random, seeds):
        program, greatest = steps(rng, 25), rng.choice([15, 31, 63])
        primes = range(3, greatest + 1, 2) if not known_p else [rng.randrange(9, greatest, 2)]
        choices = [(p, a) for p in primes for a in range(p)]
        logs = [run(engine, program, p, a, known_p, greatest) for p, a in rng.sample(choices, min(5, len(choices)))]
        assert all(log == logs[0] for log in logs), "a conclusion depends on the trial"


@pytest.mark.parametrize("known_p", [False, True], ids=["any_p", "one_p"])
def test_conclusions_hold_for_all_operands(known_p):
    check_programs(algebra, range(40), known_p)  # A long run uses 300.


BREAKAGES = {  # {what: (a seed that shows it, what the engine has, what replaces it)}
    "decide_carry with the other end of the sum": (1, "self.bound(v, True) - least < self.base * k", "self.bound(v, True) - most < self.base * k"),
    "decide_carry a number too early": (5, "most > (self.base - 1) * k", "most > (self.base - 2) * k"),
    "case with a fact that is too strong by one": (89, "(v, k * (self.base - 1) + most)", "(v, k * (self.base - 2) + most)"),
    "case with the wrong end": (5, "-k * self.base - least))", "-k * self.base - most))"),
    "equate with the wrong sign": (173, "value = scale(add(poly, {monomial: c}, -1), -c)", "value = scale(add(poly, {monomial: c}, -1), c)"),
    "equate of what may be above 0": (131, "self.bound(v, True) - least < k:", "self.bound(v, True) - least < 2 * k:"),
    "extreme with the wrong ends": (0, "self.highs[a] if at_most else self.lows[a]", "self.lows[a] if at_most else self.highs[a]"),
    "extreme at one end of p's range": (None, "(self._in_p(g, p) for p in self.p_range)", "(self._in_p(g, p) for p in self.p_range[:1])"),
    "telescope with a word's ends exchanged": (0, "least, most = n * least + ends[0]", "least, most = n * least + ends[1]"),
    "Montgomery's lemma without [t != 0]": (1, "z = self.nonzero(t).poly", "z = {}"),
}


@pytest.mark.parametrize("seed, old, new", BREAKAGES.values(), ids=BREAKAGES)
def test_an_unsound_engine_is_noticed(seed, old, new):
    text, engine = pathlib.Path(algebra.__file__).read_text(), types.ModuleType("algebra")
    assert old in text
    exec(compile(text.replace(old, new, 1), "algebra.py", "exec"), engine.__dict__)  # pylint: disable=exec-used
    with pytest.raises((AssertionError, engine.Unsound)):
        check_extremes(engine) if seed is None else check_programs(engine, [seed], False)


def test_montgomery_lemma():
    """Check the lemma for all t and p0, and for the multiplier of each."""
    base = 1 << BITS
    for t, p0 in itertools.product(range(base), range(1, base, 2)):
        m = t * -pow(p0, -1, base) % base
        assert m * p0 >> BITS == (m * p0 + t) // base - (t != 0) and (m * p0 + t) % base == 0


def test_extremes():
    check_extremes(algebra)


def check_extremes(engine):
    """Check the bounds of polynomials in p, in a number below p and in a word, for all their values."""
    rng = random.Random(9)
    for _ in range(150):
        world = engine.World(BITS)
        world.any_modulus([5, 0], 3, 21)
        a = world.array("A", [0, 0], {1: 1, 0: -1})
        word = world.atom("w", 1, 5, "in", 2)
        atoms = [world.p, a.whole, word]
        poly = {tuple(sorted(rng.choices(atoms, k=rng.randrange(4)))): rng.randrange(-60, 61) or 1 for _ in range(5)}
        values = []
        for p, w in itertools.product(range(3, 22, 2), (1, 5)):
            for number in {0, p // 2, p - 1}:
                at = {world.p: p, a.whole: number, word: w}
                total = 0
                for monomial, c in poly.items():
                    for atom in monomial:
                        c *= at[atom]
                    total += c
                values.append(total)
        assert world.extreme(poly, False) <= min(values) and max(values) <= world.extreme(poly, True)
