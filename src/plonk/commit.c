/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file computes commitments to wires for gnark's solver, which needs their values: load.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/try.h"
#include "io/random.h"
#include "plonk/prove_steps.h"

/* Set the wires' gates of a vector of zeros to their values. Successive gates are set together. */
static sumac_status scatter(executor *self, sumac_vector *row, const uint32_t *gates, size_t count,
                            const uint8_t *values)
{
    const size_t each = row->group->scalar_bytes;
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && gates[next] == gates[next - 1] + 1; next++) {
        }
        TRY(vector_set(self, row, gates[first], next - first, values + first * each, NULL));
    }
    return SUMAC_OK;
}

/* Commit to the wires and to both random numbers. */
static sumac_status commit(sumac_context *context, const sumac_plonk_key *key, uint32_t which,
                           const uint32_t *gates, size_t count, const uint8_t *values, const uint8_t *numbers,
                           uint8_t *point)
{
    const sumac_plonk_verifying_key *verifying = key->verifying;
    const sumac_group *g1 = verifying->groups.g1;
    const sumac_transform_config config = key_transform(key, NULL, 1);
    sumac_msm_config one = {.size = sizeof one};
    executor *self = context_executor(context);
    LOCAL_SCALARS(row, self, g1, key->domain);
    LOCAL_POINTS(result, self, g1, 1);
    one.batch = 1;
    TRY(vector_fill_integer(self, row, 0));
    TRY(scatter(self, row, gates, count, values));
    TRY(vector_set(self, row, verifying->commitment_gates[which], 1, numbers, NULL));
    TRY(vector_set(self, row, key->gates - 1, 1, numbers + g1->scalar_bytes, NULL));
    TRY(vector_ntt(self, row, &config));
    TRY(vector_msm(self, context_executors(context), key->powers, 0, row, 0, key->domain, &one, result, 0));
    return vector_get(self, result, 0, 1, point, NULL);
}

sumac_status sumac_plonk_commit(sumac_context *context, const sumac_plonk_key *key, size_t which,
                                const void *values, size_t values_bytes, void *numbers, size_t numbers_bytes,
                                void *hash, size_t hash_bytes)
{
    uint8_t drawn[2 * MOST_SCALAR_BYTES], point[MOST_POINT_BYTES], value[MOST_SCALAR_BYTES];
    BEGIN_CALL(context);
    TRY(require(context, key != NULL && values != NULL && numbers != NULL && hash != NULL,
                "key, values, numbers and hash"));
    const sumac_plonk_verifying_key *verifying = key->verifying;
    const sumac_group *g1 = verifying->groups.g1;
    if (which >= verifying->commitments) {
        return fail(context, SUMAC_BAD_ARGUMENT, "there is no commitment %zu: the key has %" PRIu32, which,
                    verifying->commitments);
    }
    const size_t first = which == 0 ? 0 : key->committed_ends[which - 1];
    const size_t count = key->committed_ends[which] - first;
    TRY(bytes_require(context, "values", values_bytes, count, g1->scalar_bytes));
    TRY(bytes_require(context, "numbers", numbers_bytes, 2, g1->scalar_bytes));
    TRY(bytes_require(context, "hash", hash_bytes, 1, g1->scalar_bytes));
    TRY(bases_check_usable(context, key->powers));
    const size_t wrong = scalars_first_too_large(g1, values, count);
    if (wrong < count) {
        return fail(context, SUMAC_BAD_ENCODING, "value %zu is not less than r", wrong);
    }
    TRY(random_scalars(context, g1, drawn, 2));
    TRY(commit(context, key, (uint32_t)which, key->committed + first, count, values, drawn, point));
    host_to_raw(g1, plonk_committed_value(g1, point), value);
    memcpy(numbers, drawn, 2 * (size_t)g1->scalar_bytes);
    memcpy(hash, value, g1->scalar_bytes);
    return SUMAC_OK;
}
