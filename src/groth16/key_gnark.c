/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reads keys of gnark. A proving key of gnark has no matrices: gnark's solver multiplies a witness by them,
 * and the products come with the witness. A verifying key is a separate file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/points.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/gnark_key.h"
#include "groth16/key_format.h"
#include "io/gnark_files.h"
#include "io/importer.h"
#include "io/memory.h"

/* ---- Proving keys: the domain ---- */

typedef struct gnark_key {
    input_file *file;
    const sumac_groth16_key_config *config;
    groups groups;
    gnark_proving_key parts;
} gnark_key;

/* Raise a raw scalar to a power by squaring, from the exponent's lowest bit on. */
static sumac_status raise(executor *self, const sumac_group *group, uint64_t exponent, uint8_t *base)
{
    LOCAL_SCALARS(power, self, group, 1);
    LOCAL_SCALARS(square, self, group, 1);
    TRY(vector_fill_integer(self, power, 1));
    TRY(vector_fill(self, square, base));
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            TRY(vector_multiply(self, power, power, square, 1));
        }
        TRY(vector_square(self, square, 1));
    }
    return vector_get(self, power, 0, 1, base, NULL);
}

/* Check that the file's root of unity is the expected power of ours. The rows of the products refer to it. */
static sumac_status check_generator(const gnark_key *key, const uint8_t *domain, size_t at)
{
    uint8_t root[MOST_SCALAR_BYTES], expected[MOST_SCALAR_BYTES];
    const groups *of = &key->groups;
    const uint8_t *generator = gnark_domain_generator(domain, of->g1);
    TRY(sumac_root_of_unity(of->g1, (uint32_t)__builtin_ctzll(key->parts.domain), root, sizeof root));
    TRY(raise(context_executor(key->file->context), of->g1, of->gnark_root_exponent, root));
    reverse_bytes(expected, root, of->g1->scalar_bytes);
    return memcmp(generator, expected, of->g1->scalar_bytes) == 0
               ? SUMAC_OK
               : fail(key->file->context, SUMAC_BAD_FILE,
                      "%s: the domain's generator, at byte %zu, is not gnark's root of unity of order "
                      "%" PRIu64,
                      key->file->path, at + (size_t)(generator - domain), key->parts.domain);
}

/* Find the offsets of all parts of the file, and the shift of the domain. */
static sumac_status read_layout(gnark_key *key, uint8_t shift[MOST_SCALAR_BYTES])
{
    uint8_t bytes[GNARK_MARKER_BYTES + GNARK_DOMAIN_BYTES] = {0};
    size_t got;
    input_file *file = key->file;
    TRY(input_seek(file, 0));
    TRY(input_read(file, bytes, sizeof bytes, &got));
    const size_t at = gnark_domain_offset(bytes, got);
    if (!gnark_find_groups(bytes + at, &key->groups)) {
        return fail(
            file->context, SUMAC_UNKNOWN_CURVE,
            "%s: the domain, at byte %zu, is not a power of two and its inverse modulo the order of a curve "
            "that this build proves with; gnark's are bn254, bls12-381, bls12-377 and bw6-761",
            file->path, at);
    }
    const byte_source source = input_source(file);
    TRY(input_refuse(
        file, gnark_proving_key_read(&key->parts, &source, key->groups.g1, key->groups.g2, &file->why)));
    if (key->parts.domain > UINT32_C(1) << 31 || key->parts.wires > UINT32_MAX) {
        return fail(file->context, SUMAC_NOT_SUPPORTED,
                    "%s: a domain of %" PRIu64 " and %" PRIu64 " wires are more than 2^31 and 2^32",
                    file->path, key->parts.domain, key->parts.wires);
    }
    TRY(key_find_shift(file, &key->groups, (uint32_t)key->parts.domain, shift));
    return check_generator(key, bytes + at, at);
}

/* ---- Proving keys: bases ---- */

static sumac_status read_run(void *reader, const base_plan *plan, size_t part, uint8_t *points)
{
    const gnark_key *key = reader;
    return gnark_read_points(key->file, plan->group, plan->parts[part].run, key->config->check, points);
}

/* A sum has `count` bases, of which those of the wires come last. Find the row of each base. From the offset `infinity`
 * on, the file has one byte for each wire, which is 1 if the wire has no point. */
static sumac_status read_rows(const gnark_key *key, const base_plan *plan, uint64_t infinity, uint64_t count,
                              uint64_t *rows)
{
    input_file *file = key->file;
    const gnark_points *of_wires = plan->parts[EXTRA_WIRES].run;
    const uint64_t wires = key->parts.wires;
    uint64_t next = 0, wire = 0;
    TAKE_MEMORY(uint8_t, is_infinity, file->context, file->path, wires);
    TRY(input_seek(file, infinity));
    TRY(input_read_exactly(file, is_infinity, (size_t)wires));
    for (uint64_t row = 0; row < EXTRA_WIRES; row++) {
        if (plan->parts[row].run != NULL) {
            rows[next++] = row;
        }
    }
    for (; wire < wires && is_infinity[wire] <= 1 && (is_infinity[wire] == 1 || next < count); wire++) {
        if (is_infinity[wire] == 0) {
            rows[next++] = EXTRA_WIRES + wire;
        }
    }
    return wire == wires && next == count
               ? SUMAC_OK
               : fail(file->context, SUMAC_BAD_FILE,
                      "%s: the wires at infinity, from byte %" PRIu64 " on, leave not %" PRIu64 " for %s",
                      file->path, infinity, of_wires->count, of_wires->name);
}

static base_part part_of(const gnark_points *points)
{
    return (base_part){.run = points, .count = points->count};
}

/* Read the bases of a sum over the wires. `extra` are the bases that come before those of the wires; a null pointer
 * means infinity. If some wire has no point, all points at infinity are left out, those of `extra`, too. */
static sumac_status read_set(gnark_key *reader, const sumac_group *group,
                             const gnark_points *const extra[EXTRA_WIRES], const gnark_points *of_wires,
                             uint64_t infinity, const sumac_bases_config *config, base_set *set)
{
    input_file *file = reader->file;
    base_plan all = {.group = group, .part_count = EXTRA_WIRES + 1, .read = read_run, .reader = reader};
    base_plan found = {.group = group, .read = read_run, .reader = reader};
    uint64_t count = of_wires->count;
    for (size_t i = 0; i < EXTRA_WIRES; i++) {
        if (extra[i] != NULL) {
            all.parts[i] = found.parts[found.part_count++] = part_of(extra[i]);
            count++;
        }
    }
    all.parts[EXTRA_WIRES] = found.parts[found.part_count++] = part_of(of_wires);
    TRY(memory_require(file->context, file->path, count * sizeof *set->rows + reader->parts.wires));
    TAKE_MEMORY(uint64_t, rows, file->context, file->path, count * sizeof *set->rows);
    TRY(read_rows(reader, &all, infinity, count, rows));
    if (of_wires->count == reader->parts.wires) {
        return key_make_bases(file, &all, config, &set->bases, NULL);
    }
    set->rows = rows;
    rows = NULL;
    return key_make_bases(file, &found, config, &set->bases, &set->rows);
}

static sumac_status read_all_bases(gnark_key *reader, sumac_groth16_key *key)
{
    const gnark_proving_key *of = &reader->parts;
    const sumac_group *g1 = reader->groups.g1, *g2 = reader->groups.g2;
    const gnark_points *const before_a[] = {&of->alpha1, &of->delta1, NULL};
    const gnark_points *const before_b1[] = {&of->beta1, NULL, NULL};
    const gnark_points *const before_b2[] = {&of->beta2, NULL, &of->delta2};
    sumac_bases_config config = key_bases_config(reader->file, &reader->groups, key, reader->config);
    config.check = SUMAC_CHECK_NONE; /* gnark_read_points() has checked them */
    TRY(read_set(reader, g1, before_a, &of->a, of->infinity_a, &config, &key->a));
    TRY(read_set(reader, g1, before_b1, &of->b1, of->infinity_b, &config, &key->b1));
    TRY(read_set(reader, g2, before_b2, &of->b2, of->infinity_b, &config, &key->b2));
    /* The file has bases for all coefficients of h except the last one. That coefficient is 0, so its base may be
     * infinity. */
    const base_plan c = {.group = g1,
                         .parts = {part_of(&of->k), part_of(&of->z), {.run = NULL}},
                         .part_count = 3,
                         .read = read_run,
                         .reader = reader};
    return key_make_bases(reader->file, &c, &config, &key->c, NULL);
}

/* ---- Proving keys: commitments ---- */

/* Read all bases of commitments, one after another, or the same times sigma. */
static sumac_status read_committed(const gnark_key *reader, int is_sigma, sumac_check check, uint8_t *points)
{
    const gnark_proving_key *of = &reader->parts;
    for (uint32_t i = 0; i < of->commitments; i++) {
        const gnark_points *run = is_sigma ? &of->commitment[i].sigma : &of->commitment[i].basis;
        TRY(gnark_read_points(reader->file, reader->groups.g1, run, check, points));
        points += run->count * reader->groups.g1->point_bytes;
    }
    return SUMAC_OK;
}

static sumac_status read_commitment_bases(const gnark_key *reader, sumac_groth16_key *key)
{
    const sumac_group *g1 = reader->groups.g1;
    input_file *file = reader->file;
    const size_t count = 2 * (size_t)key->committed_count, bytes = count * g1->point_bytes;
    sumac_bases_config config = key_bases_config(file, &reader->groups, key, reader->config);
    config.check = SUMAC_CHECK_NONE; /* gnark_read_points() has checked them */
    TAKE_MEMORY(uint8_t, points, file->context, file->path, bytes);
    TRY(read_committed(reader, 0, reader->config->check, points));
    TRY(read_committed(reader, 1, reader->config->check, points + bytes / 2));
    return sumac_bases_create(file->context, g1, points, bytes, count, &config, &key->commitment_bases);
}

/* Read what a key has of commitments. It does not name their wires, which the caller's configuration has. */
static sumac_status read_commitments(const gnark_key *reader, sumac_groth16_key *key)
{
    const gnark_proving_key *of = &reader->parts;
    const sumac_groth16_key_config *config = reader->config;
    input_file *file = reader->file;
    const uint64_t numbers = of->commitments + of->committed;
    if (config->commitment_wires_bytes != numbers * sizeof(uint32_t) ||
        (config->commitment_wires == NULL && numbers > 0)) {
        return fail(file->context, SUMAC_BAD_LENGTH,
                    "%s: a key with %" PRIu32 " commitments to %" PRIu64
                    " wires needs commitment_wires of %" PRIu64 " bytes, and they have %zu",
                    file->path, of->commitments, of->committed, numbers * sizeof(uint32_t),
                    config->commitment_wires == NULL ? 0 : config->commitment_wires_bytes);
    }
    if (numbers == 0) {
        return SUMAC_OK;
    }
    for (uint32_t i = 0; i < of->commitments; i++) {
        key->commitments[i].first = key->committed_count;
        key->commitments[i].count = (uint32_t)of->commitment[i].basis.count;
        key->committed_count += key->commitments[i].count;
    }
    key->commitment_count = of->commitments;
    TAKE_MEMORY(uint32_t, wires, file->context, file->path, numbers * sizeof *wires);
    memcpy(wires, config->commitment_wires, numbers * sizeof *wires);
    TRY(key_take_committed(file, "commitment_wires", wires, key));
    return read_commitment_bases(reader, key);
}

static sumac_status read_key(input_file *file, const sumac_groth16_key_config *config, sumac_groth16_key *key)
{
    gnark_key reader = {.file = file, .config = config};
    uint8_t alpha1[MOST_POINT_BYTES];
    TRY(read_layout(&reader, key->shift));
    key->wires = (uint32_t)reader.parts.wires;
    key->publics = (uint32_t)reader.parts.publics;
    key->domain = (uint32_t)reader.parts.domain;
    key->takes_products = 1;
    key->root_exponent = reader.groups.gnark_root_exponent;
    TRY(read_commitments(&reader, key));
    TRY(gnark_read_points(file, reader.groups.g1, &reader.parts.alpha1, config->check, alpha1));
    TRY(key_take_verifying(file, &reader.groups, config, alpha1, key));
    return read_all_bases(&reader, key);
}

/* Recognize a key of gnark. No other format here can begin with three zeros. */
static int fits(const uint8_t *begins, size_t count)
{
    const size_t at = gnark_domain_offset(begins, count);
    return at != 0 || gnark_domain_begins(begins, count);
}

const key_format gnark_key_format = {fits, read_key};

/* ---- Verifying keys ---- */

/* Each curve is combined with each of the two encodings. Get combination i; return 0 if this build does not have its
 * curve. */
static int key_at(size_t i, groups *found, const point_format **encoding)
{
    *encoding = i % 2 == 0 ? &gnark_compressed_format : &gnark_raw_format;
    return groups_at(i / 2, found);
}

/* Find the curve and the encoding with which the third point of the file, beta2, can be decoded. With a probability of
 * at least 1 - 2^-125 only one curve fits. If none fits, *encoding becomes null. */
static sumac_status find_by_beta2(input_file *file, groups *found, const point_format **encoding)
{
    for (size_t i = 0; i < 2 * groups_count(); i++) {
        if (key_at(i, found, encoding)) {
            uint8_t raw[MOST_POINT_BYTES];
            const gnark_points beta2 = gnark_verifying_key_beta2(found->g1, found->g2, *encoding);
            if (beta2.offset + format_record_bytes(beta2.format, found->g2) > file->size) {
                continue;
            }
            const sumac_status status = gnark_read_points(file, found->g2, &beta2, SUMAC_CHECK_SUBGROUP, raw);
            if (status == SUMAC_OK && !all_zero(raw, found->g2->point_bytes)) {
                return SUMAC_OK;
            }
            TRY(point_is_refused(status) ? SUMAC_OK : status);
        }
    }
    *encoding = NULL;
    return SUMAC_OK;
}

/* The points of the file fit no curve (find_by_beta2()). If the file's length is that of a verifying key of some curve,
 * fail with a message that says so. */
static sumac_status refuse_by_length(input_file *file)
{
    char curves[100] = "";
    uint64_t beta2 = 0;
    const byte_source source = input_source(file);
    for (size_t i = 0; i < 2 * groups_count(); i++) {
        groups of;
        const point_format *encoding;
        gnark_verifying_key key;
        sumac_message why;
        if (key_at(i, &of, &encoding) &&
            gnark_verifying_key_read(&key, &source, of.g1, of.g2, encoding, &why) == SUMAC_OK) {
            const size_t length = strlen(curves);
            (void)snprintf(curves + length, sizeof curves - length, "%s%s", length > 0 ? " or " : "",
                           of.g1->curve);
            beta2 = key.beta2.offset;
        }
    }
    return curves[0] == '\0' ? SUMAC_OK
                             : fail(file->context, SUMAC_BAD_FILE,
                                    "%s: by its length a verifying key of gnark over %s, but its third "
                                    "point, G2.Beta, at byte "
                                    "%" PRIu64 ", is infinity, or none of the second group",
                                    file->path, curves, beta2);
}

/* A verifying key being read: its parts, and buffers for its raw points and its numbers. */
typedef struct verifying_reader {
    input_file *file;
    groups groups;
    gnark_verifying_key parts;
    commitment_inputs inputs;
    uint8_t *ic, *knowledge;
} verifying_reader;

static void close_verifying_reader(verifying_reader *reader)
{
    free(reader->inputs.hashed);
    free(reader->ic);
    free(reader->knowledge);
}

/* Read the numbers of the values that commitments are hashed from. Too large ones are left to verifying_create(). */
static sumac_status read_inputs(verifying_reader *reader)
{
    input_file *file = reader->file;
    uint64_t count = 0;
    for (uint32_t k = 0; k < reader->parts.commitments; k++) {
        count += reader->parts.commitment[k].hashed_count;
    }
    reader->inputs.count = reader->parts.commitments;
    reader->inputs.hashed = memory_allocate(file->context, file->path, count * sizeof(uint32_t));
    TRY(memory_got(reader->inputs.hashed));
    uint32_t *next = reader->inputs.hashed;
    for (uint32_t k = 0; k < reader->parts.commitments; k++) {
        TRY(input_seek(file, reader->parts.commitment[k].hashed));
        for (uint64_t i = 0; i < reader->parts.commitment[k].hashed_count; i++) {
            uint8_t number[8];
            TRY(input_read_exactly(file, number, sizeof number));
            *next++ = (uint32_t)smaller(load_be(number, sizeof number), UINT32_MAX);
        }
        reader->inputs.ends[k] = (uint32_t)(next - reader->inputs.hashed);
    }
    return SUMAC_OK;
}

/* Read -sigma G of each commitment, then G, which must be the same for all. */
static sumac_status read_knowledge(verifying_reader *reader)
{
    input_file *file = reader->file;
    const sumac_group *g2 = reader->groups.g2;
    const size_t count = reader->parts.commitments, each = g2->point_bytes;
    reader->knowledge = memory_allocate(file->context, file->path, (count + 1) * each);
    TRY(memory_got(reader->knowledge));
    uint8_t g[MOST_POINT_BYTES], *first = reader->knowledge + count * each;
    for (size_t k = 0; k < count; k++) {
        const gnark_verifying_commitment *of = &reader->parts.commitment[k];
        TRY(gnark_read_points(file, g2, &of->sigma, SUMAC_CHECK_SUBGROUP, reader->knowledge + k * each));
        TRY(gnark_read_points(file, g2, &of->g, SUMAC_CHECK_SUBGROUP, k == 0 ? first : g));
        if (k > 0 && memcmp(g, first, each) != 0) {
            return fail(file->context, SUMAC_BAD_FILE,
                        "%s: %s of commitment %zu, at byte %" PRIu64 ", is not that of commitment 0",
                        file->path, of->g.name, k, of->g.offset);
        }
    }
    return SUMAC_OK;
}

static sumac_status read_verifying(verifying_reader *reader, const commitment_hash *hash,
                                   sumac_groth16_verifying_key **verifying)
{
    input_file *file = reader->file;
    const groups *of = &reader->groups;
    const gnark_verifying_key *key = &reader->parts;
    uint8_t raw[6][MOST_POINT_BYTES];
    const gnark_points *const single[6] = {&key->alpha1, &key->beta1,  &key->beta2,
                                           &key->gamma2, &key->delta1, &key->delta2};
    reader->ic = memory_allocate(file->context, file->path, key->k.count * of->g1->point_bytes);
    TRY(memory_got(reader->ic));
    for (int i = 0; i < 6; i++) {
        const int is_in_g2 = i == 2 || i == 3 || i == 5;
        TRY(gnark_read_points(file, is_in_g2 ? of->g2 : of->g1, single[i], SUMAC_CHECK_SUBGROUP, raw[i]));
    }
    TRY(gnark_read_points(file, of->g1, &key->k, SUMAC_CHECK_SUBGROUP, reader->ic));
    if (key->commitments > 0) {
        TRY(read_inputs(reader));
        TRY(read_knowledge(reader));
    }
    const verifying_points points = {.alpha1 = raw[0],
                                     .beta2 = raw[2],
                                     .gamma2 = raw[3],
                                     .delta2 = raw[5],
                                     .ic = reader->ic,
                                     .publics = key->k.count - 1 - key->commitments,
                                     .hash = hash,
                                     .commitments = key->commitments > 0 ? &reader->inputs : NULL,
                                     .knowledge = reader->knowledge,
                                     .what = file->path,
                                     .ic_what = file->path};
    return verifying_create(file->context, of, &points, SUMAC_CHECK_NONE, verifying);
}

sumac_status gnark_read_verifying_key(input_file *file, const commitment_hash *hash, int *found,
                                      sumac_groth16_verifying_key **verifying)
{
    CLEANUP(close_verifying_reader) verifying_reader reader = {.file = file};
    const point_format *encoding;
    TRY(find_by_beta2(file, &reader.groups, &encoding));
    *found = encoding != NULL;
    if (encoding == NULL) {
        return refuse_by_length(file);
    }
    const byte_source source = input_source(file);
    TRY(input_refuse(file, gnark_verifying_key_read(&reader.parts, &source, reader.groups.g1,
                                                    reader.groups.g2, encoding, &file->why)));
    return read_verifying(&reader, hash, verifying);
}
