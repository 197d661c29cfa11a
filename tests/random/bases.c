/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "random/bases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/try.h"
#include "random/device.h"
#include "support/abort.h"
#include "support/tuning.h"

/* ---- which points ---- */

static void choose_uses(draws *d, case_bases *bases)
{
    const known_group *known = bases->known;
    /* Points outside the subgroup are used only for bases that are declared so. */
    const size_t points = bases->config.outside_subgroup ? known->point_count : KNOWN_INSIDE;
    const unsigned kind = (unsigned)draw_below(d, 6);
    const uint64_t fixed = draw_below(d, points);
    bases->uses = world_alloc(bases->count * sizeof *bases->uses);
    for (size_t i = 0; i < bases->count; i++) {
        known_use use = {(uint8_t)draw_below(d, points), (uint8_t)draw_chance(d, 20)};
        switch (kind) {
        case 0: /* one point */
            use.point = (uint8_t)fixed;
            break;
        case 1: /* two points and their opposites */
            use.point = (uint8_t)((fixed + i % 2) % points);
            break;
        case 2: /* pairs that cancel */
            use.point = (uint8_t)((fixed + i / 2) % points);
            use.negated = (uint8_t)(i % 2);
            break;
        case 3: /* small multiples of the generator */
            use.point = (uint8_t)(use.point % 8);
            break;
        default:
            break;
        }
        if (kind != 4 && draw_chance(d, 10)) {
            use.point = KNOWN_INFINITY;
        }
        bases->uses[i] = use;
    }
}

/* ---- records ---- */

static int is_infinity(const case_bases *bases, size_t index)
{
    const known_use use = bases->uses[index];
    return use.point == KNOWN_INFINITY || (mpz_sgn(bases->known->points[use.point].logarithm) == 0 &&
                                           bases->known->points[use.point].outside < 0);
}

void case_bases_expected(const case_bases *bases, size_t index, uint8_t *raw)
{
    const known_use use = bases->uses[index];
    if (is_infinity(bases, index)) {
        memset(raw, 0, bases->known->oracle.info->point_bytes);
    } else {
        memcpy(raw, bases->known->points[use.point].raw[SUMAC_FORM_CANONICAL][use.negated],
               bases->known->oracle.info->point_bytes);
    }
}

static void write_record(draws *d, const case_bases *bases, size_t index)
{
    const size_t point_bytes = bases->known->oracle.info->point_bytes;
    const known_use use = bases->uses[index];
    const int infinity = is_infinity(bases, index);
    uint8_t *record = bases->records.bytes + index * bases->stride;
    memset(record, 0xee, bases->stride);
    if (infinity) {
        /* If the flag marks infinity, the coordinates are arbitrary. */
        memset(record, bases->config.infinity == SUMAC_INFINITY_FLAG && draw_chance(d, 50) ? 0xff : 0,
               point_bytes);
    } else {
        memcpy(record, bases->known->points[use.point].raw[bases->config.form][use.negated], point_bytes);
    }
    if (bases->config.infinity == SUMAC_INFINITY_FLAG) {
        record[bases->config.infinity_offset] = infinity ? (uint8_t)(1 + draw_below(d, 255)) : 0;
    }
}

/* Spoil one record in a way that the configuration's check detects. */
static void spoil(draws *d, case_bases *bases)
{
    const sumac_group *info = bases->known->oracle.info;
    const size_t index = (size_t)draw_below(d, bases->count);
    uint8_t *record = bases->records.bytes + index * bases->stride;
    if (bases->count == 0 || is_infinity(bases, index)) {
        return;
    }
    const unsigned kind = (unsigned)draw_below(d, 3);
    sumac_status fault = SUMAC_BAD_ENCODING;
    if (kind == 0) {
        memset(record + info->field_bytes * draw_below(d, 2 * info->degree), 0xff, info->field_bytes);
    } else if (kind == 1 && bases->config.check != SUMAC_CHECK_NONE &&
               bases->config.form == SUMAC_FORM_CANONICAL) {
        memset(record, 0, info->point_bytes); /* (1, 1) is not on the curve, because b is not 0 */
        record[0] = record[info->point_bytes / 2] = 1;
        fault = SUMAC_NOT_ON_CURVE;
    } else if (kind == 2 && bases->config.check == SUMAC_CHECK_SUBGROUP &&
               bases->known->point_count > KNOWN_INSIDE) {
        memcpy(record,
               bases->known->points[KNOWN_INSIDE + draw_below(d, KNOWN_POINTS - KNOWN_INSIDE)]
                   .raw[bases->config.form][0],
               info->point_bytes);
        fault = SUMAC_NOT_IN_SUBGROUP;
    } else {
        return;
    }
    bases->fault_index = index;
    bases->may = (bases->may & ~WORLD_MAY(SUMAC_OK)) | WORLD_MAY(fault);
}

/* ---- configuration ---- */

static void choose_layout(draws *d, case_bases *bases)
{
    const size_t point_bytes = bases->known->oracle.info->point_bytes;
    sumac_bases_config *config = &bases->config;
    config->form = draw_chance(d, 30) ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL;
    config->stride = draw_chance(d, 50) ? 0 : point_bytes + (size_t)draw_below(d, 20);
    bases->stride = config->stride == 0 ? point_bytes : config->stride;
    if (bases->stride > point_bytes && draw_chance(d, 50)) {
        config->infinity = SUMAC_INFINITY_FLAG;
        config->infinity_offset = point_bytes + (size_t)draw_below(d, bases->stride - point_bytes);
    }
}

static void choose_tables(const world *w, draws *d, case_bases *bases)
{
    sumac_bases_config *config = &bases->config;
    const uint32_t most_bits = 8 * bases->known->oracle.info->scalar_bytes;
    uint32_t c = 0;
    if (draw_chance(d, 40)) {
        config->precompute_factor = (uint32_t)draw_below(d, 12);
    } else if (bases->count < 100 && draw_chance(d, 5)) {
        config->precompute_factor = most_bits;
    }
    if (draw_chance(d, 40)) {
        c = 1 + (uint32_t)draw_below(d, w->options.small ? 8 : draw_chance(d, 90) ? 12 : 16);
    }
    if (draw_chance(d, 20)) {
        config->scalar_bits = 1 + (uint32_t)draw_below(d, most_bits);
    }
    if (draw_chance(d, 20)) {
        config->precompute_factor = (uint32_t)draw_below(d, 2);
        config->tables = (sumac_tables)(1 + draw_below(d, 2));
        config->table_bytes = 1 + draw_below(d, w->options.small ? 1 << 16 : 1 << 20);
        if (!w->options.small && draw_chance(d, 10)) {
            config->table_bytes = 0;
        }
        c = c > 8 ? 8 : c;
    }
    if (draw_chance(d, 20)) {
        config->typical_batch = (uint32_t)draw_below(d, 100);
    }
    if (draw_chance(d, 20)) {
        config->typical_n = (size_t)draw_below(d, bases->count + 1);
    }
    config->tuning = test_tuning("c=%u", c);
}

/* Set one field to an invalid value, for which the call must be refused. */
static void spoil_config(draws *d, case_bases *bases)
{
    sumac_bases_config *config = &bases->config;
    bases->may = WORLD_MAY(SUMAC_BAD_ARGUMENT);
    switch (draw_below(d, 8)) {
    case 0:
        config->form = (sumac_form)(2 + draw_below(d, 100));
        break;
    case 1:
        config->stride = 1 + (size_t)draw_below(d, bases->known->oracle.info->point_bytes - 1);
        break;
    case 2:
        config->infinity = SUMAC_INFINITY_FLAG;
        config->infinity_offset = bases->stride + (size_t)draw_below(d, 2);
        break;
    case 3:
        config->check = (sumac_check)(4 + draw_below(d, 100));
        break;
    case 4:
        config->tuning = test_tuning("c=%u", 25 + (uint32_t)draw_below(d, UINT32_MAX - 25));
        break;
    case 5:
        config->scalar_bits =
            8 * bases->known->oracle.info->scalar_bytes + 1 + (uint32_t)draw_below(d, 1u << 31);
        break;
    case 6:
        config->typical_n = bases->count + 1;
        break;
    default:
        config->tables = (sumac_tables)(3 + draw_below(d, 100));
        break;
    }
}

static void choose_config(const world *w, draws *d, case_bases *bases)
{
    bases->config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    bases->config.check = (sumac_check)draw_below(d, 4);
    if (bases->config.check == SUMAC_CHECK_SUBGROUP && draw_chance(d, 85)) {
        bases->config.check = SUMAC_CHECK_CURVE; /* a check of the subgroup takes long */
    }
    bases->config.outside_subgroup = bases->config.check != SUMAC_CHECK_SUBGROUP && draw_chance(d, 20);
    choose_layout(d, bases);
    choose_tables(w, d, bases);
    /* Tables may exceed their limit, or not fit on the device. */
    bases->may = WORLD_MAY(SUMAC_OK);
    if (bases->config.tables != SUMAC_TABLES_MULTIPLES) {
        bases->may |= WORLD_MAY(SUMAC_NOT_SUPPORTED);
    }
}

/* ---- the handle ---- */

static void create(world *w, draws *d, const world_lease *lease, case_bases *bases)
{
    const size_t bytes = bases->count * bases->stride;
    const int on_device = lease->device >= 0 && !w->memory_is_short && draw_chance(d, 30);
    const void *records = bases->records.bytes;
    void *copy = NULL;
    sumac_status status;
    if (on_device) {
        records = copy = device_take(lease->device, records, bytes);
        bases->config.location = SUMAC_LOCATION_DEVICE;
    }
    do {
        world_arm(w, d);
        status = exact_create(lease->context, bases->known->oracle.group, records, bases->count,
                              &bases->config, &bases->handle);
    } while (world_call_again(w, lease->context, status, "sumac_bases_create"));
    if (on_device) {
        device_give(lease->device, copy, NULL, bytes);
    }
    const uint32_t unseen =
        world_computes(lease) ? 0 : WORLD_MAY(SUMAC_OK); /* a fake device sees no wrong point */
    world_check(w, lease->context, status, bases->may | unseen, "sumac_bases_create");
    if ((status == SUMAC_OK) != (bases->handle != NULL)) {
        test_abort("sumac_bases_create: success, and only that, gives bases");
    }
    if (bases->fault_index < bases->count && status != SUMAC_OK && status != SUMAC_NOT_SUPPORTED &&
        !w->memory_is_short) {
        char index[32];
        snprintf(index, sizeof index, "%zu", bases->fault_index);
        if (strstr(sumac_context_message(lease->context), index) == NULL) {
            test_abort("sumac_bases_create: record %zu is wrong, but the message is \"%s\"",
                       bases->fault_index, sumac_context_message(lease->context));
        }
    }
}

static void check_get(world *w, draws *d, const world_lease *lease, const case_bases *bases)
{
    const size_t point_bytes = bases->known->oracle.info->point_bytes;
    const size_t first = (size_t)draw_below(d, bases->count + 1);
    const size_t n = (size_t)draw_below(d, bases->count - first + 1);
    const world_block points = world_take(d, n * point_bytes);
    AUTO_FREE uint8_t *expected = world_alloc(point_bytes);
    sumac_status status;
    do {
        world_arm(w, d);
        status = exact_get(lease->context, bases->handle, first, n, points.bytes);
    } while (world_call_again(w, lease->context, status, "sumac_bases_get"));
    world_check(w, lease->context, status, WORLD_MAY(SUMAC_OK), "sumac_bases_get");
    for (size_t i = 0; i < n && world_computes(lease); i++) {
        case_bases_expected(bases, first + i, expected);
        if (memcmp(points.bytes + i * point_bytes, expected, point_bytes) != 0) {
            test_abort("sumac_bases_get: base %zu is another one than was given", first + i);
        }
    }
    free(points.memory);
}

/* Write the bases to a file, as a table with their multiples or in any format that can hold them, and read them
 * again. */
static void through_file(world *w, draws *d, const world_lease *lease, case_bases *bases)
{
    const sumac_format_info *format = sumac_format_at((size_t)draw_below(d, sumac_format_count()));
    const int table =
        draw_chance(d, 60) || !format->can_read || !format->can_write || bases->config.outside_subgroup;
    const char *name = table ? "table" : format->name;
    const uint32_t may = WORLD_MAY(SUMAC_OK) |
                         (table ? 0 : WORLD_MAY(SUMAC_BAD_ARGUMENT)); /* not every curve has every format */
    sumac_bases_config config = {.size = sizeof config};
    sumac_bases *again = NULL;
    sumac_status status;
    char path[96];
    config.check = draw_below(d, 2) == 0 ? SUMAC_CHECK_NONE : SUMAC_CHECK_CURVE;
    world_path(w, "bases", path, sizeof path);
    do {
        world_arm(w, d);
        status = table && draw_chance(d, 50) ? sumac_bases_save(lease->context, bases->handle, path, NULL)
                                             : sumac_bases_save(lease->context, bases->handle, path, name);
    } while (world_call_again(w, lease->context, status, "sumac_bases_save"));
    world_check(w, lease->context, status, may, "sumac_bases_save");
    if (status != SUMAC_OK) {
        return;
    }
    do {
        world_arm(w, d);
        status = table && draw_chance(d, 50)
                     ? open_trusted(lease->context, draw_chance(d, 50) ? bases->known->oracle.group : NULL,
                                    path, &again)
                     : sumac_bases_open(lease->context, bases->known->oracle.group, path, name, 0, SUMAC_ALL,
                                        &config, &again);
    } while (world_call_again(w, lease->context, status, "sumac_bases_open"));
    (void)unlink(path);
    world_check(w, lease->context, status, WORLD_MAY(SUMAC_OK), "sumac_bases_open");
    sumac_bases_destroy(bases->handle);
    bases->handle = again;
}

case_bases case_bases_make(world *w, draws *d, const known_group *known, const world_lease *lease,
                           size_t count)
{
    case_bases bases = {.known = known, .count = count, .fault_index = count};
    choose_config(w, d, &bases);
    choose_uses(d, &bases);
    bases.records = world_take(d, count * bases.stride);
    for (size_t i = 0; i < count; i++) {
        write_record(d, &bases, i);
    }
    if (draw_chance(d, 3)) {
        spoil_config(d, &bases);
    } else if (draw_chance(d, 5)) {
        spoil(d, &bases);
    }
    const sumac_bases_config *c = &bases.config;
    const size_t used = strlen(w->description);
    snprintf(w->description + used, sizeof w->description - used,
             "bases: %zu, form %d, stride %zu, infinity %d at %zu, check %d, outside %d, f %u, %s, bits "
             "%u, tables %d "
             "within %llu, typically %u of %zu, wrong one %zu\n",
             count, (int)c->form, c->stride, (int)c->infinity, c->infinity_offset, (int)c->check,
             c->outside_subgroup, c->precompute_factor, c->tuning, c->scalar_bits, (int)c->tables,
             (unsigned long long)c->table_bytes, c->typical_batch, c->typical_n, bases.fault_index);
    create(w, d, lease, &bases);
    if (bases.handle != NULL && draw_chance(d, 20)) {
        check_get(w, d, lease, &bases);
    }
    if (bases.handle != NULL && draw_chance(d, 12)) {
        through_file(w, d, lease, &bases);
    }
    return bases;
}

void case_bases_free(case_bases *bases)
{
    sumac_bases_destroy(bases->handle);
    free(bases->uses);
    free(bases->records.memory);
}
