/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"

/* A pool creates contexts when they are needed. If so many calls run at once, the next one waits. */
enum { MOST_CALLS = 64, CPU = SUMAC_ICICLE_MOST_GPUS, ALIGNMENT = 64 };

/* ---- Devices ---- */

/* A device is opened when it is first used. The lock is held only then. */
static _Atomic(sumac_icicle_device *) devices[SUMAC_ICICLE_DEVICES];
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local int active = CPU;

int sumac_icicle_status_of(sumac_status status)
{
    switch (status) {
    case SUMAC_OK:
        return SUMAC_ICICLE_SUCCESS;
    case SUMAC_OUT_OF_MEMORY:
    case SUMAC_MEMORY_LIMIT:
        return SUMAC_ICICLE_OUT_OF_MEMORY;
    case SUMAC_UNKNOWN_CURVE:
    case SUMAC_NOT_SUPPORTED:
        return SUMAC_ICICLE_NOT_IMPLEMENTED;
    case SUMAC_BAD_ARGUMENT:
    case SUMAC_BAD_LENGTH:
    case SUMAC_BAD_ENCODING:
    case SUMAC_NOT_ON_CURVE:
        return SUMAC_ICICLE_INVALID_ARGUMENT;
    default:
        return SUMAC_ICICLE_UNKNOWN_ERROR;
    }
}

static int open_pool(const char *backend, int32_t number, sumac_pool **pool)
{
    /* The pool keeps the list and reads it for each new context, so that it must not lie on the stack. */
    static int32_t numbers[SUMAC_ICICLE_DEVICES];
    sumac_context_config config = {.size = sizeof config, .backend = backend};
    if (number != CPU) {
        numbers[number] = number;
        config.devices = &numbers[number];
        config.device_count = 1;
    }
    return sumac_icicle_status_of(sumac_pool_create(&config, MOST_CALLS, pool, NULL));
}

/* If libsumac has no engine for a GPU that is there, "CUDA" computes on the CPU, too. */
static int open_device(int number, sumac_icicle_device *device)
{
    device->number = (size_t)number;
    if (number < sumac_icicle_gpu_count() &&
        open_pool("cuda", number, &device->pool) == SUMAC_ICICLE_SUCCESS) {
        device->gpu = sumac_icicle_gpu_open(number);
        return device->gpu == NULL ? SUMAC_ICICLE_INVALID_DEVICE : SUMAC_ICICLE_SUCCESS;
    }
    return open_pool("cpu", CPU, &device->pool);
}

int sumac_icicle_active(const sumac_icicle_device **device)
{
    sumac_icicle_device *found = atomic_load(&devices[active]);
    int status = SUMAC_ICICLE_SUCCESS;
    if (found == NULL) {
        pthread_mutex_lock(&opening);
        found = atomic_load(&devices[active]);
        if (found == NULL && (found = calloc(1, sizeof *found)) == NULL) {
            status = SUMAC_ICICLE_OUT_OF_MEMORY;
        } else if (found->pool == NULL && (status = open_device(active, found)) != SUMAC_ICICLE_SUCCESS) {
            sumac_pool_destroy(found->pool);
            free(found);
            found = NULL;
        } else {
            atomic_store(&devices[active], found);
        }
        pthread_mutex_unlock(&opening);
    }
    *device = found;
    return status;
}

/* Without a GPU there is one device of type "CUDA". */
static int cuda_devices(void)
{
    const int gpus = sumac_icicle_gpu_count();
    return gpus < 1 ? 1 : gpus > SUMAC_ICICLE_MOST_GPUS ? SUMAC_ICICLE_MOST_GPUS : gpus;
}

static int number_of(const Device *device)
{
    if (strncmp(device->type, "CPU", sizeof device->type) == 0) {
        return device->id == 0 ? CPU : -1;
    }
    const int is_cuda = strncmp(device->type, "CUDA", sizeof device->type) == 0;
    return is_cuda && device->id >= 0 && device->id < cuda_devices() ? device->id : -1;
}

int icicle_set_device(const Device *device)
{
    const int number = device == NULL ? -1 : number_of(device);
    if (number < 0) {
        return SUMAC_ICICLE_INVALID_DEVICE;
    }
    active = number;
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_get_active_device(Device *device)
{
    if (device == NULL) {
        return SUMAC_ICICLE_INVALID_POINTER;
    }
    const char *type = active == CPU ? "CPU" : "CUDA";
    memset(device, 0, sizeof *device);
    memcpy(device->type, type, strlen(type));
    device->id = active == CPU ? 0 : active;
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_get_device_count(int *device_count)
{
    if (device_count == NULL) {
        return SUMAC_ICICLE_INVALID_POINTER;
    }
    *device_count = active == CPU ? 1 : cuda_devices();
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_is_device_available(const Device *device)
{
    return device != NULL && number_of(device) >= 0 ? SUMAC_ICICLE_SUCCESS : SUMAC_ICICLE_INVALID_DEVICE;
}

int icicle_get_registered_devices(char *output, size_t output_size)
{
    static const char types[] = "CUDA,CPU";
    if (output == NULL || output_size < sizeof types) {
        return SUMAC_ICICLE_INVALID_ARGUMENT;
    }
    memcpy(output, types, sizeof types);
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_get_device_properties(DeviceProperties *properties)
{
    const sumac_icicle_device *device;
    const int status = sumac_icicle_active(&device);
    if (properties == NULL || status != SUMAC_ICICLE_SUCCESS) {
        return properties == NULL ? SUMAC_ICICLE_INVALID_POINTER : status;
    }
    properties->using_host_memory = device->gpu == NULL;
    properties->num_memory_regions = device->gpu != NULL;
    properties->supports_pinned_memory = false;
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_load_backend(const char *path, bool is_recursive)
{
    (void)path;
    (void)is_recursive;
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_load_backend_from_env_or_default(void)
{
    return SUMAC_ICICLE_SUCCESS;
}

/* ---- Allocations ---- */

typedef struct allocation {
    uintptr_t first;
    size_t bytes;
    const sumac_icicle_device *device;
} allocation;

/* All allocations, in the order of their addresses. The lock is never held during a computation or a copy. */
static struct {
    pthread_rwlock_t lock;
    allocation *items;
    size_t count, capacity;
} allocations = {PTHREAD_RWLOCK_INITIALIZER, NULL, 0, 0};

/* Return the number of allocations that begin at most at an address. */
static size_t count_up_to(uintptr_t address)
{
    size_t low = 0, high = allocations.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (allocations.items[middle].first <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Find the allocation that has an address. Return 0 if there is none. */
static int identify(const void *memory, allocation *found)
{
    const uintptr_t address = (uintptr_t)memory;
    pthread_rwlock_rdlock(&allocations.lock);
    const size_t before = count_up_to(address);
    const int exists =
        before > 0 && address - allocations.items[before - 1].first < allocations.items[before - 1].bytes;
    if (exists) {
        *found = allocations.items[before - 1];
    }
    pthread_rwlock_unlock(&allocations.lock);
    return exists;
}

static int remember(void *memory, size_t bytes, const sumac_icicle_device *device)
{
    int status = SUMAC_ICICLE_SUCCESS;
    pthread_rwlock_wrlock(&allocations.lock);
    if (allocations.count == allocations.capacity) {
        const size_t capacity = 2 * allocations.capacity + 64;
        allocation *items = realloc(allocations.items, capacity * sizeof *items);
        if (items == NULL) {
            status = SUMAC_ICICLE_OUT_OF_MEMORY;
        } else {
            allocations.items = items;
            allocations.capacity = capacity;
        }
    }
    if (status == SUMAC_ICICLE_SUCCESS) {
        allocation *at = allocations.items + count_up_to((uintptr_t)memory);
        memmove(at + 1, at, (size_t)(allocations.items + allocations.count - at) * sizeof *at);
        *at = (allocation){(uintptr_t)memory, bytes, device};
        allocations.count++;
    }
    pthread_rwlock_unlock(&allocations.lock);
    return status;
}

/* Remove the allocation that begins at an address. Return 0 if there is none. */
static int forget(const void *memory, allocation *removed)
{
    pthread_rwlock_wrlock(&allocations.lock);
    const size_t before = count_up_to((uintptr_t)memory);
    const int exists = before > 0 && allocations.items[before - 1].first == (uintptr_t)memory;
    if (exists) {
        allocation *at = allocations.items + before - 1;
        *removed = *at;
        memmove(at, at + 1, (allocations.count - before) * sizeof *at);
        allocations.count--;
    }
    pthread_rwlock_unlock(&allocations.lock);
    return exists;
}

static int release(const sumac_icicle_device *device, void *memory)
{
    if (device->gpu != NULL) {
        return sumac_icicle_gpu_free(device->gpu, memory);
    }
    free(memory);
    return 0;
}

int icicle_malloc(void **ptr, size_t size)
{
    const sumac_icicle_device *device;
    int status = sumac_icicle_active(&device);
    if (ptr == NULL || size == 0 || status != SUMAC_ICICLE_SUCCESS) {
        return ptr == NULL ? SUMAC_ICICLE_INVALID_POINTER
               : size == 0 ? SUMAC_ICICLE_INVALID_ARGUMENT
                           : status;
    }
    void *memory = NULL;
    if ((device->gpu != NULL ? sumac_icicle_gpu_malloc(device->gpu, &memory, size)
                             : posix_memalign(&memory, ALIGNMENT, size)) != 0) {
        return SUMAC_ICICLE_OUT_OF_MEMORY;
    }
    status = remember(memory, size, device);
    if (status != SUMAC_ICICLE_SUCCESS) {
        release(device, memory);
        return status;
    }
    *ptr = memory;
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_malloc_async(void **ptr, size_t size, void *stream)
{
    (void)stream;
    return icicle_malloc(ptr, size);
}

int icicle_free(void *ptr)
{
    allocation removed;
    if (!forget(ptr, &removed)) {
        return SUMAC_ICICLE_INVALID_POINTER;
    }
    return release(removed.device, ptr) == 0 ? SUMAC_ICICLE_SUCCESS : SUMAC_ICICLE_UNKNOWN_ERROR;
}

int icicle_free_async(void *ptr, void *stream)
{
    (void)stream;
    return icicle_free(ptr);
}

int icicle_is_host_memory(const void *ptr)
{
    allocation found;
    return identify(ptr, &found) ? SUMAC_ICICLE_INVALID_POINTER : SUMAC_ICICLE_SUCCESS;
}

static int has(const sumac_icicle_device *device, const void *memory, size_t bytes)
{
    allocation found;
    return identify(memory, &found) && found.device == device &&
           bytes <= found.bytes - ((uintptr_t)memory - found.first);
}

int icicle_is_active_device_memory(const void *ptr)
{
    const sumac_icicle_device *device;
    const int status = sumac_icicle_active(&device);
    return status != SUMAC_ICICLE_SUCCESS ? status
           : has(device, ptr, 0)          ? SUMAC_ICICLE_SUCCESS
                                          : SUMAC_ICICLE_INVALID_POINTER;
}

int sumac_icicle_check_memory(const sumac_icicle_device *device, const void *memory, size_t bytes,
                              bool on_device)
{
    allocation found;
    int fits = memory != NULL;
    if (bytes == 0) {
        fits = 1;
    } else if (on_device) {
        fits = has(device, memory, bytes);
    } else if (fits && identify(memory, &found)) {
        fits = found.device->gpu == NULL; /* the host must not touch a GPU's memory */
    }
    return fits ? SUMAC_ICICLE_SUCCESS : SUMAC_ICICLE_INVALID_POINTER;
}

int icicle_get_available_memory(size_t *total, size_t *free)
{
    const sumac_icicle_device *device;
    const int status = sumac_icicle_active(&device);
    if (total == NULL || free == NULL || status != SUMAC_ICICLE_SUCCESS) {
        return total == NULL || free == NULL ? SUMAC_ICICLE_INVALID_POINTER : status;
    }
    if (device->gpu != NULL) {
        return sumac_icicle_gpu_memory(device->gpu, total, free) == 0 ? SUMAC_ICICLE_SUCCESS
                                                                      : SUMAC_ICICLE_UNKNOWN_ERROR;
    }
    const long page = sysconf(_SC_PAGESIZE), pages = sysconf(_SC_PHYS_PAGES),
               left = sysconf(_SC_AVPHYS_PAGES);
    if (page < 0 || pages < 0 || left < 0) {
        return SUMAC_ICICLE_UNKNOWN_ERROR;
    }
    *total = (size_t)page * (size_t)pages;
    *free = (size_t)page * (size_t)left;
    return SUMAC_ICICLE_SUCCESS;
}

/* ---- Copies ---- */

int sumac_icicle_copy(const sumac_icicle_device *device, void *to, const void *from, size_t bytes)
{
    if (device->gpu != NULL) {
        return sumac_icicle_gpu_copy(device->gpu, to, from, bytes) == 0 ? SUMAC_ICICLE_SUCCESS
                                                                        : SUMAC_ICICLE_COPY_FAILED;
    }
    memmove(to, from, bytes);
    return SUMAC_ICICLE_SUCCESS;
}

/* Copy to the active device, or from it. */
static int copy(void *dst, const void *src, size_t size, bool to_device)
{
    const sumac_icicle_device *device;
    int status = sumac_icicle_active(&device);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_check_memory(device, dst, size, to_device);
    }
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_check_memory(device, src, size, !to_device);
    }
    return status != SUMAC_ICICLE_SUCCESS || size == 0 ? status : sumac_icicle_copy(device, dst, src, size);
}

int icicle_copy_to_host(void *dst, const void *src, size_t size)
{
    return copy(dst, src, size, false);
}

int icicle_copy_to_host_async(void *dst, const void *src, size_t size, void *stream)
{
    (void)stream;
    return copy(dst, src, size, false);
}

int icicle_copy_to_device(void *dst, const void *src, size_t size)
{
    return copy(dst, src, size, true);
}

int icicle_copy_to_device_async(void *dst, const void *src, size_t size, void *stream)
{
    (void)stream;
    return copy(dst, src, size, true);
}

int icicle_memset(void *ptr, int value, size_t size)
{
    const sumac_icicle_device *device;
    int status = sumac_icicle_active(&device);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_check_memory(device, ptr, size, true);
    }
    if (status != SUMAC_ICICLE_SUCCESS || size == 0) {
        return status;
    }
    if (device->gpu != NULL) {
        return sumac_icicle_gpu_set(device->gpu, ptr, value, size) == 0 ? SUMAC_ICICLE_SUCCESS
                                                                        : SUMAC_ICICLE_UNKNOWN_ERROR;
    }
    memset(ptr, value, size);
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_memset_async(void *ptr, int value, size_t size, void *stream)
{
    (void)stream;
    return icicle_memset(ptr, value, size);
}

/* ---- Streams ---- */

/* All streams are this one, so that programs which take null for a failure work. */
static char the_stream;

int icicle_create_stream(void **stream)
{
    if (stream == NULL) {
        return SUMAC_ICICLE_INVALID_POINTER;
    }
    *stream = &the_stream;
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_destroy_stream(void *stream)
{
    (void)stream;
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_stream_synchronize(void *stream)
{
    (void)stream;
    return SUMAC_ICICLE_SUCCESS;
}

int icicle_device_synchronize(void)
{
    return SUMAC_ICICLE_SUCCESS;
}
