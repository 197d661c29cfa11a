/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pipeline/parallel.h"

#include <stdatomic.h>

#include "base/clock.h"

parallel_team parallel_team_of(const msm_job *job, const msm_pass *pass, const char *name)
{
    const parallel_team team = {job->threads, name,      pass == NULL ? 0 : pass->index,
                                &job->trace,  job->pool, NULL};
    return team;
}

typedef struct parallel_work {
    const parallel_team *team;
    size_t count;
    void (*task)(void *arguments, size_t index, uint32_t thread);
    void *arguments;
    _Atomic size_t next; /* the first task that nobody has begun */
} parallel_work;

/* Take tasks one by one from a shared counter, so that a slow task delays no other thread. */
static void work_on_tasks(void *arguments, uint32_t thread)
{
    parallel_work *work = arguments;
    const parallel_team *team = work->team;
    const int traced = team->trace != NULL && team->trace->report != NULL;
    const double start = traced ? clock_seconds() : 0;
    while (team->cancelled == NULL || atomic_load_explicit(team->cancelled, memory_order_relaxed) == 0) {
        const size_t index = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
        if (index >= work->count) {
            break;
        }
        work->task(work->arguments, index, thread);
    }
    if (traced) {
        const sumac_trace_event event = {sizeof event, team->name, thread,
                                         team->pass,   start,      clock_seconds()};
        team->trace->report(team->trace->user, &event);
    }
}

void parallel_for(const parallel_team *team, size_t count,
                  void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments)
{
    const uint32_t threads = count < team->threads ? (uint32_t)count : team->threads;
    parallel_work work = {team, count, task, arguments, 0};
    if (threads <= 1) {
        work_on_tasks(&work, 0);
    } else {
        pool_run(team->pool, threads, work_on_tasks, &work);
    }
}
