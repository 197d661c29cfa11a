/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cuda_runtime.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <thread>
#include <vector>

#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <time.h>

#include "fake.h"

/* This is a piece of a stream's work, in a list from callers to the stream. The stream gives nothing back to
 * the callers: if both took a lock, it would order the caller's later work after the stream's earlier work, which no
 * device does. */
struct piece {
    std::atomic<piece *> next{nullptr};
    std::function<void()> work;
};

struct fake_stream {
    int device;
    std::mutex callers; /* several threads may queue work */
    piece *last;        /* guarded by `callers` */
    piece *done;        /* the last piece that was begun, which only the stream's thread uses */
    sem_t queued;
    std::atomic<uint64_t> pieces_queued{0};
    std::atomic<uint64_t> pieces_done{0};
    bool ends = false; /* used only by the stream's thread */
    std::thread thread;
};

/* All events are kept until the process ends, because streams may still wait for a destroyed one. A count of an event's
 * users would have the effect of a lock. */
struct fake_event {
    std::atomic<uint64_t> recorded{0}; /* how often cudaEventRecord() was called */
    std::atomic<uint64_t> reached{0};
    std::atomic<bool> destroyed{false};
};

struct block {
    size_t bytes;
    cudaMemoryType type;
    int device;
    bool is_mapped;
};

/* Shared locks do not order readers among each other, and so do not hide races between them. */
static std::shared_mutex blocks_lock;
static std::map<uintptr_t, block> blocks;
static const uint64_t MEMORY_BYTES = (uint64_t)80 << 30;
static uint64_t memory_bytes[FAKE_DEVICES] = {MEMORY_BYTES, MEMORY_BYTES}; /* bytes of each device */
static uint64_t device_bytes[FAKE_DEVICES];                                /* bytes that are allocated */
static std::shared_mutex streams_lock;
static std::set<fake_stream *> streams;
static std::mutex events_lock;
static std::deque<fake_event> events;
static std::atomic<uint64_t> events_left{0};

static std::atomic<int> takes_pageable{1}, dawdles{0};
static std::atomic<uint64_t> launches{0}, copies{0}, waits{0};

static std::atomic<long> calls{0}, failing_call{-1}, failed_calls{0};
static std::atomic<int> fails_from_then_on{0};

static thread_local int current_device = 0;
static thread_local cudaError_t last_error = cudaSuccess;
static thread_local struct {
    dim3 grid, block;
    size_t shared;
    void *stream;
} configuration;

[[noreturn]] static void found(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "the fake of CUDA's runtime: FAILED: ");
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    abort();
}

/* ---- the test's controls ---- */

void fake_leave(uint64_t bytes)
{
    const std::unique_lock<std::shared_mutex> lock(blocks_lock);
    for (int device = 0; device < FAKE_DEVICES; device++) {
        memory_bytes[device] = device_bytes[device] + bytes;
    }
}

long fake_fail(long number, int from_then_on)
{
    failing_call.store(-1, std::memory_order_relaxed);
    fails_from_then_on.store(from_then_on, std::memory_order_relaxed);
    calls.store(0, std::memory_order_relaxed);
    failing_call.store(number, std::memory_order_relaxed);
    return failed_calls.exchange(0, std::memory_order_relaxed);
}

void fake_take_pageable(int takes)
{
    takes_pageable.store(takes, std::memory_order_relaxed);
}

void fake_dawdle(int does)
{
    dawdles.store(does, std::memory_order_relaxed);
}

uint64_t fake_waits()
{
    return waits.load(std::memory_order_relaxed);
}

uint64_t fake_launches()
{
    return launches.load(std::memory_order_relaxed);
}

void fake_expect_nothing_left()
{
    const std::shared_lock<std::shared_mutex> lock(blocks_lock), other(streams_lock);
    if (!blocks.empty()) {
        found("%zu blocks of memory are left, the first of %zu bytes", blocks.size(),
              blocks.begin()->second.bytes);
    }
    if (!streams.empty() || events_left.load() != 0) {
        found("%zu streams and %llu events are left", streams.size(),
              static_cast<unsigned long long>(events_left.load()));
    }
}

/* ---- errors ---- */

static cudaError_t result(cudaError_t error)
{
    last_error = error == cudaSuccess ? last_error : error;
    return error;
}

/* Count a call, and return whether the test wants it to fail. */
static bool fails()
{
    const long number = calls.fetch_add(1, std::memory_order_relaxed);
    const long wanted = failing_call.load(std::memory_order_relaxed);
    if (wanted < 0 ||
        (fails_from_then_on.load(std::memory_order_relaxed) != 0 ? number < wanted : number != wanted)) {
        return false;
    }
    failed_calls.fetch_add(1, std::memory_order_relaxed);
    return true;
}

/* Return the result of a call whose work is done. The call may still have to fail. */
static cudaError_t done()
{
    return result(fails() ? cudaErrorLaunchFailure : cudaSuccess);
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorLaunchFailure      ? "a call that fails for the test"
           : error == cudaErrorMemoryAllocation ? "out of memory"
                                                : "another failure";
}

cudaError_t cudaGetLastError()
{
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

/* ---- devices ---- */

static bool is_device(int device)
{
    return device >= 0 && device < FAKE_DEVICES;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = FAKE_DEVICES;
    return done();
}

cudaError_t cudaSetDevice(int device)
{
    if (!is_device(device)) {
        return result(cudaErrorInvalidDevice);
    }
    current_device = device;
    return done();
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    if (!is_device(device)) {
        return result(cudaErrorInvalidDevice);
    }
    *properties = {};
    (void)snprintf(properties->name, sizeof properties->name, "fake %d", device);
    properties->totalGlobalMem = MEMORY_BYTES;
    properties->sharedMemPerBlockOptin = 232448; /* the numbers are those of an H100 */
    properties->major = 9;
    properties->multiProcessorCount = 132;
    return done();
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 13000;
    return done();
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (!is_device(device) || !is_device(peer)) {
        return result(cudaErrorInvalidDevice);
    }
    *can = device != peer;
    return done();
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned)
{
    static std::atomic<bool> enabled[FAKE_DEVICES];
    if (!is_device(peer) || peer == current_device) {
        return result(cudaErrorInvalidDevice);
    }
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    return result(enabled[current_device].exchange(true) ? cudaErrorPeerAccessAlreadyEnabled : cudaSuccess);
}

/* ---- streams ---- */

/* Let other threads run first. */
static void dawdle()
{
    const timespec while_others_go_on = {0, 20000};
    if (dawdles.load(std::memory_order_relaxed) != 0 ||
        copies.fetch_add(1, std::memory_order_relaxed) % 64 == 0) {
        (void)nanosleep(&while_others_go_on, nullptr);
    }
}

static void wait_until(const std::atomic<uint64_t> &count, uint64_t wanted)
{
    const timespec a_moment = {0, 20000};
    for (int i = 0; count.load(std::memory_order_acquire) < wanted; i++) {
        if (i < 20) {
            (void)sched_yield();
        } else {
            (void)nanosleep(&a_moment, nullptr);
        }
    }
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
        stream->pieces_done.fetch_add(1, std::memory_order_release);
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
        stream->pieces_queued.fetch_add(1, std::memory_order_relaxed);
    }
    (void)sem_post(&stream->queued);
}

static void wait_for(const fake_stream *stream)
{
    waits.fetch_add(1, std::memory_order_relaxed);
    wait_until(stream->pieces_done, stream->pieces_queued.load(std::memory_order_relaxed));
}

static fake_stream *make_stream(int device)
{
    fake_stream *stream = new fake_stream;
    stream->device = device;
    stream->last = stream->done = new piece;
    (void)sem_init(&stream->queued, 0, 0);
    stream->thread = std::thread(run, stream);
    return stream;
}

static void end_stream(fake_stream *stream)
{
    queue(stream, [stream] { stream->ends = true; });
    stream->thread.join();
    delete stream->done;
    (void)sem_destroy(&stream->queued);
    delete stream;
}

/* These are the devices' default streams. They exist without being created, and end with the process. */
struct default_streams {
    fake_stream *of[FAKE_DEVICES];
    default_streams()
    {
        for (int device = 0; device < FAKE_DEVICES; device++) {
            of[device] = make_stream(device);
        }
    }
    ~default_streams()
    {
        for (fake_stream *stream : of) {
            end_stream(stream);
        }
    }
};

/* Return the stream, which must exist. If it is null, return the device's default stream. */
static fake_stream *stream_of(fake_stream *stream)
{
    static const default_streams defaults;
    if (stream == nullptr) {
        return defaults.of[current_device];
    }
    const std::shared_lock<std::shared_mutex> lock(streams_lock);
    if (streams.count(stream) == 0) {
        found("a stream is used that is not there");
    }
    return stream;
}

/* Wait for all streams of all devices, as the real runtime does when it frees memory. */
static void wait_for_all()
{
    const std::shared_lock<std::shared_mutex> lock(streams_lock);
    for (const fake_stream *stream : streams) {
        wait_for(stream);
    }
    for (int device = 0; device < FAKE_DEVICES; device++) {
        const int before = current_device;
        current_device = device;
        wait_for(stream_of(nullptr));
        current_device = before;
    }
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    *stream = make_stream(current_device);
    const std::unique_lock<std::shared_mutex> lock(streams_lock);
    streams.insert(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    {
        const std::unique_lock<std::shared_mutex> lock(streams_lock);
        if (streams.erase(stream) == 0) {
            found("a stream is destroyed that is not there");
        }
    }
    end_stream(stream);
    return done();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    wait_for(stream_of(stream));
    return done();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user)
{
    fake_stream *actual = stream_of(stream);
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    queue(actual, [=] { function(user); });
    return cudaSuccess;
}

/* ---- events ---- */

static fake_event *event_of(fake_event *event)
{
    if (event == nullptr || event->destroyed.load(std::memory_order_relaxed)) {
        found("an event is used that is not there");
    }
    return event;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    events_left.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard<std::mutex> lock(events_lock);
    *event = &events.emplace_back();
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    event_of(event)->destroyed.store(true, std::memory_order_relaxed);
    events_left.fetch_sub(1, std::memory_order_relaxed);
    return done();
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    fake_event *recorded = event_of(event);
    fake_stream *actual = stream_of(stream);
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    const uint64_t number = recorded->recorded.fetch_add(1, std::memory_order_relaxed) + 1;
    queue(actual, [recorded, number] {
        /* An earlier record on another stream may be reached later, and then no longer counts. */
        uint64_t before = recorded->reached.load(std::memory_order_relaxed);
        while (before < number &&
               !recorded->reached.compare_exchange_weak(before, number, std::memory_order_release)) {
        }
    });
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    const fake_event *awaited_event = event_of(event);
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    return awaited_event->reached.load(std::memory_order_acquire) <
                   awaited_event->recorded.load(std::memory_order_relaxed)
               ? cudaErrorNotReady
               : cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    const fake_event *awaited_event = event_of(event);
    waits.fetch_add(1, std::memory_order_relaxed);
    wait_until(awaited_event->reached, awaited_event->recorded.load(std::memory_order_relaxed));
    return done();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    const fake_event *awaited = event_of(event);
    fake_stream *actual = stream_of(stream);
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    const uint64_t number = awaited->recorded.load(std::memory_order_relaxed);
    queue(actual, [awaited, number] { wait_until(awaited->reached, number); });
    return cudaSuccess;
}

/* ---- memory ---- */

/* Blocks from this size on are mapped, so that only pages that are written take memory. */
static const size_t MAPPED_BYTES = (size_t)1 << 20;

/* Memory is zeroed, so that a count that a kernel should have written is 0. */
static cudaError_t take(void **memory, size_t bytes, cudaMemoryType type)
{
    *memory = nullptr;
    if (fails()) {
        return result(cudaErrorMemoryAllocation);
    }
    if (bytes == 0) {
        return cudaSuccess;
    }
    const bool is_mapped = bytes >= MAPPED_BYTES;
    const std::unique_lock<std::shared_mutex> lock(blocks_lock);
    if (type == cudaMemoryTypeDevice) {
        const uint64_t most = memory_bytes[current_device], used = device_bytes[current_device];
        if (used > most || bytes > most - used) {
            return result(cudaErrorMemoryAllocation);
        }
    }
    void *address = nullptr;
    if (is_mapped) {
        address =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        address = address == MAP_FAILED ? nullptr : address;
    } else if (posix_memalign(&address, 256, bytes) == 0) {
        memset(address, 0, bytes);
    }
    if (address == nullptr) {
        return result(cudaErrorMemoryAllocation);
    }
    device_bytes[current_device] += type == cudaMemoryTypeDevice ? bytes : 0;
    blocks[reinterpret_cast<uintptr_t>(address)] = {bytes, type, current_device, is_mapped};
    *memory = address;
    return cudaSuccess;
}

static void drop(void *memory, cudaMemoryType type)
{
    const std::unique_lock<std::shared_mutex> lock(blocks_lock);
    const auto entry = blocks.find(reinterpret_cast<uintptr_t>(memory));
    if (entry == blocks.end() || entry->second.type != type) {
        found("memory is freed that is not there");
    }
    const block freed = entry->second;
    device_bytes[freed.device] -= type == cudaMemoryTypeDevice ? freed.bytes : 0;
    blocks.erase(entry);
    if (freed.is_mapped) {
        (void)munmap(memory, freed.bytes);
    } else {
        free(memory);
    }
}

static cudaError_t give(void *memory, cudaMemoryType type)
{
    if (memory == nullptr) {
        return cudaSuccess;
    }
    wait_for_all();
    drop(memory, type);
    return done();
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    waits.fetch_add(1, std::memory_order_relaxed);
    return take(memory, bytes, cudaMemoryTypeDevice);
}

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream)
{
    (void)stream_of(stream);
    return take(memory, bytes, cudaMemoryTypeDevice);
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    waits.fetch_add(1, std::memory_order_relaxed);
    return take(memory, bytes, cudaMemoryTypeHost);
}

cudaError_t cudaFree(void *memory)
{
    return give(memory, cudaMemoryTypeDevice);
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    queue(stream_of(stream), [memory] { drop(memory, cudaMemoryTypeDevice); });
    return done();
}

cudaError_t cudaFreeHost(void *memory)
{
    return give(memory, cudaMemoryTypeHost);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    const std::shared_lock<std::shared_mutex> lock(blocks_lock);
    const uint64_t most = memory_bytes[current_device], used = device_bytes[current_device];
    *total = most;
    *available = used < most ? most - used : 0;
    return done();
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    *pool = nullptr;
    return result(is_device(device) ? done() : cudaErrorInvalidDevice);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *)
{
    return done();
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, size_t)
{
    return fails() ? result(cudaErrorLaunchFailure) : done();
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t)
{
    return done();
}

/* Return the part of a block that begins at an address. If the address lies in no block, its type is
 * cudaMemoryTypeUnregistered. */
static block block_of(const void *memory)
{
    const uintptr_t address = reinterpret_cast<uintptr_t>(memory);
    const std::shared_lock<std::shared_mutex> lock(blocks_lock);
    auto after = blocks.upper_bound(address);
    if (after == blocks.begin() || address - (--after)->first >= after->second.bytes) {
        return {0, cudaMemoryTypeUnregistered, 0, false};
    }
    block rest = after->second;
    rest.bytes -= address - after->first;
    return rest;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory)
{
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    const block holder = block_of(memory);
    attributes->type = holder.type;
    attributes->device = holder.device;
    return cudaSuccess;
}

/* ---- copies ---- */

/* This is the memory that a copy reads or writes. It has some rows of `bytes` bytes, whose beginnings lie `stride`
 * apart. */
struct extent {
    char *memory;
    size_t stride, bytes, rows;
    size_t all() const
    {
        return (rows - 1) * stride + bytes;
    }
};

/* Return the kind of memory of the rows, which must lie within one block. */
static cudaMemoryType type_of(const extent &rows)
{
    const block holder = block_of(rows.memory);
    if (holder.type != cudaMemoryTypeUnregistered && rows.all() > holder.bytes) {
        found("%zu bytes are copied or set where %zu are left of a block", rows.all(), holder.bytes);
    }
    return holder.type;
}

static void copy_rows(const extent &to, const char *from, size_t from_stride)
{
    for (size_t row = 0; row < to.rows; row++) {
        memcpy(to.memory + row * to.stride, from + row * from_stride, to.bytes);
    }
}

/* As with the real runtime, copies from and to pageable memory are complete when the call returns. */
static cudaError_t copy(const extent &to, const extent &from, cudaMemcpyKind kind, fake_stream *stream)
{
    fake_stream *actual = stream_of(stream);
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    if (to.bytes == 0 || to.rows == 0) {
        return cudaSuccess;
    }
    const cudaMemoryType to_type = type_of(to), from_type = type_of(from);
    if ((kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) &&
        to_type != cudaMemoryTypeDevice) {
        found("a copy to a device goes somewhere else");
    }
    if ((kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice) &&
        from_type != cudaMemoryTypeDevice) {
        found("a copy from a device comes from somewhere else");
    }
    const bool reads_pageable = from_type == cudaMemoryTypeUnregistered;
    const bool writes_pageable = to_type == cudaMemoryTypeUnregistered;
    if ((reads_pageable || writes_pageable) && takes_pageable.load(std::memory_order_relaxed) == 0) {
        found("a copy from pageable memory is queued");
    }
    if (reads_pageable) {
        waits.fetch_add(1, std::memory_order_relaxed);
        const std::vector<char> staged(from.memory, from.memory + from.all());
        const size_t stride = from.stride;
        queue(actual, [to, staged, stride] {
            dawdle();
            copy_rows(to, staged.data(), stride);
        });
    } else {
        queue(actual, [to, from] {
            dawdle();
            copy_rows(to, from.memory, from.stride);
        });
    }
    if (writes_pageable) {
        wait_for(actual);
    }
    return cudaSuccess;
}

static extent extent_of(const void *memory, size_t stride, size_t bytes, size_t rows)
{
    return {static_cast<char *>(const_cast<void *>(memory)), stride, bytes, rows};
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return copy(extent_of(to, bytes, bytes, 1), extent_of(from, bytes, bytes, 1), kind, stream);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
                              size_t rows, cudaMemcpyKind kind, cudaStream_t stream)
{
    if (to_stride < bytes || from_stride < bytes) {
        return result(cudaErrorInvalidValue);
    }
    return copy(extent_of(to, to_stride, bytes, rows), extent_of(from, from_stride, bytes, rows), kind,
                stream);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, nullptr);
    wait_for(stream_of(nullptr));
    return error;
}

cudaError_t cudaMemset2DAsync(void *to, size_t stride, int value, size_t bytes, size_t rows,
                              cudaStream_t stream)
{
    fake_stream *actual = stream_of(stream);
    if (stride < bytes) {
        return result(cudaErrorInvalidValue);
    }
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    const extent set = extent_of(to, stride, bytes, rows);
    if (bytes == 0 || rows == 0) {
        return cudaSuccess;
    }
    if (type_of(set) == cudaMemoryTypeUnregistered) {
        found("memory is set that is not the device's");
    }
    queue(actual, [set, value] {
        for (size_t row = 0; row < set.rows; row++) {
            memset(set.memory + row * set.stride, value, set.bytes);
        }
    });
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    return cudaMemset2DAsync(to, bytes, value, bytes, 1, stream);
}

/* ---- kernels ---- */

/* These are the limits of compute capability 9.0. */
enum { MOST_THREADS = 1024, MOST_BLOCKS_Y = 65535, MOST_BLOCKS_X = 0x7fffffff };

static cudaError_t launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    (void)stream_of(stream);
    if (fails()) {
        return result(cudaErrorLaunchFailure);
    }
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0 || grid.x > MOST_BLOCKS_X ||
        grid.y > MOST_BLOCKS_Y || grid.z > MOST_BLOCKS_Y || threads > MOST_THREADS || shared > 232448) {
        return result(cudaErrorInvalidValue);
    }
    launches.fetch_add(1, std::memory_order_relaxed);
    return cudaSuccess;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    configuration = {grid, block, shared, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    *grid = configuration.grid;
    *block = configuration.block;
    *shared = configuration.shared;
    *static_cast<void **>(stream) = configuration.stream;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *, dim3 grid, dim3 block, void **, size_t shared, cudaStream_t stream)
{
    return launch(grid, block, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *, void **)
{
    return launch(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *)
{
    *attributes = {0, MOST_THREADS, 90};
    return done();
}

cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int)
{
    return done();
}

cudaError_t fake_library_call(const void *temporary, size_t *bytes)
{
    if (temporary == nullptr) {
        *bytes = 256;
        return cudaSuccess;
    }
    return done();
}

void fake_launch(cudaStream_t stream, std::function<void()> kernel)
{
    queue(stream_of(stream), [kernel = std::move(kernel)] {
        dawdle();
        kernel();
    });
}
