/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The calls of the interface as rows of a table. Each can be made again and again over one scene: it writes its results to
 * the scene's vectors, to `out` and to the file `path`, and frees what it creates. Tests run all of them, in a way of their
 * own: with an allocation that fails, with a progress function that cancels, on a painted stack, on a fake GPU.
 */
#ifndef SUMAC_TESTS_CALLS_H
#define SUMAC_TESTS_CALLS_H

#include "support/cleanup.h"
#include "support/exact.h"

enum { CALL_BATCH = 3, CALL_WINDOW_BASES = 64 };

/* Vectors a, b and the result: of scalars from CALL_SCALARS on, of points from CALL_POINTS on. */
enum { CALL_SCALARS = 0, CALL_POINTS = 3, CALL_VECTORS = 6 };

/* Bases without tables, with multiples, with window tables of CALL_WINDOW_BASES at most, and tables as the planner likes. */
enum { PLAIN, MULTIPLES, WINDOWS, CALL_BASES, AUTOMATIC = CALL_BASES };

typedef struct call_scene {
    const sumac_group *curve;
    const sumac_group *info;
    sumac_context_config config;
    sumac_context *context;
    size_t count; /* points, and elements of each vector: a power of two, at least 16 */
    size_t size;  /* elements of the next call, at most `count` */
    uint8_t *points, *g1_points;
    uint8_t *scalars;    /* CALL_BATCH times `count` */
    uint8_t *zeros;      /* as large as the points */
    uint8_t *compressed; /* the points in another format; null if the curve has none */
    uint8_t *partial;
    sumac_bases *bases[CALL_BASES];
    sumac_vector *vectors[CALL_VECTORS];
    sumac_vector *sums[2]; /* scalars, and points: one for each row of `size` elements */
    sumac_fk20 *fk20;      /* null: the field lacks roots of unity */
    sumac_msm_config msm;  /* of MSMs over bases without tables */
    sumac_tuning tuning;
    void *stream; /* null: none */
    char directory[48], path[64], table_path[64], raw_path[64], fk20_path[64];
    sumac_message reason; /* why there is no context */
    uint8_t *out;
    size_t out_bytes;
} call_scene;

/* Opens the context, and fills all from known points, which the CPU computes. */
void call_scene_open(call_scene *s, const sumac_group *curve, const sumac_context_config *config,
                     size_t count, size_t size);
void call_scene_close(call_scene *s);

/* Another size, the sums' vectors for it, and FK20 if the field has roots of unity. */
void call_scene_resize(call_scene *s, size_t size);

/* Everything that a call can change, and back to it. */
size_t call_snapshot_bytes(const call_scene *s);
void call_snapshot(const call_scene *s, uint8_t *snapshot);
void call_restore(const call_scene *s, const uint8_t *snapshot);

typedef struct test_call {
    const char *name;
    sumac_status (*run)(call_scene *s, int kind);
    int kind;
    int on_fake; /* it succeeds on a GPU that computes nothing, too */
    int reports; /* times that it reports progress, at least */
} test_call;

extern const test_call test_calls[];
extern const size_t test_call_count;

/* The first row, whose sentence is the scene's reason. */
sumac_status call_context(call_scene *s, int kind);

#endif
