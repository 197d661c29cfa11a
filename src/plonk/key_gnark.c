/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reads keys of gnark: verifying keys, and proving keys that are followed by the trace of their circuit. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/gnark_plonk.h"
#include "io/gnark_files.h"
#include "io/memory.h"
#include "plonk/key_format.h"

typedef struct gnark_file {
    input_file *file;
    sumac_context *context;
    groups groups;
    gnark_plonk_key parts;
} gnark_file;

/* ---- The curve ---- */

int plonk_gnark_fits(const uint8_t *begins, size_t count)
{
    int fits;
    (void)gnark_plonk_domain(begins, count, &fits);
    return fits;
}

static sumac_status find_groups(gnark_file *gnark)
{
    input_file *file = gnark->file;
    uint8_t head[GNARK_PLONK_HEAD_BYTES] = {0};
    size_t got;
    int begins;
    TRY(input_seek(file, 0));
    TRY(input_read(file, head, sizeof head, &got));
    const size_t at = gnark_plonk_domain(head, got, &begins);
    return begins && gnark_find_groups(head + at, &gnark->groups)
               ? SUMAC_OK
               : fail(file->context, SUMAC_UNKNOWN_CURVE,
                      "%s: the domain, at byte %zu, is not a power of two and its inverse modulo the order "
                      "of a curve "
                      "that this build proves with; gnark's are bn254, bls12-381, bls12-377 and bw6-761",
                      file->path, at);
}

/* ---- The verifying key ---- */

/* Read a scalar, which must be less than r. */
static sumac_status read_scalar(const gnark_file *gnark, uint64_t at, const char *name, host_scalar *scalar)
{
    const sumac_group *g1 = gnark->groups.g1;
    uint8_t big[MOST_SCALAR_BYTES], raw[MOST_SCALAR_BYTES];
    TRY(input_seek(gnark->file, at));
    TRY(input_read_exactly(gnark->file, big, g1->scalar_bytes));
    reverse_bytes(raw, big, g1->scalar_bytes);
    if (scalars_first_too_large(g1, raw, 1) == 0) {
        return fail(gnark->context, SUMAC_BAD_ENCODING, "%s: %s, at byte %" PRIu64 ", is not less than r",
                    gnark->file->path, name, at);
    }
    *scalar = host_from_raw(g1, raw);
    return SUMAC_OK;
}

/* Read the commitments, and put them into the order of the items. */
static sumac_status read_points(const gnark_file *gnark, uint8_t *points)
{
    static const plonk_item order[] = {KEY_S1, KEY_S2, KEY_S3, KEY_QL, KEY_QR, KEY_QM, KEY_QO, KEY_QC};
    const sumac_group *g1 = gnark->groups.g1;
    uint8_t read[KEY_POLYNOMIALS * MOST_POINT_BYTES];
    TRY(gnark_read_points(gnark->file, g1, &gnark->parts.points, SUMAC_CHECK_SUBGROUP, read));
    for (size_t i = 0; i < KEY_POLYNOMIALS; i++) {
        memcpy(points + order[i] * (size_t)g1->point_bytes, read + i * g1->point_bytes, g1->point_bytes);
    }
    return gnark->parts.commitments == 0
               ? SUMAC_OK
               : gnark_read_points(gnark->file, g1, &gnark->parts.qcp, SUMAC_CHECK_SUBGROUP,
                                   points + KEY_POLYNOMIALS * (size_t)g1->point_bytes);
}

/* Read tau in the second group. The other points of the file must be the groups' generators. */
static sumac_status read_tau(const gnark_file *gnark, uint8_t *tau2)
{
    const sumac_group *g1 = gnark->groups.g1, *g2 = gnark->groups.g2;
    uint8_t read[2 * MOST_POINT_BYTES], expected[MOST_POINT_BYTES];
    for (int i = 0; i < 2; i++) {
        const gnark_points *points = i == 0 ? &gnark->parts.generator : &gnark->parts.generators2;
        const sumac_group *group = i == 0 ? g1 : g2;
        TRY(gnark_read_points(gnark->file, group, points, SUMAC_CHECK_SUBGROUP, read));
        TRY(sumac_group_generator(group, expected, group->point_bytes));
        if (memcmp(read, expected, group->point_bytes) != 0) {
            return fail(gnark->context, SUMAC_NOT_SUPPORTED,
                        "%s: %s, at byte %" PRIu64 ", is not the generator of the group", gnark->file->path,
                        points->name, points->offset);
        }
    }
    memcpy(tau2, read + g2->point_bytes, g2->point_bytes);
    return SUMAC_OK;
}

/* Read which gate has the value of each commitment. */
static sumac_status read_gates(const gnark_file *gnark, uint32_t *gates)
{
    const gnark_plonk_key *parts = &gnark->parts;
    TRY(input_seek(gnark->file, parts->constraints));
    for (uint32_t i = 0; i < parts->commitments; i++) {
        uint8_t number[8];
        TRY(input_read_exactly(gnark->file, number, sizeof number));
        const uint64_t constraint = load_be(number, sizeof number);
        if (constraint >= parts->domain - parts->publics) {
            return fail(gnark->context, SUMAC_BAD_FILE,
                        "%s: commitment %" PRIu32 ", at byte %" PRIu64 ", is that of constraint %" PRIu64
                        ", which does not exist",
                        gnark->file->path, i, parts->constraints + 8 * (uint64_t)i, constraint);
        }
        gates[i] = (uint32_t)(parts->publics + constraint);
    }
    return SUMAC_OK;
}

/* The root of the file must be gnark's root of the domain, because a key has no other. */
static sumac_status check_root(const gnark_file *gnark, const sumac_plonk_verifying_key *key)
{
    host_scalar root;
    TRY(read_scalar(gnark, gnark->parts.root, "the root of unity", &root));
    return host_is_zero(key->groups.g1, host_subtract(key->groups.g1, root, key->root))
               ? SUMAC_OK
               : fail(gnark->context, SUMAC_BAD_FILE,
                      "%s: the domain's generator, at byte %" PRIu64
                      ", is not gnark's root of unity of order %" PRIu64,
                      gnark->file->path, gnark->parts.root, gnark->parts.domain);
}

static sumac_status read_verifying(const gnark_file *gnark, sumac_plonk_verifying_key **verifying)
{
    const sumac_group *g1 = gnark->groups.g1;
    uint8_t points[MOST_KEY_POINTS * MOST_POINT_BYTES], tau2[MOST_POINT_BYTES];
    uint32_t gates[MOST_COMMITMENTS];
    CLEANUP(plonk_close_verifying) sumac_plonk_verifying_key *key = NULL;
    verifying_parts parts = {.flavour = &gnark_plonk,
                             .root_exponent = gnark->groups.gnark_root_exponent,
                             .publics = gnark->parts.publics,
                             .commitments = gnark->parts.commitments,
                             .commitment_gates = gates,
                             .power = (uint32_t)__builtin_ctzll(gnark->parts.domain),
                             .points = points,
                             .tau2 = tau2,
                             .what = gnark->file->path};
    TRY(read_scalar(gnark, gnark->parts.shift, "the shift of cosets", &parts.k1));
    parts.k2 = host_multiply(g1, parts.k1, parts.k1);
    TRY(read_points(gnark, points));
    TRY(read_tau(gnark, tau2));
    TRY(read_gates(gnark, gates));
    TRY(plonk_verifying_create(gnark->context, &gnark->groups, &parts, SUMAC_CHECK_NONE, &key));
    TRY(check_root(gnark, key));
    *verifying = key;
    key = NULL;
    return SUMAC_OK;
}

sumac_status plonk_gnark_read_verifying(input_file *file, sumac_plonk_verifying_key **verifying)
{
    gnark_file gnark = {.file = file, .context = file->context};
    TRY(find_groups(&gnark));
    const byte_source source = input_source(file);
    TRY(input_refuse(file, gnark_plonk_verifying_read(&gnark.parts, &source, gnark.groups.g1, gnark.groups.g2,
                                                      &file->why)));
    return read_verifying(&gnark, verifying);
}

/* ---- The proving key ---- */

static sumac_status read_powers(const gnark_file *gnark, const sumac_plonk_key_config *given,
                                sumac_plonk_key *key)
{
    const sumac_group *g1 = gnark->groups.g1;
    const size_t count = key_row(key);
    sumac_bases_config config = {.size = sizeof config};
    config.check = SUMAC_CHECK_NONE; /* gnark_read_points() checks them */
    config.precompute_factor = given->precompute_factor;
    TAKE_MEMORY(uint8_t, points, gnark->context, gnark->file->path, count * g1->point_bytes);
    TRY(gnark_read_points(gnark->file, g1, &gnark->parts.powers, (sumac_check)given->check, points));
    return sumac_bases_create(gnark->context, g1, points, count * g1->point_bytes, count, &config,
                              &key->powers);
}

/* Turn the values of a polynomial of the key into coefficients. */
static sumac_status interpolate(const gnark_file *gnark, sumac_plonk_key *key, plonk_item which)
{
    const sumac_transform_config config = key_transform(key, NULL, 1);
    sumac_vector row = key_polynomial(key, which);
    TRY(vector_ntt(context_executor(gnark->context), &row, &config));
    return context_report(gnark->context, (double)(key_number(which) + 1) / (double)key_polynomials(key));
}

/* Add the gates that a slice of a commitment's selector has to its list. The slice's values, which are 0 or 1, are those of the gates
 * from `first` on. */
static sumac_status add_committed(const gnark_file *gnark, sumac_plonk_key *key, uint32_t commitment,
                                  size_t first, const uint8_t *scalars, size_t count)
{
    const size_t each = gnark->groups.g1->scalar_bytes;
    uint32_t *end = &key->committed_ends[commitment];
    uint32_t *grown = memory_grow(gnark->context, gnark->file->path, key->committed,
                                  (*end + (uint64_t)count) * sizeof *grown);
    TRY(memory_got(grown));
    key->committed = grown;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *value = scalars + i * each;
        if (!all_zero(value, each - 1) || value[each - 1] > 1) {
            return fail(gnark->context, SUMAC_BAD_FILE,
                        "%s: the trace, %s of commitment %" PRIu32 ": value %zu is neither 0 nor 1",
                        gnark->file->path, gnark_plonk.names[KEY_QCP], commitment, first + i);
        }
        if (value[each - 1] == 1) {
            key->committed[(*end)++] = (uint32_t)(first + i);
        }
    }
    return SUMAC_OK;
}

/* Read the values of a selector, in slices. */
static sumac_status read_selector(const gnark_file *gnark, uint64_t at, sumac_plonk_key *key,
                                  plonk_item which)
{
    enum { SLICE = 1 << 15 };
    const sumac_element_layout layout = {.size = sizeof layout, .byte_order = SUMAC_BIG_ENDIAN};
    const size_t each = gnark->groups.g1->scalar_bytes, n = key->domain, step = smaller(n, SLICE);
    executor *self = context_executor(gnark->context);
    TAKE_MEMORY(uint8_t, scalars, gnark->context, gnark->file->path, step * each);
    TRY(input_seek(gnark->file, at));
    for (size_t first = 0; first < n; first += step) {
        TRY(input_read_exactly(gnark->file, scalars, step * each));
        const sumac_status status =
            vector_set(self, key->polynomials, key_number(which) * n + first, step, scalars, &layout);
        if (status == SUMAC_BAD_ENCODING) {
            return refuse_in(&self->message, status, "%s: the trace, %s, from byte %" PRIu64 " on",
                             gnark->file->path, gnark_plonk.names[smaller(which, KEY_QCP)],
                             at + first * each);
        }
        TRY(status);
        if (which >= KEY_QCP) {
            TRY(add_committed(gnark, key, (uint32_t)(which - KEY_QCP), first, scalars, step));
        }
    }
    return interpolate(gnark, key, which);
}

/* Set a vector to the names of the 3n wires: w^i, k1 w^i and k2 w^i. */
static sumac_status name_wires(const gnark_file *gnark, const sumac_plonk_key *key, sumac_vector *names)
{
    const sumac_group *g1 = gnark->groups.g1;
    executor *self = context_executor(gnark->context);
    const host_scalar factors[] = {host_integer(g1, 1), key->verifying->k1, key->verifying->k2};
    TRY(vector_fill_integer(self, names, 1));
    for (uint64_t k = 0; k < GATE_WIRES; k++) {
        uint8_t raw[MOST_SCALAR_BYTES];
        sumac_vector row = vector_part(names, k * key->domain, key->domain);
        host_to_raw(g1, factors[k], raw);
        TRY(vector_scale_powers(self, &row, key->domain, raw, key->root));
    }
    return SUMAC_OK;
}

/* Read the permutation, in slices, and set the polynomials sigma to the names of the wires to which it leads. */
static sumac_status read_permutation(const gnark_file *gnark, sumac_plonk_key *key)
{
    enum { SLICE = 1 << 15 };
    const uint64_t n = key->domain, wires = GATE_WIRES * n;
    executor *self = context_executor(gnark->context);
    const size_t step = smaller(wires, SLICE);
    LOCAL_SCALARS(names, self, gnark->groups.g1, wires);
    TAKE_MEMORY(uint64_t, numbers, gnark->context, gnark->file->path, step * sizeof *numbers);
    TRY(name_wires(gnark, key, names));
    TRY(input_seek(gnark->file, gnark->parts.permutation));
    for (uint64_t first = 0, some; first < wires; first += some) {
        some = smaller(wires - first, step);
        TRY(input_read_exactly(gnark->file, numbers, some * sizeof *numbers));
        for (uint64_t i = 0; i < some; i++) {
            numbers[i] = load_be((const uint8_t *)&numbers[i], sizeof *numbers);
            if (numbers[i] >= wires) {
                return fail(gnark->context, SUMAC_BAD_FILE,
                            "%s: the permutation, at byte %" PRIu64 ", has wire %" PRIu64
                            ", which does not exist",
                            gnark->file->path, gnark->parts.permutation + 8 * (first + i), numbers[i]);
            }
        }
        sumac_vector row = vector_part(key->polynomials, KEY_S1 * n + first, some);
        TRY(vector_gather(self, &row, names, 1, numbers, some));
    }
    for (plonk_item which = KEY_S1; which <= KEY_S3; which++) {
        TRY(interpolate(gnark, key, which));
    }
    return SUMAC_OK;
}

static sumac_status read_polynomials(const gnark_file *gnark, sumac_plonk_key *key)
{
    static const plonk_item order[] = {KEY_QL, KEY_QR, KEY_QM, KEY_QO, KEY_QC};
    TRY(vector_create(context_executor(gnark->context), gnark->groups.g1, SUMAC_VECTOR_SCALARS,
                      plonk_key_points(key->verifying) * key->domain, &key->polynomials));
    for (size_t i = 0; i < GNARK_PLONK_SELECTORS; i++) {
        TRY(read_selector(gnark, gnark->parts.selectors[i], key, order[i]));
    }
    for (uint32_t i = 0; i < gnark->parts.commitments; i++) {
        key->committed_ends[i] = i == 0 ? 0 : key->committed_ends[i - 1];
        TRY(read_selector(gnark, gnark->parts.selectors[GNARK_PLONK_SELECTORS + i], key,
                          (plonk_item)(KEY_QCP + i)));
    }
    return read_permutation(gnark, key);
}

sumac_status plonk_gnark_read(input_file *file, const sumac_plonk_key_config *config, sumac_plonk_key *key)
{
    gnark_file gnark = {.file = file, .context = file->context};
    TRY(find_groups(&gnark));
    const byte_source source = input_source(file);
    TRY(input_refuse(
        file, gnark_plonk_proving_read(&gnark.parts, &source, gnark.groups.g1, gnark.groups.g2, &file->why)));
    key->domain = (uint32_t)gnark.parts.domain;
    key->gates = (uint32_t)gnark.parts.gates;
    key->wires = (uint32_t)(GATE_WIRES * gnark.parts.domain + 2 * (uint64_t)gnark.parts.commitments);
    TRY(read_verifying(&gnark, &key->verifying));
    plonk_key_find_roots(key);
    TRY(read_powers(&gnark, config, key));
    return read_polynomials(&gnark, key);
}
