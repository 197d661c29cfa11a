/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A vec has VEC_LANES words of 64 bits, eight with AVX-512 IFMA and four with AVX2 and FMA; sixteen lanes take
 * FPV_VECTORS of them. vec_avx512.h and vec_avx2.h have these operations under the same names:
 *
 *   vec_add vec_sub vec_and vec_or vec_xor vec_zero vec_broadcast vec_load vec_store
 *   vec_shift_left vec_shift_right       each word by a constant
 *   vec_shift_right_signed
 *   vec_funnel_left vec_funnel_right     the upper or lower half of two words that were shifted as one
 *   vec_add_carry                        next + floor(word / 2^52), the word signed
 *   vec_zero_lanes vec_equal_lanes vec_negative_lanes    bit l of the result belongs to lane l
 *   vec_select vec_sub_lanes             if the lane's bit is set; otherwise the first argument
 *   vec_exchange                         lane l of the result is lane (l xor distance)
 *   vec_multiply_high                    floor(low 52 bits * constant / 2^52)
 *   vec_add_multiple                     word + (offset - q)*digit, q in 0 .. 7
 *   vec_sub_multiple                     word - q*digit, q in 0 .. 15
 *   vec_transpose                        a square of VEC_LANES vectors
 *
 * and lane_words, sixteen words of 32 bits. Vectors are used only between vec_begin() and vec_end().
 */
#ifndef SUMAC_LANES_VEC_H
#define SUMAC_LANES_VEC_H

#include <immintrin.h>

#include "math/portable.h"

/* Functions on digits that must stay in registers, or be folded, are inlined at any size, however much other code the
 * translation unit has. */
#define FPV_INLINE static inline __attribute__((always_inline))

#ifdef SUMAC_VARIANT_AVX512
#include "lanes/vec_avx512.h"
#else
#include "lanes/vec_avx2.h"
#endif

/* Put this before a loop over a bundle's vectors: it unrolls two, but not four, which compiles twice as fast. */
#if VEC_LANES == 8
#define FPV_UNROLL_VECTORS SUMAC_UNROLL
#else
#define FPV_UNROLL_VECTORS
#endif

/* A file that computes with fewer lanes defines FPV_VECTORS before. */
#ifndef FPV_VECTORS
#define FPV_VECTORS (16 / VEC_LANES)
#endif
#define FPV_LANES (FPV_VECTORS * VEC_LANES)

#endif
