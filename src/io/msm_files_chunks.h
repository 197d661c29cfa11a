/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How large the chunks of an MSM of files are. */
#ifndef SUMAC_IO_MSM_FILES_CHUNKS_H
#define SUMAC_IO_MSM_FILES_CHUNKS_H

#include "sumac/sumac.h"

typedef struct chunk_sizes {
    uint64_t chunk;     /* bases of a chunk; 0 where there are none at all */
    uint64_t workspace; /* most bytes for it, on the CPU: what the limit leaves */
    uint64_t total;     /* of the host's memory: at most the limit */
} chunk_sizes;

/* What is asked for. */
typedef struct chunk_sizes_request {
    const sumac_curve *curve;
    const sumac_bases_config *bases;
    const sumac_msm_config *msm;
    uint64_t n;     /* bases that there are to do */
    uint64_t chunk; /* 0: choose */
    uint64_t limit;
    uint64_t fixed; /* bytes that are taken whatever the chunks are */
} chunk_sizes_request;

/* SUMAC_OK, SUMAC_MEMORY_LIMIT, or as planning fails. */
sumac_status chunk_sizes_choose(sumac_context *context, const chunk_sizes_request *request,
                                chunk_sizes *sizes);

#endif
