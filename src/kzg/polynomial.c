/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/polynomial.h"

#include <stdlib.h>

enum { N = SUMAC_KZG_FIELD_ELEMENTS, LOG2_N = 12 };

sumac_status polynomial_openings_create(executor *self, const sumac_group *group, size_t count, int divided,
                                        polynomial_openings *openings)
{
    openings->count = count;
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, count * N, &openings->values));
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, count, &openings->zs));
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, count, &openings->ys));
    if (!divided && vector_can_evaluate(self, group)) {
        return SUMAC_OK;
    }
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, count * N, &openings->inverses));
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, count * N, &openings->terms));
    openings->roots = host_memory(self, count, sizeof *openings->roots);
    return openings->roots == NULL ? SUMAC_OUT_OF_MEMORY : SUMAC_OK;
}

void close_openings(polynomial_openings *openings)
{
    vector_destroy(openings->values);
    vector_destroy(openings->zs);
    vector_destroy(openings->ys);
    vector_destroy(openings->inverses);
    vector_destroy(openings->terms);
    free(openings->roots);
}

/* If z is none of the roots, evaluate by the barycentric formula f(z) = (1 - z^n)/n * sum of f_i x_i/(x_i - z). Because
 * x_i/(x_i - z) = 1 + z/(x_i - z), the sum in it is (sum of f_i) + z * (sum of f_i/(x_i - z)). */
static sumac_status evaluate_outside(executor *self, const kzg_domain *domain,
                                     const polynomial_openings *openings)
{
    const size_t count = openings->zs->count;
    sumac_vector *ys = openings->ys;
    LOCAL_SCALARS(factors, self, ys->group, count);
    LOCAL_SCALARS(powers, self, ys->group, count);
    LOCAL_SCALARS(sums, self, ys->group, count);
    TRY(vector_multiply(self, openings->terms, openings->values, openings->inverses, 1));
    TRY(vector_sum(self, ys, openings->terms, N));
    TRY(vector_multiply(self, ys, ys, openings->zs, 1));
    TRY(vector_sum(self, sums, openings->values, N));
    TRY(vector_add(self, ys, ys, sums, 1));
    TRY(vector_copy_range(self, powers, 0, openings->zs, 0, count));
    TRY(vector_square(self, powers, LOG2_N));
    TRY(vector_fill_integer(self, factors, 1));
    TRY(vector_subtract(self, factors, factors, powers, 1));
    TRY(vector_multiply(self, factors, factors, domain->inverse_of_size, 1));
    return vector_multiply(self, ys, ys, factors, 1);
}

sumac_status polynomial_evaluate(executor *self, const kzg_domain *domain,
                                 const polynomial_openings *openings)
{
    const size_t count = openings->zs->count;
    const vector_slice rows = {0, count, N, N}, same_row = {0, count, N, 0};
    LOCAL_MEMORY(uint8_t, raw_zs, self, openings->count * SCALAR_BYTES);
    TRY(vector_copy(self, openings->inverses, &rows, domain->roots, &same_row));
    TRY(vector_subtract(self, openings->inverses, openings->inverses, openings->zs, N));
    TRY(vector_invert(self, openings->inverses));
    TRY(evaluate_outside(self, domain, openings));
    TRY(vector_get(self, openings->zs, 0, openings->count, raw_zs, NULL));
    for (size_t i = 0; i < openings->count; i++) {
        const size_t root = domain_index(domain, raw_zs + i * SCALAR_BYTES);
        openings->roots[i] = root;
        if (root < N) {
            TRY(vector_copy_range(self, openings->ys, i, openings->values, i * N + root, 1));
        }
    }
    return SUMAC_OK;
}

sumac_status polynomial_evaluate_unconverted(executor *self, const kzg_domain *domain,
                                             const polynomial_openings *openings)
{
    const size_t count = openings->count;
    const sumac_vector quarter = vector_part(domain->roots, 2, 1);
    const sumac_vector zs = vector_part(openings->zs, 0, count);
    sumac_vector values = vector_part(openings->values, 0, count * N);
    sumac_vector ys = vector_part(openings->ys, 0, count);
    if (openings->inverses == NULL) {
        TRY(vector_evaluate(self, &ys, &values, &zs, domain->inverses, &quarter));
        TRY(vector_multiply(self, &ys, &ys, domain->inverse_of_size, 1));
    } else {
        TRY(polynomial_evaluate(self, domain, openings));
    }
    return vector_multiply(self, &ys, &ys, domain->radix, 1);
}

/* If z is the root x_m, entry m of the row of the quotient is still 0. Replace it by the sum over the other i of (f_i -
 * y)x_i/(x_m(x_m - x_i)) = -q_i x_i/x_m. */
static sumac_status complete_row(executor *self, const kzg_domain *domain, sumac_vector *quotients,
                                 size_t row, size_t m)
{
    LOCAL_SCALARS(terms, self, quotients->group, N);
    LOCAL_SCALARS(entry, self, quotients->group, 1);
    LOCAL_SCALARS(root, self, quotients->group, 1);
    LOCAL_SCALARS(sum, self, quotients->group, 1);
    TRY(vector_copy_range(self, terms, 0, quotients, row * N, N));
    TRY(vector_multiply(self, terms, terms, domain->roots, 1));
    TRY(vector_sum(self, sum, terms, N));
    TRY(vector_fill_integer(self, entry, 0));
    TRY(vector_subtract(self, entry, entry, sum, 1));
    TRY(vector_copy_range(self, root, 0, domain->roots, m, 1));
    TRY(vector_invert(self, root));
    TRY(vector_multiply(self, entry, entry, root, 1));
    return vector_copy_range(self, quotients, row * N + m, entry, 0, 1);
}

sumac_status polynomial_divide(executor *self, const kzg_domain *domain, const polynomial_openings *openings)
{
    TRY(vector_subtract(self, openings->terms, openings->values, openings->ys, N));
    TRY(vector_multiply(self, openings->terms, openings->terms, openings->inverses, 1));
    for (size_t i = 0; i < openings->count; i++) {
        if (openings->roots[i] < N) {
            TRY(complete_row(self, domain, openings->terms, i, openings->roots[i]));
        }
    }
    return SUMAC_OK;
}
