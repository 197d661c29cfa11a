/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The executors of a context, one for each of its devices. Work that is not shared out is done by the first executor with
 * all threads. Shared work runs on all executors at the same time, each with some of the threads. If several fail, the
 * caller gets the status and the sentence of the first one in the list. docs/multi-gpu.md has the picture.
 */
#ifndef SUMAC_EXECUTOR_LIST_H
#define SUMAC_EXECUTOR_LIST_H

#include "executor/executor.h"

/* An executor's state in shared work. */
typedef struct executor_share {
    uint64_t weights_before; /* the sum of the weights of the executors before it */
    executor_means means;
    trace_sink trace;      /* the list's */
    uint32_t first_thread; /* the number of its first thread in the list's trace */
    int on_caller;         /* its work runs on the calling thread, which reports progress */
    double done_before;    /* the fraction of its work that its earlier calls have done */
    double done_by_call;   /* the fraction that its present call does */
    _Atomic double done;   /* the fraction that is done */
    struct executor_list *list;
} executor_share;

/* The decision whether one executor computes this call faster alone, though each of several replicas could compute a part of it. */
typedef struct shared_decision {
    const sumac_bases *bases;
    msm_call call;
    int one_is_faster;
} shared_decision;

/* Programs repeat the same few calls: a Groth16 proof has six. */
enum { KEPT_DECISIONS = 16 };

typedef struct executor_list {
    uint32_t count;
    executor *at;
    executor_means all; /* of the first executor, when it works alone */
    /* A list of one executor has none of what follows. */
    executor_share *shares;
    struct thread_pool *crew;
    _Atomic int cancelled;    /* the progress function has ended the present work of all executors */
    _Atomic uint32_t reports; /* of executors on other threads than the calling one */
    _Atomic uint32_t changes; /* reports, and ends of executors' work: the calling thread sleeps on it */
    uint32_t heard; /* the reports that the progress function has got; only the calling thread uses it */
    _Atomic uint32_t left; /* executors that are still at work */
    uint64_t weights;      /* the sum of all weights */
    shared_decision decisions[KEPT_DECISIONS];
    uint32_t next_decision; /* the index of the oldest one */
} executor_list;

/* Create `count` executors, which the caller opens. They share what `all` has. A memory limit is each executor's with
 * has_own_memory, and otherwise shared. weights: null for equal ones. Returns SUMAC_OUT_OF_MEMORY on failure. */
sumac_status executors_create(executor_list *list, uint32_t count, const executor_means *all,
                              const uint32_t *weights, int has_own_memory);

/* Close the executors that have a backend, and free the list. */
void executors_destroy(executor_list *list);

/* Set the limit of workspace for later work; 0: no limit. Executors that use the host's memory share it. Returns the limit
 * before. */
uint64_t executors_limit(executor_list *list, uint64_t bytes);

/* Free kept workspaces that are larger than such a limit allows. */
void executors_trim_workspaces(executor_list *list, uint64_t bytes);

/* Return where executor k's part of n things begins; all parts but the last are whole units. n for k >= count. */
uint64_t executors_cut(const executor_list *list, uint64_t n, uint64_t unit, uint32_t k);

/* The executor with the largest part of n. */
uint32_t executors_largest(const executor_list *list, uint64_t n, uint64_t unit);

/* work(arguments, k, stop) works with executor k: this thread's device is the executor's, whose message is empty. *stop
 * becomes 1 when another one has failed. */
typedef sumac_status (*executor_work)(void *arguments, uint32_t k, const _Atomic int *stop);

/* Do the work of each executor, all at the same time, each on a thread that no other one uses meanwhile. The status is that
 * of the first executor in the list that failed; executor 0 gets its sentence. Work that has not begun when one fails is
 * not done by executors_run(), and is by executors_run_to_end(). */
sumac_status executors_run(executor_list *list, executor_work work, void *arguments);
sumac_status executors_run_to_end(executor_list *list, executor_work work, void *arguments);

/* Between calls of executor k: set what fraction of its shared work is done, and the fraction that its next call does. */
void executors_progress(executor_list *list, uint32_t k, double before, double by_call);

/* The threads, the memory and the reports of executor k in shared work. */
const executor_means *executors_means(const executor_list *list, uint32_t k);

/* After work with executor k on this thread: make executor 0's device the thread's again, and move the sentence of a failure
 * to executor 0. The sentence names the device if the machine is at fault. */
sumac_status executors_adopt(executor_list *list, uint32_t k, sumac_status status);

#endif
