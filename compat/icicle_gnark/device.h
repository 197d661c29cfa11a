/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The devices of icicle_gnark.h: what computes for them, and where their memory is. */
#ifndef SUMAC_ICICLE_DEVICE_H
#define SUMAC_ICICLE_DEVICE_H

#include "icicle_gnark.h"
#include "sumac/pool.h"

/* Devices of type "CUDA" have the numbers of their GPUs, and "CPU" has the number after them. */
enum { SUMAC_ICICLE_MOST_GPUS = 16, SUMAC_ICICLE_DEVICES = SUMAC_ICICLE_MOST_GPUS + 1 };

typedef struct sumac_icicle_device {
    sumac_pool *pool; /* of contexts */
    void *gpu;     /* the GPU's primary context; null: the device computes on the CPU, in the host's memory */
    size_t number; /* less than SUMAC_ICICLE_DEVICES */
} sumac_icicle_device;

/* Find the active device of the calling thread. It is never freed. */
int sumac_icicle_active(const sumac_icicle_device **device);

/* Check that an operand lies on the device, or on the host. A null pointer is an error, unless there are 0 bytes. */
int sumac_icicle_check_memory(const sumac_icicle_device *device, const void *memory, size_t bytes,
                              bool on_device);

/* Copy bytes; each of the two buffers may be the host's or the device's. */
int sumac_icicle_copy(const sumac_icicle_device *device, void *to, const void *from, size_t bytes);

/* Translate a status of the library. */
int sumac_icicle_status_of(sumac_status status);

#endif
