/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tests of streams share this header. It has a gate that holds a stream up, and a check of the test's own calls of the
 * runtime. */
#ifndef SUMAC_TESTS_CUDA_GATE_H
#define SUMAC_TESTS_CUDA_GATE_H

#include <pthread.h>
#include <time.h>

#include <cuda_runtime_api.h>

#include "support/abort.h"

static inline void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        test_abort("%s: %s", what, cudaGetErrorString(error));
    }
}

/* A gate holds a stream up until the test opens it. */
typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opens;
    int open;
} gate;

static inline void wait_at_gate(void *argument)
{
    gate *g = argument;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec +=
        20; /* if the call waits for the stream, the gate is opened too late, and the test fails */
    pthread_mutex_lock(&g->lock);
    while (!g->open && pthread_cond_timedwait(&g->opens, &g->lock, &limit) == 0) {
    }
    pthread_mutex_unlock(&g->lock);
}

static inline void open_gate(gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->open = 1;
    pthread_cond_signal(&g->opens);
    pthread_mutex_unlock(&g->lock);
}

#endif
