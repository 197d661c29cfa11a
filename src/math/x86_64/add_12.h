/* Addition and subtraction modulo p < R/2 for 12 limbs on any x86-64; the contract is in field.h. */
#ifndef SUMAC_MATH_X86_64_ADD_12_H
#define SUMAC_MATH_X86_64_ADD_12_H

/* field.S */
void sumac_x86_64_add_12(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *p);
void sumac_x86_64_sub_12(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *p);

SUMAC_FN void fp_add_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    sumac_x86_64_add_12(r, a, b, fp_modulus);
}

SUMAC_FN void fp_sub_limbs(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    sumac_x86_64_sub_12(r, a, b, fp_modulus);
}

#endif
