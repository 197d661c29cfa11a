/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind sorts the pairs (bucket, entry) by CUB's radix sort, with which the counting sort is compared. Digits that
 * are 0 are sorted behind all buckets. A binary search for a bucket's number in the sorted keys gives its start. The
 * entries of a bucket keep the order of their digits.
 */
#include <cub/device/device_radix_sort.cuh>

#include "cuda/msm/sort_common.cuh"

enum { RADIX_BLOCK = 256 };

/* Return the number of bits of the keys 0 .. buckets; the last key means no bucket. */
static int key_bits(uint64_t buckets)
{
    int bits = 1;
    while (buckets >> bits != 0) {
        bits++;
    }
    return bits;
}

struct radix_arrays {
    uint32_t *keys_in, *keys_out, *values_in; /* a word for each entry */
    char *temporary;
    size_t temporary_bytes;
};

static radix_arrays lay_out(const group_code *, const msm_plan *plan, scratch_block *scratch)
{
    const uint64_t entries = plan_pass_entries(plan), buckets = plan->modules_per_pass * plan->buckets;
    const uint32_t *in = NULL;
    uint32_t *out = NULL;
    radix_arrays arrays = {};
    (void)cub::DeviceRadixSort::SortPairs(NULL, arrays.temporary_bytes, in, out, in, out, entries, 0,
                                          key_bits(buckets));
    arrays.keys_in = scratch->take<uint32_t>(entries);
    arrays.keys_out = scratch->take<uint32_t>(entries);
    arrays.values_in = scratch->take<uint32_t>(entries);
    arrays.temporary = scratch->take<char>(arrays.temporary_bytes);
    return arrays;
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

/* Set starts[b] to the number of keys that are less than b. */
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

static sumac_status run(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                        bucket_lists *lists, void *memory)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    scratch_block scratch = {static_cast<char *>(memory), 0};
    radix_arrays arrays = lay_out(job->code, job->plan, &scratch);
    const digit_rows rows = digit_rows_of(job, pass, digits);
    const uint64_t buckets = pass->modules * job->plan->buckets;
    TRY(cuda_launch(engine, stream, key_kernel, blocks_for(rows.total, RADIX_BLOCK), RADIX_BLOCK, rows,
                    static_cast<uint32_t>(buckets), arrays.keys_in, arrays.values_in));
    CUDA_TRY(engine, cub::DeviceRadixSort::SortPairs(arrays.temporary, arrays.temporary_bytes, arrays.keys_in,
                                                     arrays.keys_out, arrays.values_in, lists->entries,
                                                     rows.total, 0, key_bits(buckets), stream));
    return cuda_launch(engine, stream, starts_kernel, blocks_for(buckets + 1, RADIX_BLOCK), RADIX_BLOCK,
                       lists->starts, arrays.keys_out, rows.total, buckets);
}

extern const stage_kind cuda_sort_radix = {
    .stage = STAGE_SORT,
    .name = "radix",
    .about = "sorts the digits of each pass by a general radix sort",
    .takes = DIGIT_ROWS,
    .leaves = BUCKET_LISTS,
    .by_name = 1,
    .accepts = cuda_sorts,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cuda_cost_of_sort,
    .run = {.sort = cuda_run<STAGE_SORT, run>},
};
