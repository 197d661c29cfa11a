/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file checks pairings. Each thread imports some of the pairs, and computes the Miller loops of several pairs
 * together. Then the caller's thread multiplies the values, and exponentiates the product once. Pairings are always
 * computed on the CPU. */
#include "api/pairing.h"

#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "codec/point_layout.h"
#include "sumac/experimental.h"

/* Between two progress reports each thread runs this many tasks, in some tenths of a second. A pairing task has a block
 * of pairs; a preparing task computes the lines of one point. */
#define PAIRING_TASKS ((size_t)32)
#define PREPARE_TASKS ((size_t)1024)

/* This is one of the two groups of a curve, with the points of a call that lie in it. */
typedef struct pairing_side {
    const sumac_group *group;
    const group_code *code;
    const uint8_t *records;
    point_layout layout;
    size_t without; /* the number of first pairs whose lines are prepared; these have no records */
    char *points;   /* affine points */
} pairing_side;

struct sumac_pairing_points {
    const sumac_group *g2;
    size_t count;
    size_t lines_bytes; /* bytes of one point's lines */
    char *lines;
};

typedef struct pairing_work {
    pairing_side sides[2]; /* the first group, and the second */
    const pairing_ops *ops;
    sumac_check check;
    size_t n;
    const sumac_pairing_points *prepared; /* the points of the first pairs, or points that are being prepared;
                                             may be null */
    size_t share;                         /* the number of pairs of a task */
    char *values;                         /* one value for each task */
    char *scratch;
    size_t scratch_bytes; /* bytes of one thread's scratch */
    size_t first_bad;     /* the lowest index of a bad pair, set by note_least(); n if all are good */
    int *ok;              /* receives if the product is one; null if its value is wanted */
    uint8_t *value;       /* receives the value of the product; null if it is not wanted */
} pairing_work;

static sumac_status find_groups(sumac_context *context, const sumac_group *group, pairing_work *work)
{
    static const char *const groups[] = {"g1", "g2"};
    for (int i = 0; i < 2; i++) {
        pairing_side *side = &work->sides[i];
        if (sumac_group_find(group->curve, groups[i], &side->group) != SUMAC_OK) {
            return fail(context, SUMAC_NOT_SUPPORTED, "no pairing of %s: this build has no group %s of it",
                        group->curve, groups[i]);
        }
        side->code = context_code(context, side->group);
        side->layout = (point_layout){SUMAC_FORM_CANONICAL, side->group->point_bytes, SUMAC_INFINITY_ZERO, 0};
    }
    work->ops = work->sides[1].code->pairing;
    return work->ops != NULL
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "there is no pairing of %s here", group->curve);
}

/* Fail if the caller gave fewer points than the call needs. */
static sumac_status require_points(sumac_context *context, const sumac_group *group, size_t g1_points_bytes,
                                   size_t g1_count, size_t g2_points_bytes, size_t g2_count)
{
    pairing_work work;
    TRY(require(context, group != NULL, "group"));
    TRY(find_groups(context, group, &work));
    TRY(bytes_require(context, "g1_points", g1_points_bytes, g1_count, work.sides[0].group->point_bytes));
    return bytes_require(context, "g2_points", g2_points_bytes, g2_count, work.sides[1].group->point_bytes);
}

static sumac_status check_arguments(sumac_context *context, int has_g1, int has_g2, size_t n,
                                    sumac_check check, const void *answer)
{
    if (answer == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the answer's address is null");
    }
    if (!has_g1 || !has_g2) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the points of %s are null", has_g1 ? "g2" : "g1");
    }
    if ((unsigned)check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%d is no sumac_check", (int)check);
    }
    if (n > (uint64_t)1 << 31) {
        return fail(context, SUMAC_NOT_SUPPORTED, "%zu pairs are more than 2^31", n);
    }
    return SUMAC_OK;
}

static const uint8_t *record_of(const pairing_side *side, size_t pair)
{
    return side->records + (pair - side->without) * side->layout.stride;
}

/* Import those points of pairs [first, first + n) that lie in one group. Return the index of the first bad point,
 * counted from `first`, or n if all are good. */
static size_t import_side(const pairing_side *side, size_t first, size_t n, sumac_check check)
{
    const size_t skipped = first >= side->without ? 0 : side->without - first;
    size_t bad = 0;
    if (skipped >= n) {
        return n;
    }
    const sumac_status status = side->code->convert->import_points(
        side->points + (first + skipped) * side->code->affine_bytes, record_of(side, first + skipped),
        n - skipped, &side->layout, check, &bad);
    return status == SUMAC_OK ? n : skipped + bad;
}

static void pairing_task(void *arguments, size_t index, uint32_t thread)
{
    pairing_work *work = arguments;
    const pairing_side *g1 = &work->sides[0], *g2 = &work->sides[1];
    const size_t first = index * work->share;
    const size_t n = smaller(work->share, work->n - first);
    size_t bad = import_side(g1, first, n, work->check);
    bad = import_side(g2, first, bad, work->check);
    if (bad < n) {
        note_least(&work->first_bad, first + bad);
        return;
    }
    const size_t known = g2->without <= first ? 0 : g2->without - first;
    const pairing_factors factors = {
        .g1_points = g1->points + first * g1->code->affine_bytes,
        .g2_points = g2->points + first * g2->code->affine_bytes,
        .lines = known == 0 ? NULL : work->prepared->lines + first * work->prepared->lines_bytes,
        .prepared = known < n ? known : n,
        .n = n,
    };
    work->ops->miller(work->values + index * work->ops->value_bytes, &factors,
                      work->scratch + thread * work->scratch_bytes);
}

/* Import one point of the bad pair again, to get its status. The status is SUMAC_OK if the other point of the pair is
 * the bad one. */
static sumac_status import_bad_point(const pairing_work *work, const pairing_side *side)
{
    size_t bad = 0;
    return work->first_bad < side->without
               ? SUMAC_OK
               : side->code->convert->import_points(side->points, record_of(side, work->first_bad), 1,
                                                    &side->layout, work->check, &bad);
}

static sumac_status fail_pair(sumac_context *context, const pairing_work *work)
{
    for (int i = 0; i < 2; i++) {
        const pairing_side *side = &work->sides[i];
        const sumac_status status = import_bad_point(work, side);
        if (status != SUMAC_OK) {
            return fail(context, status, "pair %zu, its point of %s: %s", work->first_bad, side->group->name,
                        sumac_status_text(status));
        }
    }
    return fail(context, SUMAC_INTERNAL, "pair %zu is bad no more", work->first_bad);
}

/* Compute the product of n > 0 pairs, and answer. One block of memory holds the scratch of each thread, the points of both groups, and the values of
 * the tasks. */
static sumac_status multiply_pairs(sumac_context *context, pairing_work *work)
{
    const pairing_ops *ops = work->ops;
    /* Divide the pairs equally among the threads, but give a task at most a block. */
    work->share = smaller(ceil_divide(work->n, context->threads), ops->block);
    const size_t tasks = ceil_divide(work->n, work->share);
    const size_t threads = smaller(tasks, context->threads);
    const uint64_t g1_points_bytes = work->n * work->sides[0].code->affine_bytes;
    const uint64_t g2_points_bytes = work->n * work->sides[1].code->affine_bytes;
    work->scratch_bytes = (ops->scratch_bytes + 63) / 64 * 64;
    const uint64_t bytes =
        threads * work->scratch_bytes + g1_points_bytes + g2_points_bytes + tasks * ops->value_bytes;
    AUTO_FREE char *memory = host_points(bytes);
    if (memory == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for %zu pairs",
                    (unsigned long long)bytes, work->n);
    }
    work->scratch = memory;
    work->sides[0].points = memory + threads * work->scratch_bytes;
    work->sides[1].points = work->sides[0].points + g1_points_bytes;
    work->values = work->sides[1].points + g2_points_bytes;
    TRY(executor_for(context_executor(context), "pairing", tasks, PAIRING_TASKS, pairing_task, work));
    if (work->first_bad < work->n) {
        return fail_pair(context, work);
    }
    for (size_t i = 1; i < tasks; i++) {
        ops->multiply(work->values, work->values + i * ops->value_bytes);
    }
    ops->exponentiate(work->values);
    if (work->value != NULL) {
        ops->export_value(work->value, work->values);
    } else {
        *work->ok = ops->is_one(work->values);
    }
    return SUMAC_OK;
}

/* The product of no pairs is one. Its coefficients are 1, 0, 0, ... */
static sumac_status answer_one(const pairing_work *work)
{
    if (work->value != NULL) {
        memset(work->value, 0, work->ops->value_bytes);
        work->value[0] = 1;
    } else {
        *work->ok = 1;
    }
    return SUMAC_OK;
}

/* Check the arguments, and answer. `work` has n, check, the prepared points, and the address of the answer. */
static sumac_status answer(sumac_context *context, const sumac_group *group, pairing_work *work,
                           const void *g1_points, const void *g2_points)
{
    const size_t without = work->prepared == NULL ? 0 : work->prepared->count;
    if (work->n < without) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu pairs are less than the %zu prepared points", work->n,
                    without);
    }
    TRY(check_arguments(context, work->n == 0 || g1_points != NULL, work->n == without || g2_points != NULL,
                        work->n, work->check, work->value != NULL ? (void *)work->value : work->ok));
    TRY(find_groups(context, group, work));
    work->check = subgroup_by_default(work->check);
    work->first_bad = work->n;
    work->sides[0].records = g1_points;
    work->sides[1].records = g2_points;
    work->sides[1].without = without;
    return work->n == 0 ? answer_one(work) : multiply_pairs(context, work);
}

sumac_status pairing_check(sumac_context *context, const sumac_group *group,
                           const sumac_pairing_points *prepared, const void *g1_points, const void *g2_points,
                           size_t n, sumac_check check, int *ok)
{
    pairing_work work = {.check = check, .n = n, .prepared = prepared, .ok = ok};
    return answer(context, group, &work, g1_points, g2_points);
}

sumac_status sumac_pairing_check(sumac_context *context, const sumac_group *group, const void *g1_points,
                                 size_t g1_points_bytes, const void *g2_points, size_t g2_points_bytes,
                                 size_t count, sumac_check check, int *ok)
{
    BEGIN_CALL(context);
    TRY(require_points(context, group, g1_points_bytes, count, g2_points_bytes, count));
    return pairing_check(context, group, NULL, g1_points, g2_points, count, check, ok);
}

sumac_status sumac_pairing_value(sumac_context *context, const sumac_group *group, const void *g1_points,
                                 size_t g1_points_bytes, const void *g2_points, size_t g2_points_bytes,
                                 size_t count, sumac_check check, void *value, size_t value_bytes)
{
    BEGIN_CALL(context);
    pairing_work work = {.check = check, .n = count, .value = value};
    TRY(require_points(context, group, g1_points_bytes, count, g2_points_bytes, count));
    TRY(find_groups(context, group, &work));
    TRY(bytes_require(context, "value", value_bytes, 1, work.ops->value_bytes));
    return answer(context, group, &work, g1_points, g2_points);
}

sumac_status sumac_pairing_check_prepared(sumac_context *context, const sumac_pairing_points *prepared,
                                          const void *g1_points, size_t g1_points_bytes,
                                          const void *g2_points, size_t g2_points_bytes, size_t count,
                                          sumac_check check, int *ok)
{
    BEGIN_CALL(context);
    TRY(require(context, prepared != NULL, "prepared"));
    TRY(require_points(context, prepared->g2, g1_points_bytes, count, g2_points_bytes,
                       count - smaller(count, prepared->count)));
    return pairing_check(context, prepared->g2, prepared, g1_points, g2_points, count, check, ok);
}

/* ---- Preparing ---- */

static void prepare_task(void *arguments, size_t index, uint32_t thread)
{
    pairing_work *work = arguments;
    const pairing_side *g2 = &work->sides[1];
    (void)thread;
    if (import_side(g2, index, 1, work->check) == 0) {
        note_least(&work->first_bad, index);
        return;
    }
    work->ops->make_lines(work->prepared->lines + index * work->prepared->lines_bytes,
                          g2->points + index * g2->code->affine_bytes);
}

static void destroy_prepared(sumac_pairing_points **prepared)
{
    sumac_pairing_points_destroy(*prepared);
}

sumac_status sumac_pairing_points_create(sumac_context *context, const sumac_group *group,
                                         const void *g2_points, size_t g2_points_bytes, size_t count,
                                         sumac_check check, sumac_pairing_points **prepared)
{
    BEGIN_MAKING(context, prepared);
    pairing_work work = {.check = subgroup_by_default(check), .n = count, .first_bad = count};
    TRY(require_points(context, group, 0, 0, g2_points_bytes, count));
    TRY(check_arguments(context, 1, count == 0 || g2_points != NULL, count, check, prepared));
    TRY(find_groups(context, group, &work));
    pairing_side *g2 = &work.sides[1];
    g2->records = g2_points;
    const size_t lines_bytes = work.ops->lines_bytes(); /* small: 2^31*lines_bytes fits in 64 bits */
    const uint64_t bytes = (uint64_t)count * lines_bytes,
                   points_bytes = (uint64_t)count * g2->code->affine_bytes;
    CLEANUP(destroy_prepared) sumac_pairing_points *created = calloc(1, sizeof *created);
    if (created != NULL && bytes <= SIZE_MAX) {
        *created =
            (sumac_pairing_points){g2->group, count, lines_bytes, malloc(bytes == 0 ? 1 : (size_t)bytes)};
    }
    if (created == NULL || created->lines == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for %zu prepared points",
                    (unsigned long long)bytes, count);
    }
    work.prepared = created;
    if (count > 0) {
        AUTO_FREE char *points = host_points(points_bytes);
        if (points == NULL) {
            return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for %zu points",
                        (unsigned long long)points_bytes, count);
        }
        g2->points = points;
        TRY(executor_for(context_executor(context), "pairing", count, PREPARE_TASKS, prepare_task, &work));
        if (work.first_bad < count) {
            const sumac_status status = import_bad_point(&work, g2);
            return fail(context, status, "point %zu: %s", work.first_bad, sumac_status_text(status));
        }
    }
    *prepared = created;
    created = NULL;
    return SUMAC_OK;
}

void sumac_pairing_points_destroy(sumac_pairing_points *prepared)
{
    if (prepared != NULL) {
        free(prepared->lines);
        free(prepared);
    }
}
