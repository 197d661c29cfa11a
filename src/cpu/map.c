/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file implements `map` of curves/group_code.h: it maps field elements to points of one curve's subgroup. */
#include "cpu/stages.h"

#include "math/map.h"

#if CURVE_HAS_MAP

#include "codec/record.h"
#include "cpu/normalize.h"

/* This many points, which lie on the stack, share an inversion. */
#define MAP_BLOCK 16

size_t SUMAC_SYMBOL(map)(void *points, const uint8_t *elements, size_t n)
{
    affine *mapped = points;
    xyzz sums[MAP_BLOCK];
    for (size_t first = 0; first < n; first += MAP_BLOCK) {
        const uint32_t block = n - first < MAP_BLOCK ? (uint32_t)(n - first) : MAP_BLOCK;
        for (uint32_t i = 0; i < block; i++) {
            fe u;
            if (!record_coordinate(&u, elements + (first + i) * COORDINATE_BYTES, SUMAC_FORM_CANONICAL)) {
                return first + i;
            }
            map_to_subgroup(&sums[i], &u);
        }
        normalize_block(mapped + first, sums, block);
    }
    return n;
}

#endif
