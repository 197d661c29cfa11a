/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What both kinds of the sort stage share: the digits of a pass, row after row, what each of them stands for,
 * and where the kinds keep what in the scratch block. partition.cu and place.cu have the counting partition,
 * radix.cu CUB's radix sort.
 */
#ifndef SUMAC_CUDA_SORT_H
#define SUMAC_CUDA_SORT_H

#include "cuda/engine.h"

/* Division of 32-bit numbers by one that does not change. */
struct divider {
    uint32_t divisor;
    uint32_t reciprocal; /* floor((2^32 - 1)/divisor): the quotient from it is right or one too small */
};

static inline divider divider_of(uint64_t divisor)
{
    const uint32_t d = divisor == 0 ? 1 : static_cast<uint32_t>(divisor);
    return {d, 0xffffffffu / d};
}

/* The digits of a pass, codes[(module*factor + multiple)*n + i]. All numbers stay below 2^32: those of codes
 * and buckets by the planner's limits on a pass; an index into the bases has 31 bits. */
struct digit_rows {
    const uint32_t *codes;
    uint32_t total;        /* modules * factor * n */
    divider n;             /* a row's */
    divider factor;        /* rows of a module */
    divider module_codes;  /* factor * n */
    divider modules;       /* of an MSM */
    uint32_t buckets;      /* of a module */
    uint32_t first_module; /* of the pass, in its MSM */
    uint32_t first_msm;
    uint32_t table_count;
    uint32_t first_base;
    uint32_t msm_bases; /* from one MSM's bases to the next one's; 0 when they share them */
};

digit_rows digit_rows_of(const msm_job *job, const msm_pass *pass, const digit_table *digits);

#ifdef __CUDACC__
static __device__ __forceinline__ uint32_t divide(uint32_t a, divider d)
{
    const uint32_t quotient = __umulhi(a, d.reciprocal);
    return quotient + (a - quotient * d.divisor >= d.divisor);
}

/* The bucket of the code at a position; the code is not 0. */
static __device__ __forceinline__ uint32_t bucket_of(const digit_rows &rows, uint32_t position, uint32_t code)
{
    const uint32_t module = rows.module_codes.divisor == rows.total ? 0 : divide(position, rows.module_codes);
    return module * rows.buckets + (code >> 1) - 1;
}

/* The pair, 2 * (index into the bases' table) + (d < 0), of the code at a position. */
static __device__ __forceinline__ uint32_t pair_of(const digit_rows &rows, uint32_t position, uint32_t code)
{
    const uint32_t row = divide(position, rows.n);
    const uint32_t module = divide(row, rows.factor);
    uint32_t index = (row - module * rows.factor.divisor) * rows.table_count + rows.first_base + position -
                     row * rows.n.divisor;
    if (rows.msm_bases != 0) {
        index += (rows.first_msm + divide(rows.first_module + module, rows.modules)) * rows.msm_bases;
    }
    return index << 1 | (code & 1);
}
#endif

/* ---- The counting partition ---- */

/*
 * Buckets are taken together in bins of 2^low_bits of them, and the pairs of a bin in parts of at most
 * `capacity`. Where there are many bins, 2^sub_bits of them are a coarse bin, and the partition has two
 * steps. The same for all passes of a plan; a pass may have fewer pairs and buckets.
 */
struct bin_shape {
    uint32_t low_bits;
    uint32_t sub_bits; /* low_bits + sub_bits <= 16 */
    uint32_t bins;
    uint32_t coarse_bins;
    uint32_t capacity;
    uint64_t parts; /* of all bins together, at most */
    uint64_t large; /* bins of more than one part, at most */
};

/* A part of a bin. `large` numbers the bins of more than one part. */
struct bin_part {
    uint32_t bin;
    uint32_t part;
    uint32_t parts; /* of its bin */
    uint32_t large;
};

/* Offsets into the sort's part of the scratch block. */
struct partition_layout {
    bin_shape shape;
    uint64_t pairs;        /* a word for each, bin by bin */
    uint64_t lows;         /* the low bits of its bucket, 16 bits */
    uint64_t coarse_pairs; /* with two steps: the same by coarse bins */
    uint64_t coarse_lows;
    uint64_t zeroed;  /* from here on zeros at first: */
    uint64_t totals;  /* the pairs of each bin */
    uint64_t tickets; /* how many blocks are done: of the count, and with each large bin */
    uint64_t cursors; /* for each bucket of a large bin: its pairs, then where the next one goes */
    uint64_t zeroed_end;
    uint64_t starts;       /* bins + 1 words */
    uint64_t next;         /* bins words: where the partition puts the next pair of a bin */
    uint64_t coarse_next;  /* the same for coarse bins */
    uint64_t coarse_tiles; /* coarse_bins + 1 words: the tiles of the bins before */
    uint64_t list;         /* parts: first those of large bins */
    uint64_t found;        /* two words: parts, and how many of them belong to large bins */
    uint64_t bytes;
};

/* Whether the kind can sort such a pass. */
bool partition_fits(uint64_t buckets);
partition_layout partition_layout_of(uint64_t pairs, uint64_t buckets);
sumac_status partition_sort(cuda_engine *engine, const digit_rows *rows, uint64_t buckets,
                            const partition_layout *layout, char *memory, bucket_lists *lists);

/* ---- The radix sort ---- */

struct radix_layout {
    uint64_t keys_in, keys_out, values_in; /* words, one for each pair */
    uint64_t temporary;
    uint64_t temporary_bytes;
    uint64_t bytes;
};

radix_layout radix_layout_of(uint64_t pairs, uint64_t buckets);
sumac_status radix_sort(cuda_engine *engine, const digit_rows *rows, uint64_t buckets,
                        const radix_layout *layout, char *memory, bucket_lists *lists);

#endif
