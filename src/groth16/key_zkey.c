/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Proving keys of snarkjs (.zkey). */

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/integers.h"
#include "codec/bytes.h"
#include "codec/zkey.h"
#include "groth16/coefficients.h"
#include "groth16/key_format.h"
#include "groth16/zkey_file.h"
#include "io/memory.h"

/* Bases from one section or two, behind points of the header. */
typedef struct bases_plan {
    const sumac_curve *curve;
    const uint8_t *before[EXTRA_WIRES]; /* null: infinity */
    size_t before_count;
    const binfile_section *sections[2]; /* null: none; the second one is H, in another order */
    const char *names[2];
} bases_plan;

static uint64_t count_bases(const bases_plan *plan)
{
    uint64_t bytes = 0;
    for (int i = 0; i < 2 && plan->sections[i] != NULL; i++) {
        bytes += plan->sections[i]->size;
    }
    return plan->before_count + bytes / sumac_curve_describe(plan->curve)->point_bytes;
}

typedef struct h_reading {
    const zkey_file *zkey;
    uint8_t *points;
    _Atomic int is_unread; /* some of the section */
} h_reading;

/* Points of a task, which are on its stack; tasks for each thread from one report to the next. */
enum { H_TASK = 64, H_STEP = 1024 };

/* snarkjs' point i belongs to an odd power of its own root of unity. */
static void read_h_task(void *arguments, size_t index, uint32_t thread)
{
    h_reading *reading = arguments;
    const zkey_file *zkey = reading->zkey;
    const groups *of = &zkey->groups;
    const uint32_t domain = zkey->header.domain;
    const size_t bytes = of->info1->point_bytes;
    const uint64_t first = index * H_TASK, n = smaller(H_TASK, domain - first);
    uint8_t slice[H_TASK * MOST_POINT_BYTES];
    int error;
    (void)thread;
    if (input_read_at(&zkey->input.file, zkey->h->offset + first * bytes, slice, (size_t)n * bytes, &error) >
        0) {
        atomic_store_explicit(&reading->is_unread, 1, memory_order_relaxed);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t row = key_row(groups_odd_row(of, first + i, domain), domain);
        memcpy(reading->points + row * bytes, slice + i * bytes, bytes);
    }
}

static sumac_status read_h(zkey_file *zkey, uint8_t *points)
{
    executor *own = context_executor(zkey->input.file.context);
    h_reading reading = {.zkey = zkey, .points = points};
    sumac_status status =
        executor_for(own, "read", ceil_divide(zkey->header.domain, H_TASK), H_STEP, read_h_task, &reading);
    if (status != SUMAC_OK || !reading.is_unread) {
        return status;
    }
    /* Once more, for the sentence. */
    status = binfile_input_read(&zkey->input, zkey->h, 0, points, (size_t)zkey->h->size);
    return status != SUMAC_OK ? status
                              : fail(zkey->input.file.context, SUMAC_BAD_FILE,
                                     "%s: it changed while it was read", zkey->input.file.path);
}

static sumac_status read_sections(zkey_file *zkey, const bases_plan *plan, uint8_t *points)
{
    sumac_status status = SUMAC_OK;
    for (int i = 0; i < 2 && plan->sections[i] != NULL && status == SUMAC_OK; i++) {
        const binfile_section *section = plan->sections[i];
        status = i == 1 ? read_h(zkey, points)
                        : binfile_input_read(&zkey->input, section, 0, points, (size_t)section->size);
        points += section->size;
    }
    return status;
}

/* Which section the bad point is of: each alone is checked again. `found` is what is wrong with the point. */
static sumac_status blame_section(zkey_file *zkey, const bases_plan *plan, const sumac_bases_config *config,
                                  sumac_status found)
{
    sumac_context *context = zkey->input.file.context;
    sumac_status status = SUMAC_OK;
    for (int i = 0; i < 2 && plan->sections[i] != NULL && status == SUMAC_OK; i++) {
        sumac_message what;
        uint8_t *points;
        sumac_bases *bases = NULL;
        zkey_describe_section(zkey, plan->sections[i], plan->names[i], &what);
        status = binfile_input_take(&zkey->input, plan->sections[i], &points);
        if (status == SUMAC_OK) {
            const size_t n =
                (size_t)(plan->sections[i]->size / sumac_curve_describe(plan->curve)->point_bytes);
            status = file_bases_create(context, plan->curve, points, n, config, what.text, &bases);
            sumac_bases_destroy(bases);
            free(points);
        }
    }
    /* The header's points have been checked with the verifying key, but for beta1 and delta1. */
    return status != SUMAC_OK ? status
                              : fail(context, found, "%s: section 2 (header): beta1 or delta1: %s",
                                     zkey->input.file.path, sumac_status_text(found));
}

/* Take the points at infinity out where they are more than an eighth: a sum takes nearly as long for them as for others.
 */
static sumac_status leave_out_infinity(const zkey_file *zkey, uint8_t *points, size_t bytes, uint64_t *count,
                                       uint64_t **rows)
{
    uint64_t others = 0;
    for (uint64_t i = 0; i < *count; i++) {
        others += !all_zero(points + i * bytes, bytes);
    }
    if (others == 0 || *count - others <= *count / 8) {
        return SUMAC_OK;
    }
    sumac_status status;
    *rows = memory_allocate(zkey->input.file.context, zkey->input.file.path, others * sizeof **rows, &status);
    if (status != SUMAC_OK) {
        return status;
    }
    others = 0;
    for (uint64_t i = 0; i < *count; i++) {
        if (!all_zero(points + i * bytes, bytes)) {
            memmove(points + others * bytes, points + i * bytes, bytes);
            (*rows)[others++] = i;
        }
    }
    *count = others;
    return SUMAC_OK;
}

/* The points of the plan, in memory that the caller frees. */
static sumac_status read_points(zkey_file *zkey, const bases_plan *plan, size_t bytes, uint64_t count,
                                uint8_t **points)
{
    sumac_context *context = zkey->input.file.context;
    sumac_status status;
    *points = memory_zeros(context, zkey->input.file.path, count * bytes, &status);
    if (status != SUMAC_OK) {
        return status;
    }
    for (size_t i = 0; i < plan->before_count; i++) {
        if (plan->before[i] != NULL) {
            memcpy(*points + i * bytes, plan->before[i], bytes);
        }
    }
    return read_sections(zkey, plan, *points + plan->before_count * bytes);
}

/* rows: null, where all bases are to stay. */
static sumac_status read_bases(zkey_file *zkey, const bases_plan *plan, const sumac_bases_config *given,
                               sumac_bases **bases, uint64_t **rows)
{
    const size_t bytes = sumac_curve_describe(plan->curve)->point_bytes;
    uint64_t count = count_bases(plan);
    uint8_t *points;
    sumac_status status = read_points(zkey, plan, bytes, count, &points);
    if (status == SUMAC_OK && rows != NULL) {
        status = leave_out_infinity(zkey, points, bytes, &count, rows);
    }
    if (status == SUMAC_OK) {
        status =
            sumac_bases_create(zkey->input.file.context, plan->curve, points, (size_t)count, given, bases);
    }
    free(points);
    if (is_bad_point(status)) {
        sumac_bases_config config = *given;
        config.precompute_factor = 0;
        return blame_section(zkey, plan, &config, status);
    }
    return status;
}

static sumac_status read_all_bases(zkey_file *zkey, const sumac_groth16_key_config *given,
                                   sumac_groth16_key *key)
{
    const zkey_header *header = &zkey->header;
    const groups *of = &zkey->groups;
    sumac_bases_config own = sumac_bases_config_default(), *config = &own;
    config->form = SUMAC_FORM_MONTGOMERY;
    config->check = given->check;
    config->precompute_factor = key_multiples(&zkey->input.file, of, key, given->precompute_factor);
    config->replicated = (uint32_t)key_is_replicated(&zkey->input.file, of, key);
    const bases_plan a = {of->g1, {header->alpha1, header->delta1}, 3, {zkey->a}, {"A"}};
    const bases_plan b1 = {of->g1, {header->beta1}, 3, {zkey->b1}, {"B1"}};
    const bases_plan b2 = {of->g2, {header->beta2, NULL, header->delta2}, 3, {zkey->b2}, {"B2"}};
    const bases_plan c = {of->g1, {NULL}, 0, {zkey->c, zkey->h}, {"C", "H"}};
    /* The largest first, while there is little else: a section is there twice while it is read. */
    sumac_status status = read_bases(zkey, &c, config, &key->c, NULL);
    status = status == SUMAC_OK ? read_bases(zkey, &b2, config, &key->b2.bases, &key->b2.rows) : status;
    status = status == SUMAC_OK ? read_bases(zkey, &a, config, &key->a.bases, &key->a.rows) : status;
    return status == SUMAC_OK ? read_bases(zkey, &b1, config, &key->b1.bases, &key->b1.rows) : status;
}

/* ---- Coefficients ---- */

static sumac_status bad_term(const zkey_file *zkey, sumac_status status, uint64_t i, const char *what,
                             uint32_t value)
{
    const uint64_t each = ZKEY_TERM_BYTES + (uint64_t)zkey->header.scalar_bytes;
    return fail(zkey->input.file.context, status,
                "%s: section 4 (coefficients), at byte %" PRIu64 ": coefficient %" PRIu64 " has %s %" PRIu32,
                zkey->input.file.path, zkey->coefficients->offset + 4 + i * each, i, what, value);
}

static sumac_status take_term(const zkey_file *zkey, uint64_t i, const uint8_t *bytes, coefficients *all)
{
    const zkey_header *header = &zkey->header;
    const zkey_term term = zkey_decode_term(bytes);
    const uint8_t *value = bytes + ZKEY_TERM_BYTES;
    if (term.matrix > 1) {
        return bad_term(zkey, SUMAC_BAD_FILE, i, "no matrix 0 or 1, but", term.matrix);
    }
    if (term.row >= header->domain) {
        return bad_term(zkey, SUMAC_BAD_FILE, i, "a row outside the domain:", term.row);
    }
    if (term.wire >= header->wires) {
        return bad_term(zkey, SUMAC_BAD_FILE, i, "a wire that there is not:", term.wire);
    }
    if (!integer_is_less(value, header->order, header->scalar_bytes)) {
        return bad_term(zkey, SUMAC_BAD_ENCODING, i, "a value that is not less than r, of wire", term.wire);
    }
    const uint64_t row = key_row(groups_row(&zkey->groups, term.row, header->domain), header->domain);
    return coefficients_add(all, term.matrix, (uint32_t)row, term.wire, value);
}

static sumac_status make_matrices(coefficients *all, sumac_groth16_key *key)
{
    sumac_vector *values = NULL;
    sumac_status status = coefficients_vector(all, VALUE_ZKEY, &values);
    if (status == SUMAC_OK) {
        status = coefficients_matrix(all, 0, key->domain, 0, values, &key->matrix_a);
    }
    if (status == SUMAC_OK) {
        status = coefficients_matrix(all, 1, key->domain, 0, values, &key->matrix_b);
    }
    sumac_vector_destroy(values);
    return status;
}

/* In slices of the section. */
static sumac_status take_terms(zkey_file *zkey, coefficients *all, uint64_t count)
{
    enum { SLICE = 4096 };
    const size_t each = ZKEY_TERM_BYTES + (size_t)zkey->header.scalar_bytes;
    sumac_status status;
    uint8_t *bytes = memory_allocate(all->context, zkey->input.file.path, SLICE * each, &status);
    for (uint64_t first = 0; first < count && status == SUMAC_OK; first += SLICE) {
        const size_t n = count - first < SLICE ? (size_t)(count - first) : SLICE;
        status = binfile_input_read(&zkey->input, zkey->coefficients, 4 + first * each, bytes, n * each);
        for (size_t i = 0; i < n && status == SUMAC_OK; i++) {
            status = take_term(zkey, first + i, bytes + i * each, all);
        }
        status =
            status == SUMAC_OK ? context_report(all->context, (double)(first + n) / (double)count) : status;
    }
    free(bytes);
    return status;
}

static sumac_status read_coefficients(zkey_file *zkey, sumac_groth16_key *key)
{
    coefficients all;
    sumac_status status = coefficients_begin(&all, zkey->input.file.context, zkey->input.file.path,
                                             zkey->groups.g1, VALUE_ZKEY);
    if (status == SUMAC_OK) {
        status = take_terms(zkey, &all, zkey->coefficient_count);
    }
    if (status == SUMAC_OK) {
        status = make_matrices(&all, key);
    }
    coefficients_free(&all);
    return status;
}

/* ---- The key ---- */

static sumac_status fill(zkey_file *zkey, const sumac_groth16_key_config *config, sumac_groth16_key *key)
{
    const zkey_header *header = &zkey->header;
    key->wires = header->wires;
    key->publics = header->publics;
    key->domain = header->domain;
    key->coefficients = zkey->coefficient_count;
    sumac_status status = key_find_shift(&zkey->input.file, &zkey->groups, header->domain, key->shift);
    if (status == SUMAC_OK) {
        status = zkey_read_verifying(zkey, config->check, &key->own_verifying);
        key->verifying = key->own_verifying;
    }
    if (status == SUMAC_OK) {
        status = read_all_bases(zkey, config, key);
    }
    return status == SUMAC_OK ? read_coefficients(zkey, key) : status;
}

static sumac_status read_key(input_file *file, const sumac_groth16_key_config *config, sumac_groth16_key *key)
{
    zkey_file zkey;
    sumac_status status = zkey_begin(&zkey, file);
    status = status == SUMAC_OK ? zkey_read_header(&zkey, 1) : status;
    status = status == SUMAC_OK ? fill(&zkey, config, key) : status;
    zkey_close(&zkey);
    return status;
}

static int fits(const uint8_t *begins, size_t count)
{
    return count >= 4 && memcmp(begins, ZKEY_MAGIC, 4) == 0;
}

const key_format zkey_key_format = {fits, read_key};
