/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has what several steps of prove_steps.h need. */
#include "base/try.h"
#include "plonk/prove_steps.h"

sumac_status plonk_set_factors(const proving *p, size_t first, const host_scalar *factors, size_t count)
{
    uint8_t raw[MOST_FACTORS * MOST_SCALAR_BYTES];
    for (size_t i = 0; i < count; i++) {
        host_to_raw(p->group, factors[i], raw + i * p->group->scalar_bytes);
    }
    return vector_set(p->self, p->factors, first, count, raw, NULL);
}

sumac_status plonk_permute(const proving *p, sumac_vector *product, int is_first, const sumac_vector *wire,
                           const sumac_vector *position, size_t factor, size_t gamma, sumac_vector *scratch)
{
    const sumac_vector times = proving_factor(p, factor), plus = proving_factor(p, gamma);
    sumac_vector *term = is_first ? product : scratch;
    TRY(vector_multiply_add(p->self, term, position, &times, 1, wire));
    TRY(vector_add(p->self, term, term, &plus, 1));
    return is_first ? SUMAC_OK : vector_multiply(p->self, product, product, scratch, 1);
}
