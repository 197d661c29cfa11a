/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * sort by CUB's radix sort, the kind that the counting one is compared with: the sort of (bucket, entry).
 * Digits that are 0 sort behind every bucket. A bucket begins where its number would be inserted into the
 * sorted keys. Entries of a bucket stay in the order of their digits.
 */
#include <cub/device/device_radix_sort.cuh>

#include "cuda/msm/sort_common.cuh"

enum { RADIX_BLOCK = 256 };

/* Bits of the keys 0 .. buckets, of which the last stands for no bucket. */
static int key_bits(uint64_t buckets)
{
    int bits = 1;
    while (buckets >> bits != 0) {
        bits++;
    }
    return bits;
}

/* Byte offsets into the scratch block. */
struct radix_layout {
    uint64_t keys_in, keys_out, values_in; /* words, one for each entry */
    uint64_t temporary;
    uint64_t temporary_bytes;
    uint64_t bytes;
};

static radix_layout radix_layout_of(uint64_t entries, uint64_t buckets)
{
    radix_layout layout = {};
    const uint32_t *in = NULL;
    uint32_t *out = NULL;
    size_t temporary_bytes = 0;
    (void)cub::DeviceRadixSort::SortPairs(NULL, temporary_bytes, in, out, in, out, entries, 0,
                                          key_bits(buckets));
    layout.keys_in = scratch_take(&layout.bytes, entries * sizeof(uint32_t));
    layout.keys_out = scratch_take(&layout.bytes, entries * sizeof(uint32_t));
    layout.values_in = scratch_take(&layout.bytes, entries * sizeof(uint32_t));
    layout.temporary_bytes = temporary_bytes;
    layout.temporary = scratch_take(&layout.bytes, temporary_bytes);
    return layout;
}

static __global__ void __launch_bounds__(RADIX_BLOCK)
    key_kernel(const __grid_constant__ digit_rows rows, uint32_t no_bucket, uint32_t *keys, uint32_t *values)
{
    const uint64_t position = blockIdx.x * (uint64_t)RADIX_BLOCK + threadIdx.x;
    if (position < rows.total) {
        const uint32_t code = rows.codes[position];
        keys[position] = code == 0 ? no_bucket : bucket_of(rows, (uint32_t)position, code);
        values[position] = entry_of(rows, (uint32_t)position, code);
    }
}

/* starts[b] = the number of keys below b. */
static __global__ void __launch_bounds__(RADIX_BLOCK)
    starts_kernel(uint32_t *starts, const uint32_t *keys, uint32_t entries, uint64_t buckets)
{
    const uint64_t b = blockIdx.x * (uint64_t)RADIX_BLOCK + threadIdx.x;
    if (b > buckets) {
        return;
    }
    uint64_t low = 0, high = entries; /* keys before low are below b, those from high on are not */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (keys[middle] < b) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    starts[b] = (uint32_t)low;
}

static radix_layout layout_of(const msm_plan *plan)
{
    return radix_layout_of(plan_pass_entries(plan), plan->modules_per_pass * plan->buckets);
}

static uint64_t scratch_bytes(const curve_code *code, const msm_plan *plan)
{
    (void)code;
    return layout_of(plan).bytes;
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                        bucket_lists *lists, void *scratch)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const double begin = cuda_stage_begin(job);
    const radix_layout layout = layout_of(job->plan);
    const digit_rows rows = digit_rows_of(job, pass, digits);
    const uint64_t buckets = pass->modules * job->plan->buckets;
    char *memory = static_cast<char *>(scratch);
    uint32_t *keys_in = reinterpret_cast<uint32_t *>(memory + layout.keys_in);
    uint32_t *keys_out = reinterpret_cast<uint32_t *>(memory + layout.keys_out);
    uint32_t *values_in = reinterpret_cast<uint32_t *>(memory + layout.values_in);
    size_t temporary_bytes = layout.temporary_bytes;
    key_kernel<<<blocks_for(rows.total, RADIX_BLOCK), RADIX_BLOCK, 0, stream>>>(
        rows, static_cast<uint32_t>(buckets), keys_in, values_in);
    CUDA_TRY(engine, cudaGetLastError());
    CUDA_TRY(engine, cub::DeviceRadixSort::SortPairs(memory + layout.temporary, temporary_bytes, keys_in,
                                                     keys_out, values_in, lists->entries, rows.total, 0,
                                                     key_bits(buckets), stream));
    starts_kernel<<<blocks_for(buckets + 1, RADIX_BLOCK), RADIX_BLOCK, 0, stream>>>(lists->starts, keys_out,
                                                                                    rows.total, buckets);
    CUDA_TRY(engine, cudaGetLastError());
    return cuda_stage_end(job, pass, "sort", begin);
}

extern const stage_kind cuda_sort_radix = {
    .stage = STAGE_SORT,
    .name = "radix",
    .about = "sorts the digits of each pass by a general radix sort",
    .takes = DIGIT_ROWS,
    .leaves = BUCKET_LISTS,
    .by_name = 1,
    .accepts = cuda_sorts,
    .scratch_bytes = scratch_bytes,
    .cost = cuda_cost_of_sort,
    .run = {.sort = run},
};
