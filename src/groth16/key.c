/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Proving keys: from a file of any format to where proofs are computed. */
#include "groth16/key.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/sizes.h"
#include "groth16/key_format.h"
#include "io/memory.h"

/* The last one says what is wrong with a file of none. */
static const key_format *const formats[] = {&gnark_key_format, &zkey_key_format};

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

/* ---- Opening ---- */

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
    return formats[i]->read(file, config, key);
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
        public_take(&public_groth16_key_config, config, own, context_executor(context)->message);
    return status != SUMAC_OK || own->check <= SUMAC_CHECK_SUBGROUP
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
    char message[SUMAC_MESSAGE_BYTES];
    sumac_groth16_info own = sumac_groth16_info_default();
    if (key == NULL || info == NULL || public_check(&public_groth16_info, info, message) != SUMAC_OK) {
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
