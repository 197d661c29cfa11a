/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_convert.c: which code is tested, and importing a point with it. */
#ifndef SUMAC_TESTS_CONVERT_SUPPORT_H
#define SUMAC_TESTS_CONVERT_SUPPORT_H

#include <stdlib.h>
#include <string.h>

#include "codec/point_layout.h"
#include "curves/curve_code.h"
#include "pipeline/engine.h"
#include "support/harness.h"

enum { POINT_WORDS = 4 * 12 }; /* room for one point of any curve */

/* The code under test. */
const curve_code *tested_code(const test_curve *t);
point_layout packed(const test_curve *t, sumac_form form);
sumac_status import_one(const test_curve *t, const void *raw, const point_layout *layout, sumac_check check);

/* The tests of test_convert_subgroup.c. */
void test_subgroup(void **state);
void test_small_orders(void **state);

#endif
