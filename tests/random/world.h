/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The shared state of random cases: contexts of every variant, several numbers of threads and every device, the curves
 * with their known points, a directory, and counts of the calls' statuses. A finding ends in test_abort();
 * world.description then describes the call.
 */
#ifndef SUMAC_RANDOM_WORLD_H
#define SUMAC_RANDOM_WORLD_H

#include "random/draws.h"
#include "random/known.h"
#include "support/exact.h"
#include "support/failing.h"

enum {
    WORLD_CONTEXTS = 32,
    WORLD_CURVES = 64,
    WORLD_STATUSES = SUMAC_INTERNAL + 1,
    WORLD_HOST = -1,
    WORLD_SEVERAL = -2
};

typedef struct world_options {
    const char *backend;
    const char *curve; /* null: all; else "NAME" or "NAME/GROUP" */
    uint32_t threads;  /* of every context; 0: several numbers */
    int failures;      /* 1: allocations and threads fail */
    size_t most_bases; /* of a case, most of the time */
    int small;         /* 1: windows and tables are small, too, for builds that are many times slower */
} world_options;

typedef struct world_context {
    sumac_context *context;
    sumac_context_config config; /* with its own tuning */
    sumac_tuning tuning;
    int device; /* WORLD_HOST, WORLD_SEVERAL, or which GPU */
} world_context;

typedef struct world {
    world_options options;
    world_context contexts[WORLD_CONTEXTS];
    size_t context_count;
    const sumac_group *curves[WORLD_CURVES];
    known_curve *known[WORLD_CURVES]; /* made when first wanted */
    size_t curve_count;
    char directory[64];
    char description[3072];
    uint64_t statuses[WORLD_STATUSES];
    int memory_is_short;   /* a device's, in this case */
    int is_armed;          /* failures are on, for one call */
    failing_report failed; /* of that call */
    long calls_failed;     /* likewise, of a device's runtime */
    uint64_t calls, results, allocations_failed, threads_failed, device_calls_failed;
} world;

/* 0 where the backend can't be had here. */
int world_init(world *w, const world_options *options);
void world_clear(world *w);

/* A context for one case: often one of those that are there, else one of its own with a limit for its memory.
 */
typedef struct world_lease {
    sumac_context *context;
    int device;
    uint64_t memory_limit;
    int owned;
} world_lease;

/* How much memory devices have in this case, where that can be chosen: little now and then. */
void world_choose_memory(world *w, draws *d);
void world_end_shortage(world *w);

world_lease world_lease_context(world *w, draws *d);
/* One without a limit of its memory; on another device or backend than `other` where that is possible, now
 * and then. */
world_lease world_lease_another(const world *w, draws *d, const world_lease *other);
void world_return(const world_lease *lease);
/* Return 1 if the context's device really computes, unlike a fake one: device_computes(). */
int world_computes(const world_lease *lease);

const known_curve *world_known(world *w, draws *d);
/* A path in the world's directory. */
void world_path(const world *w, const char *name, char *path, size_t bytes);

void *world_alloc(size_t bytes);
/* A block that ends where its memory ends, so that a sanitizer sees what reads on, and begins at any address.
 */
typedef struct world_block {
    uint8_t *memory;
    uint8_t *bytes;
} world_block;
world_block world_take(draws *d, size_t bytes);

/* Statuses that a call may end with: bits. */
#define WORLD_MAY(status) (UINT32_C(1) << (status))

/* Count a call's status; a finding if it is none of `may`, or if it has no sentence, or one although it is
 * SUMAC_OK. */
void world_check(world *w, const sumac_context *context, sumac_status status, uint32_t may, const char *call);
/* Check a call that another thread made, which has read its message. */
void world_check_message(world *w, const char *message, sumac_status status, uint32_t may, const char *call);

/*
 * A call under failures, where the options say so:
 *
 *   do {
 *       world_arm(w, d);
 *       status = sumac_..(..);
 *   } while (world_call_again(w, context, status, "sumac_.."));
 *
 * Where an allocation failed, the call may have ended with SUMAC_OUT_OF_MEMORY, and is done again without
 * failures.
 */
void world_arm(world *w, draws *d);
/* Failures end here already, before what the test itself does next. */
void world_disarm(world *w);
int world_call_again(world *w, const sumac_context *context, sumac_status status, const char *call);

#endif
