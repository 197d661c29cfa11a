/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kinds of stages, none of which knows a curve: what they are, what they cost, and what they are written with. */
#ifndef SUMAC_CUDA_MSM_STAGE_H
#define SUMAC_CUDA_MSM_STAGE_H

#include "base/clock.h"
#include "cuda/device/curve.h"
#include "cuda/device/engine.h"
#include "curves/curve_code.h"
#include "pipeline/kinds.h"

extern const stage_kind cuda_recode_signed;
extern const stage_kind cuda_recode_negated;
extern const stage_kind cuda_recode_glv;
extern const stage_kind cuda_recode_unsigned;
extern const stage_kind cuda_sort_counting;
extern const stage_kind cuda_sort_lookup;
extern const stage_kind cuda_sort_ranks;
extern const stage_kind cuda_accumulate_quads;
extern const stage_kind cuda_accumulate_rounds;
extern const stage_kind cuda_accumulate_xyzz_quads;
extern const stage_kind cuda_reduce_halving;
extern const stage_kind cuda_reduce_running_sum;
extern const stage_kind cuda_reduce_none;
extern const stage_kind cuda_combine_host;
extern const stage_kind cuda_combine_device;

/* The named plans, and the kinds that only they have: what the build puts there from src/plans. Both end with null. */
extern const named_plan *const cuda_plans[];
extern const stage_kind *const cuda_plan_kinds[];

/* ---- What they cost: costs.cu ---- */

stage_cost cuda_cost_of_feed(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_recode(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_sort(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_ranks(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_lookup(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_quads(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_xyzz_quads(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_rounds(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_halving(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_running_sum(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_one_bucket(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_host_combine(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_device_combine(const plan_request *request, const msm_plan *plan);

/* The function of backend.elapsed. */
double cuda_elapsed(msm_plan *plan, const stage_cost *sum);

/* Choose plan.copy_slices and copy_slice_growth: as many copy slices as the request has, or if that is 0 as many as pay. */
void cuda_choose_copy_slices(const plan_request *request, msm_plan *plan);

/* accumulate_xyzz_quads.cu: log2 of the quads that are best for a bucket of so many entries, where there are so many. */
uint32_t cuda_quad_level(double load, double buckets);

/* reduce_halving.cu: how many rounds are affine, for so many modules; no more for fewer modules. */
uint32_t cuda_tail_level(const msm_plan *plan, uint64_t modules);

/* ---- What they are written with ---- */

/* A stage's span begins. */
static inline double cuda_stage_begin(const msm_job *job)
{
    return job->trace.report == NULL ? 0 : clock_seconds();
}

/* A stage's span ends; with a trace this waits for the stream, so that the span is the stage's. */
static inline sumac_status cuda_stage_end(const msm_job *job, const msm_pass *pass, const char *name,
                                          double begin)
{
    if (job->trace.report != NULL) {
        cuda_engine *engine = engine_of(job);
        CUDA_TRY(engine, cudaStreamSynchronize(pass == NULL ? engine->stream : stream_of(pass)));
        const sumac_trace_event event = {sizeof event, name,           0, pass == NULL ? 0 : pass->index,
                                         begin,        clock_seconds()};
        job->trace.report(job->trace.user, &event);
    }
    return SUMAC_OK;
}

#endif
