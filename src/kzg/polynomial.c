/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/polynomial.h"

enum { N = SUMAC_KZG_FIELD_ELEMENTS, LOG2_N = 12 };

polynomial_openings polynomial_openings_of(work *w, size_t count)
{
    return (polynomial_openings){.count = count,
                                 .values = work_scalars(w, count * N),
                                 .zs = work_scalars(w, count),
                                 .ys = work_scalars(w, count),
                                 .inverses = work_scalars(w, count * N),
                                 .terms = work_scalars(w, count * N),
                                 .roots = work_memory(w, count, sizeof(size_t)),
                                 .raw_zs = work_memory(w, count, SCALAR_BYTES)};
}

/* The barycentric formula, f(z) = (1 - z^n)/n * sum of f_i x_i/(x_i - z): none of the roots is z. With
 * x_i/(x_i - z) = 1 + z/(x_i - z) the sum is that of all f_i and z times that of f_i/(x_i - z). */
static void evaluate_outside(work *outer, const kzg_domain *domain, const polynomial_openings *openings)
{
    if (!work_is_ok(outer)) {
        return;
    }
    const size_t count = sumac_vector_count(openings->ys);
    work own = work_within(outer), *w = &own;
    sumac_vector *factors = work_scalars(w, count), *powers = work_scalars(w, count);
    sumac_vector *sums = work_scalars(w, count);
    work_multiply(w, openings->terms, openings->values, openings->inverses, 1);
    work_sum(w, openings->ys, openings->terms, N);
    work_multiply(w, openings->ys, openings->ys, openings->zs, 1);
    work_sum(w, sums, openings->values, N);
    work_add(w, openings->ys, openings->ys, sums, 1);
    work_fill_integer(w, factors, 1);
    work_add(w, powers, powers, openings->zs, 1);
    work_square(w, powers, LOG2_N);
    work_subtract(w, factors, factors, powers, 1);
    work_multiply(w, factors, factors, domain->inverse_of_size, 1);
    work_multiply(w, openings->ys, openings->ys, factors, 1);
    work_note(outer, work_end(w));
}

void polynomial_evaluate(work *w, const kzg_domain *domain, const polynomial_openings *openings)
{
    work_copy(w, openings->inverses, (work_part){0, N}, domain->roots, (work_part){0, 0},
              sumac_vector_count(openings->zs), N);
    work_subtract(w, openings->inverses, openings->inverses, openings->zs, N);
    work_invert(w, openings->inverses);
    evaluate_outside(w, domain, openings);
    work_read(w, openings->zs, 0, openings->count, openings->raw_zs);
    for (size_t i = 0; work_is_ok(w) && i < openings->count; i++) {
        openings->roots[i] = domain_index(domain, openings->raw_zs + i * SCALAR_BYTES);
        if (openings->roots[i] < N) {
            work_copy(w, openings->ys, (work_part){i, 1}, openings->values,
                      (work_part){i * N + openings->roots[i], 1}, 1, 1);
        }
    }
}

/* Where z is the root x_m, entry m of a row of the quotient, 0 until now, is the sum over the others of
 * (f_i - y)x_i/(x_m(x_m - x_i)) = -q_i x_i/x_m. */
static void complete_row(work *outer, const kzg_domain *domain, sumac_vector *quotients, size_t row, size_t m)
{
    work own = work_within(outer), *w = &own;
    sumac_vector *terms = work_scalars(w, N), *entry = work_scalars(w, 1), *root = work_scalars(w, 1);
    sumac_vector *sum = work_scalars(w, 1);
    work_copy(w, terms, (work_part){0, 1}, quotients, (work_part){row * N, 1}, 1, N);
    work_multiply(w, terms, terms, domain->roots, 1);
    work_sum(w, sum, terms, N);
    work_subtract(w, entry, entry, sum, 1);
    work_copy(w, root, (work_part){0, 1}, domain->roots, (work_part){m, 1}, 1, 1);
    work_invert(w, root);
    work_multiply(w, entry, entry, root, 1);
    work_copy(w, quotients, (work_part){row * N + m, 1}, entry, (work_part){0, 1}, 1, 1);
    work_note(outer, work_end(w));
}

void polynomial_divide(work *w, const kzg_domain *domain, const polynomial_openings *openings)
{
    work_subtract(w, openings->terms, openings->values, openings->ys, N);
    work_multiply(w, openings->terms, openings->terms, openings->inverses, 1);
    for (size_t i = 0; work_is_ok(w) && i < openings->count; i++) {
        if (openings->roots[i] < N) {
            complete_row(w, domain, openings->terms, i, openings->roots[i]);
        }
    }
}
