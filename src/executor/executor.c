/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "executor/executor.h"

#include <stdatomic.h>

#include "base/integers.h"

const char *executor_device_message(const executor *self)
{
    return self->engine == NULL ? "" : self->backend->device->message(self->engine);
}

int executor_asks(void *user, double done)
{
    const executor_means *means = &((const executor *)user)->means;
    return (means->cancelled != NULL && atomic_load_explicit(means->cancelled, memory_order_relaxed) != 0) ||
           (means->progress != NULL && means->progress(means->progress_user, done) != 0);
}

sumac_status executor_report(executor *self, double done)
{
    return executor_asks(self, done)
               ? refuse(&self->message, SUMAC_CANCELLED, "%s", sumac_status_text(SUMAC_CANCELLED))
               : SUMAC_OK;
}

sumac_status executor_done(executor *self, sumac_status status)
{
    return status == SUMAC_OK ? status : refuse(&self->message, status, "%s", executor_device_message(self));
}

sumac_status executor_copy_across(executor *self, void *to, const void *from, uint64_t bytes)
{
    if (self->engine == NULL) {
        memcpy(to, from, (size_t)bytes);
        return SUMAC_OK;
    }
    return executor_done(self, self->backend->device->copy_across(self->engine, to, from, bytes));
}

void executor_enter(const executor *self)
{
    if (self->engine != NULL) {
        self->backend->device->enter(self->engine);
    }
}

void executor_queue(executor *self)
{
    self->queues = self->has_queued = 1;
    self->backend->device->queue(self->engine, 1);
}

sumac_status executor_wait(executor *self)
{
    if (!self->has_queued) {
        return self->queued_status;
    }
    const sumac_status joined = self->backend->device->join(self->engine);
    self->has_queued = 0;
    if (joined != SUMAC_OK) {
        self->queued_status = joined;
        return executor_done(self, joined);
    }
    return self->queued_status == SUMAC_OK
               ? SUMAC_OK
               : refuse(&self->message, self->queued_status,
                        "a scalar of a queued call has more bits than the call declared");
}

int32_t executor_device(const executor *self)
{
    return self->engine == NULL ? ON_HOST : self->backend->device->ordinal(self->engine);
}

static int runs_variant(const executor *self, const char *variant)
{
    const char *const *name = self->variants;
    while (*name != NULL && strcmp(*name, variant) != 0) {
        name++;
    }
    return *name != NULL;
}

const group_code *executor_code(const executor *self, const sumac_group *group)
{
    const group_code *const *code = registered(group)->variants;
    while (code[1] != NULL && !runs_variant(self, (*code)->variant)) {
        code++;
    }
    return *code;
}

sumac_status executor_workspace(executor *self, uint64_t bytes, void **memory)
{
    if (self->workspace_bytes < bytes) {
        executor_trim_workspace(self, 0);
        self->workspace = self->backend->allocate(self->engine, bytes);
        if (self->workspace == NULL) {
            return refuse(&self->message, SUMAC_OUT_OF_MEMORY,
                          "there is no memory for a workspace of %llu bytes", (unsigned long long)bytes);
        }
        self->workspace_bytes = bytes;
    }
    *memory = self->workspace;
    return SUMAC_OK;
}

void executor_trim_workspace(executor *self, uint64_t bytes)
{
    if (self->workspace_bytes > bytes) {
        if (self->engine != NULL) { /* queued work may use this memory */
            (void)self->backend->device->join(self->engine);
        }
        self->backend->release(self->workspace);
        self->workspace = NULL;
        self->workspace_bytes = 0;
    }
}

parallel_team executor_team(const executor *self, const char *name)
{
    return (parallel_team){self->means.threads, name, 0, &self->means.trace, self->means.pool, NULL};
}

typedef struct step_work {
    void (*task)(void *arguments, size_t index, uint32_t thread);
    void *arguments;
    size_t first;
} step_work;

static void step_task(void *arguments, size_t index, uint32_t thread)
{
    const step_work *work = arguments;
    work->task(work->arguments, work->first + index, thread);
}

sumac_status executor_for(executor *self, const char *name, size_t count, size_t step,
                          void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments)
{
    parallel_team team = executor_team(self, name);
    team.cancelled = self->means.cancelled;
    const size_t most = self->means.progress == NULL ? count : step * team.threads;
    step_work work = {task, arguments, 0};
    while (work.first < count) {
        const size_t tasks = smaller(most, count - work.first);
        parallel_for(&team, tasks, step_task, &work);
        work.first += tasks;
        TRY(executor_report(self, (double)work.first / (double)count));
    }
    return SUMAC_OK;
}
