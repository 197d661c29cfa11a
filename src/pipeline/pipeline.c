/*
 * The only caller of the stages. pipeline.h says what flows from one to the next; src/cpu/ (and any other
 * backend's folder) has one file for each stage.
 */
#include "pipeline/pipeline.h"

#include "pipeline/backend.h"
#include "pipeline/workspace.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The four stages that run for each pass. */
static sumac_status run_pass(const backend *engine, const msm_job *job, const msm_pass *pass,
                             workspace *space)
{
    sumac_status status = engine->recode(job, pass, &space->digits);
    if (status == SUMAC_OK) {
        status = engine->sort(job, pass, &space->digits, &space->lists, space->scratch);
    }
    if (status == SUMAC_OK) {
        status = engine->accumulate(job, pass, &space->lists, &space->buckets, space->scratch);
    }
    if (status == SUMAC_OK) {
        status = engine->reduce(job, pass, &space->buckets, &space->modules, space->scratch);
    }
    return status;
}

sumac_status pipeline_run(const backend *engine, const msm_job *job, void *memory, void *results,
                          void (*progress)(void *user, double done), void *user)
{
    const sumac_plan *plan = job->plan;
    workspace space = workspace_place(plan, job->code, memory);
    const uint64_t modules = (uint64_t)plan->batch * plan->modules;
    const uint64_t chunk = (plan->n + plan->chunks - 1) / plan->chunks;
    msm_pass pass = {0, 0, 0, 0, 0};
    for (pass.first = 0; pass.first < plan->n; pass.first += chunk) {
        pass.n = smaller(chunk, plan->n - pass.first);
        for (pass.first_module = 0; pass.first_module < modules;
             pass.first_module += plan->modules_per_pass) {
            pass.modules = smaller(plan->modules_per_pass, modules - pass.first_module);
            const sumac_status status = run_pass(engine, job, &pass, &space);
            if (status != SUMAC_OK) {
                return status;
            }
            pass.index++;
            if (progress != NULL) {
                progress(user, (double)pass.index / ((double)plan->passes * plan->chunks));
            }
        }
    }
    return engine->combine(job, &space.modules, results);
}
