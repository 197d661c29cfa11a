/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions transpose records of 64-bit limbs to vectors, four or two limbs of VEC_LANES records at a time. */
#ifndef SUMAC_LANES_FOUR_LIMBS_H
#define SUMAC_LANES_FOUR_LIMBS_H

#include "lanes/vec.h"

#if VEC_LANES == 8

/* limbs[j] = limb first + j of eight records, j < 4. A vector is loaded with 256 bits of each of two records; unpacking
 * then pairs the limbs of two records, and a shuffle of 128-bit parts those of four. */
SUMAC_FN void transpose_four_limbs(vec limbs[4], const void *const records[8], int first)
{
    __m512i two[4], pairs[4];
    SUMAC_UNROLL
    for (int i = 0; i < 4; i++) {
        const char *low = (const char *)records[(i & 1) + 2 * (i & 2)] + 8 * first;
        const char *high = (const char *)records[(i & 1) + 2 * (i & 2) + 2] + 8 * first;
        two[i] =
            _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)low)),
                               _mm256_loadu_si256((const __m256i *)(const void *)high), 1);
    }
    pairs[0] = _mm512_unpacklo_epi64(two[0], two[1]); /* limbs 0 and 2 of records 0 1 .. 2 3 .. */
    pairs[1] = _mm512_unpacklo_epi64(two[2], two[3]); /* records 4 5 .. 6 7 .. */
    pairs[2] = _mm512_unpackhi_epi64(two[0], two[1]); /* limbs 1 and 3 */
    pairs[3] = _mm512_unpackhi_epi64(two[2], two[3]);
    limbs[0] = _mm512_shuffle_i64x2(pairs[0], pairs[1], 0x88);
    limbs[1] = _mm512_shuffle_i64x2(pairs[2], pairs[3], 0x88);
    limbs[2] = _mm512_shuffle_i64x2(pairs[0], pairs[1], 0xdd);
    limbs[3] = _mm512_shuffle_i64x2(pairs[2], pairs[3], 0xdd);
}

/* limbs[j] = limb first + j of eight records, j < 2. One vector has 128 bits of each even record, another those of the odd
 * ones. */
SUMAC_FN void transpose_two_limbs(vec limbs[2], const void *const records[8], int first)
{
    __m512i four[2];
    SUMAC_UNROLL
    for (int i = 0; i < 2; i++) {
        __m128i two[4];
        SUMAC_UNROLL
        for (int j = 0; j < 4; j++) {
            const char *record = (const char *)records[2 * j + i] + 8 * first;
            two[j] = _mm_loadu_si128((const __m128i *)(const void *)record);
        }
        const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(two[0]), two[1], 1);
        const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(two[2]), two[3], 1);
        four[i] = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    }
    limbs[0] = _mm512_unpacklo_epi64(four[0], four[1]);
    limbs[1] = _mm512_unpackhi_epi64(four[0], four[1]);
}

#else

/* limbs[j] = limb first + j of four records, j < 4. A vector is loaded with the limbs of one record. */
SUMAC_FN void transpose_four_limbs(vec limbs[4], const void *const records[4], int first)
{
    SUMAC_UNROLL
    for (int i = 0; i < 4; i++) {
        limbs[i] = vec_load((const char *)records[i] + 8 * first);
    }
    vec_transpose(limbs);
}

/* limbs[j] = limb first + j of four records, j < 2. */
SUMAC_FN void transpose_two_limbs(vec limbs[2], const void *const records[4], int first)
{
    __m128i two[4];
    SUMAC_UNROLL
    for (int i = 0; i < 4; i++) {
        two[i] = _mm_loadu_si128((const __m128i *)(const void *)((const char *)records[i] + 8 * first));
    }
    const vec even = _mm256_inserti128_si256(_mm256_castsi128_si256(two[0]), two[2], 1);
    const vec odd = _mm256_inserti128_si256(_mm256_castsi128_si256(two[1]), two[3], 1);
    limbs[0] = _mm256_unpacklo_epi64(even, odd);
    limbs[1] = _mm256_unpackhi_epi64(even, odd);
}

#endif

#endif
