/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* src/cpu/recode.c passes a run of scalars of one MSM to code that recodes many at a time. */
#ifndef SUMAC_MATH_RECODE_RUN_H
#define SUMAC_MATH_RECODE_RUN_H

#include "math/scalar.h"

/*
 * The digits of scalar i < count are written to codes[(j*factor + t)*stride + i] for t < factor and j < module_count. This
 * is the digit of window t*modules + first_module + j, or 0 if that number is not less than `windows`.
 */
typedef struct recode_run {
    const scalar_field *field;
    const uint8_t *scalars; /* canonical, any value: modulo r */
    uint64_t count;
    uint32_t c;
    uint32_t windows;
    uint32_t modules;
    uint32_t factor;
    uint32_t first_module;
    uint32_t module_count;
    uint32_t negate_large; /* k > r/2 becomes -(r - k) */
    uint32_t *codes;
    uint64_t stride;
} recode_run;

#endif
