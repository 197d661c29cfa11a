/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "test_convert_support.h"

const curve_code *tested_code(const test_curve *t)
{
    const curve_code *const *code = t->curve->variants;
    while (code[1] != NULL && options.variant != NULL && strcmp((*code)->variant, options.variant) != 0) {
        code++;
    }
    return *code;
}

point_layout packed(const test_curve *t, sumac_form form)
{
    const point_layout layout = {.form = form, .stride = t->info->point_bytes};
    return layout;
}

sumac_status import_one(const test_curve *t, const void *raw, const point_layout *layout, sumac_check check)
{
    uint64_t stored[POINT_WORDS];
    size_t bad = 99;
    const sumac_status status = tested_code(t)->convert->import_points(stored, raw, 1, layout, check, &bad);
    assert_int_equal(bad, status == SUMAC_OK ? 99 : 0);
    return status;
}
