/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The only caller of the stages: all loops over sub-batches, chunks, passes and copy slices. pipeline.h says what flows
 * from one stage to the next, kinds.h what a stage is done by.
 */
#include "pipeline/pipeline.h"

#include "base/integers.h"
#include "pipeline/dump.h"
#include "pipeline/engine.h"
#include "pipeline/plan_sizes.h"
#include "pipeline/workspace.h"

/* Whether the chunk before is done with: all that reads it is queued. */
static int begins_chunk(const msm_pass *pass)
{
    return pass->first == pass->chunk_first && pass->first_module == 0;
}

/* The stages that run for each copy slice of the chunk. The next chunk comes while this one is worked on. */
static sumac_status run_copy_slice(const backend *engine, const msm_job *job, msm_pass *pass,
                                   workspace *space)
{
    const msm_plan *plan = job->plan;
    const stage_kind *const *kinds = plan->kinds;
    const uint64_t next = pass->chunk_first + pass->chunk_n;
    sumac_status status = engine->feed->await(job, &space->feed, pass);
    if (status == SUMAC_OK) {
        status = kinds[STAGE_RECODE]->run.recode(job, pass, &space->digits);
        dump_stage(engine, job, pass, STAGE_RECODE, space, NULL);
    }
    if (status == SUMAC_OK && next < plan->n && begins_chunk(pass)) {
        status = engine->feed->begin(job, next, smaller(plan_chunk(plan), plan->n - next), &space->feed);
    }
    if (status == SUMAC_OK) {
        status = kinds[STAGE_SORT]->run.sort(job, pass, &space->digits, &space->lists, space->scratch);
        dump_stage(engine, job, pass, STAGE_SORT, space, NULL);
    }
    if (status == SUMAC_OK) {
        status = kinds[STAGE_ACCUMULATE]->run.accumulate(job, pass, &space->lists, &space->buckets,
                                                         space->scratch);
        dump_stage(engine, job, pass, STAGE_ACCUMULATE, space, NULL);
    }
    return status;
}

static sumac_status run_copy_slices(const backend *engine, const msm_job *job, msm_pass *pass,
                                    workspace *space)
{
    sumac_status status = SUMAC_OK;
    for (pass->copy_slice = 0; pass->copy_slice < job->plan->copy_slices && status == SUMAC_OK;
         pass->copy_slice++) {
        const uint64_t start =
            copy_slice_start(job->plan, pass->chunk_first, pass->chunk_n, pass->copy_slice);
        pass->first = pass->chunk_first + start;
        pass->n = copy_slice_start(job->plan, pass->chunk_first, pass->chunk_n, pass->copy_slice + 1) - start;
        if (pass->n > 0) {
            status = run_copy_slice(engine, job, pass, space);
        }
    }
    return status;
}

/* The pass's part of the buckets, which lie pass behind pass where they are kept for the next chunk; that is no
 * other pass's then. Reduced when all chunks are in them. */
static sumac_status run_pass(const backend *engine, const msm_job *job, msm_pass *pass,
                             const workspace *space)
{
    const msm_plan *plan = job->plan;
    workspace own = *space;
    if (plan->keeps_buckets) {
        const uint64_t before = pass->first_module * plan_module_sums(plan);
        own.buckets.points = (char *)space->buckets.points + before * plan_sum_bytes(plan, job->code);
    }
    const sumac_status status = run_copy_slices(engine, job, pass, &own);
    if (status != SUMAC_OK || (plan->keeps_buckets && pass->chunk_first + pass->chunk_n < plan->n)) {
        return status;
    }
    const sumac_status reduced =
        plan->kinds[STAGE_REDUCE]->run.reduce(job, pass, &own.buckets, &own.modules, own.scratch);
    dump_stage(engine, job, pass, STAGE_REDUCE, &own, NULL);
    return reduced;
}

/* Where the work stands, for whoever wants to know. */
typedef struct run_progress {
    int (*report)(void *user, double done); /* may be null; not 0 ends the work */
    void *user;
    uint64_t passes; /* of all sub-batches, at most */
} run_progress;

/* All of one sub-batch; pass->index goes on from sub-batch to sub-batch. */
static sumac_status run_sub_batch(const backend *engine, const msm_job *job, msm_pass *pass, void *memory,
                                  uint8_t *points, const run_progress *progress)
{
    const msm_plan *plan = job->plan;
    workspace spaces[PLAN_MAX_IN_FLIGHT_PASSES];
    const uint64_t modules = (uint64_t)plan->batch * plan->modules;
    const uint64_t chunk = plan_chunk(plan);
    for (uint32_t in_flight_pass = 0; in_flight_pass < plan->in_flight_passes; in_flight_pass++) {
        spaces[in_flight_pass] = workspace_at(plan, job->code, memory, in_flight_pass);
    }
    sumac_status status = engine->feed->begin(job, 0, smaller(chunk, plan->n), &spaces[0].feed);
    for (pass->chunk_first = 0; pass->chunk_first < plan->n && status == SUMAC_OK;
         pass->chunk_first += chunk) {
        pass->chunk_n = smaller(chunk, plan->n - pass->chunk_first);
        for (pass->first_module = 0; pass->first_module < modules && status == SUMAC_OK;
             pass->first_module += plan->modules_per_pass) {
            pass->modules = smaller(plan->modules_per_pass, modules - pass->first_module);
            status = run_pass(engine, job, pass, &spaces[pass_in_flight_pass(plan, pass)]);
            pass->index++;
            if (status == SUMAC_OK && progress->report != NULL &&
                progress->report(progress->user, (double)pass->index / (double)progress->passes) != 0) {
                status = SUMAC_CANCELLED;
            }
        }
    }
    if (status == SUMAC_OK) {
        status = engine->feed->end(job);
    }
    if (status == SUMAC_OK) {
        status = plan->kinds[STAGE_COMBINE]->run.combine(job, &spaces[0].modules, points);
        dump_stage(engine, job, pass, STAGE_COMBINE, &spaces[0], points);
    }
    return status;
}

sumac_status pipeline_run(const backend *engine, const msm_job *job, void *memory, void *results,
                          int (*progress)(void *user, double done), void *user)
{
    const msm_plan *plan = job->plan;
    const run_progress told = {progress, user,
                               ceil_divide(plan->batch, plan->sub_batch) * plan->chunks * plan->passes};
    msm_pass pass = {0};
    void *points = NULL;
    const uint32_t dump = dump_begin(engine, job);
    sumac_status status = engine->deliver->begin(job, results, &points);
    for (uint64_t first = 0; first < plan->batch && status == SUMAC_OK; first += plan->sub_batch) {
        msm_plan sub_batch_plan = *plan;
        msm_job sub_batch = *job;
        sub_batch_plan.batch = (uint32_t)smaller(plan->sub_batch, plan->batch - first);
        sub_batch.plan = &sub_batch_plan;
        sub_batch.dump = dump;
        sub_batch.first_msm = (uint32_t)first;
        sub_batch.scalars += job_start(job, first) * job->layout.bytes;
        sub_batch.offsets = job->offsets == NULL ? NULL : job->offsets + first;
        if (job->base_sets == plan->batch) { /* each MSM's own: the sub-batch's are sets 0, 1, .. of it */
            sub_batch.first_base += first * plan->n;
            sub_batch.base_sets = sub_batch_plan.batch;
        } else {
            sub_batch.first_set = first % job->base_sets;
        }
        status = run_sub_batch(engine, &sub_batch, &pass, memory,
                               (uint8_t *)points + first * job->result_bytes, &told);
    }
    return status != SUMAC_OK ? status : engine->deliver->end(job, points, results);
}
