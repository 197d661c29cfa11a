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
#include "codec/table.h"
#include "groth16/key_format.h"
#include "groth16/prepared_key.h"
#include "io/memory.h"
#include "io/table.h"

/* As a table's (src/codec/table.c), with another name. */
static const uint8_t magic[8] = {0x89, 'S', 'U', 'G', '1', '6', '\r', '\n'};

static const char *const set_names[SETS] = {"the rows of A", "the rows of B1", "the rows of B2"};
static const char *const matrix_names[MATRICES] = {"matrix A", "matrix B"};

int prepared_header_matrices(const prepared_header *header)
{
    return header->takes_products ? 0 : MATRICES;
}

/* ---- Sizes ---- */

static const sumac_curve *table_curve(const groups *of, int i)
{
    return i == 2 ? of->g2 : of->g1;
}

static uint64_t table_count(const prepared_header *header, int i)
{
    return i == SETS              ? (uint64_t)header->wires - header->publics + header->domain
           : header->rows[i] != 0 ? header->rows[i]
                                  : (uint64_t)header->wires + EXTRA_WIRES;
}

uint64_t prepared_table_bytes(const prepared_header *header, int i)
{
    return TABLE_HEADER_BYTES + TABLE_TRAILER_BYTES +
           table_count(header, i) * header->factors[i] *
               sumac_curve_describe(table_curve(&header->groups, i))->point_bytes;
}

/* alpha1, and beta, gamma, delta of the second group; then the public inputs' points. */
uint64_t prepared_verifying_bytes(const prepared_header *header)
{
    return ((uint64_t)header->publics + 2) * header->groups.info1->point_bytes +
           VERIFYING_G2 * (uint64_t)header->groups.info2->point_bytes;
}

static uint64_t matrix_bytes(const prepared_header *header, int i)
{
    return ((uint64_t)header->domain + 1 + header->terms[i]) * WORD_BYTES +
           header->values[i] * header->groups.info1->scalar_bytes;
}

uint64_t prepared_file_bytes(const prepared_header *header)
{
    uint64_t bytes =
        HEADER_BYTES + (header->has_verifying ? prepared_verifying_bytes(header) + TRAILER_BYTES : 0);
    for (int i = 0; i < SETS; i++) {
        bytes += header->rows[i] != 0 ? header->rows[i] * WORD_BYTES + TRAILER_BYTES : 0;
    }
    for (int i = 0; i < prepared_header_matrices(header); i++) {
        bytes += matrix_bytes(header, i) + TRAILER_BYTES;
    }
    for (int i = 0; i < TABLES; i++) {
        bytes += prepared_table_bytes(header, i);
    }
    return bytes;
}

/* ---- Header ---- */

void prepared_encode_header(uint8_t bytes[HEADER_BYTES], const prepared_header *header)
{
    const char *name = header->groups.info1->name;
    memset(bytes, 0, HEADER_BYTES);
    memcpy(bytes, magic, sizeof magic);
    store_le32(bytes + AT_VERSION, PREPARED_VERSION);
    store_le32(bytes + AT_FLAGS,
               (header->takes_products ? FLAG_PRODUCTS : 0) | (header->has_verifying ? FLAG_VERIFYING : 0));
    memcpy(bytes + AT_CURVE, name, strnlen(name, CURVE_BYTES));
    store_le32(bytes + AT_WIRES, header->wires);
    store_le32(bytes + AT_PUBLICS, header->publics);
    store_le32(bytes + AT_DOMAIN, header->domain);
    for (size_t i = 0; i < SETS; i++) {
        store_le64(bytes + AT_ROWS + i * 8, header->rows[i]);
    }
    for (size_t i = 0; i < MATRICES; i++) {
        store_le64(bytes + AT_TERMS + i * 8, header->terms[i]);
        store_le64(bytes + AT_VALUES + i * 8, header->values[i]);
    }
    for (size_t i = 0; i < TABLES; i++) {
        store_le32(bytes + AT_FACTORS + i * 4, header->factors[i]);
    }
    store_le64(bytes + AT_CHECKSUM, checksum_of(bytes, AT_CHECKSUM));
}

/* All but the curve. */
static void decode_numbers(prepared_header *header, const uint8_t bytes[HEADER_BYTES])
{
    const uint32_t flags = load_le32(bytes + AT_FLAGS);
    header->takes_products = (flags & FLAG_PRODUCTS) != 0;
    header->has_verifying = (flags & FLAG_VERIFYING) != 0;
    header->wires = load_le32(bytes + AT_WIRES);
    header->publics = load_le32(bytes + AT_PUBLICS);
    header->domain = load_le32(bytes + AT_DOMAIN);
    for (size_t i = 0; i < SETS; i++) {
        header->rows[i] = load_le64(bytes + AT_ROWS + i * 8);
    }
    for (size_t i = 0; i < MATRICES; i++) {
        header->terms[i] = load_le64(bytes + AT_TERMS + i * 8);
        header->values[i] = load_le64(bytes + AT_VALUES + i * 8);
    }
    for (size_t i = 0; i < TABLES; i++) {
        header->factors[i] = load_le32(bytes + AT_FACTORS + i * 4);
    }
}

static int find_groups(const uint8_t *name, groups *found)
{
    for (size_t i = 0; i < groups_count(); i++) {
        char known[CURVE_BYTES] = {0};
        if (groups_at(i, found)) {
            memcpy(known, found->info1->name, strnlen(found->info1->name, CURVE_BYTES));
            if (memcmp(known, name, CURVE_BYTES) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

/* Whether a header's numbers can be those of a key, in a file of this size, so that sums of them are right. */
static int numbers_fit(const prepared_header *header, uint64_t size)
{
    int fit = header->domain != 0 && (header->domain & (header->domain - 1)) == 0 &&
              header->publics < header->wires;
    for (int i = 0; i < SETS; i++) {
        fit &= header->rows[i] <= (uint64_t)header->wires + EXTRA_WIRES;
    }
    for (int i = 0; i < TABLES; i++) {
        fit &= header->factors[i] <= 8 * header->groups.info1->scalar_bytes;
    }
    for (int i = 0; i < MATRICES; i++) {
        fit &= header->takes_products
                   ? header->terms[i] == 0 && header->values[i] == 0
                   : header->terms[i] <= size / WORD_BYTES && header->values[i] <= UINT32_MAX &&
                         header->values[i] >= SPARSE_OTHERS;
    }
    return fit;
}

static sumac_status check_header(const input_file *file, const uint8_t bytes[HEADER_BYTES],
                                 prepared_header *header)
{
    uint8_t expected[HEADER_BYTES];
    const uint32_t version = load_le32(bytes + AT_VERSION);
    if (version != PREPARED_VERSION) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: a prepared key of version %" PRIu32 " at byte %d; this library reads version %d",
                    file->path, version, (int)AT_VERSION, (int)PREPARED_VERSION);
    }
    if (load_le64(bytes + AT_CHECKSUM) != checksum_of(bytes, AT_CHECKSUM)) {
        return fail(file->context, SUMAC_BAD_CHECKSUM,
                    "%s: the header, bytes 0 to %d, is damaged: its checksum does not match", file->path,
                    HEADER_BYTES - 1);
    }
    if (!find_groups(bytes + AT_CURVE, &header->groups)) {
        char text[PRINTABLE_BYTES(CURVE_BYTES)];
        return fail(file->context, SUMAC_UNKNOWN_CURVE,
                    "%s: a prepared key over %s, which this build does not prove with", file->path,
                    printable(text, (const char *)bytes + AT_CURVE, CURVE_BYTES));
    }
    decode_numbers(header, bytes);
    prepared_encode_header(expected, header);
    if (memcmp(bytes, expected, HEADER_BYTES) != 0 || !numbers_fit(header, file->size)) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: the header, bytes 0 to %d, has numbers that no key has", file->path,
                    HEADER_BYTES - 1);
    }
    const uint64_t size = prepared_file_bytes(header);
    return file->size == size
               ? SUMAC_OK
               : fail(file->context, SUMAC_BAD_FILE,
                      "%s: %s: %" PRIu64 " bytes, where by its header the key ends at byte %" PRIu64,
                      file->path, file->size < size ? "truncated" : "too long", file->size, size);
}

static sumac_status read_header(input_file *file, prepared_header *header)
{
    uint8_t bytes[HEADER_BYTES];
    sumac_status status = input_seek(file, 0);
    status = status == SUMAC_OK ? input_read_exactly(file, bytes, HEADER_BYTES) : status;
    return status == SUMAC_OK ? check_header(file, bytes, header) : status;
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
    uint8_t trailer[TRAILER_BYTES];
    const input_file *file = section->file;
    const uint64_t end = file->offset;
    const sumac_status status = input_read_exactly(section->file, trailer, TRAILER_BYTES);
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

static sumac_status make_verifying(const input_file *file, const prepared_header *header,
                                   const uint8_t *bytes, sumac_check check,
                                   sumac_groth16_verifying_key **verifying)
{
    const size_t g1 = header->groups.info1->point_bytes, g2 = header->groups.info2->point_bytes;
    const verifying_points points = {.alpha1 = bytes,
                                     .beta2 = bytes + g1,
                                     .gamma2 = bytes + g1 + g2,
                                     .delta2 = bytes + g1 + 2 * g2,
                                     .ic = bytes + g1 + VERIFYING_G2 * g2,
                                     .publics = header->publics,
                                     .form = SUMAC_FORM_CANONICAL,
                                     .what = file->path,
                                     .ic_what = file->path};
    return verifying_create(file->context, &header->groups, &points, check, verifying);
}

static sumac_status read_verifying(input_file *file, const prepared_header *header, sumac_check check,
                                   sumac_groth16_verifying_key **verifying)
{
    sumac_status status;
    input_section section = section_begin(file, "the verifying key");
    const uint64_t count = prepared_verifying_bytes(header);
    uint8_t *bytes = memory_allocate(file->context, file->path, count, &status);
    status = status == SUMAC_OK ? section_read(&section, bytes, count) : status;
    status = status == SUMAC_OK ? section_end(&section) : status;
    status = status == SUMAC_OK ? make_verifying(file, header, bytes, check, verifying) : status;
    free(bytes);
    return status;
}

/* ---- Rows ---- */

static sumac_status read_rows(input_file *file, const prepared_header *header, int i, uint64_t **rows)
{
    const uint64_t count = header->rows[i], elements = (uint64_t)header->wires + EXTRA_WIRES;
    input_section section = section_begin(file, set_names[i]);
    sumac_status status;
    *rows = memory_allocate(file->context, file->path, count * WORD_BYTES, &status);
    status = status == SUMAC_OK ? section_read(&section, *rows, count * WORD_BYTES) : status;
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
        status = section_read(&reader->section, block, n * WORD_BYTES);
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

static sumac_status read_matrix(input_file *file, const prepared_header *header, int i, matrix_word *block,
                                sparse_matrix **matrix)
{
    matrix_reader reader = {section_begin(file, matrix_names[i]), NULL, header->wires, 0};
    sumac_vector *values = NULL;
    sumac_status status = read_values(&reader.section, header->groups.g1, header->values[i], &values);
    status = status == SUMAC_OK ? sparse_allocate(context_executor(file->context), header->domain,
                                                  header->terms[i], values, matrix)
                                : status;
    sumac_vector_destroy(values);
    reader.matrix = *matrix;
    return status == SUMAC_OK ? read_numbers(&reader, block) : status;
}

static sumac_status read_matrices(input_file *file, const prepared_header *header, sumac_groth16_key *key)
{
    sumac_status status;
    matrix_word *block = memory_allocate(file->context, file->path, BLOCK_WORDS * sizeof *block, &status);
    status = status == SUMAC_OK ? read_matrix(file, header, 0, block, &key->matrix_a) : status;
    status = status == SUMAC_OK ? read_matrix(file, header, 1, block, &key->matrix_b) : status;
    free(block);
    return status;
}

/* ---- Bases ---- */

static sumac_status read_table(input_file *file, const prepared_header *header, int i,
                               const sumac_groth16_key_config *given, sumac_bases **bases)
{
    sumac_bases_config config = sumac_bases_config_default();
    config.check = given->check;
    config.precompute_factor = given->precompute_factor;
    const sumac_status status = table_read_inner(file, file->offset + prepared_table_bytes(header, i),
                                                 table_curve(&header->groups, i), &config, bases);
    return status != SUMAC_OK || sumac_bases_count(*bases) == table_count(header, i)
               ? status
               : fail(file->context, SUMAC_BAD_FILE, "%s: a table of %zu bases, where there are %" PRIu64,
                      file->path, sumac_bases_count(*bases), table_count(header, i));
}

/* The share of what there is to copy is the share of the progress. */
static sumac_status read_tables(input_file *file, const prepared_header *header,
                                const sumac_groth16_key_config *config, sumac_groth16_key *key)
{
    sumac_bases **const all[TABLES] = {&key->a.bases, &key->b1.bases, &key->b2.bases, &key->c};
    const double size = (double)file->size;
    sumac_status status = SUMAC_OK;
    for (int i = 0; i < TABLES && status == SUMAC_OK; i++) {
        context_progress_part(file->context, (double)file->offset / size,
                              (double)prepared_table_bytes(header, i) / size);
        status = read_table(file, header, i, config, all[i]);
    }
    context_progress_part(file->context, 0, 1);
    return status;
}

/* ---- Opening ---- */

/* Alpha is the first base of A. */
static sumac_status take_verifying(const input_file *file, const prepared_header *header,
                                   const sumac_groth16_key_config *config, sumac_groth16_key *key)
{
    uint8_t alpha1[MOST_POINT_BYTES];
    const sumac_status status = sumac_bases_get(file->context, key->a.bases, 0, 1, alpha1);
    return status == SUMAC_OK ? key_take_verifying(file, &header->groups, config, alpha1, key) : status;
}

static sumac_status read_sections(input_file *file, const prepared_header *header,
                                  const sumac_groth16_key_config *config, sumac_groth16_key *key)
{
    uint64_t **const rows[SETS] = {&key->a.rows, &key->b1.rows, &key->b2.rows};
    sumac_status status =
        header->has_verifying ? read_verifying(file, header, config->check, &key->own_verifying) : SUMAC_OK;
    key->verifying = key->own_verifying;
    for (int i = 0; i < SETS && status == SUMAC_OK; i++) {
        status = header->rows[i] != 0 ? read_rows(file, header, i, rows[i]) : SUMAC_OK;
    }
    if (status == SUMAC_OK && !header->takes_products) {
        status = read_matrices(file, header, key);
    }
    status = status == SUMAC_OK ? read_tables(file, header, config, key) : status;
    return status == SUMAC_OK && !header->has_verifying ? take_verifying(file, header, config, key) : status;
}

static sumac_status read_key(input_file *file, const sumac_groth16_key_config *config, sumac_groth16_key *key)
{
    prepared_header header;
    sumac_status status = read_header(file, &header);
    if (status != SUMAC_OK) {
        return status;
    }
    key->wires = header.wires;
    key->publics = header.publics;
    key->domain = header.domain;
    key->coefficients = header.terms[0] + header.terms[1];
    key->takes_products = header.takes_products;
    key->root_exponent = header.takes_products ? header.groups.gnark_root_exponent : 0;
    status = key_find_shift(file, &header.groups, header.domain, key->shift);
    return status == SUMAC_OK ? read_sections(file, &header, config, key) : status;
}

sumac_status prepared_read_verifying(input_file *file, sumac_groth16_verifying_key **verifying)
{
    prepared_header header;
    const sumac_status status = read_header(file, &header);
    if (status != SUMAC_OK) {
        return status;
    }
    return header.has_verifying
               ? read_verifying(file, &header, SUMAC_CHECK_SUBGROUP, verifying)
               : fail(file->context, SUMAC_BAD_FILE,
                      "%s: a key of gnark that was prepared without its verifying key", file->path);
}

static int fits(const uint8_t *begins, size_t count)
{
    return count >= sizeof magic && memcmp(begins, magic, sizeof magic) == 0;
}

const key_format prepared_key_format = {fits, read_key};
