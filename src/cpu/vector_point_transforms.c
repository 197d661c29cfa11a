/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file transforms arrays of points.
 *
 * A transform of n points in natural order goes layer by layer. Layer l has 2^l blocks of n/2^l points. In each block
 * point j of the lower half and point j of the upper half, (u, v), are combined:
 *
 *   forward, l = 0, 1, ..     (u + w v, u - w v)          w = roots[block]: natural to bit-reversed
 *   inverse, l = .., 1, 0     (u + v, (u - v)/w)          bit-reversed to natural
 *
 * Roots are w^rev(i) for a w of order 2^k, where rev reverses k - 1 bits. For 2^j <= i < 2^(j+1) let i' = 3*2^j - 1 - i,
 * which is i with the bits below the highest one inverted. As rev(i) + rev(i') = 2^(k-1), the inverse of roots[i] is
 * -roots[i']. Block 0 has w = 1, and needs no multiplication.
 */
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/try.h"
#include "cpu/engine.h"
#include "cpu/point_groups.h"
#include "cpu/ranges.h"
#include "cpu/stages.h"

extern const registered_group SUMAC_CONCAT(sumac_group_, CURVE_ID);

/* Each thread has this many tasks, so that a slow task delays no other thread. */
#define POINTS_VECTOR_TASKS 4

typedef struct points_transform_work {
    const vector_transform *transform;
    const scalar_field *field;
    xyzz *points;
    point_digits *roots;  /* the digits of the root of each block; block 0 has the root 1, and its digits are
                             not used */
    point_digits *scale;  /* the digits of the scalars that coefficients are multiplied by */
    uint64_t scale_count; /* one scalar for each coefficient, 1 for all of them, or 0 */
    uint32_t positions;
    group_scratch *scratch; /* one for each thread */
    group_numbers *numbers;
    /* These describe the current layer. */
    uint64_t half;
    uint64_t partial; /* pairs [0, partial) of each block have a lower input that is not infinity, or a lower
                         result that is wanted */
    uint64_t full;    /* pairs [0, full) of each block have an upper input that is not infinity, or an upper
                         result that is wanted */
} points_transform_work;

/* ---- Scalars ---- */

typedef struct points_recode_work {
    const scalar_field *field;
    const uint64_t *scalars;
    point_digits *digits;
    uint32_t positions;
} points_recode_work;

static void points_recode_task(void *arguments, index_range range)
{
    const points_recode_work *work = arguments;
    for (uint64_t i = range.first; i < range.end; i++) {
        point_digits_recode(&work->digits[i], work->scalars + i * FR_LIMBS, work->field, work->positions);
    }
}

/* Recode n scalars in Montgomery form to *digits, which the caller frees. */
static sumac_status points_recode(const vector_run *run, const points_transform_work *work,
                                  const uint64_t *scalars, uint64_t n, point_digits **digits)
{
    *digits = malloc(larger(n, 1) * sizeof **digits);
    if (*digits == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    points_recode_work recode = {work->field, scalars, *digits, work->positions};
    vector_ranges(run, "transform", n, NORMALIZE_BLOCK, points_recode_task, &recode);
    return SUMAC_OK;
}

/* Coefficient j is multiplied by factor * ratio^j, before a forward transform or after an inverse one. Recode these
 * scalars. The factor is 1/2^log2 in an inverse transform, and the ratio comes from the shift. */
static sumac_status points_recode_scale(const vector_run *run, points_transform_work *work)
{
    const vector_transform *transform = work->transform;
    const scalar_vector_ops *ops = &SUMAC_SCALARS_SYMBOL(scalar_vectors);
    struct {
        uint64_t factor[FR_LIMBS], ratio[FR_LIMBS];
    } scale = {.factor = {(uint64_t)1 << (transform->inverse ? transform->log2 : 0)}};
    scalar_to_montgomery(scale.factor, work->field);
    memcpy(scale.ratio, transform->shift == NULL ? work->field->one : transform->shift, sizeof scale.ratio);
    if (transform->inverse) {
        TRY(ops->invert(run, &scale, 2));
    }
    const int differ = memcmp(scale.ratio, work->field->one, sizeof scale.ratio) != 0;
    work->scale_count = differ ? transform->coefficients : transform->inverse && transform->log2 > 0 ? 1 : 0;
    AUTO_FREE uint64_t *scalars = malloc(larger(work->scale_count, 1) * sizeof scale.factor);
    if (scalars == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    for (uint64_t i = 0; i < work->scale_count; i++) {
        memcpy(scalars + i * FR_LIMBS, work->field->one, sizeof scale.factor);
    }
    TRY(ops->scale_powers(run, scalars, work->scale_count, larger(work->scale_count, 1), scale.factor,
                          scale.ratio));
    return points_recode(run, work, scalars, work->scale_count, &work->scale);
}

/* ---- Points ---- */

/* These are pairs of points that wait until they fill a group. */
typedef struct points_queue {
    const points_transform_work *work;
    const group_step *steps;
    group_scratch *scratch;
    point_pair group[GROUP_MOST];
    uint32_t count;
} points_queue;

static const group_step points_plain_steps[] = {GROUP_BUTTERFLY, GROUP_END};
static const group_step points_forward_steps[] = {GROUP_MULTIPLY, GROUP_BUTTERFLY, GROUP_END};
static const group_step points_inverse_steps[] = {GROUP_BUTTERFLY_REVERSE, GROUP_MULTIPLY, GROUP_END};
static const group_step points_scale_steps[] = {GROUP_MULTIPLY, GROUP_END};

static void points_queue_begin(points_queue *queue, const points_transform_work *work, uint32_t thread,
                               const group_step *steps)
{
    queue->work = work;
    queue->steps = steps;
    queue->scratch = &work->scratch[thread];
    queue->count = 0;
}

static void points_queue_end(points_queue *queue)
{
    if (queue->count > 0) {
        group_run(queue->steps, queue->group, queue->count, queue->work->positions, queue->scratch,
                  queue->work->numbers);
        queue->count = 0;
    }
}

static void points_queue_add(points_queue *queue, xyzz *lower, xyzz *upper, const point_digits *digits)
{
    queue->group[queue->count++] = (point_pair){lower, upper, digits};
    if (queue->count == GROUP_MOST) {
        points_queue_end(queue);
    }
}

static void points_layer_task(void *arguments, index_range range)
{
    const points_transform_work *work = arguments;
    const vector_transform *transform = work->transform;
    points_queue plain, multiplied;
    points_queue_begin(&plain, work, range.thread, points_plain_steps);
    points_queue_begin(&multiplied, work, range.thread,
                       transform->inverse ? points_inverse_steps : points_forward_steps);
    for (uint64_t i = range.first; i < range.end; i++) {
        /* The blocks are processed one after another, so that in most groups all points have the same root. */
        const uint64_t offset = i % work->partial, row = i / work->partial % transform->rows;
        const uint64_t block = i / work->partial / transform->rows;
        xyzz *lower = work->points + (row << transform->log2) + 2 * work->half * block + offset;
        xyzz *upper = lower + work->half;
        if (offset < work->full && block == 0) {
            points_queue_add(&plain, lower, upper, NULL);
        } else if (offset < work->full) {
            points_queue_add(&multiplied, lower, upper,
                             &work->roots[transform->inverse ? inverse_root(block) : block]);
        } else if (transform->inverse) {
            xyzz_add(lower, lower, upper);
        } else {
            *upper = *lower;
        }
    }
    points_queue_end(&plain);
    points_queue_end(&multiplied);
}

static void points_scale_task(void *arguments, index_range range)
{
    const points_transform_work *work = arguments;
    const vector_transform *transform = work->transform;
    points_queue queue;
    points_queue_begin(&queue, work, range.thread, points_scale_steps);
    for (uint64_t i = range.first; i < range.end; i++) {
        const uint64_t row = i / transform->coefficients, j = i % transform->coefficients;
        points_queue_add(&queue, NULL, work->points + (row << transform->log2) + j,
                         &work->scale[work->scale_count == 1 ? 0 : j]);
    }
    points_queue_end(&queue);
}

static void points_clear_task(void *arguments, index_range range)
{
    const points_transform_work *work = arguments;
    const vector_transform *transform = work->transform;
    const uint64_t n = (uint64_t)1 << transform->log2, unused = n - transform->coefficients;
    for (uint64_t i = range.first; i < range.end; i++) {
        xyzz_set_infinity(&work->points[i / unused * n + transform->coefficients + i % unused]);
    }
}

/* Run the task over `total` elements. The ranges are whole groups, and so small that every thread gets some. */
static void points_transform_run(const vector_run *run, points_transform_work *work, uint64_t total,
                                 void (*task)(void *arguments, index_range range))
{
    const uint64_t tasks = run->threads > 1 ? (uint64_t)run->threads * POINTS_VECTOR_TASKS : 1;
    if (total > 0) {
        vector_ranges(run, "transform", total,
                      ceil_divide(ceil_divide(total, tasks), GROUP_MOST) * GROUP_MOST, task, work);
    }
}

static void points_transform_layer(const vector_run *run, points_transform_work *work, uint64_t half)
{
    const vector_transform *transform = work->transform;
    const uint64_t used = smaller(transform->coefficients, 2 * half);
    work->half = half;
    work->partial = smaller(used, half);
    work->full = used - work->partial;
    points_transform_run(run, work, ((transform->rows << transform->log2) / (2 * half)) * work->partial,
                         points_layer_task);
}

static void points_transform_scale(const vector_run *run, points_transform_work *work)
{
    if (work->scale_count > 0) {
        points_transform_run(run, work, work->transform->rows * work->transform->coefficients,
                             points_scale_task);
    }
}

static void points_transform_end(points_transform_work *work)
{
    cpu_backend.release(work->scratch);
    free(work->roots);
    free(work->scale);
}

sumac_status SUMAC_SYMBOL(transform_points)(const vector_run *run, void *r, const vector_transform *transform,
                                            const struct scalar_vector_ops *scalars)
{
    const scalar_field *field = &SUMAC_CONCAT(sumac_group_, CURVE_ID).scalars;
    const uint64_t threads = larger(run->threads, 1);
    CLEANUP(points_transform_end)
    points_transform_work work = {
        .transform = transform,
        .field = field,
        .points = r,
        .positions = point_digit_positions(field),
        .scratch = cpu_backend.allocate(NULL, threads * sizeof *work.scratch + sizeof *work.numbers),
    };
    (void)scalars; /* the CPU's code is compiled for these scalars */
    if (work.scratch == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    work.numbers = (group_numbers *)(void *)(work.scratch + threads);
    group_numbers_make(work.numbers);
    TRY(points_recode(run, &work, transform->roots, (uint64_t)1 << transform->log2 >> 1, &work.roots));
    TRY(points_recode_scale(run, &work));
    const int inverse = transform->inverse != 0;
    const int first_is_natural =
        (inverse ? transform->value_order : transform->coefficient_order) == SUMAC_ORDER_NATURAL;
    const int last_is_natural =
        (inverse ? transform->coefficient_order : transform->value_order) == SUMAC_ORDER_NATURAL;
    /* The layers take coefficients in natural order to values in bit-reversed order, and back. */
    if (first_is_natural == inverse) {
        TRY(cpu_vectors.bit_reverse(run, r, sizeof(xyzz), transform->rows, transform->log2));
    }
    if (!inverse) { /* no butterfly reads coefficients that are not given, which count as infinity */
        points_transform_scale(run, &work);
    }
    for (uint32_t i = 0; i < transform->log2; i++) {
        points_transform_layer(run, &work, (uint64_t)1 << (inverse ? i : transform->log2 - 1 - i));
    }
    if (inverse) {
        points_transform_scale(run, &work);
        points_transform_run(run, &work,
                             transform->rows * (((uint64_t)1 << transform->log2) - transform->coefficients),
                             points_clear_task);
    }
    if (last_is_natural != inverse) {
        TRY(cpu_vectors.bit_reverse(run, r, sizeof(xyzz), transform->rows, transform->log2));
    }
    return SUMAC_OK;
}
