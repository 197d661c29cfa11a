/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A warp copies its lanes' records from global to shared memory while it computes (cp.async). The lanes copy together:
 * neighbouring lanes copy neighbouring 16-byte chunks of one record, so that each sector of a record is requested once,
 * although the lanes' records lie far apart.
 *
 * In shared memory a lane's record lies at lane * size. A lane then reads its record 16 bytes at a time. Eight lanes
 * read at once, and would have bank conflicts if the size is a multiple of 32 bytes. So chunk c of a record lies at
 * position c ^ swizzle, where the swizzle is a function of the lane that avoids these conflicts.
 */
#ifndef SUMAC_CUDA_MSM_ACCUMULATE_ROUNDS_STAGING_CUH
#define SUMAC_CUDA_MSM_ACCUMULATE_ROUNDS_STAGING_CUH

#include "cuda/device/elements.cuh"

/* Return whether a GPU has enough shared memory for staging (228 KB); without it points are read when they are used.
 * The host passes the architecture that a kernel was compiled for, 900 for 9.0. */
static constexpr bool staged_on(int architecture)
{
    return architecture >= 900 && architecture < 1100;
}

#ifdef __CUDA_ARCH__
#define PAIRS_STAGED (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100)
#else
#define PAIRS_STAGED 0
#endif

static __host__ __device__ constexpr int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Return the offset in bytes of a chunk of a lane's record, which has `chunks` chunks. */
template <int chunks> static __device__ __forceinline__ uint32_t chunk_offset(uint32_t lane, uint32_t chunk)
{
    constexpr uint32_t SPREAD = common_divisor(chunks, 8);
    return (lane * chunks + (chunk ^ (lane / (8 / SPREAD) % SPREAD))) * 16;
}

static __device__ __forceinline__ void copy_chunk(unsigned char *to, const unsigned char *from)
{
    const uint32_t shared = (uint32_t)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(shared), "l"(from) : "memory");
}

/* Copy a chunk of an element. If it has 8 bytes, cp.async supports only the way through the first-level cache (.ca). */
static __device__ __forceinline__ void copy_fe_chunk(fe_chunk *to, const fe_chunk *from)
{
    if (sizeof(fe_chunk) == 16) {
        copy_chunk((unsigned char *)to, (const unsigned char *)from);
        return;
    }
    const uint32_t shared = (uint32_t)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"(shared), "l"(from) : "memory");
}

/* End a group of copies. */
static __device__ __forceinline__ void copy_commit(void)
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}

/* Wait until at most `newer` groups of the lane's copies are still running, and until the other lanes have waited,
 * too. */
template <int newer> static __device__ __forceinline__ void copy_wait(void)
{
    asm volatile("cp.async.wait_group %0;" : : "n"(newer) : "memory");
    __syncwarp();
}

/* Copy the first `chunks` chunks of each lane's record, which is number `index` of records that are `stride` bytes
 * apart. */
template <int chunks>
static __device__ __forceinline__ void copy_records(unsigned char *to, const unsigned char *records,
                                                    uint32_t stride, uint32_t index)
{
    constexpr int PERIOD =
        chunks / common_divisor(chunks, 32); /* after PERIOD steps a lane's chunk numbers repeat */
    const uint32_t lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < PERIOD; i++) {
        const uint32_t first = (i * 32 + lane) / chunks;
        const uint32_t chunk = (i * 32 + lane) % chunks;
#pragma unroll
        for (int j = 0; j < chunks / PERIOD; j++) {
            const uint32_t owner = first + j * (32 * PERIOD / chunks);
            const uint32_t owners_index = __shfl_sync(0xffffffff, index, (int)owner);
            copy_chunk(to + chunk_offset<chunks>(owner, chunk),
                       records + (uint64_t)owners_index * stride + chunk * 16);
        }
    }
}

/* Load the element that begins at limb `first` of the lane's record. Whole chunks are read; if only half of the first
 * or the last chunk belongs to the element, the other half is dropped. */
template <int chunks, int first>
static __device__ __forceinline__ void load_staged(fe *r, const unsigned char *records)
{
    enum { LIMBS = sizeof(fe) / 8, END = first + LIMBS };
    uint64_t *limbs = (uint64_t *)r;
#pragma unroll
    for (int c = first / 2; c < (END + 1) / 2; c++) {
        const ulonglong2 chunk =
            *(const ulonglong2 *)(records + chunk_offset<chunks>(threadIdx.x % 32, (uint32_t)c));
        if (2 * c >= first) {
            limbs[2 * c - first] = chunk.x;
        }
        if (2 * c + 1 < END) {
            limbs[2 * c + 1 - first] = chunk.y;
        }
    }
}

#endif
