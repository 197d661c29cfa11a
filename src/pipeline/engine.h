/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the table of a backend: its kinds of stages, its input and output of data, and its memory. A
 * backend is a folder with one file per kind. A new backend changes neither the pipeline nor the curves
 * (curves/group_code.h).
 */
#ifndef SUMAC_PIPELINE_ENGINE_H
#define SUMAC_PIPELINE_ENGINE_H

#include "pipeline/kinds.h"

struct decode_request;
struct table_slice;
struct vector_ops;

/* Feed brings the inputs to memory that the engine reads. The engine's work on a chunk, or on a sub-batch, is ordered
 * after the work that it began before. */
typedef struct feed_ops {
    /* Set copy_slices, copy_slice_growth, bytes_staging and bytes_pinned of a plan whose chunks and sub-batch are
     * chosen. If the function is null, the engine copies nothing. */
    void (*shape)(const plan_request *request, msm_plan *plan);
    stage_cost (*cost)(const plan_request *request, const msm_plan *plan); /* null: feeding costs nothing */
    /* Begin to copy a chunk: bases [first, first + n) of each MSM of the sub-batch. When the first chunk of a sub-batch
     * begins, all work that reads the previous sub-batch has been queued, and may still run. When a later chunk begins,
     * the first copy slice of the previous chunk has been awaited, so the work on that chunk goes on meanwhile; all
     * work that reads the chunk before that has been queued. */
    sumac_status (*begin)(const msm_job *job, uint64_t first, uint64_t n, const feed_memory *memory);
    /* Fill in pass.inputs and pass.in_flight. After this, the scalars and bases of the copy slice are in pass.inputs
     * for all work that is queued for the pass. */
    sumac_status (*await)(const msm_job *job, const feed_memory *memory, msm_pass *pass);
    /* This is called when all passes of the sub-batch have been queued. Work that is queued later runs after all these
     * passes. */
    sumac_status (*end)(const msm_job *job);
} feed_ops;

/* Deliver brings the results to the caller. */
typedef struct deliver_ops {
    /* Set *points to the memory in which combine leaves the call's results, in the order of the MSMs. */
    sumac_status (*begin)(const msm_job *job, void *results, void **points);
    /* Copy the results to the caller. With job.status_later this only queues the copy on the stream. */
    sumac_status (*end)(const msm_job *job, void *points, void *results);
} deliver_ops;

typedef struct backend {
    const char *name;
    const stage_kind *const *kinds;      /* in the order in which the search tries them; ends with null */
    int has_compiled_kinds;              /* group_code.kinds and plan_kinds are kinds of this backend, too */
    const stage_kind *const *plan_kinds; /* only named plans use them; ends with null */
    const named_plan *const *plans;      /* the named plans, beside auto; ends with null */
    const feed_ops *feed;
    const deliver_ops *deliver;
    uint32_t most_in_flight_passes;
    int whole_sub_batches; /* 1: a sub-batch's modules share one pass, unless one MSM needs several; 0: sub-batches are so small
                              that they leave three quarters of the workspace to the passes */
    /* Return how many bytes of workspace the planner should plan for in this attempt, or 0 if there is no further
     * attempt. */
    uint64_t (*wish)(const plan_request *request, const msm_plan *plan, uint32_t attempt);
    /* Return how many milliseconds a plan takes whose stages have these costs together. The function may lower
     * plan.threads. */
    double (*elapsed)(msm_plan *plan, const stage_cost *sum);
    /* Allocate 64-byte aligned memory for the context with this engine; return null when memory is short. */
    void *(*allocate)(void *engine, uint64_t bytes);
    void (*release)(void *memory);
    /* lambda*P is kept beside each base P (bases_table.glv_terms) if both together take at most this many bytes. */
    uint64_t most_endomorphism_bytes;
    const struct vector_ops *vectors; /* src/vector/vector.h */
    /* This is null if the stages use the host's memory. */
    const struct device_ops *device;
} backend;

/* An engine tells these kinds of memory apart. */
typedef enum memory_location { MEMORY_HOST, MEMORY_DEVICE, MEMORY_BOTH, MEMORY_OTHER_DEVICE } memory_location;

/* A backend with devices also has these functions. `engine` is one context's queue on one device. */
typedef struct device_ops {
    /* Return the number of devices; `open` takes smaller numbers. */
    uint32_t (*count)(void);
    /* Open the engine of a device. On failure *why has a message. */
    sumac_status (*open)(int32_t device, void **engine, sumac_message *why);
    void (*close)(void *engine);
    /* Return a description of the device for people. */
    const char *(*describe)(const void *engine);
    /* Return the number of the engine's device, as passed to `open`. */
    int32_t (*ordinal)(const void *engine);
    /* Allocate page-locked host memory; return null when memory is short. */
    void *(*allocate_pinned)(void *engine, uint64_t bytes);
    void (*release_pinned)(void *memory);
    /* Begin a call: make the engine's device the one on which this thread allocates, and clear the message. */
    void (*enter)(void *engine);
    /* Return the message of the engine's last failure. */
    const char *(*message)(const void *engine);
    sumac_status (*upload)(void *engine, void *to, const void *from, uint64_t bytes);
    /* begin_upload begins a copy from the host, and may return before the copy is complete. end_upload waits for the
     * copy, also after a failure. At most one such copy runs at a time; the engine's other work goes on meanwhile. */
    sumac_status (*begin_upload)(void *engine, void *to, const void *from, uint64_t bytes);
    sumac_status (*end_upload)(void *engine);
    sumac_status (*download)(void *engine, void *to, const void *from, uint64_t bytes);
    /* Copy between the engine's device and another one of the backend, or within the engine's device. Work that wrote
     * `from` must be complete. */
    sumac_status (*copy_across)(void *engine, void *to, const void *from, uint64_t bytes);
    /* If the machine supports it, let device number `other` copy directly from the engine's device. Without that,
     * copies between the two devices go through host memory. */
    void (*connect)(void *engine, int32_t other);
    /* Copy the points to the table, or import them, and compute their multiples like point_ops.multiples, or like
     * window_tables with several digits. When this returns, the caller may reuse the points' memory; the device may
     * still work, and join waits for it. If no record is refused, *bad becomes slice->n. Otherwise *bad becomes the
     * index of the first refused record, and the status is the one that convert_ops.import_points returns for it. */
    sumac_status (*fill_table)(void *engine, const sumac_group *group, const struct table_slice *slice,
                               uint64_t *bad);
    /* Decode points. If no point is refused, *bad becomes request->n. Otherwise *bad becomes the index of the first
     * refused point, and the function returns that point's status. */
    sumac_status (*decode)(void *engine, const sumac_group *group, const struct decode_request *request,
                           uint64_t *bad);
    int (*has_group)(const sumac_group *group);
    int (*can_decode)(const sumac_group *group);
    uint64_t (*memory_free)(void *engine);
    memory_location (*location_of)(void *engine, const void *memory);
    /* The first function allocates memory that only work of the engine's stream uses. The second one frees such memory
     * when the work that is now on the stream is done; its argument may be null. Neither function waits. */
    void *(*allocate_in_order)(void *engine, uint64_t bytes);
    void (*release_in_order)(void *engine, void *memory);
    /* Unless a caller's stream is set, order the engine's later work after the present work of the device's default stream.
     * */
    sumac_status (*follow)(void *engine);
    /* Put later work on a caller's stream or, if that is null, on the engine's own stream. The later work runs after
     * the engine's present work. */
    sumac_status (*set_stream)(void *engine, void *stream);
    /* After a call with queues = 1, functions of vector_ops and jobs with status_later leave their work on the stream
     * and do not wait for it. After a call with queues = 0, and after `enter`, they wait. */
    void (*queue)(void *engine, int queues);
    /* Wait until all work is done. */
    sumac_status (*join)(void *engine);
    /* After a failure, wait until no work reads or writes the call's memory. */
    void (*settle)(void *engine);
    /* For tests: make the number-th next call of the device's runtime fail without reaching it; 0: no call fails.
     * Returns how many calls would still have succeeded by the previous setting; 0 if its call has failed, or none was
     * set. */
    uint64_t (*fail_call)(void *engine, uint64_t number);
} device_ops;

/* The engine's library exports one function, whose argument is SUMAC_ENGINE_INTERFACE. The build computes this value
 * from the text of the headers and curves that the library and the engine share. If the values of both differ, their
 * structures may differ, so the function fails. */
#define SUMAC_CUDA_LIBRARY "libsumac_cuda.so"
#define SUMAC_CUDA_ENTRY "sumac_cuda_backend"
typedef const backend *(*engine_entry)(uint32_t interface_version);

#endif
