/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/setup_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "io/bytes.h"
#include "io/checksum.h"
#include "io/output.h"
#include "kzg/setup.h"

/* As a table's (src/io/table.c), with another name. */
static const uint8_t setup_magic[8] = {0x89, 'S', 'U', 'K', 'Z', 'G', '\r', '\n'};

enum {
    SETUP_VERSION = 1,
    FLAG_PREPARED = 1,
    /* Offsets in the header. */
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_G1_COUNT = 16,
    AT_G2_COUNT = 20,
    AT_CELL_ELEMENTS = 24,
    AT_COLUMN_POINTS = 28,
    AT_RESERVED = 32,
    AT_CHECKSUM = 56,
    HEADER_BYTES = 64,
    TRAILER_BYTES = 8,
    G1_BYTES = SUMAC_KZG_FIELD_ELEMENTS * G1_POINT_BYTES,
    G2_BYTES = SUMAC_KZG_G2_POINTS * G2_POINT_BYTES,
    COLUMN_BYTES = EXTENDED_ELEMENTS * G1_POINT_BYTES,
    AT_MONOMIAL = HEADER_BYTES + G1_BYTES, /* behind the Lagrange points */
    AT_G2 = AT_MONOMIAL + G1_BYTES,
    AT_COLUMNS = AT_G2 + G2_BYTES
};

static size_t file_bytes(int prepared)
{
    return AT_COLUMNS + (prepared ? (size_t)COLUMN_BYTES : 0) + TRAILER_BYTES;
}

static void encode_header(uint8_t *bytes, int prepared)
{
    memset(bytes, 0, HEADER_BYTES);
    memcpy(bytes, setup_magic, sizeof setup_magic);
    store_le32(bytes + AT_VERSION, SETUP_VERSION);
    store_le32(bytes + AT_FLAGS, prepared ? FLAG_PREPARED : 0);
    store_le32(bytes + AT_G1_COUNT, SUMAC_KZG_FIELD_ELEMENTS);
    store_le32(bytes + AT_G2_COUNT, SUMAC_KZG_G2_POINTS);
    store_le32(bytes + AT_CELL_ELEMENTS, SUMAC_KZG_CELL_ELEMENTS);
    store_le32(bytes + AT_COLUMN_POINTS, prepared ? EXTENDED_ELEMENTS : 0);
    store_le64(bytes + AT_CHECKSUM, checksum_of(bytes, AT_CHECKSUM));
}

static sumac_status encode_setup(sumac_context *context, const sumac_kzg_setup *setup, uint8_t *bytes)
{
    const int prepared = setup->columns != NULL;
    const size_t end = file_bytes(prepared) - TRAILER_BYTES;
    encode_header(bytes, prepared);
    memcpy(bytes + AT_MONOMIAL, setup->monomial, G1_BYTES);
    memcpy(bytes + AT_G2, setup->g2_monomial, G2_BYTES);
    sumac_status status =
        sumac_bases_get(context, setup->lagrange, 0, SUMAC_KZG_FIELD_ELEMENTS, bytes + HEADER_BYTES);
    if (status == SUMAC_OK && prepared) {
        status = sumac_bases_get(context, setup->columns, 0, EXTENDED_ELEMENTS, bytes + AT_COLUMNS);
    }
    store_le64(bytes + end, checksum_of(bytes + HEADER_BYTES, end - HEADER_BYTES));
    return status;
}

sumac_status sumac_kzg_setup_save(sumac_context *context, const sumac_kzg_setup *setup, const char *path)
{
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    if (setup == NULL || path == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "setup and path must not be null");
    }
    const size_t size = file_bytes(setup->columns != NULL);
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "%s: writing it needs %zu bytes of memory", path, size);
    }
    sumac_status status = encode_setup(context, setup, bytes);
    if (status == SUMAC_OK) {
        output_file file;
        status = output_open(&file, context, path);
        if (status == SUMAC_OK) {
            status = output_write(&file, bytes, size);
        }
        status = output_close(&file, status);
    }
    free(bytes);
    return status;
}

sumac_status setup_file_begins(input_file *file, int *begins)
{
    return input_begins_with(file, setup_magic, sizeof setup_magic, begins);
}

/* Whether the header is one that encode_header() writes. */
static sumac_status check_header(const input_file *file, const uint8_t *bytes, int *prepared)
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
    *prepared = load_le32(bytes + AT_FLAGS) == FLAG_PREPARED;
    encode_header(expected, *prepared);
    if (memcmp(bytes, expected, HEADER_BYTES) != 0) {
        return fail(file->context, SUMAC_BAD_FILE, "%s: a setup of other sizes than this library's",
                    file->path);
    }
    return SUMAC_OK;
}

/* Points of G1 that are kept raw pass through bases to be checked. */
static sumac_status check_points(const input_file *file, const sumac_curve *curve, const uint8_t *points,
                                 size_t n, sumac_check check, const char *what, sumac_bases **bases)
{
    sumac_bases_config config = sumac_bases_config_default();
    config.check = check;
    const sumac_status status = sumac_bases_create(file->context, curve, points, n, &config, bases);
    if (status == SUMAC_BAD_ENCODING || status == SUMAC_NOT_ON_CURVE || status == SUMAC_NOT_IN_SUBGROUP) {
        char sentence[SUMAC_MESSAGE_BYTES];
        memcpy(sentence, sumac_context_message(file->context), sizeof sentence);
        sentence[SUMAC_MESSAGE_BYTES - 1] = '\0';
        return fail(file->context, status, "%s: %s: %s", file->path, what, sentence);
    }
    return status;
}

static sumac_status decode_setup(const input_file *file, const uint8_t *bytes, int prepared,
                                 sumac_check check, sumac_kzg_setup *setup)
{
    const struct {
        const sumac_curve *curve;
        size_t at, n;
        const char *what;
    } parts[] = {{setup->g1, HEADER_BYTES, SUMAC_KZG_FIELD_ELEMENTS, "Lagrange points"},
                 {setup->g1, AT_MONOMIAL, SUMAC_KZG_FIELD_ELEMENTS, "monomial points"},
                 {setup->g2, AT_G2, SUMAC_KZG_G2_POINTS, "points of G2"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sumac_bases *checked = NULL;
        const sumac_status status = check_points(file, parts[i].curve, bytes + parts[i].at, parts[i].n, check,
                                                 parts[i].what, &checked);
        sumac_bases_destroy(checked);
        if (status != SUMAC_OK) {
            return status;
        }
    }
    sumac_status status =
        setup_fill(file->context, setup, bytes + HEADER_BYTES, bytes + AT_MONOMIAL, bytes + AT_G2);
    if (status == SUMAC_OK && prepared) {
        status = check_points(file, setup->g1, bytes + AT_COLUMNS, EXTENDED_ELEMENTS, check,
                              "points of proofs of cells", &setup->columns);
    }
    return status;
}

static sumac_status read_body(input_file *file, uint8_t *bytes, int *prepared)
{
    sumac_status status = input_read_exactly(file, bytes, HEADER_BYTES);
    if (status == SUMAC_OK) {
        status = check_header(file, bytes, prepared);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    const size_t size = file_bytes(*prepared);
    status = input_read_exactly(file, bytes + HEADER_BYTES, size - HEADER_BYTES);
    if (status == SUMAC_OK) {
        status = input_expect_end(file);
    }
    const size_t end = size - TRAILER_BYTES;
    if (status == SUMAC_OK &&
        load_le64(bytes + end) != checksum_of(bytes + HEADER_BYTES, end - HEADER_BYTES)) {
        status = fail(file->context, SUMAC_BAD_CHECKSUM,
                      "%s: the points, bytes %d to %zu, are damaged: their checksum does not match",
                      file->path, (int)HEADER_BYTES, end - 1);
    }
    return status;
}

sumac_status setup_file_read(input_file *file, sumac_check check, sumac_kzg_setup *setup)
{
    int prepared = 0;
    uint8_t *bytes = malloc(file_bytes(1));
    if (bytes == NULL) {
        return fail(file->context, SUMAC_OUT_OF_MEMORY, "%s: reading it needs %zu bytes of memory",
                    file->path, file_bytes(1));
    }
    sumac_status status = read_body(file, bytes, &prepared);
    if (status == SUMAC_OK) {
        status = decode_setup(file, bytes, prepared, check, setup);
    }
    free(bytes);
    return status;
}
