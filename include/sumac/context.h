/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file context.h
 *  @brief The state of a caller: a backend, its devices and threads, its memory, its last message.
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

/** A span of work, for traces: stages, passes and threads. Times are seconds of a monotonic clock. */
typedef struct sumac_trace_event {
    size_t size;
    const char *name; /**< the stage: "recode", "sort", "accumulate", "reduce", "combine", "plan", ... */
    uint32_t thread;  /**< 0 for the calling thread */
    uint32_t pass;    /**< which pass over the windows, from 0 */
    double start;
    double end;
} sumac_trace_event;

/** The value of sumac_context_config.device_count that means all devices of the backend. */
#define SUMAC_ALL_DEVICES SIZE_MAX

typedef struct sumac_context_config {
    size_t size;
    const char *backend; /**< "auto" (the fastest that is found), "cpu" or "cuda"; null means "auto" */
    const char *tuning;  /**< choices by hand, as experimental.h describes; null: none. Read by
                           sumac_context_create() only */
    /** The numbers of the devices that divide each call among them; null: the first device, or all of them if device_count
     *  says so. A device that is named twice has two queues, for tests. The CPU backend has one device, 0, and divides its
     *  threads. Read by sumac_context_create() only. */
    const int32_t *devices;
    /** The weight of each device of the list: it gets work in proportion to its weight, which is 1 to 1000000; null: equal
     *  weights. Read by sumac_context_create() only. */
    const uint32_t *device_weights;
    size_t device_count; /**< how many `devices` there are, at most 16; null and 0: the first device; null and
                            SUMAC_ALL_DEVICES: all devices of the backend */
    uint64_t memory_limit; /**< bytes of workspace that a call may use at most, all of them where that is
                              fastest; on the CPU also of a pipe's bytes that are kept; 0: the planner's own
                              bound, which follows the inputs. Neither is more than the machine, or its
                              control group, has left */
    /** With several devices, bases that take at most this many bytes, multiples included, are kept whole on each
     *  device; larger ones are divided into shards. 0: 64 MiB. */
    uint64_t replica_limit;
    /** Called after each span of work, possibly by several threads at the same time; may be null. Neither this
     *  function nor `progress` may leave by longjmp(), and their calls with the context are refused. */
    void (*trace)(void *user, const sumac_trace_event *event);
    /** Called on the calling thread as work proceeds, with 0 <= done <= 1; may be null. A call that consists of
     *  several steps, such as creating bases with multiples or a call of srs.h or kzg.h, reports each step from 0
     *  again. With several devices, `done` is the progress of all of them, and it is called as long as one is at
     *  work.
     *  @return 0 to continue. Anything else cancels the call as sumac_context_cancel() does: when all threads and
     *  devices have left it, it returns SUMAC_CANCELLED, no result is written, and the context remains usable. An MSM
     *  of files keeps its last checkpoint. A call that no longer reports progress is completed. */
    int (*progress)(void *user, double done);
    void *user; /**< passed to trace and progress */
    /** The CPU threads, the calling one counted; 0: as many as the process may run on, by its affinity and its control
     *  groups' CPU quota. */
    uint32_t threads;
    uint32_t reserved; /**< 0 */
} sumac_context_config;

/** Create a context.
 *  @param config null for the defaults; copied
 *  @param context the new context, to be freed with sumac_context_destroy(); null on failure
 *  @param message gets one sentence on a failure, or "" on success; may be null
 *  @return SUMAC_OK, SUMAC_UNKNOWN_BACKEND, SUMAC_BACKEND_UNAVAILABLE, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED,
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_create(const sumac_context_config *config,
                                                           sumac_context **context, sumac_message *message);

/** Free a context; null is allowed. No call with it may be running. Bases that it created remain valid. */
SUMAC_API void sumac_context_destroy(sumac_context *context);

/** Return the message of the calling thread's last call with this context, if that call failed. A thread whose call
 *  was refused with SUMAC_BUSY reads that, whatever other threads do. Any other thread reads the message of the last
 *  call that ended, "" if it succeeded. The text is valid until the calling thread's next call with the context,
 *  including this function. */
SUMAC_API const char *sumac_context_message(const sumac_context *context);

/** Cancel the running call of a context, from any thread. The call returns SUMAC_CANCELLED as soon as its threads and
 *  devices have left it, as if its progress function had ended it. A call that is almost done may still succeed. Work that
 *  is on a stream is completed: a queued call (sumac_context_set_stream()) can be cancelled only until it returns. If no
 *  call is running, nothing happens: a later call is not cancelled. Null is allowed. */
SUMAC_API void sumac_context_cancel(sumac_context *context);

/** Set the stream on which the context's calls do their work, as in cuBLAS. At first, and with null, this is a stream of the
 *  context's own, and each call waits until its work is done.
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
 *  Three things make a queued call wait: memory that the context keeps and has to enlarge, as it does in the first call of
 *  a kind and size; scalars in pageable memory, and bases that stay on the host; and a trace function, for each span.
 *
 *  When the stream changes, work on the new one follows the work that is on the old one. A stream must exist until the
 *  context has another one, or is destroyed, which waits for the work. Contexts may share a stream. If they have different
 *  ones, the caller orders their work by events where one uses the other's results.
 *  @param stream a cudaStream_t of the context's GPU, also cudaStreamLegacy or cudaStreamPerThread; or null
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (no stream of this GPU), SUMAC_NOT_SUPPORTED (a stream for a context of the CPU, or
 *  of several devices), SUMAC_DEVICE_FAILED; on failure the context keeps its stream */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_set_stream(sumac_context *context, void *stream);

/** Wait for the work of queued calls, and learn if it has failed in a way that only the device sees. A context remembers the
 *  first such failure until this function, sumac_vector_get() or sumac_bases_create_from_vector() has returned it. After
 *  SUMAC_SCALAR_TOO_LARGE the results of the call with that scalar are unchanged, and calls that were queued behind it have
 *  computed with what was there. After SUMAC_DEVICE_FAILED all that queued calls write is unspecified.
 *  @return SUMAC_OK, or that failure, repeatedly until the next call with the context begins; sumac_context_message() is
 *  then about it */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_wait(sumac_context *context);

/** Location of a buffer: in host memory, or in the memory of the context's GPU. */
typedef enum sumac_location { SUMAC_LOCATION_HOST = 0, SUMAC_LOCATION_DEVICE } sumac_location;

/** The properties of a context. The pointers are valid as long as the context exists. */
typedef struct sumac_context_info {
    size_t size;
    const char *backend; /**< "cpu" or "cuda" */
    const char *variant; /**< the CPU code: "portable", "adx", "avx2" or "avx512" */
    /** Descriptions of the devices for people. That of a GPU has its name, compute capability, multiprocessors and memory,
     *  and the driver's CUDA version; that of the CPU is "". */
    const char *const *device_names;
    size_t device_count; /**< of the devices that divide a call: 1 unless the context has a list of several */
    uint32_t threads;    /**< the most CPU threads that a call uses; the system may provide fewer */
    uint32_t location; /**< where the context computes and its vectors lie: SUMAC_LOCATION_DEVICE for a GPU */
} sumac_context_info;

/** Describe a context, at any time. There is no message on a failure.
 *  @param info written only on success; its size is set before
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_describe(const sumac_context *context,
                                                             sumac_context_info *info);

/** Allocate page-locked host memory, from which the context's GPU copies scalars directly; ordinary memory with the
 *  CPU backend. Other contexts may use it, and it remains valid without this one.
 *  @param memory the new block, aligned to 64 bytes, to be freed with sumac_pinned_free(); null on failure
 *  @return SUMAC_OK, SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pinned_allocate(sumac_context *context, size_t bytes,
                                                            void **memory);

/** Free memory of sumac_pinned_allocate() from any thread, even after its context was destroyed; null is allowed. No
 *  call that uses it may be running. */
SUMAC_API void sumac_pinned_free(void *memory);

/** Check if a context is still usable after a failure: wait for its devices and query each of them.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, or SUMAC_DEVICE_FAILED with a message about the first failed device; the
 *  context must then be destroyed */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_check(sumac_context *context);

#ifdef __cplusplus
}
#endif
#endif
