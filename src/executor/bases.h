/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bases as they lie with executors: the handle of include/sumac/bases.h. The code that makes and frees them is above. */
#ifndef SUMAC_EXECUTOR_BASES_H
#define SUMAC_EXECUTOR_BASES_H

#include "pipeline/engine.h"

/* Bases that lie together: [first, first + table.count) of all. */
typedef struct bases_shard {
    int32_t device; /* that the table lies on; ON_HOST for the CPU's and for host-resident bases */
    uint64_t first;
    bases_table table;
    void *
        points; /* where points are imported to: table.points, or for a device host memory that is uploaded */
    int page_locked; /* the points are host-resident, in page-locked memory of a device */
    uint64_t
        sent; /* while a device's table is filled: so many first points are on the device or on their way */
} bases_shard;

struct sumac_bases {
    const sumac_curve *curve;
    const backend *backend;
    uint64_t count; /* of all bases */
    uint32_t shift; /* multiple t is 2^(shift*t) times the base */
    uint32_t c;     /* the window that the multiples are made for; 0 without multiples */
    uint32_t windows;
    int outside_subgroup;
    int lock_pages;    /* host-resident shards use page-locked memory if the host has some */
    int replicated;    /* each shard has all bases; otherwise they lie one behind the other */
    uint64_t cut_unit; /* each shard but the last ends at a multiple of it */
    /* One for each executor of the context that made them, all with the same multiples. */
    uint32_t shard_count;
    bases_shard shards[SUMAC_MAX_DEVICES];
};

/* The number of shards that are filled with points; replicas are copies of the first shard. */
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
