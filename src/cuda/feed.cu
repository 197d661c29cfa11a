/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * feed: where a pass finds its scalars and bases, and when. transfer.cu copies what has to be copied; the
 * tracks, too, begin and end here.
 */
#include "cuda/feed.h"

#include "cuda/engine.h"
#include "cuda/transfer.h"

static void shape(const plan_request *request, msm_plan *plan)
{
    plan->bytes_staging = 0;
    if (request->scalars_place == SUMAC_PLACE_HOST) {
        plan->bytes_staging = plan_chunk(plan) * plan->lot * request->curve->info.scalar_bytes;
        cuda_choose_portions(request->curve, plan, request->portions);
    }
    plan->bytes_pinned = plan->bytes_staging + plan->bytes_visiting > 0 ? transfer_pinned_bytes(plan) : 0;
}

/* Where a chunk's bases visit: two chunks take turns. */
static void *visiting_bases(const msm_job *job, uint64_t chunk_first, const feed_memory *memory)
{
    const msm_plan *plan = job->plan;
    const uint64_t chunk = plan_chunk(plan), turn = chunk_first / chunk % 2;
    const uint64_t points = chunk * job->base_sets;
    return static_cast<char *>(memory->bases) + turn * points * job->code->affine_bytes;
}

static sumac_status begin(const msm_job *job, uint64_t first, uint64_t n, const feed_memory *memory)
{
    void *scalars = job->scalars_place == SUMAC_PLACE_DEVICE ? NULL : memory->scalars;
    void *bases = job->bases.visits ? visiting_bases(job, first, memory) : NULL;
    return scalars == NULL && bases == NULL ? SUMAC_OK : transfer_begin(job, first, n, scalars, bases);
}

static pass_inputs inputs_of(const msm_job *job, const feed_memory *memory, const msm_pass *pass)
{
    const msm_plan *plan = job->plan;
    const uint64_t scalar_bytes = job->curve->info.scalar_bytes;
    const uint64_t before = pass->first - pass->chunk_first; /* of the chunk, in earlier portions */
    pass_inputs inputs = {
        .scalars = static_cast<const uint8_t *>(memory->scalars) + before * plan->batch * scalar_bytes,
        .stride = pass->n,
        .bases = job->bases.points,
        .first_base = job->first_base + pass->first,
        .set_bases = plan->n,
    };
    if (job->scalars_place == SUMAC_PLACE_DEVICE) {
        inputs.scalars = job->scalars + pass->first * scalar_bytes;
        inputs.stride = plan->n;
    }
    if (job->bases.visits) {
        inputs.bases = visiting_bases(job, pass->chunk_first, memory);
        inputs.first_base = before;
        inputs.set_bases = pass->chunk_n;
    }
    return inputs;
}

static sumac_status await(const msm_job *job, const feed_memory *memory, msm_pass *pass)
{
    pass->inputs = inputs_of(job, memory, pass);
    STATUS_TRY(cuda_take_track(job, pass));
    if (pass->first_module >= static_cast<uint64_t>(job->plan->modules_per_pass) * job->plan->tracks) {
        return SUMAC_OK; /* the track's first pass has waited */
    }
    if (job->scalars_place != SUMAC_PLACE_DEVICE) {
        STATUS_TRY(transfer_await_scalars(job, pass->portion));
    }
    return job->bases.visits && pass->first == pass->chunk_first ? transfer_await_bases(job) : SUMAC_OK;
}

const feed_ops cuda_feed = {
    .shape = shape,
    .cost = cuda_cost_of_feed,
    .begin = begin,
    .await = await,
    .end = cuda_join_tracks,
};
