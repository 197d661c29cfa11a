/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines the format `raw`, whose points have the layout of include/sumac/sumac.h. It also defines records of
 * such points in Montgomery form. Libraries have these in memory, and gnark's dumps, halo2's raw parameters and
 * snarkjs' files contain them. */
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
