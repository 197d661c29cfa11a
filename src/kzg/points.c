/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/points.h"

#include "api/bases.h"
#include "api/call.h"
#include "api/points.h"
#include "codec/format.h"
#include "kzg/domain.h"

sumac_status points_decode(sumac_context *context, const sumac_group *group, const char *noun,
                           const uint8_t *compressed, size_t n, uint8_t *raw)
{
    TRY(context_report(context, 0));
    return encoded_points_decode(context, group, &zcash_compressed_format, noun, 0, compressed, n,
                                 SUMAC_CHECK_SUBGROUP, raw);
}

sumac_status points_encode(executor *self, const sumac_vector *points, size_t n, uint8_t *compressed)
{
    LOCAL_MEMORY(uint8_t, raw, self, n * G1_POINT_BYTES);
    TRY(vector_get(self, points, 0, n, raw, NULL));
    return encoded_points_encode(self, points->group, &zcash_compressed_format, raw, n, compressed);
}

sumac_status points_make_bases(sumac_context *context, const sumac_group *group, const uint8_t *points,
                               size_t n, sumac_bases **bases)
{
    sumac_bases_config config = {.size = sizeof config};
    config.check = SUMAC_CHECK_NONE;
    return bases_make(context, group, points, n, &config, bases);
}
