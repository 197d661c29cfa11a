/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the arithmetic outside the pipeline, on arrays of bases and on single points. */
#include "base/integers.h"
#include "cpu/affine_sum.h"
#include "cpu/normalize.h"
#include "cpu/stages.h"

static void points_multiples(void *table, uint64_t count, uint32_t factor, uint32_t shift, uint64_t first,
                             uint64_t n)
{
    affine *points = table;
    xyzz sums[NORMALIZE_BLOCK];
    for (uint64_t done = 0; done < n; done += NORMALIZE_BLOCK) {
        const uint32_t block = (uint32_t)smaller(n - done, NORMALIZE_BLOCK);
        for (uint32_t t = 1; t < factor; t++) {
            const affine *from = points + (t - 1) * count + first + done;
            for (uint32_t i = 0; i < block; i++) {
                xyzz_from_affine(&sums[i], &from[i]);
                xyzz_double_times(&sums[i], &sums[i], shift);
            }
            normalize_block(points + t * count + first + done, sums, block);
        }
    }
}

#if CURVE_HAS_GLV
/* lambda*(x, y) = (beta*x, y). Infinity stays infinity. */
static void points_endomorphism_images(void *table, uint64_t count, uint64_t first, uint64_t n)
{
    static const fe beta = CURVE_BETA;
    affine *points = table;
    for (uint64_t i = first; i < first + n; i++) {
        fe_mul(&points[count + i].x, &points[i].x, &beta);
        points[count + i].y = points[i].y;
    }
}
#endif

/* Multiple t of window w is the sum of multiples t - 1 and 0 of that window; multiple 0 of the next window is twice the
 * last multiple. */
static void points_window_tables(void *table, uint64_t count, uint32_t factor, uint32_t c, uint64_t first,
                                 uint64_t n)
{
    affine *points = table;
    const uint32_t digits = (uint32_t)1 << (c - 1);
    xyzz sums[NORMALIZE_BLOCK];
    for (uint64_t done = 0; done < n; done += NORMALIZE_BLOCK) {
        const uint32_t block = (uint32_t)smaller(n - done, NORMALIZE_BLOCK);
        affine *bases = points + first + done;
        for (uint32_t t = 1; t < factor; t++) {
            const affine *before = bases + (t - 1) * count;
            const affine *one = t % digits == 0 ? before : bases + t / digits * digits * count;
            for (uint32_t i = 0; i < block; i++) {
                xyzz_from_affine(&sums[i], &before[i]);
                xyzz_add_affine(&sums[i], &sums[i], &one[i]);
            }
            normalize_block(bases + t * count, sums, block);
        }
    }
}

static void points_sum(void *result, const void *points, size_t n)
{
    const affine *terms = points;
    xyzz sum;
    xyzz_set_infinity(&sum);
    for (size_t i = 0; i < n; i++) {
        xyzz_add_affine(&sum, &sum, &terms[i]);
    }
    xyzz_to_affine(result, &sum);
}

static void points_generator_multiple(void *result, const uint64_t *k)
{
    static const affine generator = {CURVE_GENERATOR_X, CURVE_GENERATOR_Y};
    xyzz product;
    xyzz_mul(&product, &generator, k, FR_LIMBS);
    xyzz_to_affine(result, &product);
}

static void points_pairwise_sums(void *sums, const void *table, uint64_t m, uint64_t first, uint64_t n)
{
    affine items[2 * NORMALIZE_BLOCK];
    fe products[NORMALIZE_BLOCK + 1];
    uint32_t starts[NORMALIZE_BLOCK + 1], entries[2 * NORMALIZE_BLOCK];
    const segment_scratch scratch = {items, products, starts};
    for (uint64_t done = 0; done < n; done += NORMALIZE_BLOCK) {
        const uint32_t block = (uint32_t)smaller(n - done, NORMALIZE_BLOCK);
        for (uint32_t i = 0; i < block; i++) {
            const uint64_t index = first + done + i;
            starts[i] = 2 * i;
            entries[2 * i] = (uint32_t)(index % m) << 1;
            entries[2 * i + 1] = (uint32_t)(m + index / m) << 1;
        }
        starts[block] = 2 * block;
        segments_sum(&scratch, table, entries, block);
        for (uint32_t i = 0; i < block; i++) {
            ((affine *)sums)[done + i] = items[i];
        }
    }
}

const point_ops SUMAC_SYMBOL(points) = {
    .multiples = points_multiples,
#if CURVE_HAS_GLV
    .endomorphism_images = points_endomorphism_images,
#endif
    .window_tables = points_window_tables,
    .sum = points_sum,
    .generator_multiple = points_generator_multiple,
    .pairwise_sums = points_pairwise_sums,
};
