/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whether a witness satisfies a circuit: A w o B w = C w, constraint by constraint. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "groth16/key.h"
#include "groth16/r1cs_file.h"
#include "io/memory.h"

/* products[m] = matrix m times the witness. */
static sumac_status multiply(r1cs_file *r1cs, const sumac_vector *witness,
                             sumac_vector *products[MOST_MATRICES])
{
    sumac_context *context = r1cs->input.file.context;
    const uint64_t rows = r1cs->header.constraints;
    sumac_vector *values = NULL;
    sumac_status status = coefficients_vector(&r1cs->coefficients, VALUE_CANONICAL, &values);
    for (uint32_t m = 0; m < MOST_MATRICES && status == SUMAC_OK; m++) {
        sparse_matrix *matrix = NULL;
        status =
            sumac_vector_create(context, r1cs->groups.g1, SUMAC_VECTOR_SCALARS, (size_t)rows, &products[m]);
        if (status == SUMAC_OK) {
            status = coefficients_matrix(&r1cs->coefficients, m, rows, 0, values, &matrix);
        }
        if (status == SUMAC_OK) {
            status =
                vector_multiply_sparse(context_executor(context), products[m], 0, &matrix->rows, witness, 0);
        }
        sparse_destroy(matrix);
    }
    sumac_vector_destroy(values);
    return status;
}

/* A w o B w and C w, as bytes. */
static sumac_status compare(sumac_context *context, sumac_vector *products[MOST_MATRICES], size_t rows,
                            size_t bytes, const char *path)
{
    sumac_status status;
    uint8_t *sides = memory_allocate(context, path, 2 * rows * bytes, &status);
    if (status != SUMAC_OK) {
        return status;
    }
    status = sumac_vector_multiply(context, products[0], products[1], 1, products[0]);
    status = status == SUMAC_OK ? sumac_vector_get(context, products[0], 0, rows, NULL, sides) : status;
    status = status == SUMAC_OK ? sumac_vector_get(context, products[2], 0, rows, NULL, sides + rows * bytes)
                                : status;
    for (size_t i = 0; i < rows && status == SUMAC_OK; i++) {
        if (memcmp(sides + i * bytes, sides + (rows + i) * bytes, bytes) != 0) {
            status = fail(context, SUMAC_NOT_SATISFIED,
                          "%s: the witness does not satisfy constraint %zu of %zu", path, i, rows);
        }
    }
    free(sides);
    return status;
}

static sumac_status check_shape(const r1cs_file *r1cs, const sumac_groth16_key *key)
{
    const r1cs_header *header = &r1cs->header;
    if (r1cs->groups.g1 != key->verifying->groups.g1) {
        return fail(r1cs->input.file.context, SUMAC_MISMATCH, "%s: constraints over %s, and the key is of %s",
                    r1cs->input.file.path, r1cs->groups.info1->name, key->verifying->groups.info1->name);
    }
    return header->wires == key->wires && header->outputs + header->inputs == key->publics
               ? SUMAC_OK
               : fail(r1cs->input.file.context, SUMAC_MISMATCH,
                      "%s: a circuit of %" PRIu32 " wires, %" PRIu32
                      " of them public, and the key has %" PRIu32 " and %" PRIu32,
                      r1cs->input.file.path, header->wires, header->outputs + header->inputs, key->wires,
                      key->publics);
}

static sumac_status check(r1cs_file *r1cs, const sumac_groth16_key *key, const void *witness)
{
    sumac_context *context = r1cs->input.file.context;
    const size_t bytes = r1cs->groups.info1->scalar_bytes;
    const uint8_t one[MOST_SCALAR_BYTES] = {1};
    if (memcmp(witness, one, bytes) != 0) { /* zeros satisfy any constraint */
        return fail(context, SUMAC_BAD_ARGUMENT, "wire 0 of the witness is not 1");
    }
    sumac_vector *wires = NULL, *products[MOST_MATRICES] = {NULL};
    sumac_status status =
        sumac_vector_create(context, r1cs->groups.g1, SUMAC_VECTOR_SCALARS, key->wires, &wires);
    status = status == SUMAC_OK ? sumac_vector_set(context, wires, witness, 0, key->wires, NULL) : status;
    status = status == SUMAC_OK ? r1cs_read(r1cs) : status;
    status = status == SUMAC_OK ? multiply(r1cs, wires, products) : status;
    status = status == SUMAC_OK
                 ? compare(context, products, r1cs->header.constraints, bytes, r1cs->input.file.path)
                 : status;
    sumac_vector_destroy(wires);
    for (int m = 0; m < MOST_MATRICES; m++) {
        sumac_vector_destroy(products[m]);
    }
    return status;
}

sumac_status sumac_groth16_witness_check(sumac_context *context, const sumac_groth16_key *key,
                                         const void *witness, const char *r1cs_path)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (key == NULL || witness == NULL || r1cs_path == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "key, witness and r1cs_path must not be null");
    }
    r1cs_file r1cs;
    sumac_status status = r1cs_open(&r1cs, context, r1cs_path);
    if (status == SUMAC_OK) {
        status = check_shape(&r1cs, key);
    }
    if (status == SUMAC_OK) {
        status = check(&r1cs, key, witness);
    }
    r1cs_close(&r1cs);
    return status;
}
