/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/msm_files_chunks.h"

#include "api/bases_shape.h"
#include "api/call.h"
#include "executor/planning.h"
#include "base/integers.h"

/* No chunk is smaller unless the caller says so: a limit below is refused, as the work would take many times
 * as long. */
#define LEAST_CHUNK ((uint64_t)1024)

/* A table numbers its bases in 31 bits. */
#define LARGEST_CHUNK ((uint64_t)1 << 31)

/* A chunk of n bases within the limit. */
typedef struct chunk_plan {
    int fits;
    uint64_t room;            /* for the workspace, or on a GPU for page-locked memory */
    uint64_t missing;         /* bytes, where it does not fit */
    uint64_t executors_bytes; /* of workspace, or page-locked, of all executors */
    msm_plan plan;
} chunk_plan;

static sumac_status plan_chunk_of(sumac_context *context, const chunk_sizes_request *request, uint64_t n,
                                  chunk_plan *chunk)
{
    const int on_device = context_executor(context)->backend->device != NULL;
    const uint32_t executors = sumac_context_device_count(context);
    sumac_bases shape;
    const sumac_status status = bases_shape(context, request->curve, (size_t)n, request->bases, &shape);
    if (status != SUMAC_OK) {
        return status;
    }
    /* On the CPU each executor has its own bases, if they are replicas, and its own workspace. */
    const uint64_t copies = shape.replicated && !on_device ? executors : 1;
    const uint64_t base_bytes =
        copies * context_code(context, request->curve)->affine_bytes + request->curve->info.scalar_bytes;
    const uint64_t taken = request->fixed + n * base_bytes;
    chunk->room = request->limit > taken ? request->limit - taken : 0;
    executor *first = context_executor(context);
    const uint64_t limit = on_device ? planning_limit(first) : larger(chunk->room / executors, 1);
    const uint32_t largest =
        shape.replicated ? 0 : executors_largest(context_executors(context), n, shape.cut_unit);
    const size_t share = (size_t)ceil_divide(n, executors);
    msm_call call;
    plan_request planned;
    msm_call_make(&call, first, request->curve, share, request->msm);
    planning_request(&planned, first, &shape, largest, &call, limit);
    planned.limit_is_given |= !on_device;
    const sumac_status made = plan_make(&planned, &chunk->plan, &chunk->missing);
    if (made != SUMAC_OK && (made != SUMAC_MEMORY_LIMIT || on_device)) {
        /* Once more for the sentence. */
        return planning_make(first, &shape, largest, &call, limit, &chunk->plan);
    }
    const uint64_t needed = taken + executors * (made == SUMAC_MEMORY_LIMIT ? limit + chunk->missing
                                                 : on_device                ? chunk->plan.bytes_pinned
                                                                            : chunk->plan.bytes_workspace);
    chunk->executors_bytes = needed - taken;
    chunk->fits = needed <= request->limit;
    chunk->missing = chunk->fits ? 0 : needed - request->limit;
    return SUMAC_OK;
}

/* The planner's prediction for all bases in chunks of n; negative where they do not fit. */
static double predict(sumac_context *context, const chunk_sizes_request *request, uint64_t n)
{
    const uint64_t rest = request->n % n;
    chunk_plan whole, last = {.fits = 1};
    last.plan.milliseconds = 0;
    if (plan_chunk_of(context, request, n, &whole) != SUMAC_OK || !whole.fits ||
        (rest > 0 && (plan_chunk_of(context, request, rest, &last) != SUMAC_OK || !last.fits))) {
        return -1;
    }
    const uint64_t wholes = request->n / n;
    return (double)wholes * whole.plan.milliseconds + last.plan.milliseconds;
}

/* The most bases of a chunk that fit, where `least` do. */
static uint64_t largest_chunk(sumac_context *context, const chunk_sizes_request *request, uint64_t least)
{
    uint64_t low = least, high = smaller(request->n, LARGEST_CHUNK);
    while (low < high) { /* low fits, high + 1 does not or is more than there are */
        const uint64_t middle = low + (high - low + 1) / 2;
        chunk_plan chunk;
        if (plan_chunk_of(context, request, middle, &chunk) == SUMAC_OK && chunk.fits) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* The largest chunk leaves the least workspace, and all chunks may be alike or the last one small: the
 * planner's prediction decides between some eighths of it, and chunks of one size. */
static uint64_t fastest_chunk(sumac_context *context, const chunk_sizes_request *request, uint64_t most)
{
    uint64_t best = most;
    double least = -1;
    for (uint64_t eighths = 8; eighths >= 4; eighths--) {
        const uint64_t part = larger(1, most / 8 * eighths + most % 8 * eighths / 8);
        const uint64_t candidates[] = {part, ceil_divide(request->n, ceil_divide(request->n, part))};
        for (int i = 0; i < 2; i++) {
            const double milliseconds = predict(context, request, candidates[i]);
            if (milliseconds >= 0 && (least < 0 || milliseconds < least)) {
                least = milliseconds;
                best = candidates[i];
            }
        }
    }
    return best;
}

sumac_status chunk_sizes_choose(sumac_context *context, const chunk_sizes_request *request,
                                chunk_sizes *sizes)
{
    const uint64_t given = smaller(request->chunk, smaller(request->n, LARGEST_CHUNK));
    const uint64_t least = given != 0 ? given : smaller(request->n, LEAST_CHUNK);
    chunk_plan chunk;
    *sizes = (chunk_sizes){0, 0, request->fixed};
    if (request->n == 0) { /* options are refused all the same */
        return plan_chunk_of(context, request, 1, &chunk);
    }
    sumac_status status = plan_chunk_of(context, request, least, &chunk);
    if (status != SUMAC_OK) {
        return status;
    }
    if (!chunk.fits) {
        return fail(context, SUMAC_MEMORY_LIMIT,
                    "the memory limit of %llu bytes is %llu bytes too small for chunks of %llu bases",
                    (unsigned long long)request->limit, (unsigned long long)chunk.missing,
                    (unsigned long long)least);
    }
    sizes->chunk =
        given != 0 ? given : fastest_chunk(context, request, largest_chunk(context, request, least));
    status = plan_chunk_of(context, request, sizes->chunk, &chunk);
    context_executor(context)->message.text[0] = '\0'; /* of a size that was tried */
    sizes->workspace = chunk.room;
    sizes->total = request->limit - chunk.room + chunk.executors_bytes;
    return status;
}
