#include "cpu/parallel.h"

#include <omp.h>

#include "pipeline/clock.h"

uint32_t parallel_processors(void)
{
    return (uint32_t)omp_get_num_procs();
}

parallel_team parallel_team_of(const msm_job *job, const msm_pass *pass, const char *name)
{
    const parallel_team team = {job->threads, name, pass == NULL ? 0 : pass->index, &job->trace};
    return team;
}

/* Tasks are taken one by one from a shared counter, so that a slow one delays nobody. */
static void work(const parallel_team *team, size_t count, void (*task)(void *, size_t, uint32_t),
                 void *arguments, uint32_t thread, size_t *next)
{
    const int traced = team->trace != NULL && team->trace->report != NULL;
    const double start = traced ? clock_seconds() : 0;
    for (;;) {
        const size_t index = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
        if (index >= count) {
            break;
        }
        task(arguments, index, thread);
    }
    if (traced) {
        const sumac_trace_event event = {team->name, thread, team->pass, start, clock_seconds()};
        team->trace->report(team->trace->user, &event);
    }
}

void parallel_for(const parallel_team *team, size_t count,
                  void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments)
{
    size_t next = 0;
    const uint32_t threads = count < team->threads ? (uint32_t)count : team->threads;
    if (threads <= 1) {
        work(team, count, task, arguments, 0, &next);
        return;
    }
#pragma omp parallel num_threads((int)threads) default(shared)
    work(team, count, task, arguments, (uint32_t)omp_get_thread_num(), &next);
}
