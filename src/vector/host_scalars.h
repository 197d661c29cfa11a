/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions compute with single scalars of a group in host memory: the challenges of a protocol, and factors that are
 * made of them. Values are in Montgomery form, so that a scalar looks as an element of a vector does (math/scalar.h).
 */
#ifndef SUMAC_VECTOR_HOST_SCALARS_H
#define SUMAC_VECTOR_HOST_SCALARS_H

#include "math/scalar.h"
#include "sumac/sumac.h"

typedef struct host_scalar {
    uint64_t limbs[SCALAR_MAX_LIMBS];
} host_scalar;

/* Convert a raw scalar, which may have any value, and convert to one. */
host_scalar host_from_raw(const sumac_group *group, const uint8_t *raw);
void host_to_raw(const sumac_group *group, host_scalar a, uint8_t *raw);

/* Convert bytes in Montgomery form, whose integer is less than r, and convert to such bytes. */
host_scalar host_from_montgomery(const sumac_group *group, const uint8_t *bytes);
void host_to_montgomery(const sumac_group *group, host_scalar a, uint8_t *bytes);

host_scalar host_integer(const sumac_group *group, uint64_t integer);
host_scalar host_add(const sumac_group *group, host_scalar a, host_scalar b);
host_scalar host_subtract(const sumac_group *group, host_scalar a, host_scalar b);
host_scalar host_negate(const sumac_group *group, host_scalar a);
host_scalar host_multiply(const sumac_group *group, host_scalar a, host_scalar b);

/* Square a scalar `times` times. */
host_scalar host_square(const sumac_group *group, host_scalar a, uint32_t times);
host_scalar host_power(const sumac_group *group, host_scalar a, uint64_t exponent);

/* Return 1/a, or 0 if a is 0. */
host_scalar host_invert(const sumac_group *group, host_scalar a);

int host_is_zero(const sumac_group *group, host_scalar a);

#endif
