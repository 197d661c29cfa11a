/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines the handle of include/sumac/bases.h as executors use it. The layers above create and free bases. */
#ifndef SUMAC_EXECUTOR_BASES_H
#define SUMAC_EXECUTOR_BASES_H

#include "base/devices.h"
#include "pipeline/engine.h"

/* A shard has the bases [first, first + table.count) of all bases, in one memory. */
typedef struct bases_shard {
    int32_t device; /* the device of the table; ON_HOST for the CPU's and for host-resident bases */
    uint64_t first;
    bases_table table;
    /* where points are imported: table.points itself, or host memory that is uploaded to the device's table later */
    void *points;
    /* 1: the points are host-resident, in page-locked host memory that the device's backend allocated */
    int page_locked;
    uint64_t
        sent; /* while a device's table is filled: how many first points are on it or on their way to it */
} bases_shard;

struct sumac_bases {
    const sumac_group *group;
    const backend *backend;
    uint64_t count; /* the number of all bases */
    uint32_t shift; /* multiple t is 2^(shift*t) times the base */
    uint32_t c;     /* the window size that the multiples fit; 0 without multiples */
    uint32_t windows;
    int outside_subgroup;
    int lock_pages;    /* host-resident shards use page-locked memory if the host has enough of it */
    int replicated;    /* each shard has all bases; otherwise the shards split them in order */
    uint64_t cut_unit; /* each shard except the last ends at a multiple of this */
    /* Each executor of the context that created the bases has one shard; all shards have the same multiples. */
    uint32_t shard_count;
    bases_shard shards[MOST_DEVICES];
};

/* Return the number of shards that are filled from the input; replicas are copied from the first shard. */
static inline uint32_t bases_filled_shards(const sumac_bases *bases)
{
    return bases->replicated ? 1 : bases->shard_count;
}

/* Return how many points every shard keeps for each base. */
static inline uint32_t bases_factor(const sumac_bases *bases)
{
    return bases->shards[0].table.factor;
}

#endif
