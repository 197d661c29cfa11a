/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions choose the size of the chunks of an MSM that is streamed from files, and allocate their memory. The
 * memory consists of the blocks into which files are read, the chunk's scalars and its bases. If the context has a
 * single device whose memory can hold a chunk, blocks are page-locked and copied to the device unchanged. Otherwise the
 * host's threads import the bases, and the scalars stay in host memory.
 */
#ifndef SUMAC_IO_STREAM_CHUNK_H
#define SUMAC_IO_STREAM_CHUNK_H

#include "io/importer.h"
#include "io/stream_inputs.h"

/* ---- The size of chunks ---- */

typedef struct chunk_sizes {
    uint64_t chunk;     /* the number of bases in a chunk; 0 if the MSM has no bases */
    uint64_t workspace; /* on the CPU, the most bytes of workspace within the limit */
    uint64_t total;     /* bytes of host memory, at most the limit */
} chunk_sizes;

typedef struct chunk_request {
    const sumac_group *group;
    const sumac_bases_config *bases;
    const sumac_msm_config *msm;
    uint64_t n;     /* the number of bases in all chunks */
    uint64_t chunk; /* the number of bases in a chunk; 0: choose it */
    uint64_t limit; /* the most bytes of host memory */
    uint64_t fixed; /* the number of bytes that do not depend on the chunks */
} chunk_request;

/* Choose the chunk size that the planner predicts to be fastest within the limit. Return SUMAC_OK, SUMAC_MEMORY_LIMIT,
 * or the status of a plan that failed. */
sumac_status chunk_choose_sizes(sumac_context *context, const chunk_request *request, chunk_sizes *sizes);

/* A call may use at most `limit` bytes. Choose how it reads files. */
reader_shape chunk_reader_shape(const sumac_context *context, uint64_t limit);

/* Return how many bytes the blocks and the importer take. */
uint64_t chunk_fixed_bytes(const stream_inputs *inputs);

/* ---- The memory of a chunk ---- */

typedef struct chunk_memory {
    const stream_inputs *inputs;
    void *blocks;     /* reader_ring_bytes() of memory */
    uint8_t *scalars; /* a chunk's scalars, in host or device memory */
    int scalars_on_device;
    void *staging;      /* if scalars_on_device is set: device memory for a block of raw points */
    sumac_bases *bases; /* a chunk's bases; on the CPU, all chunks share the memory */
} chunk_memory;

/* Allocate blocks and scalars for chunks of at most n bases. The caller must call chunk_free() before the context's
 * next call, also after a failure. For a zeroed struct chunk_free() does nothing. */
sumac_status chunk_allocate(chunk_memory *memory, const stream_inputs *inputs, uint64_t n);
void chunk_free(chunk_memory *memory);

/* Copy bytes into the chunk's scalars, from byte `offset` on. */
sumac_status chunk_copy_scalars(chunk_memory *memory, uint64_t offset, const uint8_t *bytes, size_t count);

/* Find the first of n scalars that has more than `bits` bits. The caller knows that there is one. */
sumac_status chunk_find_large_scalar(const chunk_memory *memory, uint64_t n, sumac_form form, uint32_t bits,
                                     uint64_t *first);

/* Allocate memory->bases for the next n bases, and begin to import them from the blocks. On the CPU the bases of every
 * chunk overwrite those of the first one. The caller must call point_importer_end(), also after a failure. */
sumac_status chunk_begin_bases(chunk_memory *memory, uint64_t n, const sumac_bases_config *config,
                               point_importer *importer);

#endif
