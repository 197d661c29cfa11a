/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sumac_pairing_check() and its like: each thread imports a share of the pairs and takes them through their
 * Miller loops together; the caller's joins the shares' values and exponentiates once. Pairings are always
 * the CPU's. */
#include "api/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "api/registry.h"
#include "base/least.h"
#include "codec/point_layout.h"

/* Tasks for each thread from one report to the next: of a block of pairs, and of a point whose lines are made. Some
 * tenths of a second. */
#define PAIRING_TASKS ((size_t)32)
#define PREPARE_TASKS ((size_t)1024)

/* One of a curve's two groups, and its points of a call. */
typedef struct pairing_side {
    const sumac_curve *curve;
    const curve_code *code;
    const uint8_t *records;
    point_layout layout;
    size_t without; /* so many first pairs have no record: their lines are prepared */
    char *points;   /* affine */
} pairing_side;

struct sumac_pairing_points {
    const sumac_curve *g2;
    size_t count;
    size_t lines_bytes; /* of each point */
    char *lines;
};

typedef struct pairing_work {
    pairing_side sides[2]; /* the first group, the second */
    const pairing_ops *ops;
    sumac_check check;
    size_t n;
    const sumac_pairing_points *prepared; /* of the first pairs; null: of none */
    size_t share;                         /* pairs of a task */
    char *values;                         /* one for each task */
    char *scratch;                        /* what each thread works in */
    size_t scratch_bytes;                 /* of a thread */
    size_t first_bad; /* the least index of a bad pair, n when there is none: by note_least() */
} pairing_work;

/* The group of a name of the curve to which the given one belongs; null where this build lacks it. */
static const sumac_curve *group_of_same_curve(const sumac_curve *curve, const char *group)
{
    for (size_t i = 0; i < sumac_registry_count; i++) {
        const sumac_curve_info *info = &sumac_registry[i]->info;
        if (strcmp(info->name, curve->info.name) == 0 && strcmp(info->group, group) == 0) {
            return sumac_registry[i];
        }
    }
    return NULL;
}

static sumac_status find_groups(sumac_context *context, const sumac_curve *curve, pairing_work *work)
{
    static const char *const groups[] = {"g1", "g2"};
    for (int i = 0; i < 2; i++) {
        pairing_side *side = &work->sides[i];
        side->curve = group_of_same_curve(curve, groups[i]);
        if (side->curve == NULL) {
            return fail(context, SUMAC_NOT_SUPPORTED, "no pairing of %s: this build has no group %s of it",
                        curve->info.name, groups[i]);
        }
        side->code = context_code(context, side->curve);
        side->layout =
            (point_layout){SUMAC_FORM_CANONICAL, side->curve->info.point_bytes, SUMAC_INFINITY_ZERO, 0};
    }
    work->ops = work->sides[1].code->pairing;
    return work->ops != NULL
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "there is no pairing of %s here", curve->info.name);
}

static sumac_status check_arguments(sumac_context *context, const sumac_curve *curve, int g1_is_there,
                                    int g2_is_there, size_t n, sumac_check check, const void *answer)
{
    if (curve == NULL || answer == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    curve == NULL ? "the curve" : "the answer's address");
    }
    if (!g1_is_there || !g2_is_there) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the points of %s are null", g1_is_there ? "g2" : "g1");
    }
    if (check != SUMAC_CHECK_NONE && check != SUMAC_CHECK_CURVE && check != SUMAC_CHECK_SUBGROUP) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%d is no check", (int)check);
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

/* Import pairs [first, first + n) of one group; the index among them of the first bad one, n if there is
 * none.
 */
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
    const size_t n = work->n - first < work->share ? work->n - first : work->share;
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

/* What is wrong with a point of the bad pair, looked at once more; SUMAC_OK if it is not this group's. */
static sumac_status bad_status(const pairing_work *work, const pairing_side *side)
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
        const sumac_status status = bad_status(work, side);
        if (status != SUMAC_OK) {
            return fail(context, status, "pair %zu, its point of %s: %s", work->first_bad,
                        side->curve->info.group, sumac_status_text(status));
        }
    }
    return fail(context, SUMAC_INTERNAL, "pair %zu is bad no more", work->first_bad);
}

/* All of a call's memory in one block: what its threads work in, the points of both groups, the tasks'
 * values. */
static void *allocate_memory(sumac_context *context, pairing_work *work, size_t tasks)
{
    const uint64_t g1_bytes = work->sides[0].code->affine_bytes, g2_bytes = work->sides[1].code->affine_bytes;
    const size_t threads = tasks < context->threads ? tasks : context->threads;
    work->scratch_bytes = (work->ops->scratch_bytes + 63) / 64 * 64;
    const uint64_t bytes =
        threads * work->scratch_bytes + work->n * (g1_bytes + g2_bytes) + tasks * work->ops->value_bytes;
    char *memory = host_points(bytes);
    if (memory == NULL) {
        (void)fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for %zu pairs",
                   (unsigned long long)bytes, work->n);
        return NULL;
    }
    work->scratch = memory;
    work->sides[0].points = memory + threads * work->scratch_bytes;
    work->sides[1].points = work->sides[0].points + work->n * g1_bytes;
    work->values = work->sides[1].points + work->n * g2_bytes;
    return memory;
}

/* Whether the product of all tasks' values is one; the first of them is overwritten. */
static int finish(const pairing_work *work, size_t tasks)
{
    for (size_t i = 1; i < tasks; i++) {
        work->ops->multiply(work->values, work->values + i * work->ops->value_bytes);
    }
    work->ops->exponentiate(work->values);
    return work->ops->is_one(work->values);
}

/* The check of arguments that are in order: n pairs, not 0. */
static sumac_status check_pairs(sumac_context *context, pairing_work *work, int *is_one)
{
    /* Equal shares for the threads, as long as a block holds them. */
    const size_t even = (work->n + context->threads - 1) / context->threads;
    work->share = even < work->ops->block ? even : work->ops->block;
    const size_t tasks = (work->n + work->share - 1) / work->share;
    void *memory = allocate_memory(context, work, tasks);
    if (memory == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    sumac_status status =
        executor_for(context_executor(context), "pairing", tasks, PAIRING_TASKS, pairing_task, work);
    if (status == SUMAC_OK && work->first_bad < work->n) {
        status = fail_pair(context, work);
    } else if (status == SUMAC_OK) {
        *is_one = finish(work, tasks);
    }
    host_points_free(memory);
    return status;
}

sumac_status pairing_check(sumac_context *context, const sumac_curve *curve,
                           const sumac_pairing_points *prepared, const void *g1_points, const void *g2_points,
                           size_t n, sumac_check check, int *is_one)
{
    pairing_work work = {.check = check, .n = n, .first_bad = n, .prepared = prepared};
    const size_t without = prepared == NULL ? 0 : prepared->count;
    if (n < without) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu pairs are less than the %zu prepared points", n,
                    without);
    }
    sumac_status status = check_arguments(context, curve, n == 0 || g1_points != NULL,
                                          n == without || g2_points != NULL, n, check, is_one);
    if (status == SUMAC_OK) {
        status = find_groups(context, curve, &work);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    if (n == 0) {
        *is_one = 1;
        return SUMAC_OK;
    }
    work.sides[0].records = g1_points;
    work.sides[1].records = g2_points;
    work.sides[1].without = without;
    return check_pairs(context, &work, is_one);
}

sumac_status sumac_pairing_check(sumac_context *context, const sumac_curve *curve, const void *g1_points,
                                 const void *g2_points, size_t n, sumac_check check, int *is_one)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    return pairing_check(context, curve, NULL, g1_points, g2_points, n, check, is_one);
}

sumac_status sumac_pairing_check_prepared(sumac_context *context, const sumac_pairing_points *prepared,
                                          const void *g1_points, const void *g2_points, size_t n,
                                          sumac_check check, int *is_one)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (prepared == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the prepared points are null");
    }
    return pairing_check(context, prepared->g2, prepared, g1_points, g2_points, n, check, is_one);
}

/* ---- preparing ---- */

typedef struct prepare_work {
    pairing_work pairs; /* of the second group's side alone */
    sumac_pairing_points *prepared;
} prepare_work;

static void prepare_task(void *arguments, size_t index, uint32_t thread)
{
    prepare_work *work = arguments;
    const pairing_side *g2 = &work->pairs.sides[1];
    (void)thread;
    if (import_side(g2, index, 1, work->pairs.check) == 0) {
        note_least(&work->pairs.first_bad, index);
        return;
    }
    work->pairs.ops->make_lines(work->prepared->lines + index * work->prepared->lines_bytes,
                                g2->points + index * g2->code->affine_bytes);
}

/* Points without lines, or null and a sentence. */
static sumac_pairing_points *allocate_prepared(sumac_context *context, const pairing_work *work)
{
    const size_t lines_bytes = work->ops->lines_bytes(); /* 2^31 times that fit in 64 bits */
    const uint64_t bytes = (uint64_t)work->n * lines_bytes;
    sumac_pairing_points *prepared = malloc(sizeof *prepared);
    char *lines = bytes > SIZE_MAX ? NULL : malloc(bytes == 0 ? 1 : (size_t)bytes);
    if (prepared == NULL || lines == NULL) {
        free(prepared);
        free(lines);
        (void)fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for %zu prepared points",
                   (unsigned long long)bytes, work->n);
        return NULL;
    }
    *prepared = (sumac_pairing_points){work->sides[1].curve, work->n, lines_bytes, lines};
    return prepared;
}

/* Fill in the lines of points whose memory is there. */
static sumac_status make_lines(sumac_context *context, pairing_work *pairs, sumac_pairing_points *prepared)
{
    prepare_work work = {*pairs, prepared};
    pairing_side *g2 = &work.pairs.sides[1];
    const uint64_t bytes = (uint64_t)pairs->n * g2->code->affine_bytes;
    g2->points = host_points(bytes);
    if (g2->points == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for %zu points",
                    (unsigned long long)bytes, pairs->n);
    }
    sumac_status status =
        executor_for(context_executor(context), "pairing", pairs->n, PREPARE_TASKS, prepare_task, &work);
    if (status == SUMAC_OK && work.pairs.first_bad < pairs->n) {
        status = bad_status(&work.pairs, g2);
        (void)fail(context, status, "point %zu: %s", work.pairs.first_bad, sumac_status_text(status));
    }
    host_points_free(g2->points);
    return status;
}

sumac_status sumac_pairing_points_create(sumac_context *context, const sumac_curve *curve,
                                         const void *g2_points, size_t n, sumac_check check,
                                         sumac_pairing_points **prepared)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    pairing_work work = {.check = check, .n = n, .first_bad = n};
    sumac_status status = check_arguments(context, curve, 1, n == 0 || g2_points != NULL, n, check, prepared);
    if (status == SUMAC_OK) {
        status = find_groups(context, curve, &work);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    work.sides[1].records = g2_points;
    sumac_pairing_points *made = allocate_prepared(context, &work);
    if (made == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    status = n == 0 ? SUMAC_OK : make_lines(context, &work, made);
    if (status != SUMAC_OK) {
        sumac_pairing_points_destroy(made);
        return status;
    }
    *prepared = made;
    return SUMAC_OK;
}

void sumac_pairing_points_destroy(sumac_pairing_points *prepared)
{
    if (prepared != NULL) {
        free(prepared->lines);
        free(prepared);
    }
}
