/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file checks the configuration of bases, has the planner choose their multiples or tables, and allocates the
 * memory. bases_fill.c fills the memory.
 */
#include "api/bases_fill.h"
#include "api/bases_read.h"

#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "base/memory_left.h"
#include "base/sizes.h"
#include "executor/msm.h"

/* This precompute factor stands for window tables. */
#define ALL_DIGITS 0u

/* If the configuration sets no limit, tables take at most this many bytes. */
#define TABLE_LIMIT ((uint64_t)64 << 20)

/* Return 2 if lambda*P is kept beside each of `count` bases, otherwise 1. With it scalars can be split into two terms,
 * which saves half of the reduction and of the doublings. Multiples or tables take its place. `limit` is the most bytes
 * of all points; 0 means no limit. */
static uint32_t choose_glv_terms(const sumac_bases *shape, uint32_t factor, uint64_t count,
                                 size_t affine_bytes, uint64_t limit)
{
    const uint64_t most = shape->backend->most_endomorphism_bytes;
    return factor == 1 && registered(shape->group)->scalars.split != NULL && !shape->outside_subgroup &&
                   2 * count * affine_bytes <= (limit == 0 ? most : smaller(limit, most))
               ? 2
               : 1;
}

/* If the bases of several devices have at least this many bytes, they are cut into shards; smaller ones are replicated.
 * The context may have another limit. */
#define REPLICA_LIMIT TABLE_LIMIT

/* Assign the n bases to the executors. With replicas the devices share the MSMs of a batch. If the configuration gives
 * the size of the sets of bases that a batch will use, shards end between sets. */
static void cut_shards(const sumac_context *context, size_t affine_bytes, size_t n,
                       const sumac_bases_config *config, sumac_bases *shape)
{
    const executor_list *list = &context->executors;
    const size_t set = config->typical_n;
    const uint64_t limit = context->config.replica_limit == 0 ? REPLICA_LIMIT : context->config.replica_limit;
    const uint64_t bytes = (uint64_t)n * larger(1, config->precompute_factor) * affine_bytes;
    shape->shard_count = list->count;
    shape->cut_unit = set > 0 && n % set == 0 && n / set >= list->count ? set : 1;
    shape->replicated = list->count > 1 && (config->replicated != 0 || bytes <= limit);
    for (uint32_t k = 0; k < list->count; k++) {
        const uint64_t first = shape->replicated ? 0 : executors_cut(list, n, shape->cut_unit, k);
        const uint64_t end = shape->replicated ? n : executors_cut(list, n, shape->cut_unit, k + 1);
        shape->shards[k] = (bases_shard){
            .device = ON_HOST, .first = first, .table = {.count = end - first, .factor = 1, .glv_terms = 1}};
    }
}

void bases_set_tables(sumac_bases *shape, uint32_t factor, int all_digits, size_t affine_bytes,
                      uint64_t limit)
{
    for (uint32_t k = 0; k < shape->shard_count; k++) {
        bases_table *table = &shape->shards[k].table;
        table->factor = factor;
        table->all_digits = all_digits;
        table->glv_terms = choose_glv_terms(shape, factor, table->count, affine_bytes, limit);
    }
}

/* Fill in a plan request for the calls that a configuration describes, with one shard's bases and `limit` bytes of
 * workspace. The request assumes full-size scalars on the host, because then the plan counts the time for which a GPU
 * waits for copies, which depends on the window, too. */
static void describe_calls(plan_request *request, const executor *self, const sumac_bases *shape,
                           uint32_t shard, const sumac_bases_config *config, uint64_t limit)
{
    const size_t count = shape->shards[shard].table.count;
    sumac_msm_config msm = {.size = sizeof msm};
    msm_call call;
    msm.batch = config->typical_batch == 0 ? 1 : config->typical_batch;
    msm.scalar_bits = config->scalar_bits;
    msm_call_make(&call, self, shape->group,
                  config->typical_n == 0 ? count : smaller(config->typical_n, count), &msm);
    planning_request(request, self, shape, shard, &call, limit);
}

/* Return the most bytes of a configuration's tables; 0 means no limit. */
static uint64_t table_limit_of(const sumac_bases_config *config)
{
    return config->tables == SUMAC_TABLES_MULTIPLES ? 0
           : config->table_bytes == 0               ? TABLE_LIMIT
                                                    : config->table_bytes;
}

/* Plan the calls with `factor` multiples of each base, or with window tables if it is ALL_DIGITS. */
static sumac_status plan_tables(const plan_request *calls, const sumac_bases *bases,
                                const sumac_bases_config *config, uint32_t factor, msm_plan *plan)
{
    plan_request request = *calls;
    uint64_t missing;
    request.c = tuning_window(config->tuning);
    request.precompute_factor = factor == ALL_DIGITS ? 1 : factor;
    request.all_digits = factor == ALL_DIGITS;
    request.table_limit = table_limit_of(config);
    request.glv_terms =
        choose_glv_terms(bases, factor, calls->bases_count, calls->code->affine_bytes, request.table_limit);
    return plan_make(&request, plan, &missing);
}

/* Plan with several factors, and keep the fastest plan. Return SUMAC_NOT_SUPPORTED if no plan is within its limits.
 * Only some factors are tried, because those between them would save little more. */
static sumac_status plan_fastest(const plan_request *calls, const sumac_bases *bases,
                                 const sumac_bases_config *config, msm_plan *plan)
{
    const uint32_t most = 8 * calls->group->scalar_bytes;
    msm_plan candidate;
    sumac_status status = plan_tables(calls, bases, config, ALL_DIGITS, plan);
    for (uint32_t factor = 1; factor <= most; factor += factor / 4 + 1) {
        if (plan_tables(calls, bases, config, factor, &candidate) == SUMAC_OK &&
            (status != SUMAC_OK || candidate.milliseconds < plan->milliseconds)) {
            *plan = candidate;
            status = SUMAC_OK;
        }
    }
    return status;
}

/* Choose multiples or tables for the largest shard. This determines the window, the number of windows, and the shift
 * between multiples. The factor is lowered to the number of multiples that some window uses. */
static sumac_status choose_tables(sumac_context *context, const sumac_group *group, size_t n,
                                  const sumac_bases_config *given, sumac_bases *bases)
{
    const executor_list *list = &context->executors;
    const uint32_t k = bases->replicated ? 0 : executors_largest(list, n, bases->cut_unit);
    const size_t most = (size_t)bases->shards[k].table.count;
    sumac_bases_config largest = *given, *config = &largest; /* the configuration of the largest shard */
    plan_request calls;
    msm_plan plan;
    if (most < n) { /* the caller's limit holds for all shards together */
        const uint64_t limit = config->table_bytes == 0 ? TABLE_LIMIT : config->table_bytes;
        config->table_bytes = larger(1, (uint64_t)((unsigned __int128)limit * most / n));
    }
    describe_calls(&calls, list->at, bases, k, config, 0);
    calls.threads = executors_means(list, k)->threads;
    calls.limit_is_given = 0; /* the limits of workspaces are applied later */
    const sumac_status status =
        config->tables == SUMAC_TABLES_AUTO
            ? plan_fastest(&calls, bases, config, &plan)
            : plan_tables(&calls, bases, config,
                          config->tables == SUMAC_TABLES_WINDOWS ? ALL_DIGITS : config->precompute_factor,
                          &plan);
    if (status != SUMAC_OK && config->tables != SUMAC_TABLES_MULTIPLES) {
        return fail(context, status, "the tables of %zu bases are larger than table_bytes or 2^31 points",
                    most);
    }
    if (status != SUMAC_OK) {
        return fail(context, status, "%zu bases with %u multiples each are more than 2^31 points", most,
                    config->precompute_factor);
    }
    const uint32_t factor = plan.precompute_factor * (uint32_t)plan.table_digits;
    if (factor > 1) {
        bases->c = plan.c;
        bases->windows = plan.windows;
        bases->shift = plan.c * plan.modules;
    }
    bases_set_tables(bases, factor, plan.kinds[STAGE_SORT]->leaves == LOOKED_UP_LISTS,
                     executor_code(list->at, group)->affine_bytes, table_limit_of(config));
    return SUMAC_OK;
}

/* Return why a configuration can't be used, or null if it can. */
static const char *find_fault(const sumac_group *group, size_t n, const sumac_bases_config *config)
{
    const config_fault faults[] = {
        {config->form != SUMAC_FORM_CANONICAL && config->form != SUMAC_FORM_MONTGOMERY,
         "form is neither canonical nor Montgomery"},
        {config->stride != 0 && config->stride < group->point_bytes,
         "stride is less than the bytes of a point"},
        {n > 0 && config->stride > SIZE_MAX / 2 / n,
         "stride times the number of points is more than any memory holds"},
        {config->infinity != SUMAC_INFINITY_ZERO && config->infinity != SUMAC_INFINITY_FLAG,
         "infinity is neither zero nor flag"},
        {config->infinity == SUMAC_INFINITY_FLAG && config->stride == 0,
         "infinity is flag, but points without a stride have no byte for it"},
        {config->infinity == SUMAC_INFINITY_FLAG && config->infinity_offset >= config->stride,
         "infinity_offset is not less than stride"},
        {config->location != SUMAC_LOCATION_HOST && config->location != SUMAC_LOCATION_DEVICE,
         "location is neither host nor device"},
        {(unsigned)config->check > SUMAC_CHECK_NONE, "check is no sumac_check"},
        {config->check == SUMAC_CHECK_SUBGROUP && config->outside_subgroup,
         "check is subgroup, but the points are declared to lie outside of it"},
        {config->precompute_factor > 8 * group->scalar_bytes,
         "precompute_factor is more than the bits of a scalar"},
        {config->scalar_bits > 8 * group->scalar_bytes, "scalar_bits is more than a scalar has"},
        {config->typical_n > n, "typical_n is more than there are bases"},
        {(unsigned)config->tables > SUMAC_TABLES_AUTO, "tables is none of multiples, windows and auto"},
        {config->tables != SUMAC_TABLES_MULTIPLES && config->precompute_factor > 1,
         "precompute_factor is given, but tables is not multiples"},
    };
    return first_fault(faults, sizeof faults / sizeof *faults);
}

sumac_status bases_shape(sumac_context *context, const sumac_group *group, size_t n,
                         const sumac_bases_config *config, sumac_bases *shape)
{
    const backend *engine = context->executors.at->backend;
    const size_t affine_bytes = context_code(context, group)->affine_bytes;
    *shape = (sumac_bases){
        .group = group,
        .backend = engine,
        .count = n,
        .outside_subgroup = config->outside_subgroup != 0,
        .lock_pages = config->page_locked != 0,
        .shard_count = 1,
        .shards = {{.device = ON_HOST, .table = {.count = n, .factor = 1, .glv_terms = 1}}},
    };
    tuning_values unused;
    TRY(tuning_read(config->tuning, &unused, context_message(context)));
    const char *fault = find_fault(group, n, config);
    if (fault != NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the bases' configuration can't be used: %s", fault);
    }
    if (config->location != SUMAC_LOCATION_HOST && engine->device == NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend does not support location = device",
                    engine->name);
    }
    if (config->tables == SUMAC_TABLES_WINDOWS &&
        !plan_leaves(engine, context_code(context, group), LOOKED_UP_LISTS)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend keeps no window tables", engine->name);
    }
    if (n > ((uint64_t)1 << 31)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "%zu bases are more than 2^31", n);
    }
    if (engine->device != NULL && !engine->device->has_group(group)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend was built without %s/%s", engine->name,
                    group->curve, group->name);
    }
    const size_t typical_n = config->typical_n == 0 ? n : config->typical_n;
    const int has_tables = config->precompute_factor > 1 || config->tables != SUMAC_TABLES_MULTIPLES;
    if (has_tables && config->typical_batch > 0 && typical_n > PLAN_MAX_SCALARS / config->typical_batch) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "typical_batch: %u MSMs of %zu bases each have more than 2^48 scalars",
                    config->typical_batch, typical_n);
    }
    cut_shards(context, affine_bytes, n, config, shape);
    bases_set_tables(shape, 1, 0, affine_bytes, 0);
    return has_tables ? choose_tables(context, group, n, config, shape) : SUMAC_OK;
}

/* Return the size of a shard's table in bytes, without the points lambda*P. */
static uint64_t table_bytes(const bases_table *table, size_t affine_bytes)
{
    return table->count * table->factor * affine_bytes;
}

/* Return how many bytes the table would have if all bases were in one table. */
static uint64_t unsharded_bytes(const sumac_bases *shape, size_t affine_bytes)
{
    return shape->count * bases_factor(shape) * affine_bytes;
}

/* Return how many bytes a table of all bases with multiples may have. A shard takes at most 7/8 of its device's free
 * memory. All shards on the host together take at most 3/4 of the memory that is left, because scalars and the
 * workspace follow. */
static uint64_t table_limit(const sumac_context *context, const sumac_bases *shape, size_t affine_bytes)
{
    const executor_list *list = &context->executors;
    const uint64_t bytes = unsharded_bytes(shape, affine_bytes);
    const uint64_t copies = shape->replicated ? shape->shard_count : 1;
    uint64_t limit = UINT64_MAX;
    if (bases_factor(shape) == 1) {
        return limit;
    }
    if (list->at->engine == NULL) {
        return bytes <= MEMORY_NEVER_ASKED / copies ? limit : larger(1, memory_left("") / 4 * 3 / copies);
    }
    for (uint32_t k = 0; k < shape->shard_count; k++) {
        const executor *self = &list->at[k];
        executor_enter(self);
        const uint64_t usable = larger(1, self->backend->device->memory_free(self->engine) / 8 * 7);
        const uint64_t needed = table_bytes(&shape->shards[k].table, affine_bytes);
        if (needed > usable) {
            limit = smaller(limit, (uint64_t)((unsigned __int128)bytes * usable / needed));
        }
    }
    executor_enter(list->at);
    return limit;
}

/* Request a smaller table: half as many multiples or, with SUMAC_TABLES_AUTO, a lower limit, within which the planner
 * chooses. The lower limit still allows the bases without multiples, because these may stay on the host. Each call
 * lowers either the factor, which is more than 1, or the limit, so the caller's loop ends. The limit must not become 0,
 * because 0 means the default. */
static void request_less(sumac_bases_config *config, const sumac_bases *shape, uint64_t bytes, uint64_t limit)
{
    const uint32_t factor = bases_factor(shape);
    if (config->tables == SUMAC_TABLES_MULTIPLES) {
        config->precompute_factor = (factor + 1) / 2;
    } else {
        config->table_bytes = larger(bytes / factor, smaller(limit, bytes / 2));
    }
}

/* Bases that fit on a device may leave little of its memory for workspaces. If calls then take a tenth longer than with
 * bases that are copied in each call, the bases should stay on the host. Return whether they should. */
static int is_faster_on_host(executor *self, const sumac_bases *shape, uint32_t shard,
                             const sumac_bases_config *config)
{
    sumac_bases tried = *shape;
    bases_table *table = &tried.shards[shard].table;
    const uint64_t bytes = table_bytes(table, executor_code(self, shape->group)->affine_bytes);
    executor_enter(self);
    const uint64_t left = self->backend->device->memory_free(self->engine) + self->workspace_bytes;
    const uint64_t limit = planning_limit(self);
    if (bytes >= left || bytes < left / 4) { /* they can't fit, or leave enough memory */
        return 0;
    }
    plan_request calls;
    msm_plan plan, resident;
    uint64_t missing;
    table->glv_terms = 1;
    table->host_resident = 1;
    describe_calls(&calls, self, &tried, shard, config, limit);
    if (plan_make(&calls, &plan, &missing) != SUMAC_OK) {
        return 0;
    }
    calls.bases_are_host_resident = 0;
    calls.memory_limit = smaller(limit, left - bytes);
    return plan_make(&calls, &resident, &missing) != SUMAC_OK ||
           plan.milliseconds < 0.9 * resident.milliseconds;
}

static sumac_status fail_allocation(sumac_context *context, uint64_t bytes)
{
    return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory for %llu bytes of bases",
                (unsigned long long)bytes);
}

sumac_status bases_allocate(sumac_context *context, const sumac_group *group, size_t n,
                            const sumac_bases_config *config, sumac_bases **bases)
{
    const size_t affine_bytes = context_code(context, group)->affine_bytes;
    sumac_bases_config requested = *config;
    sumac_bases shape;
    uint64_t bytes = 0; /* the size of the last table that did not fit */
    *bases = NULL;
    for (;;) {
        sumac_status status = bases_shape(context, group, n, &requested, &shape);
        if (status == SUMAC_NOT_SUPPORTED && bytes > 0) {
            return fail_allocation(context, bytes); /* no smaller table was possible */
        }
        TRY(status);
        const uint64_t limit = table_limit(context, &shape, affine_bytes);
        bytes = unsharded_bytes(&shape, affine_bytes);
        for (uint32_t k = 0; bases_factor(&shape) == 1 && k < shape.shard_count; k++) {
            executor *self = &context->executors.at[k];
            shape.shards[k].table.host_resident =
                self->engine != NULL && is_faster_on_host(self, &shape, k, &requested);
        }
        if (bytes <= limit) {
            status = bases_allocate_table(context, &shape, 1, affine_bytes, bases);
            if (status != SUMAC_OUT_OF_MEMORY || context->executors.at->engine == NULL ||
                bases_factor(&shape) == 1 || bytes == 0) { /* no smaller table exists */
                return status;
            }
        }
        context_message(context)->text[0] = '\0';
        request_less(&requested, &shape, bytes, limit);
    }
}

/* Allocate the memory of a shard: host memory for `by_host` points of each base and, unless the bases shall stay on the
 * host, device memory for all points. If the device is full, bases without multiples also stay on the host. */
static sumac_status allocate_shard(executor *self, uint32_t by_host, int lock_pages, size_t affine_bytes,
                                   bases_shard *shard)
{
    const uint64_t bytes = table_bytes(&shard->table, affine_bytes);
    const int has_host_points = self->engine != NULL && by_host > 0;
    const uint64_t point_bytes = shard->table.count * by_host * affine_bytes;
    uint32_t glv_terms = shard->table.glv_terms;
    void *table = NULL, *points = NULL;
    executor_enter(self);
    if (!shard->table.host_resident) {
        table = self->backend->allocate(self->engine, bytes * glv_terms);
        if (table == NULL && glv_terms > 1) {
            glv_terms = 1;
            table = self->backend->allocate(self->engine, bytes);
        }
    }
    const int host_resident = has_host_points && table == NULL && shard->table.factor == 1;
    if (host_resident && lock_pages) {
        points = self->backend->device->allocate_pinned(self->engine, point_bytes);
    }
    shard->page_locked = points != NULL;
    if (points == NULL) {
        points = has_host_points ? host_points(point_bytes) : table;
    }
    if ((table == NULL && !host_resident) || points == NULL) {
        self->backend->release(table);
        if (has_host_points) {
            free(points);
        }
        return refuse(&self->message, SUMAC_OUT_OF_MEMORY, "there is no memory for %llu bytes of bases",
                      (unsigned long long)bytes);
    }
    shard->points = points;
    shard->table.points = host_resident ? points : table;
    shard->table.host_resident = host_resident;
    shard->table.glv_terms = host_resident ? 1 : glv_terms;
    shard->device = host_resident ? ON_HOST : executor_device(self);
    return SUMAC_OK;
}

sumac_status bases_allocate_table(sumac_context *context, const sumac_bases *shape, uint32_t by_host,
                                  size_t affine_bytes, sumac_bases **bases)
{
    executor_list *list = &context->executors;
    CLEANUP(close_bases) sumac_bases *created = malloc(sizeof *created);
    if (created == NULL) {
        return fail_allocation(context, sizeof *created);
    }
    *created = *shape;
    for (uint32_t k = 0; k < shape->shard_count; k++) {
        TRY(executors_adopt(
            list, k,
            allocate_shard(&list->at[k], by_host, shape->lock_pages, affine_bytes, &created->shards[k])));
    }
    *bases = created;
    created = NULL;
    return SUMAC_OK;
}
