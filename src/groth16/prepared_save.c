/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Saving a key prepared: prepared_key.c opens it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "codec/bytes.h"
#include "codec/checksum.h"
#include "groth16/prepared_key.h"
#include "io/memory.h"
#include "io/output.h"
#include "io/table.h"

typedef struct key_writer {
    output_file file;
    const sumac_groth16_key *key;
    prepared_header header;
    checksum sum; /* of the section */
    matrix_word *block;
} key_writer;

static sumac_status write_bytes(key_writer *writer, const void *bytes, uint64_t count)
{
    checksum_add(&writer->sum, bytes, (size_t)count);
    return output_write(&writer->file, bytes, (size_t)count);
}

static sumac_status write_trailer(key_writer *writer)
{
    uint8_t trailer[PREPARED_TRAILER_BYTES];
    store_le64(trailer, checksum_result(&writer->sum));
    return output_write(&writer->file, trailer, PREPARED_TRAILER_BYTES);
}

static sumac_status encode_verifying(sumac_context *context, const sumac_groth16_verifying_key *key,
                                     uint8_t *bytes)
{
    const size_t g1 = key->groups.info1->point_bytes, g2 = key->groups.info2->point_bytes;
    memcpy(bytes, key->alpha1, g1);
    memcpy(bytes + g1, key->g2_points, VERIFYING_G2 * g2);
    return sumac_bases_get(context, key->ic, 0, (size_t)key->publics + 1, bytes + g1 + VERIFYING_G2 * g2);
}

static sumac_status write_verifying(key_writer *writer)
{
    const uint64_t count = prepared_verifying_bytes(&writer->header);
    sumac_status status;
    uint8_t *bytes = memory_allocate(writer->file.context, writer->file.path, count, &status);
    checksum_begin(&writer->sum);
    status =
        status == SUMAC_OK ? encode_verifying(writer->file.context, writer->key->verifying, bytes) : status;
    status = status == SUMAC_OK ? write_bytes(writer, bytes, count) : status;
    free(bytes);
    return status == SUMAC_OK ? write_trailer(writer) : status;
}

static sumac_status write_rows(key_writer *writer, const uint64_t *rows, uint64_t count)
{
    sumac_status status = SUMAC_OK;
    checksum_begin(&writer->sum);
    for (uint64_t first = 0; first < count && status == SUMAC_OK; first += BLOCK_WORDS) {
        const uint64_t n = count - first < BLOCK_WORDS ? count - first : BLOCK_WORDS;
        for (uint64_t i = 0; i < n; i++) {
            store_le64(writer->block[i].bytes, rows[first + i]);
        }
        status = write_bytes(writer, writer->block, n * PREPARED_WORD_BYTES);
    }
    return status == SUMAC_OK ? write_trailer(writer) : status;
}

static sumac_status write_values(key_writer *writer, const sumac_vector *values)
{
    sumac_context *context = writer->file.context;
    const uint64_t bytes = values->count * writer->header.scalar_bytes;
    sumac_status status;
    uint8_t *scalars = memory_allocate(context, writer->file.path, bytes, &status);
    sumac_element_layout layout = sumac_element_layout_default();
    layout.form = SUMAC_FORM_MONTGOMERY;
    status = status == SUMAC_OK
                 ? sumac_vector_get(context, values, 0, (size_t)values->count, &layout, scalars)
                 : status;
    status = status == SUMAC_OK ? write_bytes(writer, scalars, bytes) : status;
    free(scalars);
    return status;
}

static sumac_status write_part(key_writer *writer, const sparse_matrix *matrix, sparse_part part,
                               uint64_t count)
{
    executor *self = context_executor(writer->file.context);
    matrix_word *block = writer->block;
    sumac_status status = SUMAC_OK;
    for (uint64_t first = 0; first < count && status == SUMAC_OK; first += BLOCK_WORDS) {
        const uint64_t n = count - first < BLOCK_WORDS ? count - first : BLOCK_WORDS;
        status = sparse_get(self, matrix, part, first, n, block);
        for (uint64_t i = 0; i < n && status == SUMAC_OK; i++) {
            const uint64_t word = part == SPARSE_STARTS
                                      ? block[i].start
                                      : block[i].term.column | (uint64_t)block[i].term.value << 32;
            store_le64(block[i].bytes, word);
        }
        status = status == SUMAC_OK ? write_bytes(writer, block, n * PREPARED_WORD_BYTES) : status;
    }
    return status;
}

static sumac_status write_matrix(key_writer *writer, const sparse_matrix *matrix)
{
    checksum_begin(&writer->sum);
    sumac_status status = write_values(writer, matrix->values);
    status = status == SUMAC_OK ? write_part(writer, matrix, SPARSE_STARTS, matrix->rows.rows + 1) : status;
    status = status == SUMAC_OK ? write_part(writer, matrix, SPARSE_TERMS, matrix->terms) : status;
    return status == SUMAC_OK ? write_trailer(writer) : status;
}

static sumac_status write_tables(key_writer *writer)
{
    const sumac_groth16_key *key = writer->key;
    const sumac_bases *const all[PREPARED_TABLES] = {key->a.bases, key->b1.bases, key->b2.bases, key->c};
    sumac_context *context = writer->file.context;
    const double size = (double)prepared_file_bytes(&writer->header);
    sumac_status status = SUMAC_OK;
    for (int i = 0; i < PREPARED_TABLES && status == SUMAC_OK; i++) {
        context_progress_part(context, (double)writer->file.offset / size,
                              (double)prepared_table_bytes(&writer->header, i) / size);
        status = table_write_section(&writer->file, all[i]);
    }
    context_progress_part(context, 0, 1);
    return status;
}

static sumac_status write_sections(key_writer *writer)
{
    const sumac_groth16_key *key = writer->key;
    const base_set *const sets[PREPARED_SETS] = {&key->a, &key->b1, &key->b2};
    const sparse_matrix *const matrices[PREPARED_MATRICES] = {key->matrices[MATRIX_A][0],
                                                              key->matrices[MATRIX_B][0]};
    sumac_status status = writer->header.has_verifying ? write_verifying(writer) : SUMAC_OK;
    for (int i = 0; i < PREPARED_SETS && status == SUMAC_OK; i++) {
        status = sets[i]->rows == NULL ? SUMAC_OK : write_rows(writer, sets[i]->rows, writer->header.rows[i]);
    }
    for (int i = 0; i < prepared_matrices(&writer->header) && status == SUMAC_OK; i++) {
        status = write_matrix(writer, matrices[i]);
    }
    return status == SUMAC_OK ? write_tables(writer) : status;
}

static prepared_header header_of(const sumac_groth16_key *key)
{
    const base_set *const sets[PREPARED_SETS] = {&key->a, &key->b1, &key->b2};
    const sumac_bases *const all[PREPARED_TABLES] = {key->a.bases, key->b1.bases, key->b2.bases, key->c};
    const sparse_matrix *const matrices[PREPARED_MATRICES] = {key->matrices[MATRIX_A][0],
                                                              key->matrices[MATRIX_B][0]};
    const groups *of = &key->verifying->groups;
    prepared_header header = {.g1_bytes = of->info1->point_bytes,
                              .g2_bytes = of->info2->point_bytes,
                              .scalar_bytes = of->info1->scalar_bytes,
                              .takes_products = key->takes_products,
                              .has_verifying = key->verifying->ic != NULL,
                              .wires = key->wires,
                              .publics = key->publics,
                              .domain = key->domain};
    memcpy(header.curve, of->info1->name, strnlen(of->info1->name, PREPARED_CURVE_BYTES));
    for (int i = 0; i < PREPARED_SETS; i++) {
        header.rows[i] = sets[i]->rows == NULL ? 0 : sumac_bases_count(sets[i]->bases);
    }
    for (int i = 0; i < prepared_matrices(&header); i++) {
        header.terms[i] = matrices[i]->terms;
        header.values[i] = matrices[i]->values->count;
    }
    for (int i = 0; i < PREPARED_TABLES; i++) {
        header.factors[i] = bases_factor(all[i]);
    }
    return header;
}

static sumac_status write_key(key_writer *writer)
{
    uint8_t bytes[PREPARED_HEADER_BYTES];
    writer->header = header_of(writer->key);
    prepared_encode_header(bytes, &writer->header);
    const size_t block_bytes = BLOCK_WORDS * sizeof *writer->block;
    sumac_status status;
    writer->block = memory_allocate(writer->file.context, writer->file.path, block_bytes, &status);
    status = status == SUMAC_OK ? output_write(&writer->file, bytes, PREPARED_HEADER_BYTES) : status;
    status = status == SUMAC_OK ? write_sections(writer) : status;
    free(writer->block);
    return status;
}

sumac_status sumac_groth16_key_save(sumac_context *context, const sumac_groth16_key *key, const char *path)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (key == NULL || path == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "key and path must not be null");
    }
    sumac_status status = bases_check_usable(context, key->a.bases);
    if (status != SUMAC_OK) {
        return status;
    }
    key_writer writer = {.key = key};
    status = output_open(&writer.file, context, path);
    status = status == SUMAC_OK ? write_key(&writer) : status;
    return output_close(&writer.file, status);
}
