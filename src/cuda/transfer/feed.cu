/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * feed: where a pass finds its scalars and bases, and when. copies.cu copies what has to be copied; the
 * in-flight passes, too, begin and end here.
 */
#include "cuda/transfer/transfer.h"

#include "cuda/msm/stage.h"
#include "pipeline/plan_sizes.h"

static uint32_t turn_of(const msm_plan *plan, uint64_t chunk_first)
{
    return chunk_first == 0 ? 0 : static_cast<uint32_t>(chunk_first / plan_chunk(plan) % plan_turns(plan));
}

static void shape(const plan_request *request, msm_plan *plan)
{
    plan->bytes_staging = 0;
    if (plan_copies_scalars(request)) {
        plan->bytes_staging = plan_turns(plan) * plan_chunk(plan) * plan->sub_batch * request->layout.bytes;
    }
    plan->bytes_pinned = 0;
    if (plan->bytes_staging + plan->bytes_host_resident > 0) {
        plan->bytes_pinned = transfer_pinned_bytes(plan);
        cuda_choose_copy_slices(request, plan);
    }
}

/* The address to which a chunk is copied, from its record `before` on: it has records of so many bytes for each of
 * some rows. */
static void *copied(const msm_plan *plan, void *memory, uint64_t chunk_first, uint64_t before, uint32_t rows,
                    uint64_t bytes)
{
    const uint64_t records = turn_of(plan, chunk_first) * plan_chunk(plan) + before;
    return static_cast<char *>(memory) + records * rows * bytes;
}

static void *copied_scalars(const msm_job *job, const feed_memory *memory, uint64_t chunk_first,
                            uint64_t before)
{
    return copied(job->plan, memory->scalars, chunk_first, before, job->plan->batch, job->layout.bytes);
}

static void *host_resident_bases(const msm_job *job, const feed_memory *memory, uint64_t chunk_first,
                                 uint64_t before)
{
    return copied(job->plan, memory->bases, chunk_first, before, job->base_sets, job->code->affine_bytes);
}

static sumac_status begin(const msm_job *job, uint64_t first, uint64_t n, const feed_memory *memory)
{
    void *scalars = transfer_copies_scalars(job) ? copied_scalars(job, memory, first, 0) : NULL;
    void *bases = job->bases.host_resident ? host_resident_bases(job, memory, first, 0) : NULL;
    return scalars == NULL && bases == NULL
               ? SUMAC_OK
               : transfer_begin(job, turn_of(job->plan, first), first, n, scalars, bases);
}

static pass_inputs inputs_of(const msm_job *job, const feed_memory *memory, const msm_pass *pass)
{
    const msm_plan *plan = job->plan;
    const uint64_t before = pass->first - pass->chunk_first; /* of the chunk, in earlier copy slices */
    pass_inputs inputs = {
        .stride = pass->n,
        .bases = job->bases.points,
        .first_base = job->first_base + pass->first,
        .set_bases = plan->n,
    };
    if (transfer_copies_scalars(job)) {
        inputs.scalars = static_cast<uint8_t *>(copied_scalars(job, memory, pass->chunk_first, before));
    } else {
        inputs.scalars = job->scalars + pass->first * job->layout.bytes;
        inputs.stride = plan->n;
    }
    if (job->bases.host_resident) {
        inputs.bases = host_resident_bases(job, memory, pass->chunk_first, before);
        inputs.first_base = 0;
        inputs.set_bases = pass->n;
    }
    return inputs;
}

static sumac_status await(const msm_job *job, const feed_memory *memory, msm_pass *pass)
{
    pass->inputs = inputs_of(job, memory, pass);
    TRY(passes_begin(job, pass));
    if (pass->first_module >=
        static_cast<uint64_t>(job->plan->modules_per_pass) * job->plan->in_flight_passes) {
        return SUMAC_OK; /* the in-flight pass's first pass has waited */
    }
    return transfer_await(job, turn_of(job->plan, pass->chunk_first), pass->copy_slice,
                          in_flight_of(pass)->stream);
}

const feed_ops cuda_feed = {
    .shape = shape,
    .cost = cuda_cost_of_feed,
    .begin = begin,
    .await = await,
    .end = passes_join,
};
