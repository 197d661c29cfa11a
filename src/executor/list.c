/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "executor/list.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

/* An executor's spans of work, whose threads are numbered through. */
static void share_trace(void *user, const sumac_trace_event *event)
{
    const executor_share *share = user;
    sumac_trace_event shown = *event;
    shown.thread += share->first_thread;
    share->trace.report(share->trace.user, &shown);
}

/* The one on the calling thread asks for all of them. */
static int share_progress(void *user, double done)
{
    const executor_share *share = user;
    if (share->on_caller &&
        share->progress(share->progress_user, share->done_before + done * share->done_by_call) != 0) {
        atomic_store(share->cancelled, 1);
    }
    return atomic_load(share->cancelled);
}

static uint64_t limit_of_each(uint64_t limit, uint32_t count)
{
    return limit == 0 ? 0 : limit < count ? 1 : limit / count;
}

static sumac_status share_create(executor_list *list, uint32_t k, int own_memory)
{
    const executor_means *all = &list->all;
    executor_share *share = &list->shares[k];
    const uint32_t threads = all->threads / list->count + (k < all->threads % list->count);
    *share = (executor_share){
        .weights_before = list->weights,
        .trace = all->trace,
        .first_thread = k == 0 ? 0 : list->shares[k - 1].first_thread + list->shares[k - 1].means.threads,
        .done_by_call = 1,
        .progress = all->progress,
        .progress_user = all->progress_user,
        .cancelled = &list->cancelled,
        .means = {.threads = threads > 0 ? threads : 1,
                  .memory_limit =
                      own_memory ? all->memory_limit : limit_of_each(all->memory_limit, list->count),
                  .trace = {all->trace.report == NULL ? NULL : share_trace, share},
                  .progress = all->progress == NULL ? NULL : share_progress,
                  .progress_user = share},
    };
    share->means.pool = pool_create(share->means.threads);
    list->at[k].means = share->means;
    return share->means.pool == NULL ? SUMAC_OUT_OF_MEMORY : SUMAC_OK;
}

sumac_status executors_create(executor_list *list, uint32_t count, const executor_means *all,
                              const uint32_t *weights, int own_memory)
{
    sumac_status status = SUMAC_OK;
    *list = (executor_list){.at = calloc(count, sizeof(executor)), .all = *all};
    if (count > 1) {
        list->shares = calloc(count, sizeof *list->shares);
        list->crew = pool_create(count);
    }
    if (list->at == NULL || (count > 1 && (list->shares == NULL || list->crew == NULL))) {
        status = SUMAC_OUT_OF_MEMORY;
    }
    list->count = status == SUMAC_OK ? count : 0;
    for (uint32_t k = 0; count > 1 && k < list->count && status == SUMAC_OK; k++) {
        status = share_create(list, k, own_memory);
        list->weights += weights == NULL ? 1 : weights[k];
    }
    if (status == SUMAC_OK) {
        list->at->means = *all;
    }
    return status;
}

void executors_destroy(executor_list *list)
{
    for (uint32_t k = list->count; k-- > 0;) {
        if (list->at[k].backend != NULL) {
            executor_close(&list->at[k]);
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

void executors_keep(executor_list *list, uint64_t bytes)
{
    const uint64_t each = list->at->engine != NULL ? bytes : limit_of_each(bytes, list->count);
    for (uint32_t k = 0; k < list->count; k++) {
        executor_keep(&list->at[k], each);
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
    executor *first = list->at, *own = &list->at[k];
    char sentence[SUMAC_MESSAGE_BYTES];
    executor_enter(first);
    if (status == SUMAC_OK || list->count == 1) {
        return status;
    }
    memcpy(sentence, own->message, sizeof sentence);
    return own->engine != NULL && sumac_status_is_machine_fault(status)
               ? executor_fail(first, status, "device %d: %s", (int)executor_device(own), sentence)
               : executor_fail(first, status, "%s", sentence);
}

typedef struct crew_work {
    executor_list *list;
    executor_work work;
    void *arguments;
    int to_end;            /* they begin when others have failed, too */
    _Atomic uint32_t next; /* the first executor, but for 0, whose work nobody has begun */
    _Atomic int stop;
    sumac_status statuses[SUMAC_MAX_DEVICES];
} crew_work;

/* The calling thread, which progress is reported on, begins with executor 0; the other threads have the others, and who is
 * done takes the next one. */
static void crew_part(void *arguments, uint32_t thread)
{
    crew_work *crew = arguments;
    for (int is_callers = thread == 0;; is_callers = 0) {
        const uint32_t k = is_callers ? 0 : atomic_fetch_add(&crew->next, 1);
        if (k >= crew->list->count) {
            return;
        }
        crew->list->shares[k].on_caller = is_callers;
        if (crew->to_end || atomic_load(&crew->stop) == 0) {
            executor_enter(&crew->list->at[k]);
            crew->statuses[k] = crew->work(crew->arguments, k, &crew->stop);
        }
        if (crew->statuses[k] != SUMAC_OK) {
            atomic_store(&crew->stop, 1);
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
        list->at[k].message[0] = '\0';
        executors_progress(list, k, 0, 1);
    }
    atomic_store(&list->cancelled, 0);
    list->at->means = list->shares->means;
    pool_run(list->crew, list->count, crew_part, &crew);
    list->at->means = list->all;
    executor_enter(list->at);
    for (uint32_t k = 0; k < list->count; k++) {
        if (crew.statuses[k] != SUMAC_OK) {
            return executors_adopt(list, k, crew.statuses[k]);
        }
    }
    list->at->message[0] = '\0';
    return SUMAC_OK;
}

sumac_status executors_run(executor_list *list, executor_work work, void *arguments)
{
    return run_crew(list, work, arguments, 0);
}

sumac_status executors_run_to_end(executor_list *list, executor_work work, void *arguments)
{
    return run_crew(list, work, arguments, 1);
}
