/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What `sumac bench` measures: a row is one combination of curve, size, kind and settings, timed over several
 * calls of sumac_msm() and verified against the answer that follows from the bases' discrete logarithms.
 */
#ifndef SUMAC_CLI_BENCH_H
#define SUMAC_CLI_BENCH_H

#include <jansson.h>

#include "options.h"
#include "scalars.h"

/* Wall time of each stage in one call. */
enum { BENCH_STAGES = 6 };
extern const char *const bench_stages[BENCH_STAGES];

/* Room for a raw point of any curve. */
#define BENCH_RESULT_BYTES 512

typedef enum scalar_memory { MEMORY_PAGEABLE, MEMORY_PINNED } scalar_memory; /* in the order of --memory */

/* What came out of timed calls. */
typedef struct bench_times {
    double minimum_ms;
    double median_ms;
    double user_seconds; /* user time of one call: the mean over the timed calls */
    uint64_t peak_bytes; /* resident memory while the calls ran */
} bench_times;

typedef struct bench_row {
    /* what was asked for */
    const sumac_curve *curve;
    uint64_t n;
    uint32_t batch;
    uint32_t precompute;
    uint32_t threads; /* 0: as many as the process may run on; then what it came to */
    scalar_kind kind;
    scalar_memory memory;
    const char *plan_name; /* null: the options' */
    /* what came out */
    char backend[16];
    char variant[16];
    sumac_plan *plan; /* freed with bench_row_free() */
    double bases_ms;  /* to make the bases, with their multiples, from nothing */
    bench_times times;
    double stage_ms[BENCH_STAGES];
    bool verified;
    unsigned char result[BENCH_RESULT_BYTES]; /* of the first MSM; zeros behind it */
    char refusal[256]; /* why plan_name can't be had for this, and then nothing else came out; else empty */
} bench_row;

/* Measure one row: fills in what comes out. Reports and returns an exit status; an answer that is wrong is no
 * failure here, but row->verified is false; nor is it that the row's plan_name can't be had. */
int bench_measure(bench_row *row, const options *given);

void bench_row_free(bench_row *row);

/* Call once, so that memory is mapped and caches are warm, then time `runs` calls. Reports, a failure with the context's
 * sentence, and returns an exit status. */
typedef sumac_status (*bench_call)(void *inputs);
int bench_time_calls(const sumac_context *context, bench_call call, void *inputs, uint64_t runs,
                     bench_times *times);

/* Another context of the same options, with a trace, in the place of *context, so that its workspace has room: a trace
 * makes a GPU's stages wait for each other. */
sumac_status bench_trace_context(const options *given, void (*trace)(void *, const sumac_trace_event *),
                                 void *user, sumac_context **context);

/* Bytes in the kind of memory that --memory names, freed with bench_free(); null after a sentence. */
unsigned char *bench_allocate(sumac_context *context, scalar_memory memory, uint64_t bytes, const char *what);
void bench_free(scalar_memory memory, unsigned char *bytes);

/* All that --curves names. */
enum { CURVE_CAPACITY = 256 };

typedef struct curve_list {
    const sumac_curve *curves[CURVE_CAPACITY];
    size_t count;
} curve_list;

/* --groth16: names of the curves to list; refuse what makes no sense with it; measure and print all rows, add them to the
 * array, which may be null, and count those of wrong results. The last two report and return an exit status. */
const char *bench_groth16_curves(const options *given);
int bench_groth16_check(const options *given);
int bench_groth16(const options *given, const curve_list *curves, json_t *rows, size_t *wrong);

/* When it is, in UTC, as 2026-01-31T12:00:00Z; "unknown" where that can't be told. */
enum { BENCH_DATE_BYTES = 32 };
void bench_date(char text[BENCH_DATE_BYTES]);

/* Lines for people. */
void print_bench_header(void);
void print_bench_row(const bench_row *row);

/* The result file's object but for its rows, and a row for it; null if memory is short. `device` names the
 * GPU. */
json_t *bench_header_to_json(const options *given, const char *command_line, const char *device);
json_t *bench_row_to_json(const bench_row *row);

#endif
