/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The format `raw`: points as include/sumac/sumac.h lays them out. Also records of such points in Montgomery form, as
 * libraries have them in memory and as gnark's dumps, halo2's raw parameters and snarkjs' files contain them. */
#include "codec/format.h"

const point_format raw_format = {
    .info = FORMAT_READ_WRITE("raw", "x then y, little-endian, canonical; infinity is all zero bytes"),
    .holds = holds_every_group,
    .layout = LAYOUT_RECORDS,
    .encoding = {.zero_is_infinity = 1},
    .is_raw = 1,
    .form = SUMAC_FORM_CANONICAL,
};

const point_format montgomery_records = {
    .holds = holds_every_group,
    .layout = LAYOUT_RECORDS,
    .encoding = {.zero_is_infinity = 1},
    .is_raw = 1,
    .form = SUMAC_FORM_MONTGOMERY,
};
