/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The device decodes compressed points. Records are copied to it in copy slices: while the device works on one, the next is
 * copied. All raw points stay on the device until the last one has been checked, and are then copied to the host, so that
 * nothing is written if a point is refused. Only that copy, a few percent of the time, does not overlap with the work.
 *
 * The caller's memory is pageable, so both directions go through a ring of page-locked blocks. All of the host's
 * threads together copy between one block and the caller's memory, while the device copies other blocks.
 */
#include "cuda/transfer/transfer.h"

#include <cstring>

#include "base/integers.h"
#include "curves/group_code.h"

/* A thread copies PIECE_BYTES of a block at a time. */
static const uint64_t PIECE_BYTES = (uint64_t)128 << 10;

/* The bus transfers a block of the ring in 80 us, several times as long as waking threads takes. */
static const uint64_t BLOCK_BYTES = (uint64_t)4 << 20;

/* A copy slice has this number of points. The first is small, as the device waits for it. A point takes 60 ns to decode
 * and check, but a single thread copies it in 5 ns, so the next copy slice may be four times as large. The largest
 * fills an H200 thirty times, so that its last blocks leave little of the device idle. */
static const uint64_t FIRST_COPY_SLICE = (uint64_t)1 << 16, COPY_SLICE_GROWTH = 4,
                      LARGEST_COPY_SLICE = (uint64_t)1 << 20;

/* This is a call, with its memory on the device. */
struct decode_run {
    cuda_engine *engine;
    const cuda_group *code;
    const decode_request *request;
    uint64_t record_bytes;
    uint64_t point_bytes;
    uint8_t *records[DECODE_SLOTS];
    char *points; /* memory for the points of a copy slice */
    char *raw;    /* the raw points of the whole call */
};

/* ---- The ring ---- */

/* Create the ring and its events if they do not exist yet. */
static sumac_status want_ring(cuda_engine *engine)
{
    decoder *ring = &engine->compressed;
    if (ring->ring.memory != NULL) {
        return SUMAC_OK;
    }
    CUDA_TRY(engine, create_events(ring->passed));
    CUDA_TRY(engine, create_events(ring->arrived));
    CUDA_TRY(engine, create_events(ring->consumed));
    return buffer_want(engine, &ring->ring, DECODE_RING_BLOCKS * BLOCK_BYTES,
                       "compressed points on their way, page-locked");
}

/* This is a copy between the caller's memory and a block. */
struct block_copy {
    char *to;
    const char *from;
    uint64_t bytes;
};

static void copy_piece(void *arguments, size_t index, uint32_t thread)
{
    const block_copy *copy = static_cast<const block_copy *>(arguments);
    const uint64_t first = index * PIECE_BYTES;
    (void)thread;
    memcpy(copy->to + first, copy->from + first, smaller(copy->bytes - first, PIECE_BYTES));
}

static void copy_on_threads(const decode_request *request, char *to, const char *from, uint64_t bytes)
{
    block_copy copy = {to, from, bytes};
    request->parallel(request->team, (bytes + PIECE_BYTES - 1) / PIECE_BYTES, copy_piece, &copy);
}

static char *block_of(const decoder *ring, uint64_t number)
{
    return ring->ring.memory + number % DECODE_RING_BLOCKS * BLOCK_BYTES;
}

/* Copy the caller's bytes to the device on the stream for copies, through the ring. */
static sumac_status send(const decode_run *run, uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    cuda_engine *engine = run->engine;
    decoder *ring = &engine->compressed;
    for (uint64_t first = 0; first < bytes; first += BLOCK_BYTES) {
        const uint64_t count = smaller(bytes - first, BLOCK_BYTES), number = ring->next++;
        const cudaEvent_t passed = ring->passed[number % DECODE_RING_BLOCKS];
        char *block = block_of(ring, number);
        CUDA_TRY(engine, cudaEventSynchronize(passed));
        copy_on_threads(run->request, block, reinterpret_cast<const char *>(from) + first, count);
        CUDA_TRY(engine, cudaMemcpyAsync(to + first, block, count, cudaMemcpyHostToDevice, engine->copies));
        CUDA_TRY(engine, cudaEventRecord(passed, engine->copies));
    }
    return SUMAC_OK;
}

/* Copy all raw points to the caller's memory. The device is at most DECODE_RING_BLOCKS - 1 blocks ahead of the threads.
 * The next block that it fills is the one that they have emptied last. */
static sumac_status receive(const decode_run *run)
{
    cuda_engine *engine = run->engine;
    const decoder *ring = &engine->compressed;
    const uint64_t bytes = run->request->n * run->point_bytes;
    const uint64_t blocks = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    uint64_t asked = 0;
    for (uint64_t k = 0; k < blocks; k++) {
        for (; asked < blocks && asked < k + DECODE_RING_BLOCKS; asked++) {
            const uint64_t first = asked * BLOCK_BYTES;
            CUDA_TRY(engine, cudaMemcpyAsync(block_of(ring, asked), run->raw + first,
                                             smaller(bytes - first, BLOCK_BYTES), cudaMemcpyDeviceToHost,
                                             engine->copies));
            CUDA_TRY(engine, cudaEventRecord(ring->passed[asked % DECODE_RING_BLOCKS], engine->copies));
        }
        const uint64_t first = k * BLOCK_BYTES;
        CUDA_TRY(engine, cudaEventSynchronize(ring->passed[k % DECODE_RING_BLOCKS]));
        copy_on_threads(run->request, reinterpret_cast<char *>(run->request->raw) + first, block_of(ring, k),
                        smaller(bytes - first, BLOCK_BYTES));
    }
    return SUMAC_OK;
}

/* ---- The work ---- */

/* Decode points [first, first + n), which are copy slice number `copy_slice`. */
static sumac_status decode_copy_slice(const decode_run *run, uint64_t copy_slice, uint64_t first, uint64_t n)
{
    cuda_engine *engine = run->engine;
    const decoder *ring = &engine->compressed;
    const uint32_t slot = static_cast<uint32_t>(copy_slice % DECODE_SLOTS);
    decode_slice slice = {};
    slice.records = run->records[slot];
    slice.raw = run->raw + first * run->point_bytes;
    slice.points = run->points;
    slice.first = first;
    slice.n = n;
    slice.check = run->request->check;
    /* This does not wait for an event that was never recorded, or only in an earlier call, which has ended. */
    CUDA_TRY(engine, cudaStreamWaitEvent(engine->copies, ring->consumed[slot], 0));
    TRY(send(run, run->records[slot], run->request->records + first * run->record_bytes,
             n * run->record_bytes));
    CUDA_TRY(engine, cudaEventRecord(ring->arrived[slot], engine->copies));
    CUDA_TRY(engine, cudaStreamWaitEvent(engine->stream, ring->arrived[slot], 0));
    TRY(run->code->decode_points(engine, &slice, engine->first_bad));
    CUDA_TRY(engine, cudaEventRecord(ring->consumed[slot], engine->stream));
    return SUMAC_OK;
}

/* Return whether a bad point is known already. If so, the first bad point lies in the copy slices queued so far, and no
 * more of them are needed. */
static bool is_refused(const cuda_engine *engine)
{
    return *const_cast<const volatile unsigned long long *>(engine->first_bad) != NONE_BAD;
}

static sumac_status decode_all(const decode_run *run, uint64_t *bad)
{
    cuda_engine *engine = run->engine;
    const uint64_t n = run->request->n;
    uint64_t first = 0, length = FIRST_COPY_SLICE;
    *engine->first_bad = NONE_BAD;
    for (uint64_t copy_slice = 0; first < n && !is_refused(engine); copy_slice++) {
        const uint64_t count = smaller(n - first, length);
        TRY(decode_copy_slice(run, copy_slice, first, count));
        first += count;
        if (run->request->ask != NULL) {
            TRY(run->request->ask(run->request->user, first));
        }
        length = smaller(length * COPY_SLICE_GROWTH, LARGEST_COPY_SLICE);
    }
    CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    TRY(cuda_first_bad(engine, bad));
    return receive(run);
}

/* Take a call's arrays on the device from a block, and return their number of bytes. */
static uint64_t lay_out(decode_run *run, void *memory)
{
    const uint64_t n = run->request->n, copy_slice = smaller(n, LARGEST_COPY_SLICE);
    scratch_block block = {static_cast<char *>(memory), 0};
    for (uint8_t *&records : run->records) {
        records = block.take<uint8_t>(copy_slice * run->record_bytes);
    }
    run->points = block.take<char>(copy_slice * run->code->affine_bytes);
    run->raw = block.take<char>(n * run->point_bytes);
    return block.bytes;
}

int cuda_can_decode(const sumac_group *group)
{
    const cuda_group *code = cuda_group_of(group);
    return code != NULL && code->decode_points != NULL;
}

sumac_status cuda_decode(void *handle, const sumac_group *group, const decode_request *request, uint64_t *bad)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    decode_run run = {};
    *bad = request->n;
    run.engine = engine;
    run.code = cuda_group_of(group);
    run.request = request;
    run.record_bytes = static_cast<uint64_t>(group->degree) * group->field_bytes;
    run.point_bytes = group->point_bytes;
    TRY(want_ring(engine));
    const uint64_t bytes = lay_out(&run, NULL);
    const call_memory block = {engine,
                               cuda_memory_free(engine) < bytes ? NULL : cuda_allocate(engine, bytes)};
    if (block.memory == NULL) {
        return cuda_out_of_memory(engine, bytes, "compressed points");
    }
    (void)lay_out(&run, block.memory);
    return decode_all(&run, bad);
}
