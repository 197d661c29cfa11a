/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/memory.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/call.h"
#include "base/memory_left.h"

sumac_status memory_require(sumac_context *context, const char *path, uint64_t bytes)
{
    const uint64_t missing = memory_missing(bytes);
    if (missing == 0) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_OUT_OF_MEMORY,
                "%s: reading it needs %" PRIu64 " bytes of memory, and %" PRIu64 " of them are missing", path,
                bytes, missing);
}

sumac_status memory_failed(sumac_context *context, const char *path, uint64_t bytes)
{
    return fail(context, SUMAC_OUT_OF_MEMORY, "%s: reading it needs %" PRIu64 " bytes of memory", path,
                bytes);
}

void *memory_allocate(sumac_context *context, const char *path, uint64_t bytes, sumac_status *status)
{
    *status = memory_require(context, path, bytes);
    void *memory = *status == SUMAC_OK ? malloc(bytes > 0 ? (size_t)bytes : 1) : NULL;
    if (*status == SUMAC_OK && memory == NULL) {
        *status = memory_failed(context, path, bytes);
    }
    return memory;
}
