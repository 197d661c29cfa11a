/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random/bases.h"
#include "random/cases.h"
#include "support/abort.h"
#include "support/api.h"
#include "support/tuning.h"
#include "support/cleanup.h"
#include "support/container.h"
#include "support/files.h"
#include "support/plan.h"

/* These are offsets in a table's file, which has one section, and the section's flags. */
enum {
    ENTRY = HEADER_ENTRIES,
    AT_FACTOR = ENTRY + ENTRY_NUMBERS,
    AT_SHIFT = AT_FACTOR + 4,
    AT_C = AT_FACTOR + 8,
    AT_WINDOWS = AT_FACTOR + 12,
    HEADER = ENTRY + ENTRY_BYTES,
    OUTSIDE_SUBGROUP = 1,
    ALL_DIGITS = 2
};

/*
 * These are bounds on the memory that a file may make the library allocate. Each is a constant plus a multiple of the
 * file's size. LOAD is for the table, and WORKSPACE for an MSM with it. Numbers in the header choose the MSM's buckets.
 * A constant number of buckets is always allowed, and this number is larger on a device (src/api/msm.c).
 */
enum {
    LOAD_BYTES = 16 << 20,
    LOAD_TIMES = 8,
    WORKSPACE_BYTES_HOST = 128 << 20,
    WORKSPACE_BYTES_DEVICE = 1024 << 20,
    WORKSPACE_TIMES = 256
};

/* The test does not make MSMs that would take longer than this. */
#define MOST_MILLISECONDS 100.0

typedef struct table_file {
    uint8_t *bytes; /* an array of MOST_FILE bytes */
    size_t size;
} table_file;

enum { MOST_FILE = 4 << 20 };

/* ---- making a right table ---- */

static void read_file(table_file *file, const char *path)
{
    AUTO_FREE uint8_t *bytes = test_read_file(path, &file->size);
    if (file->size >= MOST_FILE) {
        test_abort("the test made a table of %zu bytes", file->size);
    }
    memcpy(file->bytes, bytes, file->size);
}

/* Save a table of a few known points, with multiples, with window tables or without tables. */
static void make_table(world *w, draws *d, const known_group *known, const world_lease *lease,
                       const char *path)
{
    const sumac_group *info = known->oracle.info;
    const size_t count = (size_t)draw_below(d, draw_chance(d, 80) ? 6 : 12);
    AUTO_FREE uint8_t *points = world_alloc(count * info->point_bytes);
    sumac_bases_config config = {.size = sizeof config};
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    for (size_t i = 0; i < count; i++) {
        memcpy(points + i * info->point_bytes,
               known->points[draw_below(d, KNOWN_INSIDE)].raw[SUMAC_FORM_CANONICAL][0], info->point_bytes);
    }
    switch (draw_below(d, 4)) {
    case 0:
        config.precompute_factor = 2 + (uint32_t)draw_below(d, 9);
        config.tuning = test_tuning("c=%u", 1 + (uint32_t)draw_below(d, 9));
        break;
    case 1:
        config.precompute_factor = 2 + (uint32_t)draw_below(d, 8 * info->scalar_bytes - 1);
        config.scalar_bits = 1 + (uint32_t)draw_below(d, 8 * info->scalar_bytes);
        break;
    case 2:
        config.tables = SUMAC_TABLES_WINDOWS;
        config.tuning = test_tuning("c=%u", 1 + (uint32_t)draw_below(d, 5));
        break;
    default:
        break;
    }
    config.outside_subgroup = (uint32_t)draw_chance(d, 20);
    world_check(w, lease->context,
                exact_create(lease->context, known->oracle.group, points, count, &config, &bases),
                WORLD_MAY(SUMAC_OK), "sumac_bases_create");
    world_check(w, lease->context, sumac_bases_save(lease->context, bases, path, NULL), WORLD_MAY(SUMAC_OK),
                "sumac_bases_save");
}

/* ---- changing the file ---- */

/* Fill a section with points: infinity, the generator, or any coordinates less than p. */
static void fill_points(draws *d, const known_group *known, uint8_t *points, size_t count)
{
    const sumac_group *info = known->oracle.info;
    for (size_t i = 0; i < count; i++) {
        uint8_t *point = points + i * info->point_bytes;
        memset(point, 0, info->point_bytes);
        const uint64_t kind = draw_below(d, 4);
        if (kind == 1) {
            memcpy(point, known->points[0].raw[SUMAC_FORM_MONTGOMERY][0], info->point_bytes);
        }
        for (size_t at = 0; kind > 1 && at < info->point_bytes; at += info->field_bytes) {
            draw_bytes(d, point + at, info->field_bytes - 8);
        }
    }
}

typedef struct header_numbers {
    uint64_t count;
    uint32_t flags, factor, shift, c, windows;
} header_numbers;

/* Choose numbers for any kind of table. They fit each other, but no program would write them. */
static header_numbers choose_numbers(draws *d, const sumac_group *info)
{
    const uint32_t most_windows = 8 * info->scalar_bytes + 1;
    header_numbers h = {.count = draw_below(d, 6),
                        .flags = draw_chance(d, 30) ? OUTSIDE_SUBGROUP : 0,
                        .c = 1 + (uint32_t)draw_below(d, 24),
                        .windows =
                            draw_chance(d, 30) ? most_windows : 1 + (uint32_t)draw_below(d, most_windows),
                        .factor = 1};
    switch (draw_below(d, 3)) {
    case 0:
        h.shift = (uint32_t)draw_below(d, UINT32_MAX);
        break;
    case 1:
        h.factor = 1 + (uint32_t)draw_below(d, h.windows);
        h.shift = h.c * ((h.windows + h.factor - 1) / h.factor);
        break;
    default:
        h.flags |= ALL_DIGITS;
        h.c = 1 + (uint32_t)draw_below(d, draw_chance(d, 80) ? 6 : 12);
        h.windows = 1 + (uint32_t)draw_below(d, draw_chance(d, 50) ? 8 : most_windows);
        h.factor = h.windows << (h.c - 1);
        h.shift = h.c;
        break;
    }
    return h;
}

static void make_up(draws *d, const known_group *known, table_file *file)
{
    const size_t point_bytes = known->oracle.info->point_bytes;
    header_numbers h = choose_numbers(d, known->oracle.info);
    if (h.count * h.factor * point_bytes > MOST_FILE / 2) {
        h.count = 1;
    }
    if (h.count * h.factor * point_bytes > MOST_FILE / 2) {
        h.count = 0;
    }
    fill_points(d, known, file->bytes + HEADER, (size_t)h.count * h.factor);
    const size_t bytes = (size_t)h.count * h.factor * point_bytes;
    file->size = file_section_end(HEADER, bytes);
    memset(file->bytes + HEADER + bytes, 0, file->size - HEADER - bytes);
    file_store(file->bytes + ENTRY + ENTRY_FLAGS, h.flags, 4);
    file_store(file->bytes + ENTRY + ENTRY_SIZE, bytes, 8);
    file_store(file->bytes + ENTRY + ENTRY_COUNT, h.count, 8);
    file_store(file->bytes + AT_FACTOR, h.factor, 4);
    file_store(file->bytes + AT_SHIFT, h.shift, 4);
    file_store(file->bytes + AT_C, h.c, 4);
    file_store(file->bytes + AT_WINDOWS, h.windows, 4);
}

/* Choose a number near a power of two, a small number, or any number. */
static uint64_t choose_value(draws *d)
{
    const uint64_t power = UINT64_C(1) << draw_below(d, 64);
    return draw_chance(d, 50)   ? power - 1 + draw_below(d, 3)
           : draw_chance(d, 60) ? draw_below(d, 40)
                                : draw_below(d, UINT64_MAX);
}

static void change_fields(draws *d, const table_file *file)
{
    for (uint64_t changes = 1 + draw_below(d, 3); changes > 0; changes--) {
        const size_t at = HEADER_VERSION + 4 * (size_t)draw_below(d, (HEADER - HEADER_VERSION) / 4);
        const uint64_t value = choose_value(d);
        const int is_wide =
            at == ENTRY + ENTRY_OFFSET || at == ENTRY + ENTRY_SIZE || at == ENTRY + ENTRY_COUNT;
        file_store(file->bytes + at, value, is_wide ? 8 : 4);
    }
}

/* This says how the file differs from the table that was saved. */
typedef enum change_kind { UNCHANGED, MADE_UP, FIELDS, BITS, OTHER_SIZE, NAMES, CHANGE_KINDS } change_kind;

static change_kind change(draws *d, const known_group *known, table_file *file)
{
    const uint64_t which = draw_below(d, 10);
    const change_kind kind = which < CHANGE_KINDS ? (change_kind)which : MADE_UP;
    switch (kind) {
    case MADE_UP:
        make_up(d, known, file);
        break;
    case FIELDS:
        change_fields(d, file);
        break;
    case BITS:
        for (uint64_t bits = 1 + draw_below(d, 4); bits > 0; bits--) {
            file->bytes[draw_below(d, file->size)] ^= (uint8_t)(1 << draw_below(d, 8));
        }
        break;
    case OTHER_SIZE:
        if (draw_chance(d, 50)) {
            file->size = (size_t)draw_below(d, file->size);
        } else {
            const size_t more = 1 + (size_t)draw_below(d, 300);
            draw_bytes(d, file->bytes + file->size, more);
            file->size += more;
        }
        break;
    case NAMES: /* the message must escape the bytes that replace the curve's name and group */
        draw_bytes(d, file->bytes + HEADER_CURVE + draw_below(d, 24), 1 + (size_t)draw_below(d, 8));
        draw_bytes(d, file->bytes + ENTRY + ENTRY_GROUP + draw_below(d, 4), (size_t)draw_below(d, 5));
        break;
    default:
        break;
    }
    if (kind != UNCHANGED && draw_chance(d, 95)) {
        file_correct(file->bytes, file->size);
    }
    return kind;
}

/* ---- loading and using the file ---- */

static void check_bytes(const failing_report *report, const table_file *file, const char *call)
{
    if (report->bytes > LOAD_BYTES + (uint64_t)LOAD_TIMES * file->size) {
        test_abort("%s: a file of %zu bytes makes it ask for %llu bytes of memory", call, file->size,
                   (unsigned long long)report->bytes);
    }
}

static sumac_status load(draws *d, const known_group *known, const world_lease *lease, const char *path,
                         sumac_bases_config *config, sumac_bases **bases)
{
    *config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    if (draw_chance(d, 60)) {
        config->check = SUMAC_CHECK_NONE; /* a trusted table */
        return open_trusted(lease->context, draw_chance(d, 50) ? known->oracle.group : NULL, path, bases);
    }
    config->check = (sumac_check)draw_below(d, 4);
    config->precompute_factor = (uint32_t)draw_below(d, 4);
    config->tuning = test_tuning("c=%u", draw_chance(d, 20) ? (uint32_t)draw_below(d, 24) : 0);
    if (draw_chance(d, 30)) {
        config->precompute_factor = 0;
        config->tables = (sumac_tables)draw_below(d, 3);
    }
    return sumac_bases_open(lease->context, known->oracle.group, path, draw_chance(d, 50) ? "table" : NULL, 0,
                            SUMAC_ALL, config, bases);
}

/* If the call checked that the bases lie on the curve, check it here, too. */
static void check_points(world *w, const world_lease *lease, const known_group *known,
                         const sumac_bases *bases, sumac_check check)
{
    const size_t point_bytes = known->oracle.info->point_bytes, count = sumac_bases_count(bases);
    AUTO_FREE uint8_t *points = world_alloc(count * point_bytes);
    ORACLE_POINT(point);
    world_check(w, lease->context, exact_get(lease->context, bases, 0, count, points), WORLD_MAY(SUMAC_OK),
                "sumac_bases_get");
    for (size_t i = 0; i < count && check != SUMAC_CHECK_NONE && world_computes(lease); i++) {
        oracle_point_from_raw(&known->oracle, &point, points + i * point_bytes);
        if (!oracle_point_on_curve(&known->oracle, &point)) {
            test_abort("base %zu of a table was checked and is not on the curve", i);
        }
    }
}

/* Make MSMs with the bases. If the multiples are invented, the results are meaningless, but the calls must still be
 * safe. */
static void use(world *w, draws *d, const world_lease *lease, const sumac_bases *bases,
                const table_file *file)
{
    const sumac_group *info = info_of(bases).group;
    const uint32_t refused = WORLD_MAY(SUMAC_BAD_ARGUMENT) | WORLD_MAY(SUMAC_SCALAR_TOO_LARGE) |
                             (lease->memory_limit != 0 ? WORLD_MAY(SUMAC_MEMORY_LIMIT) : 0);
    sumac_msm_config config = {.size = sizeof config};
    const uint32_t batch = 1 + (uint32_t)draw_below(d, 3);
    const size_t n = (size_t)draw_below(d, sumac_bases_count(bases) + 1) % 2000;
    AUTO_FREE uint8_t *scalars = world_alloc(n * batch * info->scalar_bytes),
                      *results = world_alloc(batch * info->point_bytes);
    test_plan plan = {0};
    config.batch = batch;
    config.scalar_bits = draw_chance(d, 30) ? 1 + (uint32_t)draw_below(d, 8 * info->scalar_bytes) : 0;
    const char *reduction = test_reductions[draw_below(d, 3)];
    const uint32_t chunks = (uint32_t)draw_below(d, 4);
    config.tuning = test_tuning("reduction=%s,chunks=%u,c=%u", reduction, chunks,
                                draw_chance(d, 10) ? 1 + (uint32_t)draw_below(d, 10) : 0);
    memset(scalars, draw_chance(d, 30) ? 0xff : 0, n * batch * info->scalar_bytes);
    if (config.scalar_bits == 0 && draw_chance(d, 70)) {
        draw_bytes(d, scalars, n * batch * info->scalar_bytes);
    }
    const sumac_status status = test_msm_plan(lease->context, bases, n, &config, &plan);
    world_check(w, lease->context, status, WORLD_MAY(SUMAC_OK) | refused, "sumac_msm_plan");
    const uint64_t fixed = lease->device == WORLD_HOST ? WORKSPACE_BYTES_HOST
                                                       : (uint64_t)WORKSPACE_BYTES_DEVICE *
                                                             test_describe(lease->context).device_count;
    if (status == SUMAC_OK && n > 0 &&
        test_plan_bytes(&plan, "workspace") > fixed + (uint64_t)WORKSPACE_TIMES * file->size) {
        test_abort("a table of %zu bytes makes an MSM take %llu bytes of workspace", file->size,
                   (unsigned long long)test_plan_bytes(&plan, "workspace"));
    }
    if (status == SUMAC_OK && plan.milliseconds < MOST_MILLISECONDS) {
        world_check(w, lease->context, exact_msm(lease->context, bases, scalars, n, &config, results),
                    WORLD_MAY(SUMAC_OK) | refused, "sumac_msm");
    }
}

void case_table(world *w, draws *d)
{
    /* Damage may be found before the checksum is compared, and a changed name may be that of another curve or of none. */
    const uint32_t refused =
        WORLD_MAY(SUMAC_BAD_FILE) | WORLD_MAY(SUMAC_BAD_CHECKSUM) | WORLD_MAY(SUMAC_BAD_ENCODING) |
        WORLD_MAY(SUMAC_MISMATCH) | WORLD_MAY(SUMAC_UNKNOWN_CURVE) | WORLD_MAY(SUMAC_NOT_SUPPORTED) |
        WORLD_MAY(SUMAC_NOT_ON_CURVE) | WORLD_MAY(SUMAC_NOT_IN_SUBGROUP) | WORLD_MAY(SUMAC_BAD_LENGTH);
    const known_group *known = world_known(w, d);
    const world_lease lease = world_lease_context(w, d);
    table_file file = {world_alloc(MOST_FILE), 0};
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    sumac_bases_config config;
    char path[96];
    world_path(w, "table", path, sizeof path);
    make_table(w, d, known, &lease, path);
    read_file(&file, path);
    const change_kind kind = change(d, known, &file);
    test_write_file(path, file.bytes, file.size);
    snprintf(w->description, sizeof w->description, "curve %s/%s\na table of %zu bytes, change %d\n",
             known->oracle.info->curve, known->oracle.info->name, file.size, (int)kind);
    failing_begin(failing_none);
    const sumac_status status = load(d, known, &lease, path, &config, &bases);
    const failing_report report = failing_end();
    check_bytes(&report, &file, "loading a table");
    world_check(w, lease.context, status,
                WORLD_MAY(SUMAC_OK) | (kind == UNCHANGED ? WORLD_MAY(SUMAC_MISMATCH) : refused) |
                    /* the file may say that its points lie outside the subgroup */
                    (config.check == SUMAC_CHECK_SUBGROUP ? WORLD_MAY(SUMAC_BAD_ARGUMENT) : 0),
                "loading a table");
    if ((status == SUMAC_OK) != (bases != NULL)) {
        test_abort("loading a table: success, and only that, gives bases");
    }
    if (bases != NULL && info_of(bases).group == known->oracle.group) {
        check_points(w, &lease, known, bases, config.check);
    }
    if (bases != NULL) {
        use(w, d, &lease, bases, &file);
    }
    if (bases != NULL && draw_chance(d, 10)) {
        world_check(w, lease.context, sumac_bases_save(lease.context, bases, path, NULL), WORLD_MAY(SUMAC_OK),
                    "sumac_bases_save");
    }
    (void)unlink(path);
    free(file.bytes);
    world_return(&lease);
}
