/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has products in Fp2 for AVX-512 IFMA, which has enough registers for columns. fev.h includes it. */
#ifndef SUMAC_LANES_FP2_AVX512_H
#define SUMAC_LANES_FP2_AVX512_H

/*
 * r = a*b/S with three products and two reductions (Karatsuba), where T0 = a0*b0 and T1 = a1*b1:
 *   c0 = (T0 - FP2_BETA*T1)/S,   c1 = ((a0 + a1)*(b0 + b1) - T0 - T1)/S
 */
FPV_INLINE void fev_mul_ending(fev *r, const fev *a, const fev *b, const fpv_ending endings[2])
{
    fpv a_sum, b_sum;
    fpv_add_operand(&a_sum, &a->c[0], &a->c[1]);
    fpv_add_operand(&b_sum, &b->c[0], &b->c[1]);
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t0[FPV_COLUMNS], t1[FPV_COLUMNS], t[FPV_COLUMNS];
        fpv_product(t0, a->c[0].d[v], b->c[0].d[v]);
        fpv_product(t1, a->c[1].d[v], b->c[1].d[v]);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_COLUMNS; j++) {
            t[j] = vec_sub(t0[j], fpv_times(t1[j], FP2_BETA));
            t1[j] = vec_add(t0[j], t1[j]);
        }
        fpv_columns_divide(t);
        fpv_columns_end(&r->c[0], v, t + FPV_DIGITS, endings[0]);
        fpv_product(t, a_sum.d[v], b_sum.d[v]);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_COLUMNS; j++) {
            t[j] = vec_sub(t[j], t1[j]);
        }
        fpv_columns_divide(t);
        fpv_columns_end(&r->c[1], v, t + FPV_DIGITS, endings[1]);
    }
}

/* r = a^2/S: c0 = (a0^2 - FP2_BETA*a1^2)/S, by one product if FP2_BETA is 1; c1 = 2*a0*a1/S. */
FPV_INLINE void fev_sqr_ending(fev *r, const fev *a, const fpv_ending endings[2])
{
    fpv sum, difference;
    fpv_add_operand(&sum, &a->c[0], &a->c[1]);
    fpv_sub_operand(&difference, &a->c[0], &a->c[1], 4);
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_COLUMNS], t1[FPV_COLUMNS];
        fpv_product(t1, a->c[0].d[v], a->c[1].d[v]);
        if (FP2_BETA == 1) {
            fpv_product(t, sum.d[v], difference.d[v]);
        } else {
            vec square[FPV_COLUMNS];
            fpv_square(t, a->c[0].d[v]);
            fpv_square(square, a->c[1].d[v]);
            SUMAC_UNROLL
            for (int j = 0; j < FPV_COLUMNS; j++) {
                t[j] = vec_sub(t[j], fpv_times(square[j], FP2_BETA));
            }
        }
        fpv_columns_divide(t);
        fpv_columns_end(&r->c[0], v, t + FPV_DIGITS, endings[0]);
        SUMAC_UNROLL
        for (int j = 0; j < FPV_COLUMNS; j++) {
            t1[j] = vec_add(t1[j], t1[j]);
        }
        fpv_columns_divide(t1);
        fpv_columns_end(&r->c[1], v, t1 + FPV_DIGITS, endings[1]);
    }
}

#endif
