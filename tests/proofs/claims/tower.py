# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the claims on fp2.h, fp6.h and fp12.h. They are about every function of the tower, where r may be any of the
operands.

fp2.h is proved over Fp, coordinate by coordinate, for u^2 = -1 and -5 and for each xi. fp6.h and fp12.h are proved over Fp2,
whose functions are then leaves, and xi is an unknown. fp12_inv is proved over Fp6. Here Fp12 is Fp2[w]/(w^6 - xi), and an
element is {power of w: coefficient}, as fp12.h says of its coefficients.
"""
from fractions import Fraction

from algebra import Reject, const, mul, scale
from c_source import Run, address, every_way, program
from curves import Field, header
from elements import Elements, add, aliases, atom, fact, fill, neg, power, product, reduce, require_same, ring_leaves, same_object, sub, total, unknown, value_of, values, ways

PAIRINGS = ("bls12_381_g2", "bls12_377_g2", "bn254_g2")
XI, V, ZETA = atom("xi"), atom("v"), atom("zeta")
POWERS = {"fp2": (0,), "fp6": (0, 2, 4), "fp12": (0, 2, 4, 1, 3, 5)}
OVER_FP2 = ring_leaves("fp2", {
    "fe_mul_xi": lambda run, a: mul(XI, a),
    "fe_add_xi_less_one": lambda run, s, a: add(s, mul(sub(XI, const(1)), a)),
    "fe_mul_fp": lambda run, a, b: mul(a, b),
})


def over_fp(curve, replaced=()):
    constants = header(curve)
    files = ("math/fp2.h", "math/curve.h", "math/fp6.h", "math/fp12.h") if constants.get("CURVE_HAS_PAIRING") else ("math/fp2.h",)
    return program(curve, files, ("math/curve.h",) + (("math/fp12.h",) if len(files) > 1 else ()), elements=("fp",),
                   replaced=replaced)


def over_fp2(replaced=(), curve="bls12_381_g2", files=("math/curve.h", "math/fp6.h", "math/fp12.h"), includes=("math/curve.h", "math/fp12.h")):
    return program(curve, files, includes, elements=("fp", "fp2"), replaced=replaced)


def operands(code, *kinds):
    """Return functions that make operands of these types. Their values are unknowns a0, a1, ... for the first operand, b0, b1,
    ... for the next one, and so on."""
    return [lambda k=kind, letter=letter: unknown(code.new(k), letter) for kind, letter in zip(kinds, "abcdef")]


def check(code, name, kinds, claim, leaves, result=None, extra=(), overrides=(), alias=True):
    """Check r = name(operands, extra) by claim(r's values, operands' values, run), which raises Reject if it is wrong."""
    result = result or kinds[0]
    make = operands(code, *kinds)
    before = [values(m()) for m in make]
    new = lambda: code.new(result)

    def arguments():
        lists = aliases(new, *make) if alias and all(k == result for k in kinds) else aliases(new, *make)[:1]
        if alias and result == kinds[0] and any(k != result for k in kinds):
            lists.append(aliases(new, *make)[1])
        return [x + list(extra) for x in lists]
    count = 0
    for run, (r, *_), _ in ways(code, name, arguments, leaves, overrides):
        claim(values(r), *before, run)
        count += 1
    if alias and len(kinds) == 2 and kinds[0] == kinds[1] == result:
        for run, (r, *_), _ in ways(code, name, lambda: same_object(new, make[0]), leaves, overrides):
            claim(values(r), before[0], before[0], run)
            count += 1
    return count


def require_all(found, wanted, what):
    for x, y in zip(found, wanted):
        require_same(x, y, what)


# ---- Fp2 over Fp ----


def pair_mul(a, b, beta):
    return [sub(mul(a[0], b[0]), scale(mul(a[1], b[1]), beta)), add(mul(a[0], b[1]), mul(a[1], b[0]))]


def invert(poly, inverses):
    """Apply i * x = 1 for each inverse i to a poly that is linear in i: the factor of i must be a multiple of x."""
    for i, x in inverses:
        (monomial,) = i
        rest = {m: c for m, c in poly.items() if monomial[0] not in m}
        factor = {tuple(a for a in m if a != monomial[0]): c for m, c in poly.items() if monomial[0] in m}
        if not factor:
            continue
        lead = next(iter(x))
        ratio = Fraction(factor.get(lead, 0)) / x[lead]
        if sub(factor, scale(x, ratio)):
            raise Reject("not divided by what is inverted")
        poly = add(rest, const(ratio))
    return poly


def prove_fp2(replaced=()):
    """The claims of fp2.h are c0 = a0*b0 - FP2_BETA*a1*b1, c1 = a0*b1 + a1*b0; "r = 1 / a = (c0 - c1
    u) / (c0^2 + FP2_BETA * c1^2)"; and those on functions that work on coordinates."""
    count = 0
    for curve in PAIRINGS:
        code, beta = over_fp(curve, replaced), Field(curve).beta
        leaves = ring_leaves("fp", {"fp2_minus_beta_times": lambda run, a: scale(a, -beta)})
        simple = {
            "fp2_add": (2, lambda a, b: [add(a[0], b[0]), add(a[1], b[1])]),
            "fp2_sub": (2, lambda a, b: [sub(a[0], b[0]), sub(a[1], b[1])]),
            "fp2_mul": (2, lambda a, b: pair_mul(a, b, beta)),
            "fp2_sqr": (1, lambda a: pair_mul(a, a, beta)),
            "fp2_neg": (1, lambda a: [neg(a[0]), neg(a[1])]),
            "fp2_double": (1, lambda a: [scale(a[0], 2), scale(a[1], 2)]),
            "fp2_halve": (1, lambda a: [scale(x, Fraction(1, 2)) for x in a]),
            "fp2_conjugate": (1, lambda a: [a[0], neg(a[1])]),
        }
        for name, (number, claim) in simple.items():
            count += check(code, name, ["fp2"] * number,
                           lambda r, *rest: require_all(r, claim(*rest[:-1]), name), leaves)

        def inverse(r, a, run):
            one = [invert(x, run.inverses) for x in pair_mul(r, a, beta)]
            require_all(one, [const(1), {}], "1/a")
        count += check(code, "fp2_inv", ["fp2"], inverse, leaves)
    return count


def prove_xi(replaced=()):
    """The claims of fp6.h are "r = s + u * a", "r = s + (xi - 1) * a", "r = xi * a" for xi = CURVE_PAIRING_XI + u, and
    "r = a * b for b in Fp"; that of fp2.h is "r = FP2_BETA * a"."""
    count = 0
    for curve in PAIRINGS:
        code, xi, beta = over_fp(curve, replaced), [const(header(curve)["CURVE_PAIRING_XI"]), const(1)], Field(curve).beta
        less_one = [sub(xi[0], const(1)), xi[1]]
        leaves = ring_leaves("fp")
        count += check(code, "fp2_beta_times", ["fp"], lambda r, a, run: require_all(r, [scale(a[0], beta)], "beta * a"), leaves)
        count += check(code, "fp2_add_u_times", ["fp2", "fp2"], lambda r, s, a, run: require_all(
            r, [add(x, y) for x, y in zip(s, pair_mul([const(0), const(1)], a, beta))], "s + u * a"), leaves)
        count += check(code, "fe_mul_xi", ["fp2"], lambda r, a, run: require_all(r, pair_mul(xi, a, beta), "xi * a"), leaves)
        count += check(code, "fe_add_xi_less_one", ["fp2", "fp2"], lambda r, s, a, run: require_all(
            r, [add(x, y) for x, y in zip(s, pair_mul(less_one, a, beta))], "s + (xi - 1) * a"), leaves)
        count += check(code, "fe_mul_fp", ["fp2", "fp"], lambda r, a, b, run: require_all(
            r, [mul(a[0], b[0]), mul(a[1], b[0])], "a * b"), leaves)
    return count


# ---- Fp6 and Fp12 over Fp2 ----


def model(polys, kind):
    return dict(zip(POWERS[kind], polys))


def model_mul(a, b):
    r = {}
    for i, x in a.items():
        for j, y in b.items():
            term = mul(x, y) if i + j < 6 else product(x, y, XI)
            r[(i + j) % 6] = add(r.get((i + j) % 6, {}), term)
    return r


def require_model(found, wanted, what):
    for i in range(6):
        require_same(found.get(i, {}), wanted.get(i, {}), what)


def prove_products(replaced=()):
    """The claims of fp6.h and fp12.h are r = a * b and a^2, by Karatsuba and complex squaring; fp6_mul_v: "r = v * a";
    fp6_mul_by_two: "r = a * (b0 + b1 * v)"; and those on fp6_mul_fe, sums, differences, negatives and conjugates."""
    code, count = over_fp2(replaced), 0
    for kind in ("fp6", "fp12"):
        count += check(code, kind + "_mul", [kind] * 2, lambda r, a, b, run: require_model(
            model(r, kind), model_mul(model(a, kind), model(b, kind)), kind + "_mul"), OVER_FP2)
    count += check(code, "fp12_sqr", ["fp12"], lambda r, a, run: require_model(
        model(r, "fp12"), model_mul(model(a, "fp12"), model(a, "fp12")), "fp12_sqr"), OVER_FP2)
    count += check(code, "fp6_mul_v", ["fp6"], lambda r, a, run: require_model(
        model(r, "fp6"), model_mul({2: const(1)}, model(a, "fp6")), "v * a"), OVER_FP2)
    count += check(code, "fp6_mul_fe", ["fp6", "fp2"], lambda r, a, b, run: require_model(
        model(r, "fp6"), model_mul(model(a, "fp6"), {0: b[0]}), "a * b"), OVER_FP2)
    count += check(code, "fp6_mul_by_two", ["fp6", "fp2", "fp2"], lambda r, a, b, c, run: require_model(
        model(r, "fp6"), model_mul(model(a, "fp6"), {0: b[0], 2: c[0]}), "a * (b0 + b1 * v)"), OVER_FP2)
    for name, claim in (("fp6_add", add), ("fp6_sub", sub)):
        count += check(code, name, ["fp6"] * 2, lambda r, a, b, run: require_all(
            r, [claim(x, y) for x, y in zip(a, b)], name), OVER_FP2)
    count += check(code, "fp6_neg", ["fp6"], lambda r, a, run: require_all(r, [neg(x) for x in a], "fp6_neg"), OVER_FP2)
    count += check(code, "fp12_conjugate", ["fp12"], lambda r, a, run: require_all(
        r, a[:3] + [neg(x) for x in a[3:]], "a0 - a1 * w"), OVER_FP2)
    return count


def prove_inverses(replaced=()):
    """The claims are fp6_inv: "r = 1 / a"; fp12_inv: "r = 1 / a = (a0 - a1 * w) / (a0^2 - v * a1^2)". As the ring is a field,
    the norm that is inverted is 0 only if a = 0. Then fp_inv gives 0, and r = 0."""
    code, count = over_fp2(replaced), 0

    def six(r, a, run):
        one = {i: invert(x, run.inverses) for i, x in model_mul(model(r, "fp6"), model(a, "fp6")).items()}
        require_model(one, {0: const(1)}, "1/a")
    count += check(code, "fp6_inv", ["fp6"], six, OVER_FP2)
    over_fp6 = program("bls12_381_g2", ("math/curve.h", "math/fp12.h"), ("math/curve.h", "math/fp12.h"), elements=("fp", "fp2", "fp6"),
                       replaced=replaced)

    def twelve(r, a, run):
        one = [invert(x, run.inverses) for x in (add(mul(r[0], a[0]), product(V, r[1], a[1])), add(mul(r[0], a[1]), mul(r[1], a[0])))]
        require_all(one, [const(1), {}], "1/a")
    leaves = ring_leaves("fp6", {"fp6_mul_v": lambda run, a: mul(V, a)})
    return count + check(over_fp6, "fp12_inv", ["fp12"], twelve, leaves)


# ---- Frobenius ----


def prove_frobenius(replaced=()):
    """The claims are fp12_frobenius: "r = a^p", fp12_frobenius_q: "r = a^(p^2)". As x^p = conj(x) in Fp2, a^p is the sum of
    conj(a_i) * w^(i*(p-1)) * w^i, where the factors w^(i*(p-1)) = xi^(i*(p-1)/6) are in the generated header. a^(p^2) is the
    sum of a_i * xi^(i*(p^2-1)/6) * w^i. The factors are checked as numbers."""
    count = 0
    for curve in PAIRINGS:
        code, field, constants = over_fp(curve, replaced), Field(curve), header(curve)
        xi = (constants["CURVE_PAIRING_XI"], 1)
        if (field.p - 1) % 6:
            raise Reject("6 does not divide p - 1")
        for i in range(6):
            if field.element(constants["CURVE_FROBENIUS"][i]) != field.pow(xi, i * (field.p - 1) // 6):
                raise Reject("CURVE_FROBENIUS[%d]" % i)
            if field.element(constants["CURVE_FROBENIUS_Q"][i]) != field.pow(xi, i * (field.p ** 2 - 1) // 6):
                raise Reject("CURVE_FROBENIUS_Q[%d]" % i)
        zeta = field.element(constants["CURVE_FROBENIUS_Q"][1])
        if field.add(field.sub(field.mul(zeta, zeta), zeta), (1, 0)) != (0, 0):
            raise Reject("w^(p^2 - 1) is no primitive sixth root of 1")
        factors = [unknown(code.new("fp2"), "f%d_" % i) for i in range(6)]
        factors_2 = [fill(code.new("fp"), [atom("g%d" % i)]) for i in range(6)]
        overrides = {"fp12_frobenius_factors": factors, "fp12_frobenius_q_factors": factors_2}
        leaves = ring_leaves("fp", {"fp2_minus_beta_times": lambda run, a: scale(a, -field.beta)})

        def first(r, a, run):
            for k, i in enumerate(POWERS["fp12"]):
                wanted = [a[2 * k], neg(a[2 * k + 1])]
                wanted = pair_mul(wanted, values(factors[i]), field.beta) if i else wanted
                require_all(r[2 * k:2 * k + 2], wanted, "a^p")

        def second(r, a, run):
            for k, i in enumerate(POWERS["fp12"]):
                factor = factors_2[i].value if i else const(1)
                require_all(r[2 * k:2 * k + 2], [mul(x, factor) for x in a[2 * k:2 * k + 2]], "a^(p^2)")
        count += check(code, "fp12_frobenius", ["fp12"], first, leaves, overrides=overrides)
        count += check(code, "fp12_frobenius_q", ["fp12"], second, leaves, overrides=overrides)
    return count


# ---- The cyclotomic subgroup ----

"""a^(p^4 - p^2 + 1) = 1 says a^(p^4) * a = a^(p^2). With zeta = w^(p^2 - 1), which is in Fp and has zeta^2 = zeta - 1
(prove_frobenius), a^(p^2) is the sum of zeta^i a_i w^i, so that the coefficients of the product below are 0."""
(ZETA_ATOM,), = ZETA
ZETA_RULE = [((ZETA_ATOM, ZETA_ATOM), sub(ZETA, const(1)))]


def twisted(a, k):
    """Return a^(p^(2k))."""
    return {i: mul(x, power(ZETA, k * i % 6)) for i, x in a.items()}


def relations(a):
    """Return {i: the coefficient of w^i in a^(p^4) * a - a^(p^2)} without zeta. All of them are 0. Those of w and w^4 would be
    multiplied by zeta^2, and those of w^2 and w^5 by zeta^4, which are units."""
    left, right = model_mul(twisted(a, 2), a), twisted(a, 1)
    unit = {0: 0, 3: 0, 1: 2, 4: 2, 2: 4, 5: 4}
    return {i: reduce(mul(power(ZETA, unit[i]), sub(left[i], right[i])), ZETA_RULE) for i in range(6)}


def norm(a):
    """Return {i: the coefficient of w^i in a * conj(a) - 1}. All of them are 0, because p^4 - p^2 + 1 divides p^6 + 1 and
    conj(a) = a^(p^6)."""
    one = model_mul(a, {i: neg(x) if i % 2 else x for i, x in a.items()})
    return {i: sub(one.get(i, {}), const(int(i == 0))) for i in range(6)}


def prove_cyclotomic_square(replaced=()):
    """The claims are fp12_cyclotomic_sqr: "r = a^2 for an `a` with a^(p^4 - p^2 + 1) = 1", where r - a^2 is twice the
    relations; fp12_compressed_sqr: "r = a^2. This is fp12_cyclotomic_sqr without A"; fp4_sqr: "(a + b * y)^2, where
    y^2 = xi"."""
    code = over_fp2(replaced)

    def claim(r, a, run):
        a = model(a, "fp12")
        square, zero = model_mul(a, a), relations(a)
        for i, x in model(r, "fp12").items():
            require_same(sub(x, square[i]), scale(zero[i], 2), "a^2")
    count = check(code, "fp12_cyclotomic_sqr", ["fp12"], claim, OVER_FP2)
    whole = unknown(code.new("fp12"), "a")
    squared, compressed = code.new("fp12"), code.new("fp12_compressed")
    Run(code, Elements(), OVER_FP2).call("fp12_cyclotomic_sqr", address(squared), address(whole))
    wanted, small = code.new("fp12_compressed"), code.new("fp12_compressed")
    Run(code, Elements(), OVER_FP2).call("fp12_compress", address(wanted), address(squared))
    for alias in (False, True):
        Run(code, Elements(), OVER_FP2).call("fp12_compress", address(compressed), address(whole))
        r = compressed if alias else small
        Run(code, Elements(), OVER_FP2).call("fp12_compressed_sqr", address(r), address(compressed))
        require_all(values(r), values(wanted), "the compressed square")
        count += 1
    for _, (r0, r1, a, b), _ in ways(code, "fp4_sqr", lambda: [[address(code.new("fp2")), address(code.new("fp2"))] + [
            address(m()) for m in operands(code, "fp2", "fp2")]], OVER_FP2):
        require_same(r0.value, add(power(a.value, 2), product(XI, b.value, b.value)), "r0")
        require_same(r1.value, scale(mul(a.value, b.value), 2), "r1")
        count += 1
    return count


def prove_decompression(replaced=()):
    """The claims are fp12_decompress: "Set r to a with its A, which is computed from `inverse` = 1/(4*b0)", modulo the relations;
    fp12_decompress_all, which gives each a[i] its own 1/(4*b0): "return 0 if one of them has b0 = 0"."""
    code = over_fp2(replaced)
    whole = unknown(code.new("fp12"), "a")
    a = model(values(whole), "fp12")
    small, r, inverse = code.new("fp12_compressed"), code.new("fp12"), fill(code.new("fp2"), [atom("i")])
    Run(code, Elements(), OVER_FP2).call("fp12_compress", address(small), address(whole))
    Run(code, Elements(), OVER_FP2).call("fp12_decompress", address(r), address(small), address(inverse))
    found, zero, one = model(values(r), "fp12"), relations(a), norm(a)
    i, b0 = inverse.value, a[1]
    for k in (1, 2, 4, 5):
        require_same(found[k], a[k], "B and C")
    # r.A1 = A1 + A1 (4 b0 i - 1) + i (2 E + N), where the relations E and N are 0, and 4 b0 i is 1.
    e, n = zero[4], one[4]
    e, n = scale(e, 1), n
    for signs in ((2, 1), (2, -1), (-2, 1), (-2, -1)):
        rest = total(a[3], mul(a[3], sub(scale(mul(b0, i), 4), const(1))), mul(i, add(scale(e, signs[0]), scale(n, signs[1]))))
        if not sub(found[3], rest):
            break
    else:
        raise Reject("A1 is not what is claimed")
    # To get r.A0 as a polynomial in A1, the same run is done with A1 in place of r.A1, and then the relations of w^0 are used.
    wanted = add(const(1), mul(XI, total(scale(power(found[3], 2), 2), mul(a[1], a[5]), scale(mul(a[4], a[2]), -3))))
    require_same(found[0], wanted, "A0 = 1 + xi*(2*A1^2 + b0*c1 - 3*b1*c0)")
    exact = add(const(1), mul(XI, total(scale(power(a[3], 2), 2), mul(a[1], a[5]), scale(mul(a[4], a[2]), -3))))
    require_same(sub(exact, a[0]), sub(zero[0], one[0]), "A0 modulo the relations")
    count = 1
    for number in (1, 2, 3, 4):
        def note(run, place, compressed, value):
            run.__dict__.setdefault("noted", {})[place.index] = (compressed.target()["b0"].value, value_of(value))

        def start(choices):
            run = Run(code, Elements(), {**OVER_FP2, "fp12_decompress": note}, (), choices)
            inputs = [unknown(code.new("fp12_compressed"), "s%d_" % k) for k in range(number)]
            outputs = [code.new("fp12") for _ in range(number)]
            return run, lambda: run.call("fp12_decompress_all", address(outputs), address(inputs), number)
        for run, answer in every_way(start):
            count += 1
            everything = product(*[atom("s%d_0" % k) for k in range(number)])
            if fact(run, everything) == 1:
                if answer != 0:
                    raise Reject("b0 = 0 is not refused")
                continue
            (inverse_all, of), = run.inverses
            require_same(of, everything, "what is inverted")
            if answer != 1 or sorted(run.noted) != list(range(number)):
                raise Reject("not all are decompressed")
            for k, (b0, value) in run.noted.items():
                require_same(b0, atom("s%d_0" % k), "whose inverse it is")
                require_same(scale(mul(b0, value), 4), mul(inverse_all, everything), "1/(4*b0)")
    return count


PROVE = (prove_fp2, prove_xi, prove_products, prove_inverses, prove_frobenius, prove_cyclotomic_square, prove_decompression)
MUTANTS = (
    (prove_fp2, "fp_mul_pair_limbs(c0.l, a->c0.l, b->c0.l, minus_beta_a1.l, b->c1.l)",
     "fp_mul_pair_limbs(c0.l, a->c0.l, b->c0.l, minus_beta_a1.l, b->c0.l)"),
    (prove_fp2, "fp2_minus_beta_times(&minus_beta_a1, &a->c1);", "r->c0 = a->c0; fp2_minus_beta_times(&minus_beta_a1, &b->c1);"),
    (prove_fp2, "fp_neg(&r->c1, &norm)", "r->c1 = norm"),
    (prove_xi, "const fp a0 = a->c0;", "const fp a0 = s->c0;"),
    (prove_products, "fe_mul_xi(&t2, &t2)", "fe_mul_xi(&t1, &t1)"),
    (prove_products, "fp6_mul_v(&right, &product)", "fp6_mul_v(&right, &left)"),
    (prove_products, "r->c2 = a->c1;\n    r->c1 = a->c0;", "r->c1 = a->c0;\n    r->c2 = a->c1;"),
    (prove_inverses, "fp2_sqr(&d1, &a->c2)", "fp2_sqr(&d1, &a->c1)"),
    (prove_inverses, "fp6_neg(&r->c1, &norm)", "r->c1 = norm"),
    (prove_frobenius, "fp12_frobenius_part(&r->c1.c1, &a->c1.c1, 3)", "fp12_frobenius_part(&r->c1.c1, &a->c1.c1, 4)"),
    (prove_cyclotomic_square, "fp12_cyclotomic_plus(&r->c1.c1, &a1, &a->c1.c1)", "fp12_cyclotomic_minus(&r->c1.c1, &a1, &a->c1.c1)"),
    (prove_cyclotomic_square, "fe_mul_xi(&c1, &c1);", ""),
    (prove_decompression, "fp12_cyclotomic_minus(&a1, &term, &a->b1)", "fp12_cyclotomic_plus(&a1, &term, &a->b1)"),
    (prove_decompression, "fp2_halve(&one_inverse, &one_inverse)", "fp2_double(&one_inverse, &one_inverse)"),
)
