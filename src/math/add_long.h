/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file adds and subtracts modulo p with the assembly of field.S. It is for 10 and 12 limbs, and for p < R/2.
 * field.h has the contract. r may alias the operands but must not overlap p.
 */
#ifndef SUMAC_MATH_ADD_LONG_H
#define SUMAC_MATH_ADD_LONG_H

#define ASSEMBLY_ADD FP_ROUTINE(SUMAC_CONCAT(add_, FP_LIMBS))
#define ASSEMBLY_SUB FP_ROUTINE(SUMAC_CONCAT(sub_, FP_LIMBS))
void ASSEMBLY_ADD(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *p);
void ASSEMBLY_SUB(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *p);

SUMAC_FN void fp_add_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    ASSEMBLY_ADD(r, a, b, fp_modulus);
}

SUMAC_FN void fp_sub_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    ASSEMBLY_SUB(r, a, b, fp_modulus);
}

#endif
