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

/* The way in: inputs are brought to where the engine reads them. The engine's work on a chunk, and on a sub-batch, follows
 * the work that it began before. */
typedef struct feed_ops {
    /* Set plan.copy_slices, copy_slice_growth, bytes_staging and bytes_pinned of a plan whose chunks and sub-batch are
     * chosen. Null: nothing is copied. */
    void (*shape)(const plan_request *request, msm_plan *plan);
    stage_cost (*cost)(const plan_request *request, const msm_plan *plan); /* null: feeding costs nothing */
    /* Begin to bring a chunk: bases [first, first + n) of each MSM of the sub-batch. When a sub-batch's first chunk begins,
     * all work that reads the sub-batch before is queued, and may still run. When a later chunk begins, the work on the
     * chunk before it has begun (its first copy slice is awaited) and goes on meanwhile, and all work that reads the chunk
     * before that is queued. */
    sumac_status (*begin)(const msm_job *job, uint64_t first, uint64_t n, const feed_memory *memory);
    /* Fill in pass.inputs and pass.in_flight. Work that is queued for the pass from now on finds the copy slice's scalars
     * and bases there. */
    sumac_status (*await)(const msm_job *job, const feed_memory *memory, msm_pass *pass);
    /* All passes of the sub-batch are queued: work that is queued later follows all of them. */
    sumac_status (*end)(const msm_job *job);
} feed_ops;

/* The way out. */
typedef struct deliver_ops {
    /* Say where combine leaves the call's results, one behind the other, the first MSM's first. */
    sumac_status (*begin)(const msm_job *job, void *results, void **points);
    /* Copy them to the caller: now, or when the stream comes to it (job.status_later). */
    sumac_status (*end)(const msm_job *job, const void *points, void *results);
} deliver_ops;

typedef struct backend {
    const char *name;
    const stage_kind *const *kinds;      /* in the order in which the search tries them; ends with null */
    int has_compiled_kinds;              /* curve_code.kinds and plan_kinds are this backend's, too */
    const stage_kind *const *plan_kinds; /* only named plans use them; ends with null */
    const named_plan *const *plans;      /* the named plans, beside auto; ends with null */
    const feed_ops *feed;
    const deliver_ops *deliver;
    uint32_t most_in_flight_passes;
    int whole_sub_batches; /* a sub-batch's modules share one pass, unless one MSM needs several; otherwise sub-batches are so
                              large that three quarters of the workspace are left to the passes */
    /* Bytes of workspace to plan for, for each attempt in turn; 0: there is no further attempt. */
    uint64_t (*wish)(const plan_request *request, const msm_plan *plan, uint32_t attempt);
    /* The milliseconds of a plan whose stages cost this together; may lower plan.threads. */
    double (*elapsed)(msm_plan *plan, const stage_cost *sum);
    /* 64-byte aligned memory for the context with this engine; null when memory is short. */
    void *(*allocate)(void *engine, uint64_t bytes);
    void (*release)(void *memory);
    const struct vector_ops *vectors; /* src/vector/vector.h */
    /* Null if the stages use the host's memory. */
    const struct device_ops *device;
} backend;

/* The kinds of memory that an engine tells apart. */
typedef enum memory_location { MEMORY_HOST, MEMORY_DEVICE, MEMORY_BOTH, MEMORY_OTHER_DEVICE } memory_location;

/* The functions that a backend with devices adds. `engine` is one context's queue on one device. */
typedef struct device_ops {
    /* The number of devices: `open` takes numbers below it. */
    uint32_t (*count)(void);
    /* Open the engine of a device; -1 is the first one. On failure *why has a message. */
    sumac_status (*open)(int32_t device, void **engine, sumac_message *why);
    void (*close)(void *engine);
    /* A description of the device for people. */
    const char *(*describe)(const void *engine);
    /* Its number, as `open` takes it. */
    int32_t (*ordinal)(const void *engine);
    /* Page-locked memory of the host; null when it is short. */
    void *(*allocate_pinned)(void *engine, uint64_t bytes);
    void (*release_pinned)(void *memory);
    /* Make the engine's device the one on which this thread allocates. */
    void (*enter)(void *engine);
    /* The sentence of the engine's last failure. */
    const char *(*message)(const void *engine);
    sumac_status (*upload)(void *engine, void *to, const void *from, uint64_t bytes);
    /* begin_upload may return before the copy is complete; end_upload waits for it, also after a failure. There is one such
     * copy at a time; the engine's other work goes on meanwhile. */
    sumac_status (*begin_upload)(void *engine, void *to, const void *from, uint64_t bytes);
    sumac_status (*end_upload)(void *engine);
    sumac_status (*download)(void *engine, void *to, const void *from, uint64_t bytes);
    /* Copy between the engine's device and another one of the backend, or within the engine's own. Work that wrote `from` is
     * complete. */
    sumac_status (*copy_across)(void *engine, void *to, const void *from, uint64_t bytes);
    /* Let the device of this number copy from the engine's device directly, if the machine supports it. Other copies between
     * devices go through the host's memory. */
    void (*connect)(void *engine, int32_t other);
    /* Copy the points to the table, or import them, and compute their multiples like point_ops.multiples, or window_tables if
     * there are several digits. When this returns, the points' memory is the caller's again; the device may still be at
     * work, for which join waits. *bad is slice->n, or the index of the first record that is refused, and then the status is
     * that of convert_ops.import_points. */
    sumac_status (*fill_table)(void *engine, const sumac_curve *curve, const struct table_slice *slice,
                               uint64_t *bad);
    /* *bad is request->n, or the index of the first point that is refused, and then the status is that point's. */
    sumac_status (*decode)(void *engine, const sumac_curve *curve, const struct decode_request *request,
                           uint64_t *bad);
    int (*has_curve)(const sumac_curve *curve);
    int (*can_decode)(const sumac_curve *curve);
    uint64_t (*memory_free)(void *engine);
    memory_location (*location_of)(void *engine, const void *memory);
    /* Called before and after the stages of a job with a stream, which is checked first. follow: the engine's later work
     * follows what the stream (null: the default stream) holds now. lead: the stream's later work, beginning with `event`
     * (null: none), follows the engine's work. */
    sumac_status (*follow)(void *engine, void *stream, void *event);
    sumac_status (*lead)(void *engine, void *stream, void *event);
    /* Wait until all work is done. */
    sumac_status (*join)(void *engine);
    /* After a failure: wait until nothing reads or writes the call's memory any more. */
    void (*settle)(void *engine);
    /* For tests: make the number-th call of the device's runtime from now on fail without being made; 0: none. Returns how
     * many calls were left before the call that was to fail so far; 0: it has failed, or there was none. */
    uint64_t (*fail_call)(void *engine, uint64_t number);
} device_ops;

/* The engine's library exports one function. Its argument is SUMAC_ENGINE_INTERFACE, which the build computes from the text
 * of the headers and curves that both sides use. It refuses a library with another value, which has other structures. */
#define SUMAC_CUDA_LIBRARY "libsumac_cuda.so"
#define SUMAC_CUDA_ENTRY "sumac_cuda_backend"
typedef const backend *(*engine_entry)(uint32_t interface_version);

#endif
