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

void *memory_grow(sumac_context *context, const char *what, void *memory, uint64_t bytes)
{
    if (memory_require(context, what, bytes) != SUMAC_OK) {
        return NULL;
    }
    void *grown = realloc(memory, bytes > 0 ? (size_t)bytes : 1);
    if (grown == NULL) {
        (void)memory_failed(context, what, bytes);
    }
    return grown;
}

void *memory_allocate(sumac_context *context, const char *what, uint64_t bytes)
{
    return memory_grow(context, what, NULL, bytes);
}

void *memory_zeros(sumac_context *context, const char *what, uint64_t bytes)
{
    if (memory_require(context, what, bytes) != SUMAC_OK) {
        return NULL;
    }
    void *memory = calloc(1, bytes > 0 ? (size_t)bytes : 1);
    if (memory == NULL) {
        (void)memory_failed(context, what, bytes);
    }
    return memory;
}
