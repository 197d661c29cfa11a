/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has steps 1 and 3 to 5 of prove_steps.c. Step 1 brings the witnesses and the randomness to z. Steps 3 to 5
 * multiply the matrices by the witnesses and compute h from the products, in the batch's vectors a, b and c. */
#include <stdlib.h>
#include <string.h>

#include "base/try.h"
#include "groth16/prove_steps.h"
#include "io/coefficients.h"

/* ---- 1 ---- */

sumac_status proving_begin_load(proving *p)
{
    TRY(proving_scalars(p, p->count * p->row, &p->z));
    for (size_t proof = 0; proof < p->count; proof++) {
        uint8_t extra[EXTRA_WIRES * MOST_SCALAR_BYTES] = {1};
        if (memcmp(proving_witness(p, proof), extra, p->scalar_bytes) != 0) {
            return refuse(&p->self->message, SUMAC_BAD_ARGUMENT, "witness %zu: wire 0 is not 1",
                          p->batch->first + proof);
        }
        memcpy(extra + p->scalar_bytes, proving_randomness(p, proof, 0), 2 * p->scalar_bytes);
        const sumac_status status = vector_set(p->self, p->z, proof * p->row, EXTRA_WIRES, extra, NULL);
        if (status != SUMAC_OK) {
            return refuse_in(&p->self->message, status, "the randomness, behind 1");
        }
    }
    return SUMAC_OK;
}

sumac_status proving_load(proving *p)
{
    const size_t wires = p->key->wires;
    TRY(proving_begin_load(p));
    for (size_t proof = 0; proof < p->count; proof++) {
        const size_t at = proof * p->row + EXTRA_WIRES, number = p->batch->first + proof;
        const sumac_status status =
            p->batch->vector != NULL /* the vector lies with the context's first executor */
                ? vector_copy_across(p->self, p->z, at, p->batch->vector, number * wires, wires)
                : vector_set(p->self, p->z, at, wires, proving_witness(p, proof), NULL);
        if (status == SUMAC_BAD_ENCODING) {
            return refuse_in(&p->self->message, status, "witness %zu", number);
        }
        TRY(status);
    }
    return SUMAC_OK;
}

/* ---- 3 ---- */

/* Store A w or B w, which comes after the wires of a witness, in a row of a or b. There the elements are in key_row()'s
 * order; a message about a bad element gives its position in the witness. */
static sumac_status load_product(const proving *p, size_t proof, int matrix)
{
    const size_t n = p->key->domain, each = p->scalar_bytes;
    const uint8_t *product = proving_witness(p, proof) + (p->key->wires + (size_t)matrix * n) * each;
    const uint64_t exponent = p->key->root_exponent;
    AUTO_FREE uint8_t *ordered = malloc(n * each);
    if (ordered == NULL) {
        return refuse(&p->self->message, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a witness",
                      n * each);
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(ordered + key_row(exponent * i & (n - 1), p->key->domain) * each, product + i * each, each);
    }
    const sumac_status status =
        vector_set(p->self, matrix == MATRIX_A ? p->a : p->b, proof * n, n, ordered, NULL);
    if (status != SUMAC_BAD_ENCODING) {
        return status;
    }
    const size_t bad = scalars_first_too_large(p->of->g1, product, n);
    return refuse(&p->self->message, status,
                  "witness %zu, behind its wires: element %zu of %c w is not less than r",
                  p->batch->first + proof, bad, 'A' + matrix);
}

/* Return the witness of the batch's only proof without copying it. If the witness is not a vector, it consists of
 * canonical integers. The result treats these as Montgomery form, so it is the witness divided by R. */
static sumac_vector witness_in_place(const proving *p)
{
    const size_t wires = p->key->wires;
    if (p->batch->vector != NULL) {
        return vector_part(p->batch->vector, p->batch->first * wires, wires);
    }
    sumac_vector view = vector_part(p->a, 0, wires);
    view.memory = (void *)(uintptr_t)proving_witness(p, 0); /* the memory is only read */
    return view;
}

int quotient_takes_in_place(const proof_batch *batch)
{
    return batch->vector != NULL || (uintptr_t)batch->witnesses % sizeof(uint64_t) == 0;
}

sumac_status quotient_multiply(const proving *p, size_t proof, int matrix)
{
    if (p->key->takes_products) {
        return load_product(p, proof, matrix);
    }
    const sumac_vector w = p->recompute_products
                               ? witness_in_place(p)
                               : vector_part(p->z, proof * p->row + EXTRA_WIRES, p->key->wires);
    return vector_multiply_sparse(p->self, matrix == MATRIX_A ? p->a : p->b, proof * p->key->domain,
                                  &p->key->matrices[matrix][p->shard]->rows, &w, 0);
}

sumac_status quotient_evaluate(proving *p)
{
    const size_t n = p->key->domain;
    TRY(proving_scalars(p, p->count * n, &p->a));
    TRY(proving_scalars(p, p->count * n, &p->b));
    for (size_t proof = 0; proof < p->count; proof++) {
        TRY(quotient_multiply(p, proof, MATRIX_A));
        TRY(quotient_multiply(p, proof, MATRIX_B));
    }
    if (p->split_c_sum) {
        free_vector(&p->z);
    }
    if (p->recompute_products) {
        return SUMAC_OK;
    }
    TRY(proving_scalars(p, p->count * n, &p->c));
    return vector_multiply(p->self, p->c, p->a, p->b, 1);
}

/* ---- 4 ---- */

sumac_status quotient_move_to_coset(const proving *p, sumac_vector *values)
{
    sumac_transform_config config = {.size = sizeof config};
    config.length = p->key->domain;
    config.value_order = SUMAC_ORDER_BIT_REVERSED; /* avoids a permutation */
    config.inverse = 1;
    TRY(vector_ntt(p->self, values, &config));
    config.inverse = 0;
    config.shift = p->key->shift;
    return vector_ntt(p->self, values, &config);
}

sumac_status quotient_extend(proving *p)
{
    TRY(quotient_move_to_coset(p, p->a));
    TRY(quotient_move_to_coset(p, p->b));
    return p->c != NULL ? quotient_move_to_coset(p, p->c) : SUMAC_OK;
}

/* ---- 5 ---- */

/* The vector a has the values of h. Turn them into h's coefficients, and divide these by -2, because gnark's bases are
 * not divided by it. The factor is -1/2 = (r - 1)/2, which is an integer because r is odd. */
static sumac_status divide(const proving *p)
{
    uint8_t minus_half[MOST_SCALAR_BYTES];
    const uint8_t *order = (const uint8_t *)p->of->g1->order;
    sumac_transform_config config = {.size = sizeof config};
    config.length = p->key->domain;
    config.value_order = config.coefficient_order = SUMAC_ORDER_BIT_REVERSED;
    config.inverse = 1;
    config.shift = p->key->shift;
    for (size_t i = 0; i < p->scalar_bytes; i++) {
        minus_half[i] = (uint8_t)(order[i] >> 1 | (i + 1 < p->scalar_bytes ? order[i + 1] << 7 : 0));
    }
    TRY(vector_ntt(p->self, p->a, &config));
    return vector_scale_powers(p->self, p->a, p->key->domain, minus_half, NULL);
}

/* Compute c from A w and B w in the memory of b. Both products are computed a second time, A w piece by piece. */
static sumac_status recompute_c(proving *p)
{
    enum { PIECE = 1 << 14 /* rows */ };
    const sumac_vector w = witness_in_place(p);
    LOCAL_SCALARS(piece, p->self, p->of->g1, PIECE);
    p->c = p->b;
    p->b = NULL;
    TRY(vector_multiply_sparse(p->self, p->c, 0, &p->key->matrices[MATRIX_B][0]->rows, &w, 0));
    for (size_t first = 0; first < p->key->domain; first += PIECE) {
        sparse_rows rows = p->key->matrices[MATRIX_A][0]->rows;
        sumac_vector c = vector_part(p->c, first, PIECE);
        rows.starts += first;
        rows.rows = PIECE;
        TRY(vector_multiply_sparse(p->self, piece, 0, &rows, &w, 0));
        TRY(vector_multiply(p->self, &c, &c, piece, 1));
    }
    return quotient_move_to_coset(p, p->c);
}

/* Leave h in a, and free b and c. */
sumac_status quotient_subtract(proving *p)
{
    TRY(vector_multiply(p->self, p->a, p->a, p->b, 1));
    if (p->recompute_products) {
        TRY(recompute_c(p));
    }
    TRY(vector_subtract(p->self, p->a, p->a, p->c, 1));
    free_vector(&p->b);
    free_vector(&p->c);
    if (p->recompute_products && p->batch->vector == NULL) { /* w was divided by R, so h by R^2 */
        uint8_t factor[MOST_SCALAR_BYTES] = {1};
        TRY(coefficients_to_form(p->self, p->of->g1, VALUE_ZKEY, factor));
        TRY(vector_scale_powers(p->self, p->a, p->key->domain, factor, NULL));
    }
    return p->key->takes_products ? divide(p) : SUMAC_OK;
}
