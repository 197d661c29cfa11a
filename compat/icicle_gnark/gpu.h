/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The memory of GPUs, by functions of CUDA's driver, which is loaded when the program runs. */
#ifndef SUMAC_ICICLE_GPU_H
#define SUMAC_ICICLE_GPU_H

#include <stddef.h>

/* Return the number of GPUs; 0 if there is no driver. */
int sumac_icicle_gpu_count(void);

/* Return a GPU's primary context, which libsumac uses, too; null on failure. It is never released. */
void *sumac_icicle_gpu_open(int number);

/* These functions return 0 on success. Copies are done when they return. */
int sumac_icicle_gpu_malloc(void *gpu, void **memory, size_t bytes);
int sumac_icicle_gpu_free(void *gpu, void *memory);
int sumac_icicle_gpu_copy(void *gpu, void *to, const void *from, size_t bytes);
int sumac_icicle_gpu_set(void *gpu, void *memory, int value, size_t bytes);
int sumac_icicle_gpu_memory(void *gpu, size_t *total, size_t *free);

#endif
