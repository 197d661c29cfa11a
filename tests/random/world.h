/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This header has the shared state of random cases: contexts of every variant, several numbers of threads and every
 * device, the groups with their known points, a directory, and counts of the calls' statuses. A finding calls
 * test_abort(), and world.description then describes the call.
 */
#ifndef SUMAC_RANDOM_WORLD_H
#define SUMAC_RANDOM_WORLD_H

#include "random/draws.h"
#include "random/known.h"
#include "support/exact.h"
#include "support/failing.h"

enum {
    WORLD_CONTEXTS = 32,
    WORLD_GROUPS = 64,
    WORLD_STATUSES = SUMAC_INTERNAL + 1,
    WORLD_HOST = -1,
    WORLD_SEVERAL = -2
};

typedef struct world_options {
    const char *backend;
    const char *curve; /* "NAME" or "NAME/GROUP"; null means all */
    uint32_t threads;  /* threads of each context; 0 means several numbers */
    int failures;      /* 1 if allocations and threads fail at random */
    size_t most_bases; /* most cases have at most so many bases */
    int small;         /* 1 if windows and tables are small, for builds that are many times slower */
} world_options;

typedef struct world_context {
    sumac_context *context;
    sumac_context_config config; /* its tuning is the next member */
    char tuning[32];
    int device; /* WORLD_HOST, WORLD_SEVERAL, or a GPU's number */
} world_context;

typedef struct world {
    world_options options;
    world_context contexts[WORLD_CONTEXTS];
    size_t context_count;
    const sumac_group *groups[WORLD_GROUPS];
    known_group *known[WORLD_GROUPS]; /* made when first needed */
    size_t group_count;
    char directory[64];
    char description[3072];
    uint64_t statuses[WORLD_STATUSES];
    int memory_is_short;   /* 1 if a device has little memory in this case */
    int is_armed;          /* 1 if failures are on */
    failing_report failed; /* failed allocations and threads of the current call */
    long calls_failed;     /* failed calls of a device's runtime in the current call */
    uint64_t calls, results, allocations_failed, threads_failed, device_calls_failed;
} world;

/* Return 0 if the backend is not available. */
int world_init(world *w, const world_options *options);
void world_clear(world *w);

/* A lease has the context of one case. Often this is one of the world's contexts. If it is a new context with a memory
 * limit, `owned` is set. */
typedef struct world_lease {
    sumac_context *context;
    int device;
    uint64_t memory_limit;
    int owned;
} world_lease;

/* Choose how much memory fake devices have in this case. Sometimes it is little. */
void world_choose_memory(world *w, draws *d);
void world_end_shortage(world *w);

world_lease world_lease_context(world *w, draws *d);
/* Return a context that is not freed by world_return(): `other` itself or one of the world's, which may be of
 * another device or backend. */
world_lease world_lease_another(const world *w, draws *d, const world_lease *other);
void world_return(const world_lease *lease);
/* Return 1 if the context's device computes, which a fake one does not (device_computes()). */
int world_computes(const world_lease *lease);

const known_group *world_known(world *w, draws *d);
/* Write the path of a file in the world's directory. */
void world_path(const world *w, const char *name, char *path, size_t bytes);

void *world_alloc(size_t bytes);
/* This is a block that begins at any address. It ends where its memory ends, so that a sanitizer detects any read
 * beyond its end. */
typedef struct world_block {
    uint8_t *memory;
    uint8_t *bytes;
} world_block;
world_block world_take(draws *d, size_t bytes);

/* The statuses with which a call may end are a set of such bits. */
#define WORLD_MAY(status) (UINT32_C(1) << (status))

/* Count a call's status. It is a finding if `may` does not include it, or if the message is empty after a failure
 * or not empty after a success. */
void world_check(world *w, const sumac_context *context, sumac_status status, uint32_t may, const char *call);
/* Do the same as world_check() for a call of another thread, which has read the message. */
void world_check_message(world *w, const char *message, sumac_status status, uint32_t may, const char *call);

/*
 * Make a call while allocations fail, if the options say so:
 *
 *   do {
 *       world_arm(w, d);
 *       status = sumac_..(..);
 *   } while (world_call_again(w, context, status, "sumac_.."));
 *
 * If an allocation failed and the call ended with SUMAC_OUT_OF_MEMORY, it is made again.
 */
void world_arm(world *w, draws *d);
/* Call this if the test calls something else before world_call_again(): it ends the failures. */
void world_disarm(world *w);
int world_call_again(world *w, const sumac_context *context, sumac_status status, const char *call);

#endif
