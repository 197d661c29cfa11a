# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the claims on pairing.h: on the steps of the Miller loop, on lines, and on the final exponentiation, which is
an identity of integers.

Steps are proved over Fp2, whose functions are leaves. Functions that work on coordinates (pairing_sqr_minus, pairing_mul_3b,
pairing_line_at) are proved over Fp. It is not proved here that the loop's function is the optimal ate pairing: pairing.h cites
that.
"""
from fractions import Fraction

from algebra import Reject, const, mul, scale
from c_source import Run, address, every_way, program
from curves import Field, header, modulus, number
from elements import Elements, add, atom, fill, neg, power, product, require_same, ring_leaves, set_to, sub, total, unknown, values, ways
from claims.tower import OVER_FP2, PAIRINGS, check, model, model_mul, pair_mul, require_all, require_model

FILES = ("math/point.h", "math/curve.h", "math/fp6.h", "math/fp12.h", "math/pairing.h")
B = atom("b'")  # the twist's b
BW6 = "bw6_761_g2"


def over_fp2(curve, replaced=()):
    return program(curve, FILES, ("math/pairing.h",), elements=("fp", "fp2"), replaced=replaced)


def over_fp(curve, replaced=()):
    return program(curve, FILES + ("math/fp2.h",), ("math/pairing.h",), elements=("fp",), replaced=replaced)


def prove_coordinates(replaced=()):
    """The claims are pairing_sqr_minus: "r = a^2 - b*c for b and c with b0*c1 = b1*c0"; pairing_mul_3b: "r = 3*b'*a for the b'
    of the twist"; that the constant CURVE_TWIST_3B is 3*b', where b' = b*xi or b/xi; and that pairing_line_at gives the line at
    P."""
    count = 0
    for curve in PAIRINGS:
        code, field, constants = over_fp(curve, replaced), Field(curve), header(curve)
        leaves = ring_leaves("fp", {"fp2_minus_beta_times": lambda run, a: scale(a, -field.beta)})
        xi, b = (constants["CURVE_PAIRING_XI"], 1), (constants["CURVE_TWIST_B"], 0)
        twisted = field.mul(b, xi) if constants["CURVE_TWIST_M"] else field.mul(b, field.inverse(xi))
        if field.element(constants["CURVE_B"]) != twisted or field.element(constants["CURVE_TWIST_3B"]) != field.scale(twisted, 3):
            raise Reject("the twist's b")
        # One of the products replaces the other, because b0*c1 = b1*c0.
        (b0c1,), (b1c0,) = mul(atom("b0"), atom("c1")), mul(atom("b1"), atom("c0"))
        rule = [(b1c0, {b0c1: 1})]

        def minus(r, a, x, y, run):
            wanted = [sub(p, q) for p, q in zip(pair_mul(a, a, field.beta), pair_mul(x, y, field.beta))]
            for found, value in zip(r, wanted):
                require_same(found, value, "a^2 - b*c", rule)
        for alias in (False, True):  # `check` has the cases in which r is a, b or c; the case b = c is not claimed
            count += check(code, "pairing_sqr_minus", ["fp2"] * 3, minus, leaves, alias=alias)
        three_b = unknown(code.new("fp2"), "three_b")
        factor = [const(3 * b[0] * xi[0]), const(3 * b[0])] if constants["CURVE_TWIST_M"] else values(three_b)
        for run, (r, a), _ in ways(code, "pairing_mul_3b", lambda: [
                [address(code.new("fp2")), address(unknown(code.new("fp2"), "a"))]], leaves, {"three_b": three_b}):
            require_all(values(r), pair_mul(values(a), factor, field.beta), "3*b'*a")
            count += 1
        line = code.new("pairing_line")
        slope = unknown(code.new("pairing_slope"), "l")
        s = code.new("pairing_state")
        s["minus_px"].value, s["py"].value = atom("mx"), atom("y")
        Run(code, Elements(), leaves).call("pairing_line_at", address(line), address(s), address(slope))
        n, d, c = ([x.value for x in slope[f].values()] for f in ("numerator", "denominator", "constant"))
        dy, nx = [mul(x, atom("y")) for x in d], [mul(x, atom("mx")) for x in n]
        wanted = c + nx + dy if constants["CURVE_TWIST_M"] else dy + nx + c
        require_all(values(line), wanted, "the line at P")
        count += 1
    return count


def prove_steps(replaced=()):
    """The claims are pairing_double: "Set T to 2*T, and compute the tangent at T", for T on the curve Y^2 Z = X^3 + b' Z^3;
    pairing_add: "Set T to T + Q', and compute the line through both. T must be neither infinity nor +-Q'". A slope is
    numerator/denominator, and constant = numerator*x - denominator*y."""
    count = 0
    x1, y1, z1, x, y = (atom(n) for n in ("X", "Y", "Z", "qx", "qy"))
    (xxx,) = power(x1, 3)
    on_curve = [(xxx, sub(product(y1, y1, z1), mul(B, power(z1, 3))))]

    def state(code):
        s = code.new("pairing_state")
        s["x"].value, s["y"].value, s["z"].value = x1, y1, z1
        return s
    for curve in PAIRINGS:
        code = over_fp2(curve, replaced)
        leaves = {**OVER_FP2, "pairing_mul_3b": set_to(lambda c: scale(mul(B, c), 3)),
                  "pairing_sqr_minus": set_to(lambda a, b, c: sub(power(a, 2), mul(b, c)))}
        for run, (slope, s), _ in ways(code, "pairing_double", lambda: [[address(code.new("pairing_slope")), address(state(code))]], leaves):
            x3, y3, z3 = s["x"].value, s["y"].value, s["z"].value
            n, d, c = values(slope)
            # The slope is 3 X^2 / (2 Y Z), for the line through (X/Z, Y/Z).
            require_same(mul(n, product(scale(y1, 2), z1)), mul(d, scale(power(x1, 2), 3)), "the slope")
            require_same(mul(c, z1), sub(mul(n, x1), mul(d, y1)), "the constant", on_curve)
            # x3 = (N/D)^2 - 2 X/Z, y3 = (N/D)(X/Z - x3) - Y/Z
            require_same(product(x3, z1, d, d), mul(z3, sub(product(n, n, z1), scale(product(x1, d, d), 2))), "X'", on_curve)
            require_same(product(y3, z1, d), sub(mul(n, sub(mul(x1, z3), mul(x3, z1))), product(y1, z3, d)), "Y'", on_curve)
            require_same(z3, scale(product(power(y1, 3), z1), 2), "Z', which is 0 only at infinity and points of order 2")
            count += 1
        for run, (slope, s, *_), _ in ways(code, "pairing_add", lambda: [
                [address(code.new("pairing_slope")), address(state(code)), address(fill(code.new("fp2"), [x])),
                 address(fill(code.new("fp2"), [y]))]], leaves):
            x3, y3, z3 = s["x"].value, s["y"].value, s["z"].value
            n, d, c = values(slope)
            require_same(n, sub(y1, mul(y, z1)), "the numerator")
            require_same(d, sub(x1, mul(x, z1)), "the denominator")
            require_same(c, sub(mul(n, x), mul(d, y)), "the constant")
            require_same(product(x3, z1, d, d), mul(z3, total(product(n, n, z1), neg(product(x1, d, d)), neg(product(x, z1, d, d)))), "X'")
            require_same(mul(y3, d), sub(mul(n, sub(mul(x, z3), x3)), product(y, z3, d)), "Y'")
            require_same(z3, product(z1, d, d, d), "Z', which is 0 only where x1 = x2")
            count += 1
    return count


def prove_lines(replaced=()):
    """The claims are fp12_mul_line and fp12_mul_line_pair: "r = a * l"; pairing_multiply_lines: "Compute the product of two
    lines". A line is a + b*w + c*w^3 with twist D, and a + b*w^2 + c*w^3 with twist M."""
    count = 0
    for curve in PAIRINGS:
        code, m = over_fp2(curve, replaced), header(curve)["CURVE_TWIST_M"]
        line = lambda l: {0: l[0], (2 if m else 1): l[1], 3: l[2]}

        def as_model(q):
            odd = model_mul({(3 if m else 1): const(1)}, {0: q[3], 2: q[4]})
            return {k: add(model(q[:3], "fp6").get(k, {}), odd.get(k, {})) for k in range(6)}
        count += check(code, "fp12_mul_line", ["fp12", "pairing_line"], lambda r, a, l, run: require_model(
            model(r, "fp12"), model_mul(model(a, "fp12"), line(l)), "a * l"), OVER_FP2)
        count += check(code, "pairing_multiply_lines", ["pairing_line", "pairing_line"], lambda r, a, b, run: require_model(
            as_model(r), model_mul(line(a), line(b)), "the product of two lines"), OVER_FP2, result="pairing_line_pair", alias=False)
        count += check(code, "fp12_mul_line_pair", ["fp12", "pairing_line_pair"], lambda r, a, l, run: require_model(
            model(r, "fp12"), model_mul(model(a, "fp12"), as_model(l)), "a * l"), OVER_FP2)
    return count


# ---- The final exponentiation: powers of a as their exponents ----

P, X = atom("p"), atom("x")


def exponents():
    """Return leaves that do with the exponent e what the functions do with a^e. The leaves treat p^6 as conjugation, which is
    inversion in the cyclotomic subgroup."""
    return {
        "fp12_mul": set_to(add), "fp12_cyclotomic_sqr": set_to(lambda e: scale(e, 2)), "fp12_conjugate": set_to(neg),
        "fp12_frobenius": set_to(lambda e: mul(P, e)), "fp12_frobenius_q": set_to(lambda e: product(P, P, e)),
        "pairing_pow_x": set_to(lambda e: mul(X, e)),
    }


def whole(poly, p, x):
    """Return the value of a polynomial in p and x."""
    (pa,), (xa,) = next(iter(P)), next(iter(X))
    return sum(c * p ** m.count(pa) * x ** m.count(xa) for m, c in poly.items())


def is_bn(curve):
    return header(curve)["CURVE_PAIRING_FAMILY"] == header(curve)["CURVE_PAIRING_BN"]


def family_x(curve):
    """Return x of the curve, from its digits and its sign. It must also give the curve's p and r."""
    constants = header(curve)
    x = 0
    for digit in constants["CURVE_PAIRING_X"]:
        x = 2 * x + digit
    x = -x if constants["CURVE_PAIRING_X_NEGATIVE"] else x
    p, r = modulus(curve), modulus(curve, "FR")
    if is_bn(curve):
        right = p == 36 * x**4 + 36 * x**3 + 24 * x**2 + 6 * x + 1 and r == 36 * x**4 + 36 * x**3 + 18 * x**2 + 6 * x + 1
    else:
        right = r == x**4 - x**2 + 1 and 3 * p == (x - 1) ** 2 * r + 3 * x
    if not right:
        raise Reject("the family's polynomials do not give p and r")
    return x


def prove_final_exponentiation(replaced=(), also_bn_within=False):
    """The claims are pairing_easy_part: "r = a^((p^6 - 1)(p^2 + 1))"; pairing_hard_part: "r = a^(3*(p^4 - p^2 + 1)/r)" for
    BLS12, where "the exponent is (x - 1)^2 * (x + p) * (x^2 + p^2 - 1) + 3", and "a^(2x(6x^2 + 3x + 1)*(p^4 - p^2 + 1)/r)" for
    BN. Exponents are integers, and r does not divide the multiple 3, or 2x(6x^2 + 3x + 1). r may be a, but in BN's hard part "r
    must not alias a". In the hard part a^(p^4 - p^2 + 1) = 1."""
    count = 0
    for curve in PAIRINGS:
        code = program(curve, FILES, ("math/pairing.h",), elements=("fp", "fp2", "fp6", "fp12"), replaced=replaced)
        p, r, x = modulus(curve), modulus(curve, "FR"), family_x(curve)
        bn = is_bn(curve)
        for alias in (False, True):
            if alias and bn and not also_bn_within:
                continue
            easy = {**exponents(), "fp12_inv": set_to(neg), "fp12_conjugate": set_to(lambda e: mul(power(P, 6), e))}
            for name, leaves in (("pairing_easy_part", easy), ("pairing_hard_part", exponents())):
                a = fill(code.new("fp12"), [const(1)])
                result = a if alias else code.new("fp12")
                Run(code, Elements(), leaves).call(name, address(result), address(a))
                count += 1
                if name == "pairing_easy_part":
                    require_same(result.value, mul(sub(power(P, 6), const(1)), add(power(P, 2), const(1))), "the easy part")
                    continue
                phi = p**4 - p**2 + 1
                multiple = 2 * x * (6 * x * x + 3 * x + 1) if bn else 3
                if phi % r or multiple % r == 0 or whole(result.value, p, x) % phi != multiple * (phi // r) % phi:
                    raise Reject("the hard part's exponent")
                if not bn:
                    written = add(product(power(sub(X, const(1)), 2), add(X, P), total(power(X, 2), power(P, 2), const(-1))), const(3))
                    require_same(result.value, written, "the exponent as it is written")
                    if whole(result.value, p, x) * r != 3 * phi:
                        raise Reject("3*(p^4 - p^2 + 1)/r as an integer")
                else:
                    big = total(scale(power(X, 3), 12), scale(power(X, 2), 6), scale(X, 6))
                    small = sub(big, scale(X, 2))
                    written = total(big, scale(power(X, 2), 6), const(1), mul(small, P), mul(big, power(P, 2)),
                                    mul(sub(small, const(1)), power(P, 3)))
                    require_same(result.value, written, "the exponent as it is written")
        count += check_powers(curve, x, replaced)
    return count


def check_powers(curve, x, replaced):
    """The claim is pairing_pow_x: "r = a^x", which fp12_sparse_pow or fp12_cyclotomic_pow computes, depending on what
    fp12_decompress_all returns."""
    count = 0
    code = program(curve, FILES, ("math/pairing.h",), elements=("fp", "fp2", "fp6", "fp12", "fp12_compressed"), replaced=replaced)
    leaves = {**exponents(), "fp12_compressed_sqr": set_to(lambda e: scale(e, 2)), "fp12_compress": set_to(lambda e: e)}
    del leaves["pairing_pow_x"]

    def decompress_all(run, r, a, number):
        if not run.ask():
            return 0
        for k in range(number):
            r.block[r.index + k].value = a.block[a.index + k].value
        return 1
    leaves["fp12_decompress_all"] = decompress_all
    e = atom("e")
    for alias in (False, True):
        def start(choices):
            run = Run(code, Elements(), leaves, (), choices)
            a = fill(code.new("fp12"), [e])
            run.r = a if alias else code.new("fp12")
            return run, lambda: run.call("pairing_pow_x", address(run.r), address(a))
        for run, _ in every_way(start):
            require_same(run.r.value, scale(e, x), "a^x")
            count += 1
    return count


def prove_loop(replaced=()):
    """The claim is pairing_steps: "Write the steps of the loop in their order. The first step is a doubling". Read as
    operations on multiples of Q, the steps lead from Q to |x| Q (BLS12), or to (6x + 2) Q + pi(Q) - pi^2(Q) (BN)."""
    count = 0
    for curve in PAIRINGS:
        code, x = over_fp2(curve, replaced), family_x(curve)
        bn = is_bn(curve)
        most = 2 * header(curve)["CURVE_PAIRING_LOOP_DIGITS"]
        steps = [code.new("pairing_step") for _ in range(most)]
        length = Run(code, Elements(), {}).call("pairing_steps", address(steps))
        names = {value: name for name, value in code.constants.items()}
        multiple, images = 1, []
        for cell in steps[:length]:
            name = names[cell.value]
            multiple = {"PAIRING_DOUBLE": 2 * multiple, "PAIRING_ADD": multiple + 1, "PAIRING_SUBTRACT": multiple - 1}.get(name, multiple)
            images += [name] if "IMAGE" in name else []
        if names[steps[0].value] != "PAIRING_DOUBLE" or multiple != (6 * x + 2 if bn else abs(x)):
            raise Reject("the loop's multiple of Q")
        if images != (["PAIRING_ADD_IMAGE", "PAIRING_SUBTRACT_IMAGE"] if bn else []):
            raise Reject("the loop's last steps")
        count += 1
    return count


# ---- BW6-761, whose fe is fp ----


def prove_bw6(replaced=()):
    """The claims on the code in which fe is fp are fe_mul_xi: "r = xi * a"; fe_add_xi_less_one: "r = s + (xi - 1) * a";
    fp12_frobenius_q: "r = a^q", where q = p and the factors are checked as numbers; pairing_frobenius: "Set Q to pi(Q), which is
    (x / w^(2p-2), y / w^(3p-3))"; pairing_easy_part with p in place of p^2; pairing_hard_part:
    "r = a^((x + 1)*(p^2 - p + 1)/r)"; and pairing_steps, whose steps lead from pi(Q) to infinity, but for the last one. Functions
    whose text has no condition on FE_DEGREE are proved for the other curves, with any xi."""
    curve = BW6
    constants, p, r = header(curve), modulus(curve), modulus(curve, "FR")
    xi, x, count = constants["CURVE_PAIRING_XI"], 0, 0
    for digit in constants["CURVE_PAIRING_X"]:
        x = 2 * x + digit
    code, leaves, field = over_fp2(curve, replaced), ring_leaves("fp"), Field(curve)
    factors = [field.element(f)[0] for f in constants["CURVE_FROBENIUS_Q"]]
    if factors != [pow(xi, i * (p - 1) // 6, p) for i in range(6)] or (factors[1] ** 2 - factors[1] + 1) % p:
        raise Reject("CURVE_FROBENIUS_Q")
    if factors[4] * factors[2] % p != 1 or factors[3] ** 2 % p != 1:
        raise Reject("1/w^(2p-2) and 1/w^(3p-3)")
    if field.element(constants["CURVE_TWIST_3B"]) != field.scale(field.element(constants["CURVE_B"]), 3):
        raise Reject("the twist's b")
    count += check(code, "fe_mul_xi", ["fp"], lambda r, a, run: require_all(r, [scale(a[0], xi)], "xi * a"), leaves)
    count += check(code, "fe_add_xi_less_one", ["fp", "fp"], lambda r, s, a, run: require_all(
        r, [add(s[0], scale(a[0], xi - 1))], "s + (xi - 1) * a"), leaves)
    unknown_factors = [fill(code.new("fp"), [atom("g%d" % i)]) for i in range(6)]
    overrides = {"fp12_frobenius_q_factors": unknown_factors}
    count += check(code, "fp12_frobenius_q", ["fp12"], lambda r, a, run: require_all(
        r, [mul(c, unknown_factors[i].value) if i else c for c, i in zip(a, (0, 2, 4, 1, 3, 5))], "a^q"), leaves, overrides=overrides)
    for run, (q,), _ in ways(code, "pairing_frobenius", lambda: [[address(unknown(code.new("affine"), "q"))]], leaves, overrides):
        require_all(values(q), [mul(atom("q%d" % i), unknown_factors[k].value) for i, k in ((0, 4), (1, 3))], "pi(Q)")
        count += 1
    whole_code = program(curve, FILES, ("math/pairing.h",), elements=("fp", "fp6", "fp12"), replaced=replaced)
    exponent = {**exponents(), "fp12_frobenius_q": set_to(lambda e: mul(P, e)),
                "pairing_pow_x_third": set_to(lambda e: scale(mul(sub(X, const(1)), e), Fraction(1, 3)))}
    easy = {**exponent, "fp12_inv": set_to(neg), "fp12_conjugate": set_to(lambda e: mul(power(P, 3), e))}
    results = {}
    for name, chain in (("pairing_easy_part", easy), ("pairing_hard_part", exponent)):
        a, result = fill(whole_code.new("fp12"), [const(1)]), whole_code.new("fp12")
        Run(whole_code, Elements(), chain).call(name, address(result), address(a))
        results[name] = result.value
        count += 1
    require_same(results["pairing_easy_part"], mul(sub(power(P, 3), const(1)), add(P, const(1))), "the easy part")
    if (p * p - p + 1) % r or whole(results["pairing_hard_part"], p, x) != (x + 1) * ((p * p - p + 1) // r):
        raise Reject("the hard part's exponent")
    third = 0
    for digit in constants["CURVE_PAIRING_X_THIRD"]:
        third = 2 * third + digit
    if 3 * third != x - 1:
        raise Reject("(x - 1)/3")
    steps = [code.new("pairing_step") for _ in range(2 * constants["CURVE_PAIRING_LOOP_DIGITS"])]
    length = Run(code, Elements(), {}).call("pairing_steps", address(steps))
    names = {value: name for name, value in code.constants.items()}
    added = {"PAIRING_ADD": 1, "PAIRING_SUBTRACT": -1, "PAIRING_ADD_IMAGE": p, "PAIRING_SUBTRACT_IMAGE": -p}
    multiple = p
    for cell in steps[:length]:
        name = names[cell.value]
        if name in added and (multiple - added[name]) % r == 0:
            raise Reject("a point is added to itself")
        multiple = 2 * multiple if name == "PAIRING_DOUBLE" else multiple + added[name]
        if multiple % r == 0:
            raise Reject("the loop meets infinity")
    if names[steps[0].value] != "PAIRING_DOUBLE" or multiple % r not in (p % r, -p % r):
        raise Reject("the loop's end")
    return count + 1


PROVE = (prove_coordinates, prove_steps, prove_lines, prove_final_exponentiation, prove_loop, prove_bw6)
FALSE = (("BN's hard part with r = a", lambda: prove_final_exponentiation(also_bn_within=True)),)
MUTANTS = (
    (prove_coordinates, "fp_sub(&other_difference, &c->c1, &c->c0)", "fp_sub(&other_difference, &c->c0, &c->c1)"),
    (prove_coordinates, "fe_mul_fp(&line->b, &slope->numerator, &s->minus_px)", "fe_mul_fp(&line->b, &slope->denominator, &s->minus_px)"),
    (prove_steps, "fp2_sub(&slope->constant, &b, &e)", "fp2_sub(&slope->constant, &b, &f)"),
    (prove_steps, "pairing_sqr_minus(&s->y, &g, &e, &f)", "pairing_sqr_minus(&s->y, &g, &e, &e)"),
    (prove_steps, "fp2_mul(&g, &g, &numerator)", "fp2_mul(&g, &g, &denominator)"),
    (prove_lines, "fp2_add(&joined, &l->b, &l->c)", "fp2_add(&joined, &l->a, &l->c)"),
    (prove_lines, "fe_cross_product(&ac, &l->a, &l->c, &k->a, &k->c, &aa, &cc)", "fe_cross_product(&ac, &l->a, &l->c, &k->a, &k->c, &aa, &bb)"),
    (prove_final_exponentiation, "fp12_frobenius_q(&next, &power)", "fp12_frobenius(&next, &power)"),
    (prove_final_exponentiation, "fp12_mul(&part_b, &part_a, &x2)", "fp12_mul(&part_b, &part_a, &x6)"),
    (prove_final_exponentiation, "saved_count = 0, i = count - 1;", "saved_count = 0, i = count - 2;"),
    (prove_final_exponentiation, "if (digits[i] > 0) {", "if (digits[i] > 1) {"),
    (prove_loop, "pairing_loop[i] > 0", "pairing_loop[i] < 0"),
    (prove_bw6, "fp_neg(r, r);", ""),
    (prove_bw6, "&fp12_frobenius_q_factors[4]", "&fp12_frobenius_q_factors[2]"),
    (prove_bw6, "&next, 103)", "&next, 101)"),
    (prove_bw6, "pairing_image_loop[i] > 0", "pairing_image_loop[i] < 0"),
)
