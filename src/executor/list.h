/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A context has a list of executors, one for each of its devices. Work that is not distributed is done by the first
 * executor, with all threads. Shared work runs on all executors at the same time, each with some of the threads. If
 * several fail, the caller gets the status and the message of the first one in the list. docs/multi-gpu.md has an
 * overview.
 */
#ifndef SUMAC_EXECUTOR_LIST_H
#define SUMAC_EXECUTOR_LIST_H

#include "executor/executor.h"

/* This is the state of one executor in shared work. */
typedef struct executor_share {
    uint64_t weights_before; /* the sum of the weights of the executors before it */
    executor_means means;
    trace_sink trace;      /* sends the executor's spans of work to the trace of the list */
    uint32_t first_thread; /* the number of its first thread in the list's trace */
    int on_caller;         /* its work runs on the calling thread, which reports progress */
    double done_before;    /* the fraction of its work that its earlier calls have done */
    double done_by_call;   /* the fraction that its present call does */
    _Atomic double done;   /* the fraction that is done */
    struct executor_list *list;
} executor_share;

/* If bases have replicas, several executors could each compute a part of a call, but one executor alone may be faster.
 * The decision is kept with its call. */
typedef struct shared_decision {
    const sumac_bases *bases;
    msm_call call;
    int one_is_faster;
} shared_decision;

/* The last decisions are kept because programs repeat the same few calls: a Groth16 proof has six. */
enum { KEPT_DECISIONS = 16 };

typedef struct executor_list {
    uint32_t count;
    executor *at;
    executor_means all; /* the means of the first executor when it works alone */
    /* The following fields are unused if the list has one executor. */
    executor_share *shares;
    struct thread_pool *crew;
    _Atomic int cancelled;    /* 1: the progress function has ended the present work of all executors */
    _Atomic uint32_t reports; /* counts reports of executors that are not on the calling thread */
    _Atomic uint32_t changes; /* counts reports and finished executors; the calling thread sleeps on it */
    uint32_t heard; /* the reports that the progress function has got; only the calling thread uses it */
    _Atomic uint32_t left; /* executors that still work */
    uint64_t weights;      /* the sum of all weights */
    shared_decision decisions[KEPT_DECISIONS];
    uint32_t next_decision; /* the index of the oldest decision, which is replaced next */
} executor_list;

/* Create `count` executors, which the caller opens, and divide the means of `all` among them. With has_own_memory the
 * memory limit applies to each executor, otherwise to all together. If `weights` is null, all weights are equal. The
 * function returns SUMAC_OUT_OF_MEMORY on failure. */
sumac_status executors_create(executor_list *list, uint32_t count, const executor_means *all,
                              const uint32_t *weights, int has_own_memory);

/* Close the executors that have a backend, and free the list. */
void executors_destroy(executor_list *list);

/* Set the limit of the workspace for later work; 0 means no limit. Executors that use the host's memory share the
 * limit. Returns the previous limit. */
uint64_t executors_limit(executor_list *list, uint64_t bytes);

/* Free the kept workspaces that a limit of `bytes` does not allow. */
void executors_trim_workspaces(executor_list *list, uint64_t bytes);

/* Return the start of executor k's part of n items, or n for k >= count. All parts but the last are multiples of `unit`.
 * */
uint64_t executors_cut(const executor_list *list, uint64_t n, uint64_t unit, uint32_t k);

/* Return the number of the executor whose part of n items is the largest. */
uint32_t executors_largest(const executor_list *list, uint64_t n, uint64_t unit);

/* work(arguments, k, stop) does the work of executor k. When it is called, the thread uses the executor's device, and
 * the executor's message is empty. If the work of another executor fails, *stop becomes 1. */
typedef sumac_status (*executor_work)(void *arguments, uint32_t k, const _Atomic int *stop);

/* Do the work of all executors at the same time, each on a thread that no other one uses meanwhile. Return the status of
 * the first executor in the list that failed; executor 0 gets its message. After a failure executors_run() skips work
 * that has not begun; executors_run_to_end() does all work. */
sumac_status executors_run(executor_list *list, executor_work work, void *arguments);
sumac_status executors_run_to_end(executor_list *list, executor_work work, void *arguments);

/* Call this between calls of executor k. `before` is the fraction of its shared work that is done, and `by_call` is the
 * fraction that the next call does. */
void executors_progress(executor_list *list, uint32_t k, double before, double by_call);

/* Return the means of executor k in shared work. */
const executor_means *executors_means(const executor_list *list, uint32_t k);

/* Call this after work with executor k on this thread. The thread then uses executor 0's device again. If the work
 * failed, its message is moved to executor 0; if the machine is at fault, the message names the device. */
sumac_status executors_adopt(executor_list *list, uint32_t k, sumac_status status);

#endif
