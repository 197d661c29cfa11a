/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The table of a backend: its kinds of stages, its way in and out, and its memory. A backend is a folder with
 * one file a kind; adding one touches neither the pipeline nor the curves. A curve contributes code (struct
 * curve_code) that is compiled from one source per curve and variant.
 */
#ifndef SUMAC_PIPELINE_ENGINE_H
#define SUMAC_PIPELINE_ENGINE_H

#include "math/scalar.h"
#include "pipeline/kinds.h"

/* How points lie in the caller's memory. */
typedef struct point_layout {
    sumac_form form;
    size_t stride; /* bytes from record to record */
    sumac_infinity infinity;
    size_t infinity_offset;
} point_layout;

/* Which root lift_x takes; LIFT_NONE: the point is complete. */
enum { LIFT_SMALLER, LIFT_LARGER, LIFT_NONE };

/* Field elements in and out, checks and square roots: src/cpu/convert.c. Raw points are as sumac.h says. */
typedef struct convert_ops {
    /* n records to affine points. On failure *bad is the index of the first bad record and the status says
     * why: SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP. */
    sumac_status (*import_points)(void *points, const uint8_t *records, size_t n, const point_layout *layout,
                                  sumac_check check, size_t *bad);
    /* n affine points to packed raw records. */
    void (*export_points)(uint8_t *records, const void *points, size_t n, sumac_form form);
    /* Complete n raw canonical points of which only x is set: y = sqrt(x^3 + b), of the two roots the
     * lexicographically larger (comparing the canonical integer; over Fp2 c1 first) or the smaller, as
     * sides[i] says. The points then lie on the curve; in the subgroup too where `check` asks for that. On
     * failure *bad is the index of the first bad one: SUMAC_BAD_ENCODING if x >= p, SUMAC_NOT_ON_CURVE if
     * there is no root, SUMAC_NOT_IN_SUBGROUP. Complete points (LIFT_NONE) are left to the caller. */
    sumac_status (*lift_x)(uint8_t *raw, const uint8_t *sides, size_t n, sumac_check check, size_t *bad);
    /* 1 if y of a raw canonical point is the larger of y and -y. */
    int (*y_is_larger)(const uint8_t *raw);
    /* 1 if the affine point has order dividing r, by the curve's fast test; and by multiplication with r. */
    int (*is_in_subgroup)(const void *point);
    int (*is_in_subgroup_by_order)(const void *point);
} convert_ops;

/* Arithmetic on single points and on whole arrays of bases, outside the pipeline: src/cpu/points.c. */
typedef struct point_ops {
    /* table[t*count + i] = 2^(shift*t) * table[i] for 1 <= t < factor, i in [first, first + n). */
    void (*multiples)(void *table, uint64_t count, uint32_t factor, uint32_t shift, uint64_t first,
                      uint64_t n);
    /* As multiples, for tables of digits (pipeline.h): multiples 1 .. factor - 1 of all windows of c bits. */
    void (*window_tables)(void *table, uint64_t count, uint32_t factor, uint32_t c, uint64_t first,
                          uint64_t n);
    /* result = sum of n affine points (in a backend's form), exactly, whatever they are. */
    void (*sum)(void *result, const void *points, size_t n);
    /* result = k * generator, affine; k has the limbs of r. */
    void (*generator_multiple)(void *result, const uint64_t *k);
    /* sums[i] = table[(first + i) % m] + table[m + (first + i) / m], all affine. */
    void (*pairwise_sums)(void *sums, const void *table, uint64_t m, uint64_t first, uint64_t n);
} point_ops;

/* Pairs of points: affine, of the first group and of the second, as import_points makes them. Of the first
 * `prepared` pairs `lines` stands for the points of the second group, which are not read. */
typedef struct pairing_factors {
    const void *g1_points;
    const void *g2_points;
    const void *lines; /* of one point behind the other's */
    size_t prepared;   /* at most n */
    size_t n;
} pairing_factors;

/* A pairing, in the code of a curve's second group: src/cpu/pairing.c. Values lie in Fp12 = Fp2[w]: in
 * Montgomery form, c0 then c1 of each of the coefficients of w^0, w^2, w^4, w^1, w^3, w^5, 8-byte aligned. */
typedef struct pairing_ops {
    size_t value_bytes;
    size_t block;         /* so many pairs a call of miller may have */
    size_t scratch_bytes; /* of the memory that a call of miller works in */
    /* The lines of a Miller loop of one affine point: of as many bytes, the same for all variants of a curve.
     */
    size_t (*lines_bytes)(void);
    void (*make_lines)(void *lines, const void *g2_point);
    /* value = the product of the pairs' Miller loops, 1 for no pairs and those with a point at infinity; but
     * for a factor from Fp, of which the final exponentiation makes 1. scratch: 64-byte aligned. */
    void (*miller)(void *value, const pairing_factors *factors, void *scratch);
    void (*multiply)(void *value, const void *factor);
    void (*exponentiate)(void *value); /* the final exponentiation; math/pairing.h has the exponent */
    int (*is_one)(const void *value);
} pairing_ops;

/* Measured costs, in nanoseconds on one thread, from which the CPU's kinds predict: bench/bench_costs.c
 * measures them. */
typedef struct stage_costs {
    double recode;          /* a scalar and digit */
    double sort;            /* an entry */
    double affine_addition; /* an addition in a large batch, without its share of the inversion */
    double inversion;       /* one inversion of a batch */
    double list;            /* a list that is added up, beside its additions */
    double xyzz_addition;   /* one complete addition */
    double doubling;
    double combine;       /* a doubling and an addition of a result's Horner's rule */
    double combine_lanes; /* the same for each of many MSMs in lanes; 0 where there are no lanes */
} stage_costs;

struct recode_run;

/* combine's sums: of each of `msms` MSMs, whose parts lie one behind the other, the sum over j < count and
 * l < parts of 2^(doublings*j + l) * points[j*parts + l]; parts <= doublings, or 1. */
typedef struct horner_terms {
    const void *points; /* XYZZ */
    uint64_t msms;
    uint32_t count;
    uint32_t parts;
    uint32_t doublings;
} horner_terms;

/* A curve's functions in one variant. */
typedef struct curve_code {
    const char *variant;
    size_t affine_bytes;
    size_t xyzz_bytes;
    /* Recodes the first scalars of a run (src/math/recode_run.h), and returns how many; null where there
     * is no such code. */
    uint64_t (*recode)(const struct recode_run *run);
    const convert_ops *convert;
    const point_ops *points;
    const struct scalar_vector_ops *scalar_vectors; /* src/vector/vector.h; of the field of scalars */
    const struct point_vector_ops *point_vectors;
    const pairing_ops *pairing; /* null without one, and in a first group */
    /* Results, raw points of job.result_form, from module parts on the host; of the job its curve, threads,
     * trace and form, and not its plan, which may be gone. Engines with a device of their own use it, too. */
    void (*combine)(const msm_job *job, const horner_terms *terms, void *results);
    const stage_kind *const *kinds;      /* of the CPU; ends with null */
    const stage_kind *const *plan_kinds; /* likewise, of the named plans alone */
    const stage_costs *costs;
} curve_code;

struct sumac_curve {
    sumac_curve_info info;
    scalar_field scalars;
    int for_tests;                     /* not listed to users; found by name */
    const curve_code *const *variants; /* fastest first, ending with null; the last one runs everywhere */
};

/* The way in: inputs to where the engine reads them. The engine's work on a chunk, and on a sub-batch, follows what
 * it began before. */
typedef struct feed_ops {
    /* plan.copy_slices, copy_slice_growth, bytes_staging and bytes_pinned for a plan whose chunks and sub-batch are
     * chosen. Null: nothing is copied. */
    void (*shape)(const plan_request *request, msm_plan *plan);
    stage_cost (*cost)(const plan_request *request, const msm_plan *plan); /* null: nothing */
    /* Begin to bring a chunk: bases [first, first + n) of each MSM of the sub-batch. Of the sub-batch's first chunk: all
     * that reads the sub-batch before is queued, and may still run. Else the work on the chunk before has begun,
     * its first copy slice awaited, and goes on meanwhile; all that reads the one before that is queued. */
    sumac_status (*begin)(const msm_job *job, uint64_t first, uint64_t n, const feed_memory *memory);
    /* Fill pass.inputs in; what is queued from now on finds the copy slice's scalars and bases there. */
    sumac_status (*await)(const msm_job *job, const feed_memory *memory, msm_pass *pass);
    /* All passes of the sub-batch are queued: what follows them comes after all of them. */
    sumac_status (*end)(const msm_job *job);
} feed_ops;

/* The way out. */
typedef struct deliver_ops {
    /* Where combine leaves the call's results, raw points one behind the other, first MSM first. */
    sumac_status (*begin)(const msm_job *job, void *results, void **points);
    /* From there to the caller: now, or when the stream comes to it (job.status_later). */
    sumac_status (*end)(const msm_job *job, const void *points, void *results);
} deliver_ops;

typedef struct backend {
    const char *name;
    const stage_kind *const *kinds;      /* in the order in which the search tries them; ends with null */
    int has_compiled_kinds;              /* curve_code.kinds and plan_kinds are this backend's, too */
    const stage_kind *const *plan_kinds; /* those of named plans alone; ends with null */
    const named_plan *const *plans;      /* the named plans, beside auto; ends with null */
    const feed_ops *feed;
    const deliver_ops *deliver;
    uint32_t most_in_flight_passes;
    int whole_sub_batches; /* a sub-batch's modules share one pass where one MSM's do not need several; else a sub-batch is as
                       much as leaves three quarters of the workspace to its passes */
    /* Bytes of workspace that a plan shall have, less patient with each attempt; 0: that was all. */
    uint64_t (*wish)(const plan_request *request, const msm_plan *plan, uint32_t attempt);
    /* The milliseconds of a plan whose stages cost this together; may lower plan.threads. */
    double (*elapsed)(msm_plan *plan, const stage_cost *sum);
    /* 64-byte aligned, for the context with this engine; null when memory is short. */
    void *(*allocate)(void *engine, uint64_t bytes);
    void (*release)(void *memory);
    const struct vector_ops *vectors; /* src/vector/vector.h */
    /* Null where the stages' memory is the host's own. */
    const struct device_ops *device;
} backend;

/* Where memory lies, as an engine sees it. */
typedef enum memory_location { MEMORY_HOST, MEMORY_DEVICE, MEMORY_BOTH, MEMORY_OTHER_DEVICE } memory_location;

/* Points [first, first + n) of a table of bases. */
typedef struct table_slice {
    void *table;        /* factor*digits blocks of count points */
    const void *points; /* affine, in the host's memory; with a layout, records in the device's */
    const point_layout *layout;
    sumac_check check; /* of records */
    uint64_t count;
    uint64_t first;
    uint64_t n;
    uint32_t factor;
    uint32_t shift;
    uint32_t digits;    /* points of each multiple, a power of two: 1, or with tables of digits as
                        plan.table_digits; then factor is the number of windows, and shift that of their bits */
    uint32_t glv_terms; /* 2: the points' images follow the points; then factor is 1 */
} table_slice;

struct parallel_team;

/* Compressed points to raw canonical ones, both in the host's memory, packed; records are those of
 * codec/compressed.h. */
typedef struct decode_request {
    const uint8_t *records;
    uint8_t *raw; /* written when all points are good; after a failure of the device perhaps in part */
    uint64_t n;
    sumac_check check; /* a decoded point is on the curve in any case */
    /* The host's threads, which copy: cpu/parallel.h. */
    const struct parallel_team *team;
    void (*parallel)(const struct parallel_team *team, size_t count,
                     void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments);
} decode_request;

/* What a backend with memory and a queue of its own adds. `engine` is one context's queue on one device. */
typedef struct device_ops {
    /* How many devices there are: numbers below that can be opened. */
    uint32_t (*count)(void);
    /* On failure *message is a sentence. device = -1 is the first. */
    sumac_status (*open)(int32_t device, void **engine, char *message, size_t bytes);
    void (*close)(void *engine);
    /* The device, for people. */
    const char *(*describe)(const void *engine);
    /* Its number, as `open` takes it. */
    int32_t (*ordinal)(const void *engine);
    /* Page-locked memory of the host; null when it is short. */
    void *(*allocate_pinned)(void *engine, uint64_t bytes);
    void (*release_pinned)(void *engine, void *memory);
    /* Make the engine's device the one on which this thread allocates. */
    void (*enter)(void *engine);
    /* A sentence on the last failure of the engine. */
    const char *(*message)(const void *engine);
    sumac_status (*upload)(void *engine, void *to, const void *from, uint64_t bytes);
    sumac_status (*download)(void *engine, void *to, const void *from, uint64_t bytes);
    /* Copy the points to the table, or import them, and make their multiples, as point_ops.multiples, or
     * window_tables where there are several digits. When
     * this returns, the points' memory is the caller's again; the device may still be at work, for which join
     * waits. *bad is slice->n; but where records are refused the index of the first one, and the status
     * convert_ops.import_points's. */
    sumac_status (*fill_table)(void *engine, const sumac_curve *curve, const table_slice *slice,
                               uint64_t *bad);
    /* *bad is request->n; but where points are refused the index of the first one, with its status. */
    sumac_status (*decode)(void *engine, const sumac_curve *curve, const decode_request *request,
                           uint64_t *bad);
    int (*has_curve)(const sumac_curve *curve);
    int (*can_decode)(const sumac_curve *curve);
    uint64_t (*memory_free)(void *engine);
    memory_location (*location_of)(void *engine, const void *memory);
    /* Before and after the stages of a job with a stream, which is checked first: the engine's work follows
     * what the stream (null: the default stream) holds now; the stream's later work, `event` (null: none) the
     * first of it, follows the engine's. */
    sumac_status (*follow)(void *engine, void *stream, void *event);
    sumac_status (*lead)(void *engine, void *stream, void *event);
    /* Wait until all work is done. */
    sumac_status (*join)(void *engine);
    /* After a failure: wait until nothing reads or writes the call's memory any more. */
    void (*settle)(void *engine);
    /* For tests: the number-th call of the device's runtime from now on fails without being made; 0: none.
     * Returns how many calls the one that was to fail before this was away; 0: it has failed, or there was
     * none. */
    uint64_t (*fail_call)(void *engine, uint64_t number);
} device_ops;

/* The engine's library exports one function. It is told SUMAC_ENGINE_INTERFACE, which the build makes of the
 * text of the headers and curves that both sides have, and refuses a library with another one: it has other
 * structures. */
#define SUMAC_CUDA_LIBRARY "libsumac_cuda.so"
#define SUMAC_CUDA_ENTRY "sumac_cuda_backend"
typedef const backend *(*engine_entry)(uint32_t interface_version);

#endif
