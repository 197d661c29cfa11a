/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/setup.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases.h"
#include "api/bases_read.h"
#include "api/call.h"
#include "api/vector_checks.h"
#include "kzg/fk20.h"
#include "kzg/points.h"
#include "kzg/range.h"

enum {
    G1_BYTES = SUMAC_KZG_FIELD_ELEMENTS * G1_POINT_BYTES,
    G2_BYTES = SUMAC_KZG_G2_POINTS * G2_POINT_BYTES
};

sumac_kzg_setup *setup_allocate(sumac_context *context)
{
    sumac_kzg_setup *setup = calloc(1, sizeof *setup);
    if (setup != NULL) {
        setup->devices = context_executors(context)->count;
        setup->monomial = malloc(G1_BYTES);
        setup->g2_monomial = malloc(G2_BYTES);
    }
    if (setup == NULL || setup->monomial == NULL || setup->g2_monomial == NULL) {
        (void)fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a trusted setup",
                   sizeof *setup + G1_BYTES + G2_BYTES);
        sumac_kzg_destroy(setup);
        return NULL;
    }
    return setup;
}

sumac_status setup_find_group(sumac_context *context, const char *name, const sumac_group **group)
{
    const sumac_status status = sumac_group_find("bls12-381", name, group);
    return status == SUMAC_OK ? status : fail(context, status, "this build of the library lacks bls12-381");
}

/* Store -G2 as a raw point in `minus`. */
static sumac_status negate_generator(executor *self, const sumac_group *group, uint8_t *minus)
{
    uint8_t generator[G2_POINT_BYTES];
    CLEANUP(close_vector) sumac_vector *result = NULL;
    LOCAL_POINTS(point, self, group, 1);
    TRY(sumac_group_generator(group, generator, group->point_bytes));
    TRY(vector_set(self, point, 0, 1, generator, NULL));
    TRY(vector_create_zeros(self, group, SUMAC_VECTOR_POINTS, 1, &result));
    TRY(vector_subtract(self, result, result, point, 1));
    return vector_get(self, result, 0, 1, minus, NULL);
}

/* Prepare s^power G2 and `minus`, which is -G2, for pairing checks. */
static sumac_status prepare_g2(sumac_context *context, const sumac_kzg_setup *setup, size_t power,
                               const uint8_t *minus, sumac_pairing_points **prepared)
{
    uint8_t points[2 * G2_POINT_BYTES];
    memcpy(points, setup->g2_monomial + power * G2_POINT_BYTES, G2_POINT_BYTES);
    memcpy(points + G2_POINT_BYTES, minus, G2_POINT_BYTES);
    return sumac_pairing_points_create(context, setup->g2, points, sizeof points, 2, SUMAC_CHECK_NONE,
                                       prepared);
}

static sumac_status derive_domain(void *argument, const work_range *range)
{
    sumac_kzg_setup *setup = argument;
    return domain_create(range->self, setup->g1, &setup->domains[range->index]);
}

sumac_status setup_derive(sumac_context *context, sumac_kzg_setup *setup)
{
    uint8_t minus_g2[G2_POINT_BYTES];
    TRY(negate_generator(context_executor(context), setup->g2, minus_g2));
    TRY(prepare_g2(context, setup, 1, minus_g2, &setup->opening_g2));
    TRY(prepare_g2(context, setup, SUMAC_KZG_CELL_ELEMENTS, minus_g2, &setup->cell_g2));
    return ranges_run_with_each(context, derive_domain, setup);
}

/* Make bases of the raw Lagrange points on every device, with `multiples` multiples of each point. */
static sumac_status make_lagrange(sumac_context *context, const sumac_group *g1, const uint8_t *points,
                                  uint32_t multiples, sumac_bases **bases)
{
    sumac_bases_config config = {.size = sizeof config};
    config.check = SUMAC_CHECK_NONE; /* the points were decoded, or read from bases */
    config.replicated = 1;
    config.precompute_factor = multiples;
    return bases_make(context, g1, points, SUMAC_KZG_FIELD_ELEMENTS, &config, bases);
}

sumac_status setup_fill(sumac_context *context, const sumac_kzg_config *config, sumac_kzg_setup *setup,
                        const uint8_t *lagrange, const uint8_t *monomial, const uint8_t *g2_monomial)
{
    CLEANUP(close_bases) sumac_bases *srs = NULL;
    memcpy(setup->monomial, monomial, G1_BYTES);
    memcpy(setup->g2_monomial, g2_monomial, G2_BYTES);
    TRY(make_lagrange(context, setup->g1, lagrange, setup_multiples(context, config), &setup->lagrange));
    TRY(setup_derive(context, setup));
    TRY(points_make_bases(context, setup->g1, setup->monomial, SUMAC_KZG_FIELD_ELEMENTS, &srs));
    TRY(setup_check_fit(context, setup, srs));
    return setup_make_fk20(context, config, srs, setup);
}

sumac_status setup_begin_call(sumac_context *context, const sumac_kzg_setup *setup, int pointers_are_set,
                              const char *pointers, size_t count, size_t bytes)
{
    TRY(context_held(context));
    if (setup == NULL || !pointers_are_set) {
        return fail(context, SUMAC_BAD_ARGUMENT, "setup, %s must not be null", pointers);
    }
    if (setup->devices > 1 && setup->devices != context_executors(context)->count) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the setup is over %u devices, and the context has %u",
                    setup->devices, context_executors(context)->count);
    }
    const sumac_vector *roots = setup->domains[0].roots;
    TRY(bases_check_usable(context, setup->lagrange));
    TRY(vector_begin(context, roots, roots, roots));
    if (count > SIZE_MAX / bytes) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu blobs or cells are more than any memory holds", count);
    }
    return SUMAC_OK;
}

/* Multiples of the Lagrange points make commitments and openings 16% faster on CPU threads, and a third faster on a GPU
 * with one multiple for each window. They are made if the limit leaves enough memory beside the tables for cells. */
enum {
    LAGRANGE_MULTIPLES = 8,
    MOST_LAGRANGE_MULTIPLES = 32, /* enough for any window that the planner chooses for a GPU */
    LEAST_BYTES_FOR_MULTIPLES = 32 << 20,
};

uint32_t setup_most_multiples(const sumac_context *context)
{
    return context_location(context) == SUMAC_LOCATION_HOST ? LAGRANGE_MULTIPLES : MOST_LAGRANGE_MULTIPLES;
}

uint32_t setup_multiples(const sumac_context *context, const sumac_kzg_config *config)
{
    const int are_wanted = config->cells && config->table_bytes >= LEAST_BYTES_FOR_MULTIPLES;
    return are_wanted ? setup_most_multiples(context) : 1;
}

sumac_status setup_make_fk20(sumac_context *context, const sumac_kzg_config *config, const sumac_bases *srs,
                             sumac_kzg_setup *setup)
{
    const uint32_t multiples = setup_multiples(context, config);
    const uint64_t bytes_of_multiples = multiples > 1 ? (uint64_t)multiples * G1_BYTES : 0;
    return !config->cells ? SUMAC_OK
                          : sumac_fk20_create(context, srs, SUMAC_KZG_FIELD_ELEMENTS, SUMAC_KZG_CELL_ELEMENTS,
                                              config->table_bytes - bytes_of_multiples, &setup->fk20);
}

uint64_t sumac_kzg_table_bytes(const sumac_kzg_setup *setup)
{
    return setup == NULL ? 0 : fk20_table_bytes(setup->fk20);
}

void sumac_kzg_destroy(sumac_kzg_setup *setup)
{
    if (setup != NULL) {
        sumac_bases_destroy(setup->lagrange);
        sumac_fk20_destroy(setup->fk20);
        sumac_pairing_points_destroy(setup->opening_g2);
        sumac_pairing_points_destroy(setup->cell_g2);
        for (uint32_t k = 0; k < setup->devices; k++) {
            domain_destroy(&setup->domains[k]);
        }
        free(setup->monomial);
        free(setup->g2_monomial);
        free(setup);
    }
}
