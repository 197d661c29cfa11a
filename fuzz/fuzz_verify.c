/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * sumac_kzg_verify_proof() and sumac_kzg_verify_cell_proof_batch() with a setup whose secret is known. A
 * commitment c*G and a proof q*G then hold for a value y at z exactly where c - y = (secret - z)*q modulo r,
 * and for a cell of the constant v on a coset of h exactly where c - v = (secret^64 - h^64)*q: GMP says so,
 * and the calls agree. With bytes that are changed afterwards a call refuses or answers.
 */
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "api/registry.h"
#include "fuzz.h"
#include "pipeline/backend.h"
#include "sumac/kzg.h"
#include "sumac/vector.h"

enum {
    COUNT = SUMAC_KZG_FIELD_ELEMENTS,
    G2_COUNT = 65,
    SCALAR = 32,
    G1 = 48,
    G2 = 96,
    CLAIMS = 4,
    SECRET = 987654321
};

/* What all inputs share. */
typedef struct verifier {
    const sumac_curve *g1, *g2;
    sumac_kzg_setup *setup;
    mpz_t r, secret, root; /* root of unity of order 128 */
} verifier;

/* A value or a cell, and whether it is what the commitment says. */
typedef struct claims {
    size_t n;
    uint8_t commitments[CLAIMS * G1], proofs[CLAIMS * G1], zs[CLAIMS * SCALAR], ys[CLAIMS * SCALAR];
    uint64_t indices[CLAIMS];
    uint8_t cells[CLAIMS * SUMAC_KZG_CELL_BYTES];
    int hold;
} claims;

static void scalar_to_raw(uint8_t raw[SCALAR], const mpz_t k)
{
    memset(raw, 0, SCALAR);
    mpz_export(raw, NULL, -1, 1, 0, 0, k);
}

static void scalar_to_element(uint8_t element[SCALAR], const mpz_t k)
{
    uint8_t raw[SCALAR];
    scalar_to_raw(raw, k);
    for (int i = 0; i < SCALAR; i++) {
        element[i] = raw[SCALAR - 1 - i];
    }
}

/* n multiples of the generator as records. */
static void encode_multiples(const sumac_curve *curve, const uint8_t *scalars, size_t n, uint8_t *records)
{
    const size_t bytes = sumac_curve_describe(curve)->point_bytes;
    sumac_msm_config config = sumac_msm_config_default();
    sumac_bases *bases = NULL;
    uint8_t generator[2 * G2];
    uint8_t *points = malloc(n * bytes);
    fuzz_require(points != NULL, "there is memory");
    config.batch = (uint32_t)n;
    sumac_curve_generator(curve, generator);
    fuzz_require(sumac_bases_create(fuzz_context(), curve, generator, 1, NULL, &bases) == SUMAC_OK &&
                     sumac_msm(fuzz_context(), bases, scalars, 1, &config, points) == SUMAC_OK &&
                     sumac_points_encode(fuzz_context(), curve, "zcash-compressed", points, n, records) ==
                         SUMAC_OK,
                 "there are multiples of the generator");
    sumac_bases_destroy(bases);
    free(points);
}

/* scalars become the values at the secret of the polynomials that are 1 at one root of unity. */
static void to_lagrange(const sumac_curve *curve, uint8_t *scalars)
{
    sumac_transform_config config = sumac_transform_config_default();
    sumac_vector *vector = NULL;
    config.inverse = 1;
    fuzz_require(sumac_vector_create(fuzz_context(), curve, SUMAC_ELEMENTS_SCALARS, COUNT, &vector) ==
                         SUMAC_OK &&
                     sumac_vector_write(fuzz_context(), vector, 0, COUNT, scalars, NULL) == SUMAC_OK &&
                     sumac_ntt(fuzz_context(), vector, &config) == SUMAC_OK &&
                     sumac_vector_read(fuzz_context(), vector, 0, COUNT, scalars, NULL) == SUMAC_OK,
                 "there is an inverse transform");
    sumac_vector_destroy(vector);
}

static void make_setup(verifier *v)
{
    static uint8_t scalars[COUNT * SCALAR], monomial[COUNT * G1], lagrange[COUNT * G1],
        g2_monomial[G2_COUNT * G2];
    mpz_t power;
    mpz_init_set_ui(power, 1);
    for (size_t i = 0; i < COUNT; i++) {
        scalar_to_raw(scalars + i * SCALAR, power);
        mpz_mul(power, power, v->secret);
        mpz_mod(power, power, v->r);
    }
    mpz_clear(power);
    encode_multiples(v->g1, scalars, COUNT, monomial);
    encode_multiples(v->g2, scalars, G2_COUNT, g2_monomial);
    to_lagrange(v->g1, scalars);
    encode_multiples(v->g1, scalars, COUNT, lagrange);
    fuzz_require(sumac_kzg_setup_create(fuzz_context(), monomial, sizeof monomial, lagrange, sizeof lagrange,
                                        g2_monomial, sizeof g2_monomial, SUMAC_CHECK_CURVE,
                                        &v->setup) == SUMAC_OK,
                 "the setup is one");
}

static verifier the_verifier;

static void end_verifier(void)
{
    sumac_kzg_setup_destroy(the_verifier.setup);
    mpz_clears(the_verifier.r, the_verifier.secret, the_verifier.root, NULL);
}

static verifier *get_verifier(void)
{
    verifier *v = &the_verifier;
    if (v->setup == NULL) {
        uint8_t root[SCALAR];
        fuzz_require(sumac_curve_find("bls12-381", "g1", &v->g1) == SUMAC_OK &&
                         sumac_curve_find("bls12-381", "g2", &v->g2) == SUMAC_OK &&
                         sumac_root_of_unity(v->g1, 7, root) == SUMAC_OK,
                     "there is BLS12-381");
        mpz_inits(v->r, v->secret, v->root, NULL);
        mpz_import(v->r, SCALAR / 8, -1, 8, 0, 0, sumac_curve_describe(v->g1)->order);
        mpz_import(v->root, SCALAR, -1, 1, 0, 0, root);
        mpz_set_ui(v->secret, SECRET);
        make_setup(v);
        atexit(end_verifier);
    }
    return v;
}

/* A number from the input: small, or of all of r's bits. */
static void draw_scalar(const verifier *v, fuzz_input *input, mpz_t k)
{
    uint8_t bytes[SCALAR] = {0};
    const int is_small = fuzz_byte(input) % 2;
    fuzz_bytes(input, bytes, is_small ? 1 : sizeof bytes);
    mpz_import(k, sizeof bytes, -1, 1, 0, 0, bytes);
    mpz_mod(k, k, v->r);
}

static unsigned long reversed_index(uint64_t index)
{
    unsigned long reversed = 0;
    for (int i = 0; i < 7; i++) {
        reversed |= (unsigned long)(index >> i & 1) << (6 - i);
    }
    return reversed;
}

/* factor = secret - z, or secret^64 - h^64 for a cell. */
static void draw_place(const verifier *v, fuzz_input *input, int is_cell, claims *c, size_t i, mpz_t factor)
{
    mpz_t z;
    mpz_init(z);
    mpz_set(factor, v->secret);
    if (is_cell) {
        c->indices[i] = fuzz_byte(input) % SUMAC_KZG_CELLS;
        mpz_powm_ui(factor, factor, SUMAC_KZG_CELL_ELEMENTS, v->r);
        mpz_powm_ui(z, v->root, reversed_index(c->indices[i]), v->r);
    } else {
        draw_scalar(v, input, z);
        scalar_to_element(c->zs + i * SCALAR, z);
    }
    mpz_sub(factor, factor, z);
    mpz_clear(z);
}

/* One claim; it holds but where a byte of the input says that its value is another. */
static void draw_claim(const verifier *v, fuzz_input *input, int is_cell, claims *c, size_t i)
{
    uint8_t scalars[2 * SCALAR], records[2 * G1];
    mpz_t commitment, proof, value, factor;
    mpz_inits(commitment, proof, value, factor, NULL);
    draw_scalar(v, input, commitment);
    draw_scalar(v, input, proof);
    draw_place(v, input, is_cell, c, i, factor);
    mpz_submul(commitment, factor, proof); /* for now the value that it says */
    mpz_mod(commitment, commitment, v->r);
    mpz_set(value, commitment);
    if (fuzz_byte(input) % 4 == 0) {
        draw_scalar(v, input, value);
        c->hold &= mpz_cmp(value, commitment) == 0;
    }
    mpz_addmul(commitment, factor, proof);
    mpz_mod(commitment, commitment, v->r);
    scalar_to_element(c->ys + i * SCALAR, value);
    for (size_t j = 0; j < SUMAC_KZG_CELL_ELEMENTS; j++) {
        scalar_to_element(c->cells + i * SUMAC_KZG_CELL_BYTES + j * SCALAR, value);
    }
    scalar_to_raw(scalars, commitment);
    scalar_to_raw(scalars + SCALAR, proof);
    encode_multiples(v->g1, scalars, 2, records);
    memcpy(c->commitments + i * G1, records, G1);
    memcpy(c->proofs + i * G1, records + G1, G1);
    mpz_clears(commitment, proof, value, factor, NULL);
}

static int change_bytes(fuzz_input *input, uint8_t *bytes, size_t count)
{
    const size_t high = fuzz_byte(input), place = (high << 8 | fuzz_byte(input)) % count;
    const uint8_t change = fuzz_byte(input);
    bytes[place] ^= change;
    return change != 0;
}

/* 1 if a byte is another than it was. */
static int change_claims(fuzz_input *input, int is_cell, claims *c)
{
    switch (fuzz_byte(input) % 8) {
    case 0:
        return change_bytes(input, c->commitments, c->n * G1);
    case 1:
        return change_bytes(input, c->proofs, c->n * G1);
    case 2:
        return is_cell ? change_bytes(input, c->cells, c->n * SUMAC_KZG_CELL_BYTES)
                       : change_bytes(input, c->ys, c->n * SCALAR);
    case 3:
        return is_cell ? change_bytes(input, (uint8_t *)c->indices, c->n * sizeof *c->indices)
                       : change_bytes(input, c->zs, c->n * SCALAR);
    default:
        return 0;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const verifier *v = get_verifier();
    fuzz_input input = {data, size};
    static claims c;
    const int is_cell = fuzz_byte(&input) % 2;
    int ok = -1;
    c.n = 1 + fuzz_byte(&input) % CLAIMS;
    c.hold = 1;
    for (size_t i = 0; i < c.n; i++) {
        draw_claim(v, &input, is_cell, &c, i);
    }
    const int changed = change_claims(&input, is_cell, &c);
    const sumac_status status =
        is_cell
            ? sumac_kzg_verify_cell_proof_batch(fuzz_context(), v->setup, c.commitments, c.indices, c.cells,
                                                c.proofs, c.n, &ok)
            : sumac_kzg_verify_proof(fuzz_context(), v->setup, c.commitments, c.zs, c.ys, c.proofs, c.n, &ok);
    const char *message = sumac_context_message(fuzz_context());
    fuzz_require((status == SUMAC_OK) == (message[0] == '\0'), "a failure, and only that, has a sentence");
    fuzz_require(status != SUMAC_INTERNAL, "no invariant is broken");
    if (!changed) {
        fuzz_require(status == SUMAC_OK && ok == c.hold, "a claim is accepted where it holds");
    } else if (status == SUMAC_OK) {
        fuzz_require(ok == 0 || ok == 1, "a claim holds or does not");
    }
    return 0;
}
