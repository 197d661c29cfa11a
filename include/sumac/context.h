/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file context.h
 *  @brief The state of a caller: a backend, its devices and threads, its memory, its last message.
 */
#ifndef SUMAC_CONTEXT_H
#define SUMAC_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/status.h"
#include "sumac/tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The state of one caller: a backend, its threads, a workspace that is kept between calls, and the last
 * message. */
typedef struct sumac_context sumac_context;

/** A span of work, for traces: stages, passes and threads. Times are seconds of a monotonic clock. */
typedef struct sumac_trace_event {
    size_t size;
    const char *name; /**< the stage: "recode", "sort", "accumulate", "reduce", "combine", "plan", ... */
    uint32_t thread;  /**< 0 for the calling thread */
    uint32_t pass;    /**< which pass over the windows, from 0 */
    double start;
    double end;
} sumac_trace_event;

/** Of one context. */
#define SUMAC_MAX_DEVICES 16

/** As sumac_context_config.device_count: all devices of the backend. */
#define SUMAC_ALL_DEVICES UINT64_MAX

typedef struct sumac_context_config {
    size_t size;
    const char *backend;        /**< "auto" (the fastest that is found), "cpu" or "cuda"; null means "auto" */
    const sumac_tuning *tuning; /**< its `variant` alone counts; null: the defaults. Read by
                                   sumac_context_create() only */
    uint32_t threads; /**< CPU threads, the calling one counted; 0: as many as the process may run on, by its
                         affinity and its control groups' CPU quota */
    int32_t device;   /**< which GPU; -1: the first */
    uint64_t memory_limit; /**< bytes of workspace that a call may use at most, all of them where that is
                              fastest; on the CPU also of a pipe's bytes that are kept; 0: the planner's own
                              bound, which follows the inputs. Neither is more than the machine, or its
                              control group, has left */
    /** Called after each span of work, possibly from worker threads at the same time; may be null. Neither
     * this nor progress may leave by longjmp(), and their calls with the context are refused. */
    void (*trace)(void *user, const sumac_trace_event *event);
    /** Called on the calling thread as work proceeds, with 0 <= done <= 1; may be null. Calls that are made
     * of several steps, as bases with multiples and those of srs.h and kzg.h are, tell of each: `done` begins
     * again. Of several devices `done` is what all of them have done, and it is called as long as one is at work.
     * @return 0 to go on. Anything else ends the call, as sumac_context_cancel() does, as soon as all threads and
     * devices have left it, with SUMAC_CANCELLED: no result is written, and the context can be used on. A checkpoint of an MSM of files
     * stays as it was last written. A call that no longer asks is completed. */
    int (*progress)(void *user, double done);
    void *user; /**< handed to trace and progress */
    /** Several devices that share each call out: their numbers, as `device` has one; null with device_count =
     * SUMAC_ALL_DEVICES. A device that is named twice has two queues, which is for tests; the CPU backend has
     * one device, 0, and shares its threads out. Read by sumac_context_create() only. */
    const int32_t *devices;
    /** For each device, how much of the work it gets, in proportion to the sum of all: none 0, each at most
     * 1000000; null: all the same. Read by sumac_context_create() only. */
    const uint32_t *device_weights;
    /** Bases that take at most so many bytes, their multiples included, are kept whole on each of several
     * devices; of others each has its shard. 0: 64 MiB. */
    uint64_t replica_limit;
    uint64_t device_count; /**< of `devices`, at most SUMAC_MAX_DEVICES; 0, without a list: `device` alone */
} sumac_context_config;

/** What sumac_context_config_default() does, for bindings, too: the defaults as a struct of `size` bytes. */
SUMAC_API void sumac_context_config_init(sumac_context_config *config, size_t size);

/** The defaults: backend auto, all threads, no limit. */
static inline sumac_context_config sumac_context_config_default(void)
{
    sumac_context_config config;
    sumac_context_config_init(&config, sizeof config);
    return config;
}

/** Create a context.
 *  @param config null for the defaults; copied
 *  @param context the new context, to be freed with sumac_context_destroy(); null on failure
 *  @param reason one sentence on why there is no context, "" if there is one; null: nowhere
 *  @return SUMAC_OK, SUMAC_UNKNOWN_BACKEND, SUMAC_BACKEND_UNAVAILABLE, SUMAC_BAD_ARGUMENT,
 * SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_create(const sumac_context_config *config,
                                                           sumac_context **context, sumac_message *reason);

/** Whether a context with this backend and device can be created here.
 *  @param reason one sentence on what is missing, the engine's library, the driver or the device; "" on
 * success; null: nowhere
 *  @return as sumac_context_create() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_backend_check(const char *backend, int32_t device,
                                                          sumac_message *reason);

/** Free a context, in which no call is going on; null is allowed. Bases that it created live on. */
SUMAC_API void sumac_context_destroy(sumac_context *context);

/** One sentence on the calling thread's last call with this context, if that call failed: a thread whose call
 * was refused with SUMAC_BUSY reads so, whatever other threads do. Any other thread reads the sentence of the last
 * call that ended, "" if it succeeded. The text is valid until the calling thread's next call with the context, of
 * this function or another. */
SUMAC_API const char *sumac_context_message(const sumac_context *context);

/** Cancel the call that is going on in a context, from any thread. The call ends as soon as its threads and
 * devices have left it, and returns SUMAC_CANCELLED; it is as if its progress function had ended it. A call that is
 * almost done may still succeed. An asynchronous call is cancelled while it is being queued: what a stream holds is
 * completed. If no call is going on, nothing happens: a call that begins later is not cancelled. Null is allowed. */
SUMAC_API void sumac_context_cancel(sumac_context *context);

/** Wait for the last asynchronous call with this context, if there is one; sumac_context_message() is then
 * about it.
 *  @return its status, again and again until the next call with the context begins; SUMAC_OK if there was
 * none */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_wait(sumac_context *context);

/** The backend in use ("cpu"), and which of its variants ("portable", "adx", "avx2", "avx512"). */
SUMAC_API const char *sumac_context_backend(const sumac_context *context);
SUMAC_API const char *sumac_context_variant(const sumac_context *context);

/** Where a buffer lies: in the host's memory, or in that of the context's GPU. */
typedef enum sumac_location { SUMAC_LOCATION_HOST = 0, SUMAC_LOCATION_DEVICE } sumac_location;

/** Where the context computes, and its vectors lie: SUMAC_LOCATION_DEVICE for a GPU. */
SUMAC_API sumac_location sumac_context_location(const sumac_context *context);

/** The context's GPU at an index, for people: name, compute capability, multiprocessors, memory, and the driver's CUDA
 * version; "" with the CPU backend.
 *  @param index less than sumac_context_device_count(), else "" */
SUMAC_API const char *sumac_context_device_name(const sumac_context *context, uint32_t index);

/** Memory of the host, page-locked so that the context's GPU copies scalars from it without a detour;
 * ordinary memory with the CPU backend. It may be used with other contexts, and lives on without this one.
 *  @param memory the new block, aligned to 64 bytes, to be freed with sumac_pinned_free(); null on failure
 *  @return SUMAC_OK, SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pinned_allocate(sumac_context *context, size_t bytes,
                                                            void **memory);

/** Free what sumac_pinned_allocate() gave, from any thread, also when its context is gone; null is allowed.
 * No call that uses it may be going on. */
SUMAC_API void sumac_pinned_free(void *memory);

/** Whether a context can go on, after a failure: waits for its devices and asks each of them.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BUSY, or SUMAC_DEVICE_FAILED with a sentence on the first that failed:
 * then destroy the context */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_check(sumac_context *context);

/** How many CPU threads a call with this context uses at most: the system may have fewer for it. */
SUMAC_API uint32_t sumac_context_threads(const sumac_context *context);

#ifdef __cplusplus
}
#endif
#endif
