# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has claims about a routine on limbs. The engine proves them, for any processor."""
from dataclasses import dataclass, replace

from algebra import Reject, World, add, mul, scale
from machines import aarch64, x86_64
from machines.machine import MODULUS, RESULT

BITS = 64
BELOW_P = {1: 1, 0: -1}  # the bound <= p - 1 as a polynomial in p


@dataclass(frozen=True)
class Claim:
    """A claim holds for every odd p >= 3 with `share` * p < R, where R = 2^(64 * limbs), or for the one `modulus`, and for all
    operands within their bounds. Let V be the sum of the `terms`, which are products of operands with a sign. Then:

    kind "montgomery"  the result times R is V mod p, and the result is below `below` * p
    kind "residue"     the result is V mod p, and below `below` * p
    kind "integer"     the result, with what the routine returns above it, is V

    An operand is (name, limbs, bound). It is at most the bound, which is a polynomial in p, or if the bound is None, it may be
    any number of so many limbs. The arguments are the result, the operands in this order, and p and -1/p mod 2^64 if the
    routine has such arguments."""

    routine: str
    text: str
    limbs: int
    kind: str
    operands: tuple
    terms: tuple
    result_limbs: int
    share: int = 0
    below: int = 1
    may_alias: bool = True
    accumulates: bool = False  # the result is an operand as well, and a carry is returned
    modulus: int = 0

    def but(self, **changes):
        return replace(self, **changes)

    @property
    def radix(self):
        return 1 << (BITS * self.limbs)

    def greatest_modulus(self):
        return (self.radix - 1) // self.share

    def trial(self, rng):
        """Draw numbers within the bounds. The greatest and the least ones are drawn often."""
        p = self.modulus
        if self.share:
            most = self.greatest_modulus() - (self.greatest_modulus() + 1) % 2
            p = rng.choice([most, most, rng.randrange(most // 2, most) | 1, rng.randrange(3, most) | 1])
        numbers = {MODULUS: p} if p else {}
        for name, limbs, bound in self.operands:
            most = (1 << (BITS * limbs)) - 1 if bound is None else sum(c * p ** d for d, c in bound.items())
            numbers[name] = rng.choice([most, 0, 1, rng.randrange(most + 1), rng.randrange(most + 1)])
        if self.accumulates:
            numbers[RESULT] = rng.choice([(1 << (BITS * self.result_limbs)) - 1, rng.randrange(1 << (BITS * self.result_limbs))])
        return numbers

    def is_met(self, numbers, result, returned):
        """Return whether a result on a processor meets the claim. This does not use the engine."""
        value = numbers.get(RESULT, 0)
        for sign, *factors in self.terms:
            product = sign
            for name in factors:
                product *= numbers[name]
            value += product
        if self.kind == "integer":
            return result + ((returned << (BITS * self.result_limbs)) if self.accumulates else 0) == value
        p = numbers[MODULUS]
        times = self.radix if self.kind == "montgomery" else 1
        return (result * times - value) % p == 0 and result < self.below * p

    def enter(self, world, rng):
        """Give the world p and the operands, with trial values. If p is unknown, return the word -1/p."""
        numbers, inverse = self.trial(rng), None
        limbs = lambda name, count: [numbers[name] >> (world.bits * i) & (world.base - 1) for i in range(count)]
        if self.share:
            _, inverse = world.any_modulus(limbs(MODULUS, self.limbs), 3, self.greatest_modulus())
        elif self.modulus:
            world.one_modulus(self.modulus)
        for name, count, bound in self.operands:
            if self.modulus:  # this avoids a word that is always 0
                count = -(-sum(c * self.modulus ** d for d, c in bound.items()).bit_length() // world.bits)
            world.array(name, limbs(name, count), bound)
        if self.accumulates:
            world.array(RESULT, limbs(RESULT, self.result_limbs))
        return inverse

    def conclude(self, world, words):
        """Prove the claim for the words of the result, in one case."""
        result = world.join(words)
        value = world.whole(RESULT) if self.accumulates else {}
        for sign, *factors in self.terms:
            product = {(): sign}
            for name in factors:
                product = mul(product, world.whole(name))
            value = add(value, product)
        if self.kind == "integer":
            world.require_equal(result, value)
            return
        world.require_congruent(scale(result, self.radix if self.kind == "montgomery" else 1), value)
        p = world.limbs_of(MODULUS) if self.share else {(): self.modulus}
        world.require_below(result, scale(p, self.below))


class Architecture:
    def __init__(self, name, prefix, module, state, machine, inverse_behind_p):
        self.name, self.prefix, self.module, self.state, self.machine = name, prefix, module, state, machine
        self.inverse_behind_p = inverse_behind_p


X86_64 = Architecture("x86_64", "sumac_x86_64_", x86_64, x86_64.X86State, x86_64.X86, False)
AARCH64 = Architecture("aarch64", "sumac_aarch64_", aarch64, aarch64.Aarch64State, aarch64.Aarch64, True)


def start(claim, architecture, rng):
    """Return the state in which the routine is called."""
    world = World(BITS)
    state = architecture.state(world)
    state.result_limbs, state.may_alias = claim.result_limbs, claim.may_alias
    inverse = claim.enter(world, rng)
    arguments = [(RESULT, 0)] + [(name, 0) for name, _, _ in claim.operands]
    if claim.share:
        arguments.append((MODULUS, 0))
        if claim.kind == "montgomery" and architecture.inverse_behind_p:
            state.memory[(MODULUS, 8 * claim.limbs)] = inverse
        elif claim.kind == "montgomery":
            arguments.append(inverse)
    for name, array in world.arrays.items():
        for i, limb in enumerate(array.limbs):
            state.memory[(name, 8 * i)] = world.of_atom(limb)
    architecture.module.enter(state, arguments)
    return state


def conclude(claim, state, returned):
    """Prove the claim in one case. `state` is the state in which the routine returns."""
    cells = [(RESULT, 8 * i) for i in range(claim.result_limbs)]
    if state.stored != set(cells):
        raise Reject("not all limbs of the result are stored")
    words = [state.memory[cell] for cell in cells] + ([returned] if claim.accumulates else [])
    if any(word is None or isinstance(word, tuple) for word in words):
        raise Reject("a limb of the result is no number")
    claim.conclude(state.world, words)


def prove(claim, code, architecture, rng, constants=None):
    """Raise Reject unless the claim holds for the code. Return the number of cases."""
    state = start(claim, architecture, rng)
    state.constants = constants
    ends = architecture.machine(code).run(state)
    for end in ends:
        conclude(claim, end, architecture.module.leave(end))
    return len(ends)
