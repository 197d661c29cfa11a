/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file computes commitments to blobs. Each commitment is an MSM over the setup's Lagrange points; several MSMs are
 * computed as a batch. */
#include <string.h>

#include "api/call.h"
#include "api/points.h"
#include "codec/bytes.h"
#include "executor/msm.h"
#include "kzg/elements.h"
#include "kzg/range.h"
#include "kzg/setup.h"

enum {
    N = SUMAC_KZG_FIELD_ELEMENTS,
    BLOBS_PER_BATCH = 64 /* 8 MiB of scalars; a longer batch would gain nothing, and would take more memory */
};

typedef struct commit_call {
    const sumac_kzg_setup *setup;
    const uint8_t *blobs;
    uint8_t *commitments; /* the caller's buffer, which is written once, when nothing can fail any more */
} commit_call;

/* Commit to blobs [first, first + count). The caller gives memory for their scalars and for raw points. */
static sumac_status commit_batch(const commit_call *call, const work_range *range, size_t first, size_t count,
                                 uint8_t *scalars, uint8_t *points)
{
    const sumac_group *group = call->setup->g1;
    const sumac_bases *lagrange = call->setup->lagrange;
    const uint8_t *blobs = call->blobs + first * SUMAC_KZG_BLOB_BYTES;
    sumac_msm_config config = {.size = sizeof config};
    config.batch = (uint32_t)count;
    msm_call msms;
    msm_call_make(&msms, range->self, group, N, &config);
    for (size_t i = 0; i < count * N; i++) {
        reverse_bytes(scalars + i * SCALAR_BYTES, blobs + i * SCALAR_BYTES, SCALAR_BYTES);
    }
    TRY(elements_check(range->self, group, "blob", first, blobs, count, N));
    TRY(msm_run(range->self, lagrange, lagrange->shard_count > 1 ? range->index : 0, scalars, &msms, NULL,
                (msm_target){.memory = points}));
    return encoded_points_encode(range->self, group, &zcash_compressed_format, points, count,
                                 call->commitments + first * SUMAC_KZG_COMMITMENT_BYTES);
}

static sumac_status commit_range(void *argument, const work_range *range)
{
    const commit_call *call = argument;
    const size_t most = range->count < BLOBS_PER_BATCH ? range->count : BLOBS_PER_BATCH;
    LOCAL_MEMORY(uint8_t, scalars, range->self, most * SUMAC_KZG_BLOB_BYTES);
    LOCAL_MEMORY(uint8_t, points, range->self, most * G1_POINT_BYTES);
    for (size_t done = 0; done < range->count && !range_is_over(range); done += most) {
        const size_t left = range->count - done;
        TRY(commit_batch(call, range, range->first + done, left < most ? left : most, scalars, points));
    }
    return SUMAC_OK;
}

sumac_status sumac_kzg_commit(sumac_context *context, const sumac_kzg_setup *setup, const sumac_blob *blobs,
                              size_t count, sumac_bytes48 *commitments)
{
    const int complete = count == 0 || (blobs != NULL && commitments != NULL);
    HOLDS sumac_context *held = context_begin(context);
    TRY(setup_begin_call(context, setup, complete, "blobs and commitments", count, SUMAC_KZG_BLOB_BYTES));
    if (count == 0) {
        return SUMAC_OK;
    }
    const size_t bytes = count * SUMAC_KZG_COMMITMENT_BYTES;
    LOCAL_MEMORY(uint8_t, encoded, context_executor(context), bytes);
    commit_call call = {setup, (const uint8_t *)blobs, encoded};
    TRY(ranges_run(context, setup->devices, count, commit_range, &call));
    memcpy(commitments, encoded, bytes);
    return SUMAC_OK;
}
