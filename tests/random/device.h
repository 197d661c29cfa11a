/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A GPU's memory and streams for random cases. In programs that are built without SUMAC_RANDOM_CUDA there is no device. */
#ifndef SUMAC_RANDOM_DEVICE_H
#define SUMAC_RANDOM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

int device_count(void);

/* Return 0 if kernels do nothing (cuda/fake): results are then meaningless, and faults that only kernels find are not found. */
int device_computes(void);

/* Make a fake runtime's call `number`, counted from 0 from now on, fail, and with from_then_on all later ones; a
 * negative number means none. Return how many calls have failed since the last call of this function. */
long device_fail(long number, int from_then_on);

/* Set the free memory of each device of a fake runtime to this many bytes more than the engine leaves free. 0 means no
 * free memory at all, and UINT64_MAX means more than any test needs. */
void device_leave(uint64_t bytes);

/* At the end, report a finding if memory, a stream or an event of a fake device was not freed, and end the process. */
void device_expect_nothing_left(void);

/* Allocate memory of a device and copy the host's bytes to it; it is a finding if there is not enough. */
void *device_take(int device, const void *host, size_t bytes);
/* Copy back (a null host copies nothing) and free. */
void device_give(int device, void *memory, void *host, size_t bytes);

void *device_stream_make(int device);
void device_stream_free(int device, void *stream);

#endif
