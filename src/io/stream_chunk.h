/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The memory of an MSM of files: the blocks that bytes come in, and a chunk's scalars and bases. With a device blocks are
 * page-locked, and go from there to its memory as they are, where there is room for a chunk; else, and with several
 * devices, the host's threads import the bases, and the scalars are the host's.
 */
#ifndef SUMAC_IO_STREAM_CHUNK_H
#define SUMAC_IO_STREAM_CHUNK_H

#include "io/importer.h"
#include "io/stream_reader.h"

typedef struct chunk_memory {
    sumac_context *context;
    const sumac_curve *curve;
    const char *bases_path, *scalars_path; /* for sentences */
    void *blocks;                          /* reader_ring_bytes() */
    uint8_t *scalars;                      /* of a chunk; null: they are in */
    uint8_t *device_scalars;
    void *staging;      /* with them: for a block of raw points on the device */
    sumac_bases *bases; /* of a chunk; on the CPU, the same memory for all */
    int bases_are_sent; /* they go through staging */
} chunk_memory;

/* How files are best read in that context, if the call may take so many bytes. */
reader_shape chunk_reader_shape(const sumac_context *context, uint64_t limit);

/* What blocks take, and what imports them. */
uint64_t chunk_fixed_bytes(const record_file *inputs, const reader_shape *shape);

/* Memory for chunks of at most n bases, but for the bases, of an empty struct with its first four fields. chunk_memory_end()
 * also after a failure, before the context's next call. */
sumac_status chunk_memory_begin(chunk_memory *memory, const record_file *inputs, const reader_shape *shape,
                                uint64_t n);
void chunk_memory_end(chunk_memory *memory);

/* Where the scalars are. */
sumac_location chunk_scalars_location(const chunk_memory *memory);
const void *chunk_scalars(const chunk_memory *memory);

/* Bytes of the chunk's scalars, from byte `offset` of them on. */
sumac_status chunk_take_scalars(chunk_memory *memory, uint64_t offset, const uint8_t *bytes, size_t count);

/* The first of n scalars that has more bits than declared; there is one. */
sumac_status chunk_first_large_scalar(const chunk_memory *memory, uint64_t n, sumac_form form, uint32_t bits,
                                      uint64_t *first);

/* memory->bases for the next n: on the CPU the first chunk's bases are overwritten by those of the next. */
sumac_status chunk_bases(chunk_memory *memory, uint64_t n, const sumac_bases_config *config);

#endif
