/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has a kernel for each routine of a field on a GPU. tests/proofs/claims/ptx.py compiles them and proves
 * claims on them. SUMAC_CURVE_HEADER names the curve. The field is that of the curve's coordinates, or if
 * SUMAC_PROOFS_OF_SCALARS is defined, that of its scalars. */
#ifdef SUMAC_PROOFS_OF_SCALARS
#include "math/fr.h"
#else
#include "math/variant.h"
#include SUMAC_CURVE_HEADER
#include "math/field.h"
#endif

extern "C" {

__global__ void sum(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    fp_add_limbs(r, a, b);
}

__global__ void difference(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    fp_sub_limbs(r, a, b);
}

__global__ void negation(fp *r, const fp *a)
{
    fp_neg(r, a);
}

__global__ void doubling(fp *r, const fp *a)
{
    fp_double(r, a);
}

__global__ void product(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    fp_mul_limbs(r, a, b);
}

__global__ void square(uint64_t *r, const uint64_t *a)
{
    fp_sqr_limbs(r, a);
}

#if FP_SPARE_BITS >= 2
__global__ void pair(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c, const uint64_t *d)
{
    fp_mul_pair_limbs(r, a, b, c, d);
}
#endif

#if FP_SPARE_BITS >                                                                                          \
    0 /* Otherwise this would be C, in which the compiler multiplies constants of the product with each other. */
__global__ void to_montgomery(fp *r, const fp *a)
{
    fp_to_mont(r, a);
}
#endif

__global__ void from_montgomery(fp *r, const fp *a)
{
    fp_from_mont(r, a);
}
}
