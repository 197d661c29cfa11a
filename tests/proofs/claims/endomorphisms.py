# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the claims on glv.h and subgroup.h: they are about lambda, beta, the bound on the halves, psi, and the
identities that make the subgroup tests exact.

Constants of the generated headers are checked as numbers, by the arithmetic of curves.py. An endomorphism multiplies all points
of the cyclic group of prime order r by the same factor, so that the factor is found from one point, the generator.
"""
import math
import random
from fractions import Fraction

from pycparser import c_ast

from algebra import Reject, add, const, mul, scale
from c_source import UNSIGNED, UNSIGNED_LONG, Cell, Pointer, Run, address, every_way, program
from claims.limbs import cells, limbs, start_run
from curves import ALL, Curve, data, header, modulus, number
from elements import Elements, atom, fact, fill, power, product, require_same, ring_leaves, sub
from integers import join
from words import LEAVES, Words

FULL = (1 << 64) - 1


def glv_curves():
    return [name for name in ALL if header(name).get("CURVE_HAS_GLV")]


def signed(value, size):
    return value - (1 << size) if value >> (size - 1) else value


def prove_endomorphism(replaced=()):
    """The claim is "Where the curve has an endomorphism, phi(P) = lambda*P for the points of order r". It is checked that
    beta^3 = 1, so that (beta*x, y) is on the curve, that lambda^2 + lambda + 1 = 0 modulo r, and that (beta*x, y) = lambda*(x,
    y) for the generator, which has order r."""
    for name in glv_curves():
        curve, constants = Curve(name), header(name)
        f, beta, lam = curve.field, curve.field.element(constants["CURVE_BETA"]), number(constants["CURVE_LAMBDA"])
        g = curve.generator
        if beta == (1, 0) or f.pow(beta, 3) != (1, 0) or (lam * lam + lam + 1) % curve.r:
            raise Reject("beta or lambda of " + name)
        if not curve.contains(g) or curve.multiply(curve.r, g) is not None or curve.multiply(lam, g) != (f.mul(beta, g[0]), g[1]):
            raise Reject("phi is not lambda on " + name)
    return len(glv_curves())


def prove_bounds(replaced=(), less=0):
    """The claims of glv.h are "a short basis v1, v2 of determinant r", of (a, b) with a + b*lambda = 0 modulo r; and "the
    halves are at most half of each vector: split.bound. The quotients b/r are taken to 64 bits more than k has, which moves c1
    and c2 by less than 2^-64".

    Let c = round(q*k/2^s), where q = round(2^s*|b|/r) and k < r. Then |c - |b|*k/r| <= 1/2 + r/2^(s+1). As (k, 0) is the exact
    combination of v1 and v2, (k1, k2) = (k, 0) - c1*v1 - c2*v2 is e1*v1 + e2*v2, where e1 and e2 are these errors. m1 and m2
    add as many whole vectors."""
    for name in glv_curves():
        constants, r, lam = header(name), modulus(name, "FR"), number(header(name)["CURVE_LAMBDA"])
        n = constants["FR_LIMBS"]
        half = len(constants["CURVE_SPLIT_BOUND"])
        basis = [[signed(number(x), 64 * half) for x in v] for v in constants["CURVE_SPLIT_BASIS"]]
        (a1, b1), (a2, b2) = basis
        if any((a + b * lam) % r for a, b in basis) or a1 * b2 - b1 * a2 != r:
            raise Reject("the basis of " + name)
        s = 64 * (n + 1)
        for q, factor, sign in zip(constants["CURVE_SPLIT_QUOTIENTS"], (b2, -b1), constants["CURVE_SPLIT_NEGATIVE"]):
            if abs(Fraction(number(q), 1 << s) - Fraction(abs(factor), r)) > Fraction(1, 1 << (s + 1)) or sign != int(factor < 0):
                raise Reject("the quotients of " + name)
        # With c1 = k*b2/r and c2 = -k*b1/r, c1*v1 + c2*v2 = (k, 0).
        error = Fraction(1, 2) + Fraction(r, 1 << (s + 1))
        if error - Fraction(1, 2) >= Fraction(1, 1 << 64):
            raise Reject("the error of the quotients")
        bound = number(constants["CURVE_SPLIT_BOUND"]) - less
        worst = max(error * (abs(a1) + abs(a2)), error * (abs(b1) + abs(b2)))
        if worst > bound or bound >= 1 << (64 * half - 24):
            raise Reject("the bound of the halves of " + name)
    return len(glv_curves())


def prove_splitting(replaced=()):
    """The claims are split_quotient: "c = round(quotient*k / 2^(64*(limbs + 1)))", of `half` limbs; split_shift: "c = (negative
    ? -c : c) + m modulo 2^(64*half)"; split_subtract: "a -= c*b modulo 2^(64*half)"; scalar_absolute: "Replace a number in
    two's complement by its absolute value. Return 1 if it was negative"."""
    code = program("bn254_g1", ("math/limbs.h", "math/scalar.h", "math/glv.h"), ("math/glv.h",), replaced=replaced)
    count, rng = 0, random.Random(1)
    for half in (1, 2, 3, 4):
        def shift(negative, m):
            def prepare(run, d):
                run.c, run.whole = limbs(d, "c", half, rng.randrange(1 << 64 * half))
                return lambda: run.call("split_shift", address(run.c), negative, m, half)
            return prepare
        for negative in (0, 1):
            for m in (0, 1, -1, 1000, -(1 << 31), (1 << 31) - 1):
                for run, _ in every_way(start_run(code)(shift(negative, m))):
                    d = run.domain
                    wanted = add(scale(run.whole, -1 if negative else 1), const(m))
                    if any(c % (1 << 64 * half) for c in d.settle(add(join(d, [x.value for x in run.c]), wanted, -1)).values()):
                        raise Reject("split_shift")
                    count += 1

        count += subtracts(code, {"a": half, "c": half, "b": half}, a_less_product, lambda run, numbers: run.call(
            "split_subtract", *(address(numbers[x]) for x in "acb"), half), "split_subtract")

        def absolute(run, d):
            run.a, run.whole = limbs(d, "a", half, rng.randrange(1 << 64 * half))
            return lambda: run.call("scalar_absolute", address(run.a), half)
        for run, negative in every_way(start_run(code)(absolute)):
            d = run.domain
            negative = d.known(negative) if not isinstance(negative, int) else negative
            top = {m: 1 for m, c in run.whole.items() if c == 1 << 64 * (half - 1)}
            d.require_within(top, *((1 << 63, FULL) if negative else (0, (1 << 63) - 1)), "the sign")
            found = add(join(d, [x.value for x in run.a]), run.whole, 1 if negative else -1)
            if any(k % (1 << 64 * half) for k in d.settle(found).values()):
                raise Reject("scalar_absolute")
            count += 1
    return count + check_quotient(code, rng)


def check_quotient(code, rng):
    """Check that c is quotient*k rounded to the nearest multiple of the weight of P_(limbs + 1). The product's limbs P_0, P_1,
    ... are words whose sum with their weights is quotient*k, and c is the upper limbs plus the uppermost bit of P_limbs, which
    is the first bit of the fraction."""
    count = 0
    for limbs_, half in ((1, 1), (4, 3)):
        quotient, size = rng.randrange(1 << (64 * (limbs_ + 1))), 64 * (limbs_ + 1)

        def prepare(run, d):
            plain, run.rows, run.added = Run(code, d), [], []

            def multiply_add(run, x, y, z, carry):
                result = plain.call("limb_multiply_add", x, y, z, carry)
                run.rows.append((result, carry.target().value))
                return result

            def add_carry(run, x, y, carry):
                run.added.append(carry.target().value)
                return plain.call("limb_add_carry", x, y, carry)
            run.leaves = {"limb_multiply_add": multiply_add, "limb_add_carry": add_carry}
            run.k, run.whole = limbs(d, "k", limbs_, rng.randrange(1 << 64 * limbs_))
            run.c = cells([None] * half)
            return lambda: run.call("split_quotient", address(run.c), address(run.k),
                                    address(cells([quotient >> (64 * i) & FULL for i in range(limbs_ + 1)])), limbs_, half)
        for run, _ in every_way(start_run(code)(prepare)):
            d, p = run.domain, {}
            for number_, (result, carry) in enumerate(run.rows):
                i, j = divmod(number_, limbs_)
                p[i + j] = result
                if j == limbs_ - 1:
                    p[i + limbs_] = carry
            p = [d.poly(p[k]) for k in range(2 * limbs_ + 1)]
            d.require_equal(join(d, [d.number(f) for f in p]), scale(run.whole, quotient), "the product")
            for f in p:
                d.require_within(f, 0, FULL, "a limb of the product")
            carry = d.poly(run.added[0])
            d.require_equal(carry, d.floor(p[limbs_], 63), "the bit that rounds")
            upper = add(join(d, [d.number(f) for f in p[limbs_ + 1:]]), carry)
            left = d.settle(add(join(d, [x.value for x in run.c]), upper, -1))
            if any(c % (1 << 64 * half) for c in left.values()):
                raise Reject("split_quotient")
            count += 1
    return count


def subtracts(code, operands, wanted, run_it, what):
    """Check that run_it(run, cells) replaces the first number by what is wanted, modulo the power of 2 that its limbs hold.
    `operands` is {letter: count of limbs}, and all limbs are unknown."""
    d, rng = Words(), random.Random(1)
    for letter, count in operands.items():
        d.world.array(letter, [rng.randrange(1 << 64) for _ in range(count)])
    places = {x: cells([d.world.of_atom(a) for a in array.limbs]) for x, array in d.world.arrays.items()}
    run = d.run = Run(code, d, LEAVES)
    run_it(run, places)
    first = next(iter(operands))
    found = d.world.join([d.word(c.value) for c in places[first]])
    left = add(found, wanted(*(d.world.limbs_of(x) for x in operands)), -1)
    if any(c % (1 << 64 * operands[first]) for c in left.values()):
        raise Reject(what)
    return 1


def a_less_product(a, c, b):
    return add(a, mul(c, b), -1)


def prove_reduction(replaced=()):
    """The claim is scalar_reduce: "Replace k by k mod r, for any k < 2^(64*limbs)". A round subtracts q*r, where q is checked
    on numbers. As "q*r <= k" by the comment's inequality, the difference is exact if it is right modulo 2^(64*limbs), which is
    proved here for all k, r and q. The rounds end when k < r, because k decreases in each."""
    code, count = program("bn254_g1", ("math/limbs.h", "math/scalar.h"), ("math/scalar.h",), replaced=replaced), 0
    loop = code.node("scalar_reduce").body.block_items[-1]
    *first, inner = loop.stmt.block_items
    if type(loop).__name__ != "While" or loop.cond.op != "!" or loop.cond.expr.name.name != "scalar_is_less":
        raise Reject("scalar_reduce is another loop")

    def objects(numbers, **more):
        field = code.new("scalar_field")
        field["modulus"].value = address(numbers["r"])
        kinds = {"field": Pointer(c_ast.IdentifierType(["scalar_field"])), "k": Pointer(c_ast.IdentifierType(["uint64_t"])), "limbs": UNSIGNED}
        values = {"field": address(field), "k": address(numbers["k"]), "limbs": len(numbers["k"]), **more}
        return {name: Cell(kinds.get(name, UNSIGNED_LONG), value) for name, value in values.items()}
    for n in range(1, 7):
        count += subtracts(code, {"k": n, "q": 1, "r": n}, a_less_product, lambda run, numbers: run.part(
            [inner], objects(numbers, quotient=numbers["q"][0].value, carry=0, borrow=0)), "scalar_reduce")
    for k, top in [(x, y) for x in (0, 1, 5, FULL - 1, FULL) for y in (1, 4, 5, 1 << 63, FULL - 1, FULL)]:
        frame = objects({"k": cells([7, k]), "r": cells([9, top])}, top=top)
        Run(code).part(first, frame)
        if not 1 <= frame["quotient"].value <= max(1, k // (top + 1)) or frame["carry"].value or frame["borrow"].value:
            raise Reject("the quotient of scalar_reduce")
        count += 1
    return count


def prove_psi(replaced=()):
    """The claim of subgroup.h is "r = psi(P) = (PSI_X*conj(x), PSI_Y*conj(y)), which is (t - 1)*P for points of the subgroup".
    CURVE_SUBGROUP_SCALAR is |t - 1|, or x if the test is psi's sum. The identities of tools/gen_curves.py that make the tests
    exact are checked, too."""
    count = 0
    for name in ALL:
        constants, curve = header(name), Curve(name)
        kind = constants["CURVE_SUBGROUP_CHECK"]
        p, r = curve.field.p, curve.r
        if kind == constants["CURVE_SUBGROUP_PHI"]:
            lam = number(constants["CURVE_SUBGROUP_SCALAR"])
            if lam * lam + lam + 1 != r or number(constants["CURVE_SUBGROUP_ROOT"]) ** 2 != lam + 1:
                raise Reject("lambda^2 + lambda + 1 = r")
            count += 1
        if kind not in (constants["CURVE_SUBGROUP_PSI"], constants["CURVE_SUBGROUP_PSI_SUM"]):
            continue
        f, (x, y) = curve.field, curve.generator
        cx, cy = f.element(constants["CURVE_PSI_X"]), f.element(constants["CURVE_PSI_Y"])
        h1 = int(data(name)["base_cofactor"], 16)
        t = p + 1 - h1 * r
        # psi maps the curve to itself, because y^2 = x^3 + b gives conj(y)^2 = conj(x)^3 + conj(b).
        if f.mul(cy, cy) != f.pow(cx, 3) or f.mul(f.mul(cy, cy), f.conjugate(curve.b)) != curve.b:
            raise Reject("psi leaves the curve " + name)
        psi = lambda point: (f.mul(cx, f.conjugate(point[0])), f.mul(cy, f.conjugate(point[1])))
        g = curve.generator
        if not curve.contains(g) or curve.multiply(r, g) is not None or psi(g) != curve.multiply(t - 1, g):
            raise Reject("psi is not t - 1 on " + name)
        # Check that psi^2 - t psi + p = 0 on the generator and on a point that is not of order r.
        other = point_outside(curve)
        for point in (g, other):
            left = curve.add(psi(psi(point)), curve.multiply(p, point))
            if left != curve.multiply(t, psi(point)):
                raise Reject("psi^2 - t*psi + p = 0")
        scalar = number(constants["CURVE_SUBGROUP_SCALAR"]) * (-1 if constants["CURVE_SUBGROUP_SCALAR_NEGATIVE"] else 1)
        h2 = twist_cofactor(curve, p, t, r, other)
        if kind == constants["CURVE_SUBGROUP_PSI"]:
            if scalar != t - 1 or math.gcd(h1, h2) != 1:
                raise Reject("psi's test of " + name)
        else:
            g_ = (scalar + 1, scalar, scalar, -2 * scalar)
            a = g_[0] - g_[2] * p - g_[3] * t * p
            b = g_[1] + g_[2] * t + g_[3] * (t * t - p)
            if sum(k * p**i for i, k in enumerate(g_)) % r or math.gcd(a * a + a * b * t + b * b * p, h2) != 1:
                raise Reject("psi's sum of " + name)
        count += 1
    return count


def point_outside(curve):
    """Return a point of the curve that is not of order r. Its x is the first (k, 1) that has a y, which square_root
    computes."""
    f = curve.field
    for k in range(1, 200):
        x = (k, 1)
        y = square_root(f, f.add(f.pow(x, 3), curve.b))
        if y is not None and curve.multiply(curve.r, (x, y)) is not None:
            return x, y
    raise Reject("no point was found")


def square_root(f, a):
    """Return a square root in Fp2, or None, from a square root of the norm: (c0 + c1 u)^2 = a."""
    norm = root_mod((a[0] * a[0] + f.beta * a[1] * a[1]) % f.p, f.p)
    if norm is None:
        return None
    for sign in (1, -1):
        c0 = root_mod((a[0] + sign * norm) * pow(2, -1, f.p) % f.p, f.p)
        if c0:
            y = (c0, a[1] * pow(2 * c0, -1, f.p) % f.p)
            if f.mul(y, y) == a:
                return y
    return None


def root_mod(a, p):
    """Return a square root modulo p (Tonelli and Shanks), or None."""
    if a == 0 or pow(a, (p - 1) // 2, p) != 1:
        return 0 if a == 0 else None
    s, q = 0, p - 1
    while q % 2 == 0:
        s, q = s + 1, q // 2
    z = next(x for x in range(2, 1000) if pow(x, (p - 1) // 2, p) == p - 1)
    m, c, t, x = s, pow(z, q, p), pow(a, q, p), pow(a, (q + 1) // 2, p)
    while t != 1:
        i, u = 0, t
        while u != 1:
            i, u = i + 1, u * u % p
        b = pow(c, 1 << (m - i - 1), p)
        m, c, t, x = i, b * b % p, t * b * b % p, x * b % p
    return x


def twist_cofactor(curve, p, t, r, other):
    """Return h2, which is the twist's order / r. A sextic twist over Fp2 can have several orders. This twist's order is the one
    that is a multiple of r and annihilates the point `other`."""
    t2 = t * t - 2 * p
    y = math.isqrt((4 * p * p - t2 * t2) // 3)
    orders = {p * p + 1 + s * (t2 + e * 3 * y) // 2 for s in (1, -1) for e in (1, -1)}
    orders = [n for n in orders if n % r == 0 and curve.multiply(n, other) is None]
    if 3 * y * y != 4 * p * p - t2 * t2 or len(orders) != 1:
        raise Reject("the twist's order")
    return orders[0] // r


def prove_multiples(replaced=()):
    """The claims are subgroup_scalar_digits: "Write the non-adjacent form of the constant k. The digits are -1, 0 and 1. Of two
    neighbouring digits at least one is 0. The highest digit is 1"; subgroup_multiply: "r = scalar*a", where a point is
    represented by the factor of a that gives it; subgroup_is_same_point: "Return 1 if a and the affine b are the same point";
    subgroup_multiply_xyzz, which gives the point of
    the isomorphic curve y^2 = x^3 + b*Z^6."""
    count = 0
    for name in ALL:
        constants = header(name)
        if constants["CURVE_SUBGROUP_CHECK"] not in tuple(constants["CURVE_SUBGROUP_" + k] for k in ("PHI", "PSI", "PSI_SUM")):
            continue
        code = program(name, ("math/subgroup.h",), ("math/subgroup.h",), elements=("fp", "fp2", "fe", "affine", "xyzz"), replaced=replaced)
        scalar = constants["CURVE_SUBGROUP_SCALAR"]
        digits = cells([None] * 130)
        length = Run(code).call("subgroup_scalar_digits", address(digits), address(cells(scalar)))
        found = [c.value for c in digits[:length]]
        if sum(x << i for i, x in enumerate(found)) != number(scalar) or set(found) - {-1, 0, 1} or found[-1] != 1 or any(
                x and y for x, y in zip(found, found[1:])):
            raise Reject("the digits of " + name)

        def assign(function):
            def leaf(run, r, *more):
                numbers = [x if isinstance(x, int) else x.target().value for x in more]
                r.target().value = function(*numbers)
            return leaf
        leaves = {"affine_neg": assign(lambda a: scale(a, -1)), "xyzz_from_affine": assign(lambda a: a), "xyzz_add_affine": assign(add),
                  "xyzz_double_times": assign(lambda a, times: scale(a, 1 << times))}
        r, a = code.new("xyzz"), fill(code.new("affine"), [const(1)])
        Run(code, Elements(), leaves).call("subgroup_multiply", address(r), address(a), address(cells(scalar)))
        require_same(r.value, const(number(scalar)), "scalar*a")
        count += 1
    code = program("bls12_381_g1", ("math/point.h", "math/curve.h", "math/subgroup.h"), ("math/subgroup.h",), elements=("fp",), replaced=replaced)
    x1, y1, z1, x2, y2 = (atom(n) for n in ("x1", "y1", "z1", "x2", "y2"))

    def start(choices):
        run = Run(code, Elements(), ring_leaves("fp"), (), choices)
        a = fill(code.new("xyzz"), [product(x1, z1, z1), product(y1, power(z1, 3)), power(z1, 2), power(z1, 3)])
        b = fill(code.new("affine"), [x2, y2])
        return run, lambda: run.call("subgroup_is_same_point", address(a), address(b))
    for run, answer in every_way(start):
        a_infinite, b_infinite = fact(run, power(z1, 2)) == 1, fact(run, x2) == fact(run, y2) == 1
        if a_infinite or b_infinite:
            wanted = int(a_infinite and b_infinite)
        else:
            same = fact(run, mul_sub(x2, x1, power(z1, 2))), fact(run, mul_sub(y2, y1, power(z1, 3)))
            wanted = int(same == (1, 1))
            if wanted == 0 and 0 not in same:
                raise Reject("what is compared")
        if answer != wanted:
            raise Reject("the same point")
        count += 1
    return count


def mul_sub(x, y, z):
    return sub(product(x, z), product(y, z))


PROVE = (prove_endomorphism, prove_bounds, prove_splitting, prove_reduction, prove_psi, prove_multiples)
FALSE = (("halves below half of their bound", lambda: prove_bounds(less=1 << 125)),)
MUTANTS = (
    (prove_splitting, "c[j] ^ flip", "c[j]"),
    (prove_splitting, "limb_sub_borrow(a[i + j], product, &borrow)", "limb_sub_borrow(a[j], product, &borrow)"),
    (prove_splitting, "product[limbs] >> 63", "product[limbs] >> 62"),
    (prove_splitting, "a[j] ^ (0 - negative)", "a[j] ^ negative"),
    (prove_reduction, "limb_sub_borrow(k[i], product, &borrow)", "limb_sub_borrow(k[i], product, &carry)"),
    (prove_reduction, "k[limbs - 1] / (top + 1)", "k[limbs - 1] / top"),
    (prove_multiples, "digits[count] = -1", "digits[count] = 1"),
    (prove_multiples, "digits[i] > 0 ? a : &minus_a", "digits[i] < 0 ? a : &minus_a"),
    (prove_multiples, "fp_mul(&y, &b->y, &a->zzz)", "fp_mul(&y, &b->y, &a->zz)"),
)
