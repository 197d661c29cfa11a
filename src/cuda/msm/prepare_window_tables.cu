/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file fills window tables; it is compiled per curve. From the first multiple of every window it computes all
 * others, in steps that each double the number of known multiples (math/window_table_steps.h). Additions are affine. A
 * thread has several additions: it multiplies their denominators forwards, 16 threads share one inversion, and the sums
 * are computed backwards. All pairs of points are added correctly: bases may be infinity, or have any small order.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/device/elements.cuh"
#include "math/window_table_steps.h"

/* A thread has at most DIGITS_ROWS additions, and keeps their products in local memory. */
enum { DIGITS_ROWS = 16 };

/* Compute the denominator of a pair that is not plain. */
static __device__ __noinline__ void rare_denominator(fe *denominator, const affine *left, const affine *right)
{
    affine a, b;
    affine_load(&a, left);
    affine_load(&b, right);
    pair_rare_denominator(denominator, &a, &b);
}

static __device__ __noinline__ void rare_sum(affine *sum, const affine *left, const affine *right,
                                             const fe *inverse)
{
    affine a, b, result;
    affine_load(&a, left);
    affine_load(&b, right);
    pair_rare_sum(&result, &a, &b, inverse);
    affine_store(sum, &result);
}

/* Compute the pair's denominator, which is not 0; return 1 if the pair is plain. */
static __device__ __forceinline__ int denominator_of(fe *denominator, const affine *left, const affine *right)
{
    fe x1, x2;
    fe_load(&x1, &left->x);
    fe_load(&x2, &right->x);
    const int plain = pair_is_plain(denominator, &x1, &x2);
    if (SUMAC_UNLIKELY(!plain)) {
        fe rare; /* passed by address, so it lies in memory; *denominator stays in registers */
        rare_denominator(&rare, left, right);
        *denominator = rare;
    }
    return plain;
}

/* Set *sum to *left + *right for a plain pair. *inverse is 1/(the pair's denominator). */
static __device__ __forceinline__ void add_plain(affine *sum, const affine *left, const affine *right,
                                                 const fe *inverse)
{
    fe slope, x, y, other;
    fe_load(&y, &left->y);
    fe_load(&slope, &right->y);
    fe_sub(&slope, &slope, &y);
    fe_mul_called(&slope, &slope, inverse);
    fe_mul_called(&x, &slope, &slope);
    fe_load(&other, &right->x);
    fe_sub(&x, &x, &other);
    fe_load(&other, &left->x);
    fe_sub(&x, &x, &other);
    fe_sub(&other, &other, &x);
    fe_mul_called(&other, &other, &slope);
    fe_sub(&other, &other, &y);
    fe_store(&sum->x, &x);
    fe_store(&sum->y, &other);
}

/* Row r of a block is the PAIR_BLOCK additions from (blockIdx*rows + r)*PAIR_BLOCK on, one for each thread. A thread
 * without an addition takes part in the inversion. */
static __global__ void __launch_bounds__(PAIR_BLOCK, PAIR_BLOCKS_PER_SM)
    digits_kernel(affine *table, const __grid_constant__ digit_step step, uint32_t additions, uint32_t rows)
{
    __shared__ __align__(16) unsigned char inverse_products[INVERSES * sizeof(fe)];
    const uint64_t first = blockIdx.x * (uint64_t)rows * PAIR_BLOCK + threadIdx.x;
    fe products[DIGITS_ROWS]; /* [row]: the product of the earlier rows' denominators */
    fe inverse, denominator, pair_inverse;
    fe_set_one(&inverse);
#pragma unroll 1
    for (uint32_t row = 0; row < rows; row++) {
        const uint64_t k = first + row * (uint64_t)PAIR_BLOCK;
        products[row] = inverse;
        if (k < additions) {
            const digit_addition addition = digit_step_addition(&step, (uint32_t)k);
            (void)denominator_of(&denominator, table + addition.left, table + addition.right);
            fe_mul_called(&inverse, &inverse, &denominator);
        }
    }
    block_inverse<0>(&inverse, (fe *)inverse_products, blockIdx.x % (PAIR_BLOCK / 32), false);
#pragma unroll 1
    for (uint32_t row = rows; row-- > 0;) {
        const uint64_t k = first + row * (uint64_t)PAIR_BLOCK;
        if (k < additions) {
            const digit_addition addition = digit_step_addition(&step, (uint32_t)k);
            const affine *left = table + addition.left, *right = table + addition.right;
            const int plain = denominator_of(&denominator, left, right);
            fe_mul_called(&pair_inverse, &inverse, &products[row]);
            fe_mul_called(&inverse, &inverse, &denominator);
            if (SUMAC_UNLIKELY(!plain)) {
                const fe rare = pair_inverse;
                rare_sum(table + addition.sum, left, right, &rare);
            } else {
                add_plain(table + addition.sum, left, right, &pair_inverse);
            }
        }
    }
}

sumac_status SUMAC_SYMBOL(window_tables)(cuda_engine *engine, const table_slice *slice)
{
    digit_step step = {slice->count, slice->first, (uint32_t)slice->n, slice->factor, slice->digits, 0};
    if (slice->n == 0) {
        return SUMAC_OK;
    }
    for (; (uint32_t)1 << step.known_bits < slice->digits; step.known_bits++) {
        const uint64_t additions = slice->n * slice->factor << step.known_bits;
        const uint64_t resident = (uint64_t)engine->multiprocessors * PAIR_BLOCKS_PER_SM * PAIR_BLOCK;
        const uint64_t wanted = (additions + resident - 1) / resident;
        const uint32_t rows = wanted < DIGITS_ROWS ? (uint32_t)wanted : DIGITS_ROWS;
        TRY(cuda_launch(engine, engine->stream, digits_kernel, blocks_for(additions, rows * PAIR_BLOCK),
                        PAIR_BLOCK, (affine *)slice->table, step, (uint32_t)additions, rows));
    }
    return SUMAC_OK;
}
