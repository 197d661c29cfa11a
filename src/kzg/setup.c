/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/setup.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "kzg/fk20.h"
#include "kzg/setup_fit.h"

#define DEFAULT_TABLE_BYTES ((uint64_t)64 << 20)
#define LEAST_TABLE_BYTES ((uint64_t)1 << 20)

enum {
    G1_BYTES = SUMAC_KZG_FIELD_ELEMENTS * G1_POINT_BYTES,
    G2_BYTES = SUMAC_KZG_G2_POINTS * G2_POINT_BYTES
};

sumac_kzg_setup *setup_allocate(sumac_context *context)
{
    sumac_kzg_setup *setup = calloc(1, sizeof *setup);
    if (setup != NULL) {
        setup->monomial = malloc(G1_BYTES);
        setup->g2_monomial = malloc(G2_BYTES);
    }
    if (setup == NULL || setup->monomial == NULL || setup->g2_monomial == NULL) {
        (void)fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a trusted setup",
                   sizeof *setup + G1_BYTES + G2_BYTES);
        sumac_kzg_setup_destroy(setup);
        return NULL;
    }
    return setup;
}

/* minus = (r - 1)*G. */
static sumac_status negate_generator(sumac_context *context, const sumac_curve *curve, uint8_t *minus)
{
    const sumac_curve_info *info = sumac_curve_describe(curve);
    uint8_t generator[G2_POINT_BYTES];
    uint64_t scalar[SCALAR_BYTES / 8];
    sumac_bases *bases = NULL;
    memcpy(scalar, info->order, sizeof scalar);
    scalar[0]--; /* r is odd */
    sumac_curve_generator(curve, generator);
    sumac_status status = sumac_bases_create(context, curve, generator, 1, NULL, &bases);
    if (status == SUMAC_OK) {
        status = sumac_msm(context, bases, scalar, 1, NULL, minus);
    }
    sumac_bases_destroy(bases);
    return status;
}

sumac_status setup_fill(sumac_context *context, sumac_kzg_setup *setup, const uint8_t *lagrange,
                        const uint8_t *monomial, const uint8_t *g2_monomial)
{
    memcpy(setup->monomial, monomial, G1_BYTES);
    memcpy(setup->g2_monomial, g2_monomial, G2_BYTES);
    sumac_status status =
        sumac_bases_create(context, setup->g1, lagrange, SUMAC_KZG_FIELD_ELEMENTS, NULL, &setup->lagrange);
    if (status == SUMAC_OK) {
        status = negate_generator(context, setup->g1, setup->minus_g1);
    }
    if (status == SUMAC_OK) {
        status = negate_generator(context, setup->g2, setup->minus_g2);
    }
    if (status == SUMAC_OK) {
        status = domain_create(context, setup->g1, &setup->domain);
    }
    return status == SUMAC_OK ? setup_check_fit(context, setup) : status;
}

sumac_status setup_begin_call(sumac_context *context, const sumac_kzg_setup *setup, int pointers_are_there,
                              const char *pointers, size_t count, size_t bytes)
{
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    if (setup == NULL || !pointers_are_there) {
        return fail(context, SUMAC_BAD_ARGUMENT, "setup, %s must not be null", pointers);
    }
    if (count > SIZE_MAX / bytes) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu blobs or cells are more than any memory holds", count);
    }
    return SUMAC_OK;
}

/* The points that proofs of cells multiply: those that are there, or new ones. */
static sumac_status list_columns(sumac_context *context, const sumac_kzg_setup *setup, uint8_t *columns)
{
    const fk20_shape shape = {SUMAC_KZG_FIELD_ELEMENTS, SUMAC_KZG_CELL_ELEMENTS};
    return setup->columns != NULL ? sumac_bases_get(context, setup->columns, 0, EXTENDED_ELEMENTS, columns)
                                  : fk20_list_columns(context, setup->g1, shape, setup->monomial, columns);
}

static sumac_status make_tables(sumac_context *context, const sumac_kzg_setup *setup, uint64_t table_bytes,
                                const uint8_t *columns, sumac_bases **bases)
{
    sumac_bases_config config = sumac_bases_config_default();
    config.typical_batch = SUMAC_KZG_CELLS;
    config.typical_n = SUMAC_KZG_CELL_ELEMENTS;
    if (table_bytes >= LEAST_TABLE_BYTES) {
        config.tables = SUMAC_TABLES_AUTO;
        config.table_limit = table_bytes;
    }
    return sumac_bases_create(context, setup->g1, columns, EXTENDED_ELEMENTS, &config, bases);
}

sumac_status sumac_kzg_setup_prepare(sumac_context *context, sumac_kzg_setup *setup, uint64_t table_bytes)
{
    sumac_bases *bases = NULL;
    sumac_status status = setup_begin_call(context, setup, 1, "which is prepared,", 0, 1);
    if (status != SUMAC_OK) {
        return status;
    }
    uint8_t *columns = malloc((size_t)EXTENDED_ELEMENTS * G1_POINT_BYTES);
    if (columns == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %d bytes to prepare a setup",
                    EXTENDED_ELEMENTS * G1_POINT_BYTES);
    }
    status = list_columns(context, setup, columns);
    if (status == SUMAC_OK) {
        status = make_tables(context, setup, table_bytes == 0 ? DEFAULT_TABLE_BYTES : table_bytes, columns,
                             &bases);
    }
    free(columns);
    if (status == SUMAC_OK) {
        sumac_bases_destroy(setup->columns);
        setup->columns = bases;
    }
    return status;
}

int sumac_kzg_setup_is_prepared(const sumac_kzg_setup *setup)
{
    return setup != NULL && setup->columns != NULL;
}

void sumac_kzg_setup_destroy(sumac_kzg_setup *setup)
{
    if (setup != NULL) {
        sumac_bases_destroy(setup->lagrange);
        sumac_bases_destroy(setup->columns);
        domain_destroy(&setup->domain);
        free(setup->monomial);
        free(setup->g2_monomial);
        free(setup);
    }
}
