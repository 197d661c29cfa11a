/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions describe, read and free bases, wherever their points lie, and check that a context can use them. */
#include "api/bases_read.h"

#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "base/sizes.h"

size_t sumac_bases_count(const sumac_bases *bases)
{
    return bases == NULL ? 0 : (size_t)bases->count;
}

uint64_t bases_shard_bytes(const sumac_bases *bases, uint32_t k)
{
    const bases_table *table = &bases->shards[k].table;
    return table->count * table->factor * table->glv_terms *
           registered(bases->group)->variants[0]->affine_bytes;
}

uint64_t bases_kept_bytes(const sumac_bases *bases)
{
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < bases->shard_count; k++) {
        bytes += bases_shard_bytes(bases, k);
    }
    return bytes;
}

sumac_status sumac_bases_describe(const sumac_bases *bases, sumac_bases_info *info)
{
    sumac_message message;
    if (bases == NULL || info == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    TRY(public_check(&public_bases_info, info, &message));
    const int all_digits = bases->shards[0].table.all_digits;
    const sumac_bases_info described = {
        .size = sizeof described,
        .group = bases->group,
        .count = (size_t)bases->count,
        .precompute_factor = all_digits ? bases->windows : bases_factor(bases),
        .tables = all_digits ? SUMAC_TABLES_WINDOWS : SUMAC_TABLES_MULTIPLES,
        .bytes = bases_kept_bytes(bases),
    };
    public_copy(&described, info);
    return SUMAC_OK;
}

uint64_t bases_shard_run(const sumac_bases *bases, uint64_t position, uint64_t n, uint32_t *k,
                         uint64_t *local)
{
    const uint64_t multiple = position / bases->count;
    const uint64_t base = position % bases->count;
    *k = 0;
    *local = position;
    if (bases->replicated || bases->shard_count == 1) {
        return n;
    }
    const bases_shard *shard = bases->shards;
    while (base >= shard->first + shard->table.count) {
        shard = &bases->shards[++*k];
    }
    *local = multiple * shard->table.count + base - shard->first;
    return smaller(n, shard->first + shard->table.count - base);
}

/* Return the executor that reads shard k. A shard on a device is read by the executor of that device. */
static executor *reader_of(sumac_context *context, uint32_t k)
{
    const executor_list *list = &context->executors;
    return &list->at[k < list->count ? k : 0];
}

sumac_status bases_check_readable(sumac_context *context, const sumac_bases *bases)
{
    for (uint32_t k = 0; k < bases->shard_count; k++) {
        const int32_t device = bases->shards[k].device;
        const executor *reader = reader_of(context, k);
        if (device != ON_HOST && reader->engine == NULL) {
            return fail(context, SUMAC_BAD_ARGUMENT,
                        "the bases lie on GPU %d, and the context is the %s backend's", (int)device,
                        reader->backend->name);
        }
        if (device != ON_HOST && device != executor_device(reader)) {
            return fail(context, SUMAC_BAD_ARGUMENT, "the bases lie on GPU %d, and the context is on GPU %d",
                        (int)device, (int)executor_device(reader));
        }
    }
    return SUMAC_OK;
}

sumac_status bases_check_usable(sumac_context *context, const sumac_bases *bases)
{
    const backend *engine = context_executor(context)->backend;
    if (bases->backend != engine) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the bases are the %s backend's, and the context is the %s backend's",
                    bases->backend->name, engine->name);
    }
    if (bases->shard_count > 1 && bases->shard_count != context->executors.count) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the bases are shared out over %u devices, and the context has %u", bases->shard_count,
                    context->executors.count);
    }
    return bases_check_readable(context, bases);
}

sumac_status bases_copy(sumac_context *context, const sumac_bases *bases, uint64_t first, uint64_t n,
                        void *points)
{
    const size_t point = context_code(context, bases->group)->affine_bytes;
    executor_list *list = &context->executors;
    for (uint64_t done = 0, run = 0; done < n; done += run) {
        uint32_t k;
        uint64_t local;
        run = bases_shard_run(bases, first + done, n - done, &k, &local);
        const bases_shard *shard = &bases->shards[k];
        const char *from = (const char *)shard->table.points + local * point;
        char *to = (char *)points + done * point;
        if (shard->device == ON_HOST) {
            memcpy(to, from, run * point);
            continue;
        }
        executor *reader = reader_of(context, k);
        executor_enter(reader);
        const sumac_status status =
            executor_done(reader, bases->backend->device->download(reader->engine, to, from, run * point));
        TRY(executors_adopt(list, (uint32_t)(reader - list->at), status));
    }
    return SUMAC_OK;
}

/* Points are copied in blocks of this many points. */
#define GET_BLOCK ((size_t)16384)

sumac_status sumac_bases_get(sumac_context *context, const sumac_bases *bases, size_t first, size_t count,
                             void *points, size_t points_bytes)
{
    BEGIN_CALL(context);
    TRY(require(context, bases != NULL && (points != NULL || count == 0), "the bases and the buffer"));
    if (first > sumac_bases_count(bases) || count > sumac_bases_count(bases) - first) {
        return fail(context, SUMAC_BAD_LENGTH, "there are %zu bases, fewer than %zu + %zu",
                    sumac_bases_count(bases), first, count);
    }
    TRY(bytes_require(context, "points", points_bytes, count, bases->group->point_bytes));
    TRY(bases_check_readable(context, bases));
    const group_code *code = context_code(context, bases->group);
    const size_t block_bytes = GET_BLOCK * code->affine_bytes;
    AUTO_FREE void *block = host_points(block_bytes);
    if (block == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes to copy bases",
                    block_bytes);
    }
    for (size_t done = 0; done < count; done += GET_BLOCK) {
        const size_t n = smaller(GET_BLOCK, count - done);
        TRY(bases_copy(context, bases, first + done, n, block));
        code->convert->export_points((uint8_t *)points + done * bases->group->point_bytes, block, n,
                                     SUMAC_FORM_CANONICAL);
    }
    return SUMAC_OK;
}

void sumac_bases_destroy(sumac_bases *bases)
{
    for (uint32_t k = 0; bases != NULL && k < bases->shard_count; k++) {
        const bases_shard *shard = &bases->shards[k];
        if (shard->page_locked) {
            bases->backend->device->release_pinned(shard->points);
        } else if (shard->points != shard->table.points || shard->table.host_resident) {
            free(shard->points);
        }
        if (!shard->table.host_resident) {
            bases->backend->release((void *)(uintptr_t)shard->table.points);
        }
    }
    free(bases);
}
