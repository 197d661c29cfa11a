/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reads a trusted setup from Ethereum's text file, from a file of this library, or from memory. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/points.h"
#include "base/integers.h"
#include "base/sizes.h"
#include "base/try.h"
#include "codec/container.h"
#include "codec/format.h"
#include "io/trusted_setup.h"
#include "kzg/fk20.h"
#include "kzg/setup.h"

enum {
    G1_BYTES = SUMAC_KZG_FIELD_ELEMENTS * G1_POINT_BYTES,
    G2_BYTES = SUMAC_KZG_G2_POINTS * G2_POINT_BYTES,
    ALL_BYTES = 2 * G1_BYTES + G2_BYTES
};

/* Put points into the order of a blob's elements. This is bit_reversal_permutation() of the consensus specification. */
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

/* These are the compressed points of a section. A message calls the first one "<noun> <first>". */
typedef struct setup_records {
    const char *noun;
    size_t first;
    const uint8_t *records;
} setup_records;

static sumac_status fill_setup(sumac_context *context, const setup_records sections[SETUP_SECTIONS],
                               const sumac_kzg_config *config, sumac_kzg_setup *setup)
{
    AUTO_FREE uint8_t *points = malloc(ALL_BYTES);
    if (points == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %d bytes for a trusted setup",
                    (int)ALL_BYTES);
    }
    uint8_t *const raw[SETUP_SECTIONS] = {[SETUP_G1_LAGRANGE] = points,
                                          [SETUP_G1_MONOMIAL] = points + G1_BYTES,
                                          [SETUP_G2_MONOMIAL] = points + 2 * (size_t)G1_BYTES};
    static const setup_section order[] = {SETUP_G1_LAGRANGE, SETUP_G1_MONOMIAL, SETUP_G2_MONOMIAL};
    for (size_t i = 0; i < SETUP_SECTIONS; i++) {
        const setup_records *section = &sections[order[i]];
        const int is_g2 = order[i] == SETUP_G2_MONOMIAL;
        TRY(encoded_points_decode(context, is_g2 ? setup->g2 : setup->g1, &zcash_compressed_format,
                                  section->noun, section->first, section->records,
                                  is_g2 ? SUMAC_KZG_G2_POINTS : SUMAC_KZG_FIELD_ELEMENTS,
                                  (sumac_check)config->check, raw[order[i]]));
    }
    bit_reverse_points(raw[SETUP_G1_LAGRANGE]);
    return setup_fill(context, config, setup, raw[SETUP_G1_LAGRANGE], raw[SETUP_G1_MONOMIAL],
                      raw[SETUP_G2_MONOMIAL]);
}

static sumac_status read_text(input_file *file, const sumac_kzg_config *config, sumac_kzg_setup *setup)
{
    static const char words[] = ": the point at line";
    const size_t length = strlen(file->path), bytes = ALL_BYTES / 2 + length + sizeof words;
    trusted_setup_section read[SETUP_SECTIONS];
    setup_records sections[SETUP_SECTIONS];
    TRY(input_measure(file, setup_most_bytes(SUMAC_KZG_FIELD_ELEMENTS, SUMAC_KZG_G2_POINTS)));
    /* The memory has compressed points, followed by the words with which a message about one of them begins. */
    AUTO_FREE uint8_t *memory = malloc(bytes);
    if (memory == NULL) {
        return fail(file->context, SUMAC_OUT_OF_MEMORY,
                    "there is no memory of %zu bytes to read a trusted setup", bytes);
    }
    char *noun = (char *)memory + ALL_BYTES / 2;
    memcpy(noun, file->path, length);
    memcpy(noun + length, words, sizeof words);
    read[SETUP_G1_LAGRANGE].records = memory;
    read[SETUP_G1_MONOMIAL].records = memory + G1_BYTES / 2;
    read[SETUP_G2_MONOMIAL].records = memory + G1_BYTES;
    TRY(trusted_setup_read(file, SUMAC_KZG_FIELD_ELEMENTS, SUMAC_KZG_G2_POINTS, read));
    for (size_t i = 0; i < SETUP_SECTIONS; i++) {
        sections[i] = (setup_records){noun, (size_t)read[i].first_line, read[i].records};
    }
    return fill_setup(file->context, sections, config, setup);
}

/* Take a configuration, which is null for the defaults. Create a setup that is still empty, but whose groups are
 * set. */
static sumac_status create_setup(sumac_context *context, const sumac_kzg_config *given,
                                 sumac_kzg_config *config, sumac_kzg_setup **setup)
{
    TRY(public_take(&public_kzg_config, given, config, context_message(context)));
    if (config->check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%u is no sumac_check", config->check);
    }
    config->check = subgroup_by_default((sumac_check)config->check);
    config->table_bytes = config->table_bytes == 0 ? DEFAULT_TABLE_BYTES : config->table_bytes;
    *setup = setup_allocate(context);
    if (*setup == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    TRY(setup_find_group(context, "g1", &(*setup)->g1));
    return setup_find_group(context, "g2", &(*setup)->g2);
}

static void destroy_setup(sumac_kzg_setup **setup)
{
    sumac_kzg_destroy(*setup);
}

sumac_status sumac_kzg_open(sumac_context *context, const char *path, const sumac_kzg_config *config,
                            sumac_kzg_setup **setup)
{
    int is_saved;
    sumac_kzg_config full;
    BEGIN_MAKING(context, setup);
    TRY(require(context, path != NULL, "path"));
    CLEANUP(destroy_setup) sumac_kzg_setup *created = NULL;
    TRY(create_setup(context, config, &full, &created));
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open(&file, context, path));
    /* Two bytes distinguish files of this library, of any version, from text. */
    TRY(input_begins_with(&file, container_magic, 2, &is_saved));
    TRY(is_saved ? setup_file_read(&file, &full, created) : read_text(&file, &full, created));
    *setup = created;
    created = NULL;
    return SUMAC_OK;
}

static sumac_status expect_points(sumac_context *context, const char *what, size_t count, size_t expected)
{
    return count == expected
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_LENGTH, "%s has %zu points instead of %zu", what, count, expected);
}

sumac_status sumac_kzg_create(sumac_context *context, const sumac_bytes48 *g1_monomial,
                              size_t g1_monomial_count, const sumac_bytes48 *g1_lagrange,
                              size_t g1_lagrange_count, const sumac_bytes96 *g2_monomial,
                              size_t g2_monomial_count, const sumac_kzg_config *config,
                              sumac_kzg_setup **setup)
{
    sumac_kzg_config full;
    BEGIN_MAKING(context, setup);
    TRY(require(context, g1_monomial != NULL && g1_lagrange != NULL && g2_monomial != NULL, "the points"));
    TRY(expect_points(context, "g1_monomial", g1_monomial_count, SUMAC_KZG_FIELD_ELEMENTS));
    TRY(expect_points(context, "g1_lagrange", g1_lagrange_count, SUMAC_KZG_FIELD_ELEMENTS));
    TRY(expect_points(context, "g2_monomial", g2_monomial_count, SUMAC_KZG_G2_POINTS));
    const setup_records sections[SETUP_SECTIONS] = {
        [SETUP_G1_LAGRANGE] = {"g1_lagrange: point", 0, g1_lagrange->bytes},
        [SETUP_G1_MONOMIAL] = {"g1_monomial: point", 0, g1_monomial->bytes},
        [SETUP_G2_MONOMIAL] = {"g2_monomial: point", 0, g2_monomial->bytes}};
    CLEANUP(destroy_setup) sumac_kzg_setup *created = NULL;
    TRY(create_setup(context, config, &full, &created));
    TRY(fill_setup(context, sections, &full, created));
    *setup = created;
    created = NULL;
    return SUMAC_OK;
}
