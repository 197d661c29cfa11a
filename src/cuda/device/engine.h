/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The CUDA engine has one context's streams on one device, and the state that is kept from call to call. This file also
 * declares how calls fail, and how memory is allocated.
 *
 * A stage queues its work on the stream of its pass. All other functions queue theirs on the engine's stream. A stage
 * waits only where the host must know a number (accumulate) or wants the results (deliver).
 */
#ifndef SUMAC_CUDA_DEVICE_ENGINE_H
#define SUMAC_CUDA_DEVICE_ENGINE_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <cuda_runtime.h>

#include "base/refusal.h"
#include "base/try.h"
#include "curves/group_code.h"
#include "pipeline/engine.h"
#include "pipeline/plan_sizes.h"

struct cuda_engine;

/* ---- Memory that grows as it is needed ---- */

/* The buffer has page-locked memory of the host if is_pinned, else memory of the device. */
template <bool is_pinned> struct growing_buffer {
    char *memory = NULL;
    uint64_t bytes = 0;

    void release()
    {
        (void)(is_pinned ? cudaFreeHost(memory) : cudaFree(memory));
        memory = NULL;
        bytes = 0;
    }
    ~growing_buffer()
    {
        release();
    }
};
typedef growing_buffer<true> pinned_buffer;
typedef growing_buffer<false> device_buffer;

/* ---- Events and streams, which are destroyed with the struct that has them ---- */

template <class object, auto destroy> struct scoped_handle {
    object handle = NULL;

    operator object() const
    {
        return handle;
    }
    ~scoped_handle()
    {
        if (handle != NULL) {
            (void)destroy(handle);
        }
    }
};
typedef scoped_handle<cudaEvent_t, cudaEventDestroy> scoped_event;
typedef scoped_handle<cudaStream_t, cudaStreamDestroy> scoped_stream;

/* Pass a failure on to a caller that has no engine in which the message could be stored. */
#define CUDA_FORWARD(call)                                                                                   \
    do {                                                                                                     \
        const cudaError_t cuda_forward_error = (call);                                                       \
        if (cuda_forward_error != cudaSuccess) {                                                             \
            return cuda_forward_error;                                                                       \
        }                                                                                                    \
    } while (0)

static inline cudaError_t create_event(scoped_event *event)
{
    return cudaEventCreateWithFlags(&event->handle, cudaEventDisableTiming);
}

/* Create those of the events that do not exist yet. */
template <size_t count> cudaError_t create_events(scoped_event (&events)[count])
{
    for (scoped_event &event : events) {
        CUDA_FORWARD(event == NULL ? create_event(&event) : cudaSuccess);
    }
    return cudaSuccess;
}

/* ---- In-flight passes ---- */

/* Each of the passes that are worked on at the same time (pipeline.h's in-flight passes) has a stream and a mailbox. */
struct cuda_in_flight_pass {
    scoped_stream own;
    cudaStream_t stream;  /* `own`, or in the first in-flight pass the caller's stream, if there is one */
    scoped_event counted; /* accumulate's counts have arrived in the mailbox */
    scoped_event done;    /* the work queued when all passes had been issued is done */
    uint32_t *mailbox;    /* MAILBOX_WORDS words of page-locked memory for numbers that the host waits for */

    ~cuda_in_flight_pass()
    {
        (void)cudaFreeHost(mailbox);
    }
};

/* A mailbox has these words. */
enum {
    MAIL_LARGEST, /* accumulate's counts begin here with COUNT_LARGEST: accumulate_rounds_lists.h */
    MAIL_ENTRIES,
    MAIL_LEFT,
    MAIL_TOO_LARGE = MAIL_LEFT + 32,
    MAIL_FIRST_BAD = MAIL_TOO_LARGE + 2, /* 64 bits: two words, the first with an even index */
    MAILBOX_WORDS = MAIL_FIRST_BAD + 2
};

/* Create the in-flight passes while the engine is opened. */
cudaError_t passes_create(cuda_engine *engine);

/* Begin a pass, and set pass->in_flight to the cuda_in_flight_pass on which the pass runs. */
sumac_status passes_begin(const msm_job *job, msm_pass *pass);
/* Call this after all passes have been issued. The engine's stream then waits for all of them before its next work. */
sumac_status passes_join(const msm_job *job);
/* Wait until all in-flight passes' streams are idle, also after a failure. */
void passes_settle(cuda_engine *engine);

/* For a pass that has begun, return its in-flight pass, or the stream on which its stages queue their work. */
static inline const cuda_in_flight_pass *in_flight_of(const msm_pass *pass)
{
    return static_cast<const cuda_in_flight_pass *>(pass->in_flight);
}

static inline cudaStream_t stream_of(const msm_pass *pass)
{
    return in_flight_of(pass)->stream;
}

/* ---- The engine ---- */

/* The scalars and the bases of each copy slice of two chunks are loads, which are copied and awaited one by one. */
enum { TRANSFER_LOADS = 2 * 2 * COPY_SLICES_MAX };

/* point_transforms_twice.cu keeps the lists for the last length of rows, for each of two forms. */
struct point_form {
    void *memory;                    /* memory of the device; null until it is first used, as are `stages` and
                                        `group` */
    struct twice_stages *stages;     /* in host memory */
    const struct sumac_group *group; /* null: the lists are incomplete */
    uint32_t log2;

    ~point_form()
    {
        (void)cudaFree(memory);
        free(stages);
    }
};

/* deliver.cu keeps one call's results at a time. Queued calls use the memory one after another, in the stream's order. */
struct delivery {
    pinned_buffer on_host;   /* for results that the host receives or completes */
    device_buffer on_device; /* for all other results */
    pinned_buffer delivers;  /* one word: 1 if a queued call's results are delivered */
};

/* decode.cu keeps a ring of page-locked blocks, and on the device slots for the records of copy slices: the records of
 * one slot are decoded while those of the other arrive. */
enum { DECODE_RING_BLOCKS = 4, DECODE_SLOTS = 2 };
struct decoder {
    pinned_buffer ring; /* empty until first used; then all events exist, too */
    uint64_t next;      /* the number of blocks used so far; it determines the next block */
    scoped_event passed[DECODE_RING_BLOCKS]; /* the device's last copy from or to the block is done */
    scoped_event arrived[DECODE_SLOTS];      /* the copy slice's last record has arrived */
    scoped_event consumed[DECODE_SLOTS];     /* the slot's copy slice is no longer read */
};

struct cuda_engine {
    int device;
    int multiprocessors;
    bool launches_early; /* a kernel's blocks may start before the previous kernel ends */
    cuda_in_flight_pass in_flight_passes[PLAN_MAX_IN_FLIGHT_PASSES];
    cudaStream_t stream;  /* the first in-flight pass's stream, for all work outside passes */
    bool queues;          /* the present call leaves its work on the stream: device_ops.queue */
    scoped_stream copies; /* the stream that copies scalars and host-resident bases: feed.cu */
    scoped_event arrived[TRANSFER_LOADS]; /* the load is on the device */
    scoped_event before;                  /* the work that another stream held is done */
    scoped_event vacated;                 /* the memory that the next chunk is copied to is no longer read */
    scoped_event begun;                   /* the first in-flight pass has reached a sub-batch's first pass */
    size_t shared_bytes;                  /* the most shared memory of a block */
    int fills[TRANSFER_LOADS];            /* 1: the load goes through `filling` */
    struct filling *filling;              /* the threads that fill; null until first used */
    const void *pair_kernels[2];          /* the kernels for pairs in place and for gathered pairs for which
                                             pair_shared_bytes was set */
    size_t pair_shared_bytes[2];
    uint32_t *too_large; /* a word of the first mailbox, for all in-flight passes; 0 between calls, so that
                                      no call that is queued clears what an earlier one has not read */
    unsigned long long *first_bad; /* two words of the first mailbox, for all in-flight passes */
    delivery last_delivery;
    pinned_buffer combine_parts;  /* the parts that combine.cu leaves to the host */
    device_buffer vector_scratch; /* vectors.h */
    pinned_buffer brought;        /* the host's data of the latest queued call that has some: cuda_bring() */
    point_form point_forms[2];    /* [1] is for the direct form */
    decoder compressed;
    uint64_t failing_call; /* for tests: if k > 0, the k-th next call of the runtime fails */
    char description[512]; /* holds a name of 256 bytes, and numbers */
    sumac_message message;
};

static inline cuda_engine *engine_of(const msm_job *job)
{
    return static_cast<cuda_engine *>(job->engine);
}

extern const device_ops cuda_device;

/* ---- Failures ---- */

/* A call of the runtime has failed. Store a message, and return the status that belongs to the error. */
sumac_status cuda_fail(cuda_engine *engine, cudaError_t error, const char *what);

/* An allocation of `bytes` bytes has failed. Store a message, and return the status that belongs to the error. */
sumac_status cuda_allocation_failed(cuda_engine *engine, cudaError_t error, uint64_t bytes, const char *what);

static inline sumac_status cuda_out_of_memory(cuda_engine *engine, uint64_t bytes, const char *what)
{
    return cuda_allocation_failed(engine, cudaErrorMemoryAllocation, bytes, what);
}

/* Return whether a test wants this call to fail (device_ops.fail_call). Threads of the engine call this as well. */
int cuda_is_failing(cuda_engine *engine);

/* Every call of the runtime whose failure matters goes through one of these macros, so that a test can let it fail. */
#define CUDA_CALL(engine, call) (cuda_is_failing(engine) ? cudaErrorLaunchFailure : (call))
#define CUDA_ALLOCATE(engine, call) (cuda_is_failing(engine) ? cudaErrorMemoryAllocation : (call))

#define CUDA_TRY(engine, call)                                                                               \
    do {                                                                                                     \
        const cudaError_t cuda_try_error = CUDA_CALL(engine, call);                                          \
        if (cuda_try_error != cudaSuccess) {                                                                 \
            return cuda_fail(engine, cuda_try_error, #call);                                                 \
        }                                                                                                    \
    } while (0)

/* ---- Launches ---- */

/* Wait until all work on the engine's stream is done. */
static inline sumac_status cuda_wait(cuda_engine *engine)
{
    CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    return SUMAC_OK;
}

/* End a function. If the call is queued, leave the function's work on the stream; otherwise wait for the work. */
static inline sumac_status cuda_finished(cuda_engine *engine)
{
    return engine->queues ? SUMAC_OK : cuda_wait(engine);
}

/* Return how many blocks of `threads` threads are needed for n items. They must be at most 2^31 - 1 blocks. */
static inline unsigned blocks_for(uint64_t n, unsigned threads)
{
    return static_cast<unsigned>((n + threads - 1) / threads);
}

/* Return the number of blocks of a kernel that loops over n items: at most `times` for each multiprocessor. */
static inline unsigned blocks_to_fill(const cuda_engine *engine, unsigned times, uint64_t n, unsigned threads)
{
    const unsigned most = static_cast<unsigned>(engine->multiprocessors) * times;
    const unsigned blocks = blocks_for(n, threads);
    return blocks < most ? blocks : most;
}

/* ---- Memory, and single copies: the functions of backend and of device_ops ---- */

void *cuda_allocate(void *engine, uint64_t bytes);
void cuda_release(void *memory);
void *cuda_allocate_pinned(void *engine, uint64_t bytes);
void cuda_release_pinned(void *memory);
/* The first function allocates memory that only work of the engine's stream uses. The second one frees it behind the
 * work that is on the stream now; it accepts null. Neither waits. */
void *cuda_allocate_in_order(void *engine, uint64_t bytes);
void cuda_release_in_order(void *engine, void *memory);
/* Queue a copy of the host's data, which the caller may change when this returns. */
sumac_status cuda_bring(cuda_engine *engine, void *to, const void *from, uint64_t bytes);
sumac_status cuda_upload(void *engine, void *to, const void *from, uint64_t bytes);
sumac_status cuda_begin_upload(void *engine, void *to, const void *from, uint64_t bytes);
sumac_status cuda_end_upload(void *engine);
sumac_status cuda_download(void *engine, void *to, const void *from, uint64_t bytes);
sumac_status cuda_copy_across(void *engine, void *to, const void *from, uint64_t bytes);
void cuda_connect(void *engine, int32_t other);
uint64_t cuda_memory_free(void *engine);

/* This is memory of a call on the device, or null. The destructor first waits for the streams, so it is safe after
 * failures, too. */
struct call_memory {
    cuda_engine *engine;
    void *memory;

    ~call_memory()
    {
        (void)cudaStreamSynchronize(engine->copies);
        (void)cudaStreamSynchronize(engine->stream);
        cuda_release(memory);
    }
};

/* After pool_keep(), the pool of the device keeps freed memory, up to a part of the device's memory. pool_trim() gives
 * all unused memory of the pool back. */
cudaError_t pool_keep(int device, uint64_t device_bytes);
void pool_trim(int device);

/* Wait until the work on the engine's stream no longer uses the buffer. Then grow it to at least `bytes` bytes; its
 * contents are lost. The message of a failure names `what`. */
template <bool is_pinned>
sumac_status buffer_want(cuda_engine *engine, growing_buffer<is_pinned> *buffer, uint64_t bytes,
                         const char *what)
{
    if (buffer->bytes >= bytes) {
        return SUMAC_OK;
    }
    if (buffer->memory != NULL) {
        TRY(cuda_wait(engine));
    }
    buffer->release();
    const cudaError_t error = CUDA_ALLOCATE(engine, is_pinned ? cudaMallocHost(&buffer->memory, bytes)
                                                              : cudaMalloc(&buffer->memory, bytes));
    if (error != cudaSuccess) {
        buffer->memory = NULL;
        return cuda_allocation_failed(engine, error, bytes, what);
    }
    buffer->bytes = bytes;
    return SUMAC_OK;
}

/* A block of memory is divided into arrays one after another. If `memory` is null, bytes are only counted. So one
 * function determines both the number of bytes and the address of each array. */
struct scratch_block {
    char *memory;
    uint64_t bytes; /* the number of bytes of the arrays so far */

    template <typename element> element *take(uint64_t count)
    {
        char *piece = memory == NULL ? NULL : memory + bytes;
        bytes = (bytes + count * sizeof(element) + 255) / 256 * 256;
        return reinterpret_cast<element *>(piece);
    }
};

#endif
