/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Commitments to blobs: one multi-scalar multiplication over the setup's Lagrange points each, several in a
 * batch. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "io/bytes.h"
#include "io/zcash.h"
#include "kzg/elements.h"
#include "kzg/setup_types.h"

enum {
    BLOBS_PER_BATCH = 64 /* 8 MiB of scalars: a longer batch gains nothing, and this bounds the memory */
};

/* Blobs [first, first + count) to raw scalars. */
static sumac_status decode_blobs(sumac_context *context, const sumac_curve *curve, const uint8_t *blobs,
                                 size_t first, size_t count, uint8_t *scalars)
{
    const uint8_t *next = blobs + first * SUMAC_KZG_BLOB_BYTES;
    for (size_t i = 0; i < count * SUMAC_KZG_FIELD_ELEMENTS; i++) {
        reverse_bytes(scalars + i * SCALAR_BYTES, next + i * SCALAR_BYTES, SCALAR_BYTES);
    }
    return elements_check(context, curve, "blob", first, next, count, SUMAC_KZG_FIELD_ELEMENTS);
}

/* The working memory of one call. */
typedef struct commit_buffers {
    uint8_t *scalars;
    uint8_t *points;
    uint8_t
        *commitments; /* of all blobs: the caller's buffer is written once, when nothing can fail any more */
} commit_buffers;

static sumac_status commit_batch(sumac_context *context, const sumac_kzg_setup *setup, const uint8_t *blobs,
                                 size_t first, size_t count, const commit_buffers *buffers)
{
    const sumac_curve_info *info = sumac_curve_describe(setup->g1);
    sumac_msm_config config = sumac_msm_config_default();
    config.batch = (uint32_t)count;
    sumac_status status = decode_blobs(context, setup->g1, blobs, first, count, buffers->scalars);
    if (status == SUMAC_OK) {
        status = sumac_msm(context, setup->lagrange, buffers->scalars, SUMAC_KZG_FIELD_ELEMENTS, &config,
                           buffers->points);
    }
    for (size_t i = 0; status == SUMAC_OK && i < count; i++) {
        zcash_compress(context, setup->g1, buffers->commitments + (first + i) * SUMAC_KZG_COMMITMENT_BYTES,
                       buffers->points + i * info->point_bytes);
    }
    return status;
}

static sumac_status commit_all(sumac_context *context, const sumac_kzg_setup *setup, const uint8_t *blobs,
                               size_t count, void *commitments)
{
    const size_t most = count < BLOBS_PER_BATCH ? count : BLOBS_PER_BATCH;
    const size_t scalars_bytes = most * SUMAC_KZG_BLOB_BYTES;
    const size_t points_bytes = most * sumac_curve_describe(setup->g1)->point_bytes;
    const size_t commitments_bytes = count * SUMAC_KZG_COMMITMENT_BYTES;
    commit_buffers buffers = {
        .scalars = malloc(scalars_bytes),
        .points = malloc(points_bytes),
        .commitments = malloc(commitments_bytes),
    };
    sumac_status status = SUMAC_OK;
    if (buffers.scalars == NULL || buffers.points == NULL || buffers.commitments == NULL) {
        status = fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes to commit to %zu blobs",
                      scalars_bytes + points_bytes + commitments_bytes, count);
    }
    for (size_t first = 0; status == SUMAC_OK && first < count; first += most) {
        status =
            commit_batch(context, setup, blobs, first, count - first < most ? count - first : most, &buffers);
    }
    if (status == SUMAC_OK) {
        memcpy(commitments, buffers.commitments, commitments_bytes);
    }
    free(buffers.scalars);
    free(buffers.points);
    free(buffers.commitments);
    return status;
}

sumac_status sumac_kzg_commit(sumac_context *context, const sumac_kzg_setup *setup, const void *blobs,
                              size_t count, void *commitments)
{
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    if (setup == NULL || (count > 0 && (blobs == NULL || commitments == NULL))) {
        return fail(context, SUMAC_BAD_ARGUMENT, "setup, blobs and commitments must not be null");
    }
    return count == 0 ? SUMAC_OK : commit_all(context, setup, blobs, count, commitments);
}
