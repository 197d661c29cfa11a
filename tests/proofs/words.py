# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the domain of limbs for c_source.py. A uint64_t is a word of algebra.py, and the functions of limbs.h are
leaves.

limb_add_carry, limb_sub_borrow and limb_multiply_add do what claims/limbs.py proves of them. For a mask 0 - bit both values of
the bit are followed, and each implies something about the number from which the bit comes.
"""
from algebra import Reject, World, add
from c_source import Impossible

FULL = (1 << 64) - 1


class Words:
    def __init__(self):
        self.world, self.run = World(64), None
        self.row, self.reduces = 0, False  # the first word of a row of products, and whether the row is one of the reduction

    def word(self, x):
        return self.world.number(x % (1 << 64)) if isinstance(x, int) else x

    @staticmethod
    def value(word):
        """Return a word, or an int if it is known."""
        return word if word.constant() is None else word.constant()

    def fix(self, x):
        """Return as a number a word that is a carry or the sum of two. The value of each carry is asked."""
        x = self.word(x)
        while x.constant() is None:
            atoms = [m[0] for m in x.poly if len(m) == 1]
            if x.low < 0 or x.high > 2 or len(atoms) != len([m for m in x.poly if m]):
                raise Reject("a mask that is not from a bit")
            self.world.case(atoms[0], self.run.ask())
            if self.world.infeasible():
                raise Impossible
            if set(x.poly) <= {()}:
                return int(x.poly.get((), 0))
        return x.constant()

    def is_multiplier(self, x):
        return any(x.poly == {(m,): 1} for m in self.world.quotients)

    def decide(self, carry):
        """If it can be proved that a carry is always 0, or always 1, replace it by that number."""
        for m in list(carry.poly):
            if len(m) == 1:
                self.world.decide_carry(m[0])

    def binary(self, op, x, y, type_):
        w = self.world
        if type_.bits != 64 or type_.signed:
            raise Reject("no uint64_t")
        if op == "-" and isinstance(x, int) and x == 0:
            return -self.fix(y) % (1 << 64)
        if op == "+":
            total, carry = w.add_carry(self.word(x), self.word(y), w.number(0))
            self.decide(carry)
            return self.value(total)
        if op == "*":
            x, y = (self.word(y), self.word(x)) if isinstance(x, int) else (self.word(x), self.word(y))
            return self.value(w.quotient(x, y) if w.may_be_inverse(y) else w.multiply(x, y)[0])
        if op == "^" and isinstance(y, int) and y == FULL:
            return self.fix(x) ^ FULL
        if op in "&|":
            x, y = (y, x) if isinstance(x, int) else (x, y)
            if not isinstance(y, int):
                raise Reject("bits of two unknown words")
            if y in (0, FULL):
                return (x if y else 0) if op == "&" else (FULL if y else x)
            if op == "&" and x.low >= 0 and x.high <= 1:
                return self.fix(x) & y
        raise Reject("an operator that is not known for words")

    def convert(self, x, from_, to):
        if to.bits != 64 or to.signed:
            raise Reject("a word as another type")
        return x

    def compare(self, run, op, x, y):
        raise Reject("a comparison of unknown words")

    known = compare


def carry_leaf(name):
    def leaf(run, x, y, carry):
        d = run.domain
        operation = d.world.add_carry if name == "limb_add_carry" else d.world.sub_borrow
        total, out = operation(d.word(x), d.word(y), d.word(carry.target().value))
        if name == "limb_add_carry":
            d.decide(out)
        carry.target().value = d.value(out)
        return d.value(total)
    return leaf


def multiply_add(run, x, y, z, carry):
    """Return the result of x * y + z + *carry = result + 2^64 * new *carry. The new carry is a word, because
    (2^64 - 1)^2 + 2 * (2^64 - 1) < 2^128."""
    d = run.domain
    w, x, y, z = d.world, d.word(x), d.word(y), d.word(z)
    before = d.word(carry.target().value)
    if d.reduces and not d.is_multiplier(x):  # The next row begins.
        w.abbreviate(w.words[d.row:])
        d.row = len(w.words)
    d.reduces = d.is_multiplier(x)
    low, high = w.multiply(x, y)
    low, first = w.add_carry(low, z, w.number(0))
    low, second = w.add_carry(low, before, w.number(0))
    poly, near = (add(add(high.form(k), first.form(k)), second.form(k)) for k in (False, True))
    most = (x.high * y.high + z.high + before.high) >> 64
    carry.target().value = d.value(w.word(poly, 0, most, high.value + first.value + second.value, near))
    return d.value(low)


LEAVES = {
    "limb_add_carry": carry_leaf("limb_add_carry"),
    "limb_sub_borrow": carry_leaf("limb_sub_borrow"),
    "limb_multiply_add": multiply_add,
}
