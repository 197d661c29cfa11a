/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file opens proving keys, and puts them where proofs are computed. */
#include "plonk/key.h"

#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/integers.h"
#include "base/memory_left.h"
#include "base/sizes.h"
#include "base/try.h"
#include "codec/container.h"
#include "io/memory.h"
#include "plonk/key_format.h"

/* ---- Values on the cosets ---- */

/* Return 1 if the values take at most a quarter of the memory that is free where the context computes. */
static int has_memory(sumac_context *context, const sumac_plonk_key *key)
{
    const executor *self = context_executor(context);
    const uint64_t bytes = key_kept_rows(key) * key->domain * key->polynomials->bytes;
    const uint64_t limit = self->means.memory_limit;
    const uint64_t left =
        self->engine != NULL ? self->backend->device->memory_free(self->engine) : memory_left_for_one();
    return bytes <= left / 4 && (limit == 0 || bytes <= limit / 4);
}

static sumac_status keep_values(sumac_context *context, sumac_plonk_key *key)
{
    executor *self = context_executor(context);
    const size_t n = key->domain;
    TRY(vector_create(self, key->polynomials->group, SUMAC_VECTOR_SCALARS, key_kept_rows(key) * n,
                      &key->kept));
    for (size_t i = 0; i < key_polynomials(key); i++) {
        for (size_t j = 0; j < key_kept_cosets(key, i); j++) {
            const size_t first = key_kept_row(key, i, j) * n;
            sumac_vector values = vector_part(key->kept, first, n);
            const sumac_transform_config config = key_transform(key, key->shifts[j], 0);
            TRY(vector_copy_range(self, key->kept, first, key->polynomials, i * n, n));
            TRY(vector_ntt(self, &values, &config));
        }
    }
    return SUMAC_OK;
}

/* ---- The memory of a proof ---- */

/* Plan sums of as many polynomials as a proof commits to together, or fewer. */
static sumac_status find_workspace(sumac_context *context, sumac_plonk_key *key)
{
    const proof_needs needs = key->verifying->flavour->needs(key);
    key->workspace_bytes = 0;
    for (uint32_t batch = 1; batch <= needs.batch; batch++) {
        uint64_t bytes;
        sumac_msm_config config = {.size = sizeof config};
        config.batch = batch;
        TRY(vector_msm_workspace(context_executor(context), context_executors(context), key->powers,
                                 needs.terms, &config, &bytes));
        key->workspace_bytes = larger(key->workspace_bytes, bytes);
    }
    key->workspace_bytes += needs.scalars * key->polynomials->bytes;
    return SUMAC_OK;
}

/* ---- Public functions ---- */

static void close_key(sumac_plonk_key **key)
{
    sumac_plonk_key_destroy(*key);
}

/* Read a key of any format, which the first bytes of the file show. */
static sumac_status read_any(input_file *file, const sumac_plonk_key_config *config, sumac_plonk_key *key)
{
    uint8_t begins[GNARK_BEGINS_BYTES] = {0};
    size_t got = 0;
    TRY(input_measure(file, INPUT_OF_ANY_SIZE));
    TRY(input_read(file, begins, sizeof begins, &got));
    TRY(input_seek(file, 0));
    return plonk_gnark_fits(begins, got)   ? plonk_gnark_read(file, config, key)
           : container_begins(begins, got) ? plonk_prepared_read(file, config, key)
                                           : plonk_zkey_read(file, config, key);
}

/* Read a key from a file or, if path is null, from `data`. */
static sumac_status open_key(sumac_context *context, const char *path, const void *data, size_t data_bytes,
                             const sumac_plonk_key_config *config, sumac_plonk_key **key)
{
    sumac_plonk_key_config full;
    BEGIN_MAKING(context, key);
    TRY(require(context, path != NULL || data != NULL, "what is read"));
    TRY(public_take(&public_plonk_key_config, config, &full, context_message(context)));
    if ((unsigned)full.check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%u is no sumac_check", full.check);
    }
    full.check = subgroup_by_default(full.check);
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open_either(&file, context, path, data, data_bytes, "the key in memory"));
    CLEANUP(close_key) sumac_plonk_key *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return memory_failed(context, file.path, sizeof *opened);
    }
    TRY(read_any(&file, &full, opened));
    if (!full.compact && has_memory(context, opened)) {
        TRY(keep_values(context, opened));
    }
    TRY(find_workspace(context, opened));
    *key = opened;
    opened = NULL;
    return SUMAC_OK;
}

sumac_status sumac_plonk_key_open(sumac_context *context, const char *path,
                                  const sumac_plonk_key_config *config, sumac_plonk_key **key)
{
    return open_key(context, path, NULL, 0, config, key);
}

sumac_status sumac_plonk_key_create(sumac_context *context, const void *data, size_t data_bytes,
                                    const sumac_plonk_key_config *config, sumac_plonk_key **key)
{
    return open_key(context, NULL, data, data_bytes, config, key);
}

void sumac_plonk_key_destroy(sumac_plonk_key *key)
{
    if (key == NULL) {
        return;
    }
    sumac_bases_destroy(key->powers);
    sparse_destroy(key->sums);
    free(key->level_ends);
    free(key->committed);
    sparse_destroy(key->maps);
    vector_destroy(key->polynomials);
    vector_destroy(key->kept);
    sumac_plonk_verifying_key_destroy(key->verifying);
    free(key);
}

const sumac_plonk_verifying_key *sumac_plonk_key_verifying(const sumac_plonk_key *key)
{
    return key == NULL ? NULL : key->verifying;
}

static uint64_t vector_bytes(const sumac_vector *vector)
{
    return vector == NULL ? 0 : vector->count * vector->bytes;
}

sumac_status sumac_plonk_key_describe(const sumac_plonk_key *key, sumac_plonk_info *info)
{
    sumac_message message;
    sumac_plonk_info described = {.size = sizeof described};
    if (key == NULL || info == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    TRY(public_check(&public_plonk_info, info, &message));
    TRY(sumac_plonk_verifying_key_describe(key->verifying, &described));
    described.wires = key->wires;
    described.gates = key->gates;
    described.additions = key->additions;
    described.witness_bytes = key_witness_bytes(key);
    described.key_bytes = bases_kept_bytes(key->powers) + (key->sums == NULL ? 0 : key->sums->bytes) +
                          (key->maps == NULL ? 0 : key->maps->bytes) + vector_bytes(key->polynomials) +
                          vector_bytes(key->kept);
    described.workspace_bytes = key->workspace_bytes;
    public_copy(&described, info);
    return SUMAC_OK;
}
