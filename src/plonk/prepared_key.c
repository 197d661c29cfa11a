/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file saves and opens prepared keys of PLONK, in the container that prepared keys of Groth16 have. A prepared key is saved as
 * it is in memory, but without values on cosets, which are computed sooner than they are read; docs/formats.md describes the
 * sections. Checksums find damage, but do not protect against forgery. Therefore all numbers that proofs depend on are also checked to
 * be in range.
 */
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/printable.h"
#include "base/try.h"
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
static const plonk_flavour *const flavours[] = {&snarkjs_plonk, &snarkjs_fflonk};
enum { FLAVOURS = sizeof flavours / sizeof *flavours };

/* The verifying key has k1, k2 and the flavour's roots, then the flavour's points, then tau2, all canonical. */
static size_t numbers_of(const plonk_flavour *flavour)
{
    return 2 + flavour->roots_count;
}

static uint64_t verifying_bytes(const groups *of, const plonk_flavour *flavour)
{
    return numbers_of(flavour) * of->g1->scalar_bytes +
           flavour->key_points.count * (uint64_t)of->g1->point_bytes + of->g2->point_bytes;
}

/* Add all sections except the table. The matrices have so many terms and values: those of the additions, then of the maps. */
static void add_sections(container *layout, const groups *of, uint32_t flavour, const sumac_plonk_key *key,
                         uint32_t publics, const uint64_t terms[2], const uint64_t values[2])
{
    const uint64_t scalars = KEY_POLYNOMIALS * (uint64_t)key->domain;
    container_section *section =
        container_add(layout, SECTION_PLONK_KEY, of->g1->name, verifying_bytes(of, flavours[flavour]));
    section->flags = flavour;
    section->count = key->additions;
    section->numbers[KEY_WIRES] = key->wires;
    section->numbers[KEY_PUBLICS] = publics;
    section->numbers[KEY_GATES] = key->gates;
    section->numbers[KEY_DOMAIN] = key->domain;
    container_add(layout, SECTION_PLONK_POLYNOMIALS, "", scalars * of->g1->scalar_bytes)->count = scalars;
    if (key->additions > 0) {
        word_section_add(layout, SECTION_PLONK_LEVELS, key->levels);
        matrix_add(layout, SECTION_PLONK_ADDITIONS, of->g1, key->additions, terms[0], values[0]);
    }
    matrix_add(layout, SECTION_PLONK_MAPS, of->g1, GATE_WIRES * (uint64_t)key->domain, terms[1], values[1]);
}

/* ---- Saving ---- */

static sumac_status save_verifying(output_file *file, const container_section *section,
                                   const sumac_plonk_verifying_key *key)
{
    const sumac_group *g1 = key->groups.g1;
    const size_t points = plonk_key_points(key) * g1->point_bytes, count = numbers_of(key->flavour);
    host_scalar numbers[2 + MOST_ROOTS] = {key->k1, key->k2};
    TAKE_MEMORY(uint8_t, bytes, file->context, file->path, section->size);
    if (count > 2) {
        key->flavour->find_roots(g1, key->root, key->power, numbers + 2);
    }
    for (size_t i = 0; i < count; i++) {
        host_to_raw(g1, numbers[i], bytes + i * g1->scalar_bytes);
    }
    memcpy(bytes + count * g1->scalar_bytes, key->points, points);
    memcpy(bytes + count * g1->scalar_bytes + points, key->tau2, key->groups.g2->point_bytes);
    return section_save(file, section, bytes);
}

static sumac_status save_key(output_file *file, uint32_t flavour, const sumac_plonk_key *key)
{
    const groups *of = &key->verifying->groups;
    const int has_sums = key->sums != NULL;
    const uint64_t terms[] = {has_sums ? key->sums->terms : 0, key->maps->terms};
    const uint64_t values[] = {has_sums ? key->sums->values->count : 0, key->maps->values->count};
    container layout = {.kind = CONTAINER_PLONK_KEY};
    memcpy(layout.curve, of->g1->curve, strnlen(of->g1->curve, CONTAINER_CURVE_BYTES));
    add_sections(&layout, of, flavour, key, key->verifying->publics, terms, values);
    table_add(&layout, SECTION_PLONK_TABLE, key->powers);
    TRY(container_create(file, &layout));
    TRY(save_verifying(file, container_find(&layout, SECTION_PLONK_KEY), key->verifying));
    section_output polynomials = section_begin(file, container_find(&layout, SECTION_PLONK_POLYNOMIALS));
    TRY(scalars_save(&polynomials, key->polynomials));
    TRY(section_end(&polynomials));
    if (has_sums) {
        TRY(words_save(file, container_find(&layout, SECTION_PLONK_LEVELS), key->level_ends));
        TRY(matrix_save(file, container_find(&layout, SECTION_PLONK_ADDITIONS), key->sums));
    }
    TRY(matrix_save(file, container_find(&layout, SECTION_PLONK_MAPS), key->maps));
    return table_write_section(file, &layout, SECTION_PLONK_TABLE, key->powers);
}

sumac_status sumac_plonk_key_save(sumac_context *context, const sumac_plonk_key *key, const char *path)
{
    BEGIN_CALL(context);
    TRY(require(context, key != NULL && path != NULL, "key and path"));
    TRY(bases_check_usable(context, key->powers));
    uint32_t flavour = 0;
    while (flavour < FLAVOURS && key->verifying->flavour != flavours[flavour]) {
        flavour++;
    }
    if (flavour == FLAVOURS) {
        return fail(context, SUMAC_NOT_SUPPORTED, "only keys of snarkjs can be saved prepared");
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

/* Set the key's numbers, and require that the file has the sections that follow from them. Invalid numbers are refused before sizes are
 * computed from them. */
static sumac_status check_sections(const container *layout, const groups *of, sumac_plonk_key *key,
                                   sumac_message *why)
{
    const container_section *found = container_find(layout, SECTION_PLONK_KEY);
    const container_section *levels = container_find(layout, SECTION_PLONK_LEVELS),
                            *sums = container_find(layout, SECTION_PLONK_ADDITIONS),
                            *maps = container_find(layout, SECTION_PLONK_MAPS),
                            *table = container_find(layout, SECTION_PLONK_TABLE);
    const uint64_t additions = found->count;
    const uint32_t publics = found->numbers[KEY_PUBLICS];
    container expected = {.count = 0};
    key->wires = found->numbers[KEY_WIRES];
    key->gates = found->numbers[KEY_GATES];
    key->domain = found->numbers[KEY_DOMAIN];
    if (key->domain < LEAST_DOMAIN || (key->domain & (key->domain - 1)) != 0 || key->gates > key->domain ||
        publics > key->gates || publics >= key->wires || additions > UINT32_MAX - key->wires ||
        !matrix_fits(maps) || found->flags >= FLAVOURS ||
        (additions > 0 && (!matrix_fits(sums) || levels == NULL || levels->count > additions))) {
        return container_refuse_sizes(why);
    }
    key->additions = (uint32_t)additions;
    key->levels = additions == 0 ? 0 : (uint32_t)levels->count;
    const uint64_t terms[] = {additions == 0 ? 0 : sums->count, maps->count};
    const uint64_t values[] = {additions == 0 ? 0 : sums->numbers[0], maps->numbers[0]};
    const plonk_flavour *flavour = flavours[found->flags];
    add_sections(&expected, of, found->flags, key, publics, terms, values);
    for (uint32_t i = 0; i < expected.count; i++) {
        TRY(container_expect(layout, &expected.sections[i], &found, why));
    }
    return table != NULL && table->count == zkey_plonk_powers(flavour->layout, key->domain) &&
                   layout->count == expected.count + 1
               ? SUMAC_OK
               : container_refuse_sizes(why);
}

static sumac_status read_verifying(input_file *file, const container *layout, const groups *of,
                                   sumac_check check, sumac_plonk_verifying_key **verifying)
{
    const container_section *section = container_find(layout, SECTION_PLONK_KEY);
    const plonk_flavour *flavour = flavours[section->flags];
    const size_t r = of->g1->scalar_bytes, count = numbers_of(flavour);
    TRY(plonk_check_curve(file->context, file->path, flavour, of));
    TAKE_MEMORY(uint8_t, bytes, file->context, file->path, section->size);
    TRY(section_load(file, layout, section, "the verifying key", bytes));
    if (scalars_first_too_large(of->g1, bytes, count) < count) {
        return fail(file->context, SUMAC_BAD_ENCODING, "%s: a number of the verifying key is not less than r",
                    file->path);
    }
    verifying_parts parts = {.flavour = flavour,
                             .root_exponent = of->root_exponent,
                             .publics = section->numbers[KEY_PUBLICS],
                             .power = (uint32_t)__builtin_ctz(section->numbers[KEY_DOMAIN]),
                             .k1 = host_from_raw(of->g1, bytes),
                             .k2 = host_from_raw(of->g1, bytes + r),
                             .points = bytes + count * r,
                             .tau2 = bytes + count * r + flavour->key_points.count * of->g1->point_bytes,
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
                      KEY_POLYNOMIALS * (size_t)key->domain, &key->polynomials));
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

sumac_status plonk_prepared_read(input_file *file, const sumac_plonk_key_config *given, sumac_plonk_key *key)
{
    groups of;
    container layout;
    sumac_bases_config config = {.size = sizeof config};
    config.check = given->check;
    config.precompute_factor = given->precompute_factor;
    TRY(open_header(file, &layout, &of));
    TRY(input_refuse(file, check_sections(&layout, &of, key, &file->why)));
    TRY(read_verifying(file, &layout, &of, (sumac_check)given->check, &key->verifying));
    TRY(read_polynomials(file, &layout, &of, key));
    if (key->additions > 0) {
        TRY(read_additions(file, &layout, &of, key));
    }
    TRY(matrix_read(file, &layout, SECTION_PLONK_MAPS, "the maps", of.g1, GATE_WIRES * (uint64_t)key->domain,
                    key->wires + key->additions, &key->maps));
    TRY(table_read_section(file, &layout, SECTION_PLONK_TABLE, of.g1, &config, &key->powers));
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
    return read_verifying(file, &layout, &of, SUMAC_CHECK_SUBGROUP, verifying);
}
