/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A GPU's memory and streams for random cases. In programs that are built without SUMAC_RANDOM_CUDA there is no device. */
#ifndef SUMAC_RANDOM_DEVICE_H
#define SUMAC_RANDOM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

int device_count(void);

/* 0 where kernels do nothing (cuda/fake): results mean nothing then, and what only kernels find is not found. */
int device_computes(void);

/* On a fake runtime: the number-th of its calls from now on fails, counted from 0, with from_then_on all
 * later ones, too; negative: none. How many have failed since the last time. */
long device_fail(long number, int from_then_on);

/* On a fake runtime: so many bytes are free on each device beside what the engine leaves free; 0: none at all; UINT64_MAX: more than any
 * test needs. */
void device_leave(uint64_t bytes);

/* On a fake runtime, at the end: a finding that ends the process where memory, a stream or an event of a device is left. */
void device_expect_nothing_left(void);

/* `bytes` bytes of a device's memory, filled from the host's; a finding where there are none. */
void *device_take(int device, const void *host, size_t bytes);
/* Copy back (a null host copies nothing) and free. */
void device_give(int device, void *memory, void *host, size_t bytes);

void *device_stream_make(int device);
void device_stream_free(int device, void *stream);

#endif
