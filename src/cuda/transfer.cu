/*
 * Copies of scalars. Page-locked and device memory is copied by the device's own engine. From pageable memory
 * the driver would copy at the pace of one thread and hold up its caller; here threads of the engine fill
 * blocks of page-locked memory, two for each thread: while one block is on its way, the thread fills the
 * other.
 */
#include <cstring>
#include <new>

#include <pthread.h>

#include "cuda/transfer.h"
#include "pipeline/portions.h"

/* One thread copies about 10 GB/s and the bus takes 55; blocks that are small enough to stay in the cache
 * until the device has read them. */
enum { MAX_FILLERS = 8, BLOCKS_PER_FILLER = 2 };
static const uint64_t BLOCK_BYTES = (uint64_t)1 << 20;
/* Less than this is one thread's work. */
static const uint64_t FILLER_BYTES = (uint64_t)2 << 20;

struct filler {
    struct filling *all;
    pthread_t thread;
    char *blocks[BLOCKS_PER_FILLER];
    cudaEvent_t sent[BLOCKS_PER_FILLER]; /* the block's last copy is over */
};

/* A portion as the bytes of `rows` rows, one behind the other at `to`. */
struct filled_portion {
    const char *from;
    char *to;
    uint64_t row_bytes;
    uint64_t bytes;
    uint64_t first_block;
    uint64_t blocks_left; /* not yet handed to the device */
};

/* What the fillers share; everything below `lock` is guarded by it. */
struct filling {
    cuda_engine *engine;
    filler fillers[MAX_FILLERS];
    uint32_t filler_count; /* with blocks */
    uint32_t thread_count; /* of these, with a thread */
    char *memory;
    pthread_mutex_t lock;
    pthread_cond_t work_is_there;
    pthread_cond_t work_is_done;
    filled_portion portions[PORTIONS_MAX];
    uint32_t portion_count;
    uint64_t row_stride;
    uint64_t next_block;
    uint64_t blocks;
    uint32_t busy; /* threads that hold a block */
    cudaError_t error;
    int stop;
};

uint64_t transfer_pinned_bytes(const sumac_plan *plan)
{
    const uint64_t wished = (plan->bytes_staging + FILLER_BYTES - 1) / FILLER_BYTES;
    const uint64_t most = plan->threads < MAX_FILLERS ? plan->threads : MAX_FILLERS;
    const uint64_t fillers = wished < 1 ? 1 : wished < most ? wished : most;
    return fillers * BLOCKS_PER_FILLER * BLOCK_BYTES;
}

/* Bytes [offset, offset + bytes) of a portion, row by row. */
static void fill_block(char *block, const filled_portion *portion, uint64_t row_stride, uint64_t offset,
                       uint64_t bytes)
{
    while (bytes > 0) {
        const uint64_t row = offset / portion->row_bytes, column = offset % portion->row_bytes;
        const uint64_t left = portion->row_bytes - column, count = bytes < left ? bytes : left;
        memcpy(block, portion->from + row * row_stride + column, count);
        block += count;
        offset += count;
        bytes -= count;
    }
}

/* Fill one block and hand it to the device. */
static cudaError_t send_block(const filling *all, filler *own, uint32_t which, const filled_portion *portion,
                              uint64_t block)
{
    const uint64_t offset = (block - portion->first_block) * BLOCK_BYTES;
    const uint64_t left = portion->bytes - offset, bytes = left < BLOCK_BYTES ? left : BLOCK_BYTES;
    cudaError_t error = CUDA_CALL(all->engine, cudaEventSynchronize(own->sent[which]));
    if (error == cudaSuccess) {
        fill_block(own->blocks[which], portion, all->row_stride, offset, bytes);
        error = CUDA_CALL(all->engine, cudaMemcpyAsync(portion->to + offset, own->blocks[which], bytes,
                                                       cudaMemcpyHostToDevice, all->engine->copies));
    }
    if (error == cudaSuccess) {
        error = CUDA_CALL(all->engine, cudaEventRecord(own->sent[which], all->engine->copies));
    }
    return error;
}

/* Take blocks until there are none; the lock is held on entry and on return. */
static void fill(filling *all, filler *own)
{
    for (uint32_t which = 0; all->next_block < all->blocks; which = (which + 1) % BLOCKS_PER_FILLER) {
        const uint64_t block = all->next_block++;
        uint32_t p = 0;
        while (p + 1 < all->portion_count && block >= all->portions[p + 1].first_block) {
            p++;
        }
        const filled_portion portion = all->portions[p];
        all->busy++;
        pthread_mutex_unlock(&all->lock);
        cudaError_t error = send_block(all, own, which, &portion, block);
        pthread_mutex_lock(&all->lock);
        all->busy--;
        if (error == cudaSuccess && --all->portions[p].blocks_left == 0) {
            error = CUDA_CALL(all->engine, cudaEventRecord(all->engine->arrived[p], all->engine->copies));
        }
        if (error != cudaSuccess) {
            all->error = error;
            all->next_block = all->blocks; /* the rest is of no use */
        }
        if (all->portions[p].blocks_left == 0 || all->next_block >= all->blocks) {
            pthread_cond_broadcast(&all->work_is_done);
        }
    }
}

static void *fill_forever(void *argument)
{
    filler *own = static_cast<filler *>(argument);
    filling *all = own->all;
    (void)cudaSetDevice(all->engine->device);
    pthread_mutex_lock(&all->lock);
    while (!all->stop) {
        fill(all, own);
        pthread_cond_wait(&all->work_is_there, &all->lock);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

static void stop_fillers(filling *all)
{
    pthread_mutex_lock(&all->lock);
    all->stop = 1;
    pthread_cond_broadcast(&all->work_is_there);
    pthread_mutex_unlock(&all->lock);
    for (uint32_t i = 0; i < all->thread_count; i++) {
        (void)pthread_join(all->fillers[i].thread, NULL);
    }
    for (uint32_t i = 0; i < all->filler_count; i++) {
        for (int which = 0; which < BLOCKS_PER_FILLER; which++) {
            if (all->fillers[i].sent[which] != NULL) {
                (void)cudaEventDestroy(all->fillers[i].sent[which]);
            }
        }
    }
    (void)cudaFreeHost(all->memory);
    (void)pthread_mutex_destroy(&all->lock);
    (void)pthread_cond_destroy(&all->work_is_there);
    (void)pthread_cond_destroy(&all->work_is_done);
    delete all;
}

void transfer_close(cuda_engine *engine)
{
    if (engine->filling != NULL) {
        stop_fillers(engine->filling);
        engine->filling = NULL;
    }
}

static sumac_status start_fillers(cuda_engine *engine, uint32_t count)
{
    filling *all = new (std::nothrow) filling();
    if (all == NULL) {
        return cuda_fail(engine, cudaErrorMemoryAllocation, "threads that copy scalars");
    }
    all->engine = engine;
    all->filler_count = count;
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->work_is_there, NULL);
    (void)pthread_cond_init(&all->work_is_done, NULL);
    cudaError_t error =
        CUDA_CALL(engine, cudaMallocHost(&all->memory, count * BLOCKS_PER_FILLER * BLOCK_BYTES));
    for (uint32_t i = 0; i < count && error == cudaSuccess; i++) {
        filler *own = &all->fillers[i];
        own->all = all;
        for (int which = 0; which < BLOCKS_PER_FILLER && error == cudaSuccess; which++) {
            own->blocks[which] = all->memory + (i * BLOCKS_PER_FILLER + which) * BLOCK_BYTES;
            error = CUDA_CALL(engine, cudaEventCreateWithFlags(&own->sent[which], cudaEventDisableTiming));
        }
    }
    if (error != cudaSuccess) {
        stop_fillers(all);
        return cuda_fail(engine, error, "page-locked memory for scalars");
    }
    /* With fewer threads it is slower; without any, the caller fills. */
    while (all->thread_count < count && pthread_create(&all->fillers[all->thread_count].thread, NULL,
                                                       fill_forever, &all->fillers[all->thread_count]) == 0) {
        all->thread_count++;
    }
    engine->filling = all;
    return SUMAC_OK;
}

/* At least as many fillers as the plan says. */
static sumac_status want_fillers(cuda_engine *engine, const sumac_plan *plan)
{
    const uint32_t count =
        static_cast<uint32_t>(transfer_pinned_bytes(plan) / (BLOCKS_PER_FILLER * BLOCK_BYTES));
    if (engine->filling != NULL && engine->filling->filler_count >= count) {
        return SUMAC_OK;
    }
    transfer_close(engine);
    return start_fillers(engine, count);
}

static int is_pageable(const void *memory)
{
    cudaPointerAttributes attributes;
    const cudaError_t error = cudaPointerGetAttributes(&attributes, memory);
    (void)cudaGetLastError();
    return error == cudaSuccess && attributes.type == cudaMemoryTypeUnregistered;
}

/* The bytes of a portion, where they are and where they go. */
static filled_portion portion_of(const msm_job *job, uint64_t chunk_first, uint64_t chunk_n, uint32_t p,
                                 void *to)
{
    const uint64_t bytes = job->curve->info.scalar_bytes;
    const uint64_t start = portion_start(job->plan, chunk_n, p);
    filled_portion portion = {};
    portion.from = reinterpret_cast<const char *>(job->scalars) + (chunk_first + start) * bytes;
    portion.to = static_cast<char *>(to) + job->plan->batch * start * bytes;
    portion.row_bytes = (portion_start(job->plan, chunk_n, p + 1) - start) * bytes;
    portion.bytes = portion.row_bytes * job->plan->batch;
    return portion;
}

/* Give the chunk to the fillers, who are idle. Small ones the caller copies itself: that is over before a
 * thread has woken up. */
static sumac_status begin_filling(const msm_job *job, uint64_t chunk_first, uint64_t chunk_n, void *to)
{
    cuda_engine *engine = engine_of(job);
    STATUS_TRY(want_fillers(engine, job->plan));
    filling *all = engine->filling;
    pthread_mutex_lock(&all->lock);
    all->row_stride = job->plan->n * job->curve->info.scalar_bytes;
    all->portion_count = job->plan->portions;
    all->error = cudaSuccess;
    all->next_block = 0;
    all->blocks = 0;
    for (uint32_t p = 0; p < all->portion_count; p++) {
        filled_portion *portion = &all->portions[p];
        *portion = portion_of(job, chunk_first, chunk_n, p, to);
        portion->first_block = all->blocks;
        portion->blocks_left = (portion->bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
        all->blocks += portion->blocks_left;
    }
    if (all->thread_count == 0 || all->blocks == 1) {
        fill(all, &all->fillers[0]);
    } else {
        pthread_cond_broadcast(&all->work_is_there);
    }
    pthread_mutex_unlock(&all->lock);
    return SUMAC_OK;
}

/* The largest pitch that the runtime takes. */
static const uint64_t MAX_PITCH = (uint64_t)1 << 30;

static sumac_status copy_portion(const msm_job *job, const filled_portion *portion)
{
    cuda_engine *engine = engine_of(job);
    const uint64_t stride = job->plan->n * job->curve->info.scalar_bytes;
    const uint32_t rows = job->plan->batch;
    if (rows == 1 || stride == portion->row_bytes) {
        CUDA_TRY(engine, cudaMemcpyAsync(portion->to, portion->from, portion->bytes, cudaMemcpyHostToDevice,
                                         engine->copies));
    } else if (stride <= MAX_PITCH) {
        CUDA_TRY(engine, cudaMemcpy2DAsync(portion->to, portion->row_bytes, portion->from, stride,
                                           portion->row_bytes, rows, cudaMemcpyHostToDevice, engine->copies));
    } else {
        for (uint32_t row = 0; row < rows; row++) {
            CUDA_TRY(engine,
                     cudaMemcpyAsync(portion->to + row * portion->row_bytes, portion->from + row * stride,
                                     portion->row_bytes, cudaMemcpyHostToDevice, engine->copies));
        }
    }
    return SUMAC_OK;
}

sumac_status transfer_begin(const msm_job *job, uint64_t chunk_first, uint64_t chunk_n, void *to)
{
    cuda_engine *engine = engine_of(job);
    if (chunk_first > 0) {
        CUDA_TRY(engine, cudaEventRecord(engine->recoded, engine->stream));
        CUDA_TRY(engine, cudaStreamWaitEvent(engine->copies, engine->recoded, 0));
    }
    engine->fills = is_pageable(job->scalars);
    if (engine->fills) {
        return begin_filling(job, chunk_first, chunk_n, to);
    }
    for (uint32_t p = 0; p < job->plan->portions; p++) {
        const filled_portion portion = portion_of(job, chunk_first, chunk_n, p, to);
        if (portion.bytes > 0) {
            STATUS_TRY(copy_portion(job, &portion));
            CUDA_TRY(engine, cudaEventRecord(engine->arrived[p], engine->copies));
        }
    }
    return SUMAC_OK;
}

sumac_status transfer_await(const msm_job *job, uint32_t portion)
{
    cuda_engine *engine = engine_of(job);
    if (engine->fills) {
        filling *all = engine->filling;
        pthread_mutex_lock(&all->lock);
        while (all->portions[portion].blocks_left > 0 && all->error == cudaSuccess) {
            pthread_cond_wait(&all->work_is_done, &all->lock);
        }
        const cudaError_t error = all->error;
        pthread_mutex_unlock(&all->lock);
        if (error != cudaSuccess) {
            return cuda_fail(engine, error, "copying scalars from pageable memory");
        }
    }
    CUDA_TRY(engine, cudaStreamWaitEvent(engine->stream, engine->arrived[portion], 0));
    return SUMAC_OK;
}

void transfer_settle(cuda_engine *engine)
{
    filling *all = engine->filling;
    if (all != NULL) {
        pthread_mutex_lock(&all->lock);
        all->next_block = all->blocks;
        while (all->busy > 0) {
            pthread_cond_wait(&all->work_is_done, &all->lock);
        }
        pthread_mutex_unlock(&all->lock);
    }
    (void)cudaStreamSynchronize(engine->copies);
}
