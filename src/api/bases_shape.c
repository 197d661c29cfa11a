/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What is kept for bases: whether their configuration can be used, which multiples or tables the planner
 * wants for it, and the memory for that. What fills it is bases_fill.c.
 */
#include "api/bases_shape.h"

#include <stdlib.h>

#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "base/memory_left.h"
#include "executor/planning.h"

/* In place of a precompute factor: window tables. */
#define ALL_DIGITS 0u

/* Bytes that tables may take where the configuration has no limit. */
#define TABLE_LIMIT ((uint64_t)64 << 20)

/* Whether lambda*P is kept beside each base of a shard: where the device's code takes
 * scalars in two terms, which saves half of the reduction and of the doublings, and both need no more than a table may
 * take unasked. */
static uint32_t glv_terms_of(const sumac_bases *shape, const bases_table *table, size_t affine_bytes)
{
    return shape->backend->device != NULL && shape->curve->scalars.split != NULL &&
                   !shape->outside_subgroup && table->factor == 1 &&
                   2 * table->count * affine_bytes <= TABLE_LIMIT
               ? 2
               : 1;
}

/* Bases of several devices that are cut into shards are so from this many bytes on, unless the context says.
 */
#define REPLICA_LIMIT TABLE_LIMIT

/* Whether each of several devices has all bases: they then share the MSMs of a batch. */
static int is_replicated(const sumac_context *context, size_t affine_bytes, size_t n,
                         const sumac_bases_config *config)
{
    const uint64_t told = context->config.replica_limit;
    const uint64_t factor = config->precompute_factor > 1 ? config->precompute_factor : 1;
    return config->replicated != 0 ||
           (uint64_t)n * factor * affine_bytes <= (told == 0 ? REPLICA_LIMIT : told);
}

/* Where bases of n points are cut: between the sets that a batch will use, where the configuration tells. */
static uint64_t cut_unit(const executor_list *list, size_t n, const sumac_bases_config *config)
{
    const size_t set = config->typical_n;
    return set > 0 && n % set == 0 && n / set >= list->count ? set : 1;
}

/* Who has which of n bases. */
static void cut_shards(const sumac_context *context, size_t affine_bytes, size_t n,
                       const sumac_bases_config *config, sumac_bases *shape)
{
    const executor_list *list = &context->executors;
    shape->shard_count = list->count;
    shape->cut_unit = cut_unit(list, n, config);
    shape->replicated = list->count > 1 && is_replicated(context, affine_bytes, n, config);
    for (uint32_t k = 0; k < list->count; k++) {
        bases_shard *shard = &shape->shards[k];
        const uint64_t first = shape->replicated ? 0 : executors_cut(list, n, shape->cut_unit, k);
        const uint64_t end = shape->replicated ? n : executors_cut(list, n, shape->cut_unit, k + 1);
        *shard = (bases_shard){
            .device = ON_HOST, .first = first, .table = {.count = end - first, .factor = 1, .glv_terms = 1}};
    }
}

void bases_set_tables(sumac_bases *shape, uint32_t factor, int all_digits, size_t affine_bytes)
{
    for (uint32_t k = 0; k < shape->shard_count; k++) {
        bases_table *table = &shape->shards[k].table;
        table->factor = factor;
        table->all_digits = all_digits;
        table->glv_terms = glv_terms_of(shape, table, affine_bytes);
    }
}

/* A plan for the calls that the configuration names with multiples or window tables, on so many threads. Their scalars are
 * taken to be whole ones on the host: what a GPU waits for copies, and what copy slices cost, depends on the window, too. */
static sumac_status plan_tables(const executor *self, uint32_t threads, const sumac_curve *curve, size_t n,
                                const sumac_bases_config *config, uint32_t factor, msm_plan *plan)
{
    const int limited = config->tables != SUMAC_TABLES_MULTIPLES;
    const plan_request request = {
        .curve = curve,
        .code = executor_code(self, curve),
        .backend = self->backend,
        .n = config->typical_n == 0 ? n : config->typical_n,
        .bases_count = n,
        .batch = config->typical_batch == 0 ? 1 : config->typical_batch,
        .c = config->c,
        .scalar_bits = config->scalar_bits,
        .layout = {.bytes = curve->info.scalar_bytes},
        .scalars_location = SUMAC_LOCATION_HOST,
        .precompute_factor = factor == ALL_DIGITS ? 1 : factor,
        .all_digits = factor == ALL_DIGITS,
        .table_limit = !limited                   ? 0
                       : config->table_limit == 0 ? TABLE_LIMIT
                                                  : config->table_limit,
        .threads = threads,
        .outside_subgroup = config->outside_subgroup != 0,
    };
    uint64_t missing;
    return plan_make(&request, plan, &missing);
}

/* The fastest plan of several; SUMAC_NOT_SUPPORTED where none is within its limits. Every other factor costs
 * memory and saves little beside its neighbours. */
static sumac_status plan_fastest(const executor *self, uint32_t threads, const sumac_curve *curve, size_t n,
                                 const sumac_bases_config *config, msm_plan *plan)
{
    const uint32_t most = 8 * curve->info.scalar_bytes;
    msm_plan candidate;
    sumac_status status = plan_tables(self, threads, curve, n, config, ALL_DIGITS, plan);
    for (uint32_t factor = 1; factor <= most; factor += factor / 4 + 1) {
        if (plan_tables(self, threads, curve, n, config, factor, &candidate) == SUMAC_OK &&
            (status != SUMAC_OK || candidate.milliseconds < plan->milliseconds)) {
            *plan = candidate;
            status = SUMAC_OK;
        }
    }
    return status;
}

/* Multiples or tables for bases: the window, how many windows there are, and the shift between multiples; made for the
 * largest shard. The factor is lowered to the number of multiples that some window uses. */
static sumac_status choose_tables(sumac_context *context, const sumac_curve *curve, size_t n,
                                  const sumac_bases_config *given, sumac_bases *bases)
{
    const executor_list *list = &context->executors;
    const executor *self = list->at;
    const uint32_t k = bases->replicated ? 0 : executors_largest(list, n, bases->cut_unit);
    const uint32_t threads = executors_means(list, k)->threads;
    const size_t most = (size_t)bases->shards[k].table.count;
    sumac_bases_config own = *given, *config = &own;
    msm_plan plan;
    config->typical_n = config->typical_n < most ? config->typical_n : most;
    if (most < n) { /* the limit is for all shards together */
        const uint64_t limit = config->table_limit == 0 ? TABLE_LIMIT : config->table_limit;
        config->table_limit = larger(1, (uint64_t)((unsigned __int128)limit * most / n));
    }
    const sumac_status status =
        config->tables == SUMAC_TABLES_AUTO
            ? plan_fastest(self, threads, curve, most, config, &plan)
            : plan_tables(self, threads, curve, most, config,
                          config->tables == SUMAC_TABLES_WINDOWS ? ALL_DIGITS : config->precompute_factor,
                          &plan);
    if (status != SUMAC_OK && config->tables != SUMAC_TABLES_MULTIPLES) {
        return fail(context, status, "the tables of %zu bases are larger than table_limit or 2^31 points",
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
                     executor_code(self, curve)->affine_bytes);
    return SUMAC_OK;
}

/* Why a configuration can't be used, or null. */
static const char *config_fault(const sumac_curve *curve, size_t n, const sumac_bases_config *config)
{
    if (config->form != SUMAC_FORM_CANONICAL && config->form != SUMAC_FORM_MONTGOMERY) {
        return "form is neither canonical nor Montgomery";
    }
    if (config->stride != 0 && config->stride < curve->info.point_bytes) {
        return "stride is less than the bytes of a point";
    }
    if (n > 0 && config->stride > SIZE_MAX / 2 / n) {
        return "stride times the number of points is more than any memory holds";
    }
    if (config->infinity != SUMAC_INFINITY_ZERO && config->infinity != SUMAC_INFINITY_FLAG) {
        return "infinity is neither zero nor flag";
    }
    if (config->infinity == SUMAC_INFINITY_FLAG && config->stride == 0) {
        return "infinity is flag, but points without a stride have no byte for it";
    }
    if (config->infinity == SUMAC_INFINITY_FLAG && config->infinity_offset >= config->stride) {
        return "infinity_offset is not less than stride";
    }
    if (config->location != SUMAC_LOCATION_HOST && config->location != SUMAC_LOCATION_DEVICE) {
        return "location is neither host nor device";
    }
    if ((unsigned)config->check > SUMAC_CHECK_NONE) {
        return "check is none of curve, subgroup and none";
    }
    if (config->check == SUMAC_CHECK_SUBGROUP && config->outside_subgroup) {
        return "check is subgroup, but the points are declared to lie outside of it";
    }
    if (config->c > PLAN_MAX_C) {
        return "c is more than 24";
    }
    if (config->precompute_factor > 8 * curve->info.scalar_bytes) {
        return "precompute_factor is more than the bits of a scalar";
    }
    if (config->scalar_bits > 8 * curve->info.scalar_bytes) {
        return "scalar_bits is more than a scalar has";
    }
    if (config->typical_n > n) {
        return "typical_n is more than there are bases";
    }
    if ((unsigned)config->tables > SUMAC_TABLES_AUTO) {
        return "tables is none of multiples, digits and auto";
    }
    if (config->tables != SUMAC_TABLES_MULTIPLES && config->precompute_factor > 1) {
        return "precompute_factor is given, but tables is not multiples";
    }
    return NULL;
}

sumac_status bases_shape(sumac_context *context, const sumac_curve *curve, size_t n,
                         const sumac_bases_config *config, sumac_bases *shape)
{
    const backend *own = context->executors.at->backend;
    const size_t affine_bytes = context_code(context, curve)->affine_bytes;
    *shape = (sumac_bases){
        .curve = curve,
        .backend = own,
        .count = n,
        .outside_subgroup = config->outside_subgroup != 0,
        .lock_pages = config->page_locked != 0,
        .shard_count = 1,
        .shards = {{.device = ON_HOST, .table = {.count = n, .factor = 1, .glv_terms = 1}}},
    };
    const char *fault = config_fault(curve, n, config);
    if (fault != NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the bases' configuration can't be used: %s", fault);
    }
    if (config->location != SUMAC_LOCATION_HOST && own->device == NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend does not support location = device",
                    own->name);
    }
    if (config->tables == SUMAC_TABLES_WINDOWS &&
        !plan_leaves(own, context_code(context, curve), LOOKED_UP_LISTS)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend keeps no window tables", own->name);
    }
    if (n > ((uint64_t)1 << 31)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "%zu bases are more than 2^31", n);
    }
    if (own->device != NULL && !own->device->has_curve(curve)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend was built without %s/%s", own->name,
                    curve->info.name, curve->info.group);
    }
    const size_t typical_n = config->typical_n == 0 ? n : config->typical_n;
    const int has_tables = config->precompute_factor > 1 || config->tables != SUMAC_TABLES_MULTIPLES;
    if (has_tables && config->typical_batch > 0 && typical_n > PLAN_MAX_SCALARS / config->typical_batch) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "typical_batch: %u MSMs of %zu bases each have more than 2^48 scalars",
                    config->typical_batch, typical_n);
    }
    cut_shards(context, affine_bytes, n, config, shape);
    bases_set_tables(shape, 1, 0, affine_bytes);
    return has_tables ? choose_tables(context, curve, n, config, shape) : SUMAC_OK;
}

/* Bytes of a shard's table without lambda*P. */
static uint64_t table_bytes(const bases_table *table, size_t affine_bytes)
{
    return table->count * table->factor * affine_bytes;
}

/* And of one table of all bases. */
static uint64_t all_bytes(const sumac_bases *shape, size_t affine_bytes)
{
    return shape->count * bases_factor(shape) * affine_bytes;
}

/* The most that a table may take of a device's memory, so that enough is left to work with it. */
static uint64_t device_room(const executor *self)
{
    return larger(1, self->backend->device->memory_free(self->engine) / 8 * 7);
}

/* And of the host's, which all shards share: three quarters of what is left, as scalars and the workspace come
 * then. */
static uint64_t host_room(const sumac_bases *shape, uint64_t bytes)
{
    const uint64_t copies = shape->replicated ? shape->shard_count : 1;
    return bytes <= MEMORY_NEVER_ASKED / copies ? UINT64_MAX : larger(1, memory_left("") / 4 * 3 / copies);
}

/* Room for a table of all bases with multiples: as much as leaves each device enough for its shard. */
static uint64_t table_room(const sumac_context *context, const sumac_bases *shape, size_t affine_bytes)
{
    const executor_list *list = &context->executors;
    const uint64_t bytes = all_bytes(shape, affine_bytes);
    uint64_t room = UINT64_MAX;
    if (bases_factor(shape) == 1) {
        return room;
    }
    if (list->at->engine == NULL) {
        return host_room(shape, bytes);
    }
    for (uint32_t k = 0; k < shape->shard_count; k++) {
        executor_enter(&list->at[k]);
        const uint64_t there = device_room(&list->at[k]);
        const uint64_t needed = table_bytes(&shape->shards[k].table, affine_bytes);
        if (needed > there) {
            room = smaller(room, (uint64_t)((unsigned __int128)bytes * there / needed));
        }
    }
    executor_enter(list->at);
    return room;
}

/* Change a configuration whose table, of more than the bases, a device has no room for to one of a smaller
 * table: half as many multiples; or what the planner wants for the room that there is, with SUMAC_TABLES_AUTO
 * at least the bases, which may stay on the host. What falls each time is the factor, which is more than 1, or the bytes, which
 * are not 0: a limit of 0 would be the default one. */
static void want_less(sumac_bases_config *config, const sumac_bases *shape, uint64_t bytes, uint64_t room)
{
    const uint32_t factor = bases_factor(shape);
    if (config->tables == SUMAC_TABLES_MULTIPLES) {
        config->precompute_factor = (factor + 1) / 2;
    } else {
        config->table_limit = larger(bytes / factor, smaller(room, bytes / 2));
    }
}

/* A plan for the calls that the configuration names over a shard's bases alone, in a workspace of so many bytes. */
static sumac_status plan_shard(const executor *self, const sumac_bases *shape, uint32_t shard,
                               const sumac_bases_config *config, uint64_t limit, msm_plan *plan)
{
    const size_t count = shape->shards[shard].table.count;
    sumac_msm_config call = sumac_msm_config_default();
    call.batch = config->typical_batch == 0 ? 1 : config->typical_batch;
    call.scalar_bits = config->scalar_bits;
    const plan_request request = planning_request(
        self, shape, shard, config->typical_n == 0 ? count : smaller(config->typical_n, count), &call, limit);
    uint64_t missing;
    return plan_make(&request, plan, &missing);
}

/* Whether a device's bases should stay on the host though it has room for them: where they leave it so little for
 * workspaces that calls take a tenth longer than with bases that come each time. */
static int is_faster_on_host(executor *self, const sumac_bases *shape, uint32_t shard,
                             const sumac_bases_config *config)
{
    sumac_bases tried = *shape;
    bases_table *table = &tried.shards[shard].table;
    const uint64_t bytes = table_bytes(table, executor_code(self, shape->curve)->affine_bytes);
    executor_enter(self);
    const uint64_t there = self->backend->device->memory_free(self->engine) + self->workspace_bytes;
    const uint64_t limit = planning_limit(self);
    if (bytes >= there || bytes < there / 4) { /* the allocation decides; much is left */
        return 0;
    }
    msm_plan plan, resident;
    table->glv_terms = 1;
    table->host_resident = 1;
    if (plan_shard(self, &tried, shard, config, limit, &plan) != SUMAC_OK) {
        return 0;
    }
    table->host_resident = 0;
    return plan_shard(self, &tried, shard, config, smaller(limit, there - bytes), &resident) != SUMAC_OK ||
           plan.milliseconds < 0.9 * resident.milliseconds;
}

static sumac_status fail_allocation(sumac_context *context, uint64_t bytes)
{
    return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory for %llu bytes of bases",
                (unsigned long long)bytes);
}

sumac_status bases_allocate(sumac_context *context, const sumac_curve *curve, size_t n,
                            const sumac_bases_config *config, sumac_bases **bases)
{
    const size_t affine_bytes = context_code(context, curve)->affine_bytes;
    sumac_bases_config wanted = *config;
    sumac_bases shape;
    uint64_t bytes = 0; /* that there is no room for */
    *bases = NULL;
    for (;;) {
        sumac_status status = bases_shape(context, curve, n, &wanted, &shape);
        if (status == SUMAC_NOT_SUPPORTED && bytes > 0) {
            return fail_allocation(context, bytes); /* of what was wanted nothing is smaller */
        }
        if (status != SUMAC_OK) {
            return status;
        }
        const uint64_t room = table_room(context, &shape, affine_bytes);
        bytes = all_bytes(&shape, affine_bytes);
        for (uint32_t k = 0; bases_factor(&shape) == 1 && k < shape.shard_count; k++) {
            executor *own = &context->executors.at[k];
            shape.shards[k].table.host_resident =
                own->engine != NULL && is_faster_on_host(own, &shape, k, &wanted);
        }
        if (bytes <= room) {
            status = bases_allocate_table(context, &shape, 1, affine_bytes, bases);
            if (status != SUMAC_OUT_OF_MEMORY || context->executors.at->engine == NULL ||
                bases_factor(&shape) == 1 || bytes == 0) { /* then no table is smaller */
                return status;
            }
        }
        context->executors.at->message.text[0] = '\0';
        want_less(&wanted, &shape, bytes, room);
    }
}

/* Memory for a shard of bases, `by_host` points of each; a device's only if they are not to stay on the host. */
static sumac_status allocate_shard(executor *own, uint32_t by_host, int lock_pages, size_t affine_bytes,
                                   bases_shard *shard)
{
    const uint64_t bytes = table_bytes(&shard->table, affine_bytes);
    const int on_device = own->engine != NULL;
    uint32_t glv_terms = shard->table.glv_terms;
    executor_enter(own);
    const int wanted = !shard->table.host_resident;
    void *table = wanted ? own->backend->allocate(own->engine, bytes * glv_terms) : NULL;
    if (wanted && table == NULL && glv_terms > 1) {
        glv_terms = 1;
        table = own->backend->allocate(own->engine, bytes);
    }
    const int holds_points = on_device && by_host > 0;
    /* Bases without multiples can stay on the host if the device is full. */
    const int host_resident = holds_points && table == NULL && shard->table.factor == 1;
    const uint64_t point_bytes = shard->table.count * by_host * affine_bytes;
    void *points =
        host_resident && lock_pages ? own->backend->device->allocate_pinned(own->engine, point_bytes) : NULL;
    shard->page_locked = points != NULL;
    if (points == NULL) {
        points = holds_points ? host_points(point_bytes) : table;
    }
    if ((table == NULL && !host_resident) || points == NULL) {
        own->backend->release(table);
        if (holds_points) {
            host_points_free(points);
        }
        return refuse(&own->message, SUMAC_OUT_OF_MEMORY, "there is no memory for %llu bytes of bases",
                      (unsigned long long)bytes);
    }
    shard->points = points;
    shard->table.points = host_resident ? points : table;
    shard->table.host_resident = host_resident;
    shard->table.glv_terms = host_resident ? 1 : glv_terms;
    shard->device = host_resident ? ON_HOST : executor_device(own);
    return SUMAC_OK;
}

sumac_status bases_allocate_table(sumac_context *context, const sumac_bases *shape, uint32_t by_host,
                                  size_t affine_bytes, sumac_bases **bases)
{
    executor_list *list = &context->executors;
    sumac_bases *created = malloc(sizeof *created);
    sumac_status status = SUMAC_OK;
    if (created == NULL) {
        return fail_allocation(context, sizeof *created);
    }
    *created = *shape;
    for (uint32_t k = 0; k < shape->shard_count && status == SUMAC_OK; k++) {
        status = executors_adopt(
            list, k,
            allocate_shard(&list->at[k], by_host, shape->lock_pages, affine_bytes, &created->shards[k]));
    }
    if (status != SUMAC_OK) {
        sumac_bases_destroy(created);
        return status;
    }
    *bases = created;
    return SUMAC_OK;
}

void sumac_bases_destroy(sumac_bases *bases)
{
    for (uint32_t k = 0; bases != NULL && k < bases->shard_count; k++) {
        const bases_shard *shard = &bases->shards[k];
        if (shard->page_locked) {
            bases->backend->device->release_pinned(shard->points);
        } else if (shard->points != shard->table.points || shard->table.host_resident) {
            host_points_free(shard->points);
        }
        if (!shard->table.host_resident) {
            bases->backend->release((void *)(uintptr_t)shard->table.points);
        }
    }
    free(bases);
}
