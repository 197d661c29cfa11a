/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Commitments to blobs: one multi-scalar multiplication over the setup's Lagrange points each, several in a
 * batch. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/points.h"
#include "codec/bytes.h"
#include "executor/msm.h"
#include "executor/planning.h"
#include "kzg/elements.h"
#include "kzg/setup.h"
#include "kzg/share.h"

enum {
    BLOBS_PER_BATCH = 64 /* 8 MiB of scalars: a longer batch gains nothing, and this bounds the memory */
};

/* Blobs [first, first + count) to raw scalars. */
static sumac_status decode_blobs(executor *self, const sumac_curve *curve, const uint8_t *blobs, size_t first,
                                 size_t count, uint8_t *scalars)
{
    const uint8_t *next = blobs + first * SUMAC_KZG_BLOB_BYTES;
    for (size_t i = 0; i < count * SUMAC_KZG_FIELD_ELEMENTS; i++) {
        reverse_bytes(scalars + i * SCALAR_BYTES, next + i * SCALAR_BYTES, SCALAR_BYTES);
    }
    return elements_check(self, curve, "blob", first, next, count, SUMAC_KZG_FIELD_ELEMENTS);
}

/* The working memory of one share. */
typedef struct commit_buffers {
    uint8_t *scalars;
    uint8_t *points;
} commit_buffers;

typedef struct commit_call {
    const sumac_kzg_setup *setup;
    const uint8_t *blobs;
    uint8_t *commitments; /* the caller's buffer is written once, when nothing can fail any more */
} commit_call;

static sumac_status commit_batch(const commit_call *call, const share *own, size_t first, size_t count,
                                 const commit_buffers *buffers)
{
    const sumac_curve *curve = call->setup->g1;
    const sumac_bases *lagrange = call->setup->lagrange;
    sumac_msm_config config = sumac_msm_config_default();
    config.batch = (uint32_t)count;
    msm_call call_of_batch;
    msm_call_make(&call_of_batch, own->executor, curve, SUMAC_KZG_FIELD_ELEMENTS, &config);
    sumac_status status = decode_blobs(own->executor, curve, call->blobs, first, count, buffers->scalars);
    if (status == SUMAC_OK) {
        status = msm_run(own->executor, lagrange, lagrange->shard_count > 1 ? own->index : 0,
                         buffers->scalars, &call_of_batch, NULL, (msm_target){.memory = buffers->points});
    }
    return status != SUMAC_OK
               ? status
               : encoded_points_encode(own->executor, curve, &zcash_compressed_format, buffers->points, count,
                                       call->commitments + first * SUMAC_KZG_COMMITMENT_BYTES);
}

static sumac_status commit_share(void *argument, const share *own)
{
    const commit_call *call = argument;
    const size_t most = own->count < BLOBS_PER_BATCH ? own->count : BLOBS_PER_BATCH;
    const size_t scalars_bytes = most * SUMAC_KZG_BLOB_BYTES;
    const size_t points_bytes = most * sumac_curve_describe(call->setup->g1)->point_bytes;
    const commit_buffers buffers = {.scalars = malloc(scalars_bytes), .points = malloc(points_bytes)};
    sumac_status status = SUMAC_OK;
    if (buffers.scalars == NULL || buffers.points == NULL) {
        status = refuse(&own->executor->message, SUMAC_OUT_OF_MEMORY,
                        "there is no memory of %zu bytes to commit to %zu blobs",
                        scalars_bytes + points_bytes, own->count);
    }
    for (size_t done = 0; status == SUMAC_OK && done < own->count && !share_is_over(own); done += most) {
        const size_t left = own->count - done;
        status = commit_batch(call, own, own->first + done, left < most ? left : most, &buffers);
    }
    free(buffers.scalars);
    free(buffers.points);
    return status;
}

static sumac_status commit_all(sumac_context *context, commit_call *call, size_t count, void *commitments)
{
    const size_t bytes = count * SUMAC_KZG_COMMITMENT_BYTES;
    call->commitments = malloc(bytes);
    if (call->commitments == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for commitments", bytes);
    }
    const sumac_status status = share_out(context, call->setup->devices, count, commit_share, call);
    if (status == SUMAC_OK) {
        memcpy(commitments, call->commitments, bytes);
    }
    free(call->commitments);
    return status;
}

sumac_status sumac_kzg_commit_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                    const sumac_blob *blobs, size_t count, sumac_bytes48 *commitments)
{
    const int there = count == 0 || (blobs != NULL && commitments != NULL);
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status =
        setup_begin_call(held, setup, there, "blobs and commitments", count, SUMAC_KZG_BLOB_BYTES);
    commit_call call = {.setup = setup, .blobs = (const uint8_t *)blobs};
    return status != SUMAC_OK || count == 0 ? status : commit_all(context, &call, count, commitments);
}
