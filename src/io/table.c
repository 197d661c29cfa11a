/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The format `table`: a header, the points of bases_table in Montgomery form, multiple after multiple, and a
 * checksum. Everything is little-endian and of fixed size, so that a table written on one machine loads on
 * another.
 */
#include "io/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases.h"
#include "api/bases_read.h"
#include "api/bases_shape.h"
#include "api/call.h"
#include "api/context.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "base/printable.h"
#include "codec/bytes.h"
#include "codec/checksum.h"
#include "io/format.h"
#include "io/output.h"
#include "io/points.h"

/* As PNG's: the high bit and the line ends show a file that was copied as text. */
static const uint8_t table_magic[8] = {0x89, 'S', 'U', 'M', 'A', 'C', '\r', '\n'};

/* Stages number the points of a table in 31 bits. */
#define TABLE_MAX_POINTS ((uint64_t)1 << 31)

enum {
    TABLE_VERSION = 1,
    FLAG_OUTSIDE_SUBGROUP = 1,
    FLAG_ALL_DIGITS = 2,
    ALL_FLAGS = 3,
    /* Offsets in the header. */
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_CURVE = 16,
    CURVE_NAME_BYTES = 32,
    AT_GROUP = 48,
    GROUP_NAME_BYTES = 8,
    AT_COUNT = 56,
    AT_POINT_BYTES = 64,
    AT_FACTOR = 68,
    AT_SHIFT = 72,
    AT_C = 76,
    AT_WINDOWS = 80,
    AT_RESERVED = 84,
    RESERVED_BYTES = 36,
    AT_CHECKSUM = 120,
    HEADER_BYTES = 128,
    TRAILER_BYTES = 8
};

typedef struct table_header {
    char curve[CURVE_NAME_BYTES + 1];
    char group[GROUP_NAME_BYTES + 1];
    uint64_t count;
    uint32_t point_bytes;
    uint32_t factor;
    uint32_t shift;
    uint32_t c;
    uint32_t windows;
    uint32_t flags;
} table_header;

sumac_status input_is_table(input_file *file, int *is_table)
{
    return input_begins_with(file, table_magic, sizeof table_magic, is_table);
}

/* ---- Writing ---- */

static void encode_header(uint8_t bytes[HEADER_BYTES], const sumac_bases *bases)
{
    const sumac_curve_info *info = &bases->curve->info;
    memset(bytes, 0, HEADER_BYTES);
    memcpy(bytes, table_magic, sizeof table_magic);
    store_le32(bytes + AT_VERSION, TABLE_VERSION);
    store_le32(bytes + AT_FLAGS, (bases->outside_subgroup ? FLAG_OUTSIDE_SUBGROUP : 0) |
                                     (bases_only_table(bases)->all_digits ? FLAG_ALL_DIGITS : 0));
    memcpy(bytes + AT_CURVE, info->name, strnlen(info->name, CURVE_NAME_BYTES));
    memcpy(bytes + AT_GROUP, info->group, strnlen(info->group, GROUP_NAME_BYTES));
    store_le64(bytes + AT_COUNT, bases_only_table(bases)->count);
    store_le32(bytes + AT_POINT_BYTES, info->point_bytes);
    store_le32(bytes + AT_FACTOR, bases_only_table(bases)->factor);
    store_le32(bytes + AT_SHIFT, bases->shift);
    store_le32(bytes + AT_C, bases->c);
    store_le32(bytes + AT_WINDOWS, bases->windows);
    store_le64(bytes + AT_CHECKSUM, checksum_of(bytes, AT_CHECKSUM));
}

static sumac_status write_points(output_file *file, const sumac_bases *bases)
{
    const curve_code *code = context_code(file->context, bases->curve);
    const size_t point_bytes = bases->curve->info.point_bytes;
    const size_t capacity = ((size_t)1 << 20) / point_bytes;
    const uint64_t points = bases_only_table(bases)->count * bases_only_table(bases)->factor;
    uint8_t trailer[TRAILER_BYTES];
    uint8_t *records = malloc(capacity * point_bytes);
    void *block = host_points(capacity * code->affine_bytes);
    sumac_status status = SUMAC_OK;
    if (records == NULL || block == NULL) {
        free(records);
        host_points_free(block);
        return fail(file->context, SUMAC_OUT_OF_MEMORY, "%s: writing it needs %zu bytes of memory",
                    file->path, capacity * point_bytes);
    }
    checksum sum;
    checksum_begin(&sum);
    for (uint64_t first = 0; status == SUMAC_OK && first < points;) {
        const size_t n = points - first < capacity ? (size_t)(points - first) : capacity;
        status = bases_copy(file->context, bases, first, n, block);
        if (status == SUMAC_OK) {
            code->convert->export_points(records, block, n, SUMAC_FORM_MONTGOMERY);
            checksum_add(&sum, records, n * point_bytes);
            status = output_write(file, records, n * point_bytes);
        }
        first += n;
    }
    free(records);
    host_points_free(block);
    store_le64(trailer, checksum_result(&sum));
    return status != SUMAC_OK ? status : output_write(file, trailer, TRAILER_BYTES);
}

sumac_status table_write_section(output_file *file, const sumac_bases *bases)
{
    uint8_t header[HEADER_BYTES];
    encode_header(header, bases);
    const sumac_status status = output_write(file, header, HEADER_BYTES);
    return status == SUMAC_OK ? write_points(file, bases) : status;
}

static sumac_status table_write(sumac_context *context, const sumac_bases *bases, const char *path)
{
    output_file file;
    sumac_status status = output_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = table_write_section(&file, bases);
    }
    return output_close(&file, status);
}

/* ---- Reading ---- */

/* What the header says of itself: a table, of this version, undamaged. The file stands behind it. */
static sumac_status decode_header(const input_file *file, const uint8_t bytes[HEADER_BYTES],
                                  table_header *header)
{
    const uint64_t start = file->offset - HEADER_BYTES;
    if (memcmp(bytes, table_magic, sizeof table_magic) != 0) {
        return fail(file->context, SUMAC_BAD_FILE, "%s: not a table of bases: it does not begin like one",
                    file->path);
    }
    const uint32_t version = load_le32(bytes + AT_VERSION);
    if (version != TABLE_VERSION) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: a table of version %" PRIu32 " at byte %" PRIu64 "; this library reads version %d",
                    file->path, version, start + AT_VERSION, (int)TABLE_VERSION);
    }
    if (load_le64(bytes + AT_CHECKSUM) != checksum_of(bytes, AT_CHECKSUM)) {
        return fail(file->context, SUMAC_BAD_CHECKSUM,
                    "%s: the header, bytes %" PRIu64 " to %" PRIu64
                    ", is damaged: its checksum does not match",
                    file->path, start, start + HEADER_BYTES - 1);
    }
    *header = (table_header){
        .count = load_le64(bytes + AT_COUNT),
        .point_bytes = load_le32(bytes + AT_POINT_BYTES),
        .factor = load_le32(bytes + AT_FACTOR),
        .shift = load_le32(bytes + AT_SHIFT),
        .c = load_le32(bytes + AT_C),
        .windows = load_le32(bytes + AT_WINDOWS),
        .flags = load_le32(bytes + AT_FLAGS),
    };
    memcpy(header->curve, bytes + AT_CURVE, CURVE_NAME_BYTES);
    memcpy(header->group, bytes + AT_GROUP, GROUP_NAME_BYTES);
    const size_t curve_bytes = strlen(header->curve), group_bytes = strlen(header->group);
    if (!all_zero(bytes + AT_RESERVED, RESERVED_BYTES) || header->flags > ALL_FLAGS ||
        !all_zero(bytes + AT_CURVE + curve_bytes, CURVE_NAME_BYTES - curve_bytes) ||
        !all_zero(bytes + AT_GROUP + group_bytes, GROUP_NAME_BYTES - group_bytes)) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: the header uses bits that this version has no meaning for", file->path);
    }
    return SUMAC_OK;
}

/* The curve of the table, which must be the one that the caller expects, if any. */
static sumac_status find_curve(const input_file *file, const table_header *header, const sumac_curve **curve)
{
    const sumac_curve *found = NULL;
    const sumac_status status = sumac_curve_find(header->curve, header->group, &found);
    const int is_exact = status == SUMAC_OK && strcmp(found->info.name, header->curve) == 0 &&
                         strcmp(found->info.group, header->group) == 0; /* not as people write them */
    if (!is_exact) {
        char curve_text[PRINTABLE_BYTES(CURVE_NAME_BYTES)], group_text[PRINTABLE_BYTES(GROUP_NAME_BYTES)];
        return fail(file->context, SUMAC_UNKNOWN_CURVE,
                    "%s: a table of %s %s, a curve that this library does not have", file->path,
                    printable(curve_text, header->curve, CURVE_NAME_BYTES),
                    printable(group_text, header->group, GROUP_NAME_BYTES));
    }
    if (*curve != NULL && *curve != found) {
        return fail(file->context, SUMAC_MISMATCH, "%s: a table of %s %s, where %s %s is expected",
                    file->path, header->curve, header->group, (*curve)->info.name, (*curve)->info.group);
    }
    *curve = found;
    return SUMAC_OK;
}

/* Multiple t of a base is 2^(shift*t) times the base, with shift = c*ceil(windows/factor); of tables of
 * digits, w*D + d - 1 is d*2^(shift*w) times the base, with shift = c, D = 2^(c-1). See pipeline.h. */
static int multiples_fit(const table_header *header, const sumac_curve_info *info)
{
    if ((header->flags & FLAG_ALL_DIGITS) != 0) {
        return header->c > 0 && header->c <= PLAN_MAX_C && header->shift == header->c && header->factor > 1 &&
               header->windows <= 8 * info->scalar_bytes + 1 &&
               header->factor == (uint64_t)header->windows << (header->c - 1);
    }
    return header->c <= PLAN_MAX_C && header->windows <= 8 * info->scalar_bytes + 1 &&
           (header->factor == 1 ||
            (header->c > 0 && header->windows >= header->factor &&
             header->shift == header->c * ceil_divide(header->windows, header->factor)));
}

/* The numbers must fit each other and the size of the file, which stands behind the header. */
static sumac_status check_sizes(const input_file *file, const table_header *header, const sumac_curve *curve)
{
    uint64_t points, bytes;
    if (header->point_bytes != curve->info.point_bytes || header->factor == 0 ||
        !multiples_fit(header, &curve->info) ||
        __builtin_mul_overflow(header->count, header->factor, &points) ||
        __builtin_mul_overflow(points, header->point_bytes, &bytes) ||
        __builtin_add_overflow(bytes, file->offset + TRAILER_BYTES, &bytes)) {
        return fail(file->context, SUMAC_BAD_FILE, "%s: the sizes in the header do not fit each other",
                    file->path);
    }
    if (file->has_size && file->size != bytes) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: %s: %" PRIu64 " bytes, where a table of %" PRIu64 " points ends at byte %" PRIu64,
                    file->path, file->size < bytes ? "truncated" : "too long", file->size, points, bytes);
    }
    if (points > TABLE_MAX_POINTS) {
        return fail(file->context, SUMAC_NOT_SUPPORTED,
                    "%s: a table of %" PRIu64 " points, more than %" PRIu64, file->path, points,
                    TABLE_MAX_POINTS);
    }
    return SUMAC_OK;
}

/* Where the caller asks for multiples, the table must have them. A factor may have been lowered when the
 * table was made, to the number of multiples that some window uses. */
static sumac_status check_multiples(const input_file *file, const table_header *header,
                                    const sumac_bases_config *config)
{
    const int all_digits = (header->flags & FLAG_ALL_DIGITS) != 0;
    if (all_digits ? config->precompute_factor > 1 : config->tables == SUMAC_TABLES_WINDOWS) {
        return fail(file->context, SUMAC_MISMATCH, "%s: a table of %s, where %s are asked for", file->path,
                    all_digits ? "digits" : "multiples", all_digits ? "multiples" : "digits");
    }
    if (config->precompute_factor > 1) {
        const uint32_t modules = (uint32_t)ceil_divide(header->windows, config->precompute_factor);
        if (header->windows == 0 || ceil_divide(header->windows, modules) != header->factor) {
            return fail(file->context, SUMAC_MISMATCH,
                        "%s: a table with precompute factor %" PRIu32 ", where %" PRIu32 " is asked for",
                        file->path, header->factor, config->precompute_factor);
        }
    }
    if ((config->precompute_factor > 1 || config->tables != SUMAC_TABLES_MULTIPLES) && config->c != 0 &&
        config->c != header->c) {
        return fail(file->context, SUMAC_MISMATCH,
                    "%s: a table for windows of %" PRIu32 " bits, where %" PRIu32 " are asked for",
                    file->path, header->c, config->c);
    }
    if (header->factor > 1 && config->outside_subgroup && (header->flags & FLAG_OUTSIDE_SUBGROUP) == 0) {
        return fail(file->context, SUMAC_MISMATCH,
                    "%s: a table whose multiples are made for points of the subgroup only", file->path);
    }
    return SUMAC_OK;
}

sumac_status table_fail_points(const input_file *file, uint64_t first, uint64_t end)
{
    return fail(file->context, SUMAC_BAD_CHECKSUM,
                "%s: the points, bytes %" PRIu64 " to %" PRIu64
                ", are damaged: their checksum does not match",
                file->path, first, end - 1);
}

/* What a point that is wrong comes to. */
static int is_of_points(sumac_status status)
{
    return status == SUMAC_BAD_ENCODING || status == SUMAC_NOT_ON_CURVE || status == SUMAC_NOT_IN_SUBGROUP;
}

/* The next n points, block after block; they are added to the checksum, if any. With a checksum the points
 * behind a wrong one are read all the same: it tells whether that one is damaged. */
static sumac_status read_run(input_file *file, point_importer *importer, uint64_t n, checksum *sum)
{
    sumac_status taken = SUMAC_OK;
    while (n > 0 && (taken == SUMAC_OK || (sum != NULL && is_of_points(taken)))) {
        const size_t block = n < importer->capacity ? (size_t)n : importer->capacity;
        const uint64_t offset = file->offset;
        const sumac_status status =
            input_read_exactly(file, importer->records, block * importer->record_bytes);
        if (status != SUMAC_OK) {
            return status;
        }
        if (sum != NULL) {
            checksum_add(sum, importer->records, block * importer->record_bytes);
        }
        if (taken == SUMAC_OK) {
            taken = point_importer_take(importer, block, offset, importer->record_bytes);
        }
        n -= block;
    }
    return taken;
}

/* All points, and the checksum behind them. */
static sumac_status read_points(input_file *file, point_importer *importer)
{
    uint8_t trailer[TRAILER_BYTES];
    const uint64_t first = file->offset;
    checksum sum;
    checksum_begin(&sum);
    const sumac_status taken = read_run(file, importer, importer->total, &sum);
    if (taken != SUMAC_OK && !is_of_points(taken)) {
        return taken;
    }
    sumac_status status = input_read_exactly(file, trailer, TRAILER_BYTES);
    if (status == SUMAC_OK) {
        status = input_expect_end(file);
    }
    if (status == SUMAC_OK && load_le64(trailer) != checksum_result(&sum)) {
        return table_fail_points(file, first, file->offset - TRAILER_BYTES);
    }
    return status == SUMAC_OK ? taken : status;
}

/* A part of the bases of a table. */
typedef struct base_range {
    uint64_t first, n;
} base_range;

/* Of each multiple the part's; the checksum is of all points and tells nothing of these. */
static sumac_status read_part(input_file *file, const table_header *header, base_range part,
                              point_importer *importer)
{
    const uint64_t start = file->offset;
    sumac_status status = SUMAC_OK;
    for (uint32_t t = 0; t < header->factor && part.n > 0 && status == SUMAC_OK; t++) {
        status = input_seek(file, start + (t * header->count + part.first) * header->point_bytes);
        if (status == SUMAC_OK) {
            status = read_run(file, importer, part.n, NULL);
        }
    }
    return status;
}

static sumac_status load_bases(input_file *file, const table_header *header, const sumac_curve *curve,
                               base_range part, const sumac_bases_config *config, sumac_bases **bases)
{
    sumac_bases shape;
    sumac_bases_config without_multiples = *config;
    without_multiples.precompute_factor = 1;
    without_multiples.tables = SUMAC_TABLES_MULTIPLES;
    without_multiples.outside_subgroup |= (header->flags & FLAG_OUTSIDE_SUBGROUP) != 0;
    sumac_status status = bases_shape(file->context, curve, (size_t)part.n, &without_multiples, &shape);
    if (status == SUMAC_OK) {
        bases_table *table = &bases_only_shard(&shape)->table;
        table->factor = header->factor;
        table->glv_terms = header->factor > 1 ? 1 : table->glv_terms;
        table->all_digits = (header->flags & FLAG_ALL_DIGITS) != 0;
        shape.shift = header->shift;
        shape.c = header->c;
        shape.windows = header->windows;
        status = bases_for_file(file->context, file->path, &shape, bases);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    point_importer importer = {.context = file->context,
                               .bases = *bases,
                               .path = file->path,
                               .unit = "byte",
                               .form = SUMAC_FORM_MONTGOMERY,
                               .check = config->check,
                               .total = part.n * header->factor};
    status = point_importer_begin(&importer);
    if (status == SUMAC_OK) {
        status =
            part.n == header->count ? read_points(file, &importer) : read_part(file, header, part, &importer);
    }
    point_importer_end(&importer);
    return status == SUMAC_OK ? bases_complete_table(file->context, *bases) : status;
}

/* *curve may be null: then it becomes the table's. */
static sumac_status read_header(input_file *file, const sumac_curve **curve, table_header *header)
{
    uint8_t bytes[HEADER_BYTES];
    sumac_status status = input_read_exactly(file, bytes, HEADER_BYTES);
    if (status == SUMAC_OK) {
        status = decode_header(file, bytes, header);
    }
    if (status == SUMAC_OK) {
        status = find_curve(file, header, curve);
    }
    return status == SUMAC_OK ? check_sizes(file, header, *curve) : status;
}

sumac_status table_open_points(input_file *file, const sumac_curve *curve, table_points *points)
{
    table_header header;
    const sumac_status status = read_header(file, &curve, &header);
    if (status == SUMAC_OK) {
        *points = (table_points){.count = header.count,
                                 .factor = header.factor,
                                 .outside_subgroup = (header.flags & FLAG_OUTSIDE_SUBGROUP) != 0,
                                 .offset = file->offset};
    }
    return status;
}

sumac_status table_begin_input(input_file *file)
{
    return file->context->backend->device == NULL ? SUMAC_OK : input_measure(file, INPUT_OF_ANY_SIZE);
}

sumac_status table_read_section(input_file *file, const sumac_curve *curve, const sumac_bases_config *config,
                                sumac_bases **bases)
{
    return table_read_part(file, curve, 0, UINT64_MAX, config, bases);
}

sumac_status table_read_part(input_file *file, const sumac_curve *curve, uint64_t first, uint64_t n,
                             const sumac_bases_config *config, sumac_bases **bases)
{
    table_header header;
    sumac_status status = read_header(file, &curve, &header);
    if (status == SUMAC_OK) {
        status = check_multiples(file, &header, config);
    }
    if (status == SUMAC_OK) {
        const base_range part = {first, n < header.count ? n : header.count};
        sumac_bases_config own = *config;
        if (part.n < header.count && own.check == SUMAC_CHECK_NONE) {
            own.check =
                SUMAC_CHECK_CURVE; /* what the checksum does for a whole table: a damaged point is seen */
        }
        status = load_bases(file, &header, curve, part, &own, bases);
    }
    return status;
}

/* curve may be null: the table's own. */
static sumac_status table_read(input_file *file, const sumac_curve *curve, const sumac_bases_config *config,
                               sumac_bases **bases)
{
    const sumac_status status = table_begin_input(file);
    return status == SUMAC_OK ? table_read_section(file, curve, config, bases) : status;
}

const file_format table_format = {
    .info = {.size = sizeof(sumac_format_info),
             .name = "table",
             .description = "bases with their precomputed multiples, as sumac_bases_save() writes them",
             .can_read = 1,
             .can_write = 1},
    .holds = holds_every_curve,
    .read = table_read,
    .write = table_write,
};

sumac_status sumac_bases_open_table(sumac_context *context, const sumac_curve *curve, const char *path,
                                    sumac_bases **bases)
{
    if (bases != NULL) {
        *bases = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (path == NULL || bases == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "path and bases must not be null");
    }
    const sumac_bases_config config = sumac_bases_config_default();
    input_file file;
    sumac_status status = input_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = table_read(&file, curve, &config, bases);
    }
    input_close(&file);
    if (status != SUMAC_OK) {
        sumac_bases_destroy(*bases);
        *bases = NULL;
    }
    return status;
}
