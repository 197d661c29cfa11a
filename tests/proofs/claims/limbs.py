# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the claims on limbs.h, and on what field.h, fp2.h and mul_assembly.h do with limbs apart from products. They
are proved with exact integers."""
import random

from pycparser import c_ast

from algebra import Reject, add, const, mul, scale, substitute
from c_source import INT, UNSIGNED, UNSIGNED_LONG, Cell, Run, address, every_way, program
from claims.field_c import fields, most_limbs
from curves import ALL, header, limbs_of, modulus
from elements import Elements, atom, fact, fill, power, product, require_same, ring_leaves, set_to, sub, values
from integers import Integers, join

FULL = (1 << 64) - 1
TYPE_U64 = UNSIGNED_LONG


def cells(numbers):
    return [Cell(TYPE_U64, x) for x in numbers]


def limbs(domain, name, count, trial, most=None):
    """Return an unknown number in limbs, as cells and as a polynomial. `most` narrows the range of the uppermost limb."""
    tops = [FULL] * count
    if most is not None:
        tops[-1] = most >> (64 * (count - 1))
    values = [domain.unknown("%s%d" % (name, i), 0, top, trial >> (64 * i) & FULL) for i, top in enumerate(tops)]
    return cells(values), join(domain, values)


def start_run(code, leaves=(), overrides=()):
    """Return a function that makes the argument of every_way from prepare(run, domain), which returns what to call."""
    def with_(prepare):
        def start(choices):
            domain = Integers()
            run = Run(code, domain, leaves, overrides, choices)
            domain.run = run
            return run, prepare(run, domain)
        return start
    return with_


def source(name, files, includes=("math/curve.h",), replaced=(), flags=(), before=""):
    return program(name, ("math/limbs.h",) + files, includes, flags=flags, replaced=replaced, before=before)


# ---- limbs.h ----


def prove_limbs(replaced=()):
    """The claims are limb_add_carry: "a + b + *carry = result + 2^64 * new *carry; the carry is 0 or 1 before and after";
    limb_sub_borrow: "a - b - *borrow = result - 2^64 * new *borrow"; limb_multiply_add:
    "a * b + c + *carry = result + 2^64 * new *carry, for any limbs"; limbs_is_less: "1 when a < b, else 0"."""
    code, count, rng = source("bn254_g1", (), replaced=replaced), 0, random.Random(1)
    word = lambda d, name: d.unknown(name, 0, FULL, rng.randrange(1 << 64))

    def prepare(name):
        def inner(run, d):
            operands = [word(d, x) for x in ("abc" if name == "limb_multiply_add" else "ab")]
            carry = d.unknown("carry", 0, FULL if name == "limb_multiply_add" else 1, 1)
            cell = Cell(TYPE_U64, carry)

            def go():
                result = run.call(name, *operands, address(cell))
                a, b = (d.poly(x) for x in operands[:2])
                total = {"limb_add_carry": lambda: add(a, b), "limb_sub_borrow": lambda: add(a, b, -1),
                         "limb_multiply_add": lambda: add(mul(a, b), d.poly(operands[-1]))}[name]()
                sign = -1 if name == "limb_sub_borrow" else 1
                total = add(total, d.poly(carry), sign)
                d.require_equal(add(d.poly(result), d.poly(cell.value), sign << 64), total, name)
                d.require_within(d.poly(cell.value), 0, FULL if name == "limb_multiply_add" else 1, name)
                d.require_within(d.poly(result), 0, FULL, name)
                return True
            return go
        return inner
    for name in ("limb_add_carry", "limb_sub_borrow", "limb_multiply_add"):
        count += sum(1 for _ in every_way(start_run(code)(prepare(name))))
    for n in (1, 2, 4, 12):
        def less(run, d):
            a, b = (limbs(d, x, n, rng.randrange(1 << (64 * n))) for x in "ab")
            return lambda: (run.call("limbs_is_less", address(a[0]), address(b[0]), n), a, b)

        # a - b = D - 2^(64n) * answer, where D is a number in limbs, and so is not negative. Therefore the answer is 1 iff
        # a < b.
        noted = []

        def noting(run, x, y, borrow):
            leaf = run.__dict__["plain"].call("limb_sub_borrow", x, y, borrow)
            noted.append(leaf)
            return leaf

        def start(choices):
            noted.clear()
            d = Integers()
            run = Run(code, d, {"limb_sub_borrow": noting}, (), choices)
            run.plain = Run(code, d)
            d.run = run
            return run, less(run, d)
        for run, (answer, a, b) in every_way(start):
            d = run.domain
            d.require_equal(add(join(d, noted), d.poly(answer), -1 << (64 * n)), add(a[1], b[1], -1), "limbs_is_less")
            d.require_within(d.poly(answer), 0, 1, "limbs_is_less")
            count += 1
    return count


# ---- field.h ----


def field_source(name, prefix, replaced=()):
    before = '#undef __x86_64__\n#include SUMAC_CURVE_HEADER\n'
    return program(name, ("math/limbs.h", "math/field.h"), ("math/field.h",) if prefix == "FP" else ("math/fr.h",), before=before,
                   replaced=replaced)


def element(code, values):
    r = code.new("fp")
    for cell, value in zip(r["l"], values):
        cell.value = value
    return r


def prove_halve(replaced=(), divide_by=2):
    """The claim is fp_halve: "r = a / 2, computed as (a + p) / 2 if a is odd". Also r < p, because 2 r is a or a + p, and
    so <= 2p - 1."""
    count = 0
    for p, (name, prefix) in fields().items():
        code, n = field_source(name, prefix, replaced), most_limbs(name, prefix)
        for alias in (False, True):
            def prepare(run, d):
                values, number = limbs(d, "a", n, (p - 1) // 3 * 2 + alias, p - 1)
                run.a = element(code, [c.value for c in values])
                run.r = run.a if alias else code.new("fp")
                run.whole = number
                return lambda: run.call("fp_halve", address(run.r), address(run.a))
            odd = []
            for run, _ in every_way(start_run(code)(prepare)):
                d = run.domain
                twice = scale(join(d, [c.value for c in run.r["l"]]), divide_by)
                difference = d.settle(add(twice, run.whole, -1))
                if difference not in ({}, const(p)):
                    raise Reject("2 r is neither a nor a + p")
                odd.append(bool(difference))  # 2 r <= p - 1 + p
                count += 1
            if sorted(odd) != [False, True]:
                raise Reject("the ways of fp_halve")
    return count


def prove_tests(replaced=()):
    """The claims are on fp_is_zero and fp_eq; on fp_cmov: "Set r to a if the condition is not 0; otherwise leave r unchanged";
    on fp_set_zero and fp_set_one; and on fp_is_canonical, which is limbs_is_less with p."""
    count = 0
    for name, prefix in (("bn254_g1", "FP"), ("bls12_381_g1", "FP"), ("bw6_761_g1", "FP"), ("tiny_11_g1", "FP")):
        code, n = field_source(name, prefix, replaced), most_limbs(name, prefix)
        for function, operands in (("fp_is_zero", "a"), ("fp_eq", "ab")):
            def prepare(run, d):
                run.numbers = [limbs(d, x, n, k) for k, x in enumerate(operands, 5)]
                things = [address(element(code, [c.value for c in v])) for v, _ in run.numbers]
                return lambda: run.call(function, *things)
            answers = []
            for run, answer in every_way(start_run(code)(prepare)):
                first = [c.value for c in run.numbers[0][0]]
                other = [c.value for c in run.numbers[1][0]] if operands == "ab" else [0] * n
                d = run.domain
                wanted = [add(d.poly(x), d.poly(y), -1) for x, y in zip(first, other)]
                # If the answer is yes, all of these are 0. Their sum with weights 2^(64i) is a - b.
                if n > 1:
                    (polys, said), = run.zero_tests
                    key = lambda f: frozenset(f.items())
                    if {key(f) for f in polys} | {key(scale(f, -1)) for f in polys} != {key(f) for f in wanted} | {key(scale(f, -1)) for f in wanted}:
                        raise Reject("not all limbs are looked at")
                    if said != answer:
                        raise Reject("the answer of " + function)
                answers.append(answer)
                count += 1
            if sorted(answers) != [0, 1]:
                raise Reject(function)
        for condition in (0, 1, 7):
            def prepare(run, d):
                run.r, run.a = (element(code, [c.value for c in limbs(d, x, n, k)[0]]) for k, x in enumerate("ra"))
                run.before = [c.value for c in run.r["l"]]
                return lambda: run.call("fp_cmov", address(run.r), address(run.a), condition)
            for run, _ in every_way(start_run(code)(prepare)):
                d, wanted = run.domain, [c.value for c in run.a["l"]] if condition else run.before
                for c, x in zip(run.r["l"], wanted):
                    d.require_equal(d.poly(c.value), d.poly(x), "fp_cmov")
                count += 1
    return count


def prove_mul_small(replaced=()):
    """The claim is fp_mul_small: "r = factor * a, by doubling and adding", where r may be a. After the round of a bit,
    sum = q * a for q = factor >> bit. A round makes it 2 * sum + (q & 1) * a, or if q < 2, when sum was 0, (q & 1) * a. The
    body depends only on q > 1 and q & 1, so that q = 0 to 3 stand for all factors. Some factors are also run as a whole."""
    code = program("bn254_g1", ("math/field.h",), ("math/field.h",), elements=("fp",), before="#include SUMAC_CURVE_HEADER", replaced=replaced)
    leaves, count, function = ring_leaves("fp"), 0, code.node("fp_mul_small").body.block_items
    del leaves["fp_mul_small"]
    loop = next(s for s in function if type(s).__name__ == "For")
    for bit, q in [(bit, q) for bit in range(32) for q in range(4 if bit < 31 else 2)]:
        place = lambda value: Cell(code.type_of(c_ast.IdentifierType(["fp"])), value)
        objects = {"sum": place(atom("s") if q > 1 else {}), "once": place(atom("a")), "bit": Cell(INT, bit), "factor": Cell(UNSIGNED, q << bit)}
        Run(code, Elements(), leaves).part([loop.stmt], objects)
        require_same(objects["sum"].value, add(scale(atom("s"), 2 if q > 1 else 0), scale(atom("a"), q & 1)), "a round")
        count += 1
    for factor, alias in [(f, alias) for f in (0, 1, 2, 3, 12, 1000003, (1 << 32) - 1) for alias in (False, True)]:
        a = fill(code.new("fp"), [atom("a")])
        r = a if alias else code.new("fp")
        Run(code, Elements(), leaves).call("fp_mul_small", address(r), address(a), factor)
        require_same(r.value, scale(atom("a"), factor), "factor * a")
        count += 1
    return count


# ---- sqrt.h ----


def prove_roots(replaced=()):
    """The claims are fp_sqrt_power: "r = a^((t - 1)/2)", which is proved for exponents; fp_sqrt: "the result of a
    formula is always squared and compared", and each round "multiplies x by a g with g^2 = z^(2^(s-k)), where z has the order
    2^s, and b by g^2. This keeps x^2 = a*b"; fp2_sqrt_by_norm: "Set r to a root of a, where n is a root of the norm of a"."""
    count = 0
    for p, (name, prefix) in fields().items():
        if prefix == "FP":
            code = program(name, ("math/sqrt.h", "math/field.h"), ("math/sqrt.h",), elements=("fp",), replaced=replaced)
            leaves = {"fp_sqr": set_to(lambda e: 2 * e), "fp_mul": set_to(lambda x, y: x + y), "fp_set_one": set_to(lambda: 0)}
            a = r = fill(code.new("fp"), [1])
            Run(code, Elements(), leaves).call("fp_sqrt_power", address(r), address(a))
            odd = (p - 1) >> header(name)[prefix + "_TWO_ADICITY"]
            if 2 * r.value + 1 != odd or odd % 2 == 0 or (p - 1) % odd:
                raise Reject("the exponent of a root")
            count += 1
    code = program("bls12_381_g2", ("math/sqrt.h", "math/fp2.h", "math/field.h"), ("math/sqrt.h",), elements=("fp",), replaced=replaced)
    h, n, a1, e = (atom(x) for x in ("h", "n", "a1", "e"))
    (hh,), (ee,), (a1a1,) = power(h, 2), power(e, 2), power(a1, 2)

    def start(choices):
        leaves = ring_leaves("fp", {"fp_sqrt_power": lambda run, x: e})
        run = Run(code, Elements(), leaves, (), choices)
        a, root = fill(code.new("fp2"), [sub(scale(h, 2), n), a1]), fill(code.new("fp"), [n])  # h = (a0 + n)/2
        run.r = code.new("fp2")
        return run, lambda: run.call("fp2_sqrt_by_norm", address(run.r), address(a), address(root))
    for run, _ in every_way(start):
        if fact(run, h):  # h = 0 if n = -a0 and a1 = 0. Then h is a0, and the two cases are the same.
            continue
        # e = h^((p - 3)/4) has (e^2 h)^2 = h^(p - 1) = 1, so that e^2 h is 1 or -1. The function finds out which by e^2
        # h^2 = h.
        sign = 1 if fact(run, sub(product(e, e, h, h), h)) else -1
        rules = [(a1a1, sub(scale(product(h, n), 4), scale(power(h, 2), 4))), (tuple(sorted(ee + next(iter(h)))), const(sign))]
        c0, c1 = values(run.r)
        require_same(sub(power(c0, 2), power(c1, 2)), sub(scale(h, 2), n), "the root's square", rules)
        require_same(scale(mul(c0, c1), 2), a1, "the root's square", rules)
        count += 1
    return count


# ---- fp2.h ----


def prove_minus_beta(replaced=()):
    """The claim is fp2_minus_beta_times: "Set r to the integer FP2_BETA * (p - a). In: a < p. Out: r <= FP2_BETA * p". The
    carries show that the limbs equal this modulo R. Both numbers lie in [0, R), because (FP2_BETA + 2) * p <= R, which fp2_mul
    needs, too."""
    count = 0
    for name in ALL:
        if header(name)["FE_DEGREE"] != 2:
            continue
        code = source(name, ("math/fp2.h", "math/field.h"), replaced=replaced)
        p, n, beta = modulus(name), most_limbs(name, "FP"), -header(name)["FP2_NONRESIDUE"]
        modulus_limbs = {"fp_modulus": cells(limbs_of(p, n))}
        if (beta + 2) * p > 1 << (64 * n):
            raise Reject("(FP2_BETA + 2) * p <= R")
        for alias in (False, True):
            def prepare(run, d):
                values, run.whole = limbs(d, "a", n, p // 3, p - 1)
                run.a = element(code, [c.value for c in values])
                run.r = run.a if alias else code.new("fp")
                return lambda: run.call("fp2_minus_beta_times", address(run.r), address(run.a))
            for run, _ in every_way(start_run(code, overrides=modulus_limbs)(prepare)):
                d = run.domain
                difference = d.settle(add(join(d, [c.value for c in run.r["l"]]), scale(add(const(p), run.whole, -1), beta), -1))
                if any(c % (1 << (64 * n)) for c in difference.values()):
                    raise Reject("FP2_BETA * (p - a)")
                count += 1
    return count


# ---- mul_assembly.h: 10 and 12 limbs by halves ----

LONG = ("bw6_633_g1", "bw6_761_g1")


def wide_leaves(half):
    """Return leaves with the proved meaning of field.S's wide routines: t = a * b and t = a^2 for numbers of half the limbs,
    and t + a * b with the carry out. Their results are new unknown limbs, of which the lowest follows from the product."""
    def limb_values(run, place, count):
        values = [place.block[place.index + i].value for i in range(count)]
        if any(v is None for v in values):
            raise Reject("reads what was not set")
        return values

    def new(run, place, number, total, carry):
        """Write 2 * half limbs at `place`, such that their sum is number - 2^(128 * half) * carry. The limbs are unknown words.
        run.sums notes that their sum equals that polynomial, as a pair of polynomials."""
        d = run.domain
        trial = d.evaluate(d.settle(number))
        out = trial >> (128 * half)
        carry_value = d.unknown("out", 0, 1, out) if carry else 0
        words = [d.unknown("t", 0, FULL, trial >> (64 * i) & FULL) for i in range(2 * half)]
        for i, w in enumerate(words):
            place.block[place.index + i].value = w
        lowest = add(add(number, d.poly(carry_value), -1 << (128 * half)), join(d, [0] + words[1:]), -1)
        run.__dict__.setdefault("sums", []).append((next(iter(words[0].poly))[0], lowest))
        return carry_value

    def mul_wide(run, r, a, b):
        d = run.domain
        new(run, r, mul(join(d, limb_values(run, a, half)), join(d, limb_values(run, b, half))), None, False)

    def sqr_wide(run, r, a):
        mul_wide(run, r, a, a)

    def mul_wide_add(run, r, a, b):
        d = run.domain
        before = join(d, limb_values(run, r, 2 * half))
        return new(run, r, add(before, mul(join(d, limb_values(run, a, half)), join(d, limb_values(run, b, half)))), None, True)
    return {"sumac_x86_64_%s_%d" % (name, half): f for name, f in
            (("mul_wide", mul_wide), ("sqr_wide", sqr_wide), ("mul_wide_add", mul_wide_add))}


def assembly_source(name, replaced=()):
    return program(name, ("math/limbs.h", "math/mul_assembly.h"), ("math/field.h",), flags=("-DSUMAC_VARIANT_ADX",),
                   before="#include SUMAC_CURVE_HEADER", replaced=replaced)


def explained(run, poly):
    """Replace each lowest limb in a polynomial by the value that follows from its product."""
    for a, value in reversed(run.__dict__.get("sums", [])):
        poly = substitute(poly, a, value)
    return run.domain.settle(poly)


def require_modulo(run, x, y, base, what):
    if any(c % base for c in explained(run, add(x, y, -1)).values()):
        raise Reject(what)


def prove_wide(replaced=()):
    """The claims are fp_carry_into_wide: "t = t + 2^(64*first) * carry, which fits the 2*FP_LIMBS limbs of t"; fp_mul_wide: "t
    = a * b, which has 2*FP_LIMBS limbs", which fp_mul_limbs passes to the reduction; fp_sqr_limbs: "Twice the upper half still
    has FP_HALF_LIMBS limbs, because p has a spare bit"; and fp_mul_pair_limbs: "t is large enough for a * b + c * d, which is
    below 2p^2". The value of t is proved modulo 2^(128*FP_LIMBS), which is enough, because both sides are below that."""
    count = 0
    for name in LONG:
        code, p, n = assembly_source(name, replaced), modulus(name), most_limbs(name, "FP")
        base, rng = 1 << (128 * n), random.Random(2)
        leaves = wide_leaves(n // 2)
        leaves["fp_redc_product"] = lambda run, r, t: run.__dict__.update(t=[t.block[t.index + i].value for i in range(2 * n)])
        if 2 * p * p >= base or 2 * p >= 1 << (64 * n):
            raise Reject("no spare bit")

        def prepare(function, letters):
            def inner(run, d):
                run.operands = [limbs(d, x, n, rng.randrange(p), p - 1) for x in letters]
                run.out = cells([None] * n)
                return lambda: run.call(function, address(run.out), *(address(o) for o, _ in run.operands))
            return inner
        for function, letters in (("fp_mul_limbs", "ab"), ("fp_sqr_limbs", "a"), ("fp_mul_pair_limbs", "abcd")):
            ways = 0
            for run, _ in every_way(start_run(code, leaves)(prepare(function, letters))):
                d, number = run.domain, [x for _, x in run.operands]
                pairs = list(zip(number[::2], number[1::2])) if len(number) > 1 else [(number[0], number[0])]
                wanted = {}
                for x, y in pairs:
                    wanted = add(wanted, mul(x, y))
                require_modulo(run, join(d, run.t), wanted, base, function)
                ways += 1
            count += ways
    return count


def prove_carry(replaced=()):
    """The claim is that fp_carry_into_wide gives the sum modulo 2^(128*FP_LIMBS), for every t and every carry of 0, 1 or 2."""
    count = 0
    for name in LONG:
        code, n = assembly_source(name, replaced), most_limbs(name, "FP")

        def prepare(run, d):
            run.t, run.whole = limbs(d, "t", 2 * n, (1 << (128 * n)) - 5)
            run.carry = d.unknown("carry", 0, 2, 1)
            return lambda: run.call("fp_carry_into_wide", address(run.t), 3 * n // 2, run.carry)
        for run, _ in every_way(start_run(code)(prepare)):
            d = run.domain
            require_modulo(run, join(d, [c.value for c in run.t]), add(run.whole, d.poly(run.carry), 1 << (96 * n)), 1 << (128 * n), "the carry")
            count += 1
    return count


def prove_branch(replaced=()):
    """The claim is fp_redc_product: "r = t / R mod p. In: t < 2p^2. The result of the reduction is so rarely p or more that a
    branch is cheaper". field.S leaves r < 2p. If the uppermost limb of r is below that of p, then r < p. Otherwise
    fp_reduce_once makes r < p (claims/field_c.py)."""
    count = 0
    for name in LONG:
        code, p, n = assembly_source(name, replaced), modulus(name), most_limbs(name, "FP")
        result = "r"

        def redc(run, r, t, *more):
            values, run.whole = limbs(run.domain, result, n, p // 3, 2 * p - 1)
            for i, c in enumerate(values):
                r.block[r.index + i].value = c.value

        def reduce_once(run, r, t, top):
            if r != t or top != 0:
                raise Reject("another reduction")
            run.reduced = True
        leaves = {"sumac_x86_64_redc_%d_below_2p" % n: redc, "fp_reduce_once": reduce_once}
        overrides = {"fp_modulus": cells(limbs_of(p, n))}

        def prepare(run, d):
            run.out, run.reduced = cells([None] * n), False
            return lambda: run.call("fp_redc_product", address(run.out), address(cells([0] * 2 * n)))
        seen = set()
        for run, _ in every_way(start_run(code, leaves, overrides)(prepare)):
            d = run.domain
            seen.add(run.reduced)
            if not run.reduced:
                d.require_within(join(d, [c.value for c in run.out]), 0, p - 1, "r")
            count += 1
        if True not in seen:
            raise Reject("nothing is reduced")
    return count


PROVE = (prove_limbs, prove_halve, prove_tests, prove_mul_small, prove_roots, prove_minus_beta, prove_wide, prove_carry, prove_branch)
FALSE = (("fp_halve as a quarter", lambda: prove_halve(divide_by=4)),)
MUTANTS = (
    (prove_limbs, "(sumac_u128)a * b + c + *carry", "(sumac_u128)a * b + c"),
    (prove_limbs, "(uint64_t)(difference >> 64) & 1", "(uint64_t)(difference >> 64)"),
    (prove_halve, "sum[i + 1] << 63", "sum[i + 1] << 62"),
    (prove_halve, "| (carry << 63)", ""),
    (prove_tests, "any |= a->l[i] ^ b->l[i]", "any |= a->l[0] ^ b->l[i]"),
    (prove_tests, "(a->l[i] & take) | (r->l[i] & ~take)", "(a->l[i] & take) | (r->l[i] & take)"),
    (prove_mul_small, "(factor >> bit) > 1", "(factor >> bit) > 2"),
    (prove_roots, "window << 1 | fp_sqrt", "window << 1 & fp_sqrt"),
    (prove_roots, "fp_neg(&r->c0, &other)", "r->c0 = other"),
    (prove_minus_beta, "limb_sub_borrow(fp_modulus[i], a->l[i], &borrow)", "limb_sub_borrow(fp_modulus[i], a->l[0], &borrow)"),
    (prove_wide, "carry += ", "carry = "),
    (prove_wide, "(a[FP_HALF_LIMBS + i - 1] >> 63)" , "(a[FP_HALF_LIMBS + i - 1] >> 62)"),
    (prove_wide, "b + FP_HALF_LIMBS)", "a + FP_HALF_LIMBS)"),
    (prove_carry, "carry != 0 && i < 2", "carry > 1 && i < 2"),
    (prove_branch, ">= fp_modulus[", "> fp_modulus["),
)
