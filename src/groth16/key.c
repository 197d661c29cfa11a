/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Proving keys: from a file of any format to where proofs are computed. */
#include "groth16/key.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/memory_left.h"
#include "base/sizes.h"
#include "groth16/key_format.h"
#include "io/memory.h"

/* The last one says what is wrong with a file of none. */
static const key_format *const formats[] = {&gnark_key_format, &prepared_key_format, &zkey_key_format};

enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- What formats share ---- */

sumac_status key_find_shift(const input_file *file, const groups *of, uint32_t domain,
                            uint8_t shift[MOST_SCALAR_BYTES])
{
    const uint32_t log2 = 31 - (uint32_t)__builtin_clz(domain);
    return sumac_root_of_unity(of->g1, log2 + 1, shift) == SUMAC_OK
               ? SUMAC_OK
               : fail(file->context, SUMAC_NOT_SUPPORTED,
                      "%s: a domain of 2^%" PRIu32 ", for which the field of %s has no roots of unity",
                      file->path, log2, of->info1->name);
}

static sumac_status mismatch(const input_file *file, const char *what)
{
    return fail(file->context, SUMAC_MISMATCH, "%s: the verifying key is another key's: %s", file->path,
                what);
}

sumac_status key_take_verifying(const input_file *file, const groups *of,
                                const sumac_groth16_key_config *config, const uint8_t *alpha1,
                                sumac_groth16_key *key)
{
    const sumac_groth16_verifying_key *given = config->verifying;
    if (given == NULL) {
        const sumac_status status =
            verifying_create_without(file->context, of, key->publics, &key->own_verifying);
        key->verifying = key->own_verifying;
        return status;
    }
    key->verifying = given;
    if (given->groups.g1 != of->g1) {
        return mismatch(file, "its curve is not this one's");
    }
    if (given->publics != key->publics) {
        return mismatch(file, "it has another number of public inputs");
    }
    return memcmp(alpha1, given->alpha1, of->info1->point_bytes) == 0
               ? SUMAC_OK
               : mismatch(file, "its alpha is not G1.Alpha here");
}

/* From this domain on multiples make proofs faster: on an H200, 4 of them by 7% for 2^16, 4% for 2^20, 8% for 2^22. On the
 * CPU they make none faster. */
#define MULTIPLES_LEAST (UINT32_C(1) << 16)

/* Of all bases without multiples; those at infinity, too. */
static uint64_t bases_bytes(const groups *of, const sumac_groth16_key *key)
{
    return (3 * (uint64_t)key->wires + key->domain) * of->info1->point_bytes +
           key->wires * (uint64_t)of->info2->point_bytes;
}

uint32_t key_multiples(const input_file *file, const groups *of, const sumac_groth16_key *key, uint32_t asked)
{
    const executor *self = context_executor(file->context);
    if (asked != 0 || self->engine == NULL || key->domain < MULTIPLES_LEAST) {
        return asked;
    }
    const uint64_t bytes = bases_bytes(of, key);
    const uint64_t room = self->backend->device->memory_free(self->engine) / 4;
    return 4 * bytes <= room ? 4 : 2 * bytes <= room ? 2 : 1;
}

int key_is_replicated(const input_file *file, const groups *of, const sumac_groth16_key *key)
{
    const executor_list *list = context_executors(file->context);
    const uint64_t bytes = bases_bytes(of, key);
    uint64_t room = UINT64_MAX;
    for (uint32_t k = 0; k < list->count && list->at->engine != NULL; k++) {
        const executor *own = &list->at[k];
        executor_enter(own);
        room = smaller(room, own->backend->device->memory_free(own->engine));
    }
    executor_enter(list->at);
    return list->count > 1 && context_replica_limit(file->context) == 0 && bytes <= room / 2;
}

/* ---- Opening ---- */

typedef struct matrices_copy {
    executor_list *list;
    sumac_groth16_key *key;
} matrices_copy;

/* Each executor of a list has both matrices. */
static sumac_status copy_matrices(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const matrices_copy *copy = arguments;
    sumac_groth16_key *key = copy->key;
    executor *own = &copy->list->at[k];
    (void)stop;
    if (k == 0) {
        return SUMAC_OK;
    }
    const sumac_status status = sparse_copy_across(own, key->matrix_a, &key->copies_of_a[k]);
    return status == SUMAC_OK ? sparse_copy_across(own, key->matrix_b, &key->copies_of_b[k]) : status;
}

static sumac_status read_format(input_file *file, const sumac_groth16_key_config *config,
                                sumac_groth16_key *key)
{
    uint8_t begins[KEY_BEGINS_BYTES];
    size_t got, i = 0;
    sumac_status status = input_seek(file, 0);
    if (status == SUMAC_OK) {
        status = input_read(file, begins, sizeof begins, &got);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    while (i + 1 < FORMATS && !formats[i]->fits(begins, got)) {
        i++;
    }
    status = formats[i]->read(file, config, key);
    matrices_copy copy = {context_executors(file->context), key};
    return status != SUMAC_OK || key->takes_products || copy.list->count == 1
               ? status
               : executors_run(copy.list, copy_matrices, &copy);
}

static sumac_status read_key(input_file *file, const sumac_groth16_key_config *config,
                             sumac_groth16_key **key)
{
    sumac_status status = input_measure(file, INPUT_OF_ANY_SIZE);
    sumac_groth16_key *made = status == SUMAC_OK ? calloc(1, sizeof *made) : NULL;
    if (status == SUMAC_OK) {
        status = made == NULL ? memory_failed(file->context, file->path, sizeof *made)
                              : read_format(file, config, made);
    }
    if (status != SUMAC_OK) {
        sumac_groth16_key_destroy(made);
        return status;
    }
    if (made->domain >= KEY_LARGE_DOMAIN) {
        memory_give_back();
    }
    *key = made;
    return SUMAC_OK;
}

/* The beginning of both calls that make a key. */
static sumac_status begin(sumac_context *context, int pointers_are_there,
                          const sumac_groth16_key_config *config, sumac_groth16_key **key,
                          sumac_groth16_key_config *own)
{
    if (key != NULL) {
        *key = NULL;
    }
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (key == NULL || !pointers_are_there) {
        return fail(context, SUMAC_BAD_ARGUMENT, "what is read and key must not be null");
    }
    const sumac_status status =
        public_take(&public_groth16_key_config, config, own, &context_executor(context)->message);
    return status != SUMAC_OK || (unsigned)own->check <= SUMAC_CHECK_NONE
               ? status
               : fail(context, SUMAC_BAD_ARGUMENT, "check %d is none of the three", (int)own->check);
}

sumac_status sumac_groth16_key_open(sumac_context *context, const char *path,
                                    const sumac_groth16_key_config *config, sumac_groth16_key **key)
{
    sumac_groth16_key_config own;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = begin(held, path != NULL, config, key, &own);
    if (status != SUMAC_OK) {
        return status;
    }
    input_file file;
    status = input_open(&file, context, path);
    status = status == SUMAC_OK ? read_key(&file, &own, key) : status;
    input_close(&file);
    return status;
}

sumac_status sumac_groth16_key_create(sumac_context *context, const void *bytes, size_t count,
                                      const sumac_groth16_key_config *config, sumac_groth16_key **key)
{
    sumac_groth16_key_config own;
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin(held, bytes != NULL, config, key, &own);
    if (status != SUMAC_OK) {
        return status;
    }
    input_file file;
    input_open_bytes(&file, context, bytes, count, "the key in memory");
    return read_key(&file, &own, key);
}

static void free_set(base_set *set)
{
    sumac_bases_destroy(set->bases);
    free(set->rows);
}

static uint64_t set_bytes(const base_set *set)
{
    return sumac_bases_bytes(set->bases) +
           (set->rows == NULL ? 0 : sumac_bases_count(set->bases) * sizeof *set->rows);
}

void sumac_groth16_key_destroy(sumac_groth16_key *key)
{
    if (key != NULL) {
        sumac_groth16_verifying_key_destroy(key->own_verifying);
        sparse_destroy(key->matrix_a);
        sparse_destroy(key->matrix_b);
        for (uint32_t k = 0; k < SUMAC_MAX_DEVICES; k++) {
            sparse_destroy(key->copies_of_a[k]);
            sparse_destroy(key->copies_of_b[k]);
        }
        free_set(&key->a);
        free_set(&key->b1);
        free_set(&key->b2);
        sumac_bases_destroy(key->c);
        free(key);
    }
}

const sumac_groth16_verifying_key *sumac_groth16_key_verifying(const sumac_groth16_key *key)
{
    return key == NULL ? NULL : key->verifying;
}

sumac_status sumac_groth16_key_describe(const sumac_groth16_key *key, sumac_groth16_info *info)
{
    sumac_message message;
    sumac_groth16_info own = sumac_groth16_info_default();
    if (key == NULL || info == NULL || public_check(&public_groth16_info, info, &message) != SUMAC_OK) {
        return SUMAC_BAD_ARGUMENT;
    }
    const sumac_status status = sumac_groth16_verifying_key_describe(key->verifying, &own);
    own.wires = key->wires;
    own.domain = key->domain;
    own.coefficients = key->coefficients;
    own.witness_bytes = key_witness_scalars(key) * key->verifying->groups.info1->scalar_bytes;
    own.key_bytes = set_bytes(&key->a) + set_bytes(&key->b1) + set_bytes(&key->b2) +
                    sumac_bases_bytes(key->c) +
                    (key->takes_products ? 0 : key->matrix_a->bytes + key->matrix_b->bytes);
    public_copy(&own, info);
    return status;
}
