# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the claims on recode.h: for every width, window and sign, the digits sum to the scalar and lie in their range.

The bits of k are unknown pieces, which are cut where a window ends. recode_bits depends on its position only by limb and shift.
It depends on a limb only by whether there is a next one, so that a proof for two limbs holds for all lengths.
"""
import random

from algebra import Reject, add, const, scale
from c_source import Run, address, every_way, program
from claims.limbs import cells, limbs, start_run
from curves import ALL, header, modulus
from integers import Integers, cut, join

WIDTHS = range(1, 25)


def source(replaced=()):
    return program("bn254_g1", ("math/limbs.h", "math/scalar.h", "math/recode.h"), ("math/recode.h",), replaced=replaced)


def prove_bits(replaced=()):
    """The claim is recode_bits: "Return bits [position, position + count) of k, where count <= 32. Bits past the limbs are 0".
    It is proved for every shift and count, in a limb that has a next one, in the last limb, and behind it."""
    code, count, trial = source(replaced), 0, random.Random(1).randrange(1 << 128)
    for width in range(1, 33):
        for shift in range(64):
            for limb in (0, 1):
                if limb == 0 and shift + width <= 64 and shift % 7:
                    continue  # only one limb is read, so that the case is the same as in the last limb
                d, position = Integers(), 64 * limb + shift
                values, whole = cut(d, "k", 2, (position, position + width), trial)
                found = Run(code, d).call("recode_bits", address(cells(values)), 2, position, width)
                wanted = {m: c >> position for m, c in whole.items() if position <= c.bit_length() - 1 < position + width}
                d.require_equal(d.poly(found), wanted, "the bits")
                count += 1
        if Run(code, Integers()).call("recode_bits", address(cells([1, 1])), 2, 128, width) != 0:
            raise Reject("bits past the limbs")
    return count


def bits_of_window(d, c, low_bit, first=False):
    """Return the bits k_(wc - 1) + 2 m + 2^c s, and the digit m + k_(wc - 1) - 2^(c - 1) s."""
    m = d.unknown("m", 0, (1 << (c - 1)) - 1, (1 << (c - 1)) // 3).poly if c > 1 else {}
    s = d.unknown("s", 0, 1, 1).poly
    bits = add(add(const(low_bit), m, 2), s, 1 << c)
    return d.number(bits), add(add(const(low_bit), m), s, -1 << (c - 1))


def decoded(d, code, negate):
    """Return the digit of a code, 2*|d| + (d < 0). If `negate` is 1, the scalar counts as negative."""
    if isinstance(code, int) and code == 0:
        return {}
    f = d.poly(code)
    magnitude = d.floor(f, 1)
    sign = d.known(d.number(add(f, magnitude, -2)))
    return scale(magnitude, -1 if sign else 1) if not negate else scale(magnitude, 1 if sign else -1)


def prove_codes(replaced=(), beyond=0):
    """The claims are recode_signed_code: "-2^(c-1) <= d_w <= 2^(c-1). A digit is coded as 2*|d| + (d < 0), and 0 as 0", for
    every c and sign; recode_unsigned_digit: "0 <= d_w < 2^c"."""
    code, count = source(replaced), 0
    for c in WIDTHS:
        for negate in (0, 1):
            for low_bit in (0, 1):
                def prepare(run, d):
                    bits, run.digit = bits_of_window(d, c, low_bit)
                    return lambda: run.call("recode_signed_code", bits, c, negate)
                for run, found in every_way(start_run(code)(prepare)):
                    d = run.domain
                    d.require_equal(decoded(d, found, negate), run.digit, "the digit")
                    d.require_within(run.digit, -1 << (c - 1), (1 << (c - 1)) - beyond, "the digit")
                    count += 1

            def unsigned(run, d):
                run.bits = d.unknown("bits", 0, (1 << c) - 1, 1)
                run.leaves = {"recode_bits": lambda run, k, n, position, width: run.bits if (position, width) == (7 * c, c) else None}
                return lambda: run.call("recode_unsigned_digit", address(cells([0])), 1, 7, c, negate)
            for run, found in every_way(start_run(code)(unsigned)):
                d = run.domain
                sign = 1 if not negate else -1
                d.require_equal(decoded(d, found, 0), d.settle(scale(run.bits.poly, sign)), "the unsigned digit")
                count += 1
    return count


def prove_sums(replaced=()):
    """The claim is "If the bits of k from windows*c - 1 on are 0, the sum of d_w * 2^(c*w) telescopes to k". It is proved for
    every c and every window of 12 limbs: recode_signed_digit uses window w's bits and the bit below, and with those bits the
    digits' sum is k - 2^(c*windows) * k_(c*windows - 1)."""
    code, count = source(replaced), 0
    asked = []
    leaves = {"recode_bits": lambda run, k, n, position, width: asked.append((position, width)) or 0}
    for c in WIDTHS:
        windows = 769 // c + 1
        for w in range(windows):
            asked.clear()
            Run(code, Integers(), leaves).call("recode_signed_digit", address(cells([0])), 1, w, c, 0)
            if asked != [(w * c - 1, c + 1) if w else (0, c)]:
                raise Reject("the window's bits")
            count += 1
        for windows in {1, 2, 3, 257 // c + 1}:
            d = Integers()
            size = windows * c
            _, k = cut(d, "k", -(-size // 64), [w * c + x for w in range(windows + 1) for x in (-1, 0)], 12345)
            bits = lambda first, end: {m: v >> first for m, v in k.items() if first <= v.bit_length() - 1 < end}
            total = {}
            for w in range(windows):
                low = bits(w * c - 1, w * c) if w else {}
                digit = add(add(bits(w * c, w * c + c - 1), low), bits(w * c + c - 1, w * c + c), -1 << (c - 1))
                total = add(total, digit, 1 << (w * c))
            whole = {m: v for m, v in k.items() if v.bit_length() - 1 < size}
            d.require_equal(total, add(whole, bits(size - 1, size), -1 << size), "the digits' sum")
            count += 1
    # The bits of the lowest window are doubled, because k_(-1) = 0.
    for c in WIDTHS:
        given = {}
        leaves_first = {"recode_bits": lambda run, k, n, position, width: 5 % (1 << c),
                        "recode_signed_code": lambda run, bits, width, negate: given.update(bits=bits, c=width, negate=negate) or 0}
        for negate in (0, 1):
            Run(code, Integers(), leaves_first).call("recode_signed_digit", address(cells([0])), 1, 0, c, negate)
            if given != {"bits": 2 * (5 % (1 << c)), "c": c, "negate": negate}:
                raise Reject("the lowest window")
    return count


def prove_balancing(replaced=()):
    """The claim is recode_balanced: "s even: v = s/2 * r + k, s odd: v = (s + 1)/2 * r - k, in place; returns the bits of v
    from 64*limbs on. interval < 2^25". It is proved for the r of every curve, every such interval and k <= r/2."""
    code, count = source(replaced), 0
    for r, n in sorted({(modulus(name, "FR"), header(name)["FR_LIMBS"]) for name in ALL}):
        for odd in (0, 1):
            def prepare(run, d):
                run.k, run.whole = limbs(d, "k", n, r // 7, r // 2)
                run.half = d.unknown("j", 0, (1 << 24) - 1, 1000)
                interval = d.number(add(scale(run.half.poly, 2), const(odd)))
                return lambda: run.call("recode_balanced", address(run.k), address(cells([r >> (64 * i) & ((1 << 64) - 1) for i in range(n)])), n, interval)
            for run, upper in every_way(start_run(code)(prepare)):
                d = run.domain
                v = add(scale(run.half.poly, r), scale(run.whole, -1 if odd else 1))
                v = add(v, const(r * odd))
                found = add(join(d, [c.value for c in run.k]), d.poly(upper), 1 << (64 * n))
                # The number equals v modulo 2^(64n + 32), and v is below that: 0 <= v <= 2^24 r + r.
                if any(c % (1 << (64 * n + 32)) for c in d.settle(add(found, v, -1)).values()):
                    raise Reject("v")
                d.require_within(d.poly(upper), 0, (1 << 32) - 1, "the upper bits")
                if ((1 << 24) + 1) * r >= 1 << (64 * n + 32):
                    raise Reject("v does not fit")
                count += 1
    return count


PROVE = (prove_bits, prove_codes, prove_sums, prove_balancing)
FALSE = (("digits below 2^(c-1)", lambda: prove_codes(beyond=1)),)
MUTANTS = (
    (prove_bits, "shift + count > 64", "shift + count > 65"),
    (prove_bits, "k[limb + 1] << (64 - shift)", "k[limb] << (64 - shift)"),
    (prove_codes, "(bits + 1) >> 1", "bits >> 1"),
    (prove_codes, "negative ^ negate", "negative | negate"),
    (prove_codes, "digit << 1 | negate", "digit << 1"),
    (prove_sums, "w * c - 1, c + 1", "w * c - 1, c"),
    (prove_sums, "recode_bits(k, limbs, 0, c) << 1", "recode_bits(k, limbs, 0, c)"),
    (prove_balancing, "(interval + 1) / 2", "interval / 2"),
    (prove_balancing, "carry - odd", "carry"),
)
