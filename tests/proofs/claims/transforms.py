# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the claims on number-theoretic transforms, cpu/vector_ntt.c and vector_powers.c: on butterflies and on the
table of roots, and by induction on a whole transform. The exponent e(b) of the root table[b] is a fraction of a full turn.

e(0) = 0 and e(2^j + i) = e(i) + 1/2^(j + 2) for i < 2^j (prove_roots), so that a bit of b at place j adds 1/2^(j + 2).
Therefore
    e(2b) = e(b)/2,   e(2b + 1) = e(b)/2 + 1/4,
and table[2b]^2 = table[b] and table[2b + 1]^2 = -table[b].

Block b of m elements is a polynomial modulo X^m - table[b]^2. Its halves u +- table[b]*v (prove_butterflies) are this
polynomial modulo X^(m/2) -+ table[b]. They are blocks 2b and 2b + 1 of m/2 elements, and are transformed as such
(prove_recursion). In the end block i of one element is the value at table[i]^2. The exponent of this root, 2*e(i), is a
fraction of 2^k whose numerator has the bits of i in reverse order.

As i and 2^j - 1 - i have complementary bits, e(i) + e(2^j - 1 - i) = 1/4 + .. + 1/2^(j + 1) = 1/2 - 1/2^(j + 1). Therefore
e(b) + e(3*2^j - 1 - b) = 1/2 for 2^j <= b < 2^(j + 1), and the product of these two roots is -1.
"""
from fractions import Fraction

from algebra import Reject, add, const, mul, scale
from c_source import Cell, Element, Run, address, program
from curves import ALL, header, modulus, number
from elements import Elements, atom, require_same, ring_leaves, set_to, value_of
from integers import Integers


def source(file, replaced=()):
    return program("bn254_g1", (file, "vector/vector.h", "sumac/status.h"), (file,), elements=("fp",), replaced=replaced)


def exponent(b):
    """Return e(b), to which the bit at place j adds 1/2^(j + 2)."""
    return sum((Fraction(1, 1 << (j + 2)) for j in range(b.bit_length()) if b >> j & 1), Fraction(0))


def work(code, table, inverse):
    w = code.new("ntt_work")
    w["factors"].value, w["inverse"].value = address(table), inverse
    return w


def elements(polys):
    cells = [Cell(Element("fp"), p) for p in polys]
    return cells


def prove_inverse_root(replaced=()):
    """The claim is inverse_root: "1/roots[block] is -roots[inverse_root(block)], except that roots[0] is 1 and its own
    inverse". It is checked for each block below 2^11. By the head of this file it holds for all blocks if inverse_root(block)
    is 3*2^j - 1 - block, which is checked around each power of two."""
    code, count = source("cpu/vector_ntt.c", replaced), 0
    function = lambda b: Run(code, Integers(), {"limb_leading_zeros": lambda run, x: 64 - x.bit_length()}).call("inverse_root", b)
    if function(0) != 0:
        raise Reject("roots[0]")
    near = [b for j in range(11, 64) for b in ((1 << j) - 1, 1 << j, (1 << j) + 1, (3 << j >> 1) - 1)]
    for b in list(range(1, 1 << 11)) + near:
        power = 1 << (b.bit_length() - 1)
        found = function(b)
        if found != 3 * power - 1 - b or (b < 1 << 11 and (exponent(b) + exponent(found)) % 1 != Fraction(1, 2)):
            raise Reject("inverse_root(%d)" % b)
        count += 1
    return count


def prove_butterflies(replaced=()):
    """The claim is "Layer l of a forward transform cuts block b of the layer in two halves u and v: (u, v) = (u + w*v,
    u - w*v), w = factors[b], and of an inverse one joins them: (u, v) = (u + v, (u - v)/w)". It is proved for each element of
    [first, end), and no other element may change."""
    code, count = source("cpu/vector_ntt.c", replaced), 0
    leaves = {**ring_leaves("fp"), "inverse_root": lambda run, b: 3 * (1 << (b.bit_length() - 1)) - 1 - b if b else 0}
    for inverse in (0, 1):
        for block in (0, 1, 2, 3):
            table = elements([const(1)] + [atom("w%d" % k) for k in (1, 2, 3)])
            before = [atom("x%d" % k) for k in range(8)]
            data = elements(before)
            Run(code, Elements(), leaves).call("layer_piece", address(work(code, table, inverse)), address(data), block, 3, 1, 3)
            other = leaves["inverse_root"](None, block)
            # 1/w is -table[inverse_root(block)], or 1 for block 0.
            factor = scale(table[other].value, -1) if inverse and block else table[block].value
            for i in range(8):
                u, v = before[i % 4], before[i % 4 + 4]
                if i % 4 not in (1, 2):
                    wanted = before[i]
                elif inverse:
                    wanted = add(u, v) if i < 4 else mul(add(u, v, -1), factor)
                else:
                    wanted = add(u, mul(factor, v), 1 if i < 4 else -1)
                require_same(data[i].value, wanted, "element %d" % i)
            count += 1
    return count


def prove_roots(replaced=()):
    """The claims are roots: "table [2^j, 2^(j + 1)) is table [0, 2^j) times the root of order 2^(j + 2)"; root_of_order: "the
    root of order 2^log2", which is a power of the given root of order 2^root_log2; and that FR_ROOT has order 2^s, for every
    curve."""
    code = source("cpu/vector_powers.c", replaced)
    roots = next(name for name in code.texts if name.startswith("sumac_roots_"))

    def multiply(run, team, r, a, n, factor):
        f = factor.target()["elements"].value.target().value
        for i in range(n):
            r.block[r.index + i].value = add(a.block[a.index + i].value, f)
        return 0
    leaves = {"fp_set_one": set_to(lambda: {}), "fp_sqr": set_to(lambda e: scale(e, 2)), roots.replace("roots", "multiply"): multiply,
              "memcpy": lambda run, to, source, size: setattr(to.target(), "value", value_of(source))}
    count = 0
    for log2 in range(0, 9):
        table = elements([None] * max(1, 1 << log2 >> 1))
        root = elements([const(Fraction(1, 1 << log2))])
        Run(code, Elements(), leaves).call(roots, 0, address(table), log2, address(root))
        for b, cell in enumerate(table):
            if cell.value is None or (cell.value.get((), 0) - exponent(b)) % 1:
                raise Reject("table[%d]" % b)
            count += 1
    for b in range(1 << 9):
        if (exponent(2 * b) - exponent(b) / 2) % 1 or (exponent(2 * b + 1) - exponent(b) / 2 - Fraction(1, 4)) % 1:
            raise Reject("the halves of block %d" % b)
    for name in ALL:
        constants, r = header(name), modulus(name, "FR")
        if "FR_ROOT" not in constants:
            continue
        s = constants["FR_TWO_ADICITY"]
        root = number(constants["FR_ROOT"]) * pow(2, -64 * constants["FR_LIMBS"], r) % r
        if (r - 1) % (1 << s) or (r - 1) >> s & 1 == 0 or pow(root, 1 << (s - 1), r) != r - 1:
            raise Reject("FR_ROOT of " + name)
        count += 1
    return count


def prove_recursion(replaced=()):
    """The claim is "Compute all layers of a block of 2^size elements": this does a layer, and then transforms the halves as
    blocks 2b and 2b + 1. The inverse transform does the reverse. It is proved for every size and every block."""
    code, count = source("cpu/vector_ntt.c", replaced), 0
    for size in range(33):
        for inverse in (0, 1):
            d, calls = Integers(), []
            block = d.unknown("b", 0, (1 << 31) - 1, 5)
            note = lambda kind: lambda run, w, place, b, *rest: calls.append((kind, place.index, frozenset(d.poly(b).items()), *rest))
            leaves = {"layer_piece": note("layer"), "transform_block": note("block")}
            function = code.function("transform_block")
            data = address(range(1))
            names = [key for key, _ in function.parameters]
            frame = {key: Cell(type_, x) for (key, type_), x in zip(function.parameters, (address(work(code, [], inverse)), data, block, size))}
            function.body(Run(code, d, leaves), frame)
            key = lambda times, more: frozenset(add(scale(block.poly, times), const(more)).items())
            half = 1 << size >> 1
            wanted = [("layer", 0, key(1, 0), size, 0, half), ("block", 0, key(2, 0), size - 1), ("block", half, key(2, 1), size - 1)]
            if calls != ((wanted[1:] + wanted[:1] if inverse else wanted) if size else []) or names[2] != "block":
                raise Reject("the halves of a block")
            count += 1
    return count


def prove_transforms(replaced=()):
    """The claim is "The core goes from coefficients in natural order to values in bit-reversed order and back". To check that
    the parts above fit together, transform_block of 2^k elements is run for k = 0 to 3 on each unit vector."""
    code, count, r = source("cpu/vector_ntt.c", replaced), 0, modulus("bn254_g1", "FR")
    root = number(header("bn254_g1")["FR_ROOT"]) * pow(2, -256, r) % r
    root = pow(root, 1 << (header("bn254_g1")["FR_TWO_ADICITY"] - 20), r)  # of order 2^20
    leaves = {"fp_add": set_to(lambda a, b: (a + b) % r), "fp_sub": set_to(lambda a, b: (a - b) % r), "fp_mul": set_to(lambda a, b: a * b % r),
              "fp_neg": set_to(lambda a: -a % r), "inverse_root": lambda run, b: 3 * (1 << (b.bit_length() - 1)) - 1 - b if b else 0}
    table = elements([pow(root, int(exponent(b) * (1 << 20)), r) for b in range(8)])
    for k in range(4):
        n, w = 1 << k, pow(root, 1 << (20 - k), r)
        reverse = lambda i: int(bin(i)[2:].zfill(k)[::-1], 2) if k else 0
        for j in range(n):
            data = elements([int(i == j) for i in range(n)])
            Run(code, Elements(), leaves).call("transform_block", address(work(code, table, 0)), address(data), 0, k)
            if [c.value for c in data] != [pow(w, reverse(i) * j, r) for i in range(n)]:
                raise Reject("values in bit-reversed order")
            Run(code, Elements(), leaves).call("transform_block", address(work(code, table, 1)), address(data), 0, k)
            if [c.value for c in data] != [n * int(i == j) for i in range(n)]:
                raise Reject("the way back, but for the factor 2^k")
            count += 1
    return count


PROVE = (prove_inverse_root, prove_butterflies, prove_roots, prove_recursion, prove_transforms)
MUTANTS = (
    (prove_inverse_root, "3 * power - 1 - block", "3 * power - block"),
    (prove_butterflies, "fp_sub(&v[i], &u[i], &other);", "fp_add(&v[i], &u[i], &other);"),
    (prove_butterflies, "if (block != 0)", "if (block == 0)"),
    (prove_roots, "root_of_order(&power, j + 2,", "root_of_order(&power, j + 1,"),
    (prove_roots, "i < root_log2", "i + 1 < root_log2"),
    (prove_recursion, "2 * block + 1, size - 1", "2 * block, size - 1"),
    (prove_recursion, "elements + half", "elements"),
    (prove_transforms, "2 * block + 1, size - 1", "2 * block, size - 1"),
)
