/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Arithmetic modulo an odd prime of up to six limbs, written to be read and not to be fast. toy_multiply() divides by
 * R = 2^(64*limbs) (Montgomery 1985): of two numbers one is kept times R. */
#ifndef SUMAC_TOY_FIELD_H
#define SUMAC_TOY_FIELD_H

#include <stddef.h>
#include <stdint.h>

enum { TOY_LIMBS = 6, TOY_BYTES = 8 * TOY_LIMBS };

typedef struct toy_number {
    uint64_t limbs[TOY_LIMBS];
} toy_number;

typedef struct toy_field {
    size_t limbs;
    toy_number modulus;
    uint64_t inverse;    /* -1/modulus modulo 2^64 */
    toy_number one, two; /* R and R^2: 1 times R, and what multiplies a number by R */
} toy_field;

toy_field toy_field_of(const void *modulus, size_t bytes);

toy_number toy_load(const toy_field *f, const void *bytes);
void toy_store(const toy_field *f, toy_number a, void *bytes);
int toy_is_less(const toy_field *f, toy_number a, toy_number b);

toy_number toy_add(const toy_field *f, toy_number a, toy_number b);
toy_number toy_subtract(const toy_field *f, toy_number a, toy_number b);
toy_number toy_multiply(const toy_field *f, toy_number a, toy_number b); /* a b/R */

/* a^exponent and 1/a, with a and the result times R. */
toy_number toy_power(const toy_field *f, toy_number a, toy_number exponent);
toy_number toy_invert(const toy_field *f, toy_number a);

/* A small integer times R. */
toy_number toy_integer(const toy_field *f, uint64_t integer);

#endif
