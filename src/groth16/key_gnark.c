/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Proving keys of gnark. They have no constraints: gnark's solver multiplies the matrices, whose products come with a
 * witness. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "codec/bytes.h"
#include "groth16/gnark_input.h"
#include "groth16/key_format.h"
#include "io/memory.h"

typedef struct gnark_key {
    input_file *file;
    const sumac_groth16_key_config *config;
    uint32_t multiples; /* of each base */
    int replicated;     /* each of several devices has all bases */
    groups groups;
    gnark_proving_key parts;
} gnark_key;

/* ---- The domain ---- */

static int find_groups(const uint8_t *domain, groups *found)
{
    for (size_t i = 0; i < groups_count(); i++) {
        if (groups_at(i, found) && gnark_domain_is_of(domain, found->info1)) {
            return 1;
        }
    }
    return 0;
}

/* base^exponent, the base a raw scalar, which becomes the power. */
static sumac_status raise(sumac_context *context, const sumac_curve *curve, uint64_t exponent, uint8_t *base)
{
    const uint8_t one[MOST_SCALAR_BYTES] = {1};
    sumac_vector *power = NULL, *square = NULL;
    sumac_status status = sumac_vector_create(context, curve, SUMAC_VECTOR_SCALARS, 1, &power);
    status =
        status == SUMAC_OK ? sumac_vector_create(context, curve, SUMAC_VECTOR_SCALARS, 1, &square) : status;
    status = status == SUMAC_OK ? sumac_vector_fill(context, power, one) : status;
    status = status == SUMAC_OK ? sumac_vector_fill(context, square, base) : status;
    for (; exponent != 0 && status == SUMAC_OK; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            status = sumac_vector_multiply(context, power, square, 1, power);
        }
        status = status == SUMAC_OK ? sumac_vector_multiply(context, square, square, 1, square) : status;
    }
    status = status == SUMAC_OK ? sumac_vector_get(context, power, 0, 1, NULL, base) : status;
    sumac_vector_destroy(power);
    sumac_vector_destroy(square);
    return status;
}

/* The root of unity that the matrices' rows stand for is the power of ours that is expected. */
static sumac_status check_generator(const gnark_key *key, const uint8_t *domain, size_t at)
{
    uint8_t root[MOST_SCALAR_BYTES], expected[MOST_SCALAR_BYTES];
    const groups *of = &key->groups;
    const uint8_t *generator = gnark_domain_generator(domain, of->info1);
    sumac_status status = sumac_root_of_unity(of->g1, (uint32_t)__builtin_ctzll(key->parts.domain), root);
    status = status == SUMAC_OK ? raise(key->file->context, of->g1, of->gnark_root_exponent, root) : status;
    reverse_bytes(expected, root, of->info1->scalar_bytes);
    return status != SUMAC_OK || memcmp(generator, expected, of->info1->scalar_bytes) == 0
               ? status
               : fail(key->file->context, SUMAC_BAD_FILE,
                      "%s: the domain's generator, at byte %zu, is not gnark's root of unity of order "
                      "%" PRIu64,
                      key->file->path, at + (size_t)(generator - domain), key->parts.domain);
}

/* Where everything lies, and the domain's shift. */
static sumac_status read_layout(gnark_key *key, uint8_t shift[MOST_SCALAR_BYTES])
{
    uint8_t bytes[GNARK_MARKER_BYTES + GNARK_DOMAIN_BYTES] = {0};
    size_t got;
    sumac_message why = {""};
    input_file *file = key->file;
    sumac_status status = input_seek(file, 0);
    status = status == SUMAC_OK ? input_read(file, bytes, sizeof bytes, &got) : status;
    if (status != SUMAC_OK) {
        return status;
    }
    const size_t at = gnark_domain_offset(bytes, got);
    if (!find_groups(bytes + at, &key->groups)) {
        return fail(
            file->context, SUMAC_UNKNOWN_CURVE,
            "%s: the domain, at byte %zu, is not a power of two and its inverse modulo the order of a curve "
            "that this build proves with; gnark's are bn254, bls12-381, bls12-377 and bw6-761",
            file->path, at);
    }
    const byte_source source = input_source(file);
    status = gnark_proving_key_read(&key->parts, &source, key->groups.info1, key->groups.info2, &why);
    if (status == SUMAC_OK && (key->parts.domain > UINT32_C(1) << 31 || key->parts.wires > UINT32_MAX)) {
        status = refuse(&why, SUMAC_NOT_SUPPORTED,
                        "a domain of %" PRIu64 " and %" PRIu64 " wires are more than 2^31 and 2^32",
                        key->parts.domain, key->parts.wires);
    }
    status = input_refuse(file, status, &why);
    status =
        status == SUMAC_OK ? key_find_shift(file, &key->groups, (uint32_t)key->parts.domain, shift) : status;
    return status == SUMAC_OK ? check_generator(key, bytes + at, at) : status;
}

/* ---- The verifying key ---- */

static sumac_status take_verifying(const gnark_key *key, sumac_groth16_key *made)
{
    uint8_t alpha1[MOST_POINT_BYTES];
    const sumac_status status =
        gnark_points_read(key->file, key->groups.g1, &key->parts.alpha1, key->config->check, alpha1);
    return status == SUMAC_OK ? key_take_verifying(key->file, &key->groups, key->config, alpha1, made)
                              : status;
}

/* ---- Bases ---- */

/* What stands in a sum, from the front: points of the file, or infinity (null). With `infinity` the last ones are the
 * wires', and from that byte on the file has a byte for each wire, 1 if it has no point. */
typedef struct bases_plan {
    const sumac_curve *curve;
    const gnark_points *parts[4];
    size_t part_count;
    uint64_t infinity; /* 0: there are no such bytes */
} bases_plan;

static const gnark_points *last_of(const bases_plan *plan)
{
    return plan->parts[plan->part_count - 1];
}

/* Where each point of the plan stands, infinity left out; `count` of them. */
static sumac_status fill_rows(const gnark_key *key, const bases_plan *plan, const uint8_t *is_infinity,
                              uint64_t count, uint64_t *rows)
{
    const uint64_t wires = key->parts.wires;
    uint64_t next = 0, row = 0, wire = 0;
    for (; row + 1 < plan->part_count; row++) {
        if (plan->parts[row] != NULL) {
            rows[next++] = row;
        }
    }
    for (; wire < wires && is_infinity[wire] <= 1 && (is_infinity[wire] == 1 || next < count); wire++) {
        if (is_infinity[wire] == 0) {
            rows[next++] = row + wire;
        }
    }
    return wire == wires && next == count
               ? SUMAC_OK
               : fail(key->file->context, SUMAC_BAD_FILE,
                      "%s: the wires at infinity, from byte %" PRIu64 " on, leave not %" PRIu64 " for %s",
                      key->file->path, plan->infinity, last_of(plan)->count, last_of(plan)->name);
}

/* The same in memory that the caller frees, also after a failure. */
static sumac_status read_rows(const gnark_key *key, const bases_plan *plan, uint64_t count, uint64_t **rows)
{
    input_file *file = key->file;
    const size_t wires = (size_t)key->parts.wires, bytes = (size_t)count * sizeof **rows;
    sumac_status status = memory_require(file->context, file->path, bytes + wires);
    uint8_t *is_infinity = NULL;
    *rows = NULL;
    if (status == SUMAC_OK) {
        is_infinity = memory_allocate(file->context, file->path, wires, &status);
    }
    if (status == SUMAC_OK) {
        *rows = memory_allocate(file->context, file->path, bytes, &status);
    }
    status = status == SUMAC_OK ? input_seek(file, plan->infinity) : status;
    status = status == SUMAC_OK ? input_read_exactly(file, is_infinity, wires) : status;
    status = status == SUMAC_OK ? fill_rows(key, plan, is_infinity, count, *rows) : status;
    free(is_infinity);
    return status;
}

/* All parts, with infinity or without. */
static sumac_status read_points(const gnark_key *key, const bases_plan *plan, int with_infinity,
                                uint8_t *points)
{
    const size_t bytes = sumac_curve_describe(plan->curve)->point_bytes;
    sumac_status status = SUMAC_OK;
    for (size_t i = 0; i < plan->part_count && status == SUMAC_OK; i++) {
        const gnark_points *part = plan->parts[i];
        if (part != NULL) {
            status = gnark_points_read(key->file, plan->curve, part, key->config->check, points);
            points += part->count * bytes;
        } else if (with_infinity) {
            memset(points, 0, bytes);
            points += bytes;
        }
    }
    return status;
}

static sumac_status make_bases(const gnark_key *key, const bases_plan *plan, int with_infinity,
                               uint64_t count, sumac_bases **bases)
{
    input_file *file = key->file;
    const uint64_t bytes = count * sumac_curve_describe(plan->curve)->point_bytes;
    sumac_bases_config config = sumac_bases_config_default();
    config.check = SUMAC_CHECK_NONE; /* they have been checked */
    config.precompute_factor = key->multiples;
    config.replicated = (uint32_t)key->replicated;
    sumac_status status;
    uint8_t *points = memory_allocate(file->context, file->path, bytes, &status);
    status = status == SUMAC_OK ? read_points(key, plan, with_infinity, points) : status;
    status = status == SUMAC_OK
                 ? sumac_bases_create(file->context, plan->curve, points, (size_t)count, &config, bases)
                 : status;
    free(points);
    return status;
}

/* A sum over the wires: without infinity, unless every wire has a point. */
static sumac_status read_set(const gnark_key *key, const bases_plan *plan, base_set *set)
{
    const int is_full = last_of(plan)->count == key->parts.wires;
    uint64_t count = last_of(plan)->count;
    for (size_t i = 0; i + 1 < plan->part_count; i++) {
        count += plan->parts[i] != NULL;
    }
    sumac_status status = read_rows(key, plan, count, &set->rows);
    if (is_full) {
        free(set->rows);
        set->rows = NULL;
        count = plan->part_count - 1 + key->parts.wires;
    }
    return status == SUMAC_OK ? make_bases(key, plan, is_full, count, &set->bases) : status;
}

/* Of h there are all coefficients but the last, which is 0: infinity stands for it. */
static sumac_status read_all_bases(const gnark_key *key, sumac_groth16_key *made)
{
    const gnark_proving_key *parts = &key->parts;
    const sumac_curve *g1 = key->groups.g1, *g2 = key->groups.g2;
    const bases_plan a = {g1, {&parts->alpha1, &parts->delta1, NULL, &parts->a}, 4, parts->infinity_a};
    const bases_plan b1 = {g1, {&parts->beta1, NULL, NULL, &parts->b1}, 4, parts->infinity_b};
    const bases_plan b2 = {g2, {&parts->beta2, NULL, &parts->delta2, &parts->b2}, 4, parts->infinity_b};
    const bases_plan c = {g1, {&parts->k, &parts->z, NULL}, 3, 0};
    sumac_status status = read_set(key, &a, &made->a);
    status = status == SUMAC_OK ? read_set(key, &b1, &made->b1) : status;
    status = status == SUMAC_OK ? read_set(key, &b2, &made->b2) : status;
    return status == SUMAC_OK ? make_bases(key, &c, 1, parts->k.count + parts->domain, &made->c) : status;
}

/* ---- The key ---- */

static sumac_status read_key(input_file *file, const sumac_groth16_key_config *config,
                             sumac_groth16_key *made)
{
    gnark_key key = {.file = file, .config = config};
    sumac_status status = read_layout(&key, made->shift);
    if (status != SUMAC_OK) {
        return status;
    }
    made->wires = (uint32_t)key.parts.wires;
    made->publics = (uint32_t)key.parts.publics;
    made->domain = (uint32_t)key.parts.domain;
    made->takes_products = 1;
    made->root_exponent = key.groups.gnark_root_exponent;
    key.multiples = key_multiples(file, &key.groups, made, config->precompute_factor);
    key.replicated = key_is_replicated(file, &key.groups, made);
    status = take_verifying(&key, made);
    return status == SUMAC_OK ? read_all_bases(&key, made) : status;
}

/* Nothing else that is read here begins with three zeros. */
static int fits(const uint8_t *begins, size_t count)
{
    const size_t at = gnark_domain_offset(begins, count);
    return at != 0 || gnark_domain_begins(begins, count);
}

const key_format gnark_key_format = {fits, read_key};
