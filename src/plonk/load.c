/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has steps 1 and 2 of prove_steps.c. Witnesses of gnark have the values of a, b and c already, and its circuits may commit
 * to their wires. Commitment j is to a polynomial that has on the domain
 *
 *   - the values of the wires, -qL a, where the selector qcp_j is 1: such a gate is qL a + qcp_j committed_j = 0
 *   - a random number at the gate that has the commitment's value, and one at the last gate; both have qcp_j = 0
 *   - 0 elsewhere.
 *
 * The gate that has the commitment's value, a hash of the commitment, is completed by it as by a public input.
 */
#include <string.h>

#include "base/try.h"
#include "plonk/prove_steps.h"

/* Compute the values of a polynomial of the key on the domain. */
static sumac_status evaluate_key(const proving *p, plonk_item which, sumac_vector *values)
{
    const sumac_transform_config config = key_transform(p->key, NULL, 0);
    TRY(vector_copy_range(p->self, values, 0, p->key->polynomials, key_number(which) * p->n, p->n));
    return vector_ntt(p->self, values, &config);
}

/* Get the values of committed polynomial j. `wires` are the values of -qL a, and `numbers` all random numbers. */
static sumac_status load_committed(const proving *p, uint32_t j, const sumac_vector *wires,
                                   const sumac_vector *numbers)
{
    const uint64_t gates[] = {p->key->verifying->commitment_gates[j], p->key->gates - 1};
    sumac_vector row = vector_part(p->committed, j * p->n, p->n);
    TRY(evaluate_key(p, (plonk_item)(KEY_QCP + j), &row));
    TRY(vector_multiply(p->self, &row, &row, wires, 1));
    for (size_t i = 0; i < 2; i++) {
        TRY(vector_copy_range(p->self, &row, gates[i], numbers, 2 * (uint64_t)j + i, 1));
    }
    return SUMAC_OK;
}

static sumac_status load_all_committed(proving *p)
{
    const sumac_vector a = vector_part(p->values, 0, p->n),
                       numbers = vector_part(p->values, GATE_WIRES * p->n, 2 * (uint64_t)p->commitments);
    LOCAL_SCALARS(wires, p->self, p->group, p->n);
    TRY(proving_scalars(p, p->commitments * p->n, &p->committed));
    TRY(evaluate_key(p, KEY_QL, wires));
    TRY(vector_multiply(p->self, wires, wires, &a, 1));
    TRY(vector_fill_integer(p->self, p->committed, 0));
    sumac_vector minus = vector_part(p->committed, 0, p->n);
    TRY(vector_subtract(p->self, wires, &minus, wires, 1));
    for (uint32_t j = 0; j < p->commitments; j++) {
        TRY(load_committed(p, j, wires, &numbers));
    }
    return SUMAC_OK;
}

/* Compute the additions, one level after another. */
static sumac_status add_wires(proving *p)
{
    const sumac_plonk_key *key = p->key;
    for (uint32_t level = 0; level < key->levels; level++) {
        const uint64_t begin = level == 0 ? 0 : key->level_ends[level - 1];
        sparse_rows rows = key->sums->rows;
        rows.starts += begin;
        rows.rows = key->level_ends[level] - begin;
        TRY(vector_multiply_sparse(p->self, p->all_wires, key->wires + begin, &rows, p->all_wires, 0));
        TRY(context_report(p->context, 0));
    }
    return SUMAC_OK;
}

/* Import the witness to a vector's beginning. */
static sumac_status set_witness(proving *p, sumac_vector *to, size_t count)
{
    const sumac_status status = vector_set(p->self, to, 0, count, p->request->witness, NULL);
    return status == SUMAC_BAD_ENCODING
               ? refuse_in(&p->self->message, status, "witness %zu", p->request->number)
               : status;
}

/* Get the values from a witness that has them. */
static sumac_status load_values(proving *p)
{
    TRY(proving_scalars(p, p->key->wires, &p->values));
    TRY(set_witness(p, p->values, p->key->wires));
    return p->commitments > 0 ? load_all_committed(p) : SUMAC_OK;
}

sumac_status plonk_load(proving *p)
{
    const sumac_plonk_key *key = p->key;
    const uint8_t one[MOST_SCALAR_BYTES] = {1};
    TRY(proving_scalars(p, MOST_FACTORS, &p->factors));
    if (key->maps == NULL) {
        return load_values(p);
    }
    if (memcmp(p->request->witness, one, p->group->scalar_bytes) != 0) {
        return refuse(&p->self->message, SUMAC_BAD_ARGUMENT, "witness %zu: wire 0 is not 1",
                      p->request->number);
    }
    TRY(proving_scalars(p, (size_t)key->wires + key->additions, &p->all_wires));
    TRY(set_witness(p, p->all_wires, key->wires));
    sumac_vector first = vector_part(p->all_wires, 0, 1);
    TRY(vector_fill_integer(p->self, &first, 0));
    TRY(add_wires(p));
    TRY(proving_scalars(p, GATE_WIRES * p->n, &p->values));
    TRY(vector_multiply_sparse(p->self, p->values, 0, &key->maps->rows, p->all_wires, 0));
    free_vector(&p->all_wires);
    return SUMAC_OK;
}

sumac_status plonk_add_commitments(const proving *p, sumac_vector *values)
{
    const sumac_plonk_verifying_key *verifying = p->key->verifying;
    uint8_t raw[MOST_SCALAR_BYTES];
    for (uint32_t i = 0; i < verifying->commitments; i++) {
        host_to_raw(p->group, transcript_committed(&p->transcript, i), raw);
        TRY(vector_set(p->self, values, verifying->commitment_gates[i], 1, raw, NULL));
    }
    return SUMAC_OK;
}
