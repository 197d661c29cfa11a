/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file saves and opens prepared keys of PLONK, in the container that prepared keys of Groth16 have. A prepared key is saved as
 * it is in memory, but without values on cosets, which are computed sooner than they are read; docs/formats.md describes the
 * sections. Keys of gnark have no matrices, because their witnesses have the values of all gates. Checksums find damage, but do not
 * protect against forgery. Therefore all numbers that proofs depend on are also checked to be in range.
 */
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/printable.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/zkey_plonk.h"
#include "io/matrix_section.h"
#include "io/memory.h"
#include "io/output.h"
#include "io/table.h"
#include "plonk/key_format.h"

enum {
    /* These are the indices of numbers in SECTION_PLONK_KEY, whose count is that of the additions. */
    KEY_WIRES = 0,
    KEY_PUBLICS = 1,
    KEY_GATES = 2,
    KEY_DOMAIN = 3,
    LEAST_DOMAIN = 8
};

/* ---- Sections ---- */

/* A key's flavour is the section's flags. */
static const plonk_flavour *const flavours[] = {&snarkjs_plonk, &snarkjs_fflonk, &gnark_plonk};
enum { FLAVOURS = sizeof flavours / sizeof *flavours };

static int is_of_gnark(const plonk_flavour *flavour)
{
    return flavour == &gnark_plonk;
}

/* The verifying key has k1, k2 and the flavour's roots, then the points of the flavour and of the circuit's commitments, then tau2, all
 * canonical, and then the gate of each commitment's value. */
static size_t numbers_of(const plonk_flavour *flavour)
{
    return 2 + flavour->roots_count;
}

static uint64_t verifying_bytes(const groups *of, const plonk_flavour *flavour, uint64_t commitments)
{
    return numbers_of(flavour) * of->g1->scalar_bytes +
           (flavour->key_points.count + commitments) * of->g1->point_bytes + of->g2->point_bytes +
           commitments * WORD_BYTES;
}

/* Return how many powers of tau a key has. */
static uint64_t powers_of(const plonk_flavour *flavour, uint32_t domain)
{
    return is_of_gnark(flavour) ? domain + (uint64_t)flavour->more_powers
                                : zkey_plonk_powers(flavour->layout, domain);
}

/* Return how many scalars a witness of gnark has besides the values of the gates, or UINT64_MAX if it has fewer than these. */
static uint64_t more_wires(const sumac_plonk_key *key)
{
    const uint64_t values = GATE_WIRES * (uint64_t)key->domain;
    return key->wires >= values ? key->wires - values : UINT64_MAX;
}

/* The number of wires shows how many commitments a circuit has: two random numbers of each one belong to a witness. */
static uint32_t commitments_of(const plonk_flavour *flavour, const sumac_plonk_key *key)
{
    return is_of_gnark(flavour) ? (uint32_t)(more_wires(key) / 2) : 0;
}

/* These are the counts of a key's sections. The matrices are those of the additions and of the maps. */
typedef struct section_counts {
    uint32_t flavour, publics;
    uint64_t terms[2], values[2]; /* of the matrices */
    uint64_t committed;           /* numbers of gates */
} section_counts;

/* Add the sections before the table. */
static void add_sections(container *layout, const groups *of, const section_counts *counts,
                         const sumac_plonk_key *key)
{
    const plonk_flavour *flavour = flavours[counts->flavour];
    const uint32_t commitments = commitments_of(flavour, key);
    const uint64_t scalars = (KEY_POLYNOMIALS + (uint64_t)commitments) * key->domain;
    container_section *section =
        container_add(layout, SECTION_PLONK_KEY, of->g1->name, verifying_bytes(of, flavour, commitments));
    section->flags = counts->flavour;
    section->count = key->additions;
    section->numbers[KEY_WIRES] = key->wires;
    section->numbers[KEY_PUBLICS] = counts->publics;
    section->numbers[KEY_GATES] = key->gates;
    section->numbers[KEY_DOMAIN] = key->domain;
    container_add(layout, SECTION_PLONK_POLYNOMIALS, "", scalars * of->g1->scalar_bytes)->count = scalars;
    if (key->additions > 0) {
        word_section_add(layout, SECTION_PLONK_LEVELS, key->levels);
        matrix_add(layout, SECTION_PLONK_ADDITIONS, of->g1, key->additions, counts->terms[0],
                   counts->values[0]);
    }
    if (!is_of_gnark(flavour)) {
        matrix_add(layout, SECTION_PLONK_MAPS, of->g1, GATE_WIRES * (uint64_t)key->domain, counts->terms[1],
                   counts->values[1]);
    }
}

/* After the table, add the section of the committed wires, if there are any. */
static void add_committed(container *layout, const section_counts *counts, uint32_t commitments)
{
    if (commitments > 0) {
        word_section_add(layout, SECTION_PLONK_COMMITTED, commitments + counts->committed);
    }
}

/* ---- Saving ---- */

static sumac_status save_verifying(output_file *file, const container_section *section,
                                   const sumac_plonk_verifying_key *key)
{
    const sumac_group *g1 = key->groups.g1;
    const size_t points = plonk_key_points(key) * g1->point_bytes, count = numbers_of(key->flavour);
    const size_t g2 = key->groups.g2->point_bytes;
    host_scalar numbers[2 + MOST_ROOTS] = {key->k1, key->k2};
    TAKE_MEMORY(uint8_t, bytes, file->context, file->path, section->size);
    if (count > 2) {
        key->flavour->find_roots(g1, key->root, key->power, numbers + 2);
    }
    uint8_t *next = bytes;
    for (size_t i = 0; i < count; i++, next += g1->scalar_bytes) {
        host_to_raw(g1, numbers[i], next);
    }
    memcpy(next, key->points, points);
    memcpy(next + points, key->tau2, g2);
    for (uint32_t i = 0; i < key->commitments; i++) {
        store_le64(next + points + g2 + (size_t)i * WORD_BYTES, key->commitment_gates[i]);
    }
    return section_save(file, section, bytes);
}

/* Save where the wires of each commitment end in their list, and the list. */
static sumac_status save_committed(output_file *file, const container_section *section,
                                   const sumac_plonk_key *key)
{
    const uint32_t commitments = key->verifying->commitments;
    TAKE_MEMORY(uint64_t, words, file->context, file->path, section->size);
    for (uint32_t i = 0; i < commitments; i++) {
        words[i] = key->committed_ends[i];
    }
    for (uint64_t i = commitments; i < section->count; i++) {
        words[i] = key->committed[i - commitments];
    }
    return words_save(file, section, words);
}

static section_counts count_sections(uint32_t flavour, const sumac_plonk_key *key)
{
    const sparse_matrix *const matrices[] = {key->sums, key->maps};
    const uint32_t commitments = key->verifying->commitments;
    section_counts counts = {.flavour = flavour, .publics = key->verifying->publics};
    for (int i = 0; i < 2; i++) {
        counts.terms[i] = matrices[i] == NULL ? 0 : matrices[i]->terms;
        counts.values[i] = matrices[i] == NULL ? 0 : matrices[i]->values->count;
    }
    counts.committed = commitments == 0 ? 0 : key->committed_ends[commitments - 1];
    return counts;
}

static sumac_status save_key(output_file *file, uint32_t flavour, const sumac_plonk_key *key)
{
    const groups *of = &key->verifying->groups;
    const section_counts counts = count_sections(flavour, key);
    container layout = {.kind = CONTAINER_PLONK_KEY};
    memcpy(layout.curve, of->g1->curve, strnlen(of->g1->curve, CONTAINER_CURVE_BYTES));
    add_sections(&layout, of, &counts, key);
    table_add(&layout, SECTION_PLONK_TABLE, key->powers);
    add_committed(&layout, &counts, key->verifying->commitments);
    TRY(container_create(file, &layout));
    TRY(save_verifying(file, container_find(&layout, SECTION_PLONK_KEY), key->verifying));
    section_output polynomials = section_begin(file, container_find(&layout, SECTION_PLONK_POLYNOMIALS));
    TRY(scalars_save(&polynomials, key->polynomials));
    TRY(section_end(&polynomials));
    if (key->sums != NULL) {
        TRY(words_save(file, container_find(&layout, SECTION_PLONK_LEVELS), key->level_ends));
        TRY(matrix_save(file, container_find(&layout, SECTION_PLONK_ADDITIONS), key->sums));
    }
    if (key->maps != NULL) {
        TRY(matrix_save(file, container_find(&layout, SECTION_PLONK_MAPS), key->maps));
    }
    TRY(table_write_section(file, &layout, SECTION_PLONK_TABLE, key->powers));
    const container_section *committed = container_find(&layout, SECTION_PLONK_COMMITTED);
    return committed == NULL ? SUMAC_OK : save_committed(file, committed, key);
}

sumac_status sumac_plonk_key_save(sumac_context *context, const sumac_plonk_key *key, const char *path)
{
    BEGIN_CALL(context);
    TRY(require(context, key != NULL && path != NULL, "key and path"));
    TRY(bases_check_usable(context, key->powers));
    uint32_t flavour = 0;
    while (flavours[flavour] != key->verifying->flavour) {
        flavour++;
    }
    CLEANUP(output_discard) output_file file = OUTPUT_CLOSED;
    TRY(output_open(&file, context, path));
    TRY(save_key(&file, flavour, key));
    return output_commit(&file);
}

/* ---- Opening ---- */

/* Read the header, and find the curve. */
static sumac_status open_header(input_file *file, container *layout, groups *of)
{
    char text[PRINTABLE_BYTES(CONTAINER_CURVE_BYTES)];
    TRY(container_open(file, CONTAINER_PLONK_KEY, layout));
    for (size_t i = 0; i < groups_count(); i++) {
        if (groups_at(i, of) && strcmp(of->g1->curve, layout->curve) == 0) {
            return container_find(layout, SECTION_PLONK_KEY) != NULL
                       ? SUMAC_OK
                       : input_refuse(file, container_refuse_sizes(&file->why));
        }
    }
    return fail(file->context, SUMAC_UNKNOWN_CURVE,
                "%s: a prepared key over %s, which this build does not prove with", file->path,
                printable(text, layout->curve, CONTAINER_CURVE_BYTES));
}

/* Return 1 if the numbers of a key can be right for its flavour. Sizes are computed from them only then. */
static int numbers_fit(const plonk_flavour *flavour, const sumac_plonk_key *key, uint64_t publics,
                       uint64_t additions)
{
    if (key->domain < LEAST_DOMAIN || (key->domain & (key->domain - 1)) != 0 || key->gates > key->domain ||
        publics > key->gates || publics >= key->wires || additions > UINT32_MAX - key->wires) {
        return 0;
    }
    return !is_of_gnark(flavour) || (key->gates > 0 && additions == 0 && more_wires(key) % 2 == 0 &&
                                     more_wires(key) <= 2 * MOST_COMMITMENTS);
}

/* Get the counts of the sections that a key's numbers require; return 0 if one is missing. */
static int counts_fit(const container *layout, const sumac_plonk_key *key, uint64_t additions,
                      section_counts *counts)
{
    const container_section *levels = container_find(layout, SECTION_PLONK_LEVELS),
                            *committed = container_find(layout, SECTION_PLONK_COMMITTED);
    const container_section *const matrices[] = {container_find(layout, SECTION_PLONK_ADDITIONS),
                                                 container_find(layout, SECTION_PLONK_MAPS)};
    const plonk_flavour *flavour = flavours[counts->flavour];
    const int has_matrix[] = {additions > 0, !is_of_gnark(flavour)};
    const uint32_t commitments = commitments_of(flavour, key);
    for (int i = 0; i < 2; i++) {
        if (has_matrix[i] && !matrix_fits(matrices[i])) {
            return 0;
        }
        counts->terms[i] = has_matrix[i] ? matrices[i]->count : 0;
        counts->values[i] = has_matrix[i] ? matrices[i]->numbers[0] : 0;
    }
    if (commitments > 0) {
        if (committed == NULL || committed->count < commitments || committed->count > committed->size) {
            return 0;
        }
        counts->committed = committed->count - commitments;
    }
    return additions == 0 || (levels != NULL && levels->count <= additions);
}

/* Set the key's numbers, and require that the file has the sections that follow from them. Invalid numbers are refused before sizes are
 * computed from them. */
static sumac_status check_sections(const container *layout, const groups *of, sumac_plonk_key *key,
                                   sumac_message *why)
{
    const container_section *found = container_find(layout, SECTION_PLONK_KEY);
    const container_section *table = container_find(layout, SECTION_PLONK_TABLE);
    const uint64_t additions = found->count;
    container expected = {.count = 0};
    section_counts counts = {.flavour = found->flags, .publics = found->numbers[KEY_PUBLICS]};
    key->wires = found->numbers[KEY_WIRES];
    key->gates = found->numbers[KEY_GATES];
    key->domain = found->numbers[KEY_DOMAIN];
    if (counts.flavour >= FLAVOURS ||
        !numbers_fit(flavours[counts.flavour], key, counts.publics, additions) ||
        !counts_fit(layout, key, additions, &counts)) {
        return container_refuse_sizes(why);
    }
    const plonk_flavour *flavour = flavours[counts.flavour];
    key->additions = (uint32_t)additions;
    key->levels = additions == 0 ? 0 : (uint32_t)container_find(layout, SECTION_PLONK_LEVELS)->count;
    add_sections(&expected, of, &counts, key);
    add_committed(&expected, &counts, commitments_of(flavour, key));
    for (uint32_t i = 0; i < expected.count; i++) {
        TRY(container_expect(layout, &expected.sections[i], &found, why));
    }
    return table != NULL && table->count == powers_of(flavour, key->domain) &&
                   layout->count == expected.count + 1
               ? SUMAC_OK
               : container_refuse_sizes(why);
}

/* Read the gates of the commitments' values, of which each is after the public inputs. */
static int gates_fit(const container_section *section, const uint8_t *bytes, uint32_t commitments,
                     uint32_t *gates)
{
    int fit = 1;
    for (uint32_t i = 0; i < commitments; i++) {
        const uint64_t gate = load_le64(bytes + (size_t)i * WORD_BYTES);
        fit &= gate >= section->numbers[KEY_PUBLICS] && gate < section->numbers[KEY_DOMAIN];
        gates[i] = (uint32_t)gate;
    }
    return fit;
}

static sumac_status read_verifying(input_file *file, const container *layout, const groups *of,
                                   sumac_check check, const sumac_plonk_key *key,
                                   sumac_plonk_verifying_key **verifying)
{
    const container_section *section = container_find(layout, SECTION_PLONK_KEY);
    const plonk_flavour *flavour = flavours[section->flags];
    const uint32_t commitments = commitments_of(flavour, key);
    const size_t r = of->g1->scalar_bytes, count = numbers_of(flavour);
    uint32_t gates[MOST_COMMITMENTS];
    TRY(plonk_check_curve(file->context, file->path, flavour, of));
    TAKE_MEMORY(uint8_t, bytes, file->context, file->path, section->size);
    TRY(section_load(file, layout, section, "the verifying key", bytes));
    const uint8_t *points = bytes + count * r;
    const uint8_t *tau2 = points + (flavour->key_points.count + commitments) * (size_t)of->g1->point_bytes;
    if (scalars_first_too_large(of->g1, bytes, count) < count) {
        return fail(file->context, SUMAC_BAD_ENCODING, "%s: a number of the verifying key is not less than r",
                    file->path);
    }
    if (!gates_fit(section, tau2 + of->g2->point_bytes, commitments, gates)) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: the verifying key: a commitment's gate is that of a public input, or does not exist",
                    file->path);
    }
    verifying_parts parts = {.flavour = flavour,
                             .root_exponent =
                                 is_of_gnark(flavour) ? of->gnark_root_exponent : of->root_exponent,
                             .publics = section->numbers[KEY_PUBLICS],
                             .commitments = commitments,
                             .commitment_gates = gates,
                             .power = (uint32_t)__builtin_ctz(section->numbers[KEY_DOMAIN]),
                             .k1 = host_from_raw(of->g1, bytes),
                             .k2 = host_from_raw(of->g1, bytes + r),
                             .points = points,
                             .tau2 = tau2,
                             .form = SUMAC_FORM_CANONICAL,
                             .what = file->path};
    for (size_t i = 2; i < count; i++) {
        parts.roots[i - 2] = host_from_raw(of->g1, bytes + i * r);
    }
    return plonk_verifying_create(file->context, of, &parts, check, verifying);
}

static sumac_status read_polynomials(input_file *file, const container *layout, const groups *of,
                                     sumac_plonk_key *key)
{
    number_section numbers;
    TRY(vector_create(context_executor(file->context), of->g1, SUMAC_VECTOR_SCALARS,
                      key_polynomials(key) * key->domain, &key->polynomials));
    TRY(numbers_open(&numbers, file, layout, SECTION_PLONK_POLYNOMIALS, "the polynomials"));
    TRY(scalars_read(&numbers, key->polynomials));
    return numbers_close(&numbers);
}

/* Read the additions, whose levels end one after another, the last one with them. */
static sumac_status read_additions(input_file *file, const container *layout, const groups *of,
                                   sumac_plonk_key *key)
{
    TRY(words_read(file, layout, SECTION_PLONK_LEVELS, "the levels", key->additions + UINT64_C(1),
                   &key->level_ends));
    for (uint32_t i = 0; i < key->levels; i++) {
        if (key->level_ends[i] < (i == 0 ? 1 : key->level_ends[i - 1]) ||
            (i + 1 == key->levels && key->level_ends[i] != key->additions)) {
            return fail(file->context, SUMAC_BAD_FILE,
                        "%s: the levels: level %u ends before it begins, or late", file->path, (unsigned)i);
        }
    }
    return matrix_read(file, layout, SECTION_PLONK_ADDITIONS, "the additions", of->g1, key->additions,
                       key->wires + key->additions, &key->sums);
}

/* Read the committed wires. The lists of the commitments end one after another, the last one with the section. */
static sumac_status read_committed(input_file *file, const container *layout, sumac_plonk_key *key)
{
    const uint32_t commitments = key->verifying->commitments;
    const uint64_t count = container_find(layout, SECTION_PLONK_COMMITTED)->count - commitments;
    uint64_t end = 0;
    int fit = 1;
    AUTO_FREE uint64_t *words = NULL;
    TRY(words_read(file, layout, SECTION_PLONK_COMMITTED, "the committed wires", UINT32_MAX, &words));
    for (uint32_t i = 0; i < commitments; i++) {
        fit &= words[i] >= end;
        end = words[i];
        key->committed_ends[i] = (uint32_t)end;
    }
    key->committed = memory_allocate(file->context, file->path, count * sizeof *key->committed);
    TRY(memory_got(key->committed));
    for (uint64_t i = 0; i < count; i++) {
        key->committed[i] = (uint32_t)words[commitments + i];
        fit &= key->committed[i] < key->domain;
    }
    return fit && end == count ? SUMAC_OK
                               : fail(file->context, SUMAC_BAD_FILE,
                                      "%s: the committed wires: a list ends before it begins, or late, or "
                                      "has a gate that does "
                                      "not exist",
                                      file->path);
}

sumac_status plonk_prepared_read(input_file *file, const sumac_plonk_key_config *given, sumac_plonk_key *key)
{
    groups of;
    container layout;
    sumac_bases_config config = {.size = sizeof config};
    config.check = given->check;
    config.precompute_factor = given->precompute_factor;
    TRY(open_header(file, &layout, &of));
    TRY(input_refuse(file, check_sections(&layout, &of, key, &file->why)));
    TRY(read_verifying(file, &layout, &of, (sumac_check)given->check, key, &key->verifying));
    TRY(read_polynomials(file, &layout, &of, key));
    if (key->additions > 0) {
        TRY(read_additions(file, &layout, &of, key));
    }
    if (!is_of_gnark(key->verifying->flavour)) {
        TRY(matrix_read(file, &layout, SECTION_PLONK_MAPS, "the maps", of.g1,
                        GATE_WIRES * (uint64_t)key->domain, key->wires + key->additions, &key->maps));
    }
    TRY(table_read_section(file, &layout, SECTION_PLONK_TABLE, of.g1, &config, &key->powers));
    if (key->verifying->commitments > 0) {
        TRY(read_committed(file, &layout, key));
    }
    plonk_key_find_roots(key);
    return SUMAC_OK;
}

sumac_status plonk_prepared_read_verifying(input_file *file, sumac_plonk_verifying_key **verifying)
{
    groups of;
    container layout;
    sumac_plonk_key key = {.wires = 0};
    TRY(open_header(file, &layout, &of));
    TRY(input_refuse(file, check_sections(&layout, &of, &key, &file->why)));
    return read_verifying(file, &layout, &of, SUMAC_CHECK_SUBGROUP, &key, verifying);
}
