/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Tests control the fake of CUDA's runtime by these functions. If the runtime is misused, the process ends with a
 * message and SIGABRT. Examples are a copy beyond a block, a block that is freed twice, and a stream or event that is
 * used after it was destroyed.
 */
#ifndef SUMAC_TESTS_CUDA_FAKE_FAKE_H
#define SUMAC_TESTS_CUDA_FAKE_FAKE_H

#include <stddef.h>
#include <stdint.h>

#include "cuda_runtime_api.h"

enum { FAKE_DEVICES = 2 };

#ifdef __cplusplus
extern "C" {
#endif

/* Set the free bytes of each device, beyond which allocations fail. At first they are 80 GiB. The host's memory is used
 * only for bytes that are written. */
void fake_leave(uint64_t bytes);

/* Make call `number` of the runtime fail, counted from 0 over all threads. If `number` is negative, no call fails. With
 * from_then_on all later calls fail, too. A failing call still waits or frees memory, but does nothing else. Return how
 * many calls have failed since the last call of this function. */
long fake_fail(long number, int from_then_on);

/* Allow or forbid copies of pageable memory, which are allowed at first. If a copy is forbidden, it ends the
 * process. */
void fake_take_pageable(int takes);

/* Make streams slow, so that a missing wait gives wrong values even without the thread sanitizer. */
void fake_dawdle(int dawdles);

/* Return how many calls of the runtime have waited for a stream, or may wait for one with the real runtime. */
uint64_t fake_waits(void);

/* Return how many kernels the process has launched. */
uint64_t fake_launches(void);

/* End the process if memory, a stream or an event was not freed. */
void fake_expect_nothing_left(void);

/* Imitate a function of CUB: without temporary memory it returns how much memory it needs. */
cudaError_t fake_library_call(const void *temporary, size_t *bytes);

#ifdef __cplusplus
}

#include <functional>

/* Queue a function as if it were a kernel. */
void fake_launch(cudaStream_t stream, std::function<void()> kernel);
#endif

#endif
