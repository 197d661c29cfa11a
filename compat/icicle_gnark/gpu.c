/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gpu.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

/* Functions of CUDA's driver (cuda.h). A CUdeviceptr has the size of a pointer, and a CUdevice is an int. */
static struct {
    int (*init)(unsigned flags);
    int (*count)(int *count);
    int (*device)(int *device, int number);
    int (*retain)(void **context, int device);
    int (*push)(void *context);
    int (*pop)(void **context);
    int (*allocate)(uintptr_t *memory, size_t bytes);
    int (*release)(uintptr_t memory);
    int (*copy)(uintptr_t to, uintptr_t from, size_t bytes);
    int (*set)(uintptr_t memory, unsigned char value, size_t bytes);
    int (*available)(size_t *free, size_t *total);
    int (*wait)(void *stream);
} driver;

static const struct {
    const char *name;
    void *function; /* the address of a pointer to a function */
} names[] = {
    {"cuInit", &driver.init},
    {"cuDeviceGetCount", &driver.count},
    {"cuDeviceGet", &driver.device},
    {"cuDevicePrimaryCtxRetain", &driver.retain},
    {"cuCtxPushCurrent_v2", &driver.push},
    {"cuCtxPopCurrent_v2", &driver.pop},
    {"cuMemAlloc_v2", &driver.allocate},
    {"cuMemFree_v2", &driver.release},
    {"cuMemcpy", &driver.copy},
    {"cuMemsetD8_v2", &driver.set},
    {"cuMemGetInfo_v2", &driver.available},
    {"cuStreamSynchronize", &driver.wait},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int gpus;

static void load(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *function = library == NULL ? NULL : dlsym(library, names[i].name);
        if (function == NULL) {
            return;
        }
        memcpy(names[i].function, &function, sizeof function);
    }
    if (driver.init(0) != 0 || driver.count(&gpus) != 0) {
        gpus = 0;
    }
}

int sumac_icicle_gpu_count(void)
{
    pthread_once(&once, load);
    return gpus;
}

void *sumac_icicle_gpu_open(int number)
{
    int device;
    void *gpu = NULL;
    return driver.device(&device, number) == 0 && driver.retain(&gpu, device) == 0 ? gpu : NULL;
}

/* Make a GPU the calling thread's for one call, and restore what was there before. */
#define WITH_GPU(GPU, CALL)                                                                                  \
    void *popped;                                                                                            \
    int result = driver.push(GPU);                                                                           \
    if (result == 0) {                                                                                       \
        result = (CALL);                                                                                     \
        driver.pop(&popped);                                                                                 \
    }                                                                                                        \
    return result;

int sumac_icicle_gpu_malloc(void *gpu, void **memory, size_t bytes)
{
    uintptr_t *address = (uintptr_t *)(void *)memory;
    WITH_GPU(gpu, driver.allocate(address, bytes))
}

int sumac_icicle_gpu_free(void *gpu, void *memory)
{
    WITH_GPU(gpu, driver.release((uintptr_t)memory))
}

/* A copy from pageable memory may return before its end, and one within the GPU does. */
int sumac_icicle_gpu_copy(void *gpu, void *to, const void *from, size_t bytes)
{
    WITH_GPU(gpu, driver.copy((uintptr_t)to, (uintptr_t)from, bytes) || driver.wait(NULL))
}

int sumac_icicle_gpu_set(void *gpu, void *memory, int value, size_t bytes)
{
    WITH_GPU(gpu, driver.set((uintptr_t)memory, (unsigned char)value, bytes) || driver.wait(NULL))
}

int sumac_icicle_gpu_memory(void *gpu, size_t *total, size_t *free)
{
    WITH_GPU(gpu, driver.available(free, total))
}
