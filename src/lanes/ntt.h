/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes layers of a number-theoretic transform, with sixteen elements at a time, one in each lane. A tile has
 * rows of sixteen elements, small enough for the second-level cache. Several layers are computed within a tile, and the
 * vector is read before the first of them and written after the last. docs/internals/transforms.md has a picture.
 *
 * Layer l of a forward transform cuts block b of the layer, b < 2^l, in two halves u and v:
 *     (u, v) = (u + w*v, u - w*v),      w = factors[b].
 * Layer l of an inverse transform joins them: (u, v) = (u + v, (u - v)/w). 1/w is not in a table: for 2^j <= b < 2^(j+1) it
 * is -factors[3*2^j - 1 - b], so that (u - v)/w = (v - u)*factors[3*2^j - 1 - b]; 1/factors[0] = 1.
 *
 * Bounds are multiples of p: all values in a tile are below bound*p. Layers increase the bound; ntt_settle() reduces the
 * values so that it is 2.
 */
#ifndef SUMAC_LANES_NTT_H
#define SUMAC_LANES_NTT_H

#include "lanes/scalars.h"
#include "vector/vector.h"

/* No value in a tile has a larger bound than this. */
#define NTT_MOST 16

typedef struct {
    fpv *rows;
    uint32_t log2; /* log2 of the number of rows */
    unsigned bound;
} ntt_tile;

/* r = t + a, carried; t may be columns of a product. In: the sum is in [0, S). */
FPV_INLINE void fpv_columns_add(fpv *r, int v, const vec t[FPV_DIGITS], const fpv *a)
{
    vec sum[FPV_DIGITS];
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        sum[i] = vec_add(a->d[v][i], t[i]);
    }
    fpv_carry(sum);
    fpv_store(r, v, sum);
}

/* (u, v) = (u + v*w, u - v*w + 3p). In: u below 13, v below 16, w below 1. Out: both below u's bound + 3. */
FPV_INLINE void ntt_forward_butterfly(fpv *u, fpv *v, const fpv *w)
{
    SUMAC_VERIFY_CHECK(fpv_is_below(u, NTT_MOST - 3) && fpv_is_below(v, NTT_MOST) && fpv_is_below(w, 1));
    for (int n = 0; n < FPV_VECTORS; n++) {
        vec t[FPV_DIGITS], less[FPV_DIGITS];
        fpv_mul_digits(t, v->d[n], w->d[n]);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            less[i] = vec_sub(vec_broadcast(3 * fpv_modulus_digit(i)), t[i]);
        }
        fpv_columns_add(v, n, less, u);
        fpv_columns_add(u, n, t, u);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(u, NTT_MOST) && fpv_is_below(v, NTT_MOST));
}

/* (u, v) = (u + v, (v - u + bound*p)*w). In: u and v below bound <= 8, w below 1. Out: u below 2*bound, v
 * below 3. */
FPV_INLINE void ntt_inverse_butterfly(fpv *u, fpv *v, const fpv *w, unsigned bound)
{
    SUMAC_VERIFY_CHECK(fpv_is_below(u, bound) && fpv_is_below(v, bound) && fpv_is_below(w, 1));
    for (int n = 0; n < FPV_VECTORS; n++) {
        vec t[FPV_DIGITS], difference[FPV_DIGITS];
        fpv_difference(difference, v, u, n, bound);
        fpv_carry(difference);
        fpv_columns_add(u, n, v->d[n], u);
        fpv_mul_digits(t, difference, w->d[n]);
        fpv_carry(t);
        fpv_store(v, n, t);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(u, 2 * bound) && fpv_is_below(v, 3));
}

SUMAC_FN void fpv_swap(fpv *a, fpv *b)
{
    fpv c;
    fpv_copy(&c, a);
    fpv_copy(a, b);
    fpv_copy(b, &c);
}

SUMAC_BIG_FN void ntt_settle(ntt_tile *tile)
{
    for (uint32_t i = 0; i < (uint32_t)1 << tile->log2; i++) {
        fpv_settle_wide(&tile->rows[i], &tile->rows[i]);
    }
    tile->bound = 2;
}

/* Give all lanes the same factor. */
SUMAC_FN void ntt_broadcast(fpv *r, const fp *factor)
{
    vec limbs[FP_LIMBS];
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        limbs[i] = vec_broadcast(factor->l[i]);
    }
    for (int v = 0; v < FPV_VECTORS; v++) {
        digits_from_limbs(r->d[v], limbs);
    }
}

/* Compute all layers of a tile, whose rows form a block: block number `block` of the previous layer. Each lane is a
 * column. */
SUMAC_BIG_FN void ntt_tile_forward(ntt_tile *tile, uint64_t block, const fp *factors)
{
    fpv w;
    for (uint32_t layer = 0; layer < tile->log2; layer++) {
        const uint32_t half = (uint32_t)1 << (tile->log2 - layer - 1);
        if (tile->bound + 3 > NTT_MOST) {
            ntt_settle(tile);
        }
        for (uint32_t s = 0; s < (uint32_t)1 << layer; s++) {
            fpv *rows = tile->rows + 2 * (size_t)half * s;
            ntt_broadcast(&w, &factors[(block << layer) + s]);
            for (uint32_t i = 0; i < half; i++) {
                ntt_forward_butterfly(&rows[i], &rows[half + i], &w);
            }
        }
        tile->bound += 3;
    }
}

/* Undo ntt_tile_forward(). In block 0 of each layer the difference of the halves has the other sign, because 1/factors[0] is
 * not negated; so the halves are swapped first. */
SUMAC_BIG_FN void ntt_tile_inverse(ntt_tile *tile, uint64_t block, const fp *factors)
{
    fpv w;
    for (uint32_t layer = tile->log2; layer-- > 0;) {
        const uint32_t half = (uint32_t)1 << (tile->log2 - layer - 1);
        if (2 * tile->bound > NTT_MOST) {
            ntt_settle(tile);
        }
        for (uint32_t s = 0; s < (uint32_t)1 << layer; s++) {
            const uint64_t number = (block << layer) + s;
            fpv *rows = tile->rows + 2 * (size_t)half * s;
            ntt_broadcast(&w, &factors[inverse_root(number)]);
            for (uint32_t i = 0; i < half; i++) {
                if (number == 0) {
                    fpv_swap(&rows[i], &rows[half + i]);
                }
                ntt_inverse_butterfly(&rows[i], &rows[half + i], &w, tile->bound);
            }
        }
        tile->bound = 2 * tile->bound > 3 ? 2 * tile->bound : 3;
    }
}

/* Transpose sixteen rows of sixteen lanes. */
SUMAC_BIG_FN void ntt_transpose(fpv rows[FPV_LANES])
{
    for (int digit = 0; digit < FPV_DIGITS; digit++) {
        vec squares[FPV_VECTORS][FPV_VECTORS][VEC_LANES];
        for (int down = 0; down < FPV_VECTORS; down++) {
            for (int across = 0; across < FPV_VECTORS; across++) {
                for (int i = 0; i < VEC_LANES; i++) {
                    squares[down][across][i] = rows[VEC_LANES * down + i].d[across][digit];
                }
                vec_transpose(squares[down][across]);
            }
        }
        for (int down = 0; down < FPV_VECTORS; down++) {
            for (int across = 0; across < FPV_VECTORS; across++) {
                for (int i = 0; i < VEC_LANES; i++) {
                    rows[VEC_LANES * down + i].d[across][digit] = squares[across][down][i];
                }
            }
        }
    }
}

/* Compute the last four layers of sixteen blocks of 16 elements. The rows are transposed: lane l has block `block` + l. In:
 * all values below 2. */
SUMAC_BIG_FN void ntt_last_forward(fpv rows[FPV_LANES], uint64_t block, const fp *factors)
{
    fpv w;
    for (uint32_t layer = 0; layer < 4; layer++) {
        const uint32_t half = 8u >> layer;
        for (uint32_t s = 0; s < 1u << layer; s++) {
            scalar_lanes_load(&w, &factors[(block << layer) + s], (size_t)1 << layer, FPV_LANES);
            for (uint32_t i = 0; i < half; i++) {
                ntt_forward_butterfly(&rows[2 * half * s + i], &rows[2 * half * s + half + i], &w);
            }
        }
    }
}

/* Load the inverse factors: lane l gets that of block first + l*stride, except for its sign (inverse_root()). */
SUMAC_FN void ntt_inverse_roots(fpv *w, uint64_t first, uint64_t stride, const fp *factors)
{
    fp gathered[FPV_LANES];
    for (uint64_t l = 0; l < FPV_LANES; l++) {
        gathered[l] = factors[inverse_root(first + l * stride)];
    }
    scalar_lanes_load(w, gathered, 1, FPV_LANES);
}

/* Undo ntt_last_forward(). In: all values below 1. Out: below 4. In lane 0 of block 0 the factor is negated, because
 * 1/factors[0] is not. */
SUMAC_BIG_FN void ntt_last_inverse(fpv rows[FPV_LANES], uint64_t block, const fp *factors)
{
    fpv w;
    unsigned bound = 1;
    for (uint32_t layer = 4; layer-- > 0;) {
        const uint32_t half = 8u >> layer;
        for (uint32_t s = 0; s < 1u << layer; s++) {
            ntt_inverse_roots(&w, (block << layer) + s, UINT64_C(1) << layer, factors);
            if (block == 0 && s == 0) {
                fpv minus;
                fpv_linear(&minus, &w, -1, 1);
                fpv_cmov(&w, &minus, 1);
            }
            for (uint32_t i = 0; i < half; i++) {
                ntt_inverse_butterfly(&rows[2 * half * s + i], &rows[2 * half * s + half + i], &w, bound);
            }
        }
        bound = 2 * bound > 3 ? 2 * bound : 3;
        if (bound > 4) {
            for (uint32_t i = 0; i < FPV_LANES; i++) {
                fpv_settle_wide(&rows[i], &rows[i]);
            }
            bound = 2;
        }
    }
}

#endif
