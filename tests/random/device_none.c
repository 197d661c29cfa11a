/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "random/device.h"

#include "support/abort.h"

int device_count(void)
{
    return 0;
}

int device_computes(void)
{
    return 1;
}

long device_fail(long number, int from_then_on)
{
    (void)number;
    (void)from_then_on;
    return 0;
}

void device_leave(uint64_t bytes)
{
    (void)bytes;
}

void device_expect_nothing_left(void)
{
}

void *device_take(int device, const void *host, size_t bytes)
{
    (void)host;
    test_abort("device %d has no %zu bytes: this program is built without CUDA", device, bytes);
}

void device_give(int device, void *memory, void *host, size_t bytes)
{
    (void)memory;
    (void)host;
    test_abort("device %d has no %zu bytes: this program is built without CUDA", device, bytes);
}

void *device_stream_make(int device)
{
    test_abort("device %d has no streams: this program is built without CUDA", device);
}

void device_stream_free(int device, void *stream)
{
    (void)stream;
    test_abort("device %d has no streams: this program is built without CUDA", device);
}
