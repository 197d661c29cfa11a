/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bases as they lie with executors: what the handle of include/sumac/bases.h is. Who makes and frees them is above. */
#ifndef SUMAC_EXECUTOR_BASES_H
#define SUMAC_EXECUTOR_BASES_H

#include "pipeline/engine.h"

/* Bases that lie together: [first, first + table.count) of all. */
typedef struct bases_shard {
    int32_t device; /* that the table lies on; ON_HOST for the CPU's and for host-resident bases */
    uint64_t first;
    bases_table table;
    void *points; /* where the table is filled: table.points; for a device host memory, until bases_complete
                      uploads it */
    int page_locked; /* where points are host-resident and in a device's page-locked memory */
    uint64_t
        sent; /* with a device, while they are made: the first so many points are there or on their way */
} bases_shard;

struct sumac_bases {
    const sumac_curve *curve;
    const backend *backend;
    uint64_t count; /* of all bases */
    uint32_t shift; /* multiple t is 2^(shift*t) times the base */
    uint32_t c;     /* the window that the multiples are made for; 0 without multiples */
    uint32_t windows;
    int outside_subgroup;
    int lock_pages;    /* of shards that are host-resident, where the host has page-locked memory */
    int replicated;    /* each shard has all bases; else they are one behind the other */
    uint64_t cut_unit; /* shards end at multiples of it, but for the last one */
    /* One for each executor of the context that made them, all with the same multiples. */
    uint32_t shard_count;
    bases_shard shards[SUMAC_MAX_DEVICES];
};

/* Shards that are filled with points, the first ones; replicas are copies of the first. */
static inline uint32_t bases_filled_shards(const sumac_bases *bases)
{
    return bases->replicated ? 1 : bases->shard_count;
}

/* Points that are kept for each base, in every shard. */
static inline uint32_t bases_factor(const sumac_bases *bases)
{
    return bases->shards[0].table.factor;
}

#endif
