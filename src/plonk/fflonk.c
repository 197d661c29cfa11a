/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plonk/fflonk.h"

#include "base/integers.h"

const combination fflonk_combinations[COMBINATIONS] = {
    {8,
     0,
     {{KEY_QL, EVAL_QL, NO_ITEM},
      {KEY_QR, EVAL_QR, NO_ITEM},
      {KEY_QO, EVAL_QO, NO_ITEM},
      {KEY_QM, EVAL_QM, NO_ITEM},
      {KEY_QC, EVAL_QC, NO_ITEM},
      {KEY_S1, EVAL_S1, NO_ITEM},
      {KEY_S2, EVAL_S2, NO_ITEM},
      {KEY_S3, EVAL_S3, NO_ITEM}}},
    {4,
     0,
     {{PROOF_A, EVAL_A, NO_ITEM},
      {PROOF_B, EVAL_B, NO_ITEM},
      {PROOF_C, EVAL_C, NO_ITEM},
      {PROOF_T0, NO_ITEM, NO_ITEM}}},
    {3, 1, {{PROOF_Z, EVAL_Z, EVAL_ZW}, {PROOF_T1, NO_ITEM, EVAL_T1W}, {PROOF_T2, NO_ITEM, EVAL_T2W}}},
};

/* The roots are snarkjs' w3, of order 3; w4 = w^(n/4); w8 = w^(n/8); and wr, the cube root of w whose order is a power of two, which is
 * w^((2^k + 1)/3), where k is odd and at least the power. */
void fflonk_find_roots(const sumac_group *group, host_scalar w, uint32_t power, host_scalar *roots)
{
    static const uint8_t w3[] = {0x23, 0x6f, 0x63, 0x36, 0x2d, 0x0b, 0xca, 0xb8, 0xe9, 0xc5, 0x2b,
                                 0xec, 0x3f, 0xa7, 0x37, 0xcc, 0x04, 0x41, 0xd8, 0x3f, 0x19, 0x6e,
                                 0x8b, 0x04, 0x29, 0xa0, 0x31, 0xe1, 0x72, 0x4e, 0x64, 0x30};
    const uint32_t k = power | 1;
    roots[0] = host_from_raw(group, w3);
    roots[1] = host_square(group, w, power - 2);
    roots[2] = host_square(group, w, power - 3);
    roots[3] = host_power(group, w, ((UINT64_C(1) << k) + 1) / 3);
}

sumac_status fflonk_interleave(executor *self, sumac_vector *combined, size_t count, size_t k,
                               const sumac_vector *polynomial)
{
    const vector_slice from = {0, polynomial->count, 1, 1}, to = {k, polynomial->count, 1, count};
    return vector_copy(self, combined, &to, polynomial, &from);
}

void fflonk_find_xi(transcript *t)
{
    const sumac_group *g = t->key->groups.g1;
    t->challenges[XI - BETA] = host_power(g, transcript_get(t, XI_SEED), 24);
}

void fflonk_find_factors(const transcript *t, fflonk_factors *f)
{
    const sumac_group *g = t->key->groups.g1;
    const host_scalar y = transcript_get(t, Y), alpha = transcript_get(t, ALPHA);
    f->xi = transcript_get(t, XI);
    f->xiw = host_multiply(g, f->xi, t->key->root);
    for (int i = 0; i < COMBINATIONS; i++) {
        const host_scalar power = host_power(g, y, fflonk_combinations[i].count);
        f->zeros[i] = host_subtract(g, power, f->xi);
        if (fflonk_combinations[i].is_opened_twice) {
            f->zeros[i] = host_multiply(g, f->zeros[i], host_subtract(g, power, f->xiw));
        }
        f->factors[i] = host_multiply(g, host_power(g, alpha, (uint64_t)i),
                                      host_multiply(g, f->zeros[0], host_invert(g, f->zeros[i])));
    }
}

/*
 * The denominators are Z_1(y); Z_2(y); xi^n - 1; those of the Lagrange polynomials on the roots h_j of Z_0, of Z_1, and of Z_2; and
 * n (xi - w^i) for each public input, one at least. The roots of X^m - z have h_j^m = z. On them denominator j is
 * m h_0^(m - 2) h_-j (y - h_j), and the product of all is (-1)^(m - 1) m^m z^(m - 1) (y^m - z). For Z_2 each denominator
 * is multiplied by the difference of xi and xi w, too.
 */
host_scalar fflonk_denominators(const transcript *t, const fflonk_factors *f)
{
    const sumac_group *g = t->key->groups.g1;
    const uint64_t n = UINT64_C(1) << t->key->power;
    host_scalar product = host_multiply(g, f->zeros[1], f->zeros[2]);
    product = host_multiply(g, product, transcript_domain(t).zh);
    for (int i = 0; i < COMBINATIONS; i++) {
        const uint64_t m = fflonk_combinations[i].count;
        host_scalar all = host_power(g, host_multiply(g, host_integer(g, m), f->xi), m);
        all = host_multiply(g, all, host_invert(g, f->xi));
        if (fflonk_combinations[i].is_opened_twice) {
            host_scalar shifted = host_power(g, host_multiply(g, host_integer(g, m), f->xiw), m);
            shifted = host_multiply(g, shifted, host_invert(g, f->xiw));
            const host_scalar difference = host_power(g, host_subtract(g, f->xi, f->xiw), 2 * m);
            all = host_multiply(g, host_multiply(g, all, shifted), difference);
        }
        product = host_multiply(g, product, host_multiply(g, all, f->zeros[i]));
    }
    product = host_negate(g, product);
    host_scalar at = host_integer(g, 1);
    for (uint64_t i = 0; i < larger(t->key->publics, 1); i++) {
        const host_scalar divisor = host_multiply(g, host_integer(g, n), host_subtract(g, f->xi, at));
        product = host_multiply(g, product, divisor);
        at = host_multiply(g, at, t->key->root);
    }
    return product;
}
