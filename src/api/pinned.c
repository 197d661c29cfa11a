/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file allocates page-locked memory for callers. A block may outlive the context that allocated it. Therefore the
 * function that frees a block is stored in front of it, and an engine's library stays loaded. */
#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"

enum { HEAD_BYTES = 64 /* a multiple of the alignment that callers rely on */ };

typedef struct pinned_head {
    void (*release)(void *block);
} pinned_head;

_Static_assert(sizeof(pinned_head) <= HEAD_BYTES, "the head must fit");

sumac_status sumac_pinned_allocate(sumac_context *context, size_t bytes, void **memory)
{
    BEGIN_MAKING(context, memory);
    const executor *first = context_executor(context);
    const device_ops *device = first->engine == NULL ? NULL : first->backend->device;
    void *block = NULL;
    if (bytes <= SIZE_MAX - HEAD_BYTES) {
        block = device == NULL ? host_points(HEAD_BYTES + bytes)
                               : device->allocate_pinned(first->engine, HEAD_BYTES + bytes);
    }
    if (block == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no page-locked memory of %zu bytes", bytes);
    }
    ((pinned_head *)block)->release = device == NULL ? free : device->release_pinned;
    *memory = (char *)block + HEAD_BYTES;
    return SUMAC_OK;
}

void sumac_pinned_free(void *memory)
{
    if (memory != NULL) {
        void *block = (char *)memory - HEAD_BYTES;
        ((pinned_head *)block)->release(block);
    }
}
