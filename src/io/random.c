/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/random.h"

#include <string.h>

#include "api/call.h"
#include "base/random.h"
#include "base/try.h"
#include "io/groups.h"

sumac_status random_bytes(sumac_context *context, void *bytes, size_t count)
{
    const int error = system_random(bytes, count);
    return error == 0
               ? SUMAC_OK
               : fail(context, SUMAC_READ_FAILED, "the system gives no random numbers (error %d)", error);
}

sumac_status random_scalars(sumac_context *context, const sumac_group *group, uint8_t *scalars, size_t n)
{
    const size_t bytes = group->scalar_bytes;
    const uint8_t *order = (const uint8_t *)group->order;
    const uint8_t highest = (uint8_t)(0xff >> (8 * bytes - group->scalar_bits));
    for (size_t i = 0; i < n; i++) {
        uint8_t *scalar = scalars + i * bytes;
        do { /* reject a value that is not less than r; on average at most every second one is rejected */
            const sumac_status status = random_bytes(context, scalar, bytes);
            if (status != SUMAC_OK) {
                return status;
            }
            scalar[bytes - 1] &= highest;
        } while (!integer_is_less(scalar, order, bytes));
    }
    return SUMAC_OK;
}

sumac_status random_factors(sumac_context *context, const sumac_group *group, uint8_t *scalars, size_t n)
{
    const size_t each = group->scalar_bytes;
    memset(scalars, 0, n * each);
    for (size_t i = 0; i < n; i++) {
        TRY(random_bytes(context, scalars + i * each, RANDOM_FACTOR_BITS / 8));
    }
    return SUMAC_OK;
}
