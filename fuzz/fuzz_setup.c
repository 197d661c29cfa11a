/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target reads saved setups and FK20 tables. They are valid files, of which the input changes fields, points and
 * the length. The checksums are corrected afterwards, so that the checks after the checksum run, too. A file must be
 * refused with a sentence, or give an object that works, and that is saved with the bytes that were read. If points
 * were checked, they must be those of the unchanged file.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/registry.h"
#include "fuzz.h"
#include "kzg/fk20.h"
#include "sumac/kzg.h"
#include "sumac/srs.h"
#include "support/cleanup.h"
#include "support/exact.h"
#include "support/container.h"

enum {
    G1_BYTES = SUMAC_KZG_FIELD_ELEMENTS * 96,
    G2_BYTES = SUMAC_KZG_G2_POINTS * 192,
    /* These are types of sections and kinds of files, as in docs/formats.md. */
    LAGRANGE = 4,
    MONOMIAL,
    MONOMIAL_G2,
    SRS = 8,
    FK20_TABLE,
    KIND_SETUP = 4,
    SHAPES = 4,
    MOST_N = 16,
    MORE = 64 /* the most bytes by which a file may grow */
};

/* A valid file. */
typedef struct saved_file {
    uint8_t *bytes;
    size_t size;
    size_t point_bytes;
} saved_file;

typedef struct shape {
    size_t n, l;
    uint64_t table_bytes; /* 1: there are no multiples */
} shape;

static const shape shapes[SHAPES] = {{2, 1, 1}, {8, 2, 0}, {16, 4, 1}, {16, 1, 0}};

/* Return the path of a file in memory to which objects are saved. */
static int output = -1;
static const char *output_path(void)
{
    static const char paths[] = "/proc/self/fd/";
    static char path[sizeof paths + 12];
    if (output < 0) {
        output = memfd_create("saved", 0);
        fuzz_require(output >= 0, "there is a file in memory");
        (void)snprintf(path, sizeof path, "%s%d", paths, output);
    }
    fuzz_require(ftruncate(output, 0) == 0 && lseek(output, 0, SEEK_SET) == 0, "the file is emptied");
    return path;
}

/* Return the saved file with space for MORE bytes. The caller frees it. */
static saved_file take_output(void)
{
    const off_t size = lseek(output, 0, SEEK_END);
    saved_file file = {malloc((size_t)size + MORE), (size_t)size, 96};
    fuzz_require(file.bytes != NULL && pread(output, file.bytes, file.size, 0) == size, "the file is read");
    return file;
}

static void check_outcome(sumac_status status, int is_there)
{
    fuzz_check_sentence(status);
    fuzz_require((status == SUMAC_OK) == is_there, "success, and only that, gives an object");
}

static size_t draw_place(fuzz_input *input, size_t first, size_t count)
{
    size_t place = 0;
    for (int i = 0; i < 3; i++) {
        place = place << 8 | fuzz_byte(input);
    }
    return first + place % count;
}

/* Change a byte, a number or a point in [first, first + count). */
static void change_within(fuzz_input *input, saved_file *file, size_t first, size_t count)
{
    if (first >= file->size || count == 0) {
        return;
    }
    count = count < file->size - first ? count : file->size - first;
    const size_t place = draw_place(input, first, count), left = file->size - place;
    const uint8_t how = fuzz_byte(input) % 4;
    if (how == 0 && left >= 4) { /* a number of 4 bytes, as in the headers */
        uint8_t *number = file->bytes + (place - place % 4);
        fuzz_bytes(input, number, 4);
    } else if (how == 1 && left >= file->point_bytes) {
        const size_t from = draw_place(input, 0, file->size - file->point_bytes);
        memmove(file->bytes + place, file->bytes + from, file->point_bytes);
    } else {
        file->bytes[place] ^= how == 2 ? (uint8_t)(1u << fuzz_byte(input) % 8) : fuzz_byte(input);
    }
}

static void change_file(fuzz_input *input, saved_file *file)
{
    const size_t sections = file_sections(file->bytes, file->size), header = 64 * (1 + sections);
    switch (fuzz_byte(input) % 5) {
    case 0:
        change_within(input, file, 0, HEADER_ENTRIES);
        break;
    case 1:
        change_within(input, file, HEADER_ENTRIES, header);
        break;
    case 2: { /* the end of a section and the bytes after it */
        const file_section section =
            file_section_at(file->bytes, sections == 0 ? 0 : fuzz_byte(input) % sections);
        change_within(input, file, section.end - 64, 64);
        break;
    }
    case 3:
        change_within(input, file, 0, file->size);
        break;
    default: { /* cut off, or continued */
        const size_t cut = fuzz_byte(input);
        if (cut < MORE) {
            memset(file->bytes + file->size, (int)cut, cut);
            file->size += cut;
        } else {
            const size_t less = cut % 2 == 0 ? cut - MORE : draw_place(input, 0, file->size);
            file->size -= less < file->size ? less : file->size;
        }
    }
    }
}

/* Return a copy of a file with changes that the input determines. The caller frees its bytes. */
static saved_file changed_file(fuzz_input *input, const saved_file *original)
{
    saved_file file = *original;
    const uint8_t choice = fuzz_byte(input);
    file.bytes = malloc(original->size + 4 * MORE);
    fuzz_require(file.bytes != NULL, "there is memory");
    memcpy(file.bytes, original->bytes, original->size);
    for (int i = 0; i < choice % 4; i++) {
        change_file(input, &file);
    }
    if (choice < 224) {
        file_correct(file.bytes, file.size);
    }
    return file;
}

static int same_bytes(const saved_file *a, const saved_file *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* ---- FK20 tables of any group ---- */

/* Prove one polynomial, whose coefficients are all 7. With unchecked points the proofs may be any points. */
static void prove(const sumac_group *group, const sumac_fk20 *fk20, uint8_t *points)
{
    const sumac_group *info = group;
    sumac_fk20_info shape = {.size = sizeof shape};
    fuzz_require(sumac_fk20_describe(fk20, &shape) == SUMAC_OK, "the tables have a shape");
    const size_t n = shape.n, proofs = 2 * n / shape.cell_elements;
    uint8_t scalars[MOST_N * 64] = {0};
    CLEANUP(destroy_vector) sumac_vector *polynomial = NULL, *found = NULL;
    for (size_t i = 0; i < n; i++) {
        scalars[i * info->scalar_bytes] = 7;
    }
    fuzz_require(
        sumac_vector_create(fuzz_context(), group, SUMAC_VECTOR_SCALARS, n, &polynomial) == SUMAC_OK &&
            sumac_vector_create(fuzz_context(), group, SUMAC_VECTOR_POINTS, proofs, &found) == SUMAC_OK &&
            sumac_vector_set(fuzz_context(), polynomial, scalars, n * info->scalar_bytes, 0, n, NULL) ==
                SUMAC_OK,
        "there are vectors");
    const sumac_status status =
        sumac_fk20_prove(fuzz_context(), fk20, polynomial, 2, SUMAC_ORDER_NATURAL, found);
    check_outcome(status, 1);
    fuzz_require(sumac_vector_get(fuzz_context(), found, 0, proofs, NULL, points,
                                  proofs * info->point_bytes) == SUMAC_OK,
                 "proofs are read");
}

/* A case of a group and a shape: the file, and the proofs that its tables give. */
typedef struct tables_case {
    int made;
    sumac_bases *srs; /* null: the group has no such tables */
    saved_file file;
    uint8_t proofs[2 * MOST_N * 512];
} tables_case;

static tables_case *cases;

static void free_cases(void)
{
    for (size_t i = 0; i < sumac_registry_count * SHAPES; i++) {
        sumac_bases_destroy(cases[i].srs);
        free(cases[i].file.bytes);
    }
    free(cases);
}

static void make_case(tables_case *c, const sumac_group *group, const shape *s)
{
    CLEANUP(destroy_fk20) sumac_fk20 *fk20 = NULL;
    c->made = 1;
    fuzz_require(sumac_known_bases_create(fuzz_context(), group, s->n, 1, NULL, &c->srs) == SUMAC_OK,
                 "there are bases");
    if (sumac_fk20_create(fuzz_context(), c->srs, s->n, s->l, s->table_bytes, &fk20) != SUMAC_OK) {
        sumac_bases_destroy(c->srs);
        c->srs = NULL;
        return;
    }
    fuzz_require(sumac_fk20_save(fuzz_context(), fk20, output_path()) == SUMAC_OK, "tables are saved");
    c->file = take_output();
    c->file.point_bytes = group->point_bytes;
    prove(group, fk20, c->proofs);
}

static tables_case *get_case(size_t group, size_t s)
{
    if (cases == NULL) {
        cases = calloc(sumac_registry_count * SHAPES, sizeof *cases);
        fuzz_require(cases != NULL, "there is memory");
        (void)atexit(free_cases);
    }
    tables_case *c = &cases[group * SHAPES + s];
    if (!c->made) {
        make_case(c, &sumac_registry[group]->group, &shapes[s]);
    }
    return c;
}

static void try_tables(fuzz_input *input)
{
    const size_t group = fuzz_byte(input) % sumac_registry_count, s = fuzz_byte(input) % SHAPES;
    const tables_case *c = get_case(group, s);
    uint8_t proofs[2 * MOST_N * 512];
    sumac_fk20 *fk20 = NULL;
    if (c->srs == NULL) {
        return;
    }
    saved_file file = changed_file(input, &c->file);
    const sumac_status status = sumac_fk20_open(fuzz_context(), c->srs, shapes[s].n, shapes[s].l,
                                                fuzz_file(file.bytes, file.size), &fk20);
    check_outcome(status, fk20 != NULL);
    const int same = same_bytes(&file, &c->file);
    fuzz_require(status == SUMAC_OK || !same, "the file that was saved is loaded");
    if (fk20 != NULL) {
        memset(proofs, 0, sizeof proofs);
        prove(&sumac_registry[group]->group, fk20, proofs);
        fuzz_require(!same || memcmp(proofs, c->proofs, sizeof proofs) == 0, "the proofs are the same");
        fuzz_require(sumac_fk20_save(fuzz_context(), fk20, output_path()) == SUMAC_OK, "tables are saved");
        saved_file again = take_output();
        fuzz_require(same_bytes(&again, &file), "what was read is what is saved");
        free(again.bytes);
    }
    sumac_fk20_destroy(fk20);
    free(file.bytes);
}

/* ---- Setups ---- */

/* The setups are written directly, because with sanitizers the transforms would take a minute. The first setup has
 * the secret 1: all powers are the generator, and all Lagrange points except the first are infinity. The second setup
 * also has tables of other points. Only a check for the subgroup can detect them, because it computes the tables
 * again. */
static saved_file setups[2];

static void free_setups(void)
{
    free(setups[0].bytes);
    free(setups[1].bytes);
}

/* Add a section to a file of zeros that ends at *end. Return the address of the section's bytes. */
static uint8_t *add_section(uint8_t *bytes, size_t *end, uint32_t type, const char *group, size_t size,
                            uint64_t count, uint32_t number)
{
    const size_t entry = HEADER_ENTRIES + ENTRY_BYTES * file_load(bytes + HEADER_SECTIONS, 4);
    const size_t offset = *end;
    file_store(bytes + HEADER_SECTIONS, (entry - HEADER_ENTRIES) / ENTRY_BYTES + 1, 4);
    file_store(bytes + entry + ENTRY_TYPE, type, 4);
    memcpy(bytes + entry + ENTRY_GROUP, group, 2);
    file_store(bytes + entry + ENTRY_OFFSET, offset, 8);
    file_store(bytes + entry + ENTRY_SIZE, size, 8);
    file_store(bytes + entry + ENTRY_COUNT, count, 8);
    file_store(bytes + entry + ENTRY_NUMBERS, number, 4);
    *end = file_section_end(offset, size);
    return bytes + offset;
}

/* Make a table with as many bases as FK20's tables have. */
static saved_file make_table(const sumac_group *g1)
{
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    fuzz_require(sumac_known_bases_create(fuzz_context(), g1, 2 * (size_t)SUMAC_KZG_FIELD_ELEMENTS, 1, NULL,
                                          &bases) == SUMAC_OK &&
                     sumac_bases_save(fuzz_context(), bases, output_path(), NULL) == SUMAC_OK,
                 "a table is saved");
    return take_output();
}

/* Make a file of the points. For a prepared setup, add a table and the hash of the points. */
static saved_file make_setup(const sumac_group *g1, const sumac_group *g2, const saved_file *table,
                             int prepared)
{
    const size_t most = 2 * G1_BYTES + G2_BYTES + table->size + 2048;
    saved_file file = {calloc(1, most), HEADER_ENTRIES + ENTRY_BYTES * (prepared ? 5 : 3), 96};
    fuzz_require(file.bytes != NULL, "there is memory");
    memcpy(file.bytes, table->bytes, HEADER_SECTIONS);
    file_store(file.bytes + HEADER_KIND, KIND_SETUP, 4);
    uint8_t *lagrange =
        add_section(file.bytes, &file.size, LAGRANGE, "g1", G1_BYTES, SUMAC_KZG_FIELD_ELEMENTS, 0);
    uint8_t *monomial =
        add_section(file.bytes, &file.size, MONOMIAL, "g1", G1_BYTES, SUMAC_KZG_FIELD_ELEMENTS, 0);
    uint8_t *points_of_g2 =
        add_section(file.bytes, &file.size, MONOMIAL_G2, "g2", G2_BYTES, SUMAC_KZG_G2_POINTS, 0);
    fuzz_require(sumac_group_generator(g1, lagrange, g1->point_bytes) == SUMAC_OK, "a generator");
    for (size_t i = 0; i < SUMAC_KZG_FIELD_ELEMENTS; i++) {
        fuzz_require(sumac_group_generator(g1, monomial + 96 * i, g1->point_bytes) == SUMAC_OK,
                     "a generator");
    }
    for (size_t i = 0; i < SUMAC_KZG_G2_POINTS; i++) {
        fuzz_require(sumac_group_generator(g2, points_of_g2 + 192 * i, g2->point_bytes) == SUMAC_OK,
                     "a generator");
    }
    if (prepared) {
        CLEANUP(destroy_bases) sumac_bases *srs = NULL;
        const file_section points = file_section_at(table->bytes, 0);
        uint8_t *hash = add_section(file.bytes, &file.size, SRS, "g1", 32, SUMAC_KZG_FIELD_ELEMENTS,
                                    SUMAC_KZG_CELL_ELEMENTS);
        const size_t entry = HEADER_ENTRIES + 4 * ENTRY_BYTES, offset = file.size;
        uint8_t *columns = add_section(file.bytes, &file.size, FK20_TABLE, "g1", points.size, 0, 0);
        memcpy(columns, table->bytes + points.offset, points.size);
        memcpy(file.bytes + entry, table->bytes + points.entry, ENTRY_BYTES);
        file_store(file.bytes + entry + ENTRY_TYPE, FK20_TABLE, 4);
        file_store(file.bytes + entry + ENTRY_OFFSET, offset, 8);
        fuzz_require(exact_create(fuzz_context(), g1, monomial, SUMAC_KZG_FIELD_ELEMENTS, NULL, &srs) ==
                             SUMAC_OK &&
                         fk20_hash_srs(fuzz_context(), srs, SUMAC_KZG_FIELD_ELEMENTS, hash) == SUMAC_OK,
                     "the points have a hash");
    }
    file_correct(file.bytes, file.size);
    return file;
}

static void make_setups(void)
{
    const sumac_group *g1, *g2;
    fuzz_require(sumac_group_find("bls12-381", "g1", &g1) == SUMAC_OK &&
                     sumac_group_find("bls12-381", "g2", &g2) == SUMAC_OK,
                 "there is BLS12-381");
    saved_file table = make_table(g1);
    setups[0] = make_setup(g1, g2, &table, 0);
    setups[1] = make_setup(g1, g2, &table, 1);
    free(table.bytes);
    (void)atexit(free_setups);
}

static void check_setup(const sumac_kzg_setup *setup, sumac_check check, const saved_file *file)
{
    if (check != SUMAC_CHECK_NONE) {
        for (uint32_t type = LAGRANGE; type <= MONOMIAL_G2; type++) {
            const file_section before = file_section_of(setups[0].bytes, type);
            fuzz_require(memcmp(file->bytes + file_section_of(file->bytes, type).offset,
                                setups[0].bytes + before.offset, before.size) == 0,
                         "points that fit are those of before");
        }
    }
    fuzz_require(sumac_kzg_save(fuzz_context(), setup, output_path()) == SUMAC_OK, "it is saved");
    saved_file again = take_output();
    fuzz_require(same_bytes(&again, file), "what was read is what is saved");
    free(again.bytes);
}

static void try_setup(fuzz_input *input)
{
    const sumac_check check = fuzz_byte(input) % 32 == 31 ? SUMAC_CHECK_CURVE : SUMAC_CHECK_NONE;
    const saved_file *original = &setups[fuzz_byte(input) % 2];
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = NULL;
    if (setups[0].bytes == NULL) {
        make_setups();
    }
    saved_file file = changed_file(input, original);
    const sumac_kzg_config config = {.size = sizeof config, .check = check};
    const sumac_status status =
        sumac_kzg_open(fuzz_context(), fuzz_file(file.bytes, file.size), &config, &setup);
    check_outcome(status, setup != NULL);
    fuzz_require(status == SUMAC_OK || !same_bytes(&file, original), "the file that was saved is read");
    if (setup != NULL) {
        check_setup(setup, check, &file);
    }
    free(file.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    if (fuzz_byte(&input) % 16 == 15) { /* this is rare, because a setup takes much longer than tables */
        try_setup(&input);
    } else {
        try_tables(&input);
    }
    return 0;
}
