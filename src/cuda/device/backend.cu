/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CUDA engine's table and its one exported function. */
#include <cstring>

#include "base/integers.h"
#include "cuda/device/curve.h"
#include "cuda/device/device.h"
#include "cuda/device/memory.h"
#include "cuda/msm/costs.h"
#include "cuda/msm/kinds.h"
#include "cuda/transfer/deliver.h"
#include "cuda/transfer/feed.h"
#include "cuda/vector/vectors.h"
#include "curves/curve_code.h"

const cuda_curve *cuda_curve_of(const sumac_curve *curve)
{
    for (const cuda_curve *const *entry = cuda_registry; *entry != NULL; entry++) {
        if (strcmp((*entry)->name, curve->info.name) == 0 &&
            strcmp((*entry)->group, curve->info.group) == 0) {
            return *entry;
        }
    }
    return NULL;
}

/* A pass waits for inversions and launches, 0.3 ms: half a gigabyte is work for 2 ms. An MSM of more bases
 * has wider windows, which cost more each time that they are reduced. */
static const uint64_t WORKSPACE_INPUT_PART = 3;
static const uint64_t WORKSPACE_FLOOR = (uint64_t)512 << 20;
static const uint64_t WORKSPACE_BASES = 4096;

/* With tables of digits nothing depends on the window, and as many MSMs as there are share a pass: some 90
 * bytes an entry, so that each of two in-flight passes has 6 ms of additions for its 0.5 ms of waiting. */
static const uint64_t WORKSPACE_DIGITS = (uint64_t)4 << 30;

static uint64_t wish(const plan_request *request, const msm_plan *plan, uint32_t attempt)
{
    const uint64_t inputs = plan->bytes_bases + plan->bytes_scalars;
    const uint64_t floor = request->all_digits ? WORKSPACE_DIGITS : WORKSPACE_FLOOR;
    return attempt > 0 ? 0
                       : larger(floor * ceil_divide(larger(1, plan->n), WORKSPACE_BASES),
                                inputs / WORKSPACE_INPUT_PART);
}

static const stage_kind *const kinds[] = {
    &cuda_recode_signed,
    &cuda_recode_negated,
    &cuda_recode_glv,
    &cuda_recode_unsigned,
    &cuda_sort_counting,
    &cuda_sort_lookup,
    &cuda_sort_radix,
    &cuda_sort_transpose,
    &cuda_accumulate_quads,
    &cuda_accumulate_rounds,
    &cuda_accumulate_ranges,
    &cuda_accumulate_by_size,
    &cuda_accumulate_fullest_first,
    &cuda_accumulate_groups,
    &cuda_accumulate_differences,
    &cuda_accumulate_balanced,
    &cuda_reduce_halving,
    &cuda_reduce_running_sum,
    &cuda_reduce_none,
    &cuda_reduce_chunks,
    &cuda_reduce_triangle,
    &cuda_reduce_splitting,
    &cuda_reduce_sums,
    &cuda_reduce_tree_sums,
    &cuda_combine_device,
    &cuda_combine_host,
    NULL,
};

static const named_plan plans[] = {
    {.name = "auto", .about = "The planner's choice of every kind and number, by measured costs."},
    {.name = "baseline",
     .about = "Windows of one bit: a sum of bases for each bit of the scalars, and doublings at the end. A "
              "thread adds up those of 128 bases that have its bit, and one thread a bit adds the groups. "
              "This is the reference of ZPrize 2022's MSM on a GPU, Aleo's.",
     .kinds = {"unsigned", "radix", "groups", "sums", NULL},
     .c = 1},
    {.name = "speakspeak",
     .about =
         "Unsigned digits, a radix sort of (digit, base), equal ranges of each window's sorted bases "
         "with borders between buckets, running sums in chunks that are corrected by where they begin; a "
         "last window of a bit or two is handled apart. This is speakspeak's entry of ZPrize 2022, "
         "which had windows of 21 bits for 2^26 bases.",
     .kinds = {"unsigned", "radix", "ranges", "chunks", NULL}},
    {.name = "cuzk",
     .about = "Unsigned digits; the threads' entries are the rows of a sparse matrix, which is transposed "
              "and multiplied by the vector of ones, its elements shared out equally among threads; running "
              "sums in chunks. This is the method of cuZK.",
     .kinds = {"unsigned", "transpose", "balanced", "chunks", NULL}},
    {.name = "sixblock",
     .about = "Unsigned digits, a radix sort of (digit, base), and one pass over the sorted bases that "
              "carries two sums along, the points so far and what they count: there are no buckets to be "
              "kept or reduced. Differences of digits queue up, ten a thread, and a warp works them off "
              "together. This is 6block's entry of ZPrize 2022, which had windows of 21 and 22 bits for "
              "2^26 bases.",
     .kinds = {"unsigned", "radix", "differences", "tree-sums", NULL}},
    {.name = "mikevoronov",
     .about = "Signed digits, a distribution into buckets by counting, one thread a bucket in XYZZ, the "
              "fullest first, and running sums in chunks. This is the entry of Voronov and Kolganov of "
              "ZPrize 2022, which had windows of 23 bits for 2^26 bases.",
     .kinds = {"signed", "counting", "fullest-first", "chunks", NULL}},
    {.name = "matterlabs",
     .about = "Unsigned digits, a radix sort, one thread a bucket in XYZZ, the fullest first, and a "
              "reduction that splits windows into two of half as many bits until they have one. This is "
              "Matter Labs' entry of ZPrize 2022, with four multiples of each base, 2^(69j), and three "
              "windows of 23 bits for 2^26 bases.",
     .kinds = {"unsigned", "radix", "fullest-first", "splitting", NULL}},
    {.name = "yrrid",
     .about = "Signed digits of k or, where that is less, of r - k for the opposite point; a bucket sort of "
              "its own; one thread a bucket in XYZZ, the fullest first. This is Yrrid's entry of ZPrize "
              "2022, with six multiples of each base and two windows of 23 bits for 2^26 bases.",
     .kinds = {"signed-negated", "counting", "fullest-first", "chunks", NULL}},
    {.name = "icicle",
     .about = "Unsigned digits, a sort by the number of the bucket among all MSMs and windows, the largest "
              "buckets first and those far over the mean shared out, and windows that are split into two of "
              "half as many bits until they have one. This is how Ingonyama's ICICLE does it.",
     .kinds = {"unsigned", "radix", "by-size", "splitting", NULL}},
    {.name = "icicle-triangle",
     .about = "As icicle with is_big_triangle: one running sum a window, by one thread.",
     .kinds = {"unsigned", "radix", "by-size", "triangle", NULL}},
    {.name = "radix",
     .about = "The planner's choice, but for a radix sort.",
     .kinds = {NULL, "radix", NULL, NULL, NULL}},
    {.name = "rounds",
     .about = "The planner's choice, but that buckets are added up by rounds over all of them.",
     .kinds = {NULL, NULL, "batched-affine-rounds", NULL, NULL}},
    {.name = NULL},
};

static const backend cuda_backend = {
    .name = "cuda",
    .kinds = kinds,
    .plans = plans,
    .feed = &cuda_feed,
    .deliver = &cuda_deliver,
    .most_in_flight_passes = PLAN_MAX_IN_FLIGHT_PASSES,
    .wish = wish,
    .elapsed = cuda_elapsed,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .vectors = &cuda_vectors,
    .device = &cuda_device,
};

extern "C" SUMAC_API const backend *sumac_cuda_backend(uint32_t interface_version)
{
    return interface_version == SUMAC_ENGINE_INTERFACE ? &cuda_backend : NULL;
}
