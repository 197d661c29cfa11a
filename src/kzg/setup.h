/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Making a setup from points, and how calls that use one begin. */
#ifndef SUMAC_KZG_SETUP_H
#define SUMAC_KZG_SETUP_H

#include "kzg/setup_types.h"

/* Whether a call with a context that is held (null: none could be) and a setup may begin:
 * `pointers_are_there` of those that the sentence names, and count things of `bytes` bytes at most fit in
 * memory. */
sumac_status setup_begin_call(sumac_context *context, const sumac_kzg_setup *setup, int pointers_are_there,
                              const char *pointers, size_t count, size_t bytes);

/* A setup without contents, or null and a sentence. */
sumac_kzg_setup *setup_allocate(sumac_context *context);

/* Fill a setup from raw points that are checked, if they belong together: the Lagrange points in the order of
 * a blob's elements. */
sumac_status setup_fill(sumac_context *context, sumac_kzg_setup *setup, const uint8_t *lagrange,
                        const uint8_t *monomial, const uint8_t *g2_monomial);

/* Derive what needs nothing but the curves. */
sumac_status setup_derive(sumac_context *context, sumac_kzg_setup *setup);

/* The most multiples of each Lagrange point that calls in this context use. */
uint32_t setup_lagrange_multiples(const sumac_context *context);

/* Bases of the points of G1 in monomial form, which the caller destroys. */
sumac_status setup_srs(sumac_context *context, const sumac_kzg_setup *setup, sumac_bases **srs);

#endif
