/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has sumac_map_to_group(). The context's threads share the elements. */
#include "sumac/map.h"

#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"

/* A task maps MAP_SHARE elements. Between two progress reports each thread runs MAP_TASKS tasks, in some tenths of a
 * second. */
#define MAP_SHARE ((size_t)64)
#define MAP_TASKS ((size_t)64)

typedef struct map_work {
    const sumac_group *group;
    const group_code *code;
    const uint8_t *elements;
    size_t n;
    size_t share; /* the number of elements of a task */
    char *points; /* the results, as affine points */
    uint8_t *raw;
    size_t first_bad; /* the lowest index of a bad element, set by note_least(); n if all are good */
} map_work;

static void map_task(void *arguments, size_t index, uint32_t thread)
{
    map_work *work = arguments;
    const size_t point_bytes = work->group->point_bytes, first = index * work->share;
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

sumac_status sumac_map_to_group(sumac_context *context, const sumac_group *group, const void *elements,
                                size_t elements_bytes, size_t count, void *points, size_t points_bytes)
{
    BEGIN_CALL(context);
    TRY(require(context, group != NULL && (count == 0 || (elements != NULL && points != NULL)),
                "group, elements and points"));
    TRY(bytes_require(context, "elements", elements_bytes, count, group->point_bytes / 2));
    TRY(bytes_require(context, "points", points_bytes, count, group->point_bytes));
    const group_code *code = context_code(context, group);
    const size_t point_bytes = group->point_bytes;
    size_t bytes;
    if (code->map == NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "there is no map to %s %s here", group->curve, group->name);
    }
    if (count == 0) {
        return SUMAC_OK;
    }
    if (__builtin_mul_overflow(count, point_bytes + code->affine_bytes, &bytes)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu points of %zu bytes are more than any memory holds",
                    count, point_bytes);
    }
    /* The caller's memory is written only after all points are complete. */
    AUTO_FREE char *mapped = host_points(bytes);
    if (mapped == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for %zu points", bytes,
                    count);
    }
    map_work work = {
        .group = group,
        .code = code,
        .elements = elements,
        .n = count,
        .share = smaller(MAP_SHARE, ceil_divide(count, context->threads)),
        .points = mapped,
        .raw = (uint8_t *)mapped + count * code->affine_bytes,
        .first_bad = count,
    };
    TRY(executor_for(context_executor(context), "map", ceil_divide(count, work.share), MAP_TASKS, map_task,
                     &work));
    if (work.first_bad < count) {
        return fail(context, SUMAC_BAD_ENCODING, "element %zu is not below p", work.first_bad);
    }
    memcpy(points, work.raw, count * point_bytes);
    return SUMAC_OK;
}
