/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The device's memory and page-locked memory of the host, and single copies between them. */
#ifndef SUMAC_CUDA_DEVICE_MEMORY_H
#define SUMAC_CUDA_DEVICE_MEMORY_H

#include "cuda/device/engine.h"

/* As the backend's and device_ops' of these names. */
void *cuda_allocate(void *engine, uint64_t bytes);
void cuda_release(void *memory);
void *cuda_allocate_pinned(void *engine, uint64_t bytes);
void cuda_release_pinned(void *memory);
sumac_status cuda_upload(void *engine, void *to, const void *from, uint64_t bytes);
sumac_status cuda_begin_upload(void *engine, void *to, const void *from, uint64_t bytes);
sumac_status cuda_end_upload(void *engine);
sumac_status cuda_download(void *engine, void *to, const void *from, uint64_t bytes);
sumac_status cuda_copy_across(void *engine, void *to, const void *from, uint64_t bytes);
void cuda_connect(void *engine, int32_t other);
uint64_t cuda_memory_free(void *engine);

/* Have the device's pool keep a part of its memory; and give back what nobody uses. */
cudaError_t pool_keep(int device, uint64_t device_bytes);
void pool_trim(int device);

/* Take so many bytes of the scratch block from *end on; what they begin at is a multiple of 256. */
static inline uint64_t scratch_take(uint64_t *end, uint64_t bytes)
{
    const uint64_t offset = *end;
    *end = (offset + bytes + 255) / 256 * 256;
    return offset;
}

/* Page-locked memory, which grows as it is needed. */
struct pinned_buffer {
    char *memory;
    uint64_t bytes;
};

/* At least so many bytes, for something. Nothing that is under way uses the buffer. */
sumac_status pinned_want(cuda_engine *engine, pinned_buffer *buffer, uint64_t bytes, const char *what);
void pinned_free(pinned_buffer *buffer);

/* The same of the device's memory. */
struct device_buffer {
    char *memory;
    uint64_t bytes;
};
sumac_status device_want(cuda_engine *engine, device_buffer *buffer, uint64_t bytes, const char *what);
void device_free(device_buffer *buffer);

#endif
