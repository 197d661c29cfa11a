# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the claims on point.h and pair.h, "formulas are right for every input, also for infinity, P + P and P + (-P)",
where r may alias the operands.

A point in XYZZ coordinates is (x z^2, y z^3, z^2, z^3) for unknown x, y and z. Every (X, Y, ZZ, ZZZ) with ZZ^3 = ZZZ^2 and
ZZ != 0 has this form, with z = ZZZ/ZZ. So a proof for x, y and z holds for every input that point.h allows.
"""
import elements
from algebra import Reject, const, mul, scale
from c_source import UNSIGNED, Cell, Run, address, every_way, program
from elements import (Elements, add, aliases, atom, fact, fill, power, product, require_same, ring_leaves, same_object, sub, values)

FILES = ("math/point.h", "math/curve.h", "math/pair.h")
x1, y1, z1, x2, y2, z2 = (atom(name) for name in ("x1", "y1", "z1", "x2", "y2", "z2"))
LEAVES = ring_leaves("fp")


def source(replaced=()):
    return program("bn254_g1", FILES, ("math/pair.h",), elements=("fp",), replaced=replaced)


def ways(code, name, arguments, overrides=()):
    return elements.ways(code, name, arguments, LEAVES, overrides)


def xyzz(code, x, y, z):
    return fill(code.new("xyzz"), [product(x, z, z), product(y, z, z, z), power(z, 2), power(z, 3)])


def affine(code, x, y):
    return fill(code.new("affine"), [x, y])


def third_point(n, d, xa, ya, xb):
    """Return the numerators of the mirrored third point of the line with slope n/d through (xa, ya) and (xb, .):
    x3 = first / d^2, y3 = second / d^3."""
    x3 = sub(sub(power(n, 2), product(xa, power(d, 2))), product(xb, power(d, 2)))
    y3 = sub(product(n, sub(product(xa, power(d, 2)), x3)), product(ya, power(d, 3)))
    return x3, y3


def require_xyzz(r, n, d, xa, ya, xb):
    """Check that r is the point of third_point(), and that ZZ^3 = ZZZ^2."""
    x3, y3 = third_point(n, d, xa, ya, xb)
    x, y, zz, zzz = values(r)
    require_same(product(x, d, d), product(x3, zz), "x")
    require_same(product(y, d, d, d), product(y3, zzz), "y")
    require_same(power(zz, 3), power(zzz, 2), "ZZ^3 = ZZZ^2")


def require_values(r, wanted, what):
    for found, value in zip(values(r), wanted):
        require_same(found, value, what)


def only_factors(poly, allowed, what):
    """Check that poly is a monomial in these unknowns, so that it is 0 only if one of them is."""
    atoms = {a for x in allowed for m in x for a in m}
    if len(poly) != 1 or not set(next(iter(poly))) <= atoms or not atoms <= set(next(iter(poly))):
        raise Reject(what)


def prove_doubling(replaced=()):
    """The claim is xyzz_double: "r = 2a. Infinity stays infinity, because ZZ3 = V*0. A point of order 2 has Y = 0, so V = 0
    and ZZ3 = 0, which is infinity." """
    code, count = source(replaced), 0
    arguments = lambda: aliases(lambda: code.new("xyzz"), lambda: xyzz(code, x1, y1, z1))
    for _, (r, *_), _ in ways(code, "xyzz_double", arguments):
        require_xyzz(r, scale(power(x1, 2), 3), scale(y1, 2), x1, y1, x1)
        only_factors(r["zz"].value, (y1, z1), "ZZ3 is 0 elsewhere than at infinity and points of order 2")
        count += 1
    return count


def jacobian(code):
    return fill(code.new("jacobian"), [product(x1, power(z1, 2)), scale(product(y1, power(z1, 3)), 2), z1])


def prove_jacobian_doubling(replaced=()):
    """The claim is jacobian_double: "r = 2a, where y of a and r is T = 2Y. Infinity stays infinity, because Z3 = T*0. A point
    of order 2 has T = 0 and gives infinity." """
    code, count = source(replaced), 0
    for _, (r, *_), _ in ways(code, "jacobian_double", lambda: aliases(lambda: code.new("jacobian"), lambda: jacobian(code))):
        n, d = scale(power(x1, 2), 3), scale(y1, 2)
        x3, y3 = third_point(n, d, x1, y1, x1)
        x, y, z = values(r)
        require_same(product(x, d, d), product(x3, z, z), "x")
        require_same(product(y, d, d, d), scale(product(y3, z, z, z), 2), "T")
        only_factors(z, (y1, z1), "Z3 is 0 elsewhere than at infinity and points of order 2")
        count += 1
    return count


def prove_doublings(replaced=()):
    """The claim is xyzz_double_times: "r = 2^times * a". It is proved for times = 0, 1 and 2. Longer chains repeat
    jacobian_double, which again gives a Jacobian point. If times = 0, the point is the same, with other coordinates."""
    code, count = source(replaced), 0
    for times in (0, 1, 2):
        arguments = lambda: [[*a, times] for a in aliases(lambda: code.new("xyzz"), lambda: xyzz(code, x1, y1, z1))]
        for _, (r, *_), _ in ways(code, "xyzz_double_times", arguments):
            x, y, zz, zzz = values(r)
            require_same(power(zz, 3), power(zzz, 2), "ZZ^3 = ZZZ^2")
            xn, yn, d = x1, y1, const(1)  # the multiple is (xn/d^2, yn/d^3)
            for _ in range(times):
                n, e = scale(power(xn, 2), 3), scale(yn, 2)
                xn, yn = third_point(n, e, xn, yn, xn)
                d = mul(d, e)
            require_same(product(x, d, d), product(xn, zz), "x")
            require_same(product(y, d, d, d), product(yn, zzz), "y")
            count += 1
    return count


def check_sum(code, name, is_affine):
    z = const(1) if is_affine else z2
    second = (lambda: affine(code, x2, y2)) if is_affine else (lambda: xyzz(code, x2, y2, z2))

    def arguments():
        lists = aliases(lambda: code.new("xyzz"), lambda: xyzz(code, x1, y1, z1), second)
        return lists[:2] if is_affine else lists
    count = 0
    for run, (r, *_), _ in ways(code, name, arguments):
        same_x = fact(run, product(sub(x2, x1), power(z1, 2), power(z, 2)))
        same_y = fact(run, product(sub(y2, y1), power(z1, 3), power(z, 3)))
        second_infinite = fact(run, x2) == fact(run, y2) == 1 if is_affine else fact(run, power(z2, 2)) == 1
        count += 1
        if second_infinite:
            require_values(r, values(xyzz(code, x1, y1, z1)), "a + infinity")
        elif fact(run, power(z1, 2)) == 1:
            require_values(r, values(xyzz(code, x2, y2, z)), "infinity + b")
        elif same_x == 1 and same_y == 1:
            require_xyzz(r, scale(power(x2 if is_affine else x1, 2), 3), scale(y2 if is_affine else y1, 2),
                         *((x2, y2, x2) if is_affine else (x1, y1, x1)))
        elif same_x == 1:
            if r["zz"].value or r["zzz"].value:
                raise Reject("P + (-P) is not infinity")
        elif same_x == 0:
            require_xyzz(r, sub(y2, y1), sub(x2, x1), x1, y1, x2)
            atoms = sub(x2, x1)
            require_same(r["zz"].value, product(atoms, atoms, power(z1, 6), power(z, 6)) if not is_affine else
                         product(atoms, atoms, power(z1, 6)), "ZZ3, which is 0 only where x1 = x2")
        else:
            raise Reject("a way that no case is")
    return count


def prove_mixed_sum(replaced=()):
    """The claim is xyzz_add_affine: "r = a + b for an affine b. P = 0 means that both have the same x. If R = 0, too,
    this is a doubling; otherwise the sum is infinity." """
    return check_sum(source(replaced), "xyzz_add_affine", True)


def prove_jacobian_sum(replaced=()):
    """The claim is jacobian_add_affine: "r = a + b for an affine b, where y of a and r is T = 2Y. H = 0 means that both have the
    same x. If R = 0, too, this is a doubling; otherwise the sum is infinity." """
    code, count = source(replaced), 0

    def arguments():
        return aliases(lambda: code.new("jacobian"), lambda: jacobian(code), lambda: affine(code, x2, y2))[:2]
    for run, (r, *_), _ in ways(code, "jacobian_add_affine", arguments):
        same_x = fact(run, product(sub(x2, x1), power(z1, 2)))
        same_y = fact(run, scale(product(sub(y2, y1), power(z1, 3)), 2))
        count += 1
        if fact(run, x2) == fact(run, y2) == 1:
            require_values(r, values(jacobian(code)), "a + infinity")
            continue
        if fact(run, z1) == 1:
            require_values(r, [x2, scale(y2, 2), const(1)], "infinity + b")
            continue
        if same_x == 1 and same_y != 1:
            require_same(r["z"].value, {}, "P + (-P)")
            continue
        if same_x is None:
            raise Reject("a way that no case is")
        n, d = (scale(power(x1, 2), 3), scale(y1, 2)) if same_x else (sub(y2, y1), sub(x2, x1))
        x3, y3 = third_point(n, d, x1, y1, x1 if same_x else x2)
        x, y, z = values(r)
        require_same(product(x, d, d), product(x3, z, z), "x")
        require_same(product(y, d, d, d), scale(product(y3, z, z, z), 2), "T")
        require_same(z, product(d, power(z1, 4)) if same_x else scale(product(d, power(z1, 3)), 2), "Z3, which is 0 only where x1 = x2")
    return count


def prove_sum(replaced=()):
    """The claim is xyzz_add: "r = a + b", and r = 2a if a and b are one object."""
    code = source(replaced)
    count = check_sum(code, "xyzz_add", False)
    arguments = lambda: same_object(lambda: code.new("xyzz"), lambda: xyzz(code, x1, y1, z1))
    for run, (r, *_), _ in ways(code, "xyzz_add", arguments):
        count += 1
        if fact(run, power(z1, 2)) == 1:
            require_values(r, values(xyzz(code, x1, y1, z1)), "infinity + infinity")
        else:
            require_xyzz(r, scale(power(x1, 2), 3), scale(y1, 2), x1, y1, x1)
    return count


def prove_conversions(replaced=()):
    """The claims are xyzz_to_affine: "r = a. 1/Z = ZZ/ZZZ"; xyzz_from_affine; affine_neg: "-(0, 0) = (0, 0)";
    affine_is_on_curve: "Return 1 for infinity and for points with y^2 = x^3 + b"."""
    code, count = source(replaced), 0
    for run, (r, _), _ in ways(code, "xyzz_to_affine", lambda: [[address(code.new("affine")), address(xyzz(code, x1, y1, z1))]]):
        count += 1
        if fact(run, power(z1, 2)) == 1:
            require_values(r, [{}, {}], "infinity")
            continue
        (inverse, of), = run.inverses
        require_same(of, power(z1, 3), "what is inverted")
        # The inverse is 1/z^3. The coordinates times z^2 and z^3 are X and Y if inverse * z^3 is replaced by 1.
        require_same(r["y"].value, product(y1, power(z1, 3), inverse), "y")
        require_same(r["x"].value, product(x1, power(z1, 6), inverse, inverse), "x")
    for run, (r, _), _ in ways(code, "xyzz_from_affine", lambda: [[address(code.new("xyzz")), address(affine(code, x1, y1))]]):
        infinite = fact(run, x1) == fact(run, y1) == 1
        require_values(r, [const(1), const(1), {}, {}] if infinite else [x1, y1, const(1), const(1)], "xyzz_from_affine")
        count += 1
    for _, (r, *_), _ in ways(code, "affine_neg", lambda: aliases(lambda: code.new("affine"), lambda: affine(code, x1, y1))):
        require_values(r, [x1, scale(y1, -1)], "affine_neg")
        count += 1
    b = code.new("fe")
    b.value = atom("b")
    for run, _, answer in ways(code, "affine_is_on_curve", lambda: [[address(affine(code, x1, y1))]], {"curve_b": b}):
        infinite = fact(run, x1) == fact(run, y1) == 1
        if answer != (1 if infinite else fact(run, sub(power(y1, 2), add(power(x1, 3), b.value)))):
            raise Reject("affine_is_on_curve")
        count += 1
    return count


def pair_cases(run):
    """Return how pair.h adds a pair on this way, which the answers to its questions determine."""
    if fact(run, x2) == fact(run, y2) == 1:
        return "left"
    if fact(run, x1) == fact(run, y1) == 1:
        return "right"
    if fact(run, sub(x2, x1)) == 0:
        return "add"
    return "double" if fact(run, sub(y2, y1)) == 1 and fact(run, y1) == 0 else "cancel"


def prove_pairs(replaced=()):
    """The claims are pair_rare_denominator: "never 0"; pair_rare_sum: "r = a + b for a pair that is not known to be plain, from
    the inverse of its denominator"; pair_is_plain: "1 when the pair is an ordinary addition; then *denominator = x2 - x1"."""
    code, count = source(replaced), 0
    points = lambda: [address(affine(code, x1, y1)), address(affine(code, x2, y2))]
    new = lambda: code.new("fe")
    for run, (d, *_), _ in ways(code, "pair_rare_denominator", lambda: [[address(new()), *points()]]):
        case = pair_cases(run)
        require_same(d.value, {"add": sub(x2, x1), "double": scale(y1, 2)}.get(case, const(1)), "the denominator")
        count += 1  # it is not 0, because it is x2 - x1 or y1, which this way answered are not 0, or 1
    inverse = atom("i")
    for run, (r, *_), _ in ways(code, "pair_rare_sum",
                                lambda: [[address(code.new("affine")), *points(), address(fill(new(), [inverse]))]]):
        case = pair_cases(run)
        count += 1
        if case in ("add", "double"):
            n = mul(sub(y2, y1) if case == "add" else scale(power(x1, 2), 3), inverse)
            require_values(r, third_point(n, const(1), x1, y1, x2), "the sum")
        else:
            require_values(r, {"left": [x1, y1], "right": [x2, y2], "cancel": [{}, {}]}[case], "the sum")
    for run, (d, *_), answer in ways(code, "pair_is_plain",
                                     lambda: [[address(new()), address(fill(new(), [x1])), address(fill(new(), [x2]))]]):
        zeros = [fact(run, sub(x2, x1)), fact(run, x1), fact(run, x2)]
        require_same(d.value, sub(x2, x1), "the denominator")
        if answer != int(not any(zeros)) or answer and None in zeros:
            raise Reject("pair_is_plain")
        count += 1
    return count


def prove_rounds(replaced=()):
    """The claim of cpu/affine_sum.h, sum_round, is "every list P0 P1 P2 P3 .. becomes P0+P1, P2+P3, ..; an odd last point is
    carried over". It is proved in place, for pairs that are plain and pairs that are not. Only the product of all denominators
    is inverted. Each pair multiplies this inverse by the other denominators, which gives the inverse of its own. These lists go
    through the two loops in every way, so that the loops' invariants hold for longer lists, too."""
    code, count = program("bn254_g1", ("cpu/affine_sum.h", *FILES), ("cpu/affine_sum.h",), elements=("fp",), replaced=replaced), 0
    for lengths in ((2,), (1, 2, 3), (4, 3), (5, 1), (6, 2)):
        starts = [sum(lengths[:k]) for k in range(len(lengths) + 1)]
        pairs = [i for first, end in zip(starts, starts[1:]) for i in range(first, end - 1, 2)]
        x, y = ([atom("%s%d" % (c, i)) for i in range(starts[-1])] for c in ("px", "py"))

        def start(choices):
            run = Run(code, Elements(), {**LEAVES}, (), choices)
            run.plain, run.sums = {}, {}

            def is_plain(run, d, x1, x2):
                i = x.index(x1.target().value)
                d.target().value = sub(x[i + 1], x[i])
                if x2.target().value != x[i + 1]:
                    raise Reject("another pair")
                if i not in run.plain:
                    run.plain[i] = run.ask()
                return run.plain[i]

            def rare_denominator(run, d, p, q):
                d.target().value = atom("d%d" % x.index(p.target()["x"].value))

            def note(run, r, p, q, inverse, factor):
                i = x.index(p.target()["x"].value)
                if (p.target()["y"].value, q.target()["x"].value, q.target()["y"].value) != (y[i], x[i + 1], y[i + 1]):
                    raise Reject("another pair")
                run.sums[i] = inverse, factor
                return i

            def slope_x(run, x3, p, q, slope):
                i = note(run, None, p, q, slope.target().value, sub(q.target()["y"].value, p.target()["y"].value))
                x3.target().value = atom("sx%d" % i)

            def slope_y(run, y3, p, x3, slope):
                i = x.index(p.target()["x"].value)
                if x3.target().value != atom("sx%d" % i) or slope.target().value != run.sums[i][0]:
                    raise Reject("y of another pair")
                y3.target().value = atom("sy%d" % i)

            def rare_sum(run, r, p, q, inverse):
                i = note(run, r, p, q, inverse.target().value, const(1))
                fill(r.target(), [atom("sx%d" % i), atom("sy%d" % i)])
            run.leaves.update({"pair_is_plain": is_plain, "pair_rare_denominator": rare_denominator, "slope_x": slope_x, "slope_y": slope_y,
                               "pair_rare_sum": rare_sum})
            scratch, source_ = code.new("segment_scratch"), code.new("point_source")
            run.items = [affine(code, *point) for point in zip(x, y)]
            run.starts = [Cell(UNSIGNED, s) for s in starts]
            scratch["items"].value = source_["points"].value = address(run.items)
            scratch["products"].value, scratch["starts"].value = address([code.new("fe") for _ in pairs]), address(run.starts)
            source_["entries"].value = 0
            return run, lambda: run.call("sum_round", address(scratch), source_, len(lengths), len(pairs))
        for run, _ in every_way(start):
            denominators = {i: sub(x[i + 1], x[i]) if run.plain[i] else atom("d%d" % i) for i in pairs}
            (inverse, of), = run.inverses
            require_same(of, product(*denominators.values()), "what is inverted")
            for i in pairs:
                others = product(inverse, *(d for j, d in denominators.items() if j != i))
                require_same(run.sums[i][0], mul(run.sums[i][1], others), "the inverse of a pair's denominator")
            wanted, firsts = [], []
            for first, length in zip(starts, lengths):
                firsts.append(len(wanted))
                wanted += [[atom("sx%d" % i), atom("sy%d" % i)] for i in range(first, first + length - 1, 2)]
                wanted += [[x[first + length - 1], y[first + length - 1]]] if length % 2 else []
            if [c.value for c in run.starts] != firsts + [len(wanted)] or [values(p) for p in run.items[:len(wanted)]] != wanted:
                raise Reject("the lists after a round")
            count += 1
    return count


PROVE = (prove_doubling, prove_jacobian_doubling, prove_doublings, prove_mixed_sum, prove_jacobian_sum, prove_sum, prove_conversions, prove_pairs, prove_rounds)
MUTANTS = (
    (prove_doubling, "fp_mul(&u, &w, &a->y)", "fp_mul(&u, &v, &a->y)"),
    (prove_doubling, "fp_sub(&s, &s, &x3);", "r->x = x3; fp_sub(&s, &s, &r->y);"),
    (prove_doubling, "fe_triple(&m, &m)", "fp_double(&m, &m)"),
    (prove_jacobian_doubling, "fp_double(&m, &m)", "fp_add(&m, &m, &v)"),
    (prove_mixed_sum, "xyzz_double_affine(r, b)", "xyzz_from_affine(r, b)"),
    (prove_mixed_sum, "fp_mul(&s, &a->y, &ppp)", "r->x = x3; fp_mul(&s, &a->x, &ppp)"),
    (prove_jacobian_sum, "fp_mul(&v, &a->x, &i)", "fp_mul(&v, &b->x, &i)"),
    (prove_jacobian_sum, "fp_double(&r->y, &v)", "r->y = v"),
    (prove_sum, "fp_mul(&s1, &s1, &ppp)", "fp_mul(&s1, &s1, &pp)"),
    (prove_doublings, "fp_mul(&j.y, &a->y, &a->zzz)", "fp_mul(&j.y, &a->y, &a->zz)"),
    (prove_conversions, "fp_sqr(&z_inverse, &z_inverse)", "fp_double(&z_inverse, &z_inverse)"),
    (prove_pairs, "fp_double(denominator, &a->y)", "fp_double(denominator, &a->x)"),
    (prove_pairs, "&& !fp_is_zero(&a->y)", ""),
    (prove_rounds, "fp_mul(&inverses[0], &both, &chain[1])", "fp_mul(&inverses[0], &both, &chain[0])"),
    (prove_rounds, "scratch->products[k] = chain[k & 1];", "scratch->products[k] = chain[0];"),
    (prove_rounds, "scratch->starts[s] = out;", "scratch->starts[s] = start;"),
)
