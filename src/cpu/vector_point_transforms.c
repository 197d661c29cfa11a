/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Transforms of arrays of points.
 *
 * One of n points in natural order goes layer by layer. Layer l has 2^l blocks of n/2^l points, of
 * which point j of the lower half is combined with point j of the upper half (u, v):
 *
 *   forward, l = 0, 1, ..     (u + w v, u - w v)          w = roots[block]: natural to bit-reversed
 *   inverse, l = .., 1, 0     (u + v, (u - v)/w)          bit-reversed to natural
 *
 * Roots are w^rev(i) for a w of order 2^k, rev over k - 1 bits. For 2^j <= i < 2^(j+1) and i' = 3*2^j - 1 -
 * i, which is i with the bits below the highest one turned over, rev(i) + rev(i') = 2^(k-1): the inverse of
 * roots[i] is -roots[i']. Block 0 has w = 1, and no multiples.
 */
#include "cpu/vector_points.h"

#include <stdlib.h>

#include "base/integers.h"
#include "cpu/engine.h"
#include "cpu/point_groups.h"

extern const struct sumac_curve SUMAC_CONCAT(sumac_curve_, CURVE_ID);

/* Tasks for each thread, so that a slow one delays nobody. */
#define POINTS_VECTOR_TASKS 4

/* Coefficient j is multiplied by factor*ratio^j, before a forward transform and after an inverse one. */
typedef struct points_transform_scale {
    uint64_t factor[FR_LIMBS]; /* Montgomery form */
    uint64_t ratio[FR_LIMBS];
    uint64_t count; /* of different scalars: the coefficients; 1 where the ratio is 1; 0: all are 1 */
    point_digits *digits;
} points_transform_scale;

typedef struct points_transform_work {
    const vector_transform *transform;
    const scalar_field *field;
    xyzz *points;
    point_digits *roots; /* of blocks 1 .. ; block 0 has no multiples */
    points_transform_scale scale;
    uint32_t positions;
    group_scratch *scratch; /* one for each thread */
    group_numbers *numbers;
    /* These describe the current layer. */
    uint64_t half;
    uint64_t partial; /* offsets below it have a lower input that is not infinity, or a wanted result */
    uint64_t full;    /* likewise for upper inputs */
    uint64_t share;   /* butterflies, or elements, of a task */
    uint64_t total;
} points_transform_work;

static void points_scalar_halve(uint64_t *a, const scalar_field *field)
{
    uint64_t carry = 0;
    const uint64_t odd = 0 - (a[0] & 1);
    for (uint32_t i = 0; i < FR_LIMBS; i++) {
        a[i] = limb_add_carry(a[i], field->modulus[i] & odd, &carry);
    }
    for (uint32_t i = 0; i < FR_LIMBS; i++) {
        a[i] = a[i] >> 1 | (i + 1 < FR_LIMBS ? a[i + 1] : carry) << 63;
    }
}

/* r = a^exponent, of `limbs` limbs, in Montgomery form; r is not a. */
static void points_scalar_power(uint64_t *r, const uint64_t *a, const uint64_t *exponent, uint32_t limbs,
                                const scalar_field *field)
{
    memcpy(r, field->one, FR_LIMBS * sizeof *r);
    for (uint32_t bit = scalar_bits(exponent, limbs); bit-- > 0;) {
        scalar_montgomery_multiply(r, r, field);
        if ((exponent[bit / 64] >> bit % 64 & 1) != 0) {
            scalar_montgomery_multiply(r, a, field);
        }
    }
}

static points_transform_scale points_transform_scale_of(const vector_transform *transform,
                                                        const scalar_field *field)
{
    points_transform_scale scale = {.count = transform->inverse && transform->log2 > 0 ? 1 : 0};
    memcpy(scale.factor, field->one, sizeof scale.factor);
    memcpy(scale.ratio, field->one, sizeof scale.ratio);
    for (uint32_t i = 0; transform->inverse && i < transform->log2; i++) {
        points_scalar_halve(scale.factor, field);
    }
    if (transform->shift == NULL) {
        return scale;
    }
    memcpy(scale.ratio, transform->shift, sizeof scale.ratio);
    if (transform->inverse) {
        const uint64_t two[FR_LIMBS] = {2};
        uint64_t exponent[FR_LIMBS];
        scalar_subtract(exponent, field->modulus, two, FR_LIMBS);
        points_scalar_power(scale.ratio, transform->shift, exponent, FR_LIMBS, field);
    }
    if (memcmp(scale.ratio, field->one, sizeof scale.ratio) != 0) {
        scale.count = transform->coefficients;
    }
    return scale;
}

static void points_recode_roots_task(void *arguments, size_t index, uint32_t thread)
{
    const points_transform_work *work = arguments;
    const uint64_t first = larger(index * POINTS_VECTOR_BLOCK, 1);
    const uint64_t end = smaller((index + 1) * POINTS_VECTOR_BLOCK, work->total);
    const uint64_t *roots = work->transform->roots;
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        point_digits_recode(&work->roots[i], roots + i * FR_LIMBS, work->field, work->positions);
    }
}

static void points_recode_scale_task(void *arguments, size_t index, uint32_t thread)
{
    const points_transform_work *work = arguments;
    const points_transform_scale *scale = &work->scale;
    const uint64_t first = index * POINTS_VECTOR_BLOCK,
                   end = smaller(first + POINTS_VECTOR_BLOCK, scale->count);
    uint64_t factor[FR_LIMBS];
    (void)thread;
    points_scalar_power(factor, scale->ratio, &first, 1, work->field);
    scalar_montgomery_multiply(factor, scale->factor, work->field);
    for (uint64_t i = first; i < end; i++) {
        point_digits_recode(&scale->digits[i], factor, work->field, work->positions);
        scalar_montgomery_multiply(factor, scale->ratio, work->field);
    }
}

/* Pairs that wait until they are a group. */
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

/* The digits of block's root, or of its inverse's opposite; block > 0. */
static const point_digits *points_root_digits(const points_transform_work *work, uint64_t block)
{
    const uint32_t highest = scalar_bits(&block, 1) - 1;
    return &work->roots[work->transform->inverse ? ((uint64_t)3 << highest) - 1 - block : block];
}

static void points_layer_task(void *arguments, size_t index, uint32_t thread)
{
    const points_transform_work *work = arguments;
    const vector_transform *transform = work->transform;
    const uint64_t first = index * work->share, end = smaller(first + work->share, work->total);
    points_queue plain, multiplied;
    points_queue_begin(&plain, work, thread, points_plain_steps);
    points_queue_begin(&multiplied, work, thread,
                       transform->inverse ? points_inverse_steps : points_forward_steps);
    for (uint64_t i = first; i < end; i++) {
        /* Blocks one after another: then most groups share a root. */
        const uint64_t offset = i % work->partial, row = i / work->partial % transform->rows;
        const uint64_t block = i / work->partial / transform->rows;
        xyzz *lower = work->points + (row << transform->log2) + 2 * work->half * block + offset;
        xyzz *upper = lower + work->half;
        if (offset < work->full && block == 0) {
            points_queue_add(&plain, lower, upper, NULL);
        } else if (offset < work->full) {
            points_queue_add(&multiplied, lower, upper, points_root_digits(work, block));
        } else if (transform->inverse) {
            xyzz_add(lower, lower, upper);
        } else {
            *upper = *lower;
        }
    }
    points_queue_end(&plain);
    points_queue_end(&multiplied);
}

static void points_scale_task(void *arguments, size_t index, uint32_t thread)
{
    const points_transform_work *work = arguments;
    const vector_transform *transform = work->transform;
    const uint64_t first = index * work->share, end = smaller(first + work->share, work->total);
    points_queue queue;
    points_queue_begin(&queue, work, thread, points_scale_steps);
    for (uint64_t i = first; i < end; i++) {
        const uint64_t row = i / transform->coefficients, j = i % transform->coefficients;
        points_queue_add(&queue, NULL, work->points + (row << transform->log2) + j,
                         &work->scale.digits[work->scale.count == 1 ? 0 : j]);
    }
    points_queue_end(&queue);
}

/* Run the task over `total` elements, in whole groups, so many at a time that all threads have some. */
static void points_transform_run(const vector_run *run, points_transform_work *work, uint64_t total,
                                 void (*task)(void *arguments, size_t index, uint32_t thread))
{
    const parallel_team team = vector_team(run, "transform");
    const uint64_t tasks = run->threads > 1 ? (uint64_t)run->threads * POINTS_VECTOR_TASKS : 1;
    work->total = total;
    work->share = ceil_divide(ceil_divide(total, tasks), GROUP_MOST) * GROUP_MOST;
    if (total > 0) {
        parallel_for(&team, ceil_divide(total, work->share), task, work);
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

static void points_transform_scale_points(const vector_run *run, points_transform_work *work)
{
    if (work->scale.count > 0) {
        points_transform_run(run, work, work->transform->rows * work->transform->coefficients,
                             points_scale_task);
    }
}

static void points_reverse_task(void *arguments, size_t index, uint32_t thread)
{
    const points_transform_work *work = arguments;
    const uint64_t first = index * work->share, end = smaller(first + work->share, work->total);
    const uint32_t log2 = work->transform->log2;
    const uint64_t mask = ((uint64_t)1 << log2) - 1;
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        const uint64_t place = i & mask, other = reversed_bits(place, log2);
        if (place < other) { /* whoever comes to the smaller one swaps both */
            const xyzz point = work->points[i];
            work->points[i] = work->points[i - place + other];
            work->points[i - place + other] = point;
        }
    }
}

static void points_clear_task(void *arguments, size_t index, uint32_t thread)
{
    const points_transform_work *work = arguments;
    const vector_transform *transform = work->transform;
    const uint64_t first = index * work->share, end = smaller(first + work->share, work->total);
    const uint64_t n = (uint64_t)1 << transform->log2, unused = n - transform->coefficients;
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        const uint64_t place = transform->coefficients + i % unused;
        xyzz_set_infinity(&work->points[i / unused * n + place]);
    }
}

static void points_transform_reverse(const vector_run *run, points_transform_work *work, sumac_order order)
{
    if (order == SUMAC_ORDER_BIT_REVERSED) {
        points_transform_run(run, work, work->transform->rows << work->transform->log2, points_reverse_task);
    }
}

/* Coefficients to values. Those that are not looked at count as infinity: no points_butterfly reads them. */
static void points_transform_forward(const vector_run *run, points_transform_work *work)
{
    const vector_transform *transform = work->transform;
    points_transform_reverse(run, work, transform->coefficient_order);
    points_transform_scale_points(run, work);
    for (uint32_t layer = 0; layer < transform->log2; layer++) {
        points_transform_layer(run, work, (uint64_t)1 << (transform->log2 - 1 - layer));
    }
    points_transform_reverse(run, work,
                             transform->value_order == SUMAC_ORDER_NATURAL ? SUMAC_ORDER_BIT_REVERSED
                                                                           : SUMAC_ORDER_NATURAL);
}

static void points_transform_inverse(const vector_run *run, points_transform_work *work)
{
    const vector_transform *transform = work->transform;
    const uint64_t unused = ((uint64_t)1 << transform->log2) - transform->coefficients;
    points_transform_reverse(run, work,
                             transform->value_order == SUMAC_ORDER_NATURAL ? SUMAC_ORDER_BIT_REVERSED
                                                                           : SUMAC_ORDER_NATURAL);
    for (uint32_t layer = transform->log2; layer-- > 0;) {
        points_transform_layer(run, work, (uint64_t)1 << (transform->log2 - 1 - layer));
    }
    points_transform_scale_points(run, work);
    points_transform_run(run, work, transform->rows * unused, points_clear_task);
    points_transform_reverse(run, work, transform->coefficient_order);
}

/* 0 when memory is short. */
static int points_transform_scratch(const vector_run *run, points_transform_work *work)
{
    const uint32_t threads = run->threads > 1 ? run->threads : 1;
    char *memory = cpu_backend.allocate(NULL, threads * sizeof *work->scratch + sizeof *work->numbers);
    if (memory == NULL) {
        return 0;
    }
    work->scratch = (group_scratch *)(void *)memory;
    work->numbers = (group_numbers *)(void *)(work->scratch + threads);
    group_numbers_make(work->numbers);
    return 1;
}

/* Block 0's scalar is 1 and needs none, but keeps its place. */
static sumac_status points_transform_recode(const vector_run *run, points_transform_work *work)
{
    const parallel_team team = vector_team(run, "transform");
    const uint64_t roots = (uint64_t)1 << work->transform->log2 >> 1;
    if (!points_transform_scratch(run, work)) {
        return SUMAC_OUT_OF_MEMORY;
    }
    work->roots = malloc(larger(roots, 1) * sizeof *work->roots);
    work->scale.digits = malloc(larger(work->scale.count, 1) * sizeof *work->scale.digits);
    if (work->roots == NULL || work->scale.digits == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    work->total = roots;
    parallel_for(&team, ceil_divide(roots, POINTS_VECTOR_BLOCK), points_recode_roots_task, work);
    parallel_for(&team, ceil_divide(work->scale.count, POINTS_VECTOR_BLOCK), points_recode_scale_task, work);
    return SUMAC_OK;
}

sumac_status SUMAC_SYMBOL(transform_points)(const vector_run *run, void *r, const vector_transform *transform,
                                            const struct scalar_vector_ops *scalars)
{
    const scalar_field *field = &SUMAC_CONCAT(sumac_curve_, CURVE_ID).scalars;
    points_transform_work work = {
        .transform = transform,
        .field = field,
        .points = r,
        .scale = points_transform_scale_of(transform, field),
        .positions = point_digit_positions(field),
    };
    (void)scalars; /* a few of them, which math/scalar.h computes */
    const sumac_status status = points_transform_recode(run, &work);
    if (status == SUMAC_OK && transform->inverse) {
        points_transform_inverse(run, &work);
    } else if (status == SUMAC_OK) {
        points_transform_forward(run, &work);
    }
    cpu_backend.release(work.scratch);
    free(work.roots);
    free(work.scale.digits);
    return status;
}
