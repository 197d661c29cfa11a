/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The roots of unity at which a blob and its cells are values, and what is made of them. */
#include "kzg/domain.h"

#include <stdlib.h>
#include <string.h>

#include "kzg/work.h"

/* Any number whose power 8192 is not 1 will do: then no missing cell's polynomial is 0 on its coset. 7
 * generates the field's group, and the consensus specification has it, too. */
enum { RECOVERY_SHIFT = 7, LOG2_CELL_ELEMENTS = 6, LOG2_EXTENDED_ELEMENTS = 13 };

/* values[i] = root^rev(i): what the polynomial X is on the domain. */
static void list_roots(work *w, sumac_vector *values)
{
    sumac_transform_config config = sumac_transform_config_default();
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    sumac_vector *one = work_scalars(w, 1);
    work_fill_integer(w, one, 1);
    work_copy(w, values, (work_part){1, 1}, one, (work_part){0, 1}, 1, 1);
    work_ntt(w, values, &config);
}

/* shifts[c] = h_c: the first element of each cell's coset. */
static void list_shifts(work *w, sumac_vector *shifts)
{
    sumac_vector *extended = work_scalars(w, EXTENDED_ELEMENTS);
    list_roots(w, extended);
    work_copy(w, shifts, (work_part){0, 1}, extended, (work_part){0, SUMAC_KZG_CELL_ELEMENTS},
              SUMAC_KZG_CELLS, 1);
}

/* unshifts[64*c + j] = h_c^-j. */
static void list_unshifts(work *w, sumac_vector *unshifts, const sumac_vector *shifts)
{
    sumac_vector *inverses = work_scalars(w, SUMAC_KZG_CELLS), *power = work_scalars(w, SUMAC_KZG_CELLS);
    work_copy(w, inverses, (work_part){0, 1}, shifts, (work_part){0, 1}, 1, SUMAC_KZG_CELLS);
    work_invert(w, inverses);
    work_fill_integer(w, power, 1);
    for (size_t j = 0; j < SUMAC_KZG_CELL_ELEMENTS; j++) {
        work_copy(w, unshifts, (work_part){j, SUMAC_KZG_CELL_ELEMENTS}, power, (work_part){0, 1},
                  SUMAC_KZG_CELLS, 1);
        work_multiply(w, power, power, inverses, 1);
    }
}

static sumac_vector *keep(work *w, size_t count)
{
    sumac_vector *vector = NULL;
    if (work_is_ok(w)) {
        work_note(w, vector_create_zeros(w->executor, w->curve, SUMAC_VECTOR_SCALARS, count, &vector));
    }
    return vector;
}

static void derive(work *w, kzg_domain *domain)
{
    sumac_vector *shifts = work_scalars(w, SUMAC_KZG_CELLS), *shift = work_scalars(w, 1);
    list_roots(w, domain->roots);
    work_read(w, domain->roots, 0, SUMAC_KZG_FIELD_ELEMENTS, domain->raw_roots);
    work_fill_integer(w, domain->inverse_of_size, SUMAC_KZG_FIELD_ELEMENTS);
    work_invert(w, domain->inverse_of_size);
    list_shifts(w, shifts);
    list_unshifts(w, domain->cell_unshifts, shifts);
    work_square(w, shifts, LOG2_CELL_ELEMENTS);
    work_copy(w, domain->cell_constants, (work_part){0, 1}, shifts, (work_part){0, 1}, 1, SUMAC_KZG_CELLS);
    work_fill_integer(w, shift, RECOVERY_SHIFT);
    work_read(w, shift, 0, 1, domain->recovery_shift);
    work_square(w, shift, LOG2_CELL_ELEMENTS);
    work_multiply(w, shifts, shifts, shift, 1);
    work_copy(w, domain->cell_constants, (work_part){SUMAC_KZG_CELLS, 1}, shifts, (work_part){0, 1}, 1,
              SUMAC_KZG_CELLS);
    if (work_is_ok(w)) {
        work_note(w, sumac_root_of_unity(w->curve, LOG2_EXTENDED_ELEMENTS, domain->extended_root));
    }
}

sumac_status domain_create(const share *own, const sumac_curve *curve, kzg_domain *domain)
{
    work w = work_of_share(own, curve);
    uint8_t *raw_roots = work_memory(&w, SUMAC_KZG_FIELD_ELEMENTS, SCALAR_BYTES);
    domain->roots = keep(&w, SUMAC_KZG_FIELD_ELEMENTS);
    domain->inverse_of_size = keep(&w, 1);
    domain->cell_constants = keep(&w, 2 * SUMAC_KZG_CELLS);
    domain->cell_unshifts = keep(&w, EXTENDED_ELEMENTS);
    domain->raw_roots = raw_roots;
    derive(&w, domain);
    if (work_is_ok(&w)) {
        w.block_count = 0; /* the one block is the domain's now */
    } else {
        domain->raw_roots = NULL;
        domain_destroy(domain);
    }
    return work_end(&w);
}

void domain_destroy(kzg_domain *domain)
{
    vector_destroy(domain->roots);
    vector_destroy(domain->inverse_of_size);
    vector_destroy(domain->cell_constants);
    vector_destroy(domain->cell_unshifts);
    free(domain->raw_roots);
    *domain = (kzg_domain){.roots = NULL};
}

size_t domain_index(const kzg_domain *domain, const uint8_t *scalar)
{
    size_t i = 0;
    while (i < SUMAC_KZG_FIELD_ELEMENTS &&
           memcmp(domain->raw_roots + i * SCALAR_BYTES, scalar, SCALAR_BYTES) != 0) {
        i++;
    }
    return i;
}
