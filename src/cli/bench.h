/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The measurements of `sumac bench`, `sumac compare` and `sumac report`. A row is one combination of curve, size, kind
 * and settings, timed over several calls of sumac_msm() and verified against the answer that follows from the bases'
 * discrete logarithms.
 */
#ifndef SUMAC_CLI_BENCH_H
#define SUMAC_CLI_BENCH_H

#include "options.h"
#include "scalars.h"

/* The most bytes of a raw point of any curve. */
#define BENCH_RESULT_BYTES 512

typedef enum scalar_memory { MEMORY_PAGEABLE, MEMORY_PINNED } scalar_memory; /* in the order of --memory */

/* The measurements of the timed calls. */
typedef struct bench_times {
    double minimum_ms;
    double median_ms;
    double user_seconds; /* user time of one call: the mean over the timed calls */
    uint64_t peak_bytes; /* resident memory while the calls ran */
    /* {"sort": 1.5}: for one call, the milliseconds during which any thread was in each stage, and the call's duration.
     * Each moment counts for one stage only, so that the stages' sum is at most the duration. */
    json_t *stages;
    double stages_of_ms;
} bench_times;

void bench_times_free(bench_times *times);

typedef struct bench_row {
    /* The inputs of bench_measure(). */
    const sumac_group *group;
    uint64_t n;
    uint32_t batch;
    uint32_t precompute;
    uint32_t threads; /* 0 for as many as the process may run on; bench_measure() sets the number */
    scalar_kind kind;
    scalar_memory memory;
    const char *plan_name; /* null for the plan of --plan */
    /* The results. */
    char backend[16];
    char variant[16];
    json_t *plan;
    double bases_ms; /* the time to make the bases with their multiples */
    bench_times times;
    bool verified;
    unsigned char result[BENCH_RESULT_BYTES]; /* the first MSM's result, then zeros */
    char refusal
        [256]; /* why plan_name does not support these inputs, and the other results are empty; or "" */
} bench_row;

/* Measure one row. Report failures and return an exit status. A wrong answer, or a plan_name that does not support the
 * inputs, is recorded in the row and is not a failure. */
int bench_measure(bench_row *row, const options *given);

/* Free the members of a row. */
void bench_row_free(bench_row *row);

/* Call once, so that memory is mapped and caches are warm; then time `runs` calls, and find the stages of the fastest
 * one. The calls use *context, which is replaced by contexts with the same options, so that its workspace is freed for
 * them. Because a trace makes a GPU's stages wait for each other, the stages on a GPU are those of another call, which
 * is not timed. Report failures with the context's message, and return an exit status. The caller frees `times` in any
 * case. */
typedef sumac_status (*bench_call)(void *inputs);
int bench_time_calls(sumac_context **context, const options *given, bench_call call, void *inputs,
                     uint64_t runs, bench_times *times);

/* Allocate memory of the kind that --memory names, to be freed by bench_free(). Return null after reporting a
 * failure. */
unsigned char *bench_allocate(sumac_context *context, scalar_memory memory, uint64_t bytes, const char *what);
void bench_free(scalar_memory memory, unsigned char *bytes);

/* The groups that --curve and --group name. */
enum { GROUP_CAPACITY = 256 };

typedef struct group_list {
    const sumac_group *groups[GROUP_CAPACITY];
    size_t count;
} group_list;

/* Functions of --groth16. They return the names of the curves to list; refuse options that cannot be combined with it;
 * and measure and print all rows, add them to the array, which may be null, and count wrong results. The last two
 * report failures and return an exit status. */
const char *bench_groth16_curves(const options *given);
int bench_groth16_check(const options *given);
int bench_groth16(const options *given, const group_list *groups, json_t *rows, size_t *wrong);

/* Convert a row for the result file. Return null if memory is short. */
json_t *bench_row_to_json(const bench_row *row);

/* Add a row to the array, which may be null, and take its reference. Report failures and return an exit status. */
int bench_add_row(json_t *rows, json_t *row);

/* Call measure(user, rows), which adds rows to the array, and write the file of --json: machine, version and all
 * rows, including those measured before a failure. Without --json `rows` is null. The file is opened before the
 * work, so that a path that cannot be written is reported at once. `device` names the GPU. Report failures and
 * return an exit status. */
int bench_measure_to_file(const options *given, const char *device, int (*measure)(void *user, json_t *rows),
                          void *user);

/* Report the number of wrong results, and return the exit status. */
int bench_status(size_t wrong);

#endif
