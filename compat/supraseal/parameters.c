/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A file of bellperson's parameters has, without padding,
 *
 *   alpha_g1, beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2
 *   for each of IC, H, L, A, B in G1, B in G2: the number of points in 4 bytes, big-endian, and the points
 *
 * Points are uncompressed, as Zcash writes them. Variables that do not occur in A or B have no point there. The file is
 * read, and not mapped, because a mapped file that is truncated meanwhile would end the process.
 */
#define _POSIX_C_SOURCE 200809L /* pread(), O_CLOEXEC */

#include "parameters.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char UNCOMPRESSED[] = "zcash-uncompressed";

enum {
    MOST_CONTEXTS = 8, /* if more calls than this compute at once, the others wait */
    COUNT_BYTES = 4,
    POINTS_OF_KEY = 6,
    DECODED_TOGETHER = 1 << 16,              /* points */
    KEY_BYTES = 3 * G1_BYTES + 3 * G2_BYTES, /* the first six points */
    GNARK_ENDS_BYTES =
        8 /* in a verifying key of gnark, two numbers 0 follow the points IC: it has no commitments */
};

/* One of the first six points. */
typedef struct key_point {
    const char *name;
    size_t offset;
    int is_in_g2;
} key_point;

static const key_point key_points[POINTS_OF_KEY] = {
    {"alpha_g1", 0, 0},
    {"beta_g1", G1_BYTES, 0},
    {"beta_g2", 2 * G1_BYTES, 1},
    {"gamma_g2", 2 * G1_BYTES + G2_BYTES, 1},
    {"delta_g1", 2 * G1_BYTES + 2 * G2_BYTES, 0},
    {"delta_g2", 3 * G1_BYTES + 2 * G2_BYTES, 1},
};

static const char *const set_names[SETS] = {"H", "L", "A", "B in G1", "B in G2"};

/* A file that is being loaded. */
typedef struct loading {
    supraseal_call *call;
    supraseal_parameters *parameters;
    int descriptor;
    uint64_t bytes;         /* length of the file */
    uint64_t offsets[SETS]; /* where the points of each set begin */
} loading;

static uint32_t load_be32(const uint8_t bytes[COUNT_BYTES])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int is_infinity(const uint8_t *point, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (point[i] != 0) {
            return 0;
        }
    }
    return 1;
}

/* Fail because of the file. */
#define REFUSE_FILE(l, status, format, ...)                                                                  \
    sumac_supraseal_refuse((l)->call, status, "%s: " format, (l)->parameters->path, __VA_ARGS__)

/* Fail because of points, with the sentence of the context's last call. */
static sumac_status refuse_points(loading *l, sumac_status status, const char *name, uint64_t offset)
{
    return REFUSE_FILE(l, status, "%s, from byte %" PRIu64 " on: %.300s", name, offset,
                       sumac_context_message(l->call->context));
}

static sumac_status read_bytes(loading *l, uint64_t offset, uint8_t *to, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = pread(l->descriptor, to + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno != EINTR) {
            return REFUSE_FILE(l, SUMAC_READ_FAILED, "%s", strerror(errno));
        }
        if (got == 0) {
            return REFUSE_FILE(l, SUMAC_BAD_FILE, "the file ended at byte %" PRIu64 " while it was read",
                               offset + done);
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return SUMAC_OK;
}

/* Read the number of points at *offset, check that the file has so many, and move *offset behind them. */
static sumac_status pass_points(loading *l, const char *name, size_t each, uint64_t *offset, size_t *count)
{
    uint8_t number[COUNT_BYTES];
    if (l->bytes < *offset + COUNT_BYTES) {
        return REFUSE_FILE(l, SUMAC_BAD_FILE,
                           "the file has %" PRIu64
                           " bytes, and the number of points %s would be at byte %" PRIu64,
                           l->bytes, name, *offset);
    }
    TRY(read_bytes(l, *offset, number, sizeof number));
    *count = load_be32(number);
    if ((l->bytes - *offset - COUNT_BYTES) / each < *count) {
        return REFUSE_FILE(l, SUMAC_BAD_FILE,
                           "%zu points %s would begin at byte %" PRIu64 ", but the file of %" PRIu64
                           " bytes has not so many",
                           *count, name, *offset + COUNT_BYTES, l->bytes);
    }
    *offset += COUNT_BYTES + *count * each;
    return SUMAC_OK;
}

/* Check that counts fit each other. Each constraint's product has a degree of at most 2*domain - 2, so that H has one point
 * less than the domain. All inputs occur in A. */
static sumac_status check_counts(loading *l)
{
    supraseal_parameters *p = l->parameters;
    const size_t *counts = p->counts;
    p->domain = counts[SET_H] + 1;
    if ((p->domain & (p->domain - 1)) != 0) {
        return REFUSE_FILE(l, SUMAC_BAD_FILE, "%zu points H are not one less than a power of two",
                           counts[SET_H]);
    }
    if (p->inputs == 0) {
        return REFUSE_FILE(l, SUMAC_BAD_FILE, "there are %zu points IC, but there is always the input 1",
                           p->inputs);
    }
    if (counts[SET_A] < p->inputs || counts[SET_A] - p->inputs > counts[SET_L]) {
        return REFUSE_FILE(l, SUMAC_BAD_FILE,
                           "%zu points A do not fit %zu points IC, for the inputs, and %zu points L, for the "
                           "other variables",
                           counts[SET_A], p->inputs, counts[SET_L]);
    }
    if (counts[SET_B_G1] != counts[SET_B_G2] || counts[SET_B_G1] > p->inputs + counts[SET_L]) {
        return REFUSE_FILE(l, SUMAC_BAD_FILE,
                           "%zu points B in G1 and %zu in G2 do not fit each other and %zu variables",
                           counts[SET_B_G1], counts[SET_B_G2], p->inputs + counts[SET_L]);
    }
    return SUMAC_OK;
}

/* Find the sets in the file, and check its length. */
static sumac_status find_sets(loading *l)
{
    supraseal_parameters *p = l->parameters;
    uint64_t offset = KEY_BYTES;
    TRY(pass_points(l, "IC", G1_BYTES, &offset, &p->inputs));
    for (int set = 0; set < SETS; set++) {
        l->offsets[set] = offset + COUNT_BYTES;
        TRY(pass_points(l, set_names[set], set == SET_B_G2 ? G2_BYTES : G1_BYTES, &offset, &p->counts[set]));
    }
    if (offset != l->bytes) {
        return REFUSE_FILE(l, SUMAC_BAD_FILE,
                           "by its counts it would end at byte %" PRIu64 ", but it has %" PRIu64 " bytes",
                           offset, l->bytes);
    }
    return check_counts(l);
}

/* Decode one of the first six points, and keep it if proofs need it. */
static sumac_status take_key_point(loading *l, const uint8_t *key, int index)
{
    supraseal_parameters *p = l->parameters;
    const key_point *point = &key_points[index];
    const sumac_group *group = point->is_in_g2 ? p->g2 : p->g1;
    uint8_t *const kept[POINTS_OF_KEY] = {p->g1_points[ALPHA],      p->g1_points[BETA],
                                          p->g2_points[BETA_OF_G2], NULL,
                                          p->g1_points[DELTA],      p->g2_points[DELTA_OF_G2]};
    uint8_t raw[G2_BYTES];
    const sumac_status status =
        sumac_points_decode(l->call->context, group, key + point->offset, group->point_bytes, 1, UNCOMPRESSED,
                            SUMAC_CHECK_SUBGROUP, raw, sizeof raw);
    if (status != SUMAC_OK) {
        return refuse_points(l, status, point->name, point->offset);
    }
    if (is_infinity(raw, group->point_bytes)) {
        return REFUSE_FILE(l, SUMAC_BAD_FILE, "%s is infinity, so that proofs would show nothing",
                           point->name);
    }
    if (kept[index] != NULL) {
        memcpy(kept[index], raw, group->point_bytes);
    }
    return SUMAC_OK;
}

/* Create the verifying key. gnark's files of uncompressed points have the same bytes as bellperson's, and two numbers
 * more. */
static sumac_status take_verifying_key(loading *l)
{
    supraseal_parameters *p = l->parameters;
    const size_t bytes = KEY_BYTES + COUNT_BYTES + p->inputs * G1_BYTES;
    sumac_status status = SUMAC_OK;
    uint8_t *key = calloc(1, bytes + GNARK_ENDS_BYTES);
    if (key == NULL) {
        return REFUSE_FILE(l, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for the verifying key",
                           bytes + GNARK_ENDS_BYTES);
    }
    status = read_bytes(l, 0, key, bytes);
    for (int i = 0; i < POINTS_OF_KEY && status == SUMAC_OK; i++) {
        status = take_key_point(l, key, i);
    }
    if (status == SUMAC_OK) {
        status = sumac_groth16_verifying_key_create(l->call->context, key, bytes + GNARK_ENDS_BYTES,
                                                    &p->verifying);
        if (status != SUMAC_OK) {
            (void)refuse_points(l, status, "IC", KEY_BYTES + COUNT_BYTES);
        }
    }
    free(key);
    return status;
}

/* Read and decode points [first, first + count) of a set. Like bellperson, refuse infinity. */
static sumac_status decode_points(loading *l, int set, const sumac_group *group, size_t first, size_t count,
                                  uint8_t *records, uint8_t *points)
{
    const size_t each = group->point_bytes;
    const uint64_t offset = l->offsets[set] + first * each;
    TRY(read_bytes(l, offset, records, count * each));
    const sumac_status status = sumac_points_decode(l->call->context, group, records, count * each, count,
                                                    UNCOMPRESSED, SUMAC_CHECK_CURVE, points, count * each);
    if (status != SUMAC_OK) {
        return refuse_points(l, status, set_names[set], offset);
    }
    for (size_t i = 0; i < count; i++) {
        if (is_infinity(points + i * each, each)) {
            return REFUSE_FILE(l, SUMAC_BAD_FILE, "point %zu of %s, at byte %" PRIu64 ", is infinity",
                               first + i, set_names[set], offset + i * each);
        }
    }
    return SUMAC_OK;
}

/* Create the bases of a set. `records` and `points` have memory for DECODED_TOGETHER and for all points. */
static sumac_status create_set(loading *l, int set, const sumac_group *group, uint8_t *records,
                               uint8_t *points)
{
    supraseal_parameters *p = l->parameters;
    const size_t count = p->counts[set], each = group->point_bytes;
    sumac_bases_config config = {.size = sizeof config};
    config.check = SUMAC_CHECK_NONE; /* they were checked when they were decoded */
    config.page_locked = 1;          /* if a GPU lacks memory */
    for (size_t first = 0; first < count; first += DECODED_TOGETHER) {
        const size_t left = count - first, some = left < DECODED_TOGETHER ? left : DECODED_TOGETHER;
        TRY(decode_points(l, set, group, first, some, records, points + first * each));
    }
    const sumac_status status =
        sumac_bases_create(l->call->context, group, points, count * each, count, &config, &p->sets[set]);
    return status == SUMAC_OK ? SUMAC_OK : refuse_points(l, status, set_names[set], l->offsets[set]);
}

static sumac_status take_set(loading *l, int set)
{
    const sumac_group *group = set == SET_B_G2 ? l->parameters->g2 : l->parameters->g1;
    const size_t bytes = (DECODED_TOGETHER + l->parameters->counts[set]) * group->point_bytes;
    uint8_t *memory = malloc(bytes);
    if (memory == NULL) {
        return REFUSE_FILE(l, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for the points %s", bytes,
                           set_names[set]);
    }
    const sumac_status status =
        create_set(l, set, group, memory, memory + DECODED_TOGETHER * group->point_bytes);
    free(memory);
    return status;
}

static sumac_status load_file(loading *l)
{
    struct stat facts;
    if (fstat(l->descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return REFUSE_FILE(l, SUMAC_CANNOT_OPEN, "%s", "it is no regular file");
    }
    l->bytes = (uint64_t)facts.st_size;
    TRY(find_sets(l));
    TRY(take_verifying_key(l));
    for (int set = 0; set < SETS; set++) {
        TRY(take_set(l, set));
    }
    return SUMAC_OK;
}

static sumac_status open_and_load(supraseal_call *call, supraseal_parameters *p)
{
    loading l = {.call = call, .parameters = p};
    if (sumac_group_find("bls12-381", "g1", &p->g1) != SUMAC_OK ||
        sumac_group_find("bls12-381", "g2", &p->g2) != SUMAC_OK) {
        return sumac_supraseal_refuse(call, SUMAC_UNKNOWN_CURVE, "this build of sumac lacks bls12-381");
    }
    l.descriptor =
        open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* O_NONBLOCK: a pipe must not make it wait */
    if (l.descriptor < 0) {
        return REFUSE_FILE(&l, SUMAC_CANNOT_OPEN, "%s", strerror(errno));
    }
    const sumac_status status = load_file(&l);
    (void)close(l.descriptor);
    return status;
}

/* Load with a context of the parameters' pool. */
static sumac_status load_with_context(supraseal_parameters *p, sumac_message *why)
{
    supraseal_call call = {.why = {""}};
    sumac_status status = sumac_pool_take(p->pool, &call.context, why);
    if (status == SUMAC_OK) {
        status = open_and_load(&call, p);
        *why = call.why;
        sumac_pool_give(p->pool, call.context);
    }
    return status;
}

sumac_status sumac_supraseal_load(const char *path, supraseal_parameters **parameters, sumac_message *why)
{
    sumac_context_config config = {.size = sizeof config};
    config.device_count = SUMAC_ALL_DEVICES; /* as the original does */
    *parameters = NULL;
    supraseal_parameters *p = calloc(1, sizeof *p);
    if (p == NULL || (p->path = strdup(path)) == NULL) {
        free(p);
        (void)snprintf(why->text, sizeof why->text, "there is no memory for parameters");
        return SUMAC_OUT_OF_MEMORY;
    }
    atomic_init(&p->handles, 1);
    sumac_status status = sumac_pool_create(&config, MOST_CONTEXTS, &p->pool, why);
    if (status == SUMAC_OK) {
        status = load_with_context(p, why);
    }
    if (status == SUMAC_OK) {
        *parameters = p;
    } else {
        sumac_supraseal_release(p);
    }
    return status;
}

void sumac_supraseal_keep(supraseal_parameters *parameters)
{
    atomic_fetch_add_explicit(&parameters->handles, 1, memory_order_relaxed);
}

void sumac_supraseal_release(supraseal_parameters *parameters)
{
    if (parameters == NULL || atomic_fetch_sub(&parameters->handles, 1) != 1) {
        return;
    }
    for (int set = 0; set < SETS; set++) {
        sumac_bases_destroy(parameters->sets[set]);
    }
    sumac_groth16_verifying_key_destroy(parameters->verifying);
    sumac_pool_destroy(parameters->pool);
    free(parameters->path);
    free(parameters);
}
