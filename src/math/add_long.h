/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Addition and subtraction modulo p < R/2 for 10 and 12 limbs on any x86-64; the contract is in field.h. */
#ifndef SUMAC_MATH_ADD_LONG_H
#define SUMAC_MATH_ADD_LONG_H

/* field.S */
#define X86_64_ADD SUMAC_CONCAT(sumac_x86_64_add_, FP_LIMBS)
#define X86_64_SUB SUMAC_CONCAT(sumac_x86_64_sub_, FP_LIMBS)
void X86_64_ADD(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *p);
void X86_64_SUB(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *p);

SUMAC_FN void fp_add_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    X86_64_ADD(r, a, b, fp_modulus);
}

SUMAC_FN void fp_sub_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    X86_64_SUB(r, a, b, fp_modulus);
}

#endif
