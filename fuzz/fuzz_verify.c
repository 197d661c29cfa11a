/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target calls sumac_kzg_verify_proof() and sumac_kzg_verify_cells() with a setup whose secret is known. A
 * commitment c*G and a proof q*G are valid for a value y at z if and only if c - y = (secret - z)*q modulo r. For a
 * cell of the constant v on a coset of h, they are valid if and only if c - v = (secret^64 - h^64)*q. The calls must
 * agree with GMP. If bytes are changed afterwards, a call may answer or refuse.
 */
#include <string.h>

#include "known_setup.h"
#include "support/numbers.h"

enum { CLAIMS = 4 };

/* Claims of values or cells, some of which may be false. */
typedef struct claims {
    size_t n;
    uint8_t commitments[CLAIMS * G1_RECORD], proofs[CLAIMS * G1_RECORD], zs[CLAIMS * ELEMENT],
        ys[CLAIMS * ELEMENT];
    uint64_t indices[CLAIMS];
    uint8_t cells[CLAIMS * SUMAC_KZG_CELL_BYTES];
    int hold;
} claims;

static unsigned long reversed_index(uint64_t index)
{
    unsigned long reversed = 0;
    for (int i = 0; i < 7; i++) {
        reversed |= (unsigned long)(index >> i & 1) << (6 - i);
    }
    return reversed;
}

/* Draw z or the index of a cell. Set factor = secret - z or, for a cell, secret^64 - h^64. */
static void draw_place(const known_setup *known, fuzz_input *input, int is_cell, claims *c, size_t i,
                       mpz_t factor)
{
    TEST_NUMBERS(z);
    mpz_set(factor, known->secret);
    if (is_cell) {
        c->indices[i] = fuzz_byte(input) % SUMAC_KZG_CELLS;
        mpz_powm_ui(factor, factor, SUMAC_KZG_CELL_ELEMENTS, known->r);
        root_of_order(known, 7, z);
        mpz_powm_ui(z, z, reversed_index(c->indices[i]), known->r);
    } else {
        draw_scalar(known, input, z);
        scalar_to_element(c->zs + i * ELEMENT, z);
    }
    mpz_sub(factor, factor, z);
}

/* Draw a claim, which is true unless a byte of the input changes its value. */
static void draw_claim(const known_setup *known, fuzz_input *input, int is_cell, claims *c, size_t i)
{
    uint8_t scalars[2 * ELEMENT], records[2 * G1_RECORD];
    TEST_NUMBERS(commitment, proof, value, factor);
    draw_scalar(known, input, commitment);
    draw_scalar(known, input, proof);
    draw_place(known, input, is_cell, c, i, factor);
    mpz_submul(commitment, factor, proof); /* `commitment` now is the value */
    mpz_mod(commitment, commitment, known->r);
    mpz_set(value, commitment);
    if (fuzz_byte(input) % 4 == 0) {
        draw_scalar(known, input, value);
        c->hold &= mpz_cmp(value, commitment) == 0;
    }
    mpz_addmul(commitment, factor, proof);
    mpz_mod(commitment, commitment, known->r);
    scalar_to_element(c->ys + i * ELEMENT, value);
    for (size_t j = 0; j < SUMAC_KZG_CELL_ELEMENTS; j++) {
        scalar_to_element(c->cells + i * SUMAC_KZG_CELL_BYTES + j * ELEMENT, value);
    }
    scalar_to_raw(scalars, commitment);
    scalar_to_raw(scalars + ELEMENT, proof);
    encode_multiples(known->g1, scalars, 2, records);
    memcpy(c->commitments + i * G1_RECORD, records, G1_RECORD);
    memcpy(c->proofs + i * G1_RECORD, records + G1_RECORD, G1_RECORD);
}

/* Change some bytes. If one of them is different afterwards, return 1. */
static int change_claims(fuzz_input *input, int is_cell, claims *c)
{
    switch (fuzz_byte(input) % 8) {
    case 0:
        return change_byte(input, c->commitments, c->n * G1_RECORD);
    case 1:
        return change_byte(input, c->proofs, c->n * G1_RECORD);
    case 2:
        return is_cell ? change_byte(input, c->cells, c->n * SUMAC_KZG_CELL_BYTES)
                       : change_byte(input, c->ys, c->n * ELEMENT);
    case 3:
        return is_cell ? change_byte(input, c->indices, c->n * sizeof *c->indices)
                       : change_byte(input, c->zs, c->n * ELEMENT);
    default:
        return 0;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const known_setup *known = get_known_setup();
    fuzz_input input = {data, size};
    static claims c;
    const int is_cell = fuzz_byte(&input) % 2;
    int ok = -1;
    c.n = 1 + fuzz_byte(&input) % CLAIMS;
    c.hold = 1;
    for (size_t i = 0; i < c.n; i++) {
        draw_claim(known, &input, is_cell, &c, i);
    }
    const int changed = change_claims(&input, is_cell, &c);
    const sumac_status status =
        is_cell ? sumac_kzg_verify_cells(fuzz_context(), known->setup, (const sumac_bytes48 *)c.commitments,
                                         c.indices, (const sumac_cell *)c.cells,
                                         (const sumac_bytes48 *)c.proofs, c.n, &ok)
                : sumac_kzg_verify_proof(fuzz_context(), known->setup, (const sumac_bytes48 *)c.commitments,
                                         (const sumac_bytes32 *)c.zs, (const sumac_bytes32 *)c.ys,
                                         (const sumac_bytes48 *)c.proofs, c.n, &ok);
    fuzz_check_sentence(status);
    if (!changed) {
        fuzz_require(status == SUMAC_OK && ok == c.hold, "a claim is accepted where it holds");
    } else if (status == SUMAC_OK) {
        fuzz_require(ok == 0 || ok == 1, "a claim holds or does not");
    }
    return 0;
}
