/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kinds of the sort stage share: the digits of a pass, row after row, and what each of them stands
 * for. */
#ifndef SUMAC_CUDA_MSM_SORT_DIGITS_CUH
#define SUMAC_CUDA_MSM_SORT_DIGITS_CUH

#include "pipeline/kinds.h"

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
    uint32_t table_digits; /* points of the table for each multiple, as the plan's */
    uint32_t first_module; /* of the pass, in its MSM */
    uint32_t first_set;    /* of the pass's first MSM */
    uint32_t table_count;
    uint32_t first_base;
    divider sets;       /* of bases */
    uint32_t set_bases; /* from one set to the next */
};

/* stage_kind.accepts of the kinds that have lists of buckets: with window tables there are none. */
int cuda_sorts(const plan_request *request, msm_plan *plan);

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

/* What the code at a position is a digit of: which base, and for which of its multiples. */
struct code_place {
    uint32_t multiple;
    uint32_t base;
};

static __device__ __forceinline__ code_place place_of_code(const digit_rows &rows, uint32_t position)
{
    const uint32_t row = divide(position, rows.n);
    const uint32_t module = divide(row, rows.factor);
    code_place place = {row - module * rows.factor.divisor,
                        rows.first_base + position - row * rows.n.divisor};
    if (rows.sets.divisor > 1) {
        const uint32_t set = rows.first_set + divide(rows.first_module + module, rows.modules);
        place.base += (set - divide(set, rows.sets) * rows.sets.divisor) * rows.set_bases;
    }
    return place;
}

/* The entry, 2 * (index into the bases' table) + (d < 0), of the code at a position. */
static __device__ __forceinline__ uint32_t entry_of(const digit_rows &rows, uint32_t position, uint32_t code)
{
    const code_place place = place_of_code(rows, position);
    return (place.multiple * rows.table_count + place.base) << 1 | (code & 1);
}

/* The same with window tables: the point of the digit itself, which is not 0. */
static __device__ __forceinline__ uint32_t digits_entry_of(const digit_rows &rows, uint32_t position,
                                                           uint32_t code)
{
    const code_place place = place_of_code(rows, position);
    const uint32_t multiple = place.multiple * rows.table_digits + (code >> 1) - 1;
    return (multiple * rows.table_count + place.base) << 1 | (code & 1);
}
#endif

#endif
