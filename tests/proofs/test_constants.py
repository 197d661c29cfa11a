# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The constants of the curves' headers: proofs for every p take -1/p and p as they are given."""
import pytest

from claims import constants
from claims.field_assembly import K_OF_FP2


@pytest.fixture(params=constants.names())
def curve(request):
    return request.param


@pytest.mark.parametrize("field", ["FP", "FR"])
def test_prime_field(curve, field):
    header, prime = constants.defines(curve), constants.prime_of(curve, field)
    limbs = constants.limbs_of(prime)
    assert int(header[field + "_LIMBS"]) == limbs and int(header[field + "_BITS"]) == prime.bit_length()
    for name, value in constants.expected(prime, field).items():
        assert constants.number(header[name]) == value, name
        assert len(constants.words(header[name])) == (1 if name.endswith("_INV") else limbs), name
    adicity = int(header[field + "_TWO_ADICITY"])
    root = constants.number(header["FP_SQRT_ROOT" if field == "FP" else "FR_ROOT"])
    assert root < prime and constants.is_root_of_order(root, prime, adicity)
    if field == "FP":
        odd = (prime - 1) >> adicity
        assert constants.number(header["FP_SQRT_EXPONENT"]) == (odd - 1) // 2


def test_lane_digits(curve):
    """Digits of 52 bits, least significant first: 2^-52 mod p, p, and the one digit -1/p mod 2^52."""
    header, prime = constants.defines(curve), constants.prime_of(curve, "FP")
    if "FP_LANE_DIGITS" not in header:
        pytest.skip("no lanes multiply in this field")
    digits = constants.words(header["FP_LANE_DIGITS"])
    assert len(digits) % 2 == 1 and all(digit < 1 << 52 for digit in digits)
    count = len(digits) // 2
    value = lambda part: sum(digit << (52 * i) for i, digit in enumerate(part))
    assert value(digits[:count]) << 52 < 1 << (52 * (count + 1))
    assert (value(digits[:count]) << 52) % prime == 1 and value(digits[:count]) < prime
    assert value(digits[count:-1]) == prime
    assert (digits[-1] * prime + 1) % (1 << 52) == 0


def test_extension(curve):
    """Coordinates in Fp2 are there where the data file says so, and u^2 = -beta leaves the spare bits that fp2.h needs."""
    header, data = constants.defines(curve), constants.data(curve)
    assert int(header["FE_DEGREE"]) == (2 if "nr" in data else 1)
    if "nr" in data:
        nonresidue, prime = int(header["FP2_NONRESIDUE"].strip("()")), constants.prime_of(curve, "FP")
        assert (nonresidue - data["nr"]) % prime == 0
        assert pow(nonresidue, (prime - 1) // 2, prime) == prime - 1
        assert (2 - nonresidue) * prime < 1 << (64 * constants.limbs_of(prime))
        assert -nonresidue in K_OF_FP2, "claims/field_assembly.py has no proof for this"
