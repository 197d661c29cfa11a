/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests few points for the subgroup, and lifts one. It compiles lanes with one vector of eight instead of two, so that
 * few points take about half the time of sixteen (lanes/subgroup.h), and one takes less (lanes/one_point.h). Therefore the
 * build does not join it with other files.
 */
#ifdef SUMAC_VARIANT_AVX512

#define FPV_VECTORS 1

#include "cpu/few_points.h"
#include "base/try.h"
#include "cpu/engine.h"
#include "lanes/one_point.h"
#include "lanes/subgroup.h"

#ifdef SUMAC_SUBGROUP_LANES

SUMAC_STATIC_ASSERT(FEW_POINTS == FPV_LANES, "a point for each lane");

static void few_end(subgroup_lanes_scratch **scratch)
{
    cpu_backend.release(*scratch);
}

int SUMAC_SYMBOL(few_in_subgroup)(uint32_t *contained, const affine *points, size_t n)
{
    CLEANUP(few_end) subgroup_lanes_scratch *scratch = cpu_backend.allocate(NULL, sizeof *scratch);
    const affine *tested[FPV_LANES];
    if (scratch == NULL) {
        return 0;
    }
    for (size_t lane = 0; lane < FPV_LANES; lane++) {
        tested[lane] = &points[lane < n ? lane : 0];
    }
    lanes_numbers_make(&scratch->numbers);
    return subgroup_lanes(contained, tested, scratch);
}

#endif

#ifdef SUMAC_ONE_POINT_LANES

int SUMAC_SYMBOL(one_in_subgroup)(const affine *point)
{
    return one_point_contained(point);
}

int SUMAC_SYMBOL(one_lift)(fe *y, int *contained, const fe *x)
{
    return one_point_lift(y, contained, x);
}

#endif

#endif
