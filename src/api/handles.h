/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The handles behind include/sumac/sumac.h, for src/api and src/io. */
#ifndef SUMAC_API_HANDLES_H
#define SUMAC_API_HANDLES_H

#include <stdatomic.h>

#include "curves/curve_code.h"
#include "pipeline/engine.h"
#include "pipeline/plan.h"

/* A call of sumac_msm(), checked and planned: what its work reads, also after an asynchronous call has
 * returned.
 */
typedef struct msm_call {
    plan_request request; /* that the plan was made for, without its limit: a call like it needs no other */
    uint32_t given_c;     /* config.c, beside a request for multiples, which has theirs */
    msm_plan plan;
    msm_job job;
    void *memory; /* plan.bytes_workspace */
    size_t n;
    uint32_t batch;
    uint32_t declared_bits; /* config.scalar_bits */
    void *results;
    int pending;         /* an asynchronous call of which nobody has asked yet */
    sumac_status status; /* of an asynchronous call, once it is complete */
} msm_call;

struct sumac_call {
    sumac_context *context;
    const sumac_bases *bases;
    size_t n;
    sumac_msm_config config;
    msm_plan plan;         /* where n is not 0; on several devices of the one with the largest share */
    uint64_t devices;      /* that share it out */
    uint64_t device_calls; /* of the one with the largest share */
};

/* The CPU's code: avx512, adx, portable. */
enum { CPU_VARIANTS = 3 };

struct context_members;

/* Which thread's call works with a context: api/call.h. Threads are numbered by pthread_self(). */
typedef struct context_use {
    _Atomic uintptr_t holder; /* 0: no call */
    uint32_t depth;           /* of the holder's calls, each made by the one before; the holder's alone */
    uint32_t callbacks;       /* of the caller's functions, that its thread is in; the holder's alone */
    _Atomic uintptr_t last_holder;
    _Atomic int was_refused; /* some call, as another thread's was going on; for good */
} context_use;

struct sumac_context {
    context_use use;
    /* Its functions are those of api/call.h, with the context for their user, which call the caller's. */
    sumac_context_config config;
    void (*callers_trace)(void *user, const sumac_trace_event *event);
    void (*callers_progress)(void *user, double done);
    void *callers_user;
    struct context_members *members; /* api/members.h; null: one device */
    const backend *backend;
    void *engine; /* of a backend with a device; else null */
    /* Whether the processor runs the code of each variant, by its number in context.c: a virtual machine
     * takes some 14 us for one question about it. */
    int runs_variant[CPU_VARIANTS];
    uint32_t threads;
    struct thread_pool *pool; /* of so many threads; base/pool.h */
    void *workspace;          /* kept between calls, grows as plans need it */
    uint64_t workspace_bytes;
    msm_call call;              /* the last one */
    struct vector_roots *roots; /* of the transforms before: api/roots.h */
    char message[SUMAC_MESSAGE_BYTES];
};

/* In place of a device's number. */
#define ON_HOST (-1)

/* Bases that lie together: [first, first + table.count) of all. */
typedef struct bases_shard {
    int32_t device; /* that the table lies on; ON_HOST for the CPU's and for visiting bases */
    uint64_t first;
    bases_table table;
    void *points; /* where the table is filled: table.points; for a device host memory, until bases_complete
                     uploads it */
    uint64_t
        sent; /* with a device, while they are made: the first so many points are there or on their way */
} bases_shard;

/* Of bases in a context of one device. */
#define BASES_SHARDS 1

struct sumac_bases {
    const sumac_curve *curve;
    const backend *backend;
    bases_shard shards[BASES_SHARDS];
    uint32_t shift; /* multiple t is 2^(shift*t) times the base */
    uint32_t c;     /* the window that the multiples are made for; 0 without multiples */
    uint32_t windows;
    int outside_subgroup;
    /* Of a context with several devices: bases of each device, with the same multiples. The one shard here
     * then has no points: it is what is kept for all bases together. */
    sumac_bases **parts;
    uint32_t part_count;
    int replicated;    /* each part has all bases; else they are one behind the other */
    uint64_t cut_unit; /* parts end at multiples of it, but for the last one */
};

/* The only one; of bases with parts, what is kept for all of them. */
static inline bases_shard *bases_only_shard(sumac_bases *bases)
{
    return &bases->shards[0];
}

/* The same of bases, or of a shape, that are only read. */
static inline const bases_table *bases_only_table(const sumac_bases *bases)
{
    return &bases->shards[0].table;
}

#endif
