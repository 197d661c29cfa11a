/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * An executor does the computing: it has a backend, the queue of a device if the backend has devices, threads, and
 * memory that it keeps from one call to the next. A context has a list of executors (list.h). The code of this directory
 * does not use contexts; it gets requests as structs, which it trusts.
 */
#ifndef SUMAC_EXECUTOR_EXECUTOR_H
#define SUMAC_EXECUTOR_EXECUTOR_H

#include "base/refusal.h"
#include "base/try.h"
#include "pipeline/engine.h"
#include "pipeline/parallel.h"
#include "pipeline/plan.h"

/* The CPU has these variants of the code: avx512, avx2, adx, portable. */
enum { CPU_VARIANTS = 4 };

/* This device number stands for the host. */
#define ON_HOST (-1)

/* These are the resources that an executor may use, and the functions to which it reports. */
typedef struct executor_means {
    uint32_t threads;
    struct thread_pool *pool; /* has `threads` threads; base/pool.h */
    uint64_t memory_limit;    /* bytes of workspace; 0: no limit was given */
    trace_sink trace;
    int (*progress)(void *user, double done); /* may be null; a result other than 0 ends the work */
    void *progress_user;
    const _Atomic int *cancelled; /* another thread sets it to 1 to end the work; null: no thread can */
} executor_means;

/* A normalised call of MSMs, which msm_call_make() (msm.h) derives from a checked configuration. Calls are compared by
 * their bytes; therefore the struct is zeroed before it is filled, and copied by memcpy(). */
typedef struct msm_call {
    plan_request
        request; /* the part that the caller decides; planning_request() adds what the bases and the executor
                    decide */
    uint64_t first_base;
    const uint64_t *offsets; /* as msm_job.offsets */
    uint32_t declared_bits;  /* config.scalar_bits */
    uint32_t cut_bits;       /* as msm_job.cut_bits */
    uint32_t checked_bits;   /* as msm_job.checked_bits */
    uint32_t large_bucket_factor;
    sumac_form scalar_form;
    sumac_form result_form;
} msm_call;

/* A plan is kept with its request. A later call with an equal request uses the plan again. */
typedef struct kept_plan {
    plan_request request; /* has the caller's memory limit; in an unused entry all bytes are 0 */
    msm_plan plan;
} kept_plan;

/* Programs repeat the same few calls: a Groth16 proof has six. Calls of 16 small sizes in turns took 193 us each with 8
 * plans, 132 with 32 (BN254, 2 to 17 bases, one thread, AVX-512, 2026-11-25). */
enum { KEPT_PLANS = 32 };

/* This is the call of MSMs that was planned last. */
typedef struct executor_call {
    msm_plan plan;
    msm_job job;
    void *memory; /* the workspace of plan.bytes_workspace bytes */
    msm_call asked;
    uint64_t scalar_count;
    uint64_t first_scalar; /* the index of the first scalar among all that the caller gave */
    void *results;
} executor_call;

struct vector_roots;

typedef struct executor {
    const backend *backend;
    void *engine;                           /* null for a backend without devices */
    const char *variants[CPU_VARIANTS + 1]; /* the variants of the CPU's code that it may run; ends with
                                               null */
    executor_means means;
    void *workspace; /* grows as plans need it */
    uint64_t workspace_bytes;
    executor_call call;
    int queues;     /* 1: the present call leaves its work on a caller's stream; executor_queue() sets this */
    int has_queued; /* 1: work was left on the stream since the last executor_wait() */
    sumac_status
        queued_status; /* the failure of that work; the device's driver may write this until the work is
                          waited for */
    kept_plan plans[KEPT_PLANS];
    uint32_t next_plan;         /* the index of the oldest plan, which is replaced next */
    struct vector_roots *roots; /* roots of earlier transforms: vector/kept_roots.h */
    sumac_message message;
} executor;

/* Report progress; return SUMAC_CANCELLED, with a message, if the work must end. */
sumac_status executor_report(executor *self, double done);

/* Return the status of a device's function; if it is a failure, copy the device's message to the executor. */
sumac_status executor_done(executor *self, sumac_status status);

/* Return the device's last message, which is empty without a device. */
const char *executor_device_message(const executor *self);

/* Copy between the executor's memory and that of another executor of the same backend, or within its memory. The caller
 * must have waited for work that writes `from`; the copy is complete when this returns. */
sumac_status executor_copy_across(executor *self, void *to, const void *from, uint64_t bytes);

/* Make the executor's device, if it has one, the device on which this thread allocates. */
void executor_enter(const executor *self);

/* Let the present call, until its end, leave work on the stream without waiting for it. */
void executor_queue(executor *self);

/* Wait for all work that was left on the stream. Return its first failure since the last time, with a message. */
sumac_status executor_wait(executor *self);

/* Return the number of the executor's device, or ON_HOST if it has none. */
int32_t executor_device(const executor *self);

/* Return the code that the executor runs for a group. */
const group_code *executor_code(const executor *self, const sumac_group *group);

/* Enlarge the kept workspace to at least `bytes`, and return it. */
sumac_status executor_workspace(executor *self, uint64_t bytes, void **memory);

/* Free the kept workspace if it is larger than `bytes`. */
void executor_trim_workspace(executor *self, uint64_t bytes);

/* Return a team of the executor's threads. The work of this team can't be cancelled. */
parallel_team executor_team(const executor *self, const char *name);

/* This is a progress function: it calls executor_report(), and returns 1 if the work must end. `self` is an
 * executor. */
int executor_asks(void *self, double done);

/* Run parallel_for() with the executor's threads, and report progress after every `step` tasks per thread. Without a
 * progress function all tasks run at once, because a wait after each step costs time. When the work is cancelled, tasks
 * that have not begun are skipped, and this returns SUMAC_CANCELLED, with a message. */
sumac_status executor_for(executor *self, const char *name, size_t count, size_t step,
                          void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments);

#endif
