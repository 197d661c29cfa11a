/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has names for what C11 (gcc, clang) and CUDA C++ (nvcc) spell differently, and the checks of a SUMAC_VERIFY
 * build. */
#ifndef SUMAC_MATH_PORTABLE_H
#define SUMAC_MATH_PORTABLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef SUMAC_VERIFY
#include <stdio.h>
#include <stdlib.h>
#endif

#define SUMAC_CONCAT_EXPANDED(left, right) left##right
#define SUMAC_CONCAT(left, right) SUMAC_CONCAT_EXPANDED(left, right)

/*
 * SUMAC_FN       marks a function of the shared source that is to be inlined, on the host or on the device.
 * SUMAC_BIG_FN   marks one whose body is too long to repeat at each call: one copy per translation unit.
 * SUMAC_LONG_FN  marks one that the host's compiler may inline, as it does if a unit calls it once, or not use at all.
 * SUMAC_CONST    marks a table of constants that such functions read.
 */
#ifdef __CUDACC__
#define SUMAC_FN static __device__ __forceinline__
#define SUMAC_BIG_FN static __device__ __noinline__
#define SUMAC_CONST static __device__ const
#define SUMAC_RESTRICT __restrict__
#define SUMAC_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define SUMAC_FN static inline
#define SUMAC_BIG_FN static __attribute__((noinline, unused))
#define SUMAC_LONG_FN static __attribute__((unused))
#define SUMAC_CONST static const
#define SUMAC_RESTRICT restrict
#define SUMAC_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* Put this before a loop of at most 24 rounds whose count is a constant. */
#if defined(__CUDACC__) || defined(__clang__)
#define SUMAC_UNROLL _Pragma("unroll")
#else
#define SUMAC_UNROLL _Pragma("GCC unroll 24")
#endif

/* Put this before a loop whose count is constant on the device only. */
#ifdef __CUDACC__
#define SUMAC_UNROLL_ON_DEVICE SUMAC_UNROLL
#else
#define SUMAC_UNROLL_ON_DEVICE
#endif

#define SUMAC_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define SUMAC_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/*
 * SUMAC_VERIFY_CHECK(condition) states an invariant. A build with SUMAC_VERIFY stops where it does not hold;
 * any other build does not evaluate it.
 */
#ifdef SUMAC_VERIFY
#ifdef __CUDACC__
static __device__ __noinline__ void sumac_verify_failed(const char *file, int line, const char *condition)
{
    printf("%s:%d: does not hold: %s\n", file, line, condition);
    __trap();
}
#else
static __attribute__((noinline, noreturn, unused)) void sumac_verify_failed(const char *file, int line,
                                                                            const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}
#endif
#define SUMAC_VERIFY_CHECK(condition)                                                                        \
    ((condition) ? (void)0 : sumac_verify_failed(__FILE__, __LINE__, #condition))
#else
#define SUMAC_VERIFY_CHECK(condition) ((void)sizeof(!(condition)))
#endif

#endif
