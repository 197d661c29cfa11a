/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/by_x.h"

decode_outcome decode_by_x(uint8_t *raw, const compressed_records *compressed, size_t n,
                           const sumac_curve_info *info, const convert_ops *convert, sumac_check check)
{
    uint8_t sides[DECODE_MOST];
    const char *problem = NULL;
    size_t good = 0, bad = 0;
    while (good < n && problem == NULL) {
        problem = compressed->decode_x(raw + good * info->point_bytes, &sides[good],
                                       compressed->records + good * compressed->record_bytes, info);
        good += problem == NULL;
    }
    const sumac_status lifted = convert->lift_x(raw, sides, good, check, &bad);
    if (lifted != SUMAC_OK) {
        return (decode_outcome){
            lifted, bad,
            lifted == SUMAC_NOT_ON_CURVE ? "has an x coordinate that no point of the curve has" : NULL};
    }
    return (decode_outcome){problem == NULL ? SUMAC_OK : SUMAC_BAD_ENCODING, good, problem};
}
