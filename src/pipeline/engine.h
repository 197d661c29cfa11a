/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The table of a backend: its kinds of stages, its way in and out, and its memory. A backend is a folder with
 * one file a kind; adding one touches neither the pipeline nor the curves (curves/curve_code.h).
 */
#ifndef SUMAC_PIPELINE_ENGINE_H
#define SUMAC_PIPELINE_ENGINE_H

#include "pipeline/kinds.h"

struct decode_request;
struct table_slice;
struct vector_ops;

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
    /* Fill pass.inputs and pass.in_flight in; what is queued for the pass from now on finds the copy slice's scalars and
     * bases there. */
    sumac_status (*await)(const msm_job *job, const feed_memory *memory, msm_pass *pass);
    /* All passes of the sub-batch are queued: what follows them comes after all of them. */
    sumac_status (*end)(const msm_job *job);
} feed_ops;

/* The way out. */
typedef struct deliver_ops {
    /* Where combine leaves the call's results, one behind the other, first MSM first. */
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
    void (*release_pinned)(void *memory);
    /* Make the engine's device the one on which this thread allocates. */
    void (*enter)(void *engine);
    /* A sentence on the last failure of the engine. */
    const char *(*message)(const void *engine);
    sumac_status (*upload)(void *engine, void *to, const void *from, uint64_t bytes);
    /* The same, but the copy may go on when begin_upload returns: end_upload, also of a call that has failed, waits for it.
     * One at a time; the engine's other work goes on meanwhile. */
    sumac_status (*begin_upload)(void *engine, void *to, const void *from, uint64_t bytes);
    sumac_status (*end_upload)(void *engine);
    sumac_status (*download)(void *engine, void *to, const void *from, uint64_t bytes);
    /* Between the engine's device and another one of the backend, or on the engine's own. What made the bytes is done. */
    sumac_status (*copy_across)(void *engine, void *to, const void *from, uint64_t bytes);
    /* Let the device of this number copy from the engine's device directly, where the machine can do that. Copies between
     * devices that cannot go through the host's memory. */
    void (*connect)(void *engine, int32_t other);
    /* Copy the points to the table, or import them, and make their multiples, as point_ops.multiples, or
     * window_tables where there are several digits. When
     * this returns, the points' memory is the caller's again; the device may still be at work, for which join
     * waits. *bad is slice->n; but where records are refused the index of the first one, and the status
     * convert_ops.import_points's. */
    sumac_status (*fill_table)(void *engine, const sumac_curve *curve, const struct table_slice *slice,
                               uint64_t *bad);
    /* *bad is request->n; but where points are refused the index of the first one, with its status. */
    sumac_status (*decode)(void *engine, const sumac_curve *curve, const struct decode_request *request,
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
