/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The compiler's option -DSUMAC_CURVE_HEADER="curves/generated/<id>.h" selects one curve and group. This file gives the
 * type of the group's coordinates the name fe, whether they lie in Fp or in Fp2. It also gives symbols a suffix for the
 * group, so that the same source can be compiled for every curve, and all can be linked into one library. Bounds and
 * aliasing are as in field.h.
 */
#ifndef SUMAC_MATH_CURVE_H
#define SUMAC_MATH_CURVE_H

#include "variant.h"
#include SUMAC_CURVE_HEADER

#include "field.h"

#if FE_DEGREE == 2

#include "fp2.h"

typedef fp2 fe;
#define fe_set_zero fp2_set_zero
#define fe_set_one fp2_set_one
#define fe_is_zero fp2_is_zero
#define fe_eq fp2_eq
#define fe_cmov fp2_cmov
#define fe_add fp2_add
#define fe_sub fp2_sub
#define fe_neg fp2_neg
#define fe_double fp2_double
#define fe_halve fp2_halve
#define fe_mul fp2_mul
#define fe_sqr fp2_sqr
#define fe_inv fp2_inv

#else

typedef fp fe;
#define fe_set_zero fp_set_zero
#define fe_set_one fp_set_one
#define fe_is_zero fp_is_zero
#define fe_eq fp_eq
#define fe_cmov fp_cmov
#define fe_add fp_add
#define fe_sub fp_sub
#define fe_neg fp_neg
#define fe_double fp_double
#define fe_halve fp_halve
#define fe_mul fp_mul
#define fe_sqr fp_sqr
#define fe_inv fp_inv

#endif

SUMAC_CONST fe curve_b = CURVE_B;

/* r = 3*a. Every doubling formula has this factor. */
SUMAC_FN void fe_triple(fe *r, const fe *a)
{
    fe twice;
    fe_double(&twice, a);
    fe_add(r, &twice, a);
}

#endif
