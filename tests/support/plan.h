/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A plan as a struct that holds all values of sumac/plan.h's getters, so that there is no handle to destroy. */
#ifndef SUMAC_TESTS_PLAN_H
#define SUMAC_TESTS_PLAN_H

#include "sumac/sumac.h"

enum { TEST_PLAN_NAMES = 16 };

/* The numbers have the names and types that they have in the library. */
typedef struct test_plan {
    const char *name;
    uint64_t n, buckets, table_digits, task_entries, devices, device_calls;
    uint32_t batch, scalar_bits, c, windows, precompute_factor, glv_terms, negate_large_scalars,
        top_window_balancing, modules, module_parts, sub_batch, modules_per_pass, passes, in_flight_passes,
        chunks, keeps_buckets, copy_slices, copy_slice_growth, threads;
    double accumulate_additions, reduce_additions, combine_additions, milliseconds;
    const char *stages[TEST_PLAN_NAMES], *kinds[TEST_PLAN_NAMES], *rows[TEST_PLAN_NAMES];
    uint64_t bytes[TEST_PLAN_NAMES];
} test_plan;

/* These call the functions that make a plan, and write *plan on success. Equal plans are equal bytes. */
sumac_status test_plan_create(sumac_context *context, const sumac_group *curve, size_t n,
                              const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                              test_plan *plan);
sumac_status test_msm_plan(sumac_context *context, const sumac_bases *bases, size_t n,
                           const sumac_msm_config *config, test_plan *plan);
sumac_status test_call_plan(const sumac_call *call, test_plan *plan);

/* Like sumac_plan_bytes() and sumac_plan_kind(), for a test_plan. */
uint64_t test_plan_bytes(const test_plan *plan, const char *row);
const char *test_plan_kind(const test_plan *plan, const char *stage);

/* Return 1 if the named plan does not support the call, and check that the message then names the plan. A plan with
 * groups of bases needs windows of one bit. One with signed digits, but without r - k, needs multiples for one more bit. One with
 * r - k needs bases of order r, which those outside the subgroup do not have. */
int test_plan_is_refused(sumac_context *context, const sumac_bases *bases, size_t n,
                         const sumac_msm_config *config, int outside);

#endif
