# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the domain of formulas for c_source.py, in which elements of a ring are polynomials.

An element of Fp (or of Fp2 or Fp6, if a claim uses one of these as the ring) is a polynomial with rational coefficients over
unknowns, which is algebra.py's {monomial: coefficient}. The ring's functions are leaves: other claims prove their meaning, for
example r = a + b. A polynomial that is 0 is 0 in the field for every operand, because its denominators are powers of 2, which p
does not divide. If C asks whether an element is 0, both answers are followed.
"""
import itertools
from fractions import Fraction

from algebra import Reject, add, const, mul, scale
from c_source import Cell, Run, Structure, address, every_way

ATOMS = {}


def atom(name):
    """Return an unknown, by its name."""
    return {(ATOMS.setdefault(name, len(ATOMS)),): 1}


def product(*factors):
    result = const(1)
    for x in factors:
        result = mul(result, x)
    return result


def total(*terms):
    result = {}
    for x in terms:
        result = add(result, x)
    return result


def power(x, n):
    return product(*[x] * n)


def neg(x):
    return scale(x, -1)


def sub(x, y):
    return add(x, y, -1)


def reduce(poly, rules):
    """Return poly modulo the rules, which are pairs of a monomial and the polynomial that it equals."""
    while True:
        for monomial, value in rules:
            hit = next((m for m in poly if all(m.count(a) >= monomial.count(a) for a in set(monomial))), None)
            if hit is not None:
                rest = list(hit)
                for a in monomial:
                    rest.remove(a)
                poly = add(sub(poly, {hit: poly[hit]}), mul({tuple(rest): poly[hit]}, value))
                break
        else:
            return poly


def require_same(x, y, what, rules=()):
    difference = reduce(sub(x, y), rules)
    if difference:
        raise Reject("%s is not what is claimed" % what)


class Elements:
    """This is the domain for c_source.py. As elements are not integers, every operation but leaves is refused."""

    def constant(self, run, init, scope):
        raise Reject("a constant of the field that no override names")

    def binary(self, op, x, y, type_):
        raise Reject("an element in integer arithmetic")

    def convert(self, x, from_, to):
        raise Reject("an element as an integer")

    compare = known = binary


def is_zero(run, poly):
    """Return whether an element is 0. This is known for constants and for elements that were asked about before. Otherwise it
    is a question."""
    if set(poly) <= {()}:
        return int(not poly)
    facts = run.__dict__.setdefault("facts", [])
    for known, answer in facts:
        if known in (poly, neg(poly)):
            return answer
    answer = run.ask()
    facts.append((poly, answer))
    return answer


def fact(run, poly):
    """Return the answer on this way to the question whether poly is 0, or None if it was not asked."""
    if set(poly) <= {()}:
        return int(not poly)
    return next((answer for known, answer in run.__dict__.get("facts", []) if known in (poly, neg(poly))), None)


def value_of(place):
    return place.target().value if not isinstance(place, Cell) else place.value


def set_to(function, with_run=False):
    """Return a leaf that sets its first operand to a function of the others, and with `with_run` also of the run."""
    def leaf(run, r, *operands):
        values = [x if isinstance(x, int) else value_of(x) for x in operands]
        if any(x is None for x in values):
            raise Reject("reads what was not set")
        result = function(run, *values) if with_run else function(*values)
        r.target().value = result
    return leaf


def ring_leaves(prefix, more=()):
    """Return {name: leaf} for the functions of a ring whose names begin with prefix, and for those in `more`, which has full
    names."""
    def inverse(run, x):
        """Return an unknown i with i * x = 1, and note it in run.inverses."""
        i = atom("inverse%d" % len(run.__dict__.setdefault("inverses", [])))
        run.inverses.append((i, x))
        return i

    functions = {
        "add": lambda run, x, y: add(x, y),
        "sub": lambda run, x, y: sub(x, y),
        "neg": lambda run, x: neg(x),
        "double": lambda run, x: scale(x, 2),
        "mul": lambda run, x, y: mul(x, y),
        "sqr": lambda run, x: mul(x, x),
        "halve": lambda run, x: scale(x, Fraction(1, 2)),
        "mul_small": lambda run, x, factor: scale(x, factor),
        "mul_pair": lambda run, a, b, c, d: add(mul(a, b), mul(c, d)),
        "mul_pair_limbs": lambda run, a, b, c, d: add(mul(a, b), mul(c, d)),
        "set_zero": lambda run: {},
        "set_one": lambda run: const(1),
        "inv": inverse,
    }
    leaves = {"%s_%s" % (prefix, name): set_to(f, True) for name, f in functions.items()}
    leaves.update((name, set_to(f, True)) for name, f in dict(more).items())
    leaves[prefix + "_is_zero"] = lambda run, x: is_zero(run, value_of(x))
    leaves[prefix + "_eq"] = lambda run, x, y: is_zero(run, sub(value_of(x), value_of(y)))
    return leaves


def cells(thing):
    """Return the elements of an object, in the order of its fields."""
    if isinstance(thing, Cell):
        return [thing]
    return [c for x in (thing.values() if isinstance(thing, Structure) else thing) for c in cells(x)]


def fill(thing, values):
    for cell, value in itertools.zip_longest(cells(thing), values):
        cell.value = value
    return thing


def unknown(thing, prefix):
    """Set every element of an object to its own unknown."""
    return fill(thing, [atom("%s%d" % (prefix, i)) for i in range(len(cells(thing)))])


def values(thing):
    return [c.value for c in cells(thing)]


def aliases(new, *operands):
    """Return the argument lists of r and its operands, which are functions that make an object. In the first list r is a
    separate object, and in each other list it is one of the operands."""
    lists = [[new()] + [make() for make in operands]]
    for k in range(len(operands)):
        objects = [make() for make in operands]
        lists.append([objects[k]] + objects)
    return [[address(x) if not isinstance(x, int) else x for x in objects] for objects in lists]


def same_object(new, operand):
    """Return argument lists in which both operands are one object. In the first list r is another object, and in the second one
    it is the same."""
    apart, within = operand(), operand()
    return [[address(x) for x in (new(), apart, apart)], [address(x) for x in (within, within, within)]]


def ways(code, name, arguments, leaves, overrides=()):
    """Yield (run, arguments after it, result) for every way through the function, with new arguments for each way."""
    for which in range(len(arguments())):
        def start(choices):
            run = Run(code, Elements(), leaves, overrides, choices)
            run.arguments = arguments()[which]
            return run, lambda: run.call(name, *run.arguments)
        for run, result in every_way(start):
            yield run, [a.target() if hasattr(a, "target") else a for a in run.arguments], result
