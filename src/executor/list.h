/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The executors of a context, one for each of its devices. Work that is not shared out is the first one's, with all
 * threads. Work that is runs on all of them at the same time, each with its part of the threads: this is the way
 * there and back, with the sentence of the first in the list that failed. docs/multi-gpu.md has the picture.
 */
#ifndef SUMAC_EXECUTOR_LIST_H
#define SUMAC_EXECUTOR_LIST_H

#include <pthread.h>

#include "executor/executor.h"

/* What an executor has and tells of shared work. */
typedef struct executor_share {
    uint64_t weights_before; /* of the executors before it, together */
    executor_means means;
    trace_sink trace;      /* of the list: */
    uint32_t first_thread; /* its threads' numbers there */
    int on_caller;         /* its work runs on the calling thread, which progress is reported on */
    double done_before;    /* by its calls of this work before this one, of 1 */
    double done_by_call;
    double done; /* of its part of the work; guarded by the list's mutex */
    struct executor_list *list;
} executor_share;

/* On an MSM of which replicas could each have done a part: whether one of them does it alone. */
typedef struct shared_decision {
    const sumac_bases *bases;
    size_t n;
    sumac_msm_config config;
    int one_is_faster;
} shared_decision;

/* Programs make the same few calls again and again: a Groth16 proof has six. */
enum { KEPT_DECISIONS = 16 };

typedef struct executor_list {
    uint32_t count;
    executor *at;
    executor_means all; /* of the first one, when it works alone */
    /* Of several: */
    executor_share *shares;
    struct thread_pool *crew;
    _Atomic int
        cancelled; /* the shared work that goes on, by its progress function: all of them are to end */
    /* What the calling thread is told while it has nothing to do but to wait for the others, so that it can ask. */
    pthread_mutex_t mutex;
    pthread_cond_t told;
    uint32_t reports; /* of all executors in the shared work that goes on, so far; guarded by the mutex */
    uint32_t heard;   /* those that the calling thread has asked about; its own */
    uint32_t left;    /* executors whose work has not ended; guarded by the mutex */
    uint64_t weights; /* of all together */
    shared_decision decisions[KEPT_DECISIONS];
    uint32_t next_decision; /* the place of the oldest one */
} executor_list;

/* Room for `count` executors, which the caller opens; each has its share of what there is in all. With
 * own_memory a limit is each one's, else they share it. weights: null, of the same one each. SUMAC_OUT_OF_MEMORY. */
sumac_status executors_create(executor_list *list, uint32_t count, const executor_means *all,
                              const uint32_t *weights, int own_memory);

/* Close those that have a backend, and free the list. */
void executors_destroy(executor_list *list);

/* From now on work may take so many bytes of workspace, 0: no limit is given; executors of the host's memory have them
 * together. Returns what it was before. */
uint64_t executors_limit(executor_list *list, uint64_t bytes);

/* The same for workspaces that are kept from work before. */
void executors_keep(executor_list *list, uint64_t bytes);

/* Where the part of executor k begins of n things, in whole units but for the last; n for k >= count. */
uint64_t executors_cut(const executor_list *list, uint64_t n, uint64_t unit, uint32_t k);

/* The executor with the largest part of n. */
uint32_t executors_largest(const executor_list *list, uint64_t n, uint64_t unit);

/* work(arguments, k) with executor k, which has this thread's device and no sentence. When *stop is 1, another one has
 * failed. */
typedef sumac_status (*executor_work)(void *arguments, uint32_t k, const _Atomic int *stop);

/* The work of each executor, all at the same time, on a thread that no other one has then. The first in the list
 * that failed has its status returned, and its sentence is executor 0's. Work that has not begun when one fails is not done,
 * unless all of them go on to the end. */
sumac_status executors_run(executor_list *list, executor_work work, void *arguments);
sumac_status executors_run_to_end(executor_list *list, executor_work work, void *arguments);

/* Between its calls: what part of its shared work the next one of executor k is. */
void executors_progress(executor_list *list, uint32_t k, double before, double by_call);

/* What executor k may use in shared work. */
const executor_means *executors_means(const executor_list *list, uint32_t k);

/* After work with executor k on this thread, which had its device: the thread's device is executor 0's again, and the
 * sentence of a failure, of a machine's fault with the device, executor 0's. */
sumac_status executors_adopt(executor_list *list, uint32_t k, sumac_status status);

#endif
