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

static sumac_status read_domain(gnark_key *key)
{
    uint8_t bytes[GNARK_MARKER_BYTES + GNARK_DOMAIN_BYTES] = {0};
    size_t got;
    refusal why = {""};
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
    return status == SUMAC_OK ? check_generator(key, bytes + at, at) : status;
}

/* ---- The verifying key ---- */

static sumac_status mismatch(const gnark_key *key, const char *what)
{
    return fail(key->file->context, SUMAC_MISMATCH, "%s: the verifying key is another key's: %s",
                key->file->path, what);
}

/* The caller's, of the same circuit by all that can be compared, or one that does not verify. */
static sumac_status take_verifying(const gnark_key *key, sumac_groth16_key *made)
{
    const sumac_groth16_verifying_key *given = key->config->verifying;
    uint8_t alpha1[MOST_POINT_BYTES];
    sumac_status status = SUMAC_OK;
    if (given == NULL) {
        status = verifying_create_without(key->file->context, &key->groups, key->parts.publics,
                                          &made->own_verifying);
        made->verifying = made->own_verifying;
        return status;
    }
    made->verifying = given;
    if (given->groups.g1 != key->groups.g1) {
        return mismatch(key, "its curve is not this one's");
    }
    if (given->publics != key->parts.publics) {
        return mismatch(key, "it has another number of public inputs");
    }
    status = gnark_points_read(key->file, key->groups.g1, &key->parts.alpha1, key->config->check, alpha1);
    return status == SUMAC_OK && memcmp(alpha1, given->alpha1, key->groups.info1->point_bytes) != 0
               ? mismatch(key, "its alpha is not G1.Alpha here")
               : status;
}

/* ---- Bases ---- */

/* What stands in a sum, from the front: points of the file, or infinity (null), and a slice with a byte for each wire that
 * says whether its point is infinity (0: there is none). */
typedef struct bases_plan {
    const sumac_curve *curve;
    const gnark_points *parts[4];
    size_t part_count;
    uint64_t infinity;
} bases_plan;

static uint64_t count_of(const gnark_points *part)
{
    return part == NULL ? 1 : part->count;
}

/* The last points of the plan, which are fewer than the wires, to where their wires are. */
static sumac_status spread(const gnark_key *key, const bases_plan *plan, const uint8_t *is_infinity,
                           uint8_t *points)
{
    const size_t bytes = sumac_curve_describe(plan->curve)->point_bytes;
    const gnark_points *last = plan->parts[plan->part_count - 1];
    uint64_t left = last->count, wire = key->parts.wires;
    while (wire > 0) {
        wire--;
        if (is_infinity[wire] > 1 || (is_infinity[wire] == 0) > left) {
            break;
        }
        if (is_infinity[wire] == 1) {
            memset(points + wire * bytes, 0, bytes);
        } else if (--left != wire) {
            memcpy(points + wire * bytes, points + left * bytes, bytes);
        }
        if (wire == 0 && left == 0) {
            return SUMAC_OK;
        }
    }
    return fail(key->file->context, SUMAC_BAD_FILE,
                "%s: the wires at infinity, from byte %" PRIu64 " on, leave not %" PRIu64 " for %s",
                key->file->path, plan->infinity, last->count, last->name);
}

static sumac_status spread_wires(const gnark_key *key, const bases_plan *plan, uint8_t *points)
{
    input_file *file = key->file;
    const size_t wires = (size_t)key->parts.wires;
    uint8_t *is_infinity = malloc(wires);
    sumac_status status = is_infinity == NULL ? memory_failed(file->context, file->path, wires) : SUMAC_OK;
    status = status == SUMAC_OK ? input_seek(file, plan->infinity) : status;
    status = status == SUMAC_OK ? input_read_exactly(file, is_infinity, wires) : status;
    status = status == SUMAC_OK ? spread(key, plan, is_infinity, points) : status;
    free(is_infinity);
    return status;
}

/* All parts, where there is room for one more point than the plan's, or for every wire. */
static sumac_status read_parts(const gnark_key *key, const bases_plan *plan, uint8_t *points)
{
    const size_t bytes = sumac_curve_describe(plan->curve)->point_bytes;
    sumac_status status = SUMAC_OK;
    for (size_t i = 0; i < plan->part_count && status == SUMAC_OK; i++) {
        const gnark_points *part = plan->parts[i];
        if (part != NULL) {
            status = gnark_points_read(key->file, plan->curve, part, key->config->check, points);
        }
        if (status == SUMAC_OK && i + 1 == plan->part_count && plan->infinity != 0) {
            status = spread_wires(key, plan, points);
        }
        points += count_of(part) * bytes;
    }
    return status;
}

/* rows: null, where all bases are to stay. */
static sumac_status read_bases(const gnark_key *key, const bases_plan *plan, sumac_bases **bases,
                               uint64_t **rows)
{
    const size_t bytes = sumac_curve_describe(plan->curve)->point_bytes;
    input_file *file = key->file;
    sumac_bases_config config = sumac_bases_config_default();
    uint64_t count = plan->infinity == 0 ? 0 : key->parts.wires - plan->parts[plan->part_count - 1]->count;
    for (size_t i = 0; i < plan->part_count; i++) {
        count += count_of(plan->parts[i]);
    }
    config.check = SUMAC_CHECK_NONE; /* they have been checked */
    config.precompute_factor = key->config->precompute_factor;
    sumac_status status = memory_require(file->context, file->path, count * bytes);
    uint8_t *points = status == SUMAC_OK ? calloc((size_t)count, bytes) : NULL;
    if (status == SUMAC_OK && points == NULL) {
        status = memory_failed(file->context, file->path, count * bytes);
    }
    status = status == SUMAC_OK ? read_parts(key, plan, points) : status;
    status = status == SUMAC_OK ? key_bases_create(file, plan->curve, points, count, &config, bases, rows)
                                : status;
    free(points);
    return status;
}

/* Of h there are all coefficients but the last, which is 0: infinity stands for it. */
static sumac_status read_all_bases(const gnark_key *key, sumac_groth16_key *made)
{
    const gnark_proving_key *parts = &key->parts;
    const sumac_curve *g1 = key->groups.g1, *g2 = key->groups.g2;
    const bases_plan a = {g1, {&parts->alpha1, &parts->delta1, NULL, &parts->a}, 4, parts->infinity_a};
    const bases_plan b1 = {g1, {&parts->beta1, NULL, &parts->delta1, &parts->b1}, 4, parts->infinity_b};
    const bases_plan b2 = {g2, {&parts->beta2, NULL, &parts->delta2, &parts->b2}, 4, parts->infinity_b};
    const bases_plan c = {g1, {&parts->delta1, &parts->k, &parts->z, NULL}, 4, 0};
    sumac_status status = read_bases(key, &a, &made->a.bases, &made->a.rows);
    status = status == SUMAC_OK ? read_bases(key, &b1, &made->b1.bases, &made->b1.rows) : status;
    status = status == SUMAC_OK ? read_bases(key, &b2, &made->b2.bases, &made->b2.rows) : status;
    return status == SUMAC_OK ? read_bases(key, &c, &made->c, NULL) : status;
}

/* ---- The key ---- */

static sumac_status read_key(input_file *file, const sumac_groth16_key_config *config,
                             sumac_groth16_key *made)
{
    gnark_key key = {.file = file, .config = config};
    sumac_status status = read_domain(&key);
    if (status != SUMAC_OK) {
        return status;
    }
    made->wires = (uint32_t)key.parts.wires;
    made->publics = (uint32_t)key.parts.publics;
    made->domain = (uint32_t)key.parts.domain;
    made->takes_products = 1;
    made->root_exponent = key.groups.gnark_root_exponent;
    status = key_find_shift(file, &key.groups, made->domain, made->shift);
    status = status == SUMAC_OK ? take_verifying(&key, made) : status;
    return status == SUMAC_OK ? read_all_bases(&key, made) : status;
}

/* Nothing else that is read here begins with three zeros. */
static int fits(const uint8_t *begins, size_t count)
{
    const size_t at = gnark_domain_offset(begins, count);
    return at != 0 || gnark_domain_begins(begins, count);
}

const key_format gnark_key_format = {fits, read_key};
