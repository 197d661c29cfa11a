/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sumac_map_to_group(): the threads share the elements. */
#include "sumac/map.h"

#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "base/least.h"

/* Elements of a task, and tasks for each thread from one report to the next: some tenths of a second. */
#define MAP_SHARE ((size_t)64)
#define MAP_TASKS ((size_t)64)

typedef struct map_work {
    const sumac_curve *curve;
    const curve_code *code;
    const uint8_t *elements;
    size_t n;
    size_t share; /* elements of a task */
    char *points; /* affine */
    uint8_t *raw;
    size_t first_bad; /* the least index of a bad element, n when there is none: by note_least() */
} map_work;

static void map_task(void *arguments, size_t index, uint32_t thread)
{
    map_work *work = arguments;
    const size_t point_bytes = work->curve->info.point_bytes, first = index * work->share;
    const size_t n = smaller(work->share, work->n - first);
    char *points = work->points + first * work->code->affine_bytes;
    (void)thread;
    const size_t good = work->code->map(points, work->elements + first * (point_bytes / 2), n);
    if (good < n) {
        note_least(&work->first_bad, first + good);
        return;
    }
    work->code->convert->export_points(work->raw + first * point_bytes, points, n, SUMAC_FORM_CANONICAL);
}

/* The call with arguments that are in order, n not 0. Its points lie in memory of its own until all are there. */
static sumac_status map_elements(sumac_context *context, map_work *work, void *raw_points)
{
    const size_t point_bytes = work->curve->info.point_bytes, both = point_bytes + work->code->affine_bytes;
    size_t bytes;
    if (__builtin_mul_overflow(work->n, both, &bytes)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu points of %zu bytes are more than any memory holds",
                    work->n, point_bytes);
    }
    work->points = host_points(bytes);
    if (work->points == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for %zu points", bytes,
                    work->n);
    }
    work->raw = (uint8_t *)work->points + work->n * work->code->affine_bytes;
    work->share = smaller(MAP_SHARE, ceil_divide(work->n, context->threads));
    sumac_status status = executor_for(context_executor(context), "map", ceil_divide(work->n, work->share),
                                       MAP_TASKS, map_task, work);
    if (status == SUMAC_OK && work->first_bad < work->n) {
        status = fail(context, SUMAC_BAD_ENCODING, "element %zu is not below p", work->first_bad);
    } else if (status == SUMAC_OK) {
        memcpy(raw_points, work->raw, work->n * point_bytes);
    }
    host_points_free(work->points);
    return status;
}

sumac_status sumac_map_to_group(sumac_context *context, const sumac_curve *curve, const void *elements,
                                size_t n, void *raw_points)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || (n > 0 && (elements == NULL || raw_points == NULL))) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, elements and raw_points must not be null");
    }
    map_work work = {
        .curve = curve, .code = context_code(context, curve), .elements = elements, .n = n, .first_bad = n};
    if (work.code->map == NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "there is no map to %s %s here", curve->info.name,
                    curve->info.group);
    }
    return n == 0 ? SUMAC_OK : map_elements(context, &work, raw_points);
}
