/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/memory.h"

#include <inttypes.h>

#include "api/call.h"

/* Asking takes milliseconds: not for what any machine has. */
#define NEVER_ASKED ((uint64_t)16 << 20)

sumac_status memory_require(sumac_context *context, const char *path, uint64_t bytes)
{
    const uint64_t available = bytes <= NEVER_ASKED ? NEVER_ASKED : memory_available();
    if (bytes <= available) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_OUT_OF_MEMORY,
                "%s: reading it needs %" PRIu64 " bytes of memory, and %" PRIu64 " of them are missing", path,
                bytes, bytes - available);
}

sumac_status memory_failed(sumac_context *context, const char *path, uint64_t bytes)
{
    return fail(context, SUMAC_OUT_OF_MEMORY, "%s: reading it needs %" PRIu64 " bytes of memory", path,
                bytes);
}
