/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cuda/msm/stage.h"

#include "base/clock.h"

double cuda_stage_begin(const msm_job *job)
{
    return job->trace.report == NULL ? 0 : clock_seconds();
}

sumac_status cuda_stage_end(const msm_job *job, const msm_pass *pass, const char *name, double begin)
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
