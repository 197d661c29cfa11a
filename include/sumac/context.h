/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file context.h
 *  @brief The state of a caller: a backend, its devices and threads, its memory and its last message.
 */
#ifndef SUMAC_CONTEXT_H
#define SUMAC_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The state of one caller: a backend, its threads, a workspace that is kept between calls, and the last
 * message. */
typedef struct sumac_context sumac_context;

/** A span of work that a trace function receives: one stage of one pass on one thread. */
typedef struct sumac_trace_event {
    size_t size;
    const char *name; /**< the stage: "recode", "sort", "accumulate", "reduce", "combine", "plan", ... */
    uint32_t thread;  /**< 0 for the calling thread */
    uint32_t pass;    /**< which pass over the windows, from 0 */
    double start;     /**< when the span began, in seconds of a monotonic clock */
    double end;       /**< when it ended, on the same clock */
} sumac_trace_event;

/** The value of sumac_context_config.device_count that means all devices of the backend. */
#define SUMAC_ALL_DEVICES SIZE_MAX

/** How a context is created. */
typedef struct sumac_context_config {
    size_t size;
    const char *backend; /**< "auto" (the fastest that is found), "cpu" or "cuda"; null means "auto" */
    const char *tuning;  /**< choices by hand, as experimental.h describes; null: none. Only
                           sumac_context_create() reads it */
    /** The numbers of the devices that divide each call among them. Null: the first device, or all of them if device_count
     *  says so. A device that is named twice has two queues, for tests. The CPU backend has one device, 0; if that is named
     *  several times, its threads are divided. Only sumac_context_create() reads the list. */
    const int32_t *devices;
    /** The weight of each device of the list, from 1 to 1000000. A device gets work in proportion to its weight. Null: equal
     *  weights. Only sumac_context_create() reads them. */
    const uint32_t *device_weights;
    /** The length of `devices`, at most 16. If `devices` is null, 0 means the first device, and SUMAC_ALL_DEVICES means all
     *  devices of the backend. */
    size_t device_count;
    /** The most bytes of workspace that a call may use; it uses all of them if that is fastest. On the CPU, the bytes of a
     *  pipe that are kept have the same limit. 0: the planner sets a limit that follows from the inputs. A call never plans
     *  with more memory than the machine, or its control group, has left. */
    uint64_t memory_limit;
    /** The most bytes, multiples included, of bases that are kept whole on each of several devices. Larger ones are divided
     *  into shards. 0: 64 MiB. */
    uint64_t replica_limit;
    /** The context calls this function after each span of work, possibly on several threads at the same time. It may be
     *  null. Neither this function nor `progress` may leave by longjmp(), and their calls with the context are refused. */
    void (*trace)(void *user, const sumac_trace_event *event);
    /** The context calls this function on the calling thread as work proceeds, with 0 <= done <= 1. It may be null. If a
     *  call has several steps, as when bases with multiples are created or in srs.h and kzg.h, `done` begins at 0 in each
     *  step. With several devices, `done` is the progress of all of them, and the function is called as long as one of them
     *  is at work.
     *  @return 0 to continue. Anything else cancels the call as sumac_context_cancel() does: when all threads and
     *  devices have left the call, it returns SUMAC_CANCELLED, no result is written, and the context remains usable. An
     *  MSM of files keeps its last checkpoint. A call that no longer reports progress is completed. */
    int (*progress)(void *user, double done);
    void *user; /**< passed to trace and progress */
    /** The number of CPU threads, including the calling one. 0: as many as the process may run on, by its affinity and its
     *  control groups' CPU quota. */
    uint32_t threads;
    uint32_t reserved; /**< 0 */
} sumac_context_config;

/** Create a context. Examples: examples/msm.c, and examples/devices.c for several devices.
 *  @param config null for the defaults; copied
 *  @param context the new context, to be freed with sumac_context_destroy(); null on failure
 *  @param message gets one sentence on a failure, or "" on success; may be null
 *  @return SUMAC_OK, SUMAC_UNKNOWN_BACKEND, SUMAC_BACKEND_UNAVAILABLE, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED,
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_create(const sumac_context_config *config,
                                                           sumac_context **context, sumac_message *message);

/** Free a context; null is allowed. No call with it may be running. Bases that it created remain valid. */
SUMAC_API void sumac_context_destroy(sumac_context *context);

/** Return the message of the calling thread's last call with this context, if that call failed or was refused with
 *  SUMAC_BUSY; calls of other threads do not change it. In any other case, return the message of the last call of any thread
 *  that ended, which is "" if it succeeded. The text is valid until the calling thread's next call with the context,
 *  including this function. */
SUMAC_API const char *sumac_context_message(const sumac_context *context);

/** Cancel the running call of a context, from any thread. The call returns SUMAC_CANCELLED as soon as its threads and
 *  devices have left it, as if its progress function had ended it. A call that is almost done may still succeed. Work that
 *  is on a stream is completed: a queued call (sumac_context_set_stream()) can be cancelled only until it returns. If no
 *  call is running, nothing happens, and later calls are not cancelled. Null is allowed. */
SUMAC_API void sumac_context_cancel(sumac_context *context);

/** Set the stream on which the context's calls do their work, as in cuBLAS. At first, and if `stream` is null, they use a
 *  stream of the context's own, and each call waits until its work is done.
 *
 *  With a stream, calls that leave their results on the device are queued: the calls of vector.h that compute with vectors
 *  or move elements between them, sumac_msm_vectors(), and sumac_msm() and sumac_call_run() with results on the device and
 *  without offsets. A queued call checks its arguments, queues its work behind the work that is on the stream, and returns
 *  without waiting for the device. What the caller queues on the stream next, such as a kernel or an event, follows that
 *  work. All other calls do their work on the stream as well, in order, and wait for it: sumac_vector_get(), _set() and
 *  _create(), MSMs with results on the host, the creation of bases, and the calls of other headers.
 *
 *  Until the stream has done the work of a queued call, the caller must not change or free what the call uses there: vectors,
 *  bases, results, and scalars, even those on the host. All else that a call was given may be changed and freed when it
 *  returns. sumac_vector_destroy() and sumac_bases_destroy() do not wait.
 *
 *  A queued call waits in three cases: if the context must enlarge memory that it keeps, as in the first call of a kind and
 *  size; if scalars lie in pageable memory, or bases stay on the host; and for each span, if there is a trace function.
 *
 *  When the stream changes, work on the new one follows the work that is on the old one. A stream must exist until the
 *  context gets another one or is destroyed; sumac_context_destroy() waits for the work. Contexts may share a stream. If
 *  contexts with different streams use each other's results, the caller orders their work by events. Example:
 *  examples/streams.c.
 *  @param stream a cudaStream_t of the context's GPU, cudaStreamLegacy or cudaStreamPerThread; or null
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (not a stream of this GPU), SUMAC_NOT_SUPPORTED (a stream for a context of the CPU,
 *  or of several devices), SUMAC_DEVICE_FAILED; on failure the context keeps its stream */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_set_stream(sumac_context *context, void *stream);

/** Wait for the work of queued calls, and report a failure that only the device sees. A context remembers the first such
 *  failure until this function, sumac_vector_get() or sumac_bases_create_from_vector() has returned it. After
 *  SUMAC_SCALAR_TOO_LARGE the results of the call with that scalar are unchanged, and calls that were queued behind it have
 *  computed with these. After SUMAC_DEVICE_FAILED all that queued calls write is unspecified.
 *  @return SUMAC_OK, or that failure, which sumac_context_message() explains. If this function is called again, it returns
 *  the failure again, until another call with the context begins */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_wait(sumac_context *context);

/** Location of a buffer: in host memory, or in the memory of the context's GPU. */
typedef enum sumac_location { SUMAC_LOCATION_HOST = 0, SUMAC_LOCATION_DEVICE } sumac_location;

/** The properties of a context. The pointers are valid as long as the context exists. */
typedef struct sumac_context_info {
    size_t size;
    const char *backend; /**< "cpu" or "cuda" */
    const char *variant; /**< which CPU code runs: "portable", "adx", "avx2" or "avx512" */
    /** Descriptions of the devices for people. That of a GPU has its name, compute capability, multiprocessors and memory,
     *  and the driver's CUDA version; that of the CPU is "". */
    const char *const *device_names;
    size_t device_count; /**< how many devices divide a call, and the length of device_names */
    uint32_t threads;    /**< the most CPU threads that a call uses; the system may provide fewer */
    uint32_t location; /**< where the context computes and its vectors lie: SUMAC_LOCATION_DEVICE for a GPU */
} sumac_context_info;

/** Describe a context, at any time. A failure has no message.
 *  @param info the caller sets its size; its other fields are written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (a struct of a newer header with a field that is not 0) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_describe(const sumac_context *context,
                                                             sumac_context_info *info);

/** Allocate page-locked host memory, from which the context's GPU copies scalars directly. With the CPU backend this is
 *  ordinary memory. Other contexts may use it, and it remains valid when this one is destroyed.
 *  @param memory the new block, aligned to 64 bytes, to be freed with sumac_pinned_free(); null on failure
 *  @return SUMAC_OK, SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pinned_allocate(sumac_context *context, size_t bytes,
                                                            void **memory);

/** Free memory of sumac_pinned_allocate() from any thread, even after its context was destroyed; null is allowed. No
 *  call that uses it may be running. */
SUMAC_API void sumac_pinned_free(void *memory);

/** Check if a context is still usable after a failure: wait for its devices and query each of them.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, or SUMAC_DEVICE_FAILED with a message about the first failed device. After
 *  SUMAC_DEVICE_FAILED the context must be destroyed */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_check(sumac_context *context);

#ifdef __cplusplus
}
#endif
#endif
