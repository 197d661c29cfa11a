/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Prepared keys: what is resident, as it lies there, so that opening one is a copy and its checksums; docs/formats.md
 * has the bytes. Checksums find damage and are no protection against forgery. Every number that a proof is computed by
 * is checked to be in range all the same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/printable.h"
#include "codec/bytes.h"
#include "codec/checksum.h"
#include "groth16/key_format.h"
#include "groth16/prepared_key.h"
#include "io/memory.h"
#include "io/table.h"

static const char *const set_names[PREPARED_SETS] = {"the rows of A", "the rows of B1", "the rows of B2"};
static const char *const matrix_names[PREPARED_MATRICES] = {"matrix A", "matrix B"};

/* A file of known size, and what its header says. */
typedef struct key_reader {
    input_file *file;
    const sumac_groth16_key_config *config;
    prepared_header header;
    groups groups;
} key_reader;

/* ---- Header ---- */

static int find_groups(const char name[PREPARED_CURVE_BYTES], groups *found)
{
    for (size_t i = 0; i < groups_count(); i++) {
        char known[PREPARED_CURVE_BYTES] = {0};
        if (groups_at(i, found)) {
            memcpy(known, found->info1->name, strnlen(found->info1->name, PREPARED_CURVE_BYTES));
            if (memcmp(known, name, PREPARED_CURVE_BYTES) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

static sumac_status find_sizes(key_reader *reader, sumac_message *why)
{
    prepared_header *header = &reader->header;
    if (!find_groups(header->curve, &reader->groups)) {
        char text[PRINTABLE_BYTES(PREPARED_CURVE_BYTES)];
        return refuse(why, SUMAC_UNKNOWN_CURVE,
                      "a prepared key over %s, which this build does not prove with",
                      printable(text, header->curve, PREPARED_CURVE_BYTES));
    }
    header->g1_bytes = reader->groups.info1->point_bytes;
    header->g2_bytes = reader->groups.info2->point_bytes;
    header->scalar_bytes = reader->groups.info1->scalar_bytes;
    return prepared_check_sizes(header, reader->file->size, why);
}

static sumac_status read_header(key_reader *reader)
{
    uint8_t bytes[PREPARED_HEADER_BYTES];
    sumac_message why = {.text = ""};
    sumac_status status = input_seek(reader->file, 0);
    status = status == SUMAC_OK ? input_read_exactly(reader->file, bytes, PREPARED_HEADER_BYTES) : status;
    status = status == SUMAC_OK ? prepared_decode_header(&reader->header, bytes, &why) : status;
    status = status == SUMAC_OK ? find_sizes(reader, &why) : status;
    return input_refuse(reader->file, status, &why);
}

/* ---- Sections that are read ---- */

/* What is wrong with its numbers is told when its checksum is known to be right. */
typedef struct input_section {
    input_file *file;
    const char *name;
    uint64_t start;
    checksum sum;
    int in_range;
} input_section;

static input_section section_begin(input_file *file, const char *name)
{
    input_section section = {.file = file, .name = name, .start = file->offset, .in_range = 1};
    checksum_begin(&section.sum);
    return section;
}

static sumac_status section_read(input_section *section, void *bytes, uint64_t count)
{
    const sumac_status status = input_read_exactly(section->file, bytes, (size_t)count);
    if (status == SUMAC_OK) {
        checksum_add(&section->sum, bytes, (size_t)count);
    }
    return status;
}

static sumac_status section_end(input_section *section)
{
    uint8_t trailer[PREPARED_TRAILER_BYTES];
    const input_file *file = section->file;
    const uint64_t end = file->offset;
    const sumac_status status = input_read_exactly(section->file, trailer, PREPARED_TRAILER_BYTES);
    if (status != SUMAC_OK) {
        return status;
    }
    if (load_le64(trailer) != checksum_result(&section->sum)) {
        return fail(file->context, SUMAC_BAD_CHECKSUM,
                    "%s: %s, bytes %" PRIu64 " to %" PRIu64 ", damaged: the checksum does not match",
                    file->path, section->name, section->start, end - 1);
    }
    return section->in_range ? SUMAC_OK
                             : fail(file->context, SUMAC_BAD_FILE,
                                    "%s: %s, bytes %" PRIu64 " to %" PRIu64 ": a number that is out of range",
                                    file->path, section->name, section->start, end - 1);
}

/* ---- The verifying key ---- */

static sumac_status make_verifying(const key_reader *reader, const uint8_t *bytes, sumac_check check,
                                   sumac_groth16_verifying_key **verifying)
{
    const size_t g1 = reader->header.g1_bytes, g2 = reader->header.g2_bytes;
    const verifying_points points = {.alpha1 = bytes,
                                     .beta2 = bytes + g1,
                                     .gamma2 = bytes + g1 + g2,
                                     .delta2 = bytes + g1 + 2 * g2,
                                     .ic = bytes + g1 + VERIFYING_G2 * g2,
                                     .publics = reader->header.publics,
                                     .form = SUMAC_FORM_CANONICAL,
                                     .what = reader->file->path,
                                     .ic_what = reader->file->path};
    return verifying_create(reader->file->context, &reader->groups, &points, check, verifying);
}

static sumac_status read_verifying(const key_reader *reader, sumac_check check,
                                   sumac_groth16_verifying_key **verifying)
{
    sumac_status status;
    const input_file *file = reader->file;
    input_section section = section_begin(reader->file, "the verifying key");
    const uint64_t count = prepared_verifying_bytes(&reader->header);
    uint8_t *bytes = memory_allocate(file->context, file->path, count, &status);
    status = status == SUMAC_OK ? section_read(&section, bytes, count) : status;
    status = status == SUMAC_OK ? section_end(&section) : status;
    status = status == SUMAC_OK ? make_verifying(reader, bytes, check, verifying) : status;
    free(bytes);
    return status;
}

/* ---- Rows ---- */

static sumac_status read_rows(const key_reader *reader, int i, uint64_t **rows)
{
    input_file *file = reader->file;
    const uint64_t count = reader->header.rows[i], elements = (uint64_t)reader->header.wires + EXTRA_WIRES;
    input_section section = section_begin(file, set_names[i]);
    sumac_status status;
    *rows = memory_allocate(file->context, file->path, count * PREPARED_WORD_BYTES, &status);
    status = status == SUMAC_OK ? section_read(&section, *rows, count * PREPARED_WORD_BYTES) : status;
    for (uint64_t j = 0; j < count && status == SUMAC_OK; j++) {
        (*rows)[j] = load_le64((const uint8_t *)(*rows + j));
        section.in_range &= (*rows)[j] < elements;
    }
    return status == SUMAC_OK ? section_end(&section) : status;
}

/* ---- Matrices ---- */

typedef struct matrix_reader {
    input_section section;
    sparse_matrix *matrix;
    uint64_t columns;
    uint64_t last_start;
} matrix_reader;

static void take_start(matrix_reader *reader, matrix_word *word)
{
    const uint64_t start = load_le64(word->bytes);
    word->start = start;
    reader->section.in_range &= start >= reader->last_start && start <= reader->matrix->terms;
    reader->last_start = start;
}

static void take_term(matrix_reader *reader, matrix_word *word)
{
    const sparse_term term = {load_le32(word->bytes), load_le32(word->bytes + 4)};
    word->term = term;
    reader->section.in_range &= term.column < reader->columns && term.value < reader->matrix->values->count;
}

static sumac_status read_part(matrix_reader *reader, sparse_part part, uint64_t count, matrix_word *block)
{
    executor *self = context_executor(reader->section.file->context);
    sumac_status status = SUMAC_OK;
    for (uint64_t first = 0; first < count && status == SUMAC_OK; first += BLOCK_WORDS) {
        const uint64_t n = count - first < BLOCK_WORDS ? count - first : BLOCK_WORDS;
        status = section_read(&reader->section, block, n * PREPARED_WORD_BYTES);
        for (uint64_t i = 0; i < n && status == SUMAC_OK; i++) {
            if (part == SPARSE_STARTS) {
                take_start(reader, &block[i]);
            } else {
                take_term(reader, &block[i]);
            }
        }
        status = status == SUMAC_OK ? sparse_set(self, reader->matrix, part, first, n, block) : status;
    }
    return status;
}

/* The section of a matrix that has its values. */
static sumac_status read_numbers(matrix_reader *reader, matrix_word *block)
{
    const sparse_matrix *matrix = reader->matrix;
    sumac_status status = read_part(reader, SPARSE_STARTS, matrix->rows.rows + 1, block);
    reader->section.in_range &= reader->last_start == matrix->terms;
    status = status == SUMAC_OK ? read_part(reader, SPARSE_TERMS, matrix->terms, block) : status;
    return status == SUMAC_OK ? section_end(&reader->section) : status;
}

/* The values of a matrix, which come first. */
static sumac_status read_values(input_section *section, const sumac_curve *curve, uint64_t count,
                                sumac_vector **values)
{
    const input_file *file = section->file;
    const uint64_t bytes = count * sumac_curve_describe(curve)->scalar_bytes;
    sumac_status status;
    sumac_element_layout layout = sumac_element_layout_default();
    layout.form = SUMAC_FORM_MONTGOMERY;
    uint8_t *scalars = memory_allocate(file->context, file->path, bytes, &status);
    status = status == SUMAC_OK ? section_read(section, scalars, bytes) : status;
    status = status == SUMAC_OK
                 ? sumac_vector_create(file->context, curve, SUMAC_VECTOR_SCALARS, (size_t)count, values)
                 : status;
    status = status == SUMAC_OK ? sumac_vector_set(file->context, *values, scalars, 0, (size_t)count, &layout)
                                : status;
    free(scalars);
    if (status == SUMAC_BAD_ENCODING) { /* the vector is of zeros */
        section->in_range = 0;
        return SUMAC_OK;
    }
    return status;
}

static sumac_status read_matrix(const key_reader *from, int i, matrix_word *block, sparse_matrix **matrix)
{
    const prepared_header *header = &from->header;
    matrix_reader reader = {section_begin(from->file, matrix_names[i]), NULL, header->wires, 0};
    sumac_vector *values = NULL;
    sumac_status status = read_values(&reader.section, from->groups.g1, header->values[i], &values);
    status = status == SUMAC_OK ? sparse_allocate(context_executor(from->file->context), header->domain,
                                                  header->terms[i], values, matrix)
                                : status;
    sumac_vector_destroy(values);
    reader.matrix = *matrix;
    return status == SUMAC_OK ? read_numbers(&reader, block) : status;
}

static sumac_status read_matrices(const key_reader *reader, sumac_groth16_key *key)
{
    sumac_status status;
    const input_file *file = reader->file;
    matrix_word *block = memory_allocate(file->context, file->path, BLOCK_WORDS * sizeof *block, &status);
    status = status == SUMAC_OK ? read_matrix(reader, 0, block, &key->matrices[MATRIX_A][0]) : status;
    status = status == SUMAC_OK ? read_matrix(reader, 1, block, &key->matrices[MATRIX_B][0]) : status;
    free(block);
    return status;
}

/* ---- Bases ---- */

static sumac_status read_table(const key_reader *reader, int i, int replicated, sumac_bases **bases)
{
    const input_file *file = reader->file;
    const uint64_t end = file->offset + prepared_table_bytes(&reader->header, i);
    const uint64_t count = prepared_table_count(&reader->header, i);
    sumac_bases_config config = sumac_bases_config_default();
    config.check = reader->config->check;
    config.precompute_factor = reader->config->precompute_factor;
    config.replicated = (uint32_t)replicated;
    const sumac_status status = table_read_inner(
        reader->file, end, i == PREPARED_B2 ? reader->groups.g2 : reader->groups.g1, &config, bases);
    return status != SUMAC_OK || sumac_bases_count(*bases) == count
               ? status
               : fail(file->context, SUMAC_BAD_FILE, "%s: a table of %zu bases, where there are %" PRIu64,
                      file->path, sumac_bases_count(*bases), count);
}

/* The share of what there is to copy is the share of the progress. */
static sumac_status read_tables(const key_reader *reader, sumac_groth16_key *key)
{
    sumac_bases **const all[PREPARED_TABLES] = {&key->a.bases, &key->b1.bases, &key->b2.bases, &key->c};
    const input_file *file = reader->file;
    const double size = (double)file->size;
    const int replicated = key_is_replicated(file, &reader->groups, key);
    sumac_status status = SUMAC_OK;
    for (int i = 0; i < PREPARED_TABLES && status == SUMAC_OK; i++) {
        context_progress_part(file->context, (double)file->offset / size,
                              (double)prepared_table_bytes(&reader->header, i) / size);
        status = read_table(reader, i, replicated, all[i]);
    }
    context_progress_part(file->context, 0, 1);
    return status;
}

/* ---- Opening ---- */

/* Alpha is the first base of A. */
static sumac_status take_verifying(const key_reader *reader, sumac_groth16_key *key)
{
    uint8_t alpha1[MOST_POINT_BYTES];
    const input_file *file = reader->file;
    const sumac_status status = sumac_bases_get(file->context, key->a.bases, 0, 1, alpha1);
    return status == SUMAC_OK ? key_take_verifying(file, &reader->groups, reader->config, alpha1, key)
                              : status;
}

static sumac_status read_sections(const key_reader *reader, sumac_groth16_key *key)
{
    const prepared_header *header = &reader->header;
    uint64_t **const rows[PREPARED_SETS] = {&key->a.rows, &key->b1.rows, &key->b2.rows};
    sumac_status status =
        header->has_verifying ? read_verifying(reader, reader->config->check, &key->own_verifying) : SUMAC_OK;
    key->verifying = key->own_verifying;
    for (int i = 0; i < PREPARED_SETS && status == SUMAC_OK; i++) {
        status = header->rows[i] != 0 ? read_rows(reader, i, rows[i]) : SUMAC_OK;
    }
    if (status == SUMAC_OK && !header->takes_products) {
        status = read_matrices(reader, key);
    }
    status = status == SUMAC_OK ? read_tables(reader, key) : status;
    return status == SUMAC_OK && !header->has_verifying ? take_verifying(reader, key) : status;
}

static sumac_status read_key(input_file *file, const sumac_groth16_key_config *config, sumac_groth16_key *key)
{
    key_reader reader = {.file = file, .config = config};
    const prepared_header *header = &reader.header;
    sumac_status status = read_header(&reader);
    if (status != SUMAC_OK) {
        return status;
    }
    key->wires = header->wires;
    key->publics = header->publics;
    key->domain = header->domain;
    key->coefficients = header->terms[0] + header->terms[1];
    key->takes_products = header->takes_products;
    key->root_exponent = header->takes_products ? reader.groups.gnark_root_exponent : 0;
    status = key_find_shift(file, &reader.groups, header->domain, key->shift);
    return status == SUMAC_OK ? read_sections(&reader, key) : status;
}

sumac_status prepared_read_verifying(input_file *file, sumac_groth16_verifying_key **verifying)
{
    key_reader reader = {.file = file};
    const sumac_status status = read_header(&reader);
    if (status != SUMAC_OK) {
        return status;
    }
    return reader.header.has_verifying
               ? read_verifying(&reader, SUMAC_CHECK_SUBGROUP, verifying)
               : fail(file->context, SUMAC_BAD_FILE,
                      "%s: a key of gnark that was prepared without its verifying key", file->path);
}

static int fits(const uint8_t *begins, size_t count)
{
    return count >= PREPARED_MAGIC_BYTES && memcmp(begins, prepared_magic, PREPARED_MAGIC_BYTES) == 0;
}

const key_format prepared_key_format = {fits, read_key};
