/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This header has a table of the interface's calls. A call can be repeated over one scene: it writes its results to the
 * scene's vectors, to `out` and to the file `path`, and frees what it creates. Tests run all calls with an allocation
 * that fails, with a progress function that cancels, on a painted stack, or on a fake GPU.
 */
#ifndef SUMAC_TESTS_CALLS_H
#define SUMAC_TESTS_CALLS_H

#include "support/cleanup.h"
#include "support/exact.h"

enum { CALL_BATCH = 3, CALL_WINDOW_BASES = 64 };

/* These are indices of two operands and a result. Scalars are at CALL_SCALARS + 0, 1, 2, and points at CALL_POINTS + 0,
 * 1, 2. */
enum { CALL_SCALARS = 0, CALL_POINTS = 3, CALL_VECTORS = 6 };

/* These kinds of bases are without tables, with multiples, with window tables of at most CALL_WINDOW_BASES, and with
 * the planner's tables. */
enum { PLAIN, MULTIPLES, WINDOWS, CALL_BASES, AUTOMATIC = CALL_BASES };

typedef struct call_scene {
    const sumac_group *group;
    const sumac_group *info;
    sumac_context_config config;
    sumac_context *context;
    size_t count; /* number of points, and of elements of each vector; a power of two of at least 16 */
    size_t size;  /* number of elements in the next call, at most `count` */
    uint8_t *points, *g1_points;
    uint8_t *scalars;    /* CALL_BATCH * count scalars */
    uint8_t *zeros;      /* as many bytes as the points have */
    uint8_t *compressed; /* the points in zcash-compressed; null if the curve has no such format */
    uint8_t *partial;
    sumac_bases *bases[CALL_BASES];
    sumac_vector *vectors[CALL_VECTORS];
    sumac_vector *sums[2]; /* scalars and points, one for each row of `size` elements */
    sumac_fk20 *fk20;      /* null if the field lacks roots of unity */
    sumac_msm_config msm;  /* for MSMs over bases without tables */
    void *stream;          /* may be null */
    char directory[48], path[64], table_path[64], raw_path[64], fk20_path[64];
    sumac_message reason; /* why there is no context */
    uint8_t *out;
    size_t out_bytes;
} call_scene;

/* Open the context, and fill the scene with known points, which the CPU computes. */
void call_scene_open(call_scene *s, const sumac_group *group, const sumac_context_config *config,
                     size_t count, size_t size);
void call_scene_close(call_scene *s);

/* Change the size, and make the sums' vectors for it, and FK20 if the field has roots of unity. */
void call_scene_resize(call_scene *s, size_t size);

/* These functions save everything that a call can change, and restore it. */
size_t call_snapshot_bytes(const call_scene *s);
void call_snapshot(const call_scene *s, uint8_t *snapshot);
void call_restore(const call_scene *s, const uint8_t *snapshot);

typedef struct test_call {
    const char *name;
    sumac_status (*run)(call_scene *s, int kind);
    int kind;
    int on_fake; /* 1 if it succeeds on a fake GPU, which computes nothing */
    int reports; /* it reports progress at least so often */
} test_call;

extern const test_call test_calls[];
extern const size_t test_call_count;

/* Make calls that are queued if the scene's context has a stream. */
sumac_status call_queued(call_scene *s);

/* This is the function of the first row. Its message is in scene->reason, because it creates the context. */
sumac_status call_context(call_scene *s, int kind);

#endif
