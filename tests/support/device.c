/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "support/device.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "pipeline/table_slice.h"
#include "support/harness.h"

/* Larger blocks of device memory are cut to this size, because these tests use only their beginning. */
#define DEVICE_KEEPS ((uint64_t)64 << 20)

static void enter(void *engine)
{
    assert_non_null(engine);
}

static void settle(void *engine)
{
    assert_non_null(engine);
}

static sumac_status join(void *engine)
{
    assert_non_null(engine);
    return SUMAC_OK;
}

static const char *message(const void *engine)
{
    assert_non_null(engine);
    return "the device of a test has failed";
}

static int32_t ordinal(const void *engine)
{
    assert_non_null(engine);
    return 0;
}

static int has_group(const sumac_group *group)
{
    return group != NULL;
}

static int can_decode(const sumac_group *group)
{
    return group == NULL;
}

static memory_location location_of(void *engine, const void *memory)
{
    assert_non_null(engine);
    assert_non_null(memory);
    return MEMORY_BOTH;
}

static sumac_status follow(void *engine)
{
    assert_non_null(engine);
    return SUMAC_OK;
}

static void queue(void *engine, int queues)
{
    assert_non_null(engine);
    assert_int_equal(queues, 0);
}

static uint64_t memory_free(void *engine)
{
    return ((const test_device *)engine)->free;
}

static void *allocate(void *engine, uint64_t bytes)
{
    test_device *device = engine;
    if (bytes > device->allocatable) {
        return NULL;
    }
    device->allocatable -= bytes;
    return device->original->allocate(NULL, bytes < DEVICE_KEEPS ? bytes : DEVICE_KEEPS);
}

static void *allocate_pinned(void *engine, uint64_t bytes)
{
    test_device *device = engine;
    void *memory = device->no_pinned ? NULL : device->original->allocate(NULL, bytes);
    device->pinned += memory != NULL;
    return memory;
}

static sumac_status upload(void *engine, void *to, const void *from, uint64_t bytes)
{
    test_device *device = engine;
    if (device->fails_upload) {
        return SUMAC_DEVICE_FAILED;
    }
    device->uploaded += bytes;
    memcpy(to, from, bytes);
    return SUMAC_OK;
}

static sumac_status end_upload(void *engine)
{
    (void)engine;
    return SUMAC_OK;
}

static sumac_status download(void *engine, void *to, const void *from, uint64_t bytes)
{
    const test_device *device = engine;
    if (device->fails_upload) {
        return SUMAC_DEVICE_FAILED;
    }
    memcpy(to, from, bytes);
    return SUMAC_OK;
}

static sumac_status fill_table(void *engine, const sumac_group *group, const table_slice *slice,
                               uint64_t *bad)
{
    test_device *device = engine;
    uint8_t *to = (uint8_t *)slice->table + slice->first * device->code->affine_bytes;
    size_t first_bad = 0;
    sumac_status status = SUMAC_OK;
    assert_non_null(group);
    assert_true(slice->first + slice->n <= slice->count);
    if (slice->layout == NULL) {
        memcpy(to, slice->points, slice->n * device->code->affine_bytes);
    } else {
        device->sent += slice->n;
        status = device->code->convert->import_points(to, slice->points, slice->n, slice->layout,
                                                      slice->check, &first_bad);
    }
    if (slice->digits > 1) {
        device->code->points->window_tables(slice->table, slice->count, slice->factor * slice->digits,
                                            slice->shift, slice->first, slice->n);
    } else if (slice->factor > 1) {
        device->code->points->multiples(slice->table, slice->count, slice->factor, slice->shift, slice->first,
                                        slice->n);
    }
    *bad = status == SUMAC_OK ? slice->n : first_bad;
    return status;
}

static const device_ops calls = {.enter = enter,
                                 .settle = settle,
                                 .join = join,
                                 .message = message,
                                 .ordinal = ordinal,
                                 .has_group = has_group,
                                 .can_decode = can_decode,
                                 .location_of = location_of,
                                 .follow = follow,
                                 .queue = queue,
                                 .memory_free = memory_free,
                                 .allocate_pinned = allocate_pinned,
                                 .release_pinned = free,
                                 .upload = upload,
                                 .begin_upload = upload,
                                 .end_upload = end_upload,
                                 .download = download,
                                 .fill_table = fill_table};

void device_install(test_device *device, sumac_context *context, const sumac_group *group)
{
    executor *only = context->executors.at;
    *device = (test_device){.imitated = *only->backend,
                            .original = only->backend,
                            .code = context_code(context, group),
                            .allocatable = UINT64_MAX,
                            .free = (uint64_t)1 << 40};
    if (only->engine == NULL && context->executors.count == 1) {
        device->imitated.device = &calls;
        device->imitated.allocate = allocate;
        only->backend = &device->imitated;
        only->engine = device;
    }
}

void device_remove(const test_device *device, sumac_context *context)
{
    executor *only = context->executors.at;
    if (only->engine == device) {
        only->backend = device->original;
        only->engine = NULL;
    }
}
