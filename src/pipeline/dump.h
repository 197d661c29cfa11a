/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions write the output of each stage to text files, so that a developer can find the stage that is wrong
 * (docs/internals/debugging.md). Only a build with -DSUMAC_DUMP=DIRECTORY does so; in every other build these functions
 * are empty.
 */
#ifndef SUMAC_PIPELINE_DUMP_H
#define SUMAC_PIPELINE_DUMP_H

#include "pipeline/engine.h"

#ifdef SUMAC_DUMP

/* Create DIRECTORY/1, or the directory of the next number that is free, and write the plan, the bases and the scalars
 * to it. Returns the number for job.dump, or 0 if the directory cannot be created; then nothing is dumped. */
uint32_t dump_begin(const backend *engine, const msm_job *job);

/* Append the output of the stage that has just run; for STAGE_COMBINE these are the sub-batch's results. */
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
