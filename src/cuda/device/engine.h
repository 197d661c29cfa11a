/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The CUDA engine: one context's streams on one device, and what it keeps from call to call.
 *
 * A stage queues its work on the stream of its pass (passes.h), everything else on the engine's own; a stage waits only
 * where the host must know a number (accumulate) or wants the results (deliver).
 */
#ifndef SUMAC_CUDA_DEVICE_ENGINE_H
#define SUMAC_CUDA_DEVICE_ENGINE_H

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "cuda/device/passes.h"
#include "pipeline/plan_sizes.h"

/* The loads, copied and awaited by themselves: each copy slice's scalars, and its bases; of two chunks. */
enum { TRANSFER_LOADS = 2 * 2 * COPY_SLICES_MAX };

/* What point_transforms_twice.cu keeps of the last length of rows, in one of two forms. */
struct point_form {
    void *memory;                    /* the device's; null until it is needed, as is what follows */
    struct twice_stages *stages;     /* of the host's memory */
    const struct sumac_curve *curve; /* null: the lists are not whole */
    uint32_t log2;
};

struct cuda_engine {
    int device;
    int multiprocessors;
    bool launches_early; /* it can launch a kernel's blocks before the one before has ended */
    cuda_in_flight_pass in_flight_passes[PLAN_MAX_IN_FLIGHT_PASSES];
    cudaStream_t stream;                 /* the first one's, for all that is not of a pass */
    cudaStream_t copies;                 /* of scalars and host-resident bases: copies.cu */
    cudaEvent_t arrived[TRANSFER_LOADS]; /* the load is on the device */
    cudaEvent_t before;                  /* what a caller's stream held; and what it is to wait for */
    cudaEvent_t after;
    cudaEvent_t vacated;         /* after it nothing reads what the last chunk is copied over */
    cudaEvent_t begun;           /* the first in-flight pass has come to a sub-batch's first pass */
    size_t shared_bytes;         /* that a block can have */
    int fills[TRANSFER_LOADS];   /* the load goes through `filling` */
    struct filling *filling;     /* its threads; null until they are needed */
    const void *pair_kernels[2]; /* for which pair_shared_bytes holds: in place, gathered */
    size_t pair_shared_bytes[2];
    uint32_t *too_large;               /* a word of the first mailbox, for all in-flight passes */
    unsigned long long *first_bad;     /* likewise */
    struct delivery *delivery;         /* of the last call: deliver.h */
    struct host_combine *host_combine; /* likewise: combine_host.cu; null until it is needed */
    void *vector_scratch;              /* vectors.h; null until it is needed */
    point_form point_forms[2];         /* the second one is direct */
    struct decoder *decoder;           /* decode.h; null until it is needed */
    uint64_t failing_call; /* for tests: 1: the next call of the runtime fails, 2: the one after; 0: none */
    char description[512]; /* a name of 256 bytes, and numbers */
    char message[256];
};

static inline cuda_engine *engine_of(const msm_job *job)
{
    return static_cast<cuda_engine *>(job->engine);
}

#endif
