/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* syscall */
#include "executor/list.h"

#include <stdatomic.h>

#include "base/devices.h"
#include "base/pool.h"
#include "base/sleep.h"

/* Forward a span of work of one executor to the caller's trace. There the span's thread has a number among the threads
 * of all executors. */
static void share_trace(void *user, const sumac_trace_event *event)
{
    const executor_share *share = user;
    sumac_trace_event shown = *event;
    shown.thread += share->first_thread;
    share->trace.report(share->trace.user, &shown);
}

/* Call the progress function with the progress of all executors. Only the calling thread may do this. */
static void ask(executor_list *list)
{
    double done = 0;
    list->heard = atomic_load(&list->reports);
    for (uint32_t k = 0; k < list->count; k++) {
        done += atomic_load(&list->shares[k].done);
    }
    if (list->all.progress(list->all.progress_user, done / list->count) != 0) {
        atomic_store(&list->cancelled, 1);
    }
}

/* An executor calls this when it has reported or is done. If the calling thread waits, it is woken. */
static void wake_caller(executor_list *list)
{
    atomic_fetch_add(&list->changes, 1);
    wake(&list->changes, 1);
}

/* If the executor runs on the calling thread, call the progress function. Otherwise let the calling thread do so. */
static int share_progress(void *user, double done)
{
    executor_share *share = user;
    executor_list *list = share->list;
    const double before = atomic_load(&share->done), now = share->done_before + done * share->done_by_call;
    atomic_store(&share->done, now < before ? before : now < 1 ? now : 1);
    if (!share->on_caller) {
        atomic_fetch_add(&list->reports, 1);
        wake_caller(list);
    } else if (atomic_load(&list->cancelled) == 0) {
        ask(list);
    }
    return atomic_load(&list->cancelled);
}

static uint64_t limit_of_each(uint64_t limit, uint32_t count)
{
    return limit == 0 ? 0 : limit < count ? 1 : limit / count;
}

static sumac_status share_create(executor_list *list, uint32_t k, int has_own_memory)
{
    const executor_means *all = &list->all;
    executor_share *share = &list->shares[k];
    const uint32_t threads = all->threads / list->count + (k < all->threads % list->count);
    *share = (executor_share){
        .weights_before = list->weights,
        .trace = all->trace,
        .first_thread = k == 0 ? 0 : list->shares[k - 1].first_thread + list->shares[k - 1].means.threads,
        .done_by_call = 1,
        .list = list,
        .means = {.threads = threads > 0 ? threads : 1,
                  .memory_limit =
                      has_own_memory ? all->memory_limit : limit_of_each(all->memory_limit, list->count),
                  .trace = {all->trace.report == NULL ? NULL : share_trace, share},
                  .progress = all->progress == NULL ? NULL : share_progress,
                  .progress_user = share},
    };
    share->means.pool = pool_create(share->means.threads);
    list->at[k].means = share->means;
    return share->means.pool == NULL ? SUMAC_OUT_OF_MEMORY : SUMAC_OK;
}

sumac_status executors_create(executor_list *list, uint32_t count, const executor_means *all,
                              const uint32_t *weights, int has_own_memory)
{
    *list = (executor_list){.at = calloc(count, sizeof(executor)), .all = *all};
    if (count > 1) {
        list->shares = calloc(count, sizeof *list->shares);
        list->crew = pool_create(count);
    }
    if (list->at == NULL || (count > 1 && (list->shares == NULL || list->crew == NULL))) {
        return SUMAC_OUT_OF_MEMORY;
    }
    list->count = count;
    for (uint32_t k = 0; count > 1 && k < count; k++) {
        TRY(share_create(list, k, has_own_memory));
        list->weights += weights == NULL ? 1 : weights[k];
    }
    list->at->means = *all;
    return SUMAC_OK;
}

void executors_destroy(executor_list *list)
{
    for (uint32_t k = list->count; k-- > 0;) {
        const executor *self = &list->at[k];
        executor_enter(self);
        if (self->backend != NULL) {
            self->backend->release(self->workspace);
        }
        if (self->engine != NULL) {
            self->backend->device->close(self->engine);
        }
        if (list->shares != NULL) {
            pool_destroy(list->shares[k].means.pool);
        }
    }
    pool_destroy(list->crew);
    free(list->shares);
    free(list->at);
    *list = (executor_list){.count = 0};
}

uint64_t executors_limit(executor_list *list, uint64_t bytes)
{
    const uint64_t before = list->all.memory_limit;
    const uint64_t each = list->at->engine != NULL ? bytes : limit_of_each(bytes, list->count);
    list->all.memory_limit = list->at->means.memory_limit = bytes;
    for (uint32_t k = 0; list->shares != NULL && k < list->count; k++) {
        list->shares[k].means.memory_limit = each;
        list->at[k].means.memory_limit = k == 0 ? bytes : each;
    }
    return before;
}

void executors_trim_workspaces(executor_list *list, uint64_t bytes)
{
    const uint64_t each = list->at->engine != NULL ? bytes : limit_of_each(bytes, list->count);
    for (uint32_t k = 0; k < list->count; k++) {
        executor_trim_workspace(&list->at[k], each);
    }
}

uint64_t executors_cut(const executor_list *list, uint64_t n, uint64_t unit, uint32_t k)
{
    const uint64_t units = n / unit;
    if (k >= list->count) {
        return n;
    }
    return k == 0
               ? 0
               : (uint64_t)((unsigned __int128)units * list->shares[k].weights_before / list->weights) * unit;
}

uint32_t executors_largest(const executor_list *list, uint64_t n, uint64_t unit)
{
    uint32_t largest = 0;
    uint64_t most = 0;
    for (uint32_t k = 0; k < list->count; k++) {
        const uint64_t part = executors_cut(list, n, unit, k + 1) - executors_cut(list, n, unit, k);
        if (part > most) {
            most = part;
            largest = k;
        }
    }
    return largest;
}

const executor_means *executors_means(const executor_list *list, uint32_t k)
{
    return list->count == 1 ? &list->all : &list->shares[k].means;
}

void executors_progress(executor_list *list, uint32_t k, double before, double by_call)
{
    list->shares[k].done_before = before;
    list->shares[k].done_by_call = by_call;
}

sumac_status executors_adopt(executor_list *list, uint32_t k, sumac_status status)
{
    executor *first = list->at, *self = &list->at[k];
    executor_enter(first);
    if (status == SUMAC_OK || list->count == 1) {
        return status;
    }
    if (self != first) {
        first->message = self->message;
    }
    return self->engine != NULL && sumac_status_is_machine_fault(status)
               ? refuse_in(&first->message, status, "device %d", (int)executor_device(self))
               : status;
}

typedef struct crew_work {
    executor_list *list;
    executor_work work;
    void *arguments;
    int to_end;            /* 1: executors begin even after others have failed */
    _Atomic uint32_t next; /* the first executor after executor 0 whose work nobody has begun */
    _Atomic int stop;
    sumac_status statuses[MOST_DEVICES];
} crew_work;

static void do_work(crew_work *crew, uint32_t k, int on_caller)
{
    executor_list *list = crew->list;
    list->shares[k].on_caller = on_caller;
    if (crew->to_end || atomic_load(&crew->stop) == 0) {
        executor_enter(&list->at[k]);
        crew->statuses[k] = crew->work(crew->arguments, k, &crew->stop);
    }
    if (crew->statuses[k] != SUMAC_OK) {
        atomic_store(&crew->stop, 1);
    }
    atomic_store(&list->shares[k].done, 1);
    atomic_fetch_sub(&list->left, 1);
    wake_caller(list);
}

/* Do the work of executors on one thread. The calling thread, which reports progress, begins with executor 0; the other
 * threads take the other executors. A thread that has finished the work of one executor takes the next executor. */
static void crew_part(void *arguments, uint32_t thread)
{
    crew_work *crew = arguments;
    const int on_caller = thread == 0;
    if (on_caller) {
        do_work(crew, 0, on_caller);
    }
    for (uint32_t k; (k = atomic_fetch_add(&crew->next, 1)) < crew->list->count;) {
        do_work(crew, k, on_caller);
    }
    /* Until all executors are done, the calling thread calls the progress function after each of their reports. It does
     * not do so at the end of an executor's work, because the results may then be written, and the call must not be
     * cancelled any more. */
    executor_list *list = crew->list;
    while (on_caller && list->all.progress != NULL) {
        const uint32_t changes = atomic_load(&list->changes);
        if (atomic_load(&list->left) == 0) {
            break;
        }
        if (atomic_load(&list->reports) != list->heard && atomic_load(&list->cancelled) == 0) {
            ask(list);
        } else {
            sleep_on(&list->changes, changes);
        }
    }
}

static sumac_status run_crew(executor_list *list, executor_work work, void *arguments, int to_end)
{
    crew_work crew = {.list = list, .work = work, .arguments = arguments, .to_end = to_end, .next = 1};
    if (list->count == 1) {
        return work(arguments, 0, &crew.stop);
    }
    for (uint32_t k = 0; k < list->count; k++) {
        list->at[k].message.text[0] = '\0';
        executors_progress(list, k, 0, 1);
        list->shares[k].done = 0;
    }
    list->heard = atomic_load(&list->reports);
    atomic_store(&list->left, list->count);
    list->at->means = list->shares->means;
    pool_run(list->crew, list->count, crew_part, &crew);
    const int cancelled = atomic_exchange(&list->cancelled, 0);
    list->at->means = list->all;
    executor_enter(list->at);
    for (uint32_t k = 0; k < list->count; k++) {
        if (crew.statuses[k] != SUMAC_OK) {
            return executors_adopt(list, k, crew.statuses[k]);
        }
    }
    list->at->message.text[0] = '\0';
    return cancelled ? refuse(&list->at->message, SUMAC_CANCELLED, "%s", sumac_status_text(SUMAC_CANCELLED))
                     : SUMAC_OK;
}

sumac_status executors_run(executor_list *list, executor_work work, void *arguments)
{
    return run_crew(list, work, arguments, 0);
}

sumac_status executors_run_to_end(executor_list *list, executor_work work, void *arguments)
{
    return run_crew(list, work, arguments, 1);
}
