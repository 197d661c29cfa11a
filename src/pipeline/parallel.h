/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* parallel_for() is the only way in which the CPU engine uses several threads. */
#ifndef SUMAC_PIPELINE_PARALLEL_H
#define SUMAC_PIPELINE_PARALLEL_H

#include "base/pool.h"
#include "pipeline/pipeline.h"

/* A team says how many threads work, and which name their spans of work have in a trace. */
typedef struct parallel_team {
    uint32_t threads;
    const char *name;
    uint32_t pass;
    const trace_sink *trace; /* may be null */
    thread_pool *pool;       /* not null if threads > 1; the system may give it fewer threads */
    /* If this becomes 1, tasks that have not begun are skipped. It stays 1, so that the caller sees it afterwards. If
     * it is null, all tasks are done. */
    const _Atomic int *cancelled;
} parallel_team;

/* Return the team of a stage in a pass. */
parallel_team parallel_team_of(const msm_job *job, const msm_pass *pass, const char *name);

/*
 * Unless the team is cancelled, call task(arguments, index, thread) once for each index < count, in any order, on up to
 * team.threads threads at a time; thread < team.threads is unique among the calls that run at the same time. When this
 * returns, all tasks are done, and what they wrote is visible to the caller.
 */
void parallel_for(const parallel_team *team, size_t count,
                  void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments);

#endif
