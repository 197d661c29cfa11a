/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file inverts scalars: the elements of a task share one inversion. */
#include "cpu/vector_scalars.h"

#include "base/integers.h"
#include "base/try.h"

/* A task has this many elements, a multiple of the lanes. */
#define INVERSES_TASK ((uint64_t)1 << 12)
#define SCRATCH_ALIGNMENT ((size_t)64) /* as vectors of lanes require */

typedef struct inverses_work {
    fp *r;
    char *scratch; /* inverse_bytes() bytes for each thread */
} inverses_work;

/* Replace the elements that are not 0 by their inverses, with one inversion. `before` has memory for n products;
 * product i is that of the nonzero elements before element i. */
static void invert_elements(fp *elements, uint64_t n, fp *before)
{
    fp product, inverse;
    fp_set_one(&product);
    for (uint64_t i = 0; i < n; i++) {
        before[i] = product;
        if (!fp_is_zero(&elements[i])) {
            fp_mul(&product, &product, &elements[i]);
        }
    }
    fp_inv(&inverse, &product);
    for (uint64_t i = n; i-- > 0;) {
        if (!fp_is_zero(&elements[i])) {
            const fp element = elements[i];
            fp_mul(&elements[i], &inverse, &before[i]);
            fp_mul(&inverse, &inverse, &element);
        }
    }
}

#ifdef SUMAC_SCALAR_LANES

/* Load sixteen elements, with 1 in place of 0. Return the lanes that were 0. */
static uint32_t load_nonzero(fpv *r, const fp *elements, const fpv *one)
{
    scalar_lanes_load(r, elements, 1, FPV_LANES);
    const uint32_t zero = fpv_zero_lanes(r);
    fpv_cmov(r, one, zero);
    return zero;
}

/* Return how many bytes of scratch memory a task needs. */
static size_t inverse_bytes(uint64_t elements)
{
    return (elements / FPV_LANES + 1) * sizeof(fpv);
}

/* Invert the elements of [first, end) that fill whole rows of sixteen, with a chain of products in each lane. Return the
 * first index that is left. */
static uint64_t invert_rows(fp *r, uint64_t first, uint64_t end, void *scratch)
{
    const uint64_t rows = (end - first) / FPV_LANES;
    fp constant, products[FPV_LANES], products_before[FPV_LANES];
    fpv one, element, factor, product, *const before = scratch; /* for each row the product of those before */
    if (rows < 2) {
        return first;
    }
    fp_set_one(&constant);
    scalar_lanes_load(&one, &constant, 0, FPV_LANES);
    fpv_copy(&product, &one);
    for (uint64_t row = 0; row < rows; row++) {
        fpv_copy(&before[row], &product);
        (void)load_nonzero(&element, r + first + row * FPV_LANES, &one);
        scalar_lanes_factor(&factor, &element);
        scalar_lanes_multiply(&product, &product, &factor);
        fpv_settle_wide(&product, &product);
        fpv_canonical(&product, &product);
    }
    scalar_lanes_put(products, 1, FPV_LANES, &product);
    invert_elements(products, FPV_LANES, products_before);
    scalar_lanes_load(&product, products, 1, FPV_LANES);
    for (uint64_t row = rows; row-- > 0;) {
        fpv inverse, zeros;
        fp *elements = r + first + row * FPV_LANES;
        const uint32_t zero = load_nonzero(&element, elements, &one);
        scalar_lanes_factor(&factor, &product);
        scalar_lanes_multiply(&inverse, &before[row], &factor);
        scalar_lanes_multiply(&product, &element, &factor);
        fpv_settle_wide(&product, &product);
        fpv_canonical(&product, &product);
        fpv_set_zero(&zeros);
        fpv_cmov(&inverse, &zeros, zero);
        scalar_lanes_store(elements, 1, FPV_LANES, &inverse);
    }
    return first + rows * FPV_LANES;
}

#else

static size_t inverse_bytes(uint64_t elements)
{
    return elements * sizeof(fp);
}

static uint64_t invert_rows(fp *r, uint64_t first, uint64_t end, void *scratch)
{
    (void)r, (void)end, (void)scratch;
    return first;
}

#endif

static void invert_task(void *arguments, index_range range)
{
    const inverses_work *work = arguments;
    void *const scratch = work->scratch + range.thread * inverse_bytes(INVERSES_TASK);
    const uint64_t first = invert_rows(work->r, range.first, range.end, scratch);
    if (first < range.end) {
        invert_elements(work->r + first, range.end - first, scratch);
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(invert)(const vector_run *run, void *r, uint64_t n)
{
    const uint64_t threads = larger(run->threads, 1);
    const uint64_t bytes =
        (threads - 1) * inverse_bytes(INVERSES_TASK) + inverse_bytes(smaller(n, INVERSES_TASK));
    inverses_work work = {.r = r};
    if (n == 0) {
        return SUMAC_OK;
    }
    AUTO_FREE char *scratch =
        aligned_alloc(SCRATCH_ALIGNMENT, ceil_divide(bytes, SCRATCH_ALIGNMENT) * SCRATCH_ALIGNMENT);
    work.scratch = scratch;
    if (scratch == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    lanes_ranges(run, n, INVERSES_TASK, invert_task, &work);
    return SUMAC_OK;
}
