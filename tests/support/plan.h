/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is a plan as a struct, which is read from the JSON that sumac/experimental.h describes. */
#ifndef SUMAC_TESTS_PLAN_H
#define SUMAC_TESTS_PLAN_H

#include <jansson.h>

#include "pipeline/plan.h"
#include "sumac/experimental.h"

enum { TEST_STAGES = 5, TEST_ROWS = 11 };

/* These are the names of the stages, and of the rows of memory. Null follows the last one. */
extern const char *const test_stages[TEST_STAGES + 1];
extern const char *const test_rows[TEST_ROWS + 1];

/* The numbers have the names and types that they have in the library. */
typedef struct test_plan {
    char name[32];
    uint64_t n, buckets, table_digits, task_entries, devices, device_calls;
    uint32_t batch, scalar_bits, c, windows, precompute_factor, glv_terms, negate_large_scalars,
        top_window_balancing, modules, module_parts, sub_batch, modules_per_pass, passes, in_flight_passes,
        chunks, keeps_buckets, copy_slices, copy_slice_growth, threads;
    double accumulate_additions, reduce_additions, combine_additions, milliseconds;
    char kinds[TEST_STAGES][32];
    uint64_t bytes[TEST_ROWS];
    size_t rows; /* how many of test_rows the plan has */
} test_plan;

/* These functions call those that make a plan, and write *plan on success. If plans are equal, their bytes are. */
sumac_status test_plan_create(sumac_context *context, const sumac_group *group, size_t n,
                              const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                              test_plan *plan);
sumac_status test_msm_plan(sumac_context *context, const sumac_bases *bases, size_t n,
                           const sumac_msm_config *config, test_plan *plan);
sumac_status test_call_plan(const sumac_call *call, test_plan *plan);

/* test_plan_bytes() returns the bytes of a row, or 0 if the plan lacks the row. test_plan_kind() returns the kind of a
 * stage. */
uint64_t test_plan_bytes(const test_plan *plan, const char *row);
const char *test_plan_kind(const test_plan *plan, const char *stage);

/* Return what sumac_context_plans() writes, for json_decref(). */
json_t *test_context_plans(sumac_context *context, const sumac_group *group);

/* Return whether the context has a plan of this name. */
int test_has_plan(sumac_context *context, const char *name);

/* Return the name of the context's plan at an index, or null past the end. The thread's next call overwrites it. */
const char *test_plan_name(sumac_context *context, size_t index);

/* Find the kind of a stage by its name. If the stage has no such kind, return null. */
const stage_kind *test_find_kind(const backend *engine, const group_code *code, msm_stage stage,
                                 const char *name);

/* Return 1 if the named plan does not support the call, and check that the message then names the plan. A plan with
 * groups of bases needs windows of one bit. A plan with signed digits, but without r - k, needs multiples for one more
 * bit. A plan with r - k needs bases of order r, so that it does not support bases that may lie outside the
 * subgroup. */
int test_plan_is_refused(sumac_context *context, const sumac_bases *bases, size_t n,
                         const sumac_msm_config *config, int outside);

#endif
