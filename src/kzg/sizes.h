/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_KZG_SIZES_H
#define SUMAC_KZG_SIZES_H

#include "sumac/kzg.h"

enum {
    EXTENDED_ELEMENTS = SUMAC_KZG_CELLS * SUMAC_KZG_CELL_ELEMENTS, /* of an extended blob */
    G1_POINT_BYTES = 96,                                           /* raw */
    G2_POINT_BYTES = 192,
    SCALAR_BYTES = 32
};

#endif
