/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A trusted setup from Ethereum's text file, from a file of ours, or from memory: src/io parses, here the
 * points come into the order of a blob's elements. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/points.h"
#include "base/integers.h"
#include "codec/format.h"
#include "io/table.h"
#include "io/trusted_setup.h"
#include "kzg/setup.h"
#include "kzg/setup_file.h"

enum {
    G1_BYTES = SUMAC_KZG_FIELD_ELEMENTS * G1_POINT_BYTES,
    G2_BYTES = SUMAC_KZG_G2_POINTS * G2_POINT_BYTES,
    G1_RECORDS_BYTES = G1_BYTES / 2, /* compressed */
    G2_RECORDS_BYTES = G2_BYTES / 2
};

/* The raw points of a setup on their way into it. */
typedef struct setup_points {
    uint8_t *lagrange; /* in the order of the file */
    uint8_t *monomial;
    uint8_t *g2_monomial;
} setup_points;

/* As the consensus specification's bit_reversal_permutation. */
static void bit_reverse_points(uint8_t *points)
{
    uint8_t kept[G1_POINT_BYTES];
    for (size_t i = 0; i < SUMAC_KZG_FIELD_ELEMENTS; i++) {
        const size_t j = (size_t)reversed_bits(i, (uint32_t)__builtin_ctz(SUMAC_KZG_FIELD_ELEMENTS));
        if (i < j) {
            memcpy(kept, points + i * G1_POINT_BYTES, G1_POINT_BYTES);
            memcpy(points + i * G1_POINT_BYTES, points + j * G1_POINT_BYTES, G1_POINT_BYTES);
            memcpy(points + j * G1_POINT_BYTES, kept, G1_POINT_BYTES);
        }
    }
}

static sumac_status find_curves(sumac_context *context, sumac_kzg_setup *setup)
{
    sumac_status status = sumac_curve_find("bls12-381", "g1", &setup->g1);
    if (status == SUMAC_OK) {
        status = sumac_curve_find("bls12-381", "g2", &setup->g2);
    }
    return status == SUMAC_OK ? status : fail(context, status, "this build of the library lacks bls12-381");
}

static sumac_status allocate_points(sumac_context *context, setup_points *points)
{
    points->lagrange = malloc(2 * G1_BYTES + G2_BYTES);
    if (points->lagrange == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %d bytes for a trusted setup",
                    2 * G1_BYTES + G2_BYTES);
    }
    points->monomial = points->lagrange + G1_BYTES;
    points->g2_monomial = points->monomial + G1_BYTES;
    return SUMAC_OK;
}

/* The points' compressed records, in one allocation with the words that begin a message about one of them. */
static sumac_status allocate_records(const input_file *file, trusted_setup_records *records, char **noun)
{
    static const char words[] = ": the point at line";
    const size_t length = strlen(file->path);
    const size_t bytes = 2 * G1_RECORDS_BYTES + G2_RECORDS_BYTES;
    uint8_t *memory = malloc(bytes + length + sizeof words);
    if (memory == NULL) {
        return fail(file->context, SUMAC_OUT_OF_MEMORY,
                    "there is no memory of %zu bytes to read a trusted setup", bytes + length + sizeof words);
    }
    records->g1_lagrange.records = memory;
    records->g1_monomial.records = memory + G1_RECORDS_BYTES;
    records->g2_monomial.records = memory + 2 * G1_RECORDS_BYTES;
    *noun = (char *)memory + bytes;
    memcpy(*noun, file->path, length);
    memcpy(*noun + length, words, sizeof words);
    return SUMAC_OK;
}

static sumac_status decode_section(const input_file *file, const sumac_curve *curve, const char *noun,
                                   const trusted_setup_section *section, size_t n, sumac_check check,
                                   uint8_t *points)
{
    return encoded_points_decode(file->context, curve, &zcash_compressed_format, noun,
                                 (size_t)section->first_line, section->records, n, check, points);
}

/* All of the text file's sections. */
static sumac_status read_points(input_file *file, sumac_check check, const sumac_kzg_setup *setup,
                                setup_points *points)
{
    trusted_setup_records records = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    char *noun = NULL;
    sumac_status status = allocate_records(file, &records, &noun);
    if (status == SUMAC_OK) {
        status = trusted_setup_read(file, SUMAC_KZG_FIELD_ELEMENTS, SUMAC_KZG_G2_POINTS, &records);
    }
    if (status == SUMAC_OK) {
        status = decode_section(file, setup->g1, noun, &records.g1_lagrange, SUMAC_KZG_FIELD_ELEMENTS, check,
                                points->lagrange);
    }
    if (status == SUMAC_OK) {
        status = decode_section(file, setup->g2, noun, &records.g2_monomial, SUMAC_KZG_G2_POINTS, check,
                                points->g2_monomial);
    }
    if (status == SUMAC_OK) {
        status = decode_section(file, setup->g1, noun, &records.g1_monomial, SUMAC_KZG_FIELD_ELEMENTS, check,
                                points->monomial);
    }
    free(records.g1_lagrange.records);
    return status;
}

static sumac_status read_text(input_file *file, sumac_check check, sumac_kzg_setup *setup)
{
    setup_points points = {NULL, NULL, NULL};
    sumac_status status = allocate_points(file->context, &points);
    if (status == SUMAC_OK) {
        status = read_points(file, check, setup, &points);
    }
    if (status == SUMAC_OK) {
        bit_reverse_points(points.lagrange);
        status = setup_fill(file->context, setup, points.lagrange, points.monomial, points.g2_monomial);
    }
    free(points.lagrange);
    return status;
}

static sumac_status read_setup(input_file *file, sumac_check check, sumac_kzg_setup *setup)
{
    int is_saved = 0;
    sumac_status status = find_curves(file->context, setup);
    if (status == SUMAC_OK) {
        status = setup_file_begins(file, &is_saved);
    }
    if (status == SUMAC_OK) {
        status = is_saved
                     ? table_begin_input(file)
                     : input_measure(file, setup_most_bytes(SUMAC_KZG_FIELD_ELEMENTS, SUMAC_KZG_G2_POINTS));
    }
    if (status != SUMAC_OK) {
        return status;
    }
    return is_saved ? setup_file_read(file, check, setup) : read_text(file, check, setup);
}

/* Give a new setup to the caller, or end it. */
static sumac_status hand_over(sumac_kzg_setup *created, sumac_status status, sumac_kzg_setup **setup)
{
    if (status == SUMAC_OK) {
        *setup = created;
    } else {
        sumac_kzg_setup_destroy(created);
    }
    return status;
}

sumac_status sumac_kzg_setup_open(sumac_context *context, const char *path, sumac_check check,
                                  sumac_kzg_setup **setup)
{
    if (setup != NULL) {
        *setup = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (path == NULL || setup == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "path and setup must not be null");
    }
    if ((unsigned)check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%d is no sumac_check", (int)check);
    }
    sumac_kzg_setup *created = setup_allocate(context);
    if (created == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    input_file file;
    sumac_status status = input_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = read_setup(&file, check, created);
    }
    input_close(&file);
    return hand_over(created, status, setup);
}

static sumac_status decode_setup(sumac_context *context, const uint8_t *g1_monomial,
                                 const uint8_t *g1_lagrange, const uint8_t *g2_monomial, sumac_check check,
                                 sumac_kzg_setup *setup)
{
    setup_points points = {NULL, NULL, NULL};
    sumac_status status = find_curves(context, setup);
    if (status != SUMAC_OK) {
        return status;
    }
    status = allocate_points(context, &points);
    if (status == SUMAC_OK) {
        status = encoded_points_decode(context, setup->g1, &zcash_compressed_format, "g1_lagrange: point", 0,
                                       g1_lagrange, SUMAC_KZG_FIELD_ELEMENTS, check, points.lagrange);
    }
    if (status == SUMAC_OK) {
        status = encoded_points_decode(context, setup->g1, &zcash_compressed_format, "g1_monomial: point", 0,
                                       g1_monomial, SUMAC_KZG_FIELD_ELEMENTS, check, points.monomial);
    }
    if (status == SUMAC_OK) {
        status = encoded_points_decode(context, setup->g2, &zcash_compressed_format, "g2_monomial: point", 0,
                                       g2_monomial, SUMAC_KZG_G2_POINTS, check, points.g2_monomial);
    }
    if (status == SUMAC_OK) {
        bit_reverse_points(points.lagrange);
        status = setup_fill(context, setup, points.lagrange, points.monomial, points.g2_monomial);
    }
    free(points.lagrange);
    return status;
}

static sumac_status expect_points(sumac_context *context, const char *what, size_t count, size_t expected)
{
    return count == expected
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_LENGTH, "%s has %zu points instead of %zu", what, count, expected);
}

sumac_status sumac_kzg_setup_create(sumac_context *context, const sumac_bytes48 *g1_monomial,
                                    size_t g1_monomial_count, const sumac_bytes48 *g1_lagrange,
                                    size_t g1_lagrange_count, const sumac_bytes96 *g2_monomial,
                                    size_t g2_monomial_count, sumac_check check, sumac_kzg_setup **setup)
{
    if (setup != NULL) {
        *setup = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (g1_monomial == NULL || g1_lagrange == NULL || g2_monomial == NULL || setup == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the points and setup must not be null");
    }
    if ((unsigned)check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%d is no sumac_check", (int)check);
    }
    sumac_status status = expect_points(context, "g1_monomial", g1_monomial_count, SUMAC_KZG_FIELD_ELEMENTS);
    if (status == SUMAC_OK) {
        status = expect_points(context, "g1_lagrange", g1_lagrange_count, SUMAC_KZG_FIELD_ELEMENTS);
    }
    if (status == SUMAC_OK) {
        status = expect_points(context, "g2_monomial", g2_monomial_count, SUMAC_KZG_G2_POINTS);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    sumac_kzg_setup *created = setup_allocate(context);
    if (created == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    return hand_over(
        created,
        decode_setup(context, g1_monomial->bytes, g1_lagrange->bytes, g2_monomial->bytes, check, created),
        setup);
}
