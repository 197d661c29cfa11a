/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bases are read: what they are, which contexts may use them, and their points, wherever these lie. */
#include "api/bases_read.h"

#include <string.h>

#include "api/call.h"
#include "api/context.h"
#include "api/host_points.h"
#include "api/members.h"
#include "base/integers.h"

size_t sumac_bases_count(const sumac_bases *bases)
{
    uint64_t count = 0;
    for (uint32_t i = 0; bases != NULL && i < BASES_SHARDS; i++) {
        count += bases->shards[i].table.count;
    }
    return (size_t)count;
}

const sumac_curve *sumac_bases_curve(const sumac_bases *bases)
{
    return bases == NULL ? NULL : bases->curve;
}

const sumac_bases *sumac_bases_member(const sumac_bases *bases, uint32_t index)
{
    if (bases == NULL || bases->parts == NULL) {
        return index == 0 ? bases : NULL;
    }
    return index < bases->part_count ? bases->parts[index] : NULL;
}

uint32_t sumac_bases_precompute_factor(const sumac_bases *bases)
{
    return bases == NULL                         ? 0
           : bases_only_table(bases)->all_digits ? bases->windows
                                                 : bases_only_table(bases)->factor;
}

sumac_tables sumac_bases_tables(const sumac_bases *bases)
{
    return bases != NULL && bases_only_table(bases)->all_digits ? SUMAC_TABLES_WINDOWS
                                                                : SUMAC_TABLES_MULTIPLES;
}

uint64_t sumac_bases_bytes(const sumac_bases *bases)
{
    uint64_t points = 0;
    uint64_t bytes = 0;
    for (uint32_t k = 0; bases != NULL && k < bases->part_count; k++) {
        bytes += sumac_bases_bytes(bases->parts[k]);
    }
    if (bases != NULL && bases->parts != NULL) {
        return bytes;
    }
    for (uint32_t i = 0; bases != NULL && i < BASES_SHARDS; i++) {
        const bases_table *table = &bases->shards[i].table;
        points += table->count * table->factor * table->glv_terms;
    }
    return points == 0 ? 0 : points * bases->curve->variants[0]->affine_bytes;
}

uint64_t bases_part_run(const sumac_bases *bases, uint64_t position, uint64_t n, uint32_t *part,
                        uint64_t *local)
{
    const uint64_t count = bases_only_table(bases)->count;
    const uint64_t multiple = position / count;
    const uint64_t base = position % count;
    *part = 0;
    *local = position;
    if (bases->replicated) {
        return n;
    }
    const bases_shard *shard = &bases->parts[0]->shards[0];
    while (base >= shard->first + shard->table.count) {
        shard = &bases->parts[++*part]->shards[0];
    }
    *local = multiple * shard->table.count + base - shard->first;
    return smaller(n, shard->first + shard->table.count - base);
}

/* The context that reads part k: of a device its member for it, of the CPU any. */
static sumac_context *part_reader(sumac_context *context, uint32_t k)
{
    return context->members != NULL && k < context->members->count ? context->members->at[k].context
                                                                   : context;
}

/* After a call of part k's reader. */
static sumac_status part_was_read(sumac_context *context, uint32_t k, sumac_status status)
{
    return part_reader(context, k) == context ? status : members_adopt(context, k, status);
}

static sumac_status check_parts_readable(sumac_context *context, const sumac_bases *bases)
{
    for (uint32_t k = 0; k < bases->part_count; k++) {
        const sumac_status status =
            part_was_read(context, k, bases_check_readable(part_reader(context, k), bases->parts[k]));
        if (status != SUMAC_OK) {
            return status;
        }
    }
    return SUMAC_OK;
}

sumac_status bases_check_readable(sumac_context *context, const sumac_bases *bases)
{
    if (bases->parts != NULL) {
        return check_parts_readable(context, bases);
    }
    for (uint32_t i = 0; i < BASES_SHARDS; i++) {
        const int32_t device = bases->shards[i].device;
        if (device == ON_HOST) {
            continue;
        }
        if (context->engine == NULL) {
            return fail(context, SUMAC_BAD_ARGUMENT,
                        "the bases lie on GPU %d, and the context is the %s backend's", (int)device,
                        context->backend->name);
        }
        const int32_t own = context->backend->device->ordinal(context->engine);
        if (device != own) {
            return fail(context, SUMAC_BAD_ARGUMENT, "the bases lie on GPU %d, and the context is on GPU %d",
                        (int)device, (int)own);
        }
    }
    return SUMAC_OK;
}

sumac_status bases_check_usable(sumac_context *context, const sumac_bases *bases)
{
    if (bases->backend != context->backend) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the bases are the %s backend's, and the context is the %s backend's",
                    bases->backend->name, context->backend->name);
    }
    if (bases->parts != NULL && bases->part_count != sumac_context_device_count(context)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the bases are shared out over %u devices, and the context has %u", bases->part_count,
                    sumac_context_device_count(context));
    }
    return bases_check_readable(context, bases);
}

static sumac_status copy_from_parts(sumac_context *context, const sumac_bases *bases, uint64_t first,
                                    uint64_t n, void *points)
{
    const size_t point = context_code(context, bases->curve)->affine_bytes;
    for (uint64_t done = 0; done < n;) {
        uint32_t k;
        uint64_t local;
        const uint64_t run = bases_part_run(bases, first + done, n - done, &k, &local);
        sumac_context *reader = part_reader(context, k);
        HOLDS sumac_context *held = context_begin(reader);
        sumac_status status =
            held == NULL ? SUMAC_BAD_ARGUMENT
                         : bases_copy(reader, bases->parts[k], local, run, (char *)points + done * point);
        status = part_was_read(context, k, status);
        if (status != SUMAC_OK) {
            return status;
        }
        done += run;
    }
    return SUMAC_OK;
}

sumac_status bases_copy(sumac_context *context, const sumac_bases *bases, uint64_t first, uint64_t n,
                        void *points)
{
    if (bases->parts != NULL) {
        return copy_from_parts(context, bases, first, n, points);
    }
    const size_t point = context_code(context, bases->curve)->affine_bytes;
    const char *from = (const char *)bases_only_table(bases)->points + first * point;
    if (bases->shards[0].device == ON_HOST) {
        memcpy(points, from, n * point);
        return SUMAC_OK;
    }
    const sumac_status status = bases->backend->device->download(context->engine, points, from, n * point);
    return status == SUMAC_OK ? status
                              : fail(context, status, "%s", bases->backend->device->message(context->engine));
}

/* Points that are copied at a time. */
#define GET_BLOCK ((size_t)16384)

sumac_status sumac_bases_get(sumac_context *context, const sumac_bases *bases, size_t first, size_t n,
                             void *points)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (bases == NULL || (points == NULL && n != 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    bases == NULL ? "the bases' handle" : "the buffer");
    }
    if (first > sumac_bases_count(bases) || n > sumac_bases_count(bases) - first) {
        return fail(context, SUMAC_BAD_LENGTH, "there are %zu bases, fewer than %zu + %zu",
                    sumac_bases_count(bases), first, n);
    }
    sumac_status status = bases_check_readable(context, bases);
    if (status != SUMAC_OK) {
        return status;
    }
    const curve_code *code = context_code(context, bases->curve);
    const size_t block_bytes = GET_BLOCK * code->affine_bytes;
    void *block = host_points(block_bytes);
    if (block == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes to copy bases",
                    block_bytes);
    }
    for (size_t done = 0; status == SUMAC_OK && done < n; done += GET_BLOCK) {
        const size_t count = n - done < GET_BLOCK ? n - done : GET_BLOCK;
        status = bases_copy(context, bases, first + done, count, block);
        if (status == SUMAC_OK) {
            code->convert->export_points((uint8_t *)points + done * bases->curve->info.point_bytes, block,
                                         count, SUMAC_FORM_CANONICAL);
        }
    }
    host_points_free(block);
    return status;
}
