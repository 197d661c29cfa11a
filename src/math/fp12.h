/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has Fp12 = Fp6[w] / (w^2 - v), whose elements are c0 + c1 * w. Because w^6 = xi, it is also Fp2[w]: c0 has
 * the coefficients of w^0, w^2 and w^4, and c1 has those of w^1, w^3 and w^5.
 *
 * If the coefficients lie in Fp, as for BW6-761 (fp6.h), the field that is called Fp12 here is Fp6. Comments that have
 * p^2, Fp2 or Fp4 then mean p, Fp and Fp2, and the cyclotomic subgroup has the order p^2 - p + 1.
 *
 * Bounds, aliasing and costs are as in fp6.h.
 */
#ifndef SUMAC_MATH_FP12_H
#define SUMAC_MATH_FP12_H

#include "fp6.h"

typedef struct {
    fp6 c0, c1;
} fp12;

#if FE_DEGREE == 2
SUMAC_CONST fe fp12_frobenius_factors[6] = CURVE_FROBENIUS;
#endif
SUMAC_CONST fp fp12_frobenius_q_factors[6] = CURVE_FROBENIUS_Q;

SUMAC_FN void fp12_set_one(fp12 *r)
{
    fp6_set_one(&r->c0);
    fp6_set_zero(&r->c1);
}

SUMAC_FN int fp12_eq(const fp12 *a, const fp12 *b)
{
    return fp6_eq(&a->c0, &b->c0) && fp6_eq(&a->c1, &b->c1);
}

/* r = a^(p^6) = a0 - a1 * w. If a^(p^6 + 1) = 1, as for all elements of the cyclotomic subgroup, this is 1/a. */
SUMAC_FN void fp12_conjugate(fp12 *r, const fp12 *a)
{
    r->c0 = a->c0;
    fp6_neg(&r->c1, &a->c1);
}

/* Set c0 to low + v*high, and c1 to sum - low - high. This ends Karatsuba's product, where low = a0 * b0,
 * high = a1 * b1 and sum = (a0 + a1) * (b0 + b1). */
SUMAC_FN void fp12_join(fp12 *r, const fp6 *low, const fp6 *high, const fp6 *sum)
{
    fp6 v_high;
    fp6_sub(&r->c1, sum, low);
    fp6_sub(&r->c1, &r->c1, high);
    fp6_mul_v(&v_high, high);
    fp6_add(&r->c0, low, &v_high);
}

/* r = a * b, 18M (Karatsuba). */
SUMAC_BIG_FN void fp12_mul(fp12 *r, const fp12 *a, const fp12 *b)
{
    fp6 low, high, sum, other;
    fp6_mul(&low, &a->c0, &b->c0);
    fp6_mul(&high, &a->c1, &b->c1);
    fp6_add(&sum, &a->c0, &a->c1);
    fp6_add(&other, &b->c0, &b->c1);
    fp6_mul(&sum, &sum, &other);
    fp12_join(r, &low, &high, &sum);
}

/* r = a^2, 12M ("complex squaring"): c0 = (a0 + a1)*(a0 + v*a1) - a0*a1 - v*a0*a1, c1 = 2*a0*a1. */
SUMAC_BIG_FN void fp12_sqr(fp12 *r, const fp12 *a)
{
    fp6 product, left, right;
    fp6_mul(&product, &a->c0, &a->c1);
    fp6_add(&left, &a->c0, &a->c1);
    fp6_mul_v(&right, &a->c1);
    fp6_add(&right, &right, &a->c0);
    fp6_mul(&left, &left, &right);
    fp6_sub(&left, &left, &product);
    fp6_mul_v(&right, &product);
    fp6_sub(&r->c0, &left, &right);
    fp6_add(&r->c1, &product, &product);
}

/* r = 1 / a = (a0 - a1 * w) / (a0^2 - v * a1^2), or 0 if a = 0. This costs four products and one inversion of Fp6. A
 * final exponentiation does it once. */
SUMAC_BIG_FN void fp12_inv(fp12 *r, const fp12 *a)
{
    fp6 norm, square;
    fp6_mul(&square, &a->c1, &a->c1);
    fp6_mul_v(&square, &square);
    fp6_mul(&norm, &a->c0, &a->c0);
    fp6_sub(&norm, &norm, &square);
    fp6_inv(&norm, &norm);
    fp6_mul(&r->c0, &a->c0, &norm);
    fp6_mul(&norm, &a->c1, &norm);
    fp6_neg(&r->c1, &norm);
}

#if FE_DEGREE == 2

/* r = conj(a) * w^(i*(p - 1)), 1M. The Frobenius map does this to the coefficient of w^i. */
SUMAC_FN void fp12_frobenius_part(fe *r, const fe *a, int i)
{
    fp2_conjugate(r, a);
    fe_mul(r, r, &fp12_frobenius_factors[i]);
}

/* r = a^p, 5M. */
SUMAC_BIG_FN void fp12_frobenius(fp12 *r, const fp12 *a)
{
    fp2_conjugate(&r->c0.c0, &a->c0.c0);
    fp12_frobenius_part(&r->c1.c0, &a->c1.c0, 1);
    fp12_frobenius_part(&r->c0.c1, &a->c0.c1, 2);
    fp12_frobenius_part(&r->c1.c1, &a->c1.c1, 3);
    fp12_frobenius_part(&r->c0.c2, &a->c0.c2, 4);
    fp12_frobenius_part(&r->c1.c2, &a->c1.c2, 5);
}

#endif

/* r = a^q, where q is the size of the coefficients' field: p^2, or p for BW6-761. This costs at most ten multiplications
 * of Fp, because w^(q - 1) is in Fp. */
SUMAC_BIG_FN void fp12_frobenius_q(fp12 *r, const fp12 *a)
{
    r->c0.c0 = a->c0.c0;
    fe_mul_fp(&r->c1.c0, &a->c1.c0, &fp12_frobenius_q_factors[1]);
    fe_mul_fp(&r->c0.c1, &a->c0.c1, &fp12_frobenius_q_factors[2]);
    fe_mul_fp(&r->c1.c1, &a->c1.c1, &fp12_frobenius_q_factors[3]);
    fe_mul_fp(&r->c0.c2, &a->c0.c2, &fp12_frobenius_q_factors[4]);
    fe_mul_fp(&r->c1.c2, &a->c1.c2, &fp12_frobenius_q_factors[5]);
}

/*
 * (r0 + r1 * y) = (a + b * y)^2, where y^2 = xi, 2M. r0 and r1 must not alias a or b.
 *   r0 = (a + b)*(a + xi*b) - a*b - xi*a*b = (a + b)*((a + b) + (xi - 1)*b) - r1 - (xi - 1)*a*b   r1 = 2*a*b
 */
SUMAC_FN void fp4_sqr(fe *r0, fe *r1, const fe *a, const fe *b)
{
    fe product;
    fe_add(r0, a, b);
    fe_add_xi_less_one(r1, r0, b);
    fe_mul(r0, r0, r1);
    fe_mul(&product, a, b);
    fe_double(r1, &product);
    fe_add_xi_less_one(&product, r1, &product);
    fe_sub(r0, r0, &product);
}

/* r = 3 * square - 2 * a. */
SUMAC_FN void fp12_cyclotomic_minus(fe *r, const fe *square, const fe *a)
{
    fe difference;
    fe_sub(&difference, square, a);
    fe_double(&difference, &difference);
    fe_add(r, &difference, square);
}

/* r = 3 * square + 2 * a. */
SUMAC_FN void fp12_cyclotomic_plus(fe *r, const fe *square, const fe *a)
{
    fe sum;
    fe_add(&sum, square, a);
    fe_double(&sum, &sum);
    fe_add(r, &sum, square);
}

/*
 * r = a^2 for an `a` with a^(p^4 - p^2 + 1) = 1, 6M (Granger, Scott 2010). Over Fp4 = Fp2[y], where y = w^3, `a` is
 * A + B*w + C*w^2. A has the coefficients of w^0 and w^3, B has those of w^1 and w^4, and C has those of w^2 and w^5.
 * With conj(a0 + a1*y) = a0 - a1*y,
 *   a^2 = (3*A^2 - 2*conj(A)) + (3*y*C^2 + 2*conj(B))*w + (3*B^2 - 2*conj(C))*w^2.
 */
SUMAC_BIG_FN void fp12_cyclotomic_sqr(fp12 *r, const fp12 *a)
{
    fe a0, a1, b0, b1, c0, c1;
    fp4_sqr(&a0, &a1, &a->c0.c0, &a->c1.c1);
    fp4_sqr(&b0, &b1, &a->c1.c0, &a->c0.c2);
    fp4_sqr(&c0, &c1, &a->c0.c1, &a->c1.c2);
    fe_mul_xi(&c1, &c1);
    fp12_cyclotomic_minus(&r->c0.c0, &a0, &a->c0.c0);
    fp12_cyclotomic_minus(&r->c0.c1, &b0, &a->c0.c1);
    fp12_cyclotomic_minus(&r->c0.c2, &c0, &a->c0.c2);
    fp12_cyclotomic_plus(&r->c1.c0, &c1, &a->c1.c0);
    fp12_cyclotomic_plus(&r->c1.c1, &a1, &a->c1.c1);
    fp12_cyclotomic_plus(&r->c1.c2, &b1, &a->c1.c2);
}

#define FP12_ODD_POWERS 4 /* a, a^3, a^5, a^7 */

/* r = a^e for an `a` as in fp12_cyclotomic_sqr. e has `count` digits, the highest first, which is positive. Digits are 0 or
 * odd, and less than 2*FP12_ODD_POWERS in absolute value. */
SUMAC_BIG_FN void fp12_cyclotomic_pow(fp12 *r, const fp12 *a, const signed char *digits, int count)
{
    fp12 powers[FP12_ODD_POWERS], power, inverse;
    powers[0] = *a;
    fp12_cyclotomic_sqr(&power, a);
    for (int i = 1; i < FP12_ODD_POWERS; i++) {
        fp12_mul(&powers[i], &powers[i - 1], &power);
    }
    power = powers[digits[0] / 2];
    for (int i = 1; i < count; i++) {
        fp12_cyclotomic_sqr(&power, &power);
        if (digits[i] > 0) {
            fp12_mul(&power, &power, &powers[digits[i] / 2]);
        } else if (digits[i] < 0) {
            fp12_conjugate(&inverse, &powers[-digits[i] / 2]);
            fp12_mul(&power, &power, &inverse);
        }
    }
    *r = power;
}

/* These are B and C of fp12_cyclotomic_sqr. A is left out, because B and C of the square do not depend on it. */
typedef struct {
    fe b0, b1, c0, c1;
} fp12_compressed;

SUMAC_FN void fp12_compress(fp12_compressed *r, const fp12 *a)
{
    r->b0 = a->c1.c0;
    r->b1 = a->c0.c2;
    r->c0 = a->c0.c1;
    r->c1 = a->c1.c2;
}

/* r = a^2, 4M (Karabina 2013). This is fp12_cyclotomic_sqr without A. */
SUMAC_BIG_FN void fp12_compressed_sqr(fp12_compressed *r, const fp12_compressed *a)
{
    fe b0, b1, c0, c1;
    fp4_sqr(&b0, &b1, &a->b0, &a->b1);
    fp4_sqr(&c0, &c1, &a->c0, &a->c1);
    fe_mul_xi(&c1, &c1);
    fp12_cyclotomic_plus(&r->b0, &c1, &a->b0);
    fp12_cyclotomic_minus(&r->b1, &c0, &a->b1);
    fp12_cyclotomic_minus(&r->c0, &b0, &a->c0);
    fp12_cyclotomic_plus(&r->c1, &b1, &a->c1);
}

/*
 * Set r to a with its A, which is computed from `inverse` = 1/(4*b0), 3M + 3S (Karabina 2013):
 *   A1 = (xi*c1^2 + 3*c0^2 - 2*b1) / (4*b0)   A0 = 1 + xi*(2*A1^2 + b0*c1 - 3*b1*c0)
 */
SUMAC_BIG_FN void fp12_decompress(fp12 *r, const fp12_compressed *a, const fe *inverse)
{
    fe a0, a1, term;
    fe_sqr(&a0, &a->c1);
    fe_mul_xi(&a0, &a0);
    fe_sqr(&term, &a->c0);
    fp12_cyclotomic_minus(&a1, &term, &a->b1);
    fe_add(&a1, &a1, &a0);
    fe_mul(&a1, &a1, inverse);
    fe_sqr(&a0, &a1);
    fe_mul(&term, &a->b1, &a->c0);
    fe_sub(&a0, &a0, &term);
    fe_double(&a0, &a0);
    fe_sub(&a0, &a0, &term);
    fe_mul(&term, &a->b0, &a->c1);
    fe_add(&a0, &a0, &term);
    fe_mul_xi(&a0, &a0);
    fe_set_one(&term);
    fe_add(&r->c0.c0, &a0, &term);
    r->c0.c1 = a->c0;
    r->c0.c2 = a->b1;
    r->c1.c0 = a->b0;
    r->c1.c1 = a1;
    r->c1.c2 = a->c1;
}

#define FP12_MOST_COMPRESSED 4

/* Set r[i] to a[i] with its A for i < count, with one inversion for all (Montgomery's trick). Return 1; or return 0 if one
 * of them has b0 = 0, for which the formula has no answer. */
SUMAC_BIG_FN int fp12_decompress_all(fp12 *r, const fp12_compressed *a, int count)
{
    fe products[FP12_MOST_COMPRESSED], inverse, one_inverse;
    SUMAC_VERIFY_CHECK(count >= 1 && count <= FP12_MOST_COMPRESSED);
    products[0] = a[0].b0;
    for (int i = 1; i < count; i++) {
        fe_mul(&products[i], &products[i - 1], &a[i].b0);
    }
    if (fe_is_zero(&products[count - 1])) {
        return 0;
    }
    fe_inv(&inverse, &products[count - 1]);
    for (int i = count - 1; i >= 0; i--) {
        one_inverse = inverse;
        if (i > 0) {
            fe_mul(&one_inverse, &inverse, &products[i - 1]);
            fe_mul(&inverse, &inverse, &a[i].b0);
        }
        fe_halve(&one_inverse, &one_inverse);
        fe_halve(&one_inverse, &one_inverse);
        fp12_decompress(&r[i], &a[i], &one_inverse);
    }
    return 1;
}

/*
 * r = a^e, where the digits of e are 0 and 1, and few of them are 1. The digits are processed from the lowest one up. Up
 * to the digit that is the 1 number `compressed`, the elements are squared in compressed form, and the squares at the
 * digits that are 1 are decompressed. If one of them can't be decompressed (b0 = 0, for example if a = 1),
 * fp12_cyclotomic_pow computes the power.
 */
SUMAC_BIG_FN void fp12_sparse_pow(fp12 *r, const fp12 *a, const signed char *digits, int count,
                                  int compressed)
{
    fp12_compressed square, saved[FP12_MOST_COMPRESSED];
    fp12 powers[FP12_MOST_COMPRESSED], product;
    int saved_count = 0, i = count - 1;
    fp12_compress(&square, a);
    for (;; i--) {
        if (digits[i] != 0) {
            saved[saved_count++] = square;
        }
        if (saved_count == compressed) {
            break;
        }
        fp12_compressed_sqr(&square, &square);
    }
    if (!fp12_decompress_all(powers, saved, compressed)) {
        fp12_cyclotomic_pow(r, a, digits, count);
        return;
    }
    product = powers[0];
    for (int j = 1; j < compressed; j++) {
        fp12_mul(&product, &product, &powers[j]);
    }
    fp12 *const power = &powers[compressed - 1];
    while (--i >= 0) {
        fp12_cyclotomic_sqr(power, power);
        if (digits[i] != 0) {
            fp12_mul(&product, &product, power);
        }
    }
    *r = product;
}

#endif
