/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes in Fp in lanes, with sixteen elements at a time, in radix 2^52. docs/internals/lanes.md has the
 * reasons and figures. This file has the linear operations; fpv_mul.h multiplies.
 *
 * An fpv holds FPV_VECTORS vectors of VEC_LANES lanes. Lane l of vector v is one element, the sum of d[v][i] * 2^(52*i).
 * Elements keep the factor R = 2^(64*FP_LIMBS) of stored ones, so that loading and storing only moves bits; a
 * multiplication divides by S = 2^(52*FPV_DIGITS) instead of R, and rounds.h compensates for S/R.
 *
 * Bounds. "below k" means 0 <= d[v][i] < 2^52 and value < k*p; "loose" means |d[v][i]| <= 2^52 and 0 <= value < 2*p; an
 * "operand below k" is below k if only the low 52 bits of each digit count, as in the multiplication's instructions.
 * Every function states its bounds for input (In) and output (Out); a SUMAC_VERIFY build checks each lane. As 16*p <= S,
 * a value below 16 has no carry out of its last digit.
 */
#ifndef SUMAC_LANES_FPV_H
#define SUMAC_LANES_FPV_H

#include "lanes/vec.h"

#ifndef SUMAC_MATH_FIELD_H
#error "include math/curve.h or math/fr.h before"
#endif

#define FPV_MASK ((UINT64_C(1) << 52) - 1)

/*
 * FPV_DIGITS is the least number of digits with 2^FPV_SPARE_BITS*p <= S and R < S. FPV_SPARE_BITS is 4, so that a value
 * below 16 fits; over Fp2 the bounds in fev.h determine it. SLOPE_SHIFT needs S > R, or else a prime of, say, 300 bits
 * would have 6 digits, which are less than its 5 limbs.
 */
#if FE_DEGREE == 1
#define FPV_SPARE_BITS 4
#elif FP2_NONRESIDUE == -1
#define FPV_SPARE_BITS 6
#else
#define FPV_SPARE_BITS 30
#endif
#define FPV_DIGITS_OF_P ((FP_BITS + FPV_SPARE_BITS + 51) / 52)
#define FPV_DIGITS_OF_R (64 * FP_LIMBS / 52 + 1)
#define FPV_DIGITS (FPV_DIGITS_OF_P > FPV_DIGITS_OF_R ? FPV_DIGITS_OF_P : FPV_DIGITS_OF_R)

SUMAC_STATIC_ASSERT(FP_BITS + FPV_SPARE_BITS <= 52 * FPV_DIGITS,
                    "a value below 2^FPV_SPARE_BITS fits the digits");

/*
 * Columns of a multiplication, less the subtrahends before fpv_reduce, are at most FPV_HALVES * 2^52 in absolute value.
 * This counts 2*FPV_DIGITS halves of products of digits, twice that if two products are reduced together, 2*FPV_DIGITS
 * of the reduction, and carries; over Fp2 ten times 2*FPV_DIGITS halves of products (fev.h). Not all of them meet in a
 * column that is left after the division: tests/proofs proves at most 26 of the 52 for 381 bits in Fp, 39 of the 116 in
 * Fp2, and 65 if FP2_BETA is 5. The quotient's estimate below allows for FPV_HALVES.
 */
#define FPV_HALVES ((FE_DEGREE == 2 ? 14 : 6) * FPV_DIGITS + 4)
SUMAC_STATIC_ASSERT(FPV_HALVES < 256, "a column stays below 2^60");

/*
 * 2^SLOPE_SHIFT is the root of S/R (rounds.h). A value below 4 can be shifted by SLOPE_SHIFT: with 4*p <= S/4 and p
 * < R, 4*p*2^SLOPE_SHIFT is below the root of S/4*4*R * S/R, which is S.
 */
#define SLOPE_SHIFT ((52 * FPV_DIGITS - 64 * FP_LIMBS) / 2)
SUMAC_STATIC_ASSERT(52 * FPV_DIGITS > 64 * FP_LIMBS && (52 * FPV_DIGITS - 64 * FP_LIMBS) % 2 == 0,
                    "S/R is a square");
SUMAC_STATIC_ASSERT(FP_BITS + 2 + SLOPE_SHIFT <= 52 * FPV_DIGITS, "a value below 4 can be shifted");

/* This is 1 if p^2 * 2^24 <= p*S. Then in Fp the product of operands whose bounds multiply to at most 2^12 is below 3,
 * because its w is at most 2^-12. */
#define FPV_IS_ROOMY (FE_DEGREE == 1 && FP_BITS + 24 <= 52 * FPV_DIGITS)

typedef struct {
    vec d[FPV_VECTORS][FPV_DIGITS];
} fpv;

/* Return digit i of a constant of 64-bit limbs; the compiler folds the inlined call. */
FPV_INLINE uint64_t fpv_constant_digit(const uint64_t limbs[FP_LIMBS], int i)
{
    const int word = 52 * i / 64;
    const int shift = 52 * i % 64;
    uint64_t digit = word < FP_LIMBS ? limbs[word] >> shift : 0;
    if (shift > 12 && word + 1 < FP_LIMBS) {
        digit |= limbs[word + 1] << (64 - shift);
    }
    return digit & FPV_MASK;
}

/* This is 2^-52 mod p, which fpv_mul.h needs. */
SUMAC_CONST uint64_t fpv_digit_inverse[FP_LIMBS] = FP_DIGIT_INVERSE;

/* Return digit i of p. */
FPV_INLINE uint64_t fpv_modulus_digit(int i)
{
    return fpv_constant_digit(fp_modulus, i);
}

#include "lanes/fpv_verify.h"

SUMAC_FN void fpv_set_zero(fpv *r)
{
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = vec_zero();
        }
    }
}

/* This is not an assignment, because gcc would copy a kilobyte by an instruction that takes long to start. */
SUMAC_FN void fpv_copy(fpv *r, const fpv *a)
{
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = a->d[v][i];
        }
    }
}

/* r = a in the lanes of the mask: bit VEC_LANES*v + l is lane l of vector v. */
SUMAC_FN void fpv_cmov(fpv *r, const fpv *a, uint32_t lanes)
{
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = vec_select(r->d[v][i], lanes >> (VEC_LANES * v), a->d[v][i]);
        }
    }
}

/* Return the lanes whose digits are all 0. */
SUMAC_FN uint32_t fpv_zero_lanes(const fpv *a)
{
    uint32_t lanes = 0;
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec any = a->d[v][0];
        SUMAC_UNROLL
        for (int i = 1; i < FPV_DIGITS; i++) {
            any = vec_or(any, a->d[v][i]);
        }
        lanes |= vec_zero_lanes(any) << (VEC_LANES * v);
    }
    return lanes;
}

/* Return the lanes whose digits are the same in a and b. */
SUMAC_FN uint32_t fpv_equal_lanes(const fpv *a, const fpv *b)
{
    uint32_t lanes = 0;
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec any = vec_zero();
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            any = vec_or(any, vec_xor(a->d[v][i], b->d[v][i]));
        }
        lanes |= vec_zero_lanes(any) << (VEC_LANES * v);
    }
    return lanes;
}

/* Carry the signed digits, |t[i]| < 2^62, of a value in [0, S) to digits below 2^52. */
FPV_INLINE void fpv_carry(vec t[FPV_DIGITS])
{
    const vec mask = vec_broadcast(FPV_MASK);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS - 1; i++) {
        t[i + 1] = vec_add_carry(t[i + 1], t[i]);
        t[i] = vec_and(t[i], mask);
    }
}

/* Carry to an operand; over Fp2 to digits below 2^52, because Fp2 adds operands before it multiplies them. */
FPV_INLINE void fpv_carry_operand(vec t[FPV_DIGITS])
{
#if FE_DEGREE == 2
    fpv_carry(t);
#else
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS - 1; i++) {
        t[i + 1] = vec_add_carry(t[i + 1], t[i]);
    }
#endif
}

/* Set t to the digits of a - b + k*p in one vector, before carries. */
FPV_INLINE void fpv_difference(vec t[FPV_DIGITS], const fpv *a, const fpv *b, int v, unsigned k)
{
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        t[i] = vec_add(vec_sub(a->d[v][i], b->d[v][i]), vec_broadcast(k * fpv_modulus_digit(i)));
    }
}

/* Set r to a, which are the digits of one vector. */
FPV_INLINE void fpv_digits_copy(vec r[FPV_DIGITS], const vec a[FPV_DIGITS])
{
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        r[i] = a[i];
    }
}

FPV_INLINE void fpv_store(fpv *r, int v, const vec t[FPV_DIGITS])
{
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        r->d[v][i] = t[i];
    }
}

/* r = a - b + 2p. In: a and b below 2, or loose. Out: below 4. */
SUMAC_FN void fpv_sub(fpv *r, const fpv *a, const fpv *b)
{
    SUMAC_VERIFY_CHECK(fpv_is_loose(a) && fpv_is_loose(b));
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        fpv_difference(t, a, b, v, 2);
        fpv_carry(t);
        fpv_store(r, v, t);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 4));
}

/* r = a - b + k*p, an operand. In: a - b + k*p in [0, S), digits of at most 2^53. */
SUMAC_FN void fpv_sub_operand(fpv *r, const fpv *a, const fpv *b, unsigned k)
{
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        fpv_difference(t, a, b, v, k);
        fpv_carry_operand(t);
        fpv_store(r, v, t);
    }
}

/* r = 2^SLOPE_SHIFT * (a - b + 2p), an operand below 4*2^SLOPE_SHIFT. In: a and b below 2. */
SUMAC_FN void fpv_sub_shift(fpv *r, const fpv *a, const fpv *b)
{
    SUMAC_VERIFY_CHECK(fpv_is_below(a, 2) && fpv_is_below(b, 2));
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        fpv_difference(t, a, b, v, 2);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS - 1; i++) {
            t[i + 1] = vec_add_carry(t[i + 1], t[i]);
        }
        /* Shift the 52 bits of each digit to the top of the word, and from there into the next digit. */
        SUMAC_UNROLL
        for (int i = FPV_DIGITS - 1; i > 0; i--) {
            t[i] = vec_funnel_left(t[i], vec_shift_left(t[i - 1], 12), SLOPE_SHIFT);
        }
        t[0] = vec_shift_left(t[0], SLOPE_SHIFT);
#if FE_DEGREE == 2
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            t[i] = vec_and(t[i], vec_broadcast(FPV_MASK));
        }
#endif
        fpv_store(r, v, t);
    }
    SUMAC_VERIFY_CHECK(fpv_operand_is_below(r, (int64_t)4 << SLOPE_SHIFT));
}

/* r = a + b, an operand. In: the sum is below S. */
SUMAC_FN void fpv_add_operand(fpv *r, const fpv *a, const fpv *b)
{
    SUMAC_VERIFY_CHECK(fpv_has_digits(a) && fpv_has_digits(b));
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            t[i] = vec_add(a->d[v][i], b->d[v][i]);
        }
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS - 1; i++) {
            t[i + 1] = vec_add(t[i + 1], vec_shift_right(t[i], 52));
        }
        fpv_store(r, v, t);
    }
}

/* Return factor*a for a small constant factor, 0 < factor < 8. */
FPV_INLINE vec fpv_times(vec a, unsigned factor)
{
    vec sum = factor & 1 ? a : vec_zero();
    if (factor & 2) {
        sum = vec_add(sum, vec_shift_left(a, 1));
    }
    if (factor & 4) {
        sum = vec_add(sum, vec_shift_left(a, 2));
    }
    return sum;
}

/* r = factor*a + offset*p for small constants. In: digits below 2^52, 0 <= r < S. Out: digits below 2^52. */
SUMAC_FN void fpv_linear(fpv *r, const fpv *a, int factor, unsigned offset)
{
    SUMAC_VERIFY_CHECK(fpv_has_digits(a));
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            const vec start = vec_broadcast(offset * fpv_modulus_digit(i));
            t[i] = factor < 0 ? vec_sub(start, fpv_times(a->d[v][i], (unsigned)-factor))
                              : vec_add(start, fpv_times(a->d[v][i], (unsigned)factor));
        }
        fpv_carry(t);
        fpv_store(r, v, t);
    }
    SUMAC_VERIFY_CHECK(fpv_has_digits(r));
}

/*
 * A quotient by p is estimated from the bits of a value above bit FPV_QUOTIENT_BIT. These are its last digit if p
 * has 17 bits in that, as with 254 and 381 bits. Otherwise, as with 315 or 633 bits, they begin at p's 26th bit
 * from above, and come from all digits that reach it.
 */
#define FPV_LAST_BITS (FP_BITS - 52 * (FPV_DIGITS - 1)) /* of p in the last digit; may be negative */
#if FPV_LAST_BITS >= 17
#define FPV_QUOTIENT_BIT (52 * (FPV_DIGITS - 1))
#define FPV_QUOTIENT_DIGIT (FPV_DIGITS - 1)
#else
#define FPV_QUOTIENT_BIT (FP_BITS > 26 ? FP_BITS - 26 : 0)
#define FPV_QUOTIENT_DIGIT (FPV_QUOTIENT_BIT > 60 ? (FPV_QUOTIENT_BIT - 60 + 51) / 52 : 0)
#endif

/* Return floor(p/2^FPV_QUOTIENT_BIT). */
FPV_INLINE uint64_t fpv_modulus_top(void)
{
    const int word = FPV_QUOTIENT_BIT / 64;
    const int shift = FPV_QUOTIENT_BIT % 64;
    uint64_t top = fp_modulus[word] >> shift;
    if (shift > 0 && word + 1 < FP_LIMBS) {
        /* cppcheck-suppress arrayIndexOutOfBounds ; the condition excludes it */
        top |= fp_modulus[word + 1] << (64 - shift);
    }
    return top;
}

/* Return floor(value/2^FPV_QUOTIENT_BIT) of signed digits, modulo 2^64, with an error below FPV_LOWER_DIGITS - 10. It is
 * computed from the digits from FPV_QUOTIENT_DIGIT on, of which at most two are rounded down. */
FPV_INLINE vec fpv_top(const vec t[FPV_DIGITS])
{
    vec top = vec_zero();
    SUMAC_UNROLL
    for (int i = FPV_QUOTIENT_DIGIT; i < FPV_DIGITS; i++) {
        const int shift = 52 * i - FPV_QUOTIENT_BIT;
        top = vec_add(top, shift >= 0 ? vec_shift_left(t[i], (unsigned)shift)
                                      : vec_shift_right_signed(t[i], (unsigned)-shift));
    }
    return top;
}

/*
 * Reduce one vector's value modulo p. In: |t[i]| <= FPV_HALVES*2^52 and p*(1 - 2^-20) <= value + offset*p < 8p,
 * offset <= 7. Out: below 2.
 *
 * With P = floor(p/2^FPV_QUOTIENT_BIT), 2^16 <= P < 2^48, and T = fpv_top + offset*P the quotient is q =
 * floor(T / (P + c)), which is floor((value + offset*p)/p) or one less. The digits that fpv_top omits and the bits of p
 * below P change T by less than E = FPV_HALVES + 8, so that with c = E + 2 the quotient is never too large. The
 * remainder is below p + 9*c/P*p + (the reciprocal's error: 8p/15 for P = 2^48), which is below 2p as 9*c < P/2 or P is
 * large.
 */
#define FPV_LOWER_DIGITS (FPV_HALVES + 10)
FPV_INLINE void fpv_reduce(vec t[FPV_DIGITS], int offset)
{
    const uint64_t modulus_top = fpv_modulus_top();
    const uint64_t reciprocal = (UINT64_C(1) << 52) / (modulus_top + FPV_LOWER_DIGITS);
    const vec top = vec_add(fpv_top(t), vec_broadcast((uint64_t)offset * modulus_top));
    const vec q = vec_multiply_high(top, reciprocal);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        t[i] = vec_add_multiple(t[i], q, offset, fpv_modulus_digit(i));
    }
    fpv_carry(t);
}

/* r = a modulo p. In: an operand below 7. Out: below 2. */
SUMAC_FN void fpv_settle(fpv *r, const fpv *a)
{
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            t[i] = vec_and(a->d[v][i], vec_broadcast(FPV_MASK));
        }
        fpv_reduce(t, 1);
        fpv_store(r, v, t);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 2));
}

/* r = a mod p. In: loose. Out: below 1. */
SUMAC_FN void fpv_canonical(fpv *r, const fpv *a)
{
    SUMAC_VERIFY_CHECK(fpv_is_loose(a));
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS], less[FPV_DIGITS];
        fpv_digits_copy(t, a->d[v]);
        fpv_carry(t);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            less[i] = vec_sub(t[i], vec_broadcast(fpv_modulus_digit(i)));
        }
        fpv_carry(less);
        const uint32_t negative = vec_negative_lanes(less[FPV_DIGITS - 1]);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = vec_select(less[i], negative, t[i]);
        }
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 1));
}

/* r = 2^shift * a. In: below 16/2^shift or, if p has more spare bits, 2^shift*a < S. shift is a constant,
 * and may exceed a digit's bits: S/R is up to 2^68 for a prime of 187 bits over Fp2. */
SUMAC_FN void fpv_shift_left(fpv *r, const fpv *a, int shift)
{
    const vec mask = vec_broadcast(FPV_MASK), zero = vec_zero();
    const int whole = shift / 52;
    const unsigned bits = (unsigned)(shift % 52);
    FPV_UNROLL_VECTORS
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = FPV_DIGITS - 1; i >= 0; i--) {
            const vec digit = i >= whole ? a->d[v][i - whole] : zero;
            const vec below = i > whole ? a->d[v][i - whole - 1] : zero;
            const vec high = vec_and(vec_shift_left(digit, bits), mask);
            r->d[v][i] = vec_or(high, vec_shift_right(below, 52 - bits));
        }
    }
}

/* ---- Conversion between digits and limbs, without arithmetic ---- */

/* Cut the FP_LIMBS limbs of a vector's elements into digits of 52 bits. */
SUMAC_FN void digits_from_limbs(vec digits[FPV_DIGITS], const vec limbs[FP_LIMBS])
{
    const vec mask = vec_broadcast(FPV_MASK);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const int word = 52 * i / 64;
        const int shift = 52 * i % 64;
        vec digit = word < FP_LIMBS ? vec_shift_right(limbs[word], (unsigned)shift) : vec_zero();
        if (shift > 12 && word + 1 < FP_LIMBS) {
            digit = vec_funnel_right(limbs[word], limbs[word + 1], (unsigned)shift);
        }
        digits[i] = vec_and(digit, mask);
    }
}

/* Combine the digits of a vector's elements to limbs of 64 bits. In: digits below 2^52, value < 2^(64*FP_LIMBS). */
SUMAC_FN void limbs_from_digits(vec limbs[FP_LIMBS], const vec digits[FPV_DIGITS])
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        const int digit = 64 * i / 52;
        const int shift = 64 * i % 52;
        vec limb = vec_shift_right(digits[digit], (unsigned)shift);
        if (digit + 1 < FPV_DIGITS) {
            limb = vec_or(limb, vec_shift_left(digits[digit + 1], (unsigned)(52 - shift)));
        }
        if (shift > 40 && digit + 2 < FPV_DIGITS) {
            limb = vec_or(limb, vec_shift_left(digits[digit + 2], (unsigned)(104 - shift)));
        }
        limbs[i] = limb;
    }
}

#endif
