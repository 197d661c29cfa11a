/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Commitments and what is hashed with them. */
#include "groth16/commitments.h"

#include <string.h>

#include "api/call.h"
#include "api/points.h"
#include "base/try.h"
#include "codec/bytes.h"

static const char value_domain[] = "bsb22-commitment";
static const char challenge_domain[] = "G16-BSB22";

sumac_status commitment_hash_find(sumac_context *context, const char *name, const commitment_hash **hash)
{
    for (uint32_t i = 0; commitment_hash_at(i) != NULL; i++) {
        if (name == NULL || strcmp(name, commitment_hash_at(i)->name) == 0) {
            *hash = commitment_hash_at(i);
            return SUMAC_OK;
        }
    }
    return fail(context, SUMAC_BAD_ARGUMENT, "%s is no hash of commitments, which are %s, %s and %s", name,
                commitment_hash_at(0)->name, commitment_hash_at(1)->name, commitment_hash_at(2)->name);
}

/* ---- What is hashed ---- */

static void add_scalars(const commitment_hash *hash, hash_state *state, const sumac_group *group,
                        const uint8_t *scalars, size_t count)
{
    uint8_t big[MOST_SCALAR_BYTES];
    for (size_t i = 0; i < count; i++) {
        reverse_bytes(big, scalars + i * group->scalar_bytes, group->scalar_bytes);
        hash->add(state, big, group->scalar_bytes);
    }
}

sumac_status commitment_value(sumac_context *context, const sumac_group *g1, const commitment_hash *hash,
                              const uint8_t *point, const uint8_t *hashed, size_t count, uint8_t *value)
{
    hash_state state;
    uint8_t record[MOST_POINT_BYTES];
    const point_format *format = gnark_raw_format.records(g1);
    TRY(encoded_points_encode(context_executor(context), g1, format, point, 1, record));
    hash->begin(&state);
    hash->add(&state, record, format_record_bytes(format, g1));
    add_scalars(hash, &state, g1, hashed, count);
    hash->end(&state, value_domain, g1, value);
    return SUMAC_OK;
}

void commitments_challenge(const sumac_group *g1, const uint8_t *values, size_t count, uint8_t *challenge)
{
    const commitment_hash *hash = commitment_hash_at(0); /* gnark has no other hash for the challenge */
    hash_state state;
    hash->begin(&state);
    add_scalars(hash, &state, g1, values, count);
    hash->end(&state, challenge_domain, g1, challenge);
}
