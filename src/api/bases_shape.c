/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What is kept for bases: whether their configuration can be used, which multiples or tables the planner
 * wants for it, and the memory for that. What fills it is bases.c.
 */
#include "api/bases_shape.h"

#include <stdlib.h>

#include "api/call.h"
#include "api/context.h"
#include "api/host_points.h"
#include "api/members.h"
#include "base/integers.h"
#include "base/memory_left.h"

/* In place of a precompute factor: tables of digits. */
#define ALL_DIGITS 0u

/* Bytes that tables may take where the configuration has no limit. */
#define TABLE_LIMIT ((uint64_t)64 << 20)

/* Whether images of the bases are kept beside them: where the device's code takes scalars in halves, which
 * saves half of the reduction and of the doublings, and both need no more than a table may take unasked. */
static uint32_t endomorphism_of(const sumac_bases *shape, size_t affine_bytes)
{
    const bases_table *table = bases_only_table(shape);
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
static uint64_t cut_unit(const context_members *members, size_t n, const sumac_bases_config *config)
{
    const size_t set = config->typical_n;
    return set > 0 && n % set == 0 && n / set >= members->count ? set : 1;
}

void bases_part_shape(const sumac_context *context, const sumac_bases *all, uint32_t k, sumac_bases *shape)
{
    const context_members *members = context->members;
    bases_shard *shard = bases_only_shard(shape);
    *shape = *all;
    shape->part_count = 0;
    shape->parts = NULL;
    if (!all->replicated) {
        const uint64_t n = bases_only_table(all)->count;
        shard->first = members_cut(members, n, all->cut_unit, k);
        shard->table.count = members_cut(members, n, all->cut_unit, k + 1) - shard->first;
        shard->table.glv_terms = endomorphism_of(shape, context_code(context, all->curve)->affine_bytes);
    }
}

/* A plan for the calls that the configuration names with multiples or tables of digits. */
static sumac_status plan_tables(const sumac_context *context, const sumac_curve *curve, size_t n,
                                const sumac_bases_config *config, uint32_t factor, msm_plan *plan)
{
    const int limited = config->tables != SUMAC_TABLES_MULTIPLES;
    const plan_request request = {
        .curve = curve,
        .code = context_code(context, curve),
        .backend = context->backend,
        .n = config->typical_n == 0 ? n : config->typical_n,
        .bases_count = n,
        .batch = config->typical_batch == 0 ? 1 : config->typical_batch,
        .c = config->c,
        .scalar_bits = config->scalar_bits,
        .precompute_factor = factor == ALL_DIGITS ? 1 : factor,
        .all_digits = factor == ALL_DIGITS,
        .table_limit = !limited                   ? 0
                       : config->table_limit == 0 ? TABLE_LIMIT
                                                  : config->table_limit,
        .threads = context->threads,
        .outside_subgroup = config->outside_subgroup != 0,
    };
    uint64_t missing;
    return plan_make(&request, plan, &missing);
}

/* The fastest plan of several; SUMAC_NOT_SUPPORTED where none is within its limits. Every other factor costs
 * memory and saves little beside its neighbours. */
static sumac_status plan_fastest(const sumac_context *context, const sumac_curve *curve, size_t n,
                                 const sumac_bases_config *config, msm_plan *plan)
{
    const uint32_t most = 8 * curve->info.scalar_bytes;
    msm_plan candidate;
    sumac_status status = plan_tables(context, curve, n, config, ALL_DIGITS, plan);
    for (uint32_t factor = 1; factor <= most; factor += factor / 4 + 1) {
        if (plan_tables(context, curve, n, config, factor, &candidate) == SUMAC_OK &&
            (status != SUMAC_OK || candidate.milliseconds < plan->milliseconds)) {
            *plan = candidate;
            status = SUMAC_OK;
        }
    }
    return status;
}

/* Complete bases for which more is kept than themselves: the window, how many windows there are, and the
 * shift between multiples. f is lowered to the number of multiples that some window uses. */
static sumac_status complete_tables(sumac_context *context, const sumac_curve *curve, size_t n,
                                    const sumac_bases_config *config, sumac_bases *bases)
{
    msm_plan plan;
    const sumac_status status =
        config->tables == SUMAC_TABLES_AUTO
            ? plan_fastest(context, curve, n, config, &plan)
            : plan_tables(context, curve, n, config,
                          config->tables == SUMAC_TABLES_WINDOWS ? ALL_DIGITS : config->precompute_factor,
                          &plan);
    if (status != SUMAC_OK && config->tables != SUMAC_TABLES_MULTIPLES) {
        return fail(context, status, "the tables of %zu bases are larger than table_limit or 2^31 points", n);
    }
    if (status != SUMAC_OK) {
        return fail(context, status, "%zu bases with %u multiples each are more than 2^31 points", n,
                    config->precompute_factor);
    }
    bases_table *table = &bases_only_shard(bases)->table;
    table->all_digits = plan.kinds[STAGE_SORT]->leaves == LOOKED_UP_LISTS;
    table->factor = plan.precompute_factor * (uint32_t)plan.table_digits;
    if (table->factor > 1) {
        bases->c = plan.c;
        bases->windows = plan.windows;
        bases->shift = plan.c * plan.modules;
    }
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
    if ((unsigned)config->check > SUMAC_CHECK_SUBGROUP) {
        return "check is none of none, curve and subgroup";
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

/* Bases of a context with several devices: one configuration for all parts, made for the largest of them. */
static sumac_status complete_parts(sumac_context *context, const sumac_curve *curve, size_t n,
                                   const sumac_bases_config *config, int has_tables, sumac_bases *shape)
{
    const context_members *members = context->members;
    const size_t affine_bytes = context_code(context, curve)->affine_bytes;
    sumac_bases_config own = *config;
    shape->part_count = members->count;
    shape->cut_unit = cut_unit(members, n, config);
    shape->replicated = is_replicated(context, affine_bytes, n, config);
    const uint32_t k = members_largest(members, n, shape->cut_unit);
    const uint64_t begin = members_cut(members, n, shape->cut_unit, k);
    const size_t most =
        shape->replicated ? n : (size_t)(members_cut(members, n, shape->cut_unit, k + 1) - begin);
    own.typical_n = own.typical_n < most ? own.typical_n : most;
    if (!shape->replicated) { /* the limit is for all parts together */
        const uint64_t limit = own.table_limit == 0 ? TABLE_LIMIT : own.table_limit;
        own.table_limit = n == 0 ? limit : (uint64_t)((unsigned __int128)limit * most / n);
        own.table_limit = own.table_limit == 0 ? 1 : own.table_limit;
    }
    return has_tables
               ? members_adopt(context, k, complete_tables(members->at[k].context, curve, most, &own, shape))
               : SUMAC_OK;
}

sumac_status bases_shape(sumac_context *context, const sumac_curve *curve, size_t n,
                         const sumac_bases_config *config, sumac_bases *shape)
{
    *shape = (sumac_bases){
        .curve = curve,
        .backend = context->backend,
        .shards = {{.device = ON_HOST, .table = {.count = n, .factor = 1, .glv_terms = 1}}},
        .outside_subgroup = config->outside_subgroup != 0,
    };
    const char *fault = config_fault(curve, n, config);
    if (fault != NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the bases' configuration can't be used: %s", fault);
    }
    if (config->location != SUMAC_LOCATION_HOST && context->backend->device == NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend does not support location = device",
                    context->backend->name);
    }
    if (config->tables == SUMAC_TABLES_WINDOWS &&
        !plan_leaves(context->backend, context_code(context, curve), LOOKED_UP_LISTS)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend keeps no tables of digits",
                    context->backend->name);
    }
    if (n > ((uint64_t)1 << 31)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "%zu bases are more than 2^31", n);
    }
    if (context->backend->device != NULL && !context->backend->device->has_curve(curve)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend was built without %s/%s",
                    context->backend->name, curve->info.name, curve->info.group);
    }
    const size_t typical_n = config->typical_n == 0 ? n : config->typical_n;
    const int has_tables = config->precompute_factor > 1 || config->tables != SUMAC_TABLES_MULTIPLES;
    if (has_tables && config->typical_batch > 0 && typical_n > PLAN_MAX_SCALARS / config->typical_batch) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "typical_batch: %u MSMs of %zu bases each have more than 2^48 scalars",
                    config->typical_batch, typical_n);
    }
    sumac_status status = SUMAC_OK;
    if (context->members != NULL) {
        status = complete_parts(context, curve, n, config, has_tables, shape);
    } else if (has_tables) {
        status = complete_tables(context, curve, n, config, shape);
    }
    bases_only_shard(shape)->table.glv_terms =
        endomorphism_of(shape, context_code(context, curve)->affine_bytes);
    return status;
}

/* Bytes of a table without images. */
static uint64_t table_bytes(const sumac_bases *shape, size_t affine_bytes)
{
    const bases_table *table = bases_only_table(shape);
    return table->count * table->factor * affine_bytes;
}

/* The most that a table may take of a device's memory, so that enough is left to work with it. */
static uint64_t device_room(const sumac_context *context)
{
    return larger(1, context->backend->device->memory_free(context->engine) / 8 * 7);
}

/* And of the host's, which all parts share: three quarters of what is left, as scalars and the workspace come
 * then. */
static uint64_t host_room(const sumac_bases *shape, uint64_t bytes)
{
    const uint64_t copies = shape->part_count > 0 && shape->replicated ? shape->part_count : 1;
    return bytes <= MEMORY_NEVER_ASKED / copies ? UINT64_MAX : larger(1, memory_left("") / 4 * 3 / copies);
}

/* The same for a table with multiples: of parts, as much of all as leaves each device enough. */
static uint64_t table_room(const sumac_context *context, const sumac_bases *shape, size_t affine_bytes)
{
    const uint64_t bytes = table_bytes(shape, affine_bytes);
    uint64_t room = UINT64_MAX;
    if (bases_only_table(shape)->factor == 1) {
        return room;
    }
    if (context->backend->device == NULL) {
        return host_room(shape, bytes);
    }
    if (shape->part_count == 0) {
        return device_room(context);
    }
    for (uint32_t k = 0; k < shape->part_count; k++) {
        const sumac_context *member = context->members->at[k].context;
        sumac_bases part;
        bases_part_shape(context, shape, k, &part);
        context->backend->device->enter(member->engine);
        const uint64_t there = device_room(member), needed = table_bytes(&part, affine_bytes);
        if (needed > there) {
            room = smaller(room, (uint64_t)((unsigned __int128)bytes * there / needed));
        }
    }
    context->backend->device->enter(context->engine);
    return room;
}

/* Change a configuration whose table, of more than the bases, a device has no room for to one of a smaller
 * table: half as many multiples; or what the planner wants for the room that there is, with SUMAC_TABLES_AUTO
 * at least the bases, which may stay on the host. */
static void want_less(sumac_bases_config *config, const sumac_bases *shape, uint64_t bytes, uint64_t room)
{
    const uint32_t factor = bases_only_table(shape)->factor;
    if (config->tables == SUMAC_TABLES_MULTIPLES) {
        config->precompute_factor = (factor + 1) / 2;
    } else {
        config->table_limit = larger(bytes / factor, smaller(room, bytes / 2));
    }
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
        bytes = table_bytes(&shape, affine_bytes);
        if (bytes <= room) {
            status = bases_allocate_table(context, &shape, n, affine_bytes, bases);
            if (status != SUMAC_OUT_OF_MEMORY || context->engine == NULL ||
                bases_only_table(&shape)->factor == 1) {
                return status;
            }
        }
        context->message[0] = '\0';
        want_less(&wanted, &shape, bytes, room);
    }
}

/* A part for each member. */
static sumac_status allocate_parts(sumac_context *context, const sumac_bases *shape, uint64_t imported,
                                   size_t affine_bytes, sumac_bases **bases)
{
    const uint64_t n = bases_only_table(shape)->count;
    sumac_bases *created = malloc(sizeof *created);
    sumac_bases **parts = calloc(shape->part_count, sizeof *parts);
    if (created == NULL || parts == NULL) {
        free(created);
        free(parts);
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for bases",
                    sizeof *created);
    }
    *created = *shape;
    created->parts = parts;
    sumac_status status = SUMAC_OK;
    for (uint32_t k = 0; k < shape->part_count && status == SUMAC_OK; k++) {
        sumac_context *member = context->members->at[k].context;
        sumac_bases part;
        bases_part_shape(context, shape, k, &part);
        HOLDS sumac_context *held = context_begin(member);
        const uint64_t multiples = n == 0 ? 0 : imported / n; /* of each base */
        status = held == NULL
                     ? SUMAC_BAD_ARGUMENT
                     : bases_allocate_table(member, &part, multiples * bases_only_table(&part)->count,
                                            affine_bytes, &parts[k]);
        status = members_adopt(context, k, status);
    }
    if (status != SUMAC_OK) {
        sumac_bases_destroy(created);
        return status;
    }
    *bases = created;
    return SUMAC_OK;
}

sumac_status bases_allocate_table(sumac_context *context, const sumac_bases *shape, uint64_t imported,
                                  size_t affine_bytes, sumac_bases **bases)
{
    if (shape->part_count > 0) {
        return allocate_parts(context, shape, imported, affine_bytes, bases);
    }
    const bases_table *wanted = bases_only_table(shape);
    const uint64_t bytes = table_bytes(shape, affine_bytes);
    const int on_device = context->backend->device != NULL;
    uint32_t glv_terms = wanted->glv_terms;
    sumac_bases *created = malloc(sizeof *created);
    void *table = context->backend->allocate(context->engine, bytes * glv_terms);
    if (table == NULL && glv_terms > 1) {
        glv_terms = 1;
        table = context->backend->allocate(context->engine, bytes);
    }
    void *points = on_device ? host_points(imported * affine_bytes) : table;
    /* Bases without multiples can stay on the host if the device is full. */
    const int host_resident = on_device && table == NULL && wanted->factor == 1;
    if (created == NULL || (table == NULL && !host_resident) || points == NULL) {
        free(created);
        context->backend->release(table);
        if (on_device) {
            host_points_free(points);
        }
        return fail_allocation(context, bytes);
    }
    *created = *shape;
    bases_shard *shard = bases_only_shard(created);
    shard->points = points;
    shard->table.points = host_resident ? points : table;
    shard->table.host_resident = host_resident;
    shard->table.glv_terms = host_resident ? 1 : glv_terms;
    shard->device =
        on_device && !host_resident ? context->backend->device->ordinal(context->engine) : ON_HOST;
    *bases = created;
    return SUMAC_OK;
}
