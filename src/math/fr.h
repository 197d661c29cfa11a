/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file makes the scalar field of a curve from the source of field.h. In a translation unit that includes this file
 * first, fp is the integers modulo r. Such a unit has no points, and never includes curve.h.
 */
#ifndef SUMAC_MATH_FR_H
#define SUMAC_MATH_FR_H

#include "variant.h"
#include SUMAC_CURVE_HEADER

#ifdef SUMAC_MATH_FIELD_H
#error "field.h is here already, over the field of coordinates"
#endif

#undef FP_LIMBS
#undef FP_BITS
#undef FP_MODULUS
#undef FP_INV
#undef FP_ONE
#undef FP_R2
#undef FP_DIGIT_INVERSE
#undef FP_LANE_DIGITS
#undef FE_DEGREE
#define FP_LIMBS FR_LIMBS
#define FP_BITS FR_BITS
#define FP_MODULUS FR_MODULUS
#define FP_INV FR_INV
#define FP_ONE FR_ONE
#define FP_R2 FR_R2
#define FP_DIGIT_INVERSE FR_DIGIT_INVERSE
#define FP_LANE_DIGITS FR_LANE_DIGITS
#define FE_DEGREE 1

#include "field.h"

#endif
