/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/setup_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "codec/bytes.h"
#include "codec/checksum.h"
#include "codec/table.h"
#include "io/output.h"
#include "io/table.h"
#include "kzg/fk20.h"
#include "kzg/setup.h"
#include "kzg/setup_fit.h"

/* As a table's (src/codec/table.c), with another name. */
static const uint8_t setup_magic[8] = {0x89, 'S', 'U', 'K', 'Z', 'G', '\r', '\n'};

enum {
    SETUP_VERSION = 2,
    FLAG_PREPARED = 1,
    /* Offsets in the header. */
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_G1_COUNT = 16,
    AT_G2_COUNT = 20,
    AT_CELL_ELEMENTS = 24,
    AT_MULTIPLES = 28, /* of each Lagrange point; 0: there are none */
    AT_CHECKSUM = 56,
    HEADER_BYTES = 64,
    TRAILER_BYTES = 8,
    G1_BYTES = SUMAC_KZG_FIELD_ELEMENTS * G1_POINT_BYTES,
    G2_BYTES = SUMAC_KZG_G2_POINTS * G2_POINT_BYTES,
    AT_MONOMIAL = HEADER_BYTES + G1_BYTES, /* behind the Lagrange points */
    AT_G2 = AT_MONOMIAL + G1_BYTES,
    AT_TRAILER = AT_G2 + G2_BYTES,
    POINTS_END = AT_TRAILER + TRAILER_BYTES /* and there the tables begin, of fk20_file.c the last one */
};

static void encode_header(uint8_t *bytes, int prepared, uint32_t multiples)
{
    memset(bytes, 0, HEADER_BYTES);
    memcpy(bytes, setup_magic, sizeof setup_magic);
    store_le32(bytes + AT_VERSION, SETUP_VERSION);
    store_le32(bytes + AT_FLAGS, prepared ? FLAG_PREPARED : 0);
    store_le32(bytes + AT_G1_COUNT, SUMAC_KZG_FIELD_ELEMENTS);
    store_le32(bytes + AT_G2_COUNT, SUMAC_KZG_G2_POINTS);
    store_le32(bytes + AT_CELL_ELEMENTS, SUMAC_KZG_CELL_ELEMENTS);
    store_le32(bytes + AT_MULTIPLES, multiples);
    store_le64(bytes + AT_CHECKSUM, checksum_of(bytes, AT_CHECKSUM));
}

/* The multiples of each Lagrange point that a file has, in a table behind the points. 1, and no table, where a device has
 * multiples: it makes them in less time than it takes to read them. */
static uint32_t multiples_of(sumac_context *context, const sumac_kzg_setup *setup)
{
    const uint32_t multiples = sumac_bases_precompute_factor(setup->lagrange);
    if (multiples == 1 || setup->fk20 == NULL) {
        return 0;
    }
    return sumac_context_location(context) == SUMAC_LOCATION_HOST ? multiples : 1;
}

static sumac_status encode_points(sumac_context *context, const sumac_kzg_setup *setup, uint8_t *bytes)
{
    encode_header(bytes, setup->fk20 != NULL, multiples_of(context, setup));
    memcpy(bytes + AT_MONOMIAL, setup->monomial, G1_BYTES);
    memcpy(bytes + AT_G2, setup->g2_monomial, G2_BYTES);
    const sumac_status status =
        sumac_bases_get(context, setup->lagrange, 0, SUMAC_KZG_FIELD_ELEMENTS, bytes + HEADER_BYTES);
    store_le64(bytes + AT_TRAILER, checksum_of(bytes + HEADER_BYTES, AT_TRAILER - HEADER_BYTES));
    return status;
}

static sumac_status write_setup(output_file *file, const sumac_kzg_setup *setup)
{
    uint8_t *bytes = malloc(POINTS_END);
    if (bytes == NULL) {
        return fail(file->context, SUMAC_OUT_OF_MEMORY, "%s: writing it needs %d bytes of memory", file->path,
                    (int)POINTS_END);
    }
    sumac_status status = encode_points(file->context, setup, bytes);
    if (status == SUMAC_OK) {
        status = output_write(file, bytes, POINTS_END);
    }
    free(bytes);
    if (status == SUMAC_OK && multiples_of(file->context, setup) > 1) {
        status = table_write_section(file, setup->lagrange);
    }
    return status == SUMAC_OK && setup->fk20 != NULL ? fk20_write(file, setup->fk20) : status;
}

sumac_status sumac_kzg_setup_save(sumac_context *context, const sumac_kzg_setup *setup, const char *path)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (setup == NULL || path == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "setup and path must not be null");
    }
    output_file file;
    sumac_status status = output_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = write_setup(&file, setup);
    }
    return output_close(&file, status);
}

sumac_status setup_file_begins(input_file *file, int *begins)
{
    return input_begins_with(file, setup_magic, sizeof setup_magic, begins);
}

/* What a header says of the tables. */
typedef struct setup_tables {
    int prepared;
    uint32_t multiples;
} setup_tables;

/* Whether the header is one that encode_header() writes. */
static sumac_status check_header(const input_file *file, const uint8_t *bytes, setup_tables *tables)
{
    uint8_t expected[HEADER_BYTES];
    const uint32_t version = load_le32(bytes + AT_VERSION);
    if (version != SETUP_VERSION) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: a setup of version %" PRIu32 " at byte %d; this library reads version %d",
                    file->path, version, (int)AT_VERSION, (int)SETUP_VERSION);
    }
    if (load_le64(bytes + AT_CHECKSUM) != checksum_of(bytes, AT_CHECKSUM)) {
        return fail(file->context, SUMAC_BAD_CHECKSUM,
                    "%s: the header, bytes 0 to %d, is damaged: its checksum does not match", file->path,
                    HEADER_BYTES - 1);
    }
    tables->prepared = load_le32(bytes + AT_FLAGS) == FLAG_PREPARED;
    tables->multiples = tables->prepared ? load_le32(bytes + AT_MULTIPLES) : 0;
    encode_header(expected, tables->prepared, tables->multiples);
    if (memcmp(bytes, expected, HEADER_BYTES) != 0) {
        return fail(file->context, SUMAC_BAD_FILE, "%s: a setup of other sizes than this library's",
                    file->path);
    }
    return SUMAC_OK;
}

/* Points of G1 that are kept raw pass through bases to be checked. */
static sumac_status check_points(const input_file *file, const sumac_curve *curve, const uint8_t *points,
                                 size_t n, const sumac_bases_config *config, const char *what,
                                 sumac_bases **bases)
{
    const sumac_status status = sumac_bases_create(file->context, curve, points, n, config, bases);
    if (status == SUMAC_BAD_ENCODING || status == SUMAC_NOT_ON_CURVE || status == SUMAC_NOT_IN_SUBGROUP) {
        return refuse_in(&context_executor(file->context)->message, status, "%s: %s", file->path, what);
    }
    return status;
}

/* The points, of which `srs` are those of G1 in monomial form. A device makes its own multiples of the Lagrange points
 * where the file tells of some, whoever had them. */
static sumac_status take_points(const input_file *file, const uint8_t *bytes, sumac_check check,
                                uint32_t multiples, sumac_kzg_setup *setup, sumac_bases **srs)
{
    sumac_bases *g2 = NULL;
    sumac_bases_config config = sumac_bases_config_default();
    config.check = check;
    config.replicated = 1;
    sumac_bases_config lagrange = config;
    if (multiples != 0 && sumac_context_location(file->context) == SUMAC_LOCATION_DEVICE) {
        lagrange.precompute_factor = setup_lagrange_multiples(file->context);
    }
    sumac_status status = check_points(file, setup->g1, bytes + HEADER_BYTES, SUMAC_KZG_FIELD_ELEMENTS,
                                       &lagrange, "Lagrange points", &setup->lagrange);
    if (status == SUMAC_OK) {
        status = check_points(file, setup->g1, bytes + AT_MONOMIAL, SUMAC_KZG_FIELD_ELEMENTS, &config,
                              "monomial points", srs);
    }
    if (status == SUMAC_OK) {
        status =
            check_points(file, setup->g2, bytes + AT_G2, SUMAC_KZG_G2_POINTS, &config, "points of G2", &g2);
    }
    sumac_bases_destroy(g2);
    if (status == SUMAC_OK) {
        memcpy(setup->monomial, bytes + AT_MONOMIAL, G1_BYTES);
        memcpy(setup->g2_monomial, bytes + AT_G2, G2_BYTES);
        status = setup_derive(file->context, setup);
    }
    return status == SUMAC_OK && check != SUMAC_CHECK_NONE ? setup_check_fit(file->context, setup) : status;
}

/* The header and the points, whose checksums are right. */
static sumac_status read_points(input_file *file, uint8_t *bytes, setup_tables *tables)
{
    sumac_status status = input_read_exactly(file, bytes, HEADER_BYTES);
    if (status == SUMAC_OK) {
        status = check_header(file, bytes, tables);
    }
    if (status == SUMAC_OK) {
        status = input_read_exactly(file, bytes + HEADER_BYTES, POINTS_END - HEADER_BYTES);
    }
    if (status == SUMAC_OK &&
        load_le64(bytes + AT_TRAILER) != checksum_of(bytes + HEADER_BYTES, AT_TRAILER - HEADER_BYTES)) {
        status = fail(file->context, SUMAC_BAD_CHECKSUM,
                      "%s: the points, bytes %d to %d, are damaged: their checksum does not match",
                      file->path, (int)HEADER_BYTES, AT_TRAILER - 1);
    }
    return status;
}

/* Whether a table is that of the file's Lagrange points. */
static sumac_status check_multiples(const input_file *file, const uint8_t *bytes, const sumac_bases *table,
                                    uint32_t multiples)
{
    sumac_status status = SUMAC_OK;
    int fits = sumac_bases_count(table) == SUMAC_KZG_FIELD_ELEMENTS &&
               sumac_bases_precompute_factor(table) == multiples;
    if (fits) {
        uint8_t *points = malloc(G1_BYTES);
        if (points == NULL) {
            return fail(file->context, SUMAC_OUT_OF_MEMORY, "%s: reading it needs %d bytes of memory",
                        file->path, (int)G1_BYTES);
        }
        status = sumac_bases_get(file->context, table, 0, SUMAC_KZG_FIELD_ELEMENTS, points);
        fits = memcmp(points, bytes + HEADER_BYTES, G1_BYTES) == 0;
        free(points);
    }
    return status != SUMAC_OK || fits
               ? status
               : fail(file->context, SUMAC_BAD_FILE, "%s: the table at byte %d is not of the Lagrange points",
                      file->path, (int)POINTS_END);
}

/* The table is of use to the CPU's contexts. As other tables that of a file that is not trusted is made again. */
static sumac_status read_multiples(input_file *file, const uint8_t *bytes, uint32_t multiples,
                                   sumac_check check, sumac_kzg_setup *setup)
{
    const uint64_t end =
        POINTS_END + TABLE_HEADER_BYTES + (uint64_t)multiples * G1_BYTES + TABLE_TRAILER_BYTES;
    const int again = check == SUMAC_CHECK_SUBGROUP;
    sumac_bases *table = NULL;
    sumac_bases_config config = sumac_bases_config_default();
    config.check = again ? SUMAC_CHECK_NONE : check;
    config.replicated = 1;
    sumac_status status = table_read_inner(file, end, setup->g1, &config, &table);
    if (status == SUMAC_OK) {
        status = check_multiples(file, bytes, table, multiples);
    }
    if (status == SUMAC_OK && again) {
        sumac_bases_destroy(table);
        table = NULL;
        config.precompute_factor = multiples;
        status = sumac_bases_create(file->context, setup->g1, bytes + HEADER_BYTES, SUMAC_KZG_FIELD_ELEMENTS,
                                    &config, &table);
    }
    if (status == SUMAC_OK && sumac_context_location(file->context) == SUMAC_LOCATION_HOST) {
        sumac_bases_destroy(setup->lagrange);
        setup->lagrange = table;
        table = NULL;
    }
    sumac_bases_destroy(table);
    return status;
}

/* Tables of a file that is not trusted are made again: nothing else shows that they are right. */
static sumac_status read_tables(input_file *file, const sumac_bases *srs, sumac_check check,
                                sumac_kzg_setup *setup)
{
    const fk20_shape shape = {SUMAC_KZG_FIELD_ELEMENTS, SUMAC_KZG_CELL_ELEMENTS};
    sumac_fk20 *read = NULL;
    const sumac_check of_tables = check == SUMAC_CHECK_SUBGROUP ? SUMAC_CHECK_NONE : check;
    sumac_status status = fk20_read(file, srs, shape, of_tables, &read);
    if (status == SUMAC_OK && check == SUMAC_CHECK_SUBGROUP) {
        status = sumac_fk20_create(file->context, srs, shape.n, shape.l, sumac_fk20_table_bytes(read),
                                   &setup->fk20);
        sumac_fk20_destroy(read);
        return status;
    }
    setup->fk20 = read;
    return status;
}

static sumac_status read_setup(input_file *file, sumac_check check, uint8_t *bytes, sumac_kzg_setup *setup)
{
    setup_tables tables = {0, 0};
    sumac_bases *srs = NULL;
    sumac_status status = read_points(file, bytes, &tables);
    if (status == SUMAC_OK && !tables.prepared) {
        status = input_expect_end(file);
    }
    if (status == SUMAC_OK) {
        status = take_points(file, bytes, check, tables.multiples, setup, &srs);
    }
    if (status == SUMAC_OK && tables.multiples > 1) {
        status = read_multiples(file, bytes, tables.multiples, check, setup);
    }
    if (status == SUMAC_OK && tables.prepared) {
        status = read_tables(file, srs, check, setup);
    }
    sumac_bases_destroy(srs);
    return status;
}

sumac_status setup_file_read(input_file *file, sumac_check check, sumac_kzg_setup *setup)
{
    uint8_t *bytes = malloc(POINTS_END);
    if (bytes == NULL) {
        return fail(file->context, SUMAC_OUT_OF_MEMORY, "%s: reading it needs %d bytes of memory", file->path,
                    (int)POINTS_END);
    }
    const sumac_status status = read_setup(file, check, bytes, setup);
    free(bytes);
    return status;
}
