/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The measurements of `sumac bench`, `sumac compare` and `sumac report`. A row is one combination of curve, size, kind and
 * settings, timed over several calls of sumac_msm() and verified against the answer that follows from the bases' discrete
 * logarithms.
 */
#ifndef SUMAC_CLI_BENCH_H
#define SUMAC_CLI_BENCH_H

#include "options.h"
#include "scalars.h"

/* The bytes of a raw point of any curve are at most this many. */
#define BENCH_RESULT_BYTES 512

typedef enum scalar_memory { MEMORY_PAGEABLE, MEMORY_PINNED } scalar_memory; /* in the order of --memory */

/* The measurements of the timed calls. */
typedef struct bench_times {
    double minimum_ms;
    double median_ms;
    double user_seconds; /* user time of one call: the mean over the timed calls */
    uint64_t peak_bytes; /* resident memory while the calls ran */
    /* {"sort": 1.5}: the milliseconds of one call during which a thread was in each stage, and how long this call took. Each
     * moment counts for one stage, so that the stages add up to no more than the call. */
    json_t *stages;
    double stages_of_ms;
} bench_times;

void bench_times_free(bench_times *times);

typedef struct bench_row {
    /* The inputs of bench_measure(). */
    const sumac_curve *curve;
    uint64_t n;
    uint32_t batch;
    uint32_t precompute;
    uint32_t threads; /* 0: as many as the process may run on; bench_measure() sets the number */
    scalar_kind kind;
    scalar_memory memory;
    const char *plan_name; /* null: that of --plan */
    /* The results. */
    char backend[16];
    char variant[16];
    sumac_plan *plan;
    double bases_ms; /* the time to make the bases with their multiples */
    bench_times times;
    bool verified;
    unsigned char result[BENCH_RESULT_BYTES]; /* the first MSM's, then zeros */
    char refusal
        [256]; /* why plan_name does not support these inputs, which leaves the other results empty; else empty */
} bench_row;

/* Measure one row. Reports and returns an exit status. A wrong answer and a plan_name that does not support the inputs are no
 * failures: the row says so. */
int bench_measure(bench_row *row, const options *given);

/* Free what a row holds. */
void bench_row_free(bench_row *row);

/* Call once, so that memory is mapped and caches are warm, then time `runs` calls and the stages of the fastest. The
 * calls use *context, which is replaced by contexts of the same options, so that its workspace is free for them. A trace
 * makes a GPU's stages wait for each other: on a GPU the stages are those of one more call, which is not timed.
 * Reports, a failure with the context's sentence, and returns an exit status. The caller frees the times in any case. */
typedef sumac_status (*bench_call)(void *inputs);
int bench_time_calls(sumac_context **context, const options *given, bench_call call, void *inputs,
                     uint64_t runs, bench_times *times);

/* Allocate bytes in the kind of memory that --memory names, which bench_free() frees; null after a sentence. */
unsigned char *bench_allocate(sumac_context *context, scalar_memory memory, uint64_t bytes, const char *what);
void bench_free(scalar_memory memory, unsigned char *bytes);

/* The curves that --curve names. */
enum { CURVE_CAPACITY = 256 };

typedef struct curve_list {
    const sumac_curve *curves[CURVE_CAPACITY];
    size_t count;
} curve_list;

/* Functions of --groth16: return the names of the curves to list; refuse options that can't be combined with it; measure and
 * print all rows, add them to the array, which may be null, and count those with wrong results. The last two report failures
 * and return an exit status. */
const char *bench_groth16_curves(const options *given);
int bench_groth16_check(const options *given);
int bench_groth16(const options *given, const curve_list *curves, json_t *rows, size_t *wrong);

/* A row of the result file; null if memory is short. */
json_t *bench_row_to_json(const bench_row *row);

/* Add a row to the array, which may be null, and take its reference. Reports and returns an exit status. */
int bench_add_row(json_t *rows, json_t *row);

/* Call measure(user, rows), which adds rows to the array, and write the file of --json: machine, version and these rows,
 * also those that were measured before a failure. Without --json `rows` is null. The file is opened before the work, so
 * that a path that cannot be written is reported at once. `device` names the GPU. Reports and returns an exit status. */
int bench_measure_to_file(const options *given, const char *device, int (*measure)(void *user, json_t *rows),
                          void *user);

/* Report so many wrong results, and return the exit status. */
int bench_status(size_t wrong);

#endif
