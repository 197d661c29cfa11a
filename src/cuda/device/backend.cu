/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines the CUDA engine's table and its one exported function. */
#include <cstring>

#include "base/integers.h"
#include "cuda/msm/stage.h"
#include "cuda/transfer/transfer.h"
#include "cuda/vector/vectors.h"

const cuda_group *cuda_group_of(const sumac_group *group)
{
    for (const cuda_group *const *entry = cuda_registry; *entry != NULL; entry++) {
        if (strcmp((*entry)->curve, group->curve) == 0 && strcmp((*entry)->name, group->name) == 0) {
            return *entry;
        }
    }
    return NULL;
}

/* A pass waits 0.3 ms for inversions and launches, and half a gigabyte of workspace is enough for 2 ms of work. An MSM
 * of more bases has wider windows, which cost more each time that they are reduced. */
static const uint64_t WORKSPACE_INPUT_PART = 3;
static const uint64_t WORKSPACE_LEAST = (uint64_t)512 << 20;
static const uint64_t WORKSPACE_BASES = 4096;

/* With window tables the window's size does not matter, and all MSMs share a pass. An entry needs some 90 bytes, so
 * this workspace gives each of two in-flight passes 6 ms of additions for its 0.5 ms of waiting. */
static const uint64_t WORKSPACE_DIGITS = (uint64_t)4 << 30;

static uint64_t wish(const plan_request *request, const msm_plan *plan, uint32_t attempt)
{
    const uint64_t inputs = plan->bytes_bases + plan->bytes_scalars;
    const uint64_t least = request->all_digits ? WORKSPACE_DIGITS : WORKSPACE_LEAST;
    return attempt > 0 ? 0
                       : larger(least * ceil_divide(larger(1, plan->n), WORKSPACE_BASES),
                                inputs / WORKSPACE_INPUT_PART);
}

/* This is as much as the default limit of tables. */
#define MOST_ENDOMORPHISM_BYTES ((uint64_t)64 << 20)

static const stage_kind *const kinds[] = {
    &cuda_recode_signed,     &cuda_recode_negated,        &cuda_recode_glv,     &cuda_recode_unsigned,
    &cuda_sort_counting,     &cuda_sort_lookup,           &cuda_sort_ranks,     &cuda_accumulate_quads,
    &cuda_accumulate_rounds, &cuda_accumulate_xyzz_quads, &cuda_reduce_halving, &cuda_reduce_running_sum,
    &cuda_reduce_none,       &cuda_combine_device,        &cuda_combine_host,   NULL,
};

static const backend cuda_backend = {
    .name = "cuda",
    .kinds = kinds,
    .plan_kinds = cuda_plan_kinds,
    .plans = cuda_plans,
    .feed = &cuda_feed,
    .deliver = &cuda_deliver,
    .most_in_flight_passes = PLAN_MAX_IN_FLIGHT_PASSES,
    .wish = wish,
    .elapsed = cuda_elapsed,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .most_endomorphism_bytes = MOST_ENDOMORPHISM_BYTES,
    .vectors = &cuda_vectors,
    .device = &cuda_device,
};

extern "C" SUMAC_API const backend *sumac_cuda_backend(uint32_t interface_version)
{
    return interface_version == SUMAC_ENGINE_INTERFACE ? &cuda_backend : NULL;
}
