/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * An executor computes: a backend, with a device's queue if it has one, threads, and the memory that is kept from one
 * piece of work to the next. A context is a list of them (list.h). Nothing here knows a context; requests are structs,
 * and trusted.
 */
#ifndef SUMAC_EXECUTOR_EXECUTOR_H
#define SUMAC_EXECUTOR_EXECUTOR_H

#include "base/refusal.h"
#include "pipeline/engine.h"
#include "pipeline/parallel.h"
#include "pipeline/plan.h"

/* The CPU's code: avx512, avx2, adx, portable. */
enum { CPU_VARIANTS = 4 };

/* In place of a device's number. */
#define ON_HOST (-1)

/* What an executor may use, and whom it tells of its work. */
typedef struct executor_means {
    uint32_t threads;
    struct thread_pool *pool; /* of so many threads; base/pool.h */
    uint64_t memory_limit;    /* bytes of workspace; 0: no limit was given */
    trace_sink trace;
    int (*progress)(void *user, double done); /* null: nobody asks; not 0 ends the work */
    void *progress_user;
} executor_means;

/* A plan, and what it was made for: a call like it needs no other. */
typedef struct kept_plan {
    plan_request request; /* without its limit; without a curve: no call's */
    uint32_t given_c;     /* config.c, beside a request for multiples, which has theirs */
    msm_plan plan;
} kept_plan;

/* Programs make the same few calls again and again: a Groth16 proof has six. Calls of 16 small sizes in turns took 193 us
 * each with 8 plans, 132 with 32 (BN254, 2 to 17 bases, one thread, AVX-512, 2026-11-25). */
enum { KEPT_PLANS = 32 };

/* The last MSMs, checked and planned: what their work reads, also after an asynchronous call has returned. */
typedef struct executor_call {
    msm_plan plan;
    const kept_plan *kept; /* which is this plan; null: none */
    msm_job job;
    void *memory; /* plan.bytes_workspace */
    size_t n;
    uint32_t batch;
    uint64_t scalar_count;
    uint64_t first_scalar;  /* of those that the caller gave: others are before it where lengths differ */
    uint32_t declared_bits; /* config.scalar_bits */
    void *results;
    int pending;         /* an asynchronous call of which nobody has asked yet */
    sumac_status status; /* of an asynchronous call, once it is complete */
} executor_call;

struct vector_roots;

typedef struct executor {
    const backend *backend;
    void *engine;                           /* of a backend with a device; else null */
    const char *variants[CPU_VARIANTS + 1]; /* of the CPU's code, that it may run; ends with null */
    executor_means means;
    void *workspace; /* grows as plans need it */
    uint64_t workspace_bytes;
    executor_call call;
    kept_plan plans[KEPT_PLANS];
    uint32_t next_plan;         /* the place of the oldest one */
    struct vector_roots *roots; /* of the transforms before: vector/kept_roots.h */
    sumac_message message;
} executor;

/* Give its memory and its engine back. */
void executor_close(executor *self);

/* Tell of work: SUMAC_CANCELLED, with its sentence, if it is to end. */
sumac_status executor_report(executor *self, double done);

/* The status of a device's function, with the device's sentence if it is none of success. */
sumac_status executor_done(executor *self, sumac_status status);

/* The device's last sentence; empty without a device. */
const char *executor_device_message(const executor *self);

/* Copy between its memory and that of another executor of its backend, or within its own. What made the bytes is done;
 * so is the copy when this returns. */
sumac_status executor_copy_across(executor *self, void *to, const void *from, uint64_t bytes);

/* Make its device, if there is one, the one on which this thread allocates. */
void executor_enter(const executor *self);

/* The number of its device, or ON_HOST. */
int32_t executor_device(const executor *self);

/* The code of a curve that it runs. */
const curve_code *executor_code(const executor *self, const sumac_curve *curve);

/* A workspace of at least so many bytes, which is kept. */
sumac_status executor_workspace(executor *self, uint64_t bytes, void **memory);

/* Give back a workspace that is kept from work before and is larger. */
void executor_keep(executor *self, uint64_t bytes);

/* Its threads as a team. */
parallel_team executor_team(const executor *self, const char *name);

/* parallel_for() with its threads, which tells of the work after `step` tasks for each thread, again and again; all at
 * once where nobody asks. SUMAC_CANCELLED, with its sentence, if the work is to end. */
sumac_status executor_for(executor *self, const char *name, size_t count, size_t step,
                          void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments);

#endif
