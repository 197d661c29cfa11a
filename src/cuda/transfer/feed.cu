/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file feeds the device: it copies scalars and host-resident bases to it, copy slice by copy slice. Inputs on the
 * device are used in place. In-flight passes begin and end here, too.
 *
 * The device's copy engine copies from page-locked memory and from devices. From pageable memory the driver would copy
 * at the speed of one thread, and block its caller. So threads of the engine, the fillers, copy to page-locked blocks,
 * two for each thread: while one block is copied to the device, the thread fills the other. If scalars or bases are
 * pageable, the fillers copy both, in the order of the loads.
 */
#include <cstring>
#include <new>

#include <pthread.h>

#include "base/integers.h"
#include "cuda/msm/stage.h"
#include "cuda/transfer/transfer.h"
#include "pipeline/plan_sizes.h"

/* Return whether a job's scalars are copied. They are if they lie on the host, or if the MSMs have different
 * lengths. */
static bool copies_scalars(const msm_job *job)
{
    return job->scalars_location != SUMAC_LOCATION_DEVICE || job->offsets != NULL;
}

/* ---- Copies ---- */

/* One thread copies about 10 GB/s, and the bus transfers 55. Blocks are small enough to stay in the cache until the
 * device has read them. */
enum { MAX_FILLERS = 8, BLOCKS_PER_FILLER = 2 };
static const uint64_t BLOCK_BYTES = (uint64_t)1 << 20;
/* There is at most one filler for each FILLER_BYTES. */
static const uint64_t FILLER_BYTES = (uint64_t)2 << 20;

struct filler {
    struct filling *all;
    pthread_t thread;
    char *blocks[BLOCKS_PER_FILLER];
    scoped_event sent[BLOCKS_PER_FILLER]; /* the block's last copy to the device has ended */
};

/* A load of a chunk has `rows` rows of row_bytes, which lie row_stride apart at `from`, and contiguously at `to`. If
 * `offsets` is not null, row j is MSM j's scalars from scalar `first` on, padded with zeros to row_bytes. Fillers may
 * still work on a load after its call has failed and the job is gone; the memory that it names is the caller's, and
 * stays valid until the engine is settled. */
struct chunk_load {
    const uint64_t *offsets;
    uint64_t scalar_bytes;
    uint64_t first;
    const char *from;
    char *to;
    uint64_t row_bytes;
    uint64_t row_stride;
    uint32_t rows;
    int pageable;
    /* The fillers copy a load as these blocks. */
    uint64_t first_block;
    uint64_t blocks;
    uint64_t blocks_left; /* blocks that were not yet handed to the device */
};

static uint64_t bytes_of(const chunk_load *load)
{
    return load->row_bytes * load->rows;
}

/* This is the memory of a row, which has `bytes` bytes. The rest of the row is zeros. */
struct load_row {
    const char *from;
    uint64_t bytes;
};

static load_row row_of(const chunk_load *load, uint64_t row)
{
    if (load->offsets == NULL) {
        return {load->from + row * load->row_stride, load->row_bytes};
    }
    const uint64_t start = load->offsets[row] - load->offsets[0];
    const uint64_t bytes = (load->offsets[row + 1] - load->offsets[row]) * load->scalar_bytes;
    const uint64_t before = load->first * load->scalar_bytes, left = bytes > before ? bytes - before : 0;
    return {load->from + start * load->scalar_bytes + before, smaller(left, load->row_bytes)};
}

/* The loads of a turn are copied in the order of their numbers: the first copy slice's scalars and bases, then the
 * next's. */
enum { CHUNK_LOADS = TRANSFER_LOADS / 2 };

static uint32_t scalars_load(uint32_t turn, uint32_t copy_slice)
{
    return turn * CHUNK_LOADS + 2 * copy_slice;
}

static uint32_t bases_load(uint32_t turn, uint32_t copy_slice)
{
    return scalars_load(turn, copy_slice) + 1;
}

/* This is the common state of the fillers. `lock` guards everything below it. */
struct filling {
    cuda_engine *engine;
    filler fillers[MAX_FILLERS];
    uint32_t filler_count; /* fillers that have blocks */
    uint32_t thread_count; /* fillers that have a thread */
    char *memory;
    pthread_mutex_t lock;
    pthread_cond_t work_came;
    pthread_cond_t work_is_done;
    /* Blocks are numbered consecutively over all calls. A turn's loads are replaced only after all of them have been
     * awaited, so that each block from next_block to blocks - 1 belongs to a load. */
    chunk_load loads[TRANSFER_LOADS];
    uint64_t next_block;
    uint64_t blocks;
    uint32_t busy; /* threads that hold a block */
    cudaError_t error;
    int stop;
};

/* Return the bytes of page-locked memory that a call needs for the plan's bytes_staging and bytes_host_resident. */
static uint64_t pinned_bytes(const msm_plan *plan)
{
    const uint64_t wished = ceil_divide(plan->bytes_staging + plan->bytes_host_resident, FILLER_BYTES);
    const uint64_t most = smaller(plan->threads, MAX_FILLERS);
    return (wished < 1 ? 1 : smaller(wished, most)) * BLOCKS_PER_FILLER * BLOCK_BYTES;
}

static cudaError_t copy_to_device(cuda_engine *engine, char *to, const char *from, uint64_t bytes)
{
    return CUDA_CALL(engine, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, engine->copies));
}

/* Return how many bytes of [column, column + count) the row has; the others are zeros. */
static uint64_t bytes_in_row(load_row row, uint64_t column, uint64_t count)
{
    return smaller(row.bytes > column ? row.bytes - column : 0, count);
}

/* Copy bytes [column, column + count) of a row to the device, from memory that is not pageable. */
static cudaError_t copy_row(cuda_engine *engine, char *to, load_row row, uint64_t column, uint64_t count)
{
    const uint64_t copied = bytes_in_row(row, column, count);
    if (copied > 0) {
        CUDA_FORWARD(copy_to_device(engine, to, row.from + column, copied));
    }
    return copied == count
               ? cudaSuccess
               : CUDA_CALL(engine, cudaMemsetAsync(to + copied, 0, count - copied, engine->copies));
}

/* Copy bytes [column, column + count) of a row to a block. */
static void fill_row(char *to, load_row row, uint64_t column, uint64_t count)
{
    const uint64_t copied = bytes_in_row(row, column, count);
    if (copied > 0) {
        memcpy(to, row.from + column, copied);
    }
    memset(to + copied, 0, count - copied);
}

/* Copy bytes [offset, offset + bytes) of a load, row by row: to the block if the load is pageable, else to the device. */
static cudaError_t take_rows(cuda_engine *engine, char *block, const chunk_load *load, uint64_t offset,
                             uint64_t bytes)
{
    for (uint64_t count; bytes > 0; offset += count, block += count, bytes -= count) {
        const uint64_t row = offset / load->row_bytes, column = offset % load->row_bytes;
        count = smaller(bytes, load->row_bytes - column);
        if (load->pageable) {
            fill_row(block, row_of(load, row), column, count);
        } else {
            CUDA_FORWARD(copy_row(engine, load->to + offset, row_of(load, row), column, count));
        }
    }
    return cudaSuccess;
}

/* Copy a block of a load to the device, through page-locked memory if the load is pageable. */
static cudaError_t send_block(const filling *all, filler *self, uint32_t which, const chunk_load *load,
                              uint64_t block)
{
    cuda_engine *engine = all->engine;
    const uint64_t offset = (block - load->first_block) * BLOCK_BYTES;
    const uint64_t bytes = smaller(bytes_of(load) - offset, BLOCK_BYTES);
    CUDA_FORWARD(CUDA_CALL(engine, cudaEventSynchronize(self->sent[which])));
    CUDA_FORWARD(take_rows(engine, self->blocks[which], load, offset, bytes));
    if (load->pageable) {
        CUDA_FORWARD(copy_to_device(engine, load->to + offset, self->blocks[which], bytes));
    }
    return CUDA_CALL(engine, cudaEventRecord(self->sent[which], engine->copies));
}

/* Fill blocks until none is left. The caller holds the lock before and after the call. */
static void fill(filling *all, filler *self)
{
    for (uint32_t which = 0; all->next_block < all->blocks; which = (which + 1) % BLOCKS_PER_FILLER) {
        const uint64_t block = all->next_block++;
        uint32_t p = 0;
        while (block < all->loads[p].first_block ||
               block - all->loads[p].first_block >= all->loads[p].blocks) {
            p++;
        }
        const chunk_load load = all->loads[p];
        all->busy++;
        pthread_mutex_unlock(&all->lock);
        cudaError_t error = send_block(all, self, which, &load, block);
        pthread_mutex_lock(&all->lock);
        all->busy--;
        if (error == cudaSuccess && --all->loads[p].blocks_left == 0) {
            error = CUDA_CALL(all->engine, cudaEventRecord(all->engine->arrived[p], all->engine->copies));
        }
        if (error != cudaSuccess) {
            all->error = error;
            all->next_block = all->blocks; /* drops the remaining blocks */
        }
        if (all->loads[p].blocks_left == 0 || all->next_block >= all->blocks) {
            pthread_cond_broadcast(&all->work_is_done);
        }
    }
}

static void *fill_forever(void *argument)
{
    filler *self = static_cast<filler *>(argument);
    filling *all = self->all;
    (void)cudaSetDevice(all->engine->device);
    pthread_mutex_lock(&all->lock);
    while (!all->stop) {
        if (all->next_block < all->blocks) {
            fill(all, self);
        } else {
            pthread_cond_wait(&all->work_came, &all->lock);
        }
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

void transfer_close(cuda_engine *engine)
{
    filling *all = engine->filling;
    if (all == NULL) {
        return;
    }
    pthread_mutex_lock(&all->lock);
    all->stop = 1;
    all->next_block = all->blocks; /* drops the remaining blocks */
    pthread_cond_broadcast(&all->work_came);
    pthread_mutex_unlock(&all->lock);
    for (uint32_t i = 0; i < all->thread_count; i++) {
        (void)pthread_join(all->fillers[i].thread, NULL);
    }
    (void)cudaFreeHost(all->memory);
    (void)pthread_mutex_destroy(&all->lock);
    (void)pthread_cond_destroy(&all->work_came);
    (void)pthread_cond_destroy(&all->work_is_done);
    delete all;
    engine->filling = NULL;
}

static cudaError_t create_blocks(cuda_engine *engine, filling *all)
{
    CUDA_FORWARD(CUDA_ALLOCATE(
        engine, cudaMallocHost(&all->memory, all->filler_count * BLOCKS_PER_FILLER * BLOCK_BYTES)));
    for (uint32_t i = 0; i < all->filler_count; i++) {
        filler *created = &all->fillers[i];
        created->all = all;
        for (uint32_t which = 0; which < BLOCKS_PER_FILLER; which++) {
            created->blocks[which] = all->memory + (i * BLOCKS_PER_FILLER + which) * BLOCK_BYTES;
        }
        CUDA_FORWARD(CUDA_CALL(engine, create_events(created->sent)));
    }
    return cudaSuccess;
}

/* Create the fillers that the plan needs, unless there are enough. */
static sumac_status want_fillers(cuda_engine *engine, const msm_plan *plan)
{
    const uint64_t bytes = pinned_bytes(plan);
    const uint32_t count = static_cast<uint32_t>(bytes / (BLOCKS_PER_FILLER * BLOCK_BYTES));
    if (engine->filling != NULL && engine->filling->filler_count >= count) {
        return SUMAC_OK;
    }
    transfer_close(engine);
    filling *all = new (std::nothrow) filling();
    if (all == NULL) {
        return cuda_out_of_memory(engine, sizeof *all, "threads that copy scalars and bases");
    }
    all->engine = engine;
    all->filler_count = count;
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->work_came, NULL);
    (void)pthread_cond_init(&all->work_is_done, NULL);
    engine->filling = all;
    const cudaError_t error = create_blocks(engine, all);
    if (error != cudaSuccess) {
        transfer_close(engine);
        return cuda_allocation_failed(engine, error, bytes, "scalars and bases on their way, page-locked");
    }
    /* If a thread cannot be created, fewer threads fill more slowly. Without any thread the caller fills the loads. */
    while (all->thread_count < count && pthread_create(&all->fillers[all->thread_count].thread, NULL,
                                                       fill_forever, &all->fillers[all->thread_count]) == 0) {
        all->thread_count++;
    }
    return SUMAC_OK;
}

static int is_pageable(const void *memory)
{
    cudaPointerAttributes attributes;
    const cudaError_t error = cudaPointerGetAttributes(&attributes, memory);
    (void)cudaGetLastError();
    return error == cudaSuccess && attributes.type == cudaMemoryTypeUnregistered;
}

/* Describe the load of a copy slice: for each of `rows` rows, which lie plan.n records apart from `records` on, the
 * slice's records. Contiguous rows become one row. */
static chunk_load load_of(const msm_job *job, uint64_t chunk_first, uint64_t chunk_n, uint32_t copy_slice,
                          const void *records, uint64_t bytes, uint32_t rows, void *to)
{
    const uint64_t start = copy_slice_start(job->plan, chunk_first, chunk_n, copy_slice);
    chunk_load load = {};
    load.from = static_cast<const char *>(records) + start * bytes;
    load.to = static_cast<char *>(to) + rows * start * bytes;
    load.row_bytes = (copy_slice_start(job->plan, chunk_first, chunk_n, copy_slice + 1) - start) * bytes;
    load.row_stride = job->plan->n * bytes;
    load.rows = rows;
    if (load.row_stride == load.row_bytes) {
        load.row_bytes *= rows;
        load.rows = 1;
    }
    return load;
}

/* Give the fillers a turn's loads. The caller copies a single block itself, because that takes less time than waking a
 * thread. If there are no threads, it copies all blocks. */
static sumac_status begin_filling(const msm_job *job, uint32_t turn, const chunk_load *loads)
{
    cuda_engine *engine = engine_of(job);
    TRY(want_fillers(engine, job->plan));
    filling *all = engine->filling;
    pthread_mutex_lock(&all->lock);
    const int idle = all->next_block == all->blocks && all->busy == 0;
    const uint64_t before = all->blocks;
    for (uint32_t p = 0; p < CHUNK_LOADS; p++) {
        chunk_load *load = &all->loads[turn * CHUNK_LOADS + p];
        *load = loads[p];
        load->first_block = all->blocks;
        load->blocks = load->blocks_left = ceil_divide(bytes_of(load), BLOCK_BYTES);
        all->blocks += load->blocks;
    }
    if (all->thread_count == 0 || (idle && all->blocks - before == 1)) {
        fill(all, &all->fillers[0]);
    } else {
        pthread_cond_broadcast(&all->work_came);
    }
    pthread_mutex_unlock(&all->lock);
    return SUMAC_OK;
}

/* cudaMemcpy2DAsync() accepts no larger pitch. */
static const uint64_t MAX_PITCH = (uint64_t)1 << 30;

static sumac_status copy_load(cuda_engine *engine, const chunk_load *load)
{
    if (load->offsets == NULL && load->rows > 1 && load->row_stride <= MAX_PITCH) {
        CUDA_TRY(engine, cudaMemcpy2DAsync(load->to, load->row_bytes, load->from, load->row_stride,
                                           load->row_bytes, load->rows, cudaMemcpyDefault, engine->copies));
        return SUMAC_OK;
    }
    for (uint32_t row = 0; row < load->rows; row++) {
        const cudaError_t error =
            copy_row(engine, load->to + row * load->row_bytes, row_of(load, row), 0, load->row_bytes);
        if (error != cudaSuccess) {
            return cuda_fail(engine, error, "copying scalars or bases");
        }
    }
    return SUMAC_OK;
}

static uint32_t turn_of(const msm_plan *plan, uint64_t chunk_first)
{
    return chunk_first == 0 ? 0 : static_cast<uint32_t>(chunk_first / plan_chunk(plan) % plan_turns(plan));
}

/* Return the address to which a chunk's records from number `before` on are copied; each of `rows` rows has records of
 * `bytes` bytes. */
static void *copied(const msm_plan *plan, void *memory, uint64_t chunk_first, uint64_t before, uint32_t rows,
                    uint64_t bytes)
{
    const uint64_t records = turn_of(plan, chunk_first) * plan_chunk(plan) + before;
    return static_cast<char *>(memory) + records * rows * bytes;
}

static void *copied_scalars(const msm_job *job, const feed_memory *memory, uint64_t chunk_first,
                            uint64_t before)
{
    return copied(job->plan, memory->scalars, chunk_first, before, job->plan->batch, job->layout.bytes);
}

static void *host_resident_bases(const msm_job *job, const feed_memory *memory, uint64_t chunk_first,
                                 uint64_t before)
{
    return copied(job->plan, memory->bases, chunk_first, before, job->base_sets, job->code->affine_bytes);
}

/*
 * Begin to copy a chunk on the stream for copies, load by load: for each copy slice its scalars, those of MSM 0 first,
 * padded with zeros for shorter MSMs, and its bases, those of set 0 first. Queued work of the engine's stream may still
 * read the memory that is written, so the copies wait for it, except for the first chunk of a call that found no work on
 * the stream, as it has none of a caller. Chunks alternate between
 * two turns: loads of the other turn may still be running, but write other memory; those of this turn have been
 * awaited. See docs/internals/cuda.md, "How are copies hidden?".
 *
 * If one load has to be filled, all go through the fillers, so that they arrive in order.
 */
static sumac_status begin(const msm_job *job, uint64_t chunk_first, uint64_t chunk_n,
                          const feed_memory *memory)
{
    cuda_engine *engine = engine_of(job);
    const uint32_t turn = turn_of(job->plan, chunk_first);
    void *scalars = copies_scalars(job) ? copied_scalars(job, memory, chunk_first, 0) : NULL;
    void *bases = job->bases.host_resident ? host_resident_bases(job, memory, chunk_first, 0) : NULL;
    if (scalars == NULL && bases == NULL) {
        return SUMAC_OK;
    }
    const int is_on_device = job->scalars_location == SUMAC_LOCATION_DEVICE;
    const bool is_callers = engine->stream != engine->in_flight_passes[0].own;
    if (is_callers || chunk_first > 0 || job->first_msm > 0 || (scalars != NULL && is_on_device)) {
        CUDA_TRY(engine, cudaEventRecord(engine->vacated, engine->stream));
        CUDA_TRY(engine, cudaStreamWaitEvent(engine->copies, engine->vacated, 0));
    }
    const uint64_t scalar_bytes = job->layout.bytes, base_bytes = job->code->affine_bytes;
    const void *from_scalars = job->scalars + chunk_first * scalar_bytes;
    const void *from_bases =
        static_cast<const char *>(job->bases.points) + (job->first_base + chunk_first) * base_bytes;
    const int scalars_pageable = scalars != NULL && is_pageable(job->scalars);
    const int bases_pageable = bases != NULL && is_pageable(job->bases.points);
    chunk_load loads[CHUNK_LOADS] = {};
    for (uint32_t copy_slice = 0; copy_slice < job->plan->copy_slices; copy_slice++) {
        if (scalars != NULL) {
            chunk_load *load = &loads[scalars_load(0, copy_slice)];
            *load = load_of(job, chunk_first, chunk_n, copy_slice, from_scalars, scalar_bytes,
                            job->plan->batch, scalars);
            load->pageable = scalars_pageable;
            if (job->offsets != NULL) {
                load->offsets = job->offsets;
                load->scalar_bytes = scalar_bytes;
                load->row_bytes = bytes_of(load) / job->plan->batch;
                load->rows = job->plan->batch;
                load->from = reinterpret_cast<const char *>(job->scalars);
                load->first = chunk_first + copy_slice_start(job->plan, chunk_first, chunk_n, copy_slice);
            }
        }
        if (bases != NULL) {
            chunk_load *load = &loads[bases_load(0, copy_slice)];
            *load =
                load_of(job, chunk_first, chunk_n, copy_slice, from_bases, base_bytes, job->base_sets, bases);
            load->pageable = bases_pageable;
        }
    }
    const int fills = scalars_pageable || bases_pageable;
    for (uint32_t p = 0; p < CHUNK_LOADS; p++) {
        const uint32_t number = turn * CHUNK_LOADS + p;
        engine->fills[number] = fills;
        if (!fills && bytes_of(&loads[p]) > 0) {
            TRY(copy_load(engine, &loads[p]));
            CUDA_TRY(engine, cudaEventRecord(engine->arrived[number], engine->copies));
        }
    }
    return fills ? begin_filling(job, turn, loads) : SUMAC_OK;
}

/* Let the stream wait until a load has arrived. */
static sumac_status await_load(const msm_job *job, uint32_t p, cudaStream_t stream)
{
    cuda_engine *engine = engine_of(job);
    if (engine->fills[p]) {
        filling *all = engine->filling;
        pthread_mutex_lock(&all->lock);
        while (all->loads[p].blocks_left > 0 && all->error == cudaSuccess) {
            pthread_cond_wait(&all->work_is_done, &all->lock);
        }
        const cudaError_t error = all->error;
        pthread_mutex_unlock(&all->lock);
        if (error != cudaSuccess) {
            return cuda_fail(engine, error, "copying from pageable memory");
        }
    }
    CUDA_TRY(engine, cudaStreamWaitEvent(stream, engine->arrived[p], 0));
    return SUMAC_OK;
}

/* Let the pass's stream wait until a copy slice of the turn's chunk has arrived. */
static sumac_status await_copies(const msm_job *job, uint32_t turn, uint32_t copy_slice, cudaStream_t stream)
{
    if (copies_scalars(job)) {
        TRY(await_load(job, scalars_load(turn, copy_slice), stream));
    }
    return job->bases.host_resident ? await_load(job, bases_load(turn, copy_slice), stream) : SUMAC_OK;
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
        all->error = cudaSuccess; /* the call that failed has ended */
        pthread_mutex_unlock(&all->lock);
    }
    (void)cudaStreamSynchronize(engine->copies);
}

/* ---- The inputs of a pass ---- */

static void shape(const plan_request *request, msm_plan *plan)
{
    plan->bytes_staging = 0;
    if (plan_copies_scalars(request)) {
        plan->bytes_staging = plan_turns(plan) * plan_chunk(plan) * plan->sub_batch * request->layout.bytes;
    }
    plan->bytes_pinned = 0;
    if (plan->bytes_staging + plan->bytes_host_resident > 0) {
        plan->bytes_pinned = pinned_bytes(plan);
        cuda_choose_copy_slices(request, plan);
    }
}

static pass_inputs inputs_of(const msm_job *job, const feed_memory *memory, const msm_pass *pass)
{
    const msm_plan *plan = job->plan;
    const uint64_t before = pass->first - pass->chunk_first; /* the chunk's records in earlier copy slices */
    pass_inputs inputs = {
        .stride = pass->n,
        .bases = job->bases.points,
        .first_base = job->first_base + pass->first,
        .set_bases = plan->n,
    };
    if (copies_scalars(job)) {
        inputs.scalars = static_cast<uint8_t *>(copied_scalars(job, memory, pass->chunk_first, before));
    } else {
        inputs.scalars = job->scalars + pass->first * job->layout.bytes;
        inputs.stride = plan->n;
    }
    if (job->bases.host_resident) {
        inputs.bases = host_resident_bases(job, memory, pass->chunk_first, before);
        inputs.first_base = 0;
        inputs.set_bases = pass->n;
    }
    return inputs;
}

static sumac_status await(const msm_job *job, const feed_memory *memory, msm_pass *pass)
{
    pass->inputs = inputs_of(job, memory, pass);
    TRY(passes_begin(job, pass));
    if (pass->first_module >=
        static_cast<uint64_t>(job->plan->modules_per_pass) * job->plan->in_flight_passes) {
        return SUMAC_OK; /* the first pass of this in-flight pass has waited */
    }
    return await_copies(job, turn_of(job->plan, pass->chunk_first), pass->copy_slice,
                        in_flight_of(pass)->stream);
}

const feed_ops cuda_feed = {
    .shape = shape,
    .cost = cuda_cost_of_feed,
    .begin = begin,
    .await = await,
    .end = passes_join,
};
