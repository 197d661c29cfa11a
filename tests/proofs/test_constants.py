# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests the constants in the curves' headers on which the routines rely, against the primes in the curves' data
files. Proofs use -1/p and p from there without a check.

tools/gen_curves.py generates a header from the data file. This test shares nothing with that program: it only knows the names
of the constants, and what src/math and src/lanes say of them."""
import pytest

from claims.field_assembly import K_OF_FP2
from claims.lanes import lane_digits
from curves import ALL, data, header, number, prime


@pytest.mark.parametrize("field", ["FP", "FR"])
@pytest.mark.parametrize("curve", ALL)
def test_prime_field(curve, field):
    constants, p = header(curve), prime(curve, field)
    limbs = -(-p.bit_length() // 64)
    radix = 1 << (64 * limbs)
    assert (constants[field + "_LIMBS"], constants[field + "_BITS"]) == (limbs, p.bit_length())
    # DIGIT_INVERSE removes a factor of 2^52, because lanes have digits of 52 bits.
    expected = {"MODULUS": p, "ONE": radix % p, "R2": radix * radix % p, "DIGIT_INVERSE": pow(1 << 52, -1, p)}
    for name, value in expected.items():
        words = constants["%s_%s" % (field, name)]
        words = words[0] if isinstance(words[0], list) else words
        assert number(words) == value and len(words) == limbs, name
    assert constants[field + "_INV"] == -pow(p, -1, 1 << 64) % (1 << 64)
    adicity = constants[field + "_TWO_ADICITY"]
    odd = (p - 1) >> adicity
    root = number(constants["FP_SQRT_ROOT" if field == "FP" else "FR_ROOT"])
    assert odd % 2 == 1 and odd << adicity == p - 1
    assert root < p and pow(root * pow(radix, -1, p), 1 << (adicity - 1), p) == p - 1  # The order of the root is 2^adicity.
    if field == "FP":
        assert number(constants["FP_SQRT_EXPONENT"]) == (odd - 1) // 2


@pytest.mark.parametrize("field", ["FP", "FR"])
@pytest.mark.parametrize("curve", ALL)
def test_lane_digits(curve, field):
    """The digits have 52 bits, and the least significant one is first. They are those of 2^-52 mod p, of p, and the one digit
    -1/p mod 2^52."""
    p, digits = prime(curve, field), lane_digits(curve, field)
    if not digits:
        pytest.skip("no lanes multiply in this field")
    count = len(digits) // 2
    value = lambda part: sum(digit << (52 * i) for i, digit in enumerate(part))
    assert len(digits) % 2 == 1 and all(digit < 1 << 52 for digit in digits)
    assert (value(digits[:count]), value(digits[count:-1])) == (pow(1 << 52, -1, p), p)
    assert (digits[-1] * p + 1) % (1 << 52) == 0


@pytest.mark.parametrize("curve", ALL)
def test_extension(curve):
    """A header has coordinates in Fp2 if the data file says so, and u^2 = -beta leaves the spare bits that fp2.h needs."""
    constants, nr = header(curve), data(curve).get("nr")
    assert constants["FE_DEGREE"] == (1 if nr is None else 2)
    if nr is not None:
        nonresidue, p = constants["FP2_NONRESIDUE"], prime(curve, "FP")
        assert (nonresidue - nr) % p == 0 and pow(nonresidue, (p - 1) // 2, p) == p - 1
        assert (2 - nonresidue) * p < 1 << (64 * constants["FP_LIMBS"])
        assert -nonresidue in K_OF_FP2, "claims/field_assembly.py has no proof for this"
