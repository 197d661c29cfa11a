/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/memory.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/call.h"
#include "base/memory_left.h"

sumac_status memory_require(sumac_context *context, const char *what, uint64_t bytes)
{
    const uint64_t missing = memory_missing(bytes);
    if (missing == 0) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_OUT_OF_MEMORY,
                "%s: it needs %" PRIu64 " bytes of memory, and %" PRIu64 " are left", what, bytes,
                bytes - missing);
}

sumac_status memory_failed(sumac_context *context, const char *what, uint64_t bytes)
{
    return fail(context, SUMAC_OUT_OF_MEMORY,
                "%s: it needs %" PRIu64 " bytes of memory, which the system does not give", what, bytes);
}

/* Reallocate `old`, or allocate zeros; an empty block has an address, too. */
static void *allocate(sumac_context *context, const char *what, void *old, uint64_t bytes, int zeros,
                      sumac_status *status)
{
    const size_t size = bytes > 0 ? (size_t)bytes : 1;
    *status = memory_require(context, what, bytes);
    if (*status != SUMAC_OK) {
        return NULL;
    }
    void *memory = zeros ? calloc(1, size) : realloc(old, size);
    *status = memory == NULL ? memory_failed(context, what, bytes) : SUMAC_OK;
    return memory;
}

void *memory_allocate(sumac_context *context, const char *what, uint64_t bytes, sumac_status *status)
{
    return allocate(context, what, NULL, bytes, 0, status);
}

void *memory_zeros(sumac_context *context, const char *what, uint64_t bytes, sumac_status *status)
{
    return allocate(context, what, NULL, bytes, 1, status);
}

void *memory_grow(sumac_context *context, const char *what, void *memory, uint64_t bytes,
                  sumac_status *status)
{
    return allocate(context, what, memory, bytes, 0, status);
}
