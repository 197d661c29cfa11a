/*
 * combine: module sums -> results. The sums of one MSM's modules are the digits of the result in base 2^c:
 * result = sum of 2^(c*j) * module_j, by Horner's rule from the last module down.
 */
#include "cpu/parallel.h"
#include "cpu/stages.h"
#include "math/point.h"

typedef struct combine_work {
    const msm_job *job;
    const xyzz *modules;
    uint8_t *results;
} combine_work;

static void combine_task(void *arguments, size_t msm, uint32_t thread)
{
    const combine_work *work = arguments;
    const sumac_plan *plan = work->job->plan;
    const xyzz *modules = work->modules + msm * plan->modules;
    xyzz sum = modules[plan->modules - 1];
    affine result;
    (void)thread;
    for (uint32_t j = plan->modules - 1; j-- > 0;) {
        xyzz_double_times(&sum, &sum, plan->c);
        xyzz_add(&sum, &sum, &modules[j]);
    }
    xyzz_to_affine(&result, &sum);
    work->job->code->convert->export_points(work->results + msm * work->job->curve->info.point_bytes, &result,
                                            1, work->job->result_form);
}

sumac_status SUMAC_SYMBOL(combine)(const msm_job *job, const module_sums *modules, void *results)
{
    const parallel_team team = parallel_team_of(job, NULL, "combine");
    combine_work work = {job, modules->points, results};
    parallel_for(&team, job->plan->batch, combine_task, &work);
    return SUMAC_OK;
}
