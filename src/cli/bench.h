/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file declares the measurements of `sumac bench`, `sumac compare` and `sumac report`. A row is one combination of
 * curve, size, kind and settings. It is timed over several calls of sumac_msm(), and its result is compared with the
 * answer that follows from the bases' discrete logarithms.
 */
#ifndef SUMAC_CLI_BENCH_H
#define SUMAC_CLI_BENCH_H

#include "options.h"
#include "scalars.h"

/* A raw point of any curve has at most this many bytes. */
#define BENCH_RESULT_BYTES 512

typedef enum scalar_memory { MEMORY_PAGEABLE, MEMORY_PINNED } scalar_memory; /* in the order of --memory */

/* These are the measurements of the timed calls. */
typedef struct bench_times {
    double minimum_ms;
    double median_ms;
    double user_seconds; /* user time of one call: the mean over the timed calls */
    uint64_t peak_bytes; /* resident memory while the calls ran */
    /* This has the form {"sort": 1.5}. For one call it has the milliseconds during which any thread was in each stage,
     * and the duration of the call. Each moment counts for one stage only, so that the sum of the stages is at most the
     * duration. */
    json_t *stages;
    double stages_of_ms;
} bench_times;

void bench_times_free(bench_times *times);

typedef struct bench_row {
    /* These fields are the inputs of bench_measure(). */
    const sumac_group *group;
    uint64_t n;
    uint32_t batch;
    uint32_t precompute;
    uint32_t threads; /* 0 for as many as the process may run on; bench_measure() sets the number */
    scalar_kind kind;
    scalar_memory memory;
    const char *plan_name; /* null for the plan of --plan */
    /* The following fields are the results. */
    char backend[16];
    char variant[16];
    json_t *plan;
    double bases_ms; /* the time to make the bases with their multiples */
    bench_times times;
    bool verified;
    unsigned char result[BENCH_RESULT_BYTES]; /* the result of the first MSM, then zeros */
    char refusal
        [256]; /* the reason if plan_name does not support these inputs; then the other results are empty.
                  Otherwise "" */
} bench_row;

/* Measure one row. Report failures and return an exit status. A wrong answer, or a plan_name that does not support the
 * inputs, is recorded in the row and is not a failure. */
int bench_measure(bench_row *row, const options *given);

/* Free the members of a row. */
void bench_row_free(bench_row *row);

/* Make one call, so that memory is mapped and caches are warm. Then time `runs` calls, and find the stages of the
 * fastest one. The calls use *context, which is replaced by contexts with the same options, so that its workspace is
 * freed for them. A trace makes a GPU's stages wait for each other; therefore the stages on a GPU are those of another
 * call, which is not timed. Report failures with the context's message, and return an exit status. The caller frees
 * `times` in any case. */
typedef sumac_status (*bench_call)(void *inputs);
int bench_time_calls(sumac_context **context, const options *given, bench_call call, void *inputs,
                     uint64_t runs, bench_times *times);

/* Allocate memory of the kind that --memory names. The caller frees it by bench_free(). If this fails, report that and
 * return null. */
unsigned char *bench_allocate(sumac_context *context, scalar_memory memory, uint64_t bytes, const char *what);
void bench_free(scalar_memory memory, unsigned char *bytes);

/* These are the groups that --curve and --group name. */
enum { GROUP_CAPACITY = 256 };

typedef struct group_list {
    const sumac_group *groups[GROUP_CAPACITY];
    size_t count;
} group_list;

/* These are the functions of --groth16 and --plonk. The first one returns the names of the curves that may be listed. The
 * second one refuses options that can't be combined with them. The third one measures and prints all rows, adds them to
 * the array, which may be null, and counts wrong results. The last two report failures and return an exit status. */
const char *bench_proofs_curves(const options *given);
int bench_proofs_check(const options *given);
int bench_proofs(const options *given, const group_list *groups, json_t *rows, size_t *wrong);

/* Convert a row for the result file. Return null if memory is short. */
json_t *bench_row_to_json(const bench_row *row);

/* Add a row to the array, which may be null. The function takes over the reference to the row. Report failures and
 * return an exit status. */
int bench_add_row(json_t *rows, json_t *row);

/* Call measure(user, rows), which adds rows to the array. Then write the file of --json, which has the machine, the
 * version and all rows. After a failure it has the rows that were measured before. Without --json `rows` is null. The
 * file is opened before the work, so that a path that can't be written is reported at once. `device` is the name of the
 * GPU. Report failures and return an exit status. */
int bench_measure_to_file(const options *given, const char *device, int (*measure)(void *user, json_t *rows),
                          void *user);

/* Report the number of wrong results, and return the exit status. */
int bench_status(size_t wrong);

#endif
