/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header declares the kinds of stages, their costs, and their common code; none of this depends on a curve. */
#ifndef SUMAC_CUDA_MSM_STAGE_H
#define SUMAC_CUDA_MSM_STAGE_H

#include "base/clock.h"
#include "cuda/device/group.h"
#include "cuda/device/engine.h"
#include "curves/group_code.h"
#include "pipeline/kinds.h"

extern const stage_kind cuda_recode_signed, cuda_recode_negated, cuda_recode_glv, cuda_recode_unsigned;
extern const stage_kind cuda_sort_counting, cuda_sort_lookup, cuda_sort_ranks;
extern const stage_kind cuda_accumulate_quads, cuda_accumulate_rounds, cuda_accumulate_xyzz_quads;
extern const stage_kind cuda_reduce_halving, cuda_reduce_running_sum, cuda_reduce_none;
extern const stage_kind cuda_combine_host, cuda_combine_device;

/* src/plans/cuda/table.cu defines the named plans, and the kinds that only they have. Both lists end with null. */
extern const named_plan *const cuda_plans[];
extern const stage_kind *const cuda_plan_kinds[];

/* ---- Costs of kinds: costs.cu ---- */

typedef stage_cost cost_function(const plan_request *request, const msm_plan *plan);
cost_function cuda_cost_of_feed, cuda_cost_of_recode, cuda_cost_of_sort, cuda_cost_of_ranks,
    cuda_cost_of_lookup, cuda_cost_of_quads, cuda_cost_of_xyzz_quads, cuda_cost_of_rounds,
    cuda_cost_of_halving, cuda_cost_of_running_sum, cuda_cost_of_one_bucket, cuda_cost_of_host_combine,
    cuda_cost_of_device_combine;

/* The function of backend.elapsed. */
double cuda_elapsed(msm_plan *plan, const stage_cost *sum);

/* Choose plan.copy_slices and copy_slice_growth. If request.copy_slices is 0, the fastest number of copy slices is
 * chosen. */
void cuda_choose_copy_slices(const plan_request *request, msm_plan *plan);

/* Return log2 of the best number of quads for each of `buckets` buckets of `load` entries. */
uint32_t cuda_quad_level(double load, double buckets);

/* Return the number of affine rounds of reduce_halving.cu for `modules` modules; it does not fall as `modules` grows. */
uint32_t cuda_tail_level(const msm_plan *plan, uint64_t modules);

/* ---- Common code of kinds ---- */

/* Return the pass among a stage's arguments, or null for combine, which has none. */
static inline const msm_pass *cuda_pass_of(const msm_pass *pass, ...)
{
    return pass;
}

static inline const msm_pass *cuda_pass_of(const module_sums *, ...)
{
    return NULL;
}

/* This is stage_kind.run of a stage: it calls `queue`. If there is a trace, it waits for the stream and reports a span,
 * which so covers the stage's work. */
template <msm_stage stage, auto queue, class... arguments>
sumac_status cuda_run(const msm_job *job, arguments... given)
{
    static const char *const names[STAGES] = {"recode", "sort", "accumulate", "reduce", "combine"};
    if (job->trace.report == NULL) {
        return queue(job, given...);
    }
    cuda_engine *engine = engine_of(job);
    const msm_pass *pass = cuda_pass_of(given...);
    const double begin = clock_seconds();
    TRY(queue(job, given...));
    CUDA_TRY(engine, cudaStreamSynchronize(pass == NULL ? engine->stream : stream_of(pass)));
    const sumac_trace_event event = {sizeof event, names[stage],   0, pass == NULL ? 0 : pass->index,
                                     begin,        clock_seconds()};
    job->trace.report(job->trace.user, &event);
    return SUMAC_OK;
}

/* This is stage_kind.scratch_bytes of a kind whose function `lay_out` takes the arrays from the scratch memory. */
template <auto lay_out> uint64_t cuda_scratch_bytes(const group_code *code, const msm_plan *plan)
{
    scratch_block scratch = {};
    (void)lay_out(code, plan, &scratch);
    return scratch.bytes;
}

#endif
