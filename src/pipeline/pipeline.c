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

/* How far the call is: passes done, of all runs, chunks and passes. */
typedef struct progress_count {
    void (*report)(void *user, double done);
    void *user;
    double done;
    double all;
} progress_count;

/* The MSMs of one run, from their scalars to their results. */
static sumac_status run_msms(const backend *engine, const msm_job *job, workspace *space, void *results,
                             progress_count *progress)
{
    const sumac_plan *plan = job->plan;
    const uint64_t modules = (uint64_t)plan->batch * plan->modules;
    const uint64_t chunk = plan_chunk(plan);
    msm_pass pass = {0};
    for (pass.chunk_first = 0; pass.chunk_first < plan->n; pass.chunk_first += chunk) {
        pass.chunk_n = smaller(chunk, plan->n - pass.chunk_first);
        for (pass.first_module = 0; pass.first_module < modules;
             pass.first_module += plan->modules_per_pass) {
            pass.modules = smaller(plan->modules_per_pass, modules - pass.first_module);
            const sumac_status status = run_pass(engine, job, &pass, space);
            if (status != SUMAC_OK) {
                return status;
            }
            pass.index++;
            progress->done++;
            if (progress->report != NULL) {
                progress->report(progress->user, progress->done / progress->all);
            }
        }
    }
    return engine->combine(job, &space->modules, results);
}

sumac_status pipeline_run(const backend *engine, const msm_job *job, void *memory, void *results,
                          void (*report)(void *user, double done), void *user)
{
    const sumac_plan *plan = job->plan;
    workspace space = workspace_place(plan, job->code, memory);
    const uint64_t runs = (plan->batch + (uint64_t)plan->msms_at_once - 1) / plan->msms_at_once;
    progress_count progress = {report, user, 0, (double)plan->passes * plan->chunks * (double)runs};
    if (runs == 1) {
        return run_msms(engine, job, &space, results, &progress);
    }
    sumac_status status = SUMAC_OK;
    for (uint64_t first = 0; first < plan->batch && status == SUMAC_OK; first += plan->msms_at_once) {
        sumac_plan run_plan = *plan;
        msm_job run = *job;
        run_plan.batch = (uint32_t)smaller(plan->msms_at_once, plan->batch - first);
        run.plan = &run_plan;
        run.scalars = job->scalars + first * plan->n * job->curve->info.scalar_bytes;
        run.first_base = job->first_base + (job->separate_bases ? first * plan->n : 0);
        status =
            run_msms(engine, &run, &space, (char *)results + first * job->curve->info.point_bytes, &progress);
    }
    return status;
}
