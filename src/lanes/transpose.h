/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions move stored points (little-endian 64-bit limbs, one point after another) to lanes and back. Both sides
 * have the factor R, so that no arithmetic is needed.
 */
#ifndef SUMAC_LANES_TRANSPOSE_H
#define SUMAC_LANES_TRANSPOSE_H

#include "lanes/fev.h"
#include "lanes/four_limbs.h"
#include "math/point.h"

/* These are sixteen affine points. x is below 2p, y is loose (fev.h); infinity has only zero digits in x and a y = 0
 * mod p. */
typedef struct {
    fev x, y;
} affine_lanes;

#define AFFINE_LIMBS (2 * FE_DEGREE * FP_LIMBS)

/* y = -y in the lanes of the mask. In: below 1. Out: loose. */
SUMAC_FN void fpv_negate_lanes(fpv *y, uint32_t lanes)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            y->d[v][i] = vec_sub_lanes(y->d[v][i], lanes >> (VEC_LANES * v),
                                       vec_broadcast(fpv_modulus_digit(i)), y->d[v][i]);
        }
    }
}

/* Load the stored point at points[i] to lane i, negated if bit i of `negative` is set. */
FPV_INLINE void lanes_load(affine_lanes *r, const affine *const points[FPV_LANES], uint32_t negative)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        const void *pointers[VEC_LANES];
        vec limbs[AFFINE_LIMBS];
        SUMAC_UNROLL
        for (int i = 0; i < VEC_LANES; i++) {
            pointers[i] = points[VEC_LANES * v + i];
        }
        if (AFFINE_LIMBS >= 4) { /* avoids a warning of gcc about the loop */
            SUMAC_UNROLL
            for (int first = 0; first + 4 <= AFFINE_LIMBS; first += 4) {
                transpose_four_limbs(limbs + first, pointers, first);
            }
        }
        if (AFFINE_LIMBS % 4 != 0) {
            transpose_two_limbs(limbs + AFFINE_LIMBS - 2, pointers, AFFINE_LIMBS - 2);
        }
        SUMAC_UNROLL
        for (int part = 0; part < FE_DEGREE; part++) {
            digits_from_limbs(r->x.c[part].d[v], limbs + part * FP_LIMBS);
            digits_from_limbs(r->y.c[part].d[v], limbs + (FE_DEGREE + part) * FP_LIMBS);
        }
    }
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_negate_lanes(&r->y.c[part], negative);
    }
}

/* Convert sixteen coordinates to limbs: limbs[part*FP_LIMBS + i][lane]. In: below 1. */
SUMAC_FN void lanes_to_limbs(uint64_t limbs[FE_DEGREE * FP_LIMBS][FPV_LANES], const fev *a)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            vec vectors[FP_LIMBS];
            limbs_from_digits(vectors, a->c[part].d[v]);
            SUMAC_UNROLL
            for (int i = 0; i < FP_LIMBS; i++) {
                vec_store(&limbs[part * FP_LIMBS + i][VEC_LANES * v], vectors[i]);
            }
        }
    }
}

/* Read one lane of the output of lanes_to_limbs(). */
SUMAC_FN void lane_coordinate(fe *r, uint64_t limbs[FE_DEGREE * FP_LIMBS][FPV_LANES], int lane)
{
    uint64_t *words = (uint64_t *)(void *)r;
    SUMAC_UNROLL
    for (int i = 0; i < FE_DEGREE * FP_LIMBS; i++) {
        words[i] = limbs[i][lane];
    }
}

/* Store lane i to points[i], i < count. */
SUMAC_BIG_FN void lanes_store(affine *const points[FPV_LANES], const affine_lanes *a, int count)
{
    uint64_t x[FE_DEGREE * FP_LIMBS][FPV_LANES], y[FE_DEGREE * FP_LIMBS][FPV_LANES];
    affine_lanes reduced;
    fev_canonical(&reduced.x, &a->x);
    fev_canonical(&reduced.y, &a->y);
    lanes_to_limbs(x, &reduced.x);
    lanes_to_limbs(y, &reduced.y);
    for (int i = 0; i < count; i++) {
        lane_coordinate(&points[i]->x, x, i);
        lane_coordinate(&points[i]->y, y, i);
    }
}

/* Set all lanes to the stored coordinate. */
SUMAC_FN void fev_broadcast(fev *r, const fe *a)
{
    const uint64_t *words = (const uint64_t *)(const void *)a;
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        vec limbs[FP_LIMBS];
        SUMAC_UNROLL
        for (int i = 0; i < FP_LIMBS; i++) {
            limbs[i] = vec_broadcast(words[part * FP_LIMBS + i]);
        }
        for (int v = 0; v < FPV_VECTORS; v++) {
            digits_from_limbs(r->c[part].d[v], limbs);
        }
    }
}

#endif
