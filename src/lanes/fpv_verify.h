/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SUMAC_VERIFY builds check the bounds of fpv.h by these predicates over all lanes, which are exact and slow. */
#ifndef SUMAC_LANES_FPV_VERIFY_H
#define SUMAC_LANES_FPV_VERIFY_H

SUMAC_FN int64_t fpv_lane_digit(const fpv *a, int lane, int i)
{
    int64_t digits[VEC_LANES];
    vec_store(digits, a->d[lane / VEC_LANES][i]);
    return digits[lane % VEC_LANES];
}

/* Return 1 if all digits are at least 0 and below 2^52. */
SUMAC_FN int fpv_has_digits(const fpv *a)
{
    for (int lane = 0; lane < FPV_LANES; lane++) {
        for (int i = 0; i < FPV_DIGITS; i++) {
            const int64_t digit = fpv_lane_digit(a, lane, i);
            if (digit < 0 || digit > (int64_t)FPV_MASK) {
                return 0;
            }
        }
    }
    return 1;
}

/* Return 1 if a lane's value, of signed digits, is at least 0 and below k*p. */
SUMAC_FN int fpv_lane_in_range(const fpv *a, int lane, int64_t k)
{
    __int128 value = 0, excess = 0; /* the carries of a and of a - k*p */
    for (int i = 0; i < FPV_DIGITS; i++) {
        const int64_t digit = fpv_lane_digit(a, lane, i);
        const __int128 difference = digit - (__int128)k * (__int128)fpv_modulus_digit(i) + excess;
        value = (value + digit) >> 52;
        excess = difference >> 52;
    }
    return value >= 0 && excess < 0;
}

SUMAC_FN int fpv_is_below(const fpv *a, int64_t k)
{
    int all = fpv_has_digits(a);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        all &= fpv_lane_in_range(a, lane, k);
    }
    return all;
}

/* Check like fpv_is_below(), but with only the low 52 bits of each digit. */
SUMAC_FN int fpv_operand_is_below(const fpv *a, int64_t k)
{
    fpv digits;
    for (int v = 0; v < FPV_VECTORS; v++) {
        for (int i = 0; i < FPV_DIGITS; i++) {
            digits.d[v][i] = vec_and(a->d[v][i], vec_broadcast(FPV_MASK));
        }
    }
    return fpv_is_below(&digits, k);
}

SUMAC_FN int fpv_is_loose(const fpv *a)
{
    int all = 1;
    for (int lane = 0; lane < FPV_LANES; lane++) {
        all &= fpv_lane_in_range(a, lane, 2);
        for (int i = 0; i < FPV_DIGITS; i++) {
            const int64_t digit = fpv_lane_digit(a, lane, i);
            all &= digit >= -((int64_t)1 << 52) && digit <= (int64_t)1 << 52;
        }
    }
    return all;
}

#endif
