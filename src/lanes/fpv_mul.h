/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Multiplication in lanes, a*b/S mod p, removes the columns of the product one after another, from the lowest. With
 * q = t[0] mod 2^52 the column's q is replaced by q*I*2^52 for I = 2^-52 mod p, which is the same modulo p and lies in
 * higher columns. q is available at once, whereas the multiple of p that clears the column (Montgomery's) needs a
 * product first. But q*I may be almost 2^52*p, so the last column is removed by a multiple of p.
 */
#ifndef SUMAC_LANES_FPV_MUL_H
#define SUMAC_LANES_FPV_MUL_H

#include "lanes/fpv.h"

#if VEC_LANES == 8
#include "lanes/product_avx512.h"
#else
#include "lanes/product_avx2.h"
#endif

/* A product ends as an operand, with `add`*p added, or, if the offset is not 0, it is reduced by fpv_reduce, after
 * `less` (null: nothing) is subtracted. With the offset FPV_COLUMNS_STAY its columns stay as they are, before carries. */
typedef struct {
    unsigned add;
    const fpv *less;
    int offset;
} fpv_ending;

#define FPV_COLUMNS_STAY (-1)

/* Convert the columns of vector v after a division to r. */
FPV_INLINE void fpv_columns_end(fpv *r, int v, vec t[FPV_DIGITS], fpv_ending ending)
{
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        if (ending.less != NULL) {
            t[j] = vec_sub(t[j], ending.less->d[v][j]);
        } else if (ending.add != 0) {
            t[j] = vec_add(t[j], vec_broadcast(ending.add * fpv_modulus_digit(j)));
        }
    }
    if (ending.offset > 0) {
        fpv_reduce(t, ending.offset);
    } else if (ending.offset == 0) {
        fpv_carry_operand(t);
    }
    fpv_store(r, v, t);
}

/* r = a*b/S; r may alias the operands. */
FPV_INLINE void fpv_mul_ending(fpv *r, const fpv *a, const fpv *b, fpv_ending ending)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        fpv_mul_digits(t, a->d[v], b->d[v]);
        fpv_columns_end(r, v, t, ending);
    }
}

/* r = a*a/S; r may alias a. */
FPV_INLINE void fpv_sqr_ending(fpv *r, const fpv *a, fpv_ending ending)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        fpv_sqr_digits(t, a->d[v]);
        fpv_columns_end(r, v, t, ending);
    }
}

#endif
