/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cuda_runtime.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include <semaphore.h>
#include <time.h>
#include <unistd.h>

/* A piece of a stream's work. Lists go from callers to the stream, and nothing goes back: a lock that both took would order
 * the caller's later work after the stream's earlier, which no device does. */
struct piece {
    std::atomic<piece *> next{nullptr};
    std::function<void()> work;
};

struct fake_stream {
    std::mutex callers; /* several threads may queue work */
    piece *last;        /* guarded by it */
    piece *done;        /* the stream's own: the last piece that was begun */
    sem_t queued;
    bool ends = false; /* the stream's own */
    std::thread thread;
};

/* Streams may still wait for one that is destroyed: all are kept to the end. A count of who uses it would be a lock in
 * disguise. */
struct fake_event {
    std::atomic<uint64_t> recorded{0}; /* so many times */
    std::atomic<uint64_t> reached{0};
};

static std::mutex events_lock;
static std::deque<fake_event> events;

/* What is page-locked: bytes by where they begin. */
static std::mutex pinned_lock;
static std::map<uintptr_t, size_t> pinned;

static bool is_pinned(const void *memory)
{
    const uintptr_t address = reinterpret_cast<uintptr_t>(memory);
    const std::lock_guard<std::mutex> lock(pinned_lock);
    auto after = pinned.upper_bound(address);
    return after != pinned.begin() && address - (--after)->first < after->second;
}

/* Others come first, so that values are wrong where a wait lacks, also without the sanitizer. */
static void dawdle()
{
    const timespec while_others_go_on = {0, 20000};
    (void)nanosleep(&while_others_go_on, nullptr);
}

static void run(fake_stream *stream)
{
    while (!stream->ends) {
        while (sem_wait(&stream->queued) != 0) {
        }
        piece *next = stream->done->next.load(std::memory_order_acquire);
        delete stream->done;
        stream->done = next;
        next->work();
        next->work = nullptr;
    }
}

static void queue(fake_stream *stream, std::function<void()> work)
{
    piece *added = new piece;
    added->work = std::move(work);
    {
        const std::lock_guard<std::mutex> lock(stream->callers);
        stream->last->next.store(added, std::memory_order_release);
        stream->last = added;
    }
    (void)sem_post(&stream->queued);
}

static void await(const fake_event *event, uint64_t recorded)
{
    while (event->reached.load(std::memory_order_acquire) < recorded) {
        (void)usleep(20);
    }
}

void fake_launch(cudaStream_t stream, std::function<void()> kernel)
{
    queue(stream, [kernel = std::move(kernel)] {
        dawdle();
        kernel();
    });
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorLaunchFailure ? "a call that fails for the test" : "another failure";
}

cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int)
{
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = new fake_stream;
    (*stream)->last = (*stream)->done = new piece;
    (void)sem_init(&(*stream)->queued, 0, 0);
    (*stream)->thread = std::thread(run, *stream);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    queue(stream, [stream] { stream->ends = true; });
    stream->thread.join();
    delete stream->done;
    (void)sem_destroy(&stream->queued);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    const std::lock_guard<std::mutex> lock(events_lock);
    *event = &events.emplace_back();
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    const uint64_t number = event->recorded.fetch_add(1, std::memory_order_relaxed) + 1;
    queue(stream, [event, number] { event->reached.store(number, std::memory_order_release); });
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    await(event, event->recorded.load(std::memory_order_relaxed));
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    const uint64_t number = event->recorded.load(std::memory_order_relaxed);
    queue(stream, [event, number] { await(event, number); });
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    fake_event event;
    (void)cudaEventRecord(&event, stream);
    return cudaEventSynchronize(&event);
}

static void expect_pinned(const void *from)
{
    if (!is_pinned(from)) {
        (void)fprintf(stderr, "the fake of CUDA's runtime: FAILED: a copy from pageable memory is queued\n");
        exit(1);
    }
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
                              size_t rows, cudaMemcpyKind, cudaStream_t stream)
{
    expect_pinned(from);
    queue(stream, [=] {
        dawdle();
        for (size_t row = 0; row < rows; row++) {
            memcpy(static_cast<char *>(to) + row * to_stride,
                   static_cast<const char *>(from) + row * from_stride, bytes);
        }
    });
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    queue(stream, [=] { memset(to, value, bytes); });
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory)
{
    attributes->type = is_pinned(memory) ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
    return cudaSuccess;
}

cudaError_t fake_malloc_host(void **memory, size_t bytes)
{
    *memory = malloc(bytes);
    if (*memory == nullptr) {
        return cudaErrorMemoryAllocation;
    }
    const std::lock_guard<std::mutex> lock(pinned_lock);
    pinned[reinterpret_cast<uintptr_t>(*memory)] = bytes;
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory)
{
    {
        const std::lock_guard<std::mutex> lock(pinned_lock);
        pinned.erase(reinterpret_cast<uintptr_t>(memory));
    }
    free(memory);
    return cudaSuccess;
}
