/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header gives random cases a GPU's memory and streams. In programs that are built without SUMAC_RANDOM_CUDA there
 * is no device. */
#ifndef SUMAC_RANDOM_DEVICE_H
#define SUMAC_RANDOM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

int device_count(void);

/* Return 0 if kernels do nothing (cuda/fake): results are then meaningless, and faults that only kernels find are not found. */
int device_computes(void);

/* Make call `number` of a fake runtime fail, counted from 0 from now on. If `number` is negative, no call fails. With
 * from_then_on all later calls fail, too. Return how many calls have failed since the last call of this function. */
long device_fail(long number, int from_then_on);

/* Set the free memory of each device of a fake runtime to this many bytes more than the engine leaves free. 0 means no
 * free memory at all, and UINT64_MAX means more than any test needs. */
void device_leave(uint64_t bytes);

/* Report a finding, and end the process, if memory, a stream or an event of a fake device was not freed. Call this at
 * the end. */
void device_expect_nothing_left(void);

/* Allocate memory of a device and copy the host's bytes to it. If there is not enough memory, this is a finding. */
void *device_take(int device, const void *host, size_t bytes);
/* Copy the memory back and free it. If `host` is null, copy nothing. */
void device_give(int device, void *memory, void *host, size_t bytes);

void *device_stream_make(int device);
void device_stream_free(int device, void *stream);

#endif
