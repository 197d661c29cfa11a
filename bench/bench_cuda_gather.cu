/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures random reads of a table in the GPU's memory. For each case it prints a line of JSON with the
 * records and bytes that are read per second. Usage: bench_cuda_gather TABLE_GB... A case has the number of bytes
 * that are read of each record, the records' stride, and the requested granularity of fetches into the L2 cache
 * (cudaLimitMaxL2FetchGranularity).
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

enum { BLOCK = 256, READS = 64, AT_ONCE = 4 };

static __device__ uint64_t scramble(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* Read records. Each group of neighbouring lanes reads READS records, and each lane reads 16 bytes of a record. */
template <int chunks>
static __global__ void gather_kernel(const uint4 *table, uint64_t records, uint32_t stride, uint32_t *sink)
{
    constexpr uint32_t GROUPS = 32 / chunks;
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t warp = (blockIdx.x * (uint64_t)BLOCK + threadIdx.x) / 32;
    if (lane >= GROUPS * chunks) {
        return;
    }
    const uint64_t group = warp * GROUPS + lane / chunks;
    uint32_t sum = 0;
    for (int i = 0; i < READS; i += AT_ONCE) {
        uint4 words[AT_ONCE];
#pragma unroll
        for (int j = 0; j < AT_ONCE; j++) {
            const uint64_t record = __umul64hi(scramble(group * READS + i + j + 1), records);
            words[j] = table[record * (stride / 16) + lane % chunks];
        }
#pragma unroll
        for (int j = 0; j < AT_ONCE; j++) {
            sum ^= words[j].x ^ words[j].y ^ words[j].z ^ words[j].w;
        }
    }
    if (sum == 0x12345678) {
        *sink = sum;
    }
}

template <int chunks>
static void measure(const void *table, uint64_t bytes, uint32_t stride, int granularity, uint32_t *sink)
{
    const uint64_t records = bytes / stride;
    const unsigned blocks = 132 * 8 * 8;
    const double reads = blocks * (double)(BLOCK / 32) * (32 / chunks) * (int)READS;
    cudaEvent_t begin, end;
    float best = 1e9f;
    size_t set = 0;
    cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, (size_t)granularity);
    cudaDeviceGetLimit(&set, cudaLimitMaxL2FetchGranularity);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = 0; i < 4; i++) {
        float ms = 0;
        cudaEventRecord(begin);
        gather_kernel<chunks><<<blocks, BLOCK>>>((const uint4 *)table, records, stride, sink);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&ms, begin, end);
        best = ms < best ? ms : best;
    }
    printf(
        "{\"table_gb\": %.1f, \"bytes\": %d, \"stride\": %u, \"granularity\": %zu, \"records_per_ns\": %.2f, "
        "\"gb_per_s\": %.0f, \"error\": \"%s\"}\n",
        bytes / 1e9, 16 * chunks, stride, set, reads / best * 1e-6, 16 * chunks * reads / best * 1e-6,
        cudaGetErrorString(cudaGetLastError()));
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
}

int main(int argc, char **argv)
{
    uint32_t *sink = NULL;
    if (cudaMalloc(&sink, 4) != cudaSuccess) {
        return 3;
    }
    for (int i = 1; i < argc; i++) {
        const uint64_t bytes = (uint64_t)(atof(argv[i]) * 1e9);
        void *table = NULL;
        if (cudaMalloc(&table, bytes) != cudaSuccess || cudaMemset(table, 0x5a, bytes) != cudaSuccess) {
            return 3;
        }
        for (int granularity = 32; granularity <= 128; granularity *= 2) {
            measure<2>(table, bytes, 64, granularity, sink);
            measure<4>(table, bytes, 64, granularity, sink);
            measure<3>(table, bytes, 96, granularity, sink);
            measure<6>(table, bytes, 96, granularity, sink);
            measure<3>(table, bytes, 128, granularity, sink);
            measure<6>(table, bytes, 128, granularity, sink);
        }
        cudaFree(table);
    }
    cudaFree(sink);
    return 0;
}
