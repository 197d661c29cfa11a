/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The only caller of the stages. pipeline.h says what flows from one to the next; src/cpu/ (and any other
 * backend's folder) has one file for each stage.
 */
#include "pipeline/pipeline.h"

#include "pipeline/backend.h"
#include "pipeline/portions.h"
#include "pipeline/workspace.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The three stages that run for each portion of the chunk. */
static sumac_status run_portion(const backend *engine, const msm_job *job, const msm_pass *pass,
                                workspace *space)
{
    sumac_status status = engine->recode(job, pass, &space->digits);
    if (status == SUMAC_OK) {
        status = engine->sort(job, pass, &space->digits, &space->lists, space->scratch);
    }
    if (status == SUMAC_OK) {
        status = engine->accumulate(job, pass, &space->lists, &space->buckets, space->scratch);
    }
    return status;
}

static sumac_status run_pass(const backend *engine, const msm_job *job, msm_pass *pass, workspace *space)
{
    sumac_status status = SUMAC_OK;
    for (uint32_t portion = 0; portion < job->plan->portions && status == SUMAC_OK; portion++) {
        const uint64_t start = portion_start(job->plan, pass->chunk_n, portion);
        pass->first = pass->chunk_first + start;
        pass->n = portion_start(job->plan, pass->chunk_n, portion + 1) - start;
        if (pass->n > 0) {
            status = run_portion(engine, job, pass, space);
        }
    }
    return status != SUMAC_OK ? status
                              : engine->reduce(job, pass, &space->buckets, &space->modules, space->scratch);
}

/* Where the work stands, for whoever wants to know. */
typedef struct run_progress {
    void (*report)(void *user, double done); /* may be null */
    void *user;
    uint64_t passes; /* of all lots, at most */
} run_progress;

/* All of one lot; pass->index goes on from lot to lot. */
static sumac_status run_lot(const backend *engine, const msm_job *job, msm_pass *pass, void *memory,
                            uint8_t *results, const run_progress *progress)
{
    const msm_plan *plan = job->plan;
    workspace spaces[PLAN_MAX_TRACKS];
    const uint64_t modules = (uint64_t)plan->batch * plan->modules;
    const uint64_t chunk = plan_chunk(plan);
    for (uint32_t track = 0; track < plan->tracks; track++) {
        spaces[track] = workspace_place(plan, job->code, memory, track);
    }
    for (pass->chunk_first = 0; pass->chunk_first < plan->n; pass->chunk_first += chunk) {
        pass->chunk_n = smaller(chunk, plan->n - pass->chunk_first);
        for (pass->first_module = 0; pass->first_module < modules;
             pass->first_module += plan->modules_per_pass) {
            pass->modules = smaller(plan->modules_per_pass, modules - pass->first_module);
            const sumac_status status = run_pass(engine, job, pass, &spaces[pass_track(plan, pass)]);
            if (status != SUMAC_OK) {
                return status;
            }
            pass->index++;
            if (progress->report != NULL) {
                progress->report(progress->user, (double)pass->index / (double)progress->passes);
            }
        }
    }
    return engine->combine(job, &spaces[0].modules, results);
}

sumac_status pipeline_run(const backend *engine, const msm_job *job, void *memory, void *results,
                          void (*progress)(void *user, double done), void *user)
{
    const msm_plan *plan = job->plan;
    const sumac_curve_info *curve = &job->curve->info;
    const uint64_t lots = (plan->batch + (uint64_t)plan->lot - 1) / plan->lot;
    const run_progress told = {progress, user, lots * plan->chunks * plan->passes};
    msm_pass pass = {0};
    sumac_status status = SUMAC_OK;
    for (uint64_t first = 0; first < plan->batch && status == SUMAC_OK; first += plan->lot) {
        msm_plan lot_plan = *plan;
        msm_job lot = *job;
        lot_plan.batch = (uint32_t)smaller(plan->lot, plan->batch - first);
        lot.plan = &lot_plan;
        lot.first_msm = (uint32_t)first;
        lot.call_batch = plan->batch;
        lot.scalars += first * plan->n * curve->scalar_bytes;
        lot.first_base += job->separate_bases ? first * plan->n : 0;
        status = run_lot(engine, &lot, &pass, memory, (uint8_t *)results + first * curve->point_bytes, &told);
    }
    return status;
}
