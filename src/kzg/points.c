/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/points.h"

#include "api/points.h"
#include "codec/format.h"
#include "kzg/sizes.h"

void points_decode(work *w, const char *noun, const uint8_t *compressed, size_t n, uint8_t *raw)
{
    work_ask(w);
    if (work_is_ok(w)) {
        work_note(w, encoded_points_decode(w->whole, w->curve, &zcash_compressed_format, noun, 0, compressed,
                                           n, SUMAC_CHECK_SUBGROUP, raw));
    }
}

void points_encode(work *w, const sumac_vector *points, size_t n, uint8_t *compressed)
{
    uint8_t *raw = work_memory(w, n, G1_POINT_BYTES);
    work_read(w, points, 0, n, raw);
    if (work_is_ok(w)) {
        work_note(w,
                  encoded_points_encode(w->executor, w->curve, &zcash_compressed_format, raw, n, compressed));
    }
}
