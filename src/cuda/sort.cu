/*
 * sort: digits -> bucket lists, by CUB's radix sort over (bucket, pair). Digits that are 0 sort behind every
 * bucket. A bucket begins where its number would be inserted into the sorted keys.
 */
#include <cub/device/device_radix_sort.cuh>

#include "cuda/scratch.h"

enum { SORT_BLOCK = 256 };

/* Bits of the keys 0 .. buckets, of which the last stands for no bucket. */
static int key_bits(uint64_t buckets)
{
    int bits = 1;
    while (buckets >> bits != 0) {
        bits++;
    }
    return bits;
}

size_t cuda_sort_temporary_bytes(uint64_t pairs, uint64_t buckets)
{
    size_t bytes = 0;
    const uint32_t *in = NULL;
    uint32_t *out = NULL;
    (void)cub::DeviceRadixSort::SortPairs(NULL, bytes, in, out, in, out, pairs, 0, key_bits(buckets));
    return bytes;
}

struct key_arguments {
    const uint32_t *codes;
    uint32_t *keys;
    uint32_t *values;
    uint64_t n;
    uint64_t rows; /* modules * factor, each n codes */
    uint32_t factor;
    uint64_t buckets; /* of a module */
    uint32_t no_bucket;
    uint64_t table_count;
    uint64_t first_base;
    uint64_t first_module;
    uint32_t modules;   /* of an MSM */
    uint64_t msm_bases; /* from one MSM's bases to the next one's; 0 when they share them */
};

static __global__ void __launch_bounds__(SORT_BLOCK) key_kernel(const __grid_constant__ key_arguments a)
{
    const uint64_t i = blockIdx.x * (uint64_t)SORT_BLOCK + threadIdx.x;
    if (i >= a.n) {
        return;
    }
    for (uint64_t row = blockIdx.y; row < a.rows; row += gridDim.y) {
        const uint64_t module = row / a.factor;
        const uint64_t multiple = row % a.factor;
        const uint64_t msm = (a.first_module + module) / a.modules;
        const uint64_t base = multiple * a.table_count + a.first_base + msm * a.msm_bases + i;
        const uint32_t code = a.codes[row * a.n + i];
        a.keys[row * a.n + i] = code == 0 ? a.no_bucket : (uint32_t)(module * a.buckets) + (code >> 1) - 1;
        a.values[row * a.n + i] = (uint32_t)(base << 1) | (code & 1);
    }
}

/* starts[b] = the number of keys below b. */
static __global__ void __launch_bounds__(SORT_BLOCK)
    starts_kernel(uint32_t *starts, const uint32_t *keys, uint64_t pairs, uint64_t buckets)
{
    const uint64_t b = blockIdx.x * (uint64_t)SORT_BLOCK + threadIdx.x;
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

sumac_status cuda_sort(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                       bucket_lists *lists, void *scratch)
{
    cuda_engine *engine = engine_of(job);
    const sumac_plan *plan = job->plan;
    const double begin = cuda_stage_begin(job);
    const cuda_scratch layout = cuda_scratch_of(plan, job->code->affine_bytes);
    char *memory = static_cast<char *>(scratch);
    const uint64_t rows = pass->modules * plan->precompute_factor;
    const uint64_t pairs = rows * pass->n;
    const uint64_t buckets = pass->modules * plan->buckets;
    uint32_t *keys_out = reinterpret_cast<uint32_t *>(memory + layout.keys_out);
    const key_arguments arguments = {
        .codes = digits->codes,
        .keys = reinterpret_cast<uint32_t *>(memory + layout.keys_in),
        .values = reinterpret_cast<uint32_t *>(memory + layout.values_in),
        .n = pass->n,
        .rows = rows,
        .factor = plan->precompute_factor,
        .buckets = plan->buckets,
        .no_bucket = static_cast<uint32_t>(buckets),
        .table_count = job->bases.count,
        .first_base = job->bases.visits ? pass->first - pass->chunk_first : job->first_base + pass->first,
        .first_module = pass->first_module,
        .modules = plan->modules,
        .msm_bases = !job->separate_bases ? 0
                     : job->bases.visits  ? pass->chunk_n
                                          : plan->n,
    };
    const dim3 grid(blocks_for(pass->n, SORT_BLOCK), static_cast<unsigned>(rows < 65535 ? rows : 65535));
    key_kernel<<<grid, SORT_BLOCK, 0, engine->stream>>>(arguments);
    CUDA_TRY(engine, cudaGetLastError());
    size_t temporary_bytes = layout.sort_temporary_bytes;
    CUDA_TRY(engine, cub::DeviceRadixSort::SortPairs(memory + layout.sort_temporary, temporary_bytes,
                                                     arguments.keys, keys_out, arguments.values, lists->pairs,
                                                     pairs, 0, key_bits(buckets), engine->stream));
    starts_kernel<<<blocks_for(buckets + 1, SORT_BLOCK), SORT_BLOCK, 0, engine->stream>>>(
        lists->starts, keys_out, pairs, buckets);
    CUDA_TRY(engine, cudaGetLastError());
    return cuda_stage_end(job, pass, "sort", begin);
}
