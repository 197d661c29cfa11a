/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cpu/ranges.h"

#include "base/integers.h"

typedef struct ranges_work {
    uint64_t n, block;
    void (*task)(void *arguments, index_range range);
    void *arguments;
} ranges_work;

static void run_range(void *arguments, size_t index, uint32_t thread)
{
    const ranges_work *work = arguments;
    const uint64_t first = index * work->block;
    work->task(work->arguments, (index_range){first, first + smaller(work->n - first, work->block), thread});
}

void parallel_ranges(const parallel_team *team, uint64_t n, uint64_t block,
                     void (*task)(void *arguments, index_range range), void *arguments)
{
    ranges_work work = {n, block, task, arguments};
    parallel_for(team, (size_t)ceil_divide(n, block), run_range, &work);
}

parallel_team vector_team(const vector_run *run, const char *name)
{
    return (parallel_team){run->threads, name, 0, &run->trace, run->pool, NULL};
}

void vector_ranges(const vector_run *run, const char *name, uint64_t n, uint64_t block,
                   void (*task)(void *arguments, index_range range), void *arguments)
{
    const parallel_team team = vector_team(run, name);
    parallel_ranges(&team, n, block, task, arguments);
}
