/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Tests control and question the fake of CUDA's runtime by these functions. A misuse of the runtime ends the process with a
 * sentence and SIGABRT: a copy beyond a block, a block freed twice, a stream or event used after it was destroyed.
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

/* Set the free bytes of each device, beyond which allocations fail. At first they are 80 GiB; the host's memory is used
 * only for bytes that are written. */
void fake_leave(uint64_t bytes);

/* The number-th call of the runtime from now on fails, counted from 0; with from_then_on all later ones do, too; negative:
 * none. A call that waits has waited, one that frees has freed, and any other has done nothing. The count of calls that
 * failed since the last time is returned. Calls from any thread are counted. */
long fake_fail(long number, int from_then_on);

/* Allow or forbid copies of pageable memory, which are allowed at first; a forbidden copy ends the process. */
void fake_take_pageable(int takes);

/* Make streams slow, so that others come first and a missing wait gives wrong values, also without the sanitizer. */
void fake_dawdle(int dawdles);

/* Calls of the runtime since the beginning that wait for a stream, or that the real one lets wait. */
uint64_t fake_waits(void);

/* Kernels launched since the beginning. */
uint64_t fake_launches(void);

/* Ends the process where memory, a stream or an event is left. */
void fake_expect_nothing_left(void);

/* Stand in for a call of a library of kernels: without temporary memory it returns how much it needs. */
cudaError_t fake_library_call(const void *temporary, size_t *bytes);

#ifdef __cplusplus
}

#include <functional>

/* Queue a function in place of a kernel. */
void fake_launch(cudaStream_t stream, std::function<void()> kernel);
#endif

#endif
