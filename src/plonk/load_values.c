/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has what a prover does for witnesses of gnark, which have the values of a, b and c, and for commitments of its circuits
 * to their wires. Commitment j is to a polynomial that has on the domain
 *
 *   - the values of the wires, -qL a, where the selector qcp_j is 1: such a gate is qL a + qcp_j committed_j = 0
 *   - a random number at the gate that has the commitment's value, and one at the last gate; both have qcp_j = 0
 *   - 0 elsewhere.
 *
 * The gate that has the commitment's value, a hash of the commitment, is completed by it as by a public input.
 */
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

sumac_status plonk_load_values(proving *p)
{
    TRY(proving_scalars(p, p->key->wires, &p->values));
    TRY(plonk_set_witness(p, p->values, p->key->wires));
    return p->commitments > 0 ? load_all_committed(p) : SUMAC_OK;
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
