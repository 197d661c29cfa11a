# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file proves the claims of inverse.h: it proves the invariants of each block of steps. It does not prove that g becomes
0, and within how many steps: this is theorem 11.2 of Bernstein and Yang, which inverse.h cites.

The main invariant is that of fp_divsteps_62. Let f and g be the numbers after k division steps from f0 and g0. The head of
inverse.h defines these steps. Then modulo 2^62
    2^k f = u f0 + v g0,   2^k g = q f0 + r g0,   |u| + |v| <= 2^k,   |q| + |r| <= 2^(k + b),
where the lowest b <= 62 - k bits of g are 0, and b = 0 at first. prove_blocks proves that each block of the loop's body keeps
this invariant:
    zeros   If the lowest z >= b bits of g are 0, z steps of the second kind halve g. (u, v) doubles z times, k grows by z, and
            2^(k + b) <= 2^(k + z).
    swap    If delta > 0 and g is odd, (delta, f, g) := (-delta, g, -f). From this a step of the second kind gives
            (1 - delta, g, (g - f)/2).
    clear   If delta <= 0, the next 1 - delta steps are of the second kind. b' = min(6, 1 - delta, 62 - k) of them give
            (g + m f) / 2^b', where m < 2^b' is the only number for which this is an integer. The block keeps g + m f, whose b'
            zeros belong to the next block, and |q'| + |r'| <= 2^k + (2^b' - 1) 2^k.
"""
import random

from algebra import Reject, add, const, mul, scale
from c_source import BREAK, INT, LONG, UNSIGNED_LONG, Cell, Run, address, every_way, program
from claims.field_c import fields, most_limbs
from claims.limbs import cells, element, start_run
from curves import header, limbs_of, modulus
from integers import Integers, cut, join

DIGIT = 1 << 62
FULL = (1 << 64) - 1
PARTS = (("tiny_11_g1", "FP"), ("bn254_g1", "FP"), ("bls12_381_g1", "FP"), ("bw6_761_g1", "FP"))


def source(name, prefix="FP", replaced=()):
    before = '#undef __x86_64__\n#include SUMAC_CURVE_HEADER\n'
    return program(name, ("math/limbs.h", "math/field.h", "math/inverse.h"), ("math/field.h",) if prefix == "FP" else ("math/fr.h",),
                   before=before, replaced=replaced)


def digits_of(name, prefix):
    return (header(name)[prefix + "_BITS"] + 2 + 61) // 62


def loop_parts(code):
    """Return the statements of the loop of fp_divsteps_62: those before its exit, the exit, the swap, and those after it."""
    body = next(s for s in code.node("fp_divsteps_62").body.block_items if type(s).__name__ == "For").stmt.block_items
    ifs = [k for k, s in enumerate(body) if type(s).__name__ == "If"]
    if len(ifs) != 2:
        raise Reject("the loop has other blocks")
    return body[:ifs[0]], body[ifs[0]:ifs[0] + 1], body[ifs[1]:ifs[1] + 1], body[ifs[1] + 1:]


def run_part(code, statements, values, delta, steps_left, leaves=()):
    """Run statements on f, g, u, v, q, r, minus_inverse, delta and steps_left. Return the domain, and the scope's polynomials
    before and after them."""
    d = Integers()
    run = Run(code, d, leaves)
    d.run = run
    unknown = {x: d.unknown(x, 0, FULL, random.Random(x).randrange(FULL)) for x in ("f", "g", "u", "v", "q", "r", "minus_inverse")}
    for name, make in values.items():
        unknown[name] = make(d)
    scope = {x: Cell(UNSIGNED_LONG, value) for x, value in unknown.items()}
    scope["delta"] = Cell(LONG, delta(d) if callable(delta) else delta)
    scope["steps_left"] = Cell(INT, steps_left)
    before = {x: d.poly(c.value) for x, c in scope.items()}
    run.part(statements, scope)
    return d, before, {x: d.poly(scope[x].value) for x in scope if x in before or x == "multiple"}


def require_words(d, after, wanted, what):
    for name, poly in wanted.items():
        if any(c % (1 << 64) for c in d.settle(add(after[name], poly, -1)).values()):
            raise Reject("%s: %s" % (what, name))


def prove_blocks(replaced=()):
    """Prove the claims in the head of this file for every number of zeros, every delta and every count of steps that are
    left."""
    code, count = source("bn254_g1", replaced=replaced), 0
    zeros, leave, swap, clear = loop_parts(code)
    for z in range(63):
        half = lambda d: d.number({(d.atom("half", 0, (1 << (64 - z)) - 1, 3),): 1 << z})
        leaves = {"limb_trailing_zeros": lambda run, x: z}
        d, old, new = run_part(code, zeros, {"g": half}, lambda d: d.unknown("delta", -2000, 2000, 1), 62, leaves)
        require_words(d, new, {"u": scale(old["u"], 1 << z), "v": scale(old["v"], 1 << z), "f": old["f"], "q": old["q"], "r": old["r"]}, "zeros")
        d.require_equal(scale(new["g"], 1 << z), old["g"], "g after zeros")
        d.require_equal(new["delta"], add(old["delta"], const(z)), "delta after zeros")
        d.require_equal(new["steps_left"], const(62 - z), "steps_left after zeros")
        count += 1
    # The count of zeros is that of g with a bit set at steps_left, so that it is the lesser of steps_left and the place of g's
    # lowest bit. This is checked for every place.
    run = Run(code)
    for steps_left in range(1, 63):
        for place in range(64):
            scope = {"g": Cell(UNSIGNED_LONG, FULL << place & FULL), "steps_left": Cell(INT, steps_left)}
            if run.evaluate(zeros[0].init, scope) != min(place, steps_left):
                raise Reject("the count of zeros")
    for steps_left in (0, 1, 62):
        if (run.part(leave, {"steps_left": Cell(INT, steps_left)}) == BREAK) != (steps_left == 0):
            raise Reject("the loop's exit")
    d, old, new = run_part(code, swap, {}, lambda d: d.unknown("delta", 1, 2000, 1), 5)
    require_words(d, new, {"f": old["g"], "u": old["q"], "v": old["r"], "g": scale(old["f"], -1), "q": scale(old["u"], -1),
                           "r": scale(old["v"], -1)}, "swap")
    d.require_equal(new["delta"], scale(old["delta"], -1), "delta after the swap")
    d, old, new = run_part(code, swap, {}, lambda d: d.unknown("delta", -2000, 0, 0), 5)
    require_words(d, new, {x: old[x] for x in old if x != "steps_left"}, "no swap")
    # This is -1/f modulo 64, at the start and after a swap. It is a polynomial in f, so that it suffices to check all odd
    # f < 64.
    items = code.node("fp_divsteps_62").body.block_items
    first = next(s for s in items if getattr(s, "name", None) == "minus_inverse").init
    second = next(s for s in swap[0].iftrue.block_items if type(s).__name__ == "Assignment" and s.lvalue.name == "minus_inverse").rvalue
    for expression in (first, second):
        for f in range(1, 64, 2):
            if (run.evaluate(expression, {"f": Cell(UNSIGNED_LONG, f)}) * f + 1) % 64:
                raise Reject("minus_inverse")
    for delta in (0, -1, -2, -3, -4, -5, -6, -7, -61, -62, -500):
        for steps_left in range(1, 63):
            b = min(6, 1 - delta, steps_left)
            d, old, new = run_part(code, clear, {}, delta, steps_left)
            m = new["multiple"]
            d.require_within(m, 0, (1 << b) - 1, "the multiple of f")
            # m = g * minus_inverse modulo 2^b, so that g + m f = g (1 + minus_inverse f) = 0 modulo 2^b.
            if any(c % (1 << b) for c in d.settle(add(m, mul(old["g"], old["minus_inverse"]), -1)).values()):
                raise Reject("the multiple of f")
            require_words(d, new, {"g": add(old["g"], mul(m, old["f"])), "q": add(old["q"], mul(m, old["u"])),
                                   "r": add(old["r"], mul(m, old["v"])), "f": old["f"], "u": old["u"], "v": old["v"]}, "clear")
            count += 1
    return count + check_by_steps(code)


def check_by_steps(code):
    """Compare fp_divsteps_62 on numbers with the division steps that the head of inverse.h defines. This checks that the blocks
    are put together as this file assumes."""
    rng = random.Random(5)
    for _ in range(6):
        delta, f, g = rng.choice((1, -3, 7)), rng.randrange(1 << 62) | 1, rng.randrange(1 << 62)
        matrix = code.new("fp_divstep_matrix")
        found = Run(code).call("fp_divsteps_62", delta, f, g, address(matrix))
        u, v, q, r, n = 1, 0, 0, 1, delta
        x, y = f, g
        for _ in range(62):
            if n > 0 and y & 1:
                n, x, y, u, v, q, r = 1 - n, y, (y - x) // 2, 2 * q, 2 * r, q - u, r - v
            else:
                odd = y & 1
                n, y, q, r, u, v = 1 + n, (y + odd * x) // 2, q + odd * u, r + odd * v, 2 * u, 2 * v
        if [matrix[k].value for k in "uvqr"] != [u, v, q, r] or found != n:
            raise Reject("not the division steps")
    return 6


def matrix_of(code, d):
    """Return an unknown matrix with |u| + |v| <= 2^62 and |q| + |r| <= 2^62."""
    t = code.new("fp_divstep_matrix")
    numbers = {"u": 5, "v": -(1 << 61), "q": -3, "r": 1 << 60}
    for name, trial in numbers.items():
        t[name].value = d.unknown(name, -DIGIT, DIGIT, trial)
    for x, y in ("uv", "qr"):
        for sign in (1, -1):
            d.hints.append((add(t[x].value.poly, t[y].value.poly, sign), -DIGIT, DIGIT))
    return t


def signed(code, d, name, count, trial, top):
    """Return an unknown number of `count` digits. The uppermost one is in [-top - 1, top], and digits above it are not set."""
    values = [d.unknown("%s%d" % (name, i), 0, DIGIT - 1, trial >> (62 * i) & (DIGIT - 1)) for i in range(count - 1)]
    values.append(d.unknown("%s_top" % name, -top - 1, top, trial >> (62 * (count - 1))))
    number = code.new("fp_signed")
    for cell, value in zip(number["v"], values):
        cell.value = value
    return number, join(d, values, 62)


def digits(d, number, count):
    values = [c.value for c in number["v"][:count]]
    for x in values[:-1]:
        d.require_within(d.poly(x), 0, DIGIT - 1, "a digit")
    return join(d, values, 62)


def prove_apply(replaced=()):
    """The claim is fp_divstep_apply: "Set (f, g) to (u * f + v * g, q * f + r * g) / 2^62. The division is exact. f and g have
    `count` limbs in use". The lowest 62 bits are 0 by the invariants above. As |u| + |v| <= 2^62, |f|, |g| <= p still holds,
    and the uppermost digit fits."""
    count = 0
    for name, prefix in PARTS:
        code, most = source(name, prefix, replaced), digits_of(name, prefix)
        for size in sorted({1, min(2, most), most}):
            def prepare(run, d):
                run.t = matrix_of(code, d)
                top = (1 << 61) - 1
                run.f, run.fp = signed(code, d, "f", size, 12345678901, top)
                run.g, run.gp = signed(code, d, "g", size, -987654321, top)
                # The uppermost digit is cast. The cast is exact, because |f| <= p < 2^(62 count - 2), so that the digit is
                # below 2^62. The identity below proves this.
                d.narrow = lambda poly: (-DIGIT, DIGIT)
                return lambda: run.call("fp_divstep_apply", address(run.f), address(run.g), size, address(run.t))
            for run, _ in every_way(start_run(code)(prepare)):
                d = run.domain
                t = {k: d.poly(c.value) for k, c in run.t.items()}
                for number, x, y in ((run.f, "u", "v"), (run.g, "q", "r")):
                    total = add(mul(t[x], run.fp), mul(t[y], run.gp))
                    (f0,), (g0,) = ([(m, c) for m, c in z.items() if c == 1] for z in (run.fp, run.gp))
                    lowest = add(mul(t[x], {f0[0]: 1}), mul(t[y], {g0[0]: 1}))
                    rest = add(lowest, d.floor(lowest, 62), -DIGIT)  # the lowest 62 bits
                    d.require_equal(scale(digits(d, number, size), DIGIT), add(total, rest, -1), "f")
                    count += 1
    return count


def prove_apply_mod(replaced=()):
    """The claim is fp_divstep_apply_mod: "Set (d, e) to (u * d + v * e, q * d + r * e) / 2^62 modulo p. Before and after,
    -2p < d, e < p. First p is added to those of d and e that are negative, so that |u * d + v * e| < 2^62 * p. Then k * p is
    added, where k in (-2^62, 0] makes the sum divisible by 2^62". It is proved for the p and r of every curve."""
    count = 0
    for p, (name, prefix) in fields().items():
        code, size = source(name, prefix, replaced), digits_of(name, prefix)

        def prepare(run, d):
            run.t = matrix_of(code, d)
            top = (2 * p >> (62 * (size - 1)))
            run.d, run.dp = signed(code, d, "d", size, p // 3, top)
            run.e, run.ep = signed(code, d, "e", size, -p // 5, top)
            run.p = code.new("fp_signed")
            for i, cell in enumerate(run.p["v"]):
                cell.value = p >> (62 * i) & (DIGIT - 1)
            d.narrow = lambda poly: (-DIGIT, DIGIT)
            return lambda: run.call("fp_divstep_apply_mod", address(run.d), address(run.e), address(run.t), address(run.p))
        if 2 * p >> (62 * (size - 1)) >= 1 << 61:
            raise Reject("the uppermost digit does not fit")
        for run, _ in every_way(start_run(code)(prepare)):
            d = run.domain
            t = {k: d.poly(c.value) for k, c in run.t.items()}
            negative = [d.known(d.number(d.floor({m: c // (1 << 62 * (size - 1)) for m, c in x.items() if c == 1 << 62 * (size - 1)}, 63)))
                        for x in (run.dp, run.ep)]
            for number, x, y in ((run.d, "u", "v"), (run.e, "q", "r")):
                total = add(mul(t[x], run.dp), mul(t[y], run.ep))
                difference = d.settle(add(scale(digits(d, number, size), DIGIT), total, -1))
                if any(c % p for c in difference.values()):
                    raise Reject("not the same modulo p")
                multiple = {m: c // p for m, c in difference.items()}
                # 2^62 d' = u (d + p [d < 0]) + v (e + p [e < 0]) - k p, where 0 <= k < 2^62.
                k = add(scale(multiple, -1), add(scale(t[x], -negative[0]), scale(t[y], -negative[1])))
                d.require_within(k, 0, DIGIT - 1, "the multiple of p")
                count += 1
    return count


def prove_parts(replaced=()):
    """The claims are fp_signed_from_limbs, fp_signed_to_limbs: "This requires 0 <= a < 2^(64*FP_LIMBS)"; fp_signed_affine:
    "Set a to sign * a + addend, and carry, so that the limbs are in their range. The sign is 1 or -1"; fp_signed_shorten: "If
    the top limbs of f and g are both only a sign (0 or -1), drop them"; and that on fp_signed_is_zero."""
    count = 0
    for name, prefix in PARTS:
        code, size, n = source(name, prefix, replaced), digits_of(name, prefix), most_limbs(name, prefix)
        bits, trial = header(name)[prefix + "_BITS"], (1 << header(name)[prefix + "_BITS"]) // 3
        d = Integers()
        values, whole = cut(d, "a", n, [62 * i for i in range(size + 1)], trial)
        number = code.new("fp_signed")
        Run(code, d).call("fp_signed_from_limbs", address(number), address(cells(values)))
        beyond = {m: c for m, c in whole.items() if c >= 1 << (62 * size)}  # bits beyond 62 * size are 0 for a < p
        d.require_equal(digits(d, number, size), add(whole, beyond, -1), "the digits")
        d = Integers()
        values, whole = cut(d, "a", size, [64 * i for i in range(n + 1)], trial, bits=62)
        for cell, value in zip(number["v"], values):
            cell.value = value
        limbs = cells([None] * n)
        Run(code, d).call("fp_signed_to_limbs", address(limbs), address(number))
        beyond = {m: c for m, c in whole.items() if c >= 1 << (64 * n)}
        d.require_equal(join(d, [c.value for c in limbs]), add(whole, beyond, -1), "the limbs")
        for sign in (1, -1):
            for mask in (0, -1):
                d = Integers()
                a, value = signed(code, d, "a", size, 77, 1 << 61)
                b, addend = signed(code, d, "b", size, 99, 1 << 60)
                Run(code, d).call("fp_signed_affine", address(a), sign, address(b), mask)
                d.require_equal(digits(d, a, size), add(scale(value, sign), addend, -mask), "sign * a + addend")
        for k in {1, 2, size} if size > 1 else {1}:
            def prepare(run, d):
                run.f, run.fp = signed(code, d, "f", k, 5, 1 << 60)
                run.g, run.gp = signed(code, d, "g", k, 5, 1 << 60)
                return lambda: run.call("fp_signed_shorten", address(run.f), address(run.g), k)
            for run, left in every_way(start_run(code)(prepare)):
                d = run.domain
                for x, y in ((run.f, run.fp), (run.g, run.gp)):
                    d.require_equal(join(d, [c.value for c in x["v"][:left]], 62), y, "what is left")
                if left not in (k, k - 1) or not left:
                    raise Reject("the count")
                count += 1
        count += 6
    return count


def prove_whole(replaced=()):
    """The claim is fp_inv: "Set r to 1 / a, or to 0 if a is 0". Let c = R^2. The invariants are d x = f c and e x = g c (mod
    p). They hold at first, when d = 0, f = p, e = R^2 and g = x. A block keeps both, which an identity of polynomials shows.
    The whole function is run on numbers, to check that it is put together in this way."""
    x, c, u, v, d, e, f, g = (((k,),) for k in range(8))
    one = lambda a: {a[0]: 1}
    # (u d + v e) x - (u f + v g) c = u (d x - f c) + v (e x - g c)
    left = add(mul(add(mul(one(u), one(d)), mul(one(v), one(e))), one(x)), mul(add(mul(one(u), one(f)), mul(one(v), one(g))), one(c)), -1)
    right = add(mul(one(u), add(mul(one(d), one(x)), mul(one(f), one(c)), -1)), mul(one(v), add(mul(one(e), one(x)), mul(one(g), one(c)), -1)))
    if left != right:
        raise Reject("the invariant")
    rng, count = random.Random(3), 1
    for name, prefix in (("tiny_11_g1", "FP"), ("secp256k1_g1", "FP")):
        p, code, n = modulus(name, prefix), source(name, prefix, replaced), most_limbs(name, prefix)
        r_squared = pow(2, 128 * n, p)
        for a in [0, 1, p - 1] + [rng.randrange(p) for _ in range(8 if p < 1 << 64 else 1)]:
            r, operand = element(code, [None] * n), element(code, limbs_of(a, n))
            Run(code).call("fp_inv", address(r), address(operand))
            found = sum(cell.value << (64 * i) for i, cell in enumerate(r["l"]))
            if found != (r_squared * pow(a, -1, p) % p if a else 0):
                raise Reject("1 / a")
            count += 1
    return count


PROVE = (prove_blocks, prove_apply, prove_apply_mod, prove_parts, prove_whole)
MUTANTS = (
    (prove_blocks, "- 1 : 63;", "- 1 : 127;"),
    (prove_blocks, "1 - delta < steps_left ? 1 - delta", "2 - delta < steps_left ? 2 - delta"),
    (prove_blocks, "q = 0 - old_u", "q = old_u"),
    (prove_blocks, "f * (f * f - 2);\n    int steps_left", "f * (f * f - 1);\n    int steps_left"),
    (prove_blocks, "r += v * multiple", "r += u * multiple"),
    (prove_apply, "f->v[i - 1] = (int64_t)", "f->v[i] = (int64_t)"),
    (prove_apply, "(sumac_i128)t->q * f->v[i] + (sumac_i128)t->r * g->v[i]", "(sumac_i128)t->q * f->v[i] + (sumac_i128)t->r * f->v[i]"),
    (prove_apply_mod, "e_multiple -= (int64_t)", "e_multiple += (int64_t)"),
    (prove_apply_mod, "(t->u & d_negative) + (t->v & e_negative)", "(t->u & d_negative) + (t->v & d_negative)"),
    (prove_parts, "word |= (uint64_t)a->v[digit + 1] << (62 - shift)", "word |= (uint64_t)a->v[digit + 1] << (61 - shift)"),
    (prove_parts, "carry >>= 62", "carry >>= 61"),
    (prove_parts, "(uint64_t)g_top << 62", "(uint64_t)f_top << 62"),
    (prove_whole, "f.v[count - 1] < 0 ? -1 : 1", "f.v[count - 1] < 0 ? 1 : -1"),
)
