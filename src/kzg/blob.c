/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Commitments to blobs: each is an MSM over the setup's Lagrange points, several in a batch. */
#include <string.h>

#include "api/call.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/range.h"
#include "kzg/setup.h"

enum { N = SUMAC_KZG_FIELD_ELEMENTS };

typedef struct commit_call {
    const sumac_kzg_setup *setup;
    const uint8_t *blobs;
    uint8_t *commitments; /* the caller's buffer is written once, when nothing can fail any more */
} commit_call;

/* Commit to blobs [first, first + count). */
static sumac_status commit_sub_batch(const commit_call *call, const work_range *range, size_t first,
                                     size_t count)
{
    const msm_batch msms = {.bases = call->setup->lagrange, .n = N, .batch = count};
    LOCAL_SCALARS(scalars, range->self, call->setup->g1, count * N);
    LOCAL_POINTS(points, range->self, call->setup->g1, count);
    TRY(elements_write(range->self, scalars, "blob", first, call->blobs + first * SUMAC_KZG_BLOB_BYTES, count,
                       N));
    TRY(range_msm(range, &msms, scalars, 0, points, 0));
    return points_encode(range->self, points, count, call->commitments + first * SUMAC_KZG_COMMITMENT_BYTES);
}

static sumac_status commit_range(void *argument, const work_range *range)
{
    for (size_t done = 0, n; (n = range_next(range, done, N)) > 0; done += n) {
        TRY(commit_sub_batch(argument, range, range->first + done, n));
    }
    return SUMAC_OK;
}

sumac_status sumac_kzg_commit_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                    const sumac_blob *blobs, size_t count, sumac_bytes48 *commitments)
{
    const int complete = count == 0 || (blobs != NULL && commitments != NULL);
    HOLDS sumac_context *held = context_begin(context);
    TRY(setup_begin_call(held, setup, complete, "blobs and commitments", count, SUMAC_KZG_BLOB_BYTES));
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
