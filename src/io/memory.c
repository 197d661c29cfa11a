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

/* An empty block has an address, too. */
static size_t block_size(uint64_t bytes)
{
    return bytes > 0 ? (size_t)bytes : 1;
}

/* The outcome of an allocation that was tried if *status is SUMAC_OK. */
static void *check(sumac_context *context, const char *what, uint64_t bytes, void *memory,
                   sumac_status *status)
{
    if (*status == SUMAC_OK && memory == NULL) {
        *status = memory_failed(context, what, bytes);
    }
    return memory;
}

void *memory_allocate(sumac_context *context, const char *what, uint64_t bytes, sumac_status *status)
{
    *status = memory_require(context, what, bytes);
    return check(context, what, bytes, *status == SUMAC_OK ? malloc(block_size(bytes)) : NULL, status);
}

void *memory_zeros(sumac_context *context, const char *what, uint64_t bytes, sumac_status *status)
{
    *status = memory_require(context, what, bytes);
    return check(context, what, bytes, *status == SUMAC_OK ? calloc(1, block_size(bytes)) : NULL, status);
}

void *memory_grow(sumac_context *context, const char *what, void *memory, uint64_t bytes,
                  sumac_status *status)
{
    *status = memory_require(context, what, bytes);
    return check(context, what, bytes, *status == SUMAC_OK ? realloc(memory, block_size(bytes)) : NULL,
                 status);
}
