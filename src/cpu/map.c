/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file implements `map` of curves/group_code.h: it maps field elements to points of one curve's subgroup. */
#include "cpu/stages.h"

#include "math/map.h"

#if CURVE_HAS_MAP

#include "base/integers.h"
#include "codec/record.h"
#include "cpu/engine.h"
#include "cpu/normalize.h"
#ifdef SUMAC_VARIANT_AVX512
#include "lanes/map.h"
#endif

/* This many points, which lie on the stack, share an inversion, or are mapped in lanes. */
#define MAP_BLOCK 16

#ifdef SUMAC_MAP_LANES

/* If a block has fewer elements than this, they are mapped faster one after another than in lanes. */
#define MAP_LANES_LEAST 4

typedef map_lanes_scratch map_scratch;

/* Return null if lanes would not pay or memory is short; then scalar code does all the work. */
static map_scratch *map_begin(size_t n)
{
    map_scratch *scratch = n >= MAP_LANES_LEAST ? cpu_backend.allocate(NULL, sizeof *scratch) : NULL;
    if (scratch != NULL) {
        map_lanes_numbers_make(scratch);
    }
    return scratch;
}

static int map_in_lanes(affine *points, const fe *elements, uint32_t count, map_scratch *scratch)
{
    return scratch != NULL && count >= MAP_LANES_LEAST && map_lanes(points, elements, count, scratch);
}

#else

typedef void map_scratch;

static map_scratch *map_begin(size_t n)
{
    (void)n;
    return NULL;
}

static int map_in_lanes(affine *points, const fe *elements, uint32_t count, const map_scratch *scratch)
{
    (void)points, (void)elements, (void)count, (void)scratch;
    return 0;
}

#endif

/* This is not inlined, so that its points do not lie on the stack while others are mapped in lanes. */
static __attribute__((noinline)) void map_one_by_one(affine *points, const fe *elements, uint32_t count)
{
    xyzz sums[MAP_BLOCK];
    for (uint32_t i = 0; i < count; i++) {
        map_to_subgroup(&sums[i], &elements[i]);
    }
    normalize_block(points, sums, count);
}

size_t SUMAC_SYMBOL(map)(void *points, const uint8_t *elements, size_t n)
{
    affine *mapped = points;
    fe block[MAP_BLOCK];
    size_t first_bad = n;
    map_scratch *scratch = map_begin(n);
    for (size_t first = 0; first < n && first_bad == n; first += MAP_BLOCK) {
        const uint32_t count = (uint32_t)smaller(n - first, MAP_BLOCK);
        for (uint32_t i = 0; i < count && first_bad == n; i++) {
            if (!record_coordinate(&block[i], elements + (first + i) * COORDINATE_BYTES,
                                   SUMAC_FORM_CANONICAL)) {
                first_bad = first + i;
            }
        }
        if (first_bad == n && !map_in_lanes(mapped + first, block, count, scratch)) {
            map_one_by_one(mapped + first, block, count);
        }
    }
    cpu_backend.release(scratch);
    return first_bad;
}

#endif
