/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/domain.h"

#include <stdlib.h>
#include <string.h>

/* RECOVERY_SHIFT must have a power 8192 other than 1, so that no missing cell's polynomial is 0 on the shifted coset. 7
 * generates the multiplicative group of the field, so it has such a power. The consensus specification uses it, too. */
enum { RECOVERY_SHIFT = 7, LOG2_CELL_ELEMENTS = 6, LOG2_EXTENDED_ELEMENTS = 13 };

enum { N = SUMAC_KZG_FIELD_ELEMENTS, CELLS = SUMAC_KZG_CELLS, CELL = SUMAC_KZG_CELL_ELEMENTS };

/* Set values[i] to root^rev(i). These are the values of the polynomial X on the domain of n elements. */
static sumac_status list_roots(executor *self, const sumac_group *group, size_t n, sumac_vector **values)
{
    sumac_transform_config config = {.size = sizeof config};
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    LOCAL_SCALARS(one, self, group, 1);
    TRY(vector_fill_integer(self, one, 1));
    TRY(vector_create_zeros(self, group, SUMAC_VECTOR_SCALARS, n, values));
    TRY(vector_copy_range(self, *values, 1, one, 0, 1));
    return vector_ntt(self, *values, &config);
}

/* The integer 1 in Montgomery form is 1/R. */
static sumac_status list_radix(executor *self, const sumac_group *group, sumac_vector **radix)
{
    static const uint8_t one[SCALAR_BYTES] = {1};
    sumac_element_layout layout = {.size = sizeof layout};
    layout.form = SUMAC_FORM_MONTGOMERY;
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, 1, radix));
    TRY(vector_set(self, *radix, 0, 1, one, &layout));
    return vector_invert(self, *radix);
}

/* Set unshifts[64*c + j] to h_c^-j. */
static sumac_status list_unshifts(executor *self, sumac_vector *unshifts, const sumac_vector *shifts)
{
    LOCAL_SCALARS(inverses, self, shifts->group, CELLS);
    LOCAL_SCALARS(power, self, shifts->group, CELLS);
    TRY(vector_copy_range(self, inverses, 0, shifts, 0, CELLS));
    TRY(vector_invert(self, inverses));
    TRY(vector_fill_integer(self, power, 1));
    for (size_t j = 0; j < CELL; j++) {
        const vector_slice column = {j, CELLS, 1, CELL}, powers = {0, CELLS, 1, 1};
        TRY(vector_copy(self, unshifts, &column, power, &powers));
        TRY(vector_multiply(self, power, power, inverses, 1));
    }
    return SUMAC_OK;
}

/* Compute the constants of cells from the first element of each cell's coset. */
static sumac_status derive_cells(executor *self, const sumac_group *group, kzg_domain *domain)
{
    const vector_slice firsts = {0, CELLS, 1, CELL}, cells = {0, CELLS, 1, 1};
    CLEANUP(close_vector) sumac_vector *extended = NULL;
    LOCAL_SCALARS(shifts, self, group, CELLS);
    LOCAL_SCALARS(recovery_shift, self, group, 1);
    TRY(list_roots(self, group, EXTENDED_ELEMENTS, &extended));
    TRY(vector_copy(self, shifts, &cells, extended, &firsts));
    TRY(list_unshifts(self, domain->cell_unshifts, shifts));
    TRY(vector_square(self, shifts, LOG2_CELL_ELEMENTS));
    TRY(vector_copy_range(self, domain->cell_constants, 0, shifts, 0, CELLS));
    TRY(vector_fill_integer(self, recovery_shift, RECOVERY_SHIFT));
    TRY(vector_get(self, recovery_shift, 0, 1, domain->recovery_shift, NULL));
    TRY(vector_square(self, recovery_shift, LOG2_CELL_ELEMENTS));
    TRY(vector_multiply(self, shifts, shifts, recovery_shift, 1));
    return vector_copy_range(self, domain->cell_constants, CELLS, shifts, 0, CELLS);
}

sumac_status domain_create(executor *self, const sumac_group *group, kzg_domain *domain)
{
    domain->raw_roots = host_memory(self, N, SCALAR_BYTES);
    if (domain->raw_roots == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    TRY(sumac_root_of_unity(group, LOG2_EXTENDED_ELEMENTS, domain->extended_root,
                            sizeof domain->extended_root));
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, 1, &domain->inverse_of_size));
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, 2 * CELLS, &domain->cell_constants));
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, EXTENDED_ELEMENTS, &domain->cell_unshifts));
    TRY(list_roots(self, group, N, &domain->roots));
    TRY(vector_get(self, domain->roots, 0, N, domain->raw_roots, NULL));
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, N / 4, &domain->inverses));
    TRY(vector_copy(self, domain->inverses, &(vector_slice){0, N / 4, 1, 1}, domain->roots,
                    &(vector_slice){0, N / 4, 1, 4}));
    TRY(vector_invert(self, domain->inverses));
    TRY(vector_fill_integer(self, domain->inverse_of_size, N));
    TRY(vector_invert(self, domain->inverse_of_size));
    TRY(list_radix(self, group, &domain->radix));
    return derive_cells(self, group, domain);
}

void domain_destroy(kzg_domain *domain)
{
    vector_destroy(domain->roots);
    vector_destroy(domain->inverses);
    vector_destroy(domain->inverse_of_size);
    vector_destroy(domain->radix);
    vector_destroy(domain->cell_constants);
    vector_destroy(domain->cell_unshifts);
    free(domain->raw_roots);
}

size_t domain_index(const kzg_domain *domain, const uint8_t *scalar)
{
    size_t i = 0;
    while (i < N && memcmp(domain->raw_roots + i * SCALAR_BYTES, scalar, SCALAR_BYTES) != 0) {
        i++;
    }
    return i;
}
