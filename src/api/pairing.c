/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sumac_pairing_check(): each thread imports a share of the pairs and takes them through their Miller loops
 * together; the caller's joins the shares' values and exponentiates once. Pairings are always the CPU's. */
#include "sumac/pairing.h"

#include <string.h>

#include "api/call.h"
#include "api/context.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "api/registry.h"
#include "cpu/parallel.h"

/* One of a curve's two groups, and its points of a call. */
typedef struct pairing_side {
    const sumac_curve *curve;
    const curve_code *code;
    const uint8_t *records;
    point_layout layout;
    char *points; /* affine */
} pairing_side;

typedef struct pairing_work {
    pairing_side sides[2]; /* the first group, the second */
    const pairing_ops *ops;
    sumac_check check;
    size_t n;
    size_t share;     /* pairs of a task */
    char *values;     /* one for each task */
    size_t first_bad; /* the least index of a bad pair, n when there is none; guarded by compare and swap */
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

static sumac_status check_arguments(sumac_context *context, const sumac_curve *curve, const void *g1_points,
                                    const void *g2_points, size_t n, sumac_check check, const int *is_one)
{
    if (curve == NULL || is_one == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    curve == NULL ? "the curve" : "the answer's address");
    }
    if (n != 0 && (g1_points == NULL || g2_points == NULL)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the points of %s are null",
                    g1_points == NULL ? "g1" : "g2");
    }
    if (check != SUMAC_CHECK_NONE && check != SUMAC_CHECK_CURVE && check != SUMAC_CHECK_SUBGROUP) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%d is no check", (int)check);
    }
    return SUMAC_OK;
}

/* Import pairs [first, first + n) of one group; the index among them of the first bad one, n if there is
 * none.
 */
static size_t import_side(const pairing_side *side, size_t first, size_t n, sumac_check check)
{
    size_t bad = n;
    return side->code->convert->import_points(side->points + first * side->code->affine_bytes,
                                              side->records + first * side->layout.stride, n, &side->layout,
                                              check, &bad) == SUMAC_OK
               ? n
               : bad;
}

static void note_bad(pairing_work *work, size_t index)
{
    size_t known = __atomic_load_n(&work->first_bad, __ATOMIC_RELAXED);
    while (index < known && !__atomic_compare_exchange_n(&work->first_bad, &known, index, 0, __ATOMIC_RELAXED,
                                                         __ATOMIC_RELAXED)) {
    }
}

static void pairing_task(void *arguments, size_t index, uint32_t thread)
{
    pairing_work *work = arguments;
    const pairing_side *g1 = &work->sides[0], *g2 = &work->sides[1];
    const size_t first = index * work->share;
    const size_t n = work->n - first < work->share ? work->n - first : work->share;
    (void)thread;
    size_t bad = import_side(g1, first, n, work->check);
    bad = import_side(g2, first, bad, work->check);
    if (bad < n) {
        note_bad(work, first + bad);
        return;
    }
    work->ops->miller(work->values + index * work->ops->value_bytes,
                      g1->points + first * g1->code->affine_bytes,
                      g2->points + first * g2->code->affine_bytes, n);
}

/* The bad pair once more, for what is wrong with it. */
static sumac_status fail_pair(sumac_context *context, const pairing_work *work)
{
    size_t bad = 0;
    for (int i = 0; i < 2; i++) {
        const pairing_side *side = &work->sides[i];
        const sumac_status status = side->code->convert->import_points(
            side->points, side->records + work->first_bad * side->layout.stride, 1, &side->layout,
            work->check, &bad);
        if (status != SUMAC_OK) {
            return fail(context, status, "pair %zu, its point of %s: %s", work->first_bad,
                        side->curve->info.group, sumac_status_text(status));
        }
    }
    return fail(context, SUMAC_INTERNAL, "pair %zu is bad no more", work->first_bad);
}

/* All of a call's memory in one block: the points of both groups, the tasks' values. */
static void *allocate_memory(sumac_context *context, pairing_work *work, size_t tasks)
{
    const uint64_t g1_bytes = work->sides[0].code->affine_bytes, g2_bytes = work->sides[1].code->affine_bytes;
    const uint64_t bytes = work->n * (g1_bytes + g2_bytes) + tasks * work->ops->value_bytes;
    char *memory = host_points(bytes);
    if (memory == NULL) {
        (void)fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for %zu pairs",
                   (unsigned long long)bytes, work->n);
        return NULL;
    }
    work->sides[0].points = memory;
    work->sides[1].points = memory + work->n * g1_bytes;
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

sumac_status sumac_pairing_check(sumac_context *context, const sumac_curve *curve, const void *g1_points,
                                 const void *g2_points, size_t n, sumac_check check, int *is_one)
{
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    pairing_work work = {.check = check, .n = n, .first_bad = n};
    sumac_status status = check_arguments(context, curve, g1_points, g2_points, n, check, is_one);
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
    if (n > (uint64_t)1 << 31) {
        return fail(context, SUMAC_NOT_SUPPORTED, "%zu pairs are more than 2^31", n);
    }
    work.sides[0].records = g1_points;
    work.sides[1].records = g2_points;
    /* Equal shares for the threads, as long as a block holds them. */
    const size_t even = (n + context->threads - 1) / context->threads;
    work.share = even < work.ops->block ? even : work.ops->block;
    const size_t tasks = (n + work.share - 1) / work.share;
    void *memory = allocate_memory(context, &work, tasks);
    if (memory == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    const trace_sink sink = {context->config.trace, context->config.user};
    const parallel_team team = {context->threads, "pairing", 0, &sink, context->pool};
    parallel_for(&team, tasks, pairing_task, &work);
    if (work.first_bad < n) {
        status = fail_pair(context, &work);
    } else {
        *is_one = finish(&work, tasks);
    }
    host_points_free(memory);
    return status;
}
