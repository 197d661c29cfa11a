/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Steps 3 to 5 of prove.c: from the matrices' products with the witness to h, within its batch's vectors a, b, c. */
#include <stdlib.h>
#include <string.h>

#include "groth16/coefficients.h"
#include "groth16/prove_steps.h"

/* ---- 3 ---- */

/* A w or B w, which came behind the wires of a witness, into a vector's row, in key_row()'s order. A bad element is told
 * by its place in the witness's order. */
static sumac_status load_product(const proving *p, size_t proof, char matrix)
{
    const size_t n = p->key->domain, each = p->scalar_bytes;
    const uint8_t *product = proving_witness(p, proof) + (p->key->wires + (matrix == 'A' ? 0 : n)) * each;
    sumac_vector *vector = matrix == 'A' ? p->a : p->b;
    const uint64_t exponent = p->key->root_exponent;
    const sumac_element_layout raw = sumac_element_layout_default();
    uint8_t *ordered = malloc(n * each);
    if (ordered == NULL) {
        return refuse(&p->own->message, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a witness",
                      n * each);
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(ordered + key_row(exponent * i & (n - 1), p->key->domain) * each, product + i * each, each);
    }
    const sumac_status status = vector_set(p->own, vector, proof * n, n, ordered, &raw);
    free(ordered);
    if (status != SUMAC_BAD_ENCODING) {
        return status;
    }
    size_t bad = 0;
    while (bad + 1 < n && integer_is_less(product + bad * each, (const uint8_t *)p->of->info1->order, each)) {
        bad++;
    }
    return refuse(&p->own->message, status,
                  "witness %zu, behind its wires: element %zu of %c w is not less than r",
                  p->batch->first + proof, bad, matrix);
}

/* Part of a vector, as one. */
static sumac_vector view_of(const sumac_vector *vector, size_t first, size_t count)
{
    sumac_vector view = *vector;
    view.memory = vector_at(vector, first);
    view.count = count;
    return view;
}

/* The one proof's witness where the caller has it; of memory that is not a vector's 1/R of it. */
static sumac_vector witness_in_place(const proving *p)
{
    const size_t wires = p->key->wires;
    if (p->batch->vector != NULL) {
        return view_of(p->batch->vector, p->batch->first * wires, wires);
    }
    sumac_vector view = view_of(p->a, 0, wires);
    view.memory = (void *)(uintptr_t)proving_witness(p, 0); /* which is only read */
    return view;
}

int quotient_takes_in_place(const proof_batch *batch)
{
    return batch->vector != NULL || (uintptr_t)batch->witnesses % sizeof(uint64_t) == 0;
}

sumac_status quotient_multiply(const proving *p, size_t proof, char matrix)
{
    if (p->key->takes_products) {
        return load_product(p, proof, matrix);
    }
    const sumac_vector w =
        p->twice ? witness_in_place(p) : view_of(p->z, proof * p->row + EXTRA_WIRES, p->key->wires);
    return vector_multiply_sparse(p->own, matrix == 'A' ? p->a : p->b, proof * p->key->domain,
                                  &key_matrix(p->key, p->shard, matrix)->rows, &w, 0);
}

sumac_status quotient_evaluate(proving *p)
{
    const size_t n = p->key->domain;
    sumac_status status = proving_scalars(p, p->count * n, &p->a);
    status = status == SUMAC_OK ? proving_scalars(p, p->count * n, &p->b) : status;
    for (size_t proof = 0; proof < p->count && status == SUMAC_OK; proof++) {
        status = quotient_multiply(p, proof, 'A');
        status = status == SUMAC_OK ? quotient_multiply(p, proof, 'B') : status;
    }
    if (p->in_two) {
        proving_let_go(&p->z);
    }
    if (p->twice || status != SUMAC_OK) {
        return status;
    }
    status = proving_scalars(p, p->count * n, &p->c);
    return status == SUMAC_OK ? vector_multiply(p->own, p->c, p->a, p->b, 1) : status;
}

/* ---- 4 ---- */

sumac_status quotient_move_to_coset(const proving *p, sumac_vector *values)
{
    sumac_transform_config config = sumac_transform_config_default();
    config.length = p->key->domain;
    config.value_order = SUMAC_ORDER_BIT_REVERSED; /* no permutation */
    config.inverse = 1;
    sumac_status status = vector_ntt(p->own, values, &config);
    config.inverse = 0;
    config.shift = p->key->shift;
    return status == SUMAC_OK ? vector_ntt(p->own, values, &config) : status;
}

sumac_status quotient_extend(proving *p)
{
    sumac_status status = quotient_move_to_coset(p, p->a);
    status = status == SUMAC_OK ? quotient_move_to_coset(p, p->b) : status;
    return status == SUMAC_OK && p->c != NULL ? quotient_move_to_coset(p, p->c) : status;
}

/* ---- 5 ---- */

/* h's coefficients in a: bases of them know of no division. -1/2 = (r - 1)/2, and r is odd. */
static sumac_status divide(const proving *p)
{
    uint8_t minus_half[MOST_SCALAR_BYTES];
    const uint8_t *order = (const uint8_t *)p->of->info1->order;
    sumac_transform_config config = sumac_transform_config_default();
    config.length = p->key->domain;
    config.value_order = config.coefficient_order = SUMAC_ORDER_BIT_REVERSED;
    config.inverse = 1;
    config.shift = p->key->shift;
    for (size_t i = 0; i < p->scalar_bytes; i++) {
        minus_half[i] = (uint8_t)(order[i] >> 1 | (i + 1 < p->scalar_bytes ? order[i + 1] << 7 : 0));
    }
    const sumac_status status = vector_ntt(p->own, p->a, &config);
    return status == SUMAC_OK ? vector_scale_powers(p->own, p->a, p->key->domain, minus_half, NULL) : status;
}

/* Rows of which A w is there beside all of c. */
#define ROWS_OF_PIECE ((size_t)1 << 14)

static sumac_status multiply_piece(const proving *p, const sumac_vector *w, size_t first, sumac_vector *piece)
{
    sparse_rows rows = p->key->matrix_a->rows;
    sumac_vector c = view_of(p->b, first, ROWS_OF_PIECE);
    rows.starts += first;
    rows.rows = ROWS_OF_PIECE;
    const sumac_status status = vector_multiply_sparse(p->own, piece, 0, &rows, w, 0);
    return status == SUMAC_OK ? vector_multiply(p->own, &c, &c, piece, 1) : status;
}

/* From A w and B w, once more, where b was. */
static sumac_status evaluate_c(proving *p)
{
    const sumac_vector w = witness_in_place(p);
    sumac_vector *piece = NULL;
    sumac_status status = proving_scalars(p, ROWS_OF_PIECE, &piece);
    if (status == SUMAC_OK) {
        status = vector_multiply_sparse(p->own, p->b, 0, &p->key->matrix_b->rows, &w, 0);
    }
    for (size_t first = 0; first < p->key->domain && status == SUMAC_OK; first += ROWS_OF_PIECE) {
        status = multiply_piece(p, &w, first, piece);
    }
    sumac_vector_destroy(piece);
    p->c = p->b;
    p->b = NULL;
    return status == SUMAC_OK ? quotient_move_to_coset(p, p->c) : status;
}

static sumac_status multiply_by_r_squared(const proving *p)
{
    uint8_t factor[MOST_SCALAR_BYTES] = {1};
    const sumac_status status = coefficients_zkey_form(p->context, p->of->g1, factor);
    return status == SUMAC_OK ? vector_scale_powers(p->own, p->a, p->key->domain, factor, NULL) : status;
}

/* h in a; what else there was goes. */
sumac_status quotient_subtract(proving *p)
{
    sumac_status status = vector_multiply(p->own, p->a, p->a, p->b, 1);
    if (status == SUMAC_OK && p->twice) {
        status = evaluate_c(p);
    }
    if (status == SUMAC_OK) {
        status = vector_subtract(p->own, p->a, p->a, p->c, 1);
    }
    proving_let_go(&p->b);
    proving_let_go(&p->c);
    if (status == SUMAC_OK && p->twice && p->batch->vector == NULL) {
        status = multiply_by_r_squared(p);
    }
    return status == SUMAC_OK && p->key->takes_products ? divide(p) : status;
}
