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
    double minimum_ms;
    double median_ms;
    double user_seconds; /* user time of one call: the mean over the timed calls */
    uint64_t peak_bytes; /* resident memory while the calls ran */
    double stage_ms[BENCH_STAGES];
    bool verified;
    unsigned char result[BENCH_RESULT_BYTES]; /* of the first MSM; zeros behind it */
    char refusal[256]; /* why plan_name can't be had for this, and then nothing else came out; else empty */
} bench_row;

/* Measure one row: fills in what comes out. Reports and returns an exit status; an answer that is wrong is no
 * failure here, but row->verified is false; nor is it that the row's plan_name can't be had. */
int bench_measure(bench_row *row, const options *given);

void bench_row_free(bench_row *row);

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
