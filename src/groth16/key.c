/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file opens the file of a proving key in any format, and puts the key where proofs are computed. */
#include "groth16/key.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/memory_left.h"
#include "base/sizes.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "groth16/key_format.h"
#include "io/memory.h"

/* The formats are tried in this order. If a file fits none of them, it is read in the last format, whose reader reports
 * what is wrong. */
static const key_format *const formats[] = {&gnark_key_format, &prepared_key_format, &zkey_key_format};

enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- Functions that formats share ---- */

sumac_status key_find_shift(const input_file *file, const groups *of, uint32_t domain,
                            uint8_t shift[MOST_SCALAR_BYTES])
{
    const uint32_t log2 = 31 - (uint32_t)__builtin_clz(domain);
    return sumac_root_of_unity(of->g1, log2 + 1, shift, MOST_SCALAR_BYTES) == SUMAC_OK
               ? SUMAC_OK
               : fail(file->context, SUMAC_NOT_SUPPORTED,
                      "%s: a domain of 2^%" PRIu32 ", for which the field of %s has no roots of unity",
                      file->path, log2, of->g1->curve);
}

sumac_status key_take_verifying(const input_file *file, const groups *of,
                                const sumac_groth16_key_config *config, const uint8_t *alpha1,
                                sumac_groth16_key *key)
{
    const sumac_groth16_verifying_key *given = config->verifying;
    if (given == NULL) {
        TRY(verifying_create_without(file->context, of, key->publics, key->commitment_count,
                                     &key->own_verifying));
        key->verifying = key->own_verifying;
        return SUMAC_OK;
    }
    key->verifying = given;
    const char *difference =
        given->groups.g1 != of->g1                                ? "its curve is not this one's"
        : given->publics != key->publics                          ? "it has another number of public inputs"
        : given->commitments.count != key->commitment_count       ? "it has another number of commitments"
        : memcmp(alpha1, given->alpha1, of->g1->point_bytes) != 0 ? "its alpha is not G1.Alpha here"
                                                                  : NULL;
    return difference == NULL
               ? SUMAC_OK
               : fail(file->context, SUMAC_MISMATCH, "%s: the verifying key belongs to another key: %s",
                      file->path, difference);
}

/* These are the kinds of wires while the wires of commitments are read. */
enum { IS_PRIVATE, IS_COMMITTED };

/* Take the next wire of a commitment, which must be greater than the one before and no public one. */
static sumac_status take_wire(const input_file *file, const char *what, const uint32_t *wires, size_t i,
                              uint32_t before, const sumac_groth16_key *key, uint8_t *kinds)
{
    if (wires[i] <= before || wires[i] >= key->wires || kinds[wires[i]] != IS_PRIVATE) {
        return fail(file->context, SUMAC_BAD_ARGUMENT,
                    "%s: %s: number %zu, %" PRIu32
                    ", is no private wire, or another number names it, or it is not "
                    "greater than the one before",
                    file->path, what, i, wires[i]);
    }
    kinds[wires[i]] = IS_COMMITTED;
    return SUMAC_OK;
}

static sumac_status take_private_rows(const input_file *file, const uint8_t *kinds, sumac_groth16_key *key)
{
    uint64_t *next = memory_allocate(file->context, file->path, key_private_wires(key) * sizeof *next);
    TRY(memory_got(next));
    key->private_rows = next;
    for (uint32_t wire = key->publics + 1; wire < key->wires; wire++) {
        if (kinds[wire] == IS_PRIVATE) {
            *next++ = EXTRA_WIRES + (uint64_t)wire;
        }
    }
    return SUMAC_OK;
}

sumac_status key_take_committed(const input_file *file, const char *what, const uint32_t *wires,
                                sumac_groth16_key *key)
{
    uint32_t value_before = key->publics;
    size_t i = 0;
    TAKE_ZEROS(uint8_t, kinds, file->context, file->path, key->wires);
    key->committed =
        memory_allocate(file->context, file->path, key->committed_count * sizeof *key->committed);
    TRY(memory_got(key->committed));
    for (key_commitment *of = key->commitments; of < key->commitments + key->commitment_count; of++) {
        TRY(take_wire(file, what, wires, i, value_before, key, kinds));
        of->wire = value_before = wires[i++];
        uint32_t before = key->publics;
        for (uint32_t j = of->first; j < of->first + of->count; j++) {
            TRY(take_wire(file, what, wires, i, before, key, kinds));
            key->committed[j] = before = wires[i++];
        }
    }
    return take_private_rows(file, kinds, key);
}

/* Return how many bytes all bases take, points at infinity included, if no multiples are kept. */
static uint64_t bases_bytes(const groups *of, const sumac_groth16_key *key)
{
    return (3 * (uint64_t)key->wires + key->domain) * of->g1->point_bytes +
           key->wires * (uint64_t)of->g2->point_bytes;
}

/* If the domain has at least this size, multiples make proofs on a device faster: on an H200, 4 multiples save 7% for
 * 2^16, 4% for 2^20 and 8% for 2^22. On the CPU they save nothing. */
#define MULTIPLES_LEAST (UINT32_C(1) << 16)

/* Choose how many multiples of each base are kept. If the caller asks for a number, return that. If the caller leaves
 * the number open (0), and multiples make proofs on this device and domain faster, return the largest of 4, 2 and 1
 * with which the bases take at most a quarter of the device's free memory. Otherwise leave it open. */
static uint32_t choose_multiples(const input_file *file, const groups *of, const sumac_groth16_key *key,
                                 uint32_t asked)
{
    const executor *self = context_executor(file->context);
    if (asked != 0 || self->engine == NULL || key->domain < MULTIPLES_LEAST) {
        return asked;
    }
    const uint64_t bytes = bases_bytes(of, key);
    const uint64_t most = self->backend->device->memory_free(self->engine) / 4;
    return 4 * bytes <= most ? 4 : 2 * bytes <= most ? 2 : 1;
}

int key_is_replicated(const input_file *file, const groups *of, const sumac_groth16_key *key)
{
    const executor_list *list = context_executors(file->context);
    uint64_t least = UINT64_MAX;
    for (uint32_t k = 0; k < list->count && list->at->engine != NULL; k++) {
        const executor *self = &list->at[k];
        executor_enter(self);
        least = smaller(least, self->backend->device->memory_free(self->engine));
    }
    executor_enter(list->at);
    return list->count > 1 && context_replica_limit(file->context) == 0 && bases_bytes(of, key) <= least / 2;
}

sumac_bases_config key_bases_config(const input_file *file, const groups *of, const sumac_groth16_key *key,
                                    const sumac_groth16_key_config *given)
{
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = choose_multiples(file, of, key, given->precompute_factor);
    config.replicated = (uint32_t)key_is_replicated(file, of, key);
    return config;
}

/* If more than an eighth of the points are infinity, remove these, because an MSM spends nearly as much time on them as
 * on other points. */
static sumac_status leave_out_infinity(const input_file *file, uint8_t *points, size_t bytes, uint64_t *count,
                                       uint64_t **rows)
{
    uint64_t others = 0;
    for (uint64_t i = 0; i < *count; i++) {
        others += !all_zero(points + i * bytes, bytes);
    }
    if (others == 0 || *count - others <= *count / 8) {
        return SUMAC_OK;
    }
    *rows = memory_allocate(file->context, file->path, others * sizeof **rows);
    TRY(memory_got(*rows));
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

sumac_status key_make_bases(const input_file *file, const base_plan *plan, const sumac_bases_config *config,
                            sumac_bases **bases, uint64_t **rows)
{
    const size_t bytes = plan->group->point_bytes;
    uint64_t count = 0;
    for (size_t i = 0; i < plan->part_count; i++) {
        count += plan->parts[i].run != NULL ? plan->parts[i].count : 1;
    }
    TAKE_ZEROS(uint8_t, points, file->context, file->path, count * bytes);
    uint8_t *at = points;
    for (size_t i = 0; i < plan->part_count; i++) {
        const base_part *part = &plan->parts[i];
        if (part->point != NULL) {
            memcpy(at, part->point, bytes);
        } else if (part->run != NULL) {
            TRY(plan->read(plan->reader, plan, i, at));
        }
        at += (part->run != NULL ? part->count : 1) * bytes;
    }
    if (rows != NULL && *rows == NULL) {
        TRY(leave_out_infinity(file, points, bytes, &count, rows));
    }
    return sumac_bases_create(file->context, plan->group, points, (size_t)count * bytes, (size_t)count,
                              config, bases);
}

/* ---- Opening ---- */

typedef struct matrices_copy {
    executor_list *list;
    sumac_groth16_key *key;
} matrices_copy;

/* Copy the matrices that executor k multiplies by from the first executor to executor k. */
static sumac_status copy_matrices(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const matrices_copy *copy = arguments;
    sumac_groth16_key *key = copy->key;
    (void)stop;
    for (int m = MATRIX_A; k > 0 && m < KEY_MATRICES; m++) {
        if (key_is_on_each(key) || (m == MATRIX_B && k == KEY_HOME_OF_B)) {
            TRY(sparse_copy_across(&copy->list->at[k], key->matrices[m][0], &key->matrices[m][k]));
        }
    }
    return SUMAC_OK;
}

static void close_key(sumac_groth16_key **key)
{
    sumac_groth16_key_destroy(*key);
}

/* Read a key from a file or, if path is null, from `data`. */
static sumac_status open_key(sumac_context *context, const char *path, const void *data, size_t data_bytes,
                             const sumac_groth16_key_config *config, sumac_groth16_key **key)
{
    uint8_t begins[KEY_BEGINS_BYTES];
    sumac_groth16_key_config full;
    size_t got, i = 0;
    BEGIN_MAKING(context, key);
    TRY(require(context, path != NULL || data != NULL, "what is read"));
    TRY(public_take(&public_groth16_key_config, config, &full, context_message(context)));
    if ((unsigned)full.check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%u is no sumac_check", full.check);
    }
    full.check = subgroup_by_default(full.check);
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open_either(&file, context, path, data, data_bytes, "the key in memory"));
    TRY(input_measure(&file, INPUT_OF_ANY_SIZE));
    CLEANUP(close_key) sumac_groth16_key *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return memory_failed(context, file.path, sizeof *opened);
    }
    TRY(input_read(&file, begins, sizeof begins, &got));
    while (i + 1 < FORMATS && !formats[i]->fits(begins, got)) {
        i++;
    }
    TRY(formats[i]->read(&file, &full, opened));
    matrices_copy copy = {context_executors(context), opened};
    if (!opened->takes_products && copy.list->count > 1) {
        TRY(executors_run(copy.list, copy_matrices, &copy));
    }
    if (opened->domain >= KEY_LARGE_DOMAIN) {
        memory_give_back();
    }
    *key = opened;
    opened = NULL;
    return SUMAC_OK;
}

sumac_status sumac_groth16_key_open(sumac_context *context, const char *path,
                                    const sumac_groth16_key_config *config, sumac_groth16_key **key)
{
    return open_key(context, path, NULL, 0, config, key);
}

sumac_status sumac_groth16_key_create(sumac_context *context, const void *data, size_t data_bytes,
                                      const sumac_groth16_key_config *config, sumac_groth16_key **key)
{
    return open_key(context, NULL, data, data_bytes, config, key);
}

void sumac_groth16_key_destroy(sumac_groth16_key *key)
{
    if (key == NULL) {
        return;
    }
    base_set *const sets[] = {&key->a, &key->b1, &key->b2};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        sumac_bases_destroy(sets[i]->bases);
        free(sets[i]->rows);
    }
    sumac_bases_destroy(key->c);
    sumac_bases_destroy(key->commitment_bases);
    free(key->private_rows);
    free(key->committed);
    for (int m = MATRIX_A; m < KEY_MATRICES; m++) {
        for (uint32_t k = 0; k < MOST_DEVICES; k++) {
            sparse_destroy(key->matrices[m][k]);
        }
    }
    sumac_groth16_verifying_key_destroy(key->own_verifying);
    free(key);
}

const sumac_groth16_verifying_key *sumac_groth16_key_verifying(const sumac_groth16_key *key)
{
    return key == NULL ? NULL : key->verifying;
}

static uint64_t set_bytes(const base_set *set)
{
    return bases_kept_bytes(set->bases) +
           (set->rows == NULL ? 0 : sumac_bases_count(set->bases) * sizeof *set->rows);
}

sumac_status sumac_groth16_key_describe(const sumac_groth16_key *key, sumac_groth16_info *info)
{
    sumac_message message;
    sumac_groth16_info described = {.size = sizeof described};
    if (key == NULL || info == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    TRY(public_check(&public_groth16_info, info, &message));
    TRY(sumac_groth16_verifying_key_describe(key->verifying, &described));
    described.wires = key->wires;
    described.domain = key->domain;
    described.coefficients = key->coefficients;
    described.witness_bytes = key_witness_bytes(key);
    described.key_bytes =
        set_bytes(&key->a) + set_bytes(&key->b1) + set_bytes(&key->b2) + bases_kept_bytes(key->c);
    if (key->commitment_count > 0) {
        described.key_bytes += bases_kept_bytes(key->commitment_bases) +
                               key->committed_count * sizeof *key->committed +
                               key_private_wires(key) * sizeof *key->private_rows;
    }
    for (int m = MATRIX_A; m < KEY_MATRICES && !key->takes_products; m++) {
        described.key_bytes += key->matrices[m][0]->bytes;
    }
    public_copy(&described, info);
    return SUMAC_OK;
}
