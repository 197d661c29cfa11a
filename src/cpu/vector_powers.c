/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file multiplies scalars by the powers of a scalar, and computes roots of unity. */
#include "cpu/vector_scalars.h"

#include "base/integers.h"

typedef struct powers_work {
    fp *r;
    uint64_t length; /* elements per row */
    fp factor, ratio;
} powers_work;

/* Set r to factor * ratio^exponent. */
static void power_at(fp *r, const fp *factor, const fp *ratio, uint64_t exponent)
{
    fp power;
    fp_pow(&power, ratio, &exponent, 1);
    fp_mul(r, factor, &power);
}

#ifdef SUMAC_SCALAR_LANES

/* Scale elements [i, end), sixteen at a time. They lie in one row, and element i has the index `number` in the row.
 * Return the index of the first element that is left. */
static uint64_t scale_lanes(const powers_work *work, uint64_t i, uint64_t end, uint64_t number)
{
    fp powers[FPV_LANES], step_power;
    fpv power, step, element;
    if (end - i < 2 * FPV_LANES) {
        return i;
    }
    power_at(&powers[0], &work->factor, &work->ratio, number);
    scalar_to_factor(&powers[0]);
    for (int lane = 1; lane < FPV_LANES; lane++) {
        fp_mul(&powers[lane], &powers[lane - 1], &work->ratio);
    }
    fp_set_one(&step_power);
    power_at(&step_power, &step_power, &work->ratio, FPV_LANES);
    scalar_to_factor(&step_power);
    scalar_lanes_load(&power, powers, 1, FPV_LANES);
    scalar_lanes_load(&step, &step_power, 0, FPV_LANES);
    for (; i + FPV_LANES <= end; i += FPV_LANES) {
        fpv product;
        scalar_lanes_load(&element, &work->r[i], 1, FPV_LANES);
        scalar_lanes_multiply(&product, &element, &power);
        scalar_lanes_store(&work->r[i], 1, FPV_LANES, &product);
        scalar_lanes_multiply(&power, &power, &step);
    }
    return i;
}

#else

static uint64_t scale_lanes(const powers_work *work, uint64_t i, uint64_t end, uint64_t number)
{
    (void)work, (void)end, (void)number;
    return i;
}

#endif

/* Scale elements [first, end). They lie in one row, and the first one has the index `number` in the row. */
static void scale_piece(const powers_work *work, uint64_t first, uint64_t end, uint64_t number)
{
    fp power;
    uint64_t i = scale_lanes(work, first, end, number);
    if (i == end) {
        return;
    }
    power_at(&power, &work->factor, &work->ratio, number + (i - first));
    for (; i < end; i++) {
        fp_mul(&work->r[i], &work->r[i], &power);
        fp_mul(&power, &power, &work->ratio);
    }
}

static void scale_task(void *arguments, index_range range)
{
    const powers_work *work = arguments;
    while (range.first < range.end) {
        const uint64_t number = range.first % work->length;
        const uint64_t piece = smaller(work->length - number, range.end - range.first);
        scale_piece(work, range.first, range.first + piece, number);
        range.first += piece;
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(scale_powers)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                                const void *factor, const void *ratio)
{
    powers_work work = {r, length, *(const fp *)factor, *(const fp *)ratio};
    lanes_ranges(run, n, SCALARS_TASK, scale_task, &work);
    return SUMAC_OK;
}

/* ---- Roots of unity ---- */

static const fp largest_root = {FR_ROOT};

/* Set r to the root of order 2^log2 that a root of order 2^root_log2 has among its powers. */
static void root_of_order(fp *r, uint32_t log2, const fp *root, uint32_t root_log2)
{
    *r = *root;
    for (uint32_t i = log2; i < root_log2; i++) {
        fp_sqr(r, r);
    }
}

void SUMAC_SCALARS_SYMBOL(root)(uint8_t *raw, uint32_t log2)
{
    const vector_run alone = {.threads = 1};
    fp root;
    root_of_order(&root, log2, &largest_root, FR_TWO_ADICITY);
    (void)SUMAC_SCALARS_SYMBOL(export_scalars)(&alone, raw, &root, 1, SUMAC_FORM_CANONICAL,
                                               SUMAC_LITTLE_ENDIAN);
}

/* Compute elements [2^j, 2^(j + 1)) of the table as elements [0, 2^j) times the root of order 2^(j + 2). */
sumac_status SUMAC_SCALARS_SYMBOL(roots)(const vector_run *run, void *roots, uint32_t log2, const void *root)
{
    fp *table = roots;
    fp_set_one(&table[0]);
    for (uint32_t j = 0; j + 1 < log2; j++) {
        const uint64_t half = UINT64_C(1) << j;
        fp power;
        root_of_order(&power, j + 2, root, log2);
        const vector_operand factor = {&power, 1, 1};
        (void)SUMAC_SCALARS_SYMBOL(multiply)(run, table + half, table, half, &factor);
    }
    return SUMAC_OK;
}

sumac_status SUMAC_SCALARS_SYMBOL(factors)(const vector_run *run, void *factors, uint32_t log2,
                                           const void *root)
{
    (void)SUMAC_SCALARS_SYMBOL(roots)(run, factors, log2, root);
    fp one;
    fp_set_one(&one);
    scalar_to_factor(&one);
    const vector_operand factor = {&one, 1, 1};
    (void)SUMAC_SCALARS_SYMBOL(multiply)(run, factors, factors, UINT64_C(1) << (log2 - 1), &factor);
    return SUMAC_OK;
}
