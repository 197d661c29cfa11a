/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Only this file calls the stages. It has all loops over sub-batches, chunks, passes and copy slices. pipeline.h
 * describes the data that flow from one stage to the next, and kinds.h the ways to do a stage.
 */
#include "pipeline/pipeline.h"

#include "base/integers.h"
#include "base/try.h"
#include "pipeline/dump.h"
#include "pipeline/engine.h"
#include "pipeline/plan_sizes.h"
#include "pipeline/plan.h"

/* Run the stages of one copy slice of a chunk. The copy of the next chunk begins at this chunk's first copy slice: by
 * then all work that reads the previous chunk is queued, so the copy may reuse that chunk's memory during the work on
 * this one. */
static sumac_status run_copy_slice(const backend *engine, const msm_job *job, msm_pass *pass,
                                   workspace *space)
{
    const msm_plan *plan = job->plan;
    const stage_kind *const *kinds = plan->kinds;
    const uint64_t next = pass->chunk_first + pass->chunk_n;
    TRY(engine->feed->await(job, &space->feed, pass));
    TRY(kinds[STAGE_RECODE]->run.recode(job, pass, &space->digits));
    dump_stage(engine, job, pass, STAGE_RECODE, space, NULL);
    if (next < plan->n && pass->first == pass->chunk_first && pass->first_module == 0) {
        TRY(engine->feed->begin(job, next, smaller(plan_chunk(plan), plan->n - next), &space->feed));
    }
    TRY(kinds[STAGE_SORT]->run.sort(job, pass, &space->digits, &space->lists, space->scratch));
    dump_stage(engine, job, pass, STAGE_SORT, space, NULL);
    TRY(kinds[STAGE_ACCUMULATE]->run.accumulate(job, pass, &space->lists, &space->buckets, space->scratch));
    dump_stage(engine, job, pass, STAGE_ACCUMULATE, space, NULL);
    return SUMAC_OK;
}

/* Run a pass, and reduce its buckets when they hold the bases of all chunks, or after each chunk if chunks do not share
 * buckets. If chunks share buckets, each pass has buckets that no other pass writes. */
static sumac_status run_pass(const backend *engine, const msm_job *job, msm_pass *pass,
                             const workspace *space)
{
    const msm_plan *plan = job->plan;
    workspace arrays = *space;
    if (plan->keeps_buckets) {
        const uint64_t before = pass->first_module * plan_module_sums(plan);
        arrays.buckets.points = (char *)space->buckets.points + before * plan_sum_bytes(plan, job->code);
    }
    for (pass->copy_slice = 0; pass->copy_slice < plan->copy_slices; pass->copy_slice++) {
        const uint64_t start = copy_slice_start(plan, pass->chunk_first, pass->chunk_n, pass->copy_slice);
        const uint64_t end = copy_slice_start(plan, pass->chunk_first, pass->chunk_n, pass->copy_slice + 1);
        pass->first = pass->chunk_first + start;
        pass->n = end - start;
        if (pass->n > 0) {
            TRY(run_copy_slice(engine, job, pass, &arrays));
        }
    }
    if (plan->keeps_buckets && pass->chunk_first + pass->chunk_n < plan->n) {
        return SUMAC_OK;
    }
    TRY(plan->kinds[STAGE_REDUCE]->run.reduce(job, pass, &arrays.buckets, &arrays.modules, arrays.scratch));
    dump_stage(engine, job, pass, STAGE_REDUCE, &arrays, NULL);
    return SUMAC_OK;
}

/* This struct says how progress is reported. */
typedef struct run_progress {
    int (*report)(void *user, double done); /* may be null; a result other than 0 ends the work */
    void *user;
    uint64_t passes; /* the most passes of all sub-batches */
} run_progress;

/* Run one sub-batch. pass->index counts the passes of all sub-batches. */
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
    TRY(engine->feed->begin(job, 0, smaller(chunk, plan->n), &spaces[0].feed));
    for (pass->chunk_first = 0; pass->chunk_first < plan->n; pass->chunk_first += chunk) {
        pass->chunk_n = smaller(chunk, plan->n - pass->chunk_first);
        for (pass->first_module = 0; pass->first_module < modules;
             pass->first_module += plan->modules_per_pass) {
            pass->modules = smaller(plan->modules_per_pass, modules - pass->first_module);
            TRY(run_pass(engine, job, pass, &spaces[pass_in_flight_pass(plan, pass)]));
            pass->index++;
            if (progress->report != NULL &&
                progress->report(progress->user, (double)pass->index / (double)progress->passes) != 0) {
                return SUMAC_CANCELLED;
            }
        }
    }
    TRY(engine->feed->end(job));
    TRY(plan->kinds[STAGE_COMBINE]->run.combine(job, &spaces[0].modules, points));
    dump_stage(engine, job, pass, STAGE_COMBINE, &spaces[0], points);
    return SUMAC_OK;
}

sumac_status pipeline_run(const backend *engine, const msm_job *job, void *memory, void *results,
                          int (*report)(void *user, double done), void *user)
{
    const msm_plan *plan = job->plan;
    const run_progress progress = {report, user,
                                   ceil_divide(plan->batch, plan->sub_batch) * plan->chunks * plan->passes};
    msm_pass pass = {0};
    const uint32_t dump = dump_begin(engine, job);
    void *points = NULL;
    TRY(engine->deliver->begin(job, results, &points));
    for (uint64_t first = 0; first < plan->batch; first += plan->sub_batch) {
        msm_plan sub_batch_plan = *plan;
        msm_job sub_batch = *job;
        sub_batch_plan.batch = (uint32_t)smaller(plan->sub_batch, plan->batch - first);
        sub_batch.plan = &sub_batch_plan;
        sub_batch.dump = dump;
        sub_batch.first_msm = (uint32_t)first;
        sub_batch.scalars += job_start(job, first) * job->layout.bytes;
        sub_batch.offsets = job->offsets == NULL ? NULL : job->offsets + first;
        if (job->base_sets == plan->batch) { /* each MSM has a separate set; the sets of a sub-batch have the
                                                numbers 0, 1, .. */
            sub_batch.first_base += first * plan->n;
            sub_batch.base_sets = sub_batch_plan.batch;
        } else {
            sub_batch.first_set = first % job->base_sets;
        }
        TRY(run_sub_batch(engine, &sub_batch, &pass, memory, (uint8_t *)points + first * job->result_bytes,
                          &progress));
    }
    return engine->deliver->end(job, points, results);
}
