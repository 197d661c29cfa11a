/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The reference kind of sort: CUB's radix sort of (bucket, pair). Digits that are 0 sort behind every bucket.
 * A bucket begins where its number would be inserted into the sorted keys. Pairs of a bucket stay in the
 * order of their digits.
 */
#include <cub/device/device_radix_sort.cuh>

#include "cuda/scratch.h"
#include "cuda/sort.h"

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

radix_layout radix_layout_of(uint64_t pairs, uint64_t buckets)
{
    radix_layout layout = {};
    const uint32_t *in = NULL;
    uint32_t *out = NULL;
    size_t temporary_bytes = 0;
    (void)cub::DeviceRadixSort::SortPairs(NULL, temporary_bytes, in, out, in, out, pairs, 0,
                                          key_bits(buckets));
    layout.keys_in = scratch_place(&layout.bytes, pairs * sizeof(uint32_t));
    layout.keys_out = scratch_place(&layout.bytes, pairs * sizeof(uint32_t));
    layout.values_in = scratch_place(&layout.bytes, pairs * sizeof(uint32_t));
    layout.temporary_bytes = temporary_bytes;
    layout.temporary = scratch_place(&layout.bytes, temporary_bytes);
    return layout;
}

static __global__ void __launch_bounds__(RADIX_BLOCK)
    key_kernel(const __grid_constant__ digit_rows rows, uint32_t no_bucket, uint32_t *keys, uint32_t *values)
{
    const uint64_t position = blockIdx.x * (uint64_t)RADIX_BLOCK + threadIdx.x;
    if (position < rows.total) {
        const uint32_t code = rows.codes[position];
        keys[position] = code == 0 ? no_bucket : bucket_of(rows, (uint32_t)position, code);
        values[position] = pair_of(rows, (uint32_t)position, code);
    }
}

/* starts[b] = the number of keys below b. */
static __global__ void __launch_bounds__(RADIX_BLOCK)
    starts_kernel(uint32_t *starts, const uint32_t *keys, uint32_t pairs, uint64_t buckets)
{
    const uint64_t b = blockIdx.x * (uint64_t)RADIX_BLOCK + threadIdx.x;
    if (b > buckets) {
        return;
    }
    uint64_t low = 0, high = pairs; /* keys before low are below b, those from high on are not */
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

sumac_status radix_sort(cuda_engine *engine, const digit_rows *rows, uint64_t buckets,
                        const radix_layout *layout, char *memory, bucket_lists *lists)
{
    uint32_t *keys_in = reinterpret_cast<uint32_t *>(memory + layout->keys_in);
    uint32_t *keys_out = reinterpret_cast<uint32_t *>(memory + layout->keys_out);
    uint32_t *values_in = reinterpret_cast<uint32_t *>(memory + layout->values_in);
    size_t temporary_bytes = layout->temporary_bytes;
    key_kernel<<<blocks_for(rows->total, RADIX_BLOCK), RADIX_BLOCK, 0, engine->stream>>>(
        *rows, static_cast<uint32_t>(buckets), keys_in, values_in);
    CUDA_TRY(engine, cudaGetLastError());
    CUDA_TRY(engine, cub::DeviceRadixSort::SortPairs(memory + layout->temporary, temporary_bytes, keys_in,
                                                     keys_out, values_in, lists->pairs, rows->total, 0,
                                                     key_bits(buckets), engine->stream));
    starts_kernel<<<blocks_for(buckets + 1, RADIX_BLOCK), RADIX_BLOCK, 0, engine->stream>>>(
        lists->starts, keys_out, rows->total, buckets);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}
