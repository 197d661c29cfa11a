/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file saves and opens prepared keys. A prepared key is saved as it is in memory, so opening it only copies data
 * and computes checksums; docs/formats.md describes the sections. Checksums find damage, but do not protect against
 * forgery. Therefore all numbers that proofs depend on are also checked to be in range.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/printable.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "groth16/key_format.h"
#include "io/matrix_section.h"
#include "io/memory.h"
#include "io/table.h"

enum {
    SETS = 3,   /* A, B1, B2 */
    TABLES = 5, /* those of the sets, C's, and with commitments theirs */
    TABLE_C = 3,
    /* Flags and indices of numbers in SECTION_KEY. */
    FLAG_PRODUCTS = 1,
    KEY_WIRES = 0,
    KEY_PUBLICS = 1,
    KEY_DOMAIN = 2,
    KEY_COMMITMENTS = 3,
    /* Numbers of each commitment in SECTION_COMMITMENTS, behind which the numbers of hashed values and of wires lie, as
     * in commitment_inputs and for key_take_committed(). */
    COMMITMENT_COMMITTED = 0,
    COMMITMENT_HASHED = 1,
    COMMITMENT_NUMBERS = 2
};

static const char *const set_names[SETS] = {"the rows of A", "the rows of B1", "the rows of B2"};
static const char *const matrix_names[KEY_MATRICES] = {"matrix A", "matrix B"};

/* ---- Sizes ---- */

/* Return how many points of the second group a verifying key has for commitments. */
static uint64_t knowledge_points(uint64_t commitments)
{
    return commitments == 0 ? 0 : commitments + 1;
}

/* Return the size of a verifying key. It has alpha1, then beta, gamma and delta of the second group, then the points of
 * the public inputs and of the commitments' values, then the commitments' points of the second group. */
static uint64_t verifying_bytes(const groups *of, uint64_t publics, uint64_t commitments)
{
    return (publics + 2 + commitments) * of->g1->point_bytes +
           (VERIFYING_G2 + knowledge_points(commitments)) * (uint64_t)of->g2->point_bytes;
}

/* Add all sections except the tables. If the `rows` of a set are null, the set has bases for all wires, and no section
 * of rows. */
static void add_key(container *layout, const groups *of, const sumac_groth16_key *key, int has_verifying)
{
    container_section *section =
        container_add(layout, SECTION_KEY, of->g1->name,
                      has_verifying ? verifying_bytes(of, key->publics, key->commitment_count) : 0);
    section->flags = key->takes_products ? FLAG_PRODUCTS : 0;
    section->numbers[KEY_WIRES] = key->wires;
    section->numbers[KEY_PUBLICS] = key->publics;
    section->numbers[KEY_DOMAIN] = key->domain;
    section->numbers[KEY_COMMITMENTS] = key->commitment_count;
}

static void add_commitments(container *layout, uint64_t numbers, uint32_t hash)
{
    container_section *section = container_add(layout, SECTION_COMMITMENTS, "", numbers * WORD_BYTES);
    section->count = numbers;
    section->numbers[0] = hash;
}

/* Return how many tables a key has. */
static uint32_t table_number(const sumac_groth16_key *key)
{
    return key->commitment_count == 0 ? TABLES - 1 : TABLES;
}

/* ---- Saving ---- */

static sumac_status save_verifying(output_file *file, const container_section *section,
                                   const sumac_groth16_verifying_key *key)
{
    const size_t g1 = key->groups.g1->point_bytes, g2 = key->groups.g2->point_bytes;
    TAKE_MEMORY(uint8_t, bytes, file->context, file->path, section->size);
    if (section->size > 0) {
        memcpy(bytes, key->alpha1, g1);
        memcpy(bytes + g1, key->g2_points, VERIFYING_G2 * g2);
        const size_t ic_at = g1 + VERIFYING_G2 * g2, count = sumac_bases_count(key->ic);
        TRY(sumac_bases_get(file->context, key->ic, 0, count, bytes + ic_at, count * g1));
        if (key->knowledge != NULL) {
            memcpy(bytes + ic_at + count * g1, key->knowledge,
                   (size_t)knowledge_points(key->commitments.count) * g2);
        }
    }
    return section_save(file, section, bytes);
}

/* Return the number of hashed values of all commitments, which are known with the verifying key. */
static uint32_t hashed_count(const sumac_groth16_verifying_key *key)
{
    return key->commitments.hashed == NULL ? 0 : key->commitments.ends[key->commitments.count - 1];
}

static uint64_t commitment_numbers(const sumac_groth16_key *key)
{
    return (uint64_t)COMMITMENT_NUMBERS * key->commitment_count + hashed_count(key->verifying) +
           key->commitment_count + key->committed_count;
}

static sumac_status save_commitments(output_file *file, const container_section *section,
                                     const sumac_groth16_key *key)
{
    const commitment_inputs *inputs = &key->verifying->commitments;
    const uint32_t hashed = hashed_count(key->verifying);
    TAKE_MEMORY(uint8_t, bytes, file->context, file->path, section->size);
    uint8_t *next = bytes;
    for (uint32_t k = 0; k < key->commitment_count; k++, next += COMMITMENT_NUMBERS * WORD_BYTES) {
        store_le64(next + COMMITMENT_COMMITTED * WORD_BYTES, key->commitments[k].count);
        store_le64(next + COMMITMENT_HASHED * WORD_BYTES,
                   hashed == 0 ? 0 : inputs->ends[k] - commitment_begin(inputs, k));
    }
    for (uint32_t i = 0; i < hashed; i++, next += WORD_BYTES) {
        store_le64(next, inputs->hashed[i]);
    }
    for (uint32_t k = 0; k < key->commitment_count; k++) {
        const key_commitment *of = &key->commitments[k];
        store_le64(next, of->wire);
        next += WORD_BYTES;
        for (uint32_t i = 0; i < of->count; i++, next += WORD_BYTES) {
            store_le64(next, key->committed[of->first + i]);
        }
    }
    return section_save(file, section, bytes);
}

static sumac_status save_key(output_file *file, const sumac_groth16_key *key)
{
    sumac_context *context = file->context;
    const groups *of = &key->verifying->groups;
    const base_set *const sets[SETS] = {&key->a, &key->b1, &key->b2};
    const sumac_bases *const tables[TABLES] = {key->a.bases, key->b1.bases, key->b2.bases, key->c,
                                               key->commitment_bases};
    container layout = {.kind = CONTAINER_KEY};
    sumac_status status = SUMAC_OK;
    memcpy(layout.curve, of->g1->curve, strnlen(of->g1->curve, CONTAINER_CURVE_BYTES));
    add_key(&layout, of, key, key->verifying->ic != NULL);
    for (uint32_t i = 0; i < SETS; i++) {
        if (sets[i]->rows != NULL) {
            word_section_add(&layout, SECTION_ROWS + i, sumac_bases_count(sets[i]->bases));
        }
    }
    for (uint32_t i = 0; i < KEY_MATRICES && !key->takes_products; i++) {
        matrix_add(&layout, SECTION_MATRIX + i, of->g1, key->domain, key->matrices[i][0]->terms,
                   key->matrices[i][0]->values->count);
    }
    for (uint32_t i = 0; i < table_number(key); i++) {
        table_add(&layout, SECTION_KEY_TABLE + i, tables[i]);
    }
    if (key->commitment_count > 0) {
        add_commitments(&layout, commitment_numbers(key), commitment_hash_number(key->verifying->hash));
    }
    TRY(container_create(file, &layout));
    TRY(save_verifying(file, container_find(&layout, SECTION_KEY), key->verifying));
    for (uint32_t i = 0; i < SETS; i++) {
        if (sets[i]->rows != NULL) {
            TRY(words_save(file, container_find(&layout, SECTION_ROWS + i), sets[i]->rows));
        }
    }
    for (uint32_t i = 0; i < KEY_MATRICES && !key->takes_products; i++) {
        TRY(matrix_save(file, container_find(&layout, SECTION_MATRIX + i), key->matrices[i][0]));
    }
    const double size = (double)container_file_bytes(&layout);
    for (uint32_t i = 0; i < table_number(key) && status == SUMAC_OK; i++) {
        const double bytes = (double)container_find(&layout, SECTION_KEY_TABLE + i)->size;
        context_progress_part(context, (double)file->offset / size, bytes / size);
        status = table_write_section(file, &layout, SECTION_KEY_TABLE + i, tables[i]);
    }
    context_progress_part(context, 0, 1);
    TRY(status);
    return key->commitment_count == 0
               ? SUMAC_OK
               : save_commitments(file, container_find(&layout, SECTION_COMMITMENTS), key);
}

sumac_status sumac_groth16_key_save(sumac_context *context, const sumac_groth16_key *key, const char *path)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context, key != NULL && path != NULL, "key and path"));
    TRY(bases_check_usable(context, key->a.bases));
    CLEANUP(output_discard) output_file file = OUTPUT_CLOSED;
    TRY(output_open(&file, context, path));
    TRY(save_key(&file, key));
    return output_commit(&file);
}

/* ---- Opening: the header ---- */

/* A reader has a file of known size, and the contents of its header. */
typedef struct key_reader {
    input_file *file;
    const sumac_groth16_key_config *config;
    container layout;
    groups groups;
    commitment_inputs inputs; /* if there are commitments; `hashed` and `wires` are parts of `numbers` */
    uint32_t *numbers, *wires;
} key_reader;

static void close_reader(key_reader *reader)
{
    free(reader->numbers);
}

static sumac_status find_groups(key_reader *reader)
{
    char text[PRINTABLE_BYTES(CONTAINER_CURVE_BYTES)];
    const char *name = reader->layout.curve;
    for (size_t i = 0; i < groups_count(); i++) {
        if (groups_at(i, &reader->groups) && strcmp(reader->groups.g1->curve, name) == 0) {
            return SUMAC_OK;
        }
    }
    return fail(reader->file->context, SUMAC_UNKNOWN_CURVE,
                "%s: a prepared key over %s, which this build does not prove with", reader->file->path,
                printable(text, name, CONTAINER_CURVE_BYTES));
}

/* Return the number of bases of a key's table i. */
static uint64_t table_count(const container *layout, const sumac_groth16_key *key, uint32_t i)
{
    const container_section *rows = i < SETS ? container_find(layout, SECTION_ROWS + i) : NULL;
    return i == TABLE_C   ? key_private_wires(key) + key->domain
           : i > TABLE_C  ? 2 * (uint64_t)key->committed_count
           : rows != NULL ? rows->count
                          : (uint64_t)key->wires + EXTRA_WIRES;
}

/* Compute which sections, except tables, a key with the file's numbers has, and require that the file has them. Invalid
 * numbers are refused before that, because the sizes of sections are computed from them. */
static sumac_status check_sections(const key_reader *reader, const sumac_groth16_key *key, sumac_message *why)
{
    const container *layout = &reader->layout;
    const container_section *found = container_find(layout, SECTION_KEY);
    container expected = {.count = 0};
    if (key->domain == 0 || (key->domain & (key->domain - 1)) != 0 || key->publics >= key->wires ||
        key->commitment_count > MOST_COMMITMENTS ||
        (uint64_t)key->committed_count + key->commitment_count >= key->wires - key->publics) {
        return container_refuse_sizes(why);
    }
    add_key(&expected, &reader->groups, key, found->size != 0);
    for (uint32_t i = 0; i < SETS; i++) {
        const container_section *rows = container_find(layout, SECTION_ROWS + i);
        if (rows != NULL) {
            if (rows->count == 0 || rows->count > (uint64_t)key->wires + EXTRA_WIRES) {
                return container_refuse_sizes(why);
            }
            word_section_add(&expected, SECTION_ROWS + i, rows->count);
        }
    }
    for (uint32_t i = 0; i < KEY_MATRICES && !key->takes_products; i++) {
        const container_section *matrix = container_find(layout, SECTION_MATRIX + i);
        if (!matrix_fits(matrix)) {
            return container_refuse_sizes(why);
        }
        matrix_add(&expected, SECTION_MATRIX + i, reader->groups.g1, key->domain, matrix->count,
                   matrix->numbers[0]);
    }
    if (key->commitment_count > 0) {
        const container_section *numbers = container_find(layout, SECTION_COMMITMENTS);
        add_commitments(&expected, smaller(numbers->count, numbers->size), numbers->numbers[0]);
    }
    for (uint32_t i = 0; i < expected.count; i++) {
        TRY(container_expect(layout, &expected.sections[i], &found, why));
    }
    for (uint32_t i = 0; i < table_number(key); i++) {
        const container_section *table = container_find(layout, SECTION_KEY_TABLE + i);
        if (table == NULL || table->count != table_count(layout, key, i)) {
            return container_refuse_sizes(why);
        }
    }
    return layout->count == expected.count + table_number(key) ? SUMAC_OK : container_refuse_sizes(why);
}

/* Set the number of committed wires from the size of their bases' table. */
static sumac_status count_committed(const container *layout, sumac_groth16_key *key, sumac_message *why)
{
    const container_section *table = container_find(layout, SECTION_KEY_TABLE + TABLES - 1);
    if (table == NULL || table->count / 2 > key->wires ||
        container_find(layout, SECTION_COMMITMENTS) == NULL) {
        return container_refuse_sizes(why);
    }
    key->committed_count = (uint32_t)(table->count / 2);
    return SUMAC_OK;
}

/* Read the header, and set the key's numbers from it. */
static sumac_status read_header(key_reader *reader, sumac_groth16_key *key)
{
    TRY(container_open(reader->file, CONTAINER_KEY, &reader->layout));
    TRY(find_groups(reader));
    const container_section *section = container_find(&reader->layout, SECTION_KEY);
    if (section == NULL) {
        return input_refuse(reader->file, container_refuse_sizes(&reader->file->why));
    }
    key->wires = section->numbers[KEY_WIRES];
    key->publics = section->numbers[KEY_PUBLICS];
    key->domain = section->numbers[KEY_DOMAIN];
    key->takes_products = section->flags == FLAG_PRODUCTS;
    key->commitment_count = section->numbers[KEY_COMMITMENTS];
    if (key->commitment_count > 0) {
        TRY(input_refuse(reader->file, count_committed(&reader->layout, key, &reader->file->why)));
    }
    return input_refuse(reader->file, check_sections(reader, key, &reader->file->why));
}

/* ---- Opening: the commitments ---- */

/* Divide the numbers of SECTION_COMMITMENTS among commitments; return 0 if their counts do not fit. */
static int divide_numbers(key_reader *reader, uint64_t count, sumac_groth16_key *key)
{
    const uint32_t commitments = key->commitment_count;
    const uint64_t wires = (uint64_t)commitments + key->committed_count;
    uint64_t hashed = 0, committed = 0;
    if (count < COMMITMENT_NUMBERS * (uint64_t)commitments + wires) {
        return 0;
    }
    const uint64_t most_hashed = count - COMMITMENT_NUMBERS * (uint64_t)commitments - wires;
    for (uint32_t k = 0; k < commitments; k++) {
        const uint32_t *of = reader->numbers + (size_t)COMMITMENT_NUMBERS * k;
        key->commitments[k].first = (uint32_t)committed;
        key->commitments[k].count = of[COMMITMENT_COMMITTED];
        committed += of[COMMITMENT_COMMITTED];
        hashed += of[COMMITMENT_HASHED];
        reader->inputs.ends[k] = (uint32_t)hashed;
        if (of[COMMITMENT_COMMITTED] == 0 || committed > key->committed_count || hashed > most_hashed) {
            return 0;
        }
    }
    reader->inputs.count = commitments;
    reader->inputs.hashed = reader->numbers + (size_t)COMMITMENT_NUMBERS * commitments;
    reader->wires = reader->inputs.hashed + hashed;
    return committed == key->committed_count && hashed == most_hashed;
}

/* Read the numbers of commitments' wires and hashed values, whose ranges key_take_committed() and verifying_create()
 * check. */
static sumac_status read_numbers(key_reader *reader, sumac_groth16_key *key)
{
    const input_file *file = reader->file;
    number_section numbers;
    TRY(numbers_open(&numbers, reader->file, &reader->layout, SECTION_COMMITMENTS, "the commitments"));
    const container_section *section = numbers.input.section;
    TAKE_MEMORY(uint8_t, bytes, file->context, file->path, section->size);
    reader->numbers = memory_allocate(file->context, file->path, section->count * sizeof *reader->numbers);
    TRY(memory_got(reader->numbers));
    TRY(section_read(&numbers.input, bytes, (size_t)section->size));
    for (uint64_t i = 0; i < section->count; i++) {
        const uint64_t number = load_le64(bytes + i * WORD_BYTES);
        reader->numbers[i] = (uint32_t)number;
        numbers.in_range &= number <= UINT32_MAX;
    }
    numbers.in_range &=
        divide_numbers(reader, section->count, key) && commitment_hash_at(section->numbers[0]) != NULL;
    return numbers_close(&numbers);
}

/* ---- Opening: points ---- */

static sumac_status read_verifying(const key_reader *reader, uint64_t publics, sumac_check check,
                                   sumac_groth16_verifying_key **verifying)
{
    const input_file *file = reader->file;
    const uint32_t commitments = reader->inputs.count;
    const container_section *section = container_find(&reader->layout, SECTION_KEY);
    const size_t g1 = reader->groups.g1->point_bytes, g2 = reader->groups.g2->point_bytes;
    TAKE_MEMORY(uint8_t, bytes, file->context, file->path, section->size);
    TRY(section_load(reader->file, &reader->layout, section, "the verifying key", bytes));
    const uint8_t *ic = bytes + g1 + VERIFYING_G2 * g2;
    const container_section *numbers = container_find(&reader->layout, SECTION_COMMITMENTS);
    const commitment_hash *hash = numbers == NULL ? NULL : commitment_hash_at(numbers->numbers[0]);
    const verifying_points points = {.alpha1 = bytes,
                                     .beta2 = bytes + g1,
                                     .gamma2 = bytes + g1 + g2,
                                     .delta2 = bytes + g1 + 2 * g2,
                                     .ic = ic,
                                     .publics = publics,
                                     .hash = hash,
                                     .commitments = commitments > 0 ? &reader->inputs : NULL,
                                     .knowledge = ic + (publics + 1 + commitments) * g1,
                                     .form = SUMAC_FORM_CANONICAL,
                                     .what = file->path,
                                     .ic_what = file->path};
    return verifying_create(file->context, &reader->groups, &points, check, verifying);
}

/* Read the tables. Progress is measured in copied bytes. */
static sumac_status read_tables(const key_reader *reader, sumac_groth16_key *key)
{
    sumac_bases **const bases[TABLES] = {&key->a.bases, &key->b1.bases, &key->b2.bases, &key->c,
                                         &key->commitment_bases};
    const input_file *file = reader->file;
    const double size = (double)file->size;
    sumac_status status = SUMAC_OK;
    sumac_bases_config config = {.size = sizeof config};
    config.check = reader->config->check;
    config.precompute_factor = reader->config->precompute_factor;
    config.replicated = (uint32_t)key_is_replicated(file, &reader->groups, key);
    for (uint32_t i = 0; i < table_number(key) && status == SUMAC_OK; i++) {
        const container_section *table = container_find(&reader->layout, SECTION_KEY_TABLE + i);
        const sumac_group *group = bases[i] == &key->b2.bases ? reader->groups.g2 : reader->groups.g1;
        context_progress_part(file->context, (double)table->offset / size, (double)table->size / size);
        status = table_read_section(reader->file, &reader->layout, table->type, group, &config, bases[i]);
    }
    context_progress_part(file->context, 0, 1);
    return status;
}

static sumac_status read_key(input_file *file, const sumac_groth16_key_config *config, sumac_groth16_key *key)
{
    CLEANUP(close_reader) key_reader reader = {.file = file, .config = config};
    uint64_t **const rows[SETS] = {&key->a.rows, &key->b1.rows, &key->b2.rows};
    TRY(read_header(&reader, key));
    const container *layout = &reader.layout;
    const int has_verifying = container_find(layout, SECTION_KEY)->size > 0;
    key->root_exponent = key->takes_products ? reader.groups.gnark_root_exponent : 0;
    TRY(key_find_shift(file, &reader.groups, key->domain, key->shift));
    if (key->commitment_count > 0) {
        TRY(read_numbers(&reader, key));
        TRY(key_take_committed(file, "the commitments' wires", reader.wires, key));
    }
    if (has_verifying) {
        TRY(read_verifying(&reader, key->publics, config->check, &key->own_verifying));
        key->verifying = key->own_verifying;
    }
    for (uint32_t i = 0; i < SETS; i++) {
        if (container_find(layout, SECTION_ROWS + i) != NULL) {
            TRY(words_read(file, layout, SECTION_ROWS + i, set_names[i], (uint64_t)key->wires + EXTRA_WIRES,
                           rows[i]));
        }
    }
    for (uint32_t i = 0; i < KEY_MATRICES && !key->takes_products; i++) {
        TRY(matrix_read(file, layout, SECTION_MATRIX + i, matrix_names[i], reader.groups.g1, key->domain,
                        key->wires, &key->matrices[i][0]));
        key->coefficients += key->matrices[i][0]->terms;
    }
    TRY(read_tables(&reader, key));
    if (has_verifying) {
        return SUMAC_OK;
    }
    uint8_t alpha1[MOST_POINT_BYTES]; /* the first base of A */
    TRY(sumac_bases_get(file->context, key->a.bases, 0, 1, alpha1, sizeof alpha1));
    return key_take_verifying(file, &reader.groups, config, alpha1, key);
}

sumac_status prepared_read_verifying(input_file *file, sumac_groth16_verifying_key **verifying)
{
    CLEANUP(close_reader) key_reader reader = {.file = file};
    sumac_groth16_key key = {.wires = 0};
    TRY(read_header(&reader, &key));
    TRY(key.commitment_count > 0 ? read_numbers(&reader, &key) : SUMAC_OK);
    return container_find(&reader.layout, SECTION_KEY)->size > 0
               ? read_verifying(&reader, key.publics, SUMAC_CHECK_SUBGROUP, verifying)
               : fail(file->context, SUMAC_BAD_FILE,
                      "%s: a key of gnark that was prepared without its verifying key", file->path);
}

const key_format prepared_key_format = {container_begins, read_key};
