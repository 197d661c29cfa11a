/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/eip2537_input.h"

#include <stdlib.h>
#include <string.h>

#include "api/bases_fill.h"
#include "api/call.h"
#include "codec/bytes.h"
#include "io/importer.h"
#include "io/memory.h"

enum { SCALAR_BYTES = 32 };

size_t eip2537_pair_bytes(const sumac_curve_info *info)
{
    return eip2537_format.record_bytes(info) + SCALAR_BYTES;
}

/* Import the points of n pairs, and copy their scalars. */
static sumac_status decode_pairs(point_importer *importer, const uint8_t *input, size_t n, uint8_t *scalars)
{
    const size_t record_bytes = importer->record_bytes;
    const size_t pair_bytes = record_bytes + SCALAR_BYTES;
    while (importer->done < n) {
        const size_t first = (size_t)importer->done;
        const size_t count = n - first < importer->capacity ? n - first : importer->capacity;
        for (size_t i = 0; i < count; i++) {
            const uint8_t *pair = input + (first + i) * pair_bytes;
            memcpy(importer->records + i * record_bytes, pair, record_bytes);
            reverse_bytes(scalars + (first + i) * SCALAR_BYTES, pair + record_bytes, SCALAR_BYTES);
        }
        const sumac_status status =
            point_importer_take(importer, count, (uint64_t)first * pair_bytes, pair_bytes);
        if (status != SUMAC_OK) {
            return status;
        }
    }
    return bases_complete(importer->context, importer->bases);
}

sumac_status eip2537_decode_msm(sumac_context *context, const sumac_curve *curve, const uint8_t *input,
                                size_t length, sumac_bases **bases, void **scalars, size_t *n)
{
    const char *const name = "MSM input";
    const size_t pair_bytes = eip2537_pair_bytes(&curve->info);
    const sumac_bases_config config = sumac_bases_config_default(); /* the importer says what is checked */
    *bases = NULL;
    *scalars = NULL;
    *n = length / pair_bytes;
    if (length == 0 || length % pair_bytes != 0) {
        return fail(context, SUMAC_BAD_LENGTH, "%s: %zu bytes are not one or more pairs of %zu bytes", name,
                    length, pair_bytes);
    }
    sumac_status status = bases_for_points(context, curve, name, *n, &config, bases);
    if (status == SUMAC_OK) {
        *scalars = memory_allocate(context, name, (uint64_t)*n * SCALAR_BYTES, &status);
    }
    if (status == SUMAC_OK) {
        point_importer importer = {.context = context,
                                   .bases = *bases,
                                   .path = name,
                                   .unit = "byte",
                                   .format = &eip2537_format,
                                   .check = SUMAC_CHECK_SUBGROUP,
                                   .total = *n};
        status = point_importer_begin(&importer);
        if (status == SUMAC_OK) {
            status = decode_pairs(&importer, input, *n, *scalars);
        }
        point_importer_end(&importer);
    }
    if (status != SUMAC_OK) {
        sumac_bases_destroy(*bases);
        sumac_free(*scalars);
        *bases = NULL;
        *scalars = NULL;
    }
    return status;
}
