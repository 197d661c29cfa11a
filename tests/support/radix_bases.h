/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bases whose multiples are made for an odd radix, which no configuration asks for: a device's planner
 * chooses it. */
#ifndef SUMAC_TESTS_RADIX_BASES_H
#define SUMAC_TESTS_RADIX_BASES_H

#include "api/bases.h"
#include "api/bases_shape.h"
#include "api/context.h"
#include "support/harness.h"

/* From raw canonical points, for the radix of c bits with that odd part: one multiple for each digit that
 * scalars need. */
static sumac_bases *radix_bases(sumac_context *context, const test_curve *t, const void *points, size_t n,
                                uint32_t odd, uint32_t c, uint32_t scalar_bits)
{
    const sumac_bases_config config = sumac_bases_config_default();
    const plan_request request = {.curve = t->curve, .scalar_bits = scalar_bits, .radix_odd = odd};
    const point_layout layout = {.stride = t->info->point_bytes};
    sumac_bases shape, *bases = NULL;
    test_status(context, bases_shape(context, t->curve, n, &config, &shape), SUMAC_OK, "shape");
    shape.windows = plan_windows(&request, c, odd);
    shape.table.factor = shape.windows;
    shape.c = c;
    shape.shift = radix_shift(odd, c);
    shape.radix_odd = odd;
    test_status(context,
                bases_allocate_table(context, &shape, context_code(context, t->curve)->affine_bytes, &bases),
                SUMAC_OK, "allocate");
    test_status(context, bases_import(context, bases, 0, points, n, &layout, SUMAC_CHECK_NONE), SUMAC_OK,
                "import");
    test_status(context, bases_finish(context, bases), SUMAC_OK, "finish");
    return bases;
}

#endif
