/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Text files of what each stage has written, to find the stage that is wrong: docs/internals/debugging.md. A build with
 * -DSUMAC_DUMP=DIRECTORY writes them; in every other build these functions are empty.
 */
#ifndef SUMAC_PIPELINE_DUMP_H
#define SUMAC_PIPELINE_DUMP_H

#include "pipeline/engine.h"

#ifdef SUMAC_DUMP

/* Make DIRECTORY/1, or the next number that is free, and write the plan, the bases and the scalars there. Returns the
 * number, which is job.dump; 0: the directory cannot be made, and nothing is dumped. */
uint32_t dump_begin(const backend *engine, const msm_job *job);

/* Append what the stage has just written, which for STAGE_COMBINE are the sub-batch's results. */
void dump_stage(const backend *engine, const msm_job *job, const msm_pass *pass, msm_stage stage,
                const workspace *space, const void *results);

#else

static inline uint32_t dump_begin(const backend *engine, const msm_job *job)
{
    (void)engine, (void)job;
    return 0;
}

static inline void dump_stage(const backend *engine, const msm_job *job, const msm_pass *pass,
                              msm_stage stage, const workspace *space, const void *results)
{
    (void)engine, (void)job, (void)pass, (void)stage, (void)space, (void)results;
}

#endif

#endif
